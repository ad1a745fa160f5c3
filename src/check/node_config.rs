//! Configurations of nodes as objects, so that rules can match them: machine
//! configurations of Talos in one document or, from 1.14 on, in many, the
//! `config.yaml` of k3s, and clusters of k3d. They are told apart by content.
//!
//! | what | group | kind |
//! |---|---|---|
//! | Talos, the document with `machine` or `cluster` | `talos.dev` | `MachineConfig` |
//! | Talos, a document of its own kind | `talos.dev` | that kind |
//! | k3s, a server's flags by name | `k3s.io` | `ServerConfig` |
//! | k3s, an agent's | `k3s.io` | `AgentConfig` |
//! | k3d, as it is | `k3d.io` | its kind |
//! | k3d, the flags that it gives to servers | `k3s.io` | `ServerConfig` |

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::input::Input;
use crate::edit::Path;
use crate::manifest::Identity;
use crate::manifest::identity::split_api_version;
use crate::yaml::{self, Stream};

/// The group of Talos' documents.
pub const TALOS: &str = "talos.dev";
/// The group of k3s' configuration.
pub const K3S: &str = "k3s.io";

/// An object that was made of a document.
#[derive(Debug, Clone)]
pub struct Derived {
    /// What names it.
    pub identity: Identity,
    /// Its value.
    pub value: Value,
    /// Where in the document each of its fields came from.
    origins: IndexMap<String, Path>,
}

impl Derived {
    /// The place in the document that a path in the object came from.
    pub fn origin(&self, path: &[String]) -> Path {
        path.first().and_then(|field| self.origins.get(field)).cloned().unwrap_or_default()
    }
}

/// What a document of a node's configuration is; `None`: none that is known.
/// `file` names it where it does not name itself.
pub fn identify(value: &Value, file: &str) -> Option<Identity> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or("");
    let (group, version) = split_api_version(text("apiVersion"));
    let named = |group: &str, version: &str, kind: &str, name: &str| Identity {
        group: group.to_owned(),
        version: version.to_owned(),
        kind: kind.to_owned(),
        namespace: String::new(),
        name: if name.is_empty() { file_name(file).to_owned() } else { name.to_owned() },
    };
    let map = value.as_object()?;
    let one_document = map.get("machine").or_else(|| map.get("cluster")).is_some_and(Value::is_object);
    if text("kind").is_empty() && one_document {
        return Some(named(TALOS, "v1alpha1", "MachineConfig", ""));
    }
    if group.is_empty() && version == "v1alpha1" && !text("kind").is_empty() {
        return Some(named(TALOS, version, text("kind"), text("name")));
    }
    if group == "k3d.io" {
        let name = value.get("metadata").and_then(|m| m.get("name")).and_then(Value::as_str);
        return Some(named(group, version, text("kind"), name.unwrap_or("")));
    }
    let has = |flags: &[&str]| map.keys().any(|key| flags.contains(&plain_flag(key)));
    if !map.contains_key("apiVersion") && (has(NODE_FLAGS) || has(SERVER_FLAGS)) {
        // Whoever joins a server and says nothing that only servers understand is an
        // agent.
        let kind = if has(&["server"]) && !has(SERVER_FLAGS) { "AgentConfig" } else { "ServerConfig" };
        return Some(named(K3S, "", kind, ""));
    }
    None
}

