//! Every rendering of the corpus through the profiles beside `talos`: which of
//! them are stopped, and by what, is foretold from the rendering itself; whatever
//! passes comes out lossless and settled.

use std::path::PathBuf;
use std::sync::OnceLock;

use germ_post::profile::load;
use germ_post::rewrite::{self, Request};
use serde_json::Value;

use crate::lossless;
use crate::support::objects::{Object, objects};
use crate::support::{self, parallel};
use crate::talos_runs::short;

struct Rendering {
    file: PathBuf,
    input: Vec<u8>,
    objects: Vec<Object>,
}

impl Rendering {
    /// Whether some object is so.
    fn has(&self, test: impl Fn(&Value) -> bool) -> bool {
        self.objects.iter().any(|object| test(&object.value))
    }

    fn has_resources_of_cilium(&self) -> bool {
        self.has(|object| text(object, "/apiVersion").starts_with("cilium.io/"))
    }

    /// Whether the agent, or what checks nodes for it, is in the rendering.
    fn has_cilium(&self) -> bool {
        let is_config = |object: &Value| text(object, "/metadata/name") == "cilium-config";
        let is_agent = |object: &Value| {
            text(object, "/kind") == "DaemonSet" && text(object, "/metadata/name").starts_with("cilium")
        };
        self.has(|object| is_config(object) || is_agent(object))
    }

    fn config(&self, key: &str) -> &str {
        let config = self.objects.iter().find(|object| object.name.ends_with("/cilium-config"));
        config.map_or("", |config| text(&config.value, &format!("/data/{key}")))
    }
}

fn text<'v>(object: &'v Value, pointer: &str) -> &'v str {
    object.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn renderings() -> &'static [Rendering] {
    static RENDERINGS: OnceLock<Vec<Rendering>> = OnceLock::new();
    RENDERINGS.get_or_init(|| {
        parallel::map(&support::renderings(), |file| {
            let input = std::fs::read(file).unwrap();
            Rendering { file: file.clone(), objects: objects(&input), input }
        })
    })
}

/// Runs the profile on every rendering. `stops` names the rules that must stop it.
fn holds(profile: &str, stops: impl Fn(&Rendering) -> Vec<&'static str> + Sync) {
    let loaded = load::load(&[profile.to_owned()], &|path| std::fs::read_to_string(path)).unwrap();
    let params = loaded.params().unwrap();
    let request = Request { loaded, params, ..Request::default() };
    let check = |rendering: &Rendering| -> Result<(), String> {
        let run = rewrite::run(&rendering.input, &request);
        let errors = run.diagnostics.iter().filter(|diagnostic| diagnostic.class.exit_code() > 0);
        let mut by: Vec<&str> = errors.map(|error| error.rule.as_deref().unwrap_or("no rule")).collect();
        by.sort_unstable();
        by.dedup();
        let wanted = stops(rendering);
        if by != wanted || run.output.is_some() != wanted.is_empty() {
            return Err(format!("is stopped by {by:?}, not {wanted:?}: {:?}", run.diagnostics));
        }
        let Some(output) = run.output.map(|output| output.text()) else { return Ok(()) };
        let again = rewrite::run(output.as_bytes(), &request).output.ok_or("its own output is stopped")?;
        if again.text() != output {
            return Err("its own output is changed".to_owned());
        }
        lossless::check(&rendering.input, output.as_bytes()).map(drop)
    };
    let failures: Vec<String> = parallel::map(renderings(), |rendering| {
        check(rendering).err().map(|error| format!("{}: {error}", short(&rendering.file)))
    })
    .into_iter()
    .flatten()
    .collect();
    parallel::report(&format!("renderings for {profile}"), renderings().len(), &failures);
}

#[test]
fn generic_stops_nothing() {
    holds("generic", |_| Vec::new());
}

#[test]
fn k3s_stops_cilium_and_its_resources() {
    holds("k3s", |rendering| {
        let mut by = Vec::new();
        if rendering.has_cilium() {
            by.push("k3s/no-cilium");
        }
        if rendering.has_resources_of_cilium() {
            by.push("k3s/no-cilium-resources");
        }
        by
    });
}

#[test]
fn k3s_kpr_stops_nothing() {
    holds("k3s-kpr", |_| Vec::new());
}

#[test]
fn k3s_portmap_stops_what_needs_kube_proxy_replacement() {
    holds("k3s-portmap", |rendering| {
        let needs = ["enable-gateway-api", "enable-ingress-controller", "enable-ipv4-egress-gateway"];
        let stops = needs.iter().any(|key| rendering.config(key) == "true");
        if stops { vec!["k3s/portmap-without-node-ports"] } else { Vec::new() }
    });
}
