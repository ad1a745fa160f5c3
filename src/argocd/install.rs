//! The files that install the plugin: `plugin.yaml`, and the sidecar of the repo-server
//! that runs it, as a patch or as values of the argo-cd chart. They hold for Argo CD
//! 2.13 and later. Source: `docs/operator-manual/config-management-plugins.md` and
//! `manifests/base/repo-server` of Argo CD.

use crate::diagnostic::Diagnostic;
use crate::helm::release_name::is_label;

/// A plugin's configuration.
#[derive(Debug, Clone)]
pub struct Plugin {
    /// The name by which applications ask for it.
    pub name: String,
    /// Whether it takes applications that name no plugin: those with a `germ-post.yaml`
    /// beside their chart. Argo CD then sends each repository twice.
    pub discover: bool,
}

/// The container that runs a plugin.
#[derive(Debug, Clone)]
pub struct Sidecar {
    /// The plugin.
    pub plugin: Plugin,
    /// The image, with germ-post and Helm in its PATH.
    pub image: String,
    /// The ConfigMap with the `germ-post.yaml` that no application can override.
    pub pinned: Option<String>,
}

/// Where the pinned configuration is mounted.
const PINNED: &str = "/etc/germ-post";

impl Plugin {
    /// Checks the name: it becomes a part of a socket's path and of objects' names.
    pub fn check(&self) -> Result<(), Diagnostic> {
        match is_label(&self.name) {
            true => Ok(()),
            false => Err(Diagnostic::input(
                "plugin-name-invalid",
                format!("`{}` cannot be a plugin's name", self.name),
            )
            .help("it holds lower-case letters, digits and `-`, at most 63 of them")),
        }
    }

    /// `plugin.yaml`.
    pub fn config(&self) -> String {
        let Self { name, .. } = self;
        format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: ConfigManagementPlugin\nmetadata:\n  name: {name}\n\
             spec:\n{}",
            indented(&self.spec(), 2)
        )
    }

    fn spec(&self) -> String {
        let command = |verb: &str| format!("  command: [germ-post, argocd, {verb}]\n");
        let mut out = String::new();
        out.push_str("# Fetches what charts/ lacks. Argo CD runs these without a shell.\n");
        out.push_str(&format!("init:\n{}", command("init")));
        out.push_str(&format!("generate:\n{}", command("generate")));
        out.push_str(&format!("parameters:\n  dynamic:\n  {}", command("parameters")));
        if self.discover {
            out.push_str("discover:\n  fileName: germ-post.yaml\n");
        }
        out
    }
}

impl Sidecar {
    /// A strategic merge patch of the Deployment `argocd-repo-server`. The ConfigMap
    /// `NAME-plugin` holds `plugin.yaml`.
    pub fn patch(&self) -> String {
        let name = &self.plugin.name;
        format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: argocd-repo-server\nspec:\n  template:\n    \
             spec:\n      containers:\n{}      volumes:\n{}",
            indented(&self.container(&format!("{name}-plugin"), "plugin.yaml"), 8),
            indented(&self.volumes(&format!("{name}-plugin")), 8)
        )
    }

    /// Values of the chart argo-cd, which makes the ConfigMap by itself.
    pub fn helm_values(&self) -> String {
        let name = &self.plugin.name;
        format!(
            "configs:\n  cmp:\n    create: true\n    plugins:\n      {name}:\n{}repoServer:\n  extraContainers:\n{}  \
             volumes:\n{}",
            indented(&self.plugin.spec(), 8),
            indented(&self.container("argocd-cmp-cm", &format!("{name}.yaml")), 4),
            indented(&self.volumes("argocd-cmp-cm"), 4)
        )
    }

    fn container(&self, config: &str, key: &str) -> String {
        let Self { plugin: Plugin { name, .. }, image, pinned } = self;
        let (env, mount) = match pinned {
            None => (String::new(), String::new()),
            Some(_) => (
                format!("  env:\n    - {{name: GERM_POST_PINNED, value: {PINNED}/germ-post.yaml}}\n"),
                format!("    - {{name: {name}-pinned, mountPath: {PINNED}, readOnly: true}}\n"),
            ),
        };
        format!(
            "- name: {name}\n  image: {image}\n  command: [/var/run/argocd/argocd-cmp-server]\n{env}  \
             securityContext:\n    runAsNonRoot: true\n    runAsUser: 999\n    allowPrivilegeEscalation: false\n    \
             readOnlyRootFilesystem: true\n    capabilities: {{drop: [ALL]}}\n    seccompProfile: {{type: RuntimeDefault}}\n  \
             resources:\n    requests: {{cpu: 50m, memory: 256Mi}}\n  volumeMounts:\n    \
             # Argo CD's server for plugins, and the sockets.\n    \
             - {{name: var-files, mountPath: /var/run/argocd}}\n    \
             - {{name: plugins, mountPath: /home/argocd/cmp-server/plugins}}\n    \
             - {{name: {config}, mountPath: /home/argocd/cmp-server/config/plugin.yaml, subPath: {key}}}\n    \
             # Repositories and Helm's homes. Not the repo-server's own, which holds other repositories.\n    \
             - {{name: {name}-tmp, mountPath: /tmp}}\n{mount}"
        )
    }

    fn volumes(&self, config: &str) -> String {
        let name = &self.plugin.name;
        let mut out = format!(
            "- name: {config}\n  configMap: {{name: {config}}}\n- name: {name}-tmp\n  emptyDir: {{}}\n"
        );
        if let Some(pinned) = &self.pinned {
            out.push_str(&format!("- name: {name}-pinned\n  configMap: {{name: {pinned}}}\n"));
        }
        out
    }
}

fn indented(text: &str, by: usize) -> String {
    let margin = " ".repeat(by);
    text.lines().map(|line| format!("{margin}{line}\n")).collect()
}