/// The groups of the configurations in these inputs, each once; what cannot be read
/// has none.
pub fn platforms(inputs: &[Input]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for input in inputs {
        let Ok(stream) = Stream::cut(&input.bytes) else { continue };
        for document in stream.documents() {
            let value = yaml::parse(stream.document_text(document)).ok().and_then(|tree| tree.read().ok());
            let Some(value) = value else { continue };
            let Some(identity) = identify(&value, &input.name) else { continue };
            let derived = of_k3d(&identity, &value).map(|derived| derived.identity.group);
            for group in std::iter::once(identity.group).chain(derived) {
                if !out.contains(&group) {
                    out.push(group);
                }
            }
        }
    }
    out
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// k3s takes `key+:` for "append to what other files say".
fn plain_flag(key: &str) -> &str {
    key.trim_end_matches('+')
}

/// Flags that tell a k3s configuration and that agents understand, too; with
/// [`SERVER_FLAGS`], all that tell one.
const NODE_FLAGS: &[&str] = &[
    "server",
    "token",
    "token-file",
    "flannel-iface",
    "kubelet-arg",
    "node-external-ip",
    "node-ip",
    "node-label",
    "node-name",
    "node-taint",
];

/// Flags that only a k3s server understands.
const SERVER_FLAGS: &[&str] = &[
    "agent-token",
    "cluster-init",
    "cluster-cidr",
    "service-cidr",
    "cluster-dns",
    "disable",
    "disable-kube-proxy",
    "disable-network-policy",
    "disable-cloud-controller",
    "egress-selector-mode",
    "flannel-backend",
    "https-listen-port",
    "kube-apiserver-arg",
    "service-node-port-range",
    "tls-san",
    "write-kubeconfig-mode",
];

/// The flags that a k3d cluster gives to its servers, as k3s' configuration has
/// them.
pub fn of_k3d(identity: &Identity, value: &Value) -> Option<Derived> {
    if identity.group != "k3d.io" {
        return None;
    }
    let args = value.get("options").and_then(|o| o.get("k3s")).and_then(|k| k.get("extraArgs"));
    let mut fields = Map::new();
    let mut origins = IndexMap::new();
    for (index, item) in args.and_then(Value::as_array).into_iter().flatten().enumerate() {
        let Some(flag) = item.get("arg").and_then(Value::as_str).and_then(|arg| arg.strip_prefix("--"))
        else {
            continue;
        };
        if !reaches_servers(item) {
            continue;
        }
        let (name, text) = flag.split_once('=').unwrap_or((flag, "true"));
        let new = match text {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            text => Value::from(text),
        };
        let at = ["options", "k3s", "extraArgs", &index.to_string(), "arg"].map(str::to_owned).to_vec();
        origins.entry(name.to_owned()).or_insert(at);
        match fields.get_mut(name) {
            None => {
                fields.insert(name.to_owned(), new);
            }
            Some(Value::Array(items)) => items.push(new),
            Some(first) => *first = Value::Array(vec![first.take(), new]),
        }
    }
    let own = Identity {
        group: K3S.to_owned(),
        version: String::new(),
        kind: "ServerConfig".to_owned(),
        namespace: String::new(),
        name: identity.name.clone(),
    };
    Some(Derived { identity: own, value: Value::Object(fields), origins })
}

/// Whether a k3d argument is not for agents alone.
fn reaches_servers(item: &Value) -> bool {
    let filters = item.get("nodeFilters").and_then(Value::as_array);
    filters.is_none_or(|filters| {
        filters.is_empty()
            || filters.iter().filter_map(Value::as_str).any(|filter| !filter.starts_with("agent"))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn kind(value: &Value) -> Option<String> {
        identify(value, "dir/node.yaml").map(|identity| format!("{}/{}", identity.group, identity.kind))
    }

    #[test]
    fn configurations_are_told_by_content() {
        let kinds = [
            (json!({"version": "v1alpha1", "machine": {"type": "worker"}}), Some("talos.dev/MachineConfig")),
            (json!({"cluster": {"proxy": {"disabled": true}}}), Some("talos.dev/MachineConfig")),
            (json!({"apiVersion": "v1alpha1", "kind": "KubePrismConfig"}), Some("talos.dev/KubePrismConfig")),
            (json!({"flannel-backend": "none"}), Some("k3s.io/ServerConfig")),
            (json!({"disable+": ["traefik"]}), Some("k3s.io/ServerConfig")),
            (json!({"server": "https://a:6443", "token": "x"}), Some("k3s.io/AgentConfig")),
            (json!({"server": "https://a:6443", "tls-san": ["x"]}), Some("k3s.io/ServerConfig")),
            (json!({"apiVersion": "k3d.io/v1alpha5", "kind": "Simple"}), Some("k3d.io/Simple")),
            (json!({"apiVersion": "v1", "kind": "ConfigMap"}), None),
            (json!({"replicas": 1}), None),
            (json!([1]), None),
        ];
        for (value, wanted) in kinds {
            assert_eq!(kind(&value).as_deref(), wanted, "{value}");
        }
    }

    #[test]
    fn flags_of_k3d_are_flags_of_k3s() {
        let value = json!({"apiVersion": "k3d.io/v1alpha5", "kind": "Simple", "options": {"k3s": {"extraArgs": [
            {"arg": "--disable=traefik", "nodeFilters": ["server:*"]},
            {"arg": "--disable=servicelb"},
            {"arg": "--disable-network-policy", "nodeFilters": ["server:0"]},
            {"arg": "--node-label=a=b", "nodeFilters": ["agent:*"]},
        ]}}});
        let derived = of_k3d(&identify(&value, "k3d.yaml").unwrap(), &value).unwrap();
        assert_eq!(
            derived.value,
            json!({"disable": ["traefik", "servicelb"], "disable-network-policy": true})
        );
        let at = |field: &str| derived.origin(&[field.to_owned()]).join("/");
        assert_eq!(at("disable-network-policy"), "options/k3s/extraArgs/2/arg");
        assert_eq!(at("flannel-backend"), "");
    }
}
