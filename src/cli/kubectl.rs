//! Running kubectl in one context, which is named in every call: what a machine happens to
//! have as its current context is never meant.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use germ_post::diagnostic::{Diagnostic, did_you_mean};
use serde_json::Value;

/// How long one answer may take.
const REQUEST_TIMEOUT: &str = "--request-timeout=20s";

/// kubectl in a context.
#[derive(Debug, Clone)]
pub struct Kubectl {
    context: String,
    kubeconfig: Option<PathBuf>,
}

impl Kubectl {
    /// In the context of that name, which is taken to exist.
    pub fn new(context: &str, kubeconfig: Option<&Path>) -> Self {
        Self { context: context.to_owned(), kubeconfig: kubeconfig.map(Path::to_path_buf) }
    }

    /// In the context that was named, or in the current one where that was asked for.
    pub fn choose(
        context: Option<&str>,
        take_current: bool,
        kubeconfig: Option<&Path>,
    ) -> Result<Self, Diagnostic> {
        let asking = Self::new("", kubeconfig);
        let list = asking.configuration(&["config", "get-contexts", "--output=name"])?;
        let known: Vec<&str> = list.lines().collect();
        let named = |diagnostic: Diagnostic| match known.as_slice() {
            [] => {
                diagnostic.note("the kubeconfig has no context").help("set KUBECONFIG, or give --kubeconfig")
            }
            known => diagnostic.note(format!("contexts: {}", known.join(", "))),
        };
        let context = match context {
            Some(context) => context.to_owned(),
            None if take_current => asking.configuration(&["config", "current-context"])?.trim().to_owned(),
            None => {
                let diagnostic = Diagnostic::input("no-context", "no kubectl context is given");
                return Err(named(diagnostic).help(
                    "give --context CONTEXT; --current-context takes the one that kubectl would take",
                ));
            }
        };
        if !known.contains(&context.as_str()) {
            let diagnostic = named(Diagnostic::input(
                "context-unknown",
                format!("there is no kubectl context `{context}`"),
            ));
            let near = did_you_mean(&context, known.iter().copied());
            return Err(near
                .into_iter()
                .fold(diagnostic, |d, near| d.help(format!("did you mean `{near}`?"))));
        }
        Ok(Self::new(&context, kubeconfig))
    }

    /// The context's name.
    pub fn context(&self) -> &str {
        &self.context
    }

    /// The kubeconfig, if it is not kubectl's own.
    pub fn kubeconfig(&self) -> Option<&Path> {
        self.kubeconfig.as_deref()
    }

    /// What a call prints.
    pub fn text<A: AsRef<str>>(&self, arguments: &[A]) -> Result<String, Diagnostic> {
        let output = self.output(arguments, None)?;
        if !output.status.success() {
            return Err(self.failed(&output));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// What a call prints, which is JSON; nothing at all is `null`.
    pub fn json<A: AsRef<str>>(&self, arguments: &[A]) -> Result<Value, Diagnostic> {
        let text = self.text(arguments)?;
        if text.trim().is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_str(&text)
            .map_err(|error| unreachable_cluster(format!("kubectl's answer is not JSON: {error}")))
    }

    /// One path of the API server; `null` where there is nothing.
    pub fn raw(&self, path: &str) -> Result<Value, Diagnostic> {
        let output = self.output(&["get", &format!("--raw={path}")], None)?;
        if !output.status.success() && String::from_utf8_lossy(&output.stderr).contains("(NotFound)") {
            return Ok(Value::Null);
        }
        if !output.status.success() {
            return Err(self.failed(&output));
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|error| unreachable_cluster(format!("kubectl's answer is not JSON: {error}")))
    }

    /// An object, `null` where there is none.
    pub fn object(&self, resource: &str, name: &str, namespace: Option<&str>) -> Result<Value, Diagnostic> {
        let mut arguments = vec!["get".to_owned(), resource.to_owned(), name.to_owned()];
        arguments.extend(namespace.map(|namespace| format!("--namespace={namespace}")));
        arguments.extend(["--ignore-not-found".to_owned(), "--output=json".to_owned()]);
        self.json(&arguments)
    }

    /// Applies an object.
    pub fn apply(&self, object: &Value) -> Result<(), Diagnostic> {
        let output = self.output(&["apply", "--filename=-"], Some(object.to_string().as_bytes()))?;
        if output.status.success() { Ok(()) } else { Err(self.failed(&output)) }
    }

    /// What a call that needs no cluster prints.
    fn configuration(&self, arguments: &[&str]) -> Result<String, Diagnostic> {
        let mut command = Command::new("kubectl");
        if let Some(kubeconfig) = &self.kubeconfig {
            command.arg("--kubeconfig").arg(kubeconfig);
        }
        let output = run(command.args(arguments), None)?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(Diagnostic::input("no-context", format!("kubectl cannot tell its contexts: {said}")));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn output<A: AsRef<str>>(&self, arguments: &[A], stdin: Option<&[u8]>) -> Result<Output, Diagnostic> {
        let mut command = Command::new("kubectl");
        command.args(["--context", &self.context, REQUEST_TIMEOUT]);
        if let Some(kubeconfig) = &self.kubeconfig {
            command.arg("--kubeconfig").arg(kubeconfig);
        }
        run(command.args(arguments.iter().map(AsRef::as_ref)), stdin)
    }

    fn failed(&self, output: &Output) -> Diagnostic {
        let said = String::from_utf8_lossy(&output.stderr);
        // Its client logs every try before the error itself.
        let said = said.trim().lines().last().unwrap_or_default().to_owned();
        unreachable_cluster(format!("kubectl failed in context {}: {said}", self.context))
    }
}

fn run(command: &mut Command, stdin: Option<&[u8]>) -> Result<Output, Diagnostic> {
    let input = if stdin.is_some() { Stdio::piped() } else { Stdio::null() };
    let started = command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let ended = started.and_then(|mut child| {
        if let (Some(mut pipe), Some(bytes)) = (child.stdin.take(), stdin) {
            pipe.write_all(bytes)?;
        }
        child.wait_with_output()
    });
    ended.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Diagnostic::input("kubectl-not-found", "there is no `kubectl` in PATH")
                .help("install kubectl, of the cluster's version or one beside it")
        }
        _ => Diagnostic::input("kubectl-not-run", format!("cannot run kubectl: {error}")),
    })
}

fn unreachable_cluster(message: String) -> Diagnostic {
    Diagnostic::input("cluster-unreachable", message).help("check the context: kubectl config get-contexts")
}
