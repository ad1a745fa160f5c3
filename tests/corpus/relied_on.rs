//! What the rules of each profile rely on in a rendering of Cilium: every
//! container, volume, mount and key that they look for, and the few whose absence
//! is no sign of drift, each with its reason.

use std::sync::LazyLock;

/// How a node is renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rename {
    /// The key that the path ends with.
    Key,
    /// The `name` of the list item (or of the object) that the path ends with.
    Name,
    /// The `name` of a volume and of every mount of it, as a new chart would.
    VolumeAndMounts,
}

/// One thing that is renamed.
#[derive(Debug, Clone, Copy)]
pub struct Relied {
    /// `kind/name` of the object.
    pub object: &'static str,
    /// `a.b[item].c`: keys, and list items by their `name`.
    pub path: &'static str,
    pub rename: Rename,
    /// The rules of which at least one has to say that it misses this.
    pub rules: &'static [&'static str],
}

const AGENT: &str = "DaemonSet/cilium";
const CONFIG: &str = "ConfigMap/cilium-config";
const ENVOY: &str = "DaemonSet/cilium-envoy";
const OPERATOR: &str = "Deployment/cilium-operator";
const CHECK: &str = "Deployment/cilium-pre-flight-check";
const CHECK_NODES: &str = "DaemonSet/cilium-pre-flight-check";
const CHECKSUM: &str = "spec.template.metadata.annotations.cilium\\.io/cilium-configmap-checksum";
const ROLE: &str = "ClusterRole/cilium";

const CGROUP: &[&str] = &["talos/cgroup"];
const CAPABILITIES: &[&str] = &["talos/capabilities"];
const KUBEPRISM: &[&str] = &["talos/kubeprism"];
const BALANCER: &[&str] = &["k3s/api-balancer"];
const POD_CIDR: &[&str] = &["k3s/pod-cidr"];
const NO_L2: &[&str] = &["k3s/no-l2-announcements"];
const FOLDERS: &[&str] = &["k3s/cni-folders"];
const IPAM: &[&str] = &["talos/ipam"];
const REPLACEMENT: &[&str] = &["talos/kube-proxy-replacement"];
/// Where several rules miss the same node, the first to say so is enough.
const ANY: &[&str] = &["talos/"];
const ANY_OF_K3S: &[&str] = &["k3s/"];

const fn key(object: &'static str, path: &'static str, rules: &'static [&'static str]) -> Relied {
    Relied { object, path, rename: Rename::Key, rules }
}

const fn name(object: &'static str, path: &'static str, rules: &'static [&'static str]) -> Relied {
    Relied { object, path, rename: Rename::Name, rules }
}

/// A profile that is held to what it relies on.
#[derive(Debug)]
pub struct Held {
    /// The profile with the rules about Cilium itself, and the one that users call.
    pub profile: &'static str,
    pub called: &'static str,
    /// Renderings whose names hold this are left out: what they could show is shown
    /// by others.
    pub not_in: Option<&'static str>,
    pub relied_on: Vec<Relied>,
    /// Objects that are renamed as a whole.
    pub objects: Vec<Relied>,
    /// How many mutants the corpus gives at least, of both kinds.
    pub at_least: (usize, usize),
}

/// All of them.
pub static HELD: LazyLock<Vec<Held>> = LazyLock::new(|| vec![talos(), k3s_kpr(), k3s_portmap()]);

/// The rows of the table of domain facts §1.1 and the paths that lead to them.
fn talos() -> Held {
    let mut relied_on = vec![
        // cilium-config.
        key(CONFIG, "data", ANY),
        key(CONFIG, "data.cgroup-root", CGROUP),
        key(CONFIG, "data.ipam", IPAM),
        key(CONFIG, "data.cluster-pool-ipv4-cidr", IPAM),
        key(CONFIG, "data.cluster-pool-ipv4-mask-size", IPAM),
        key(CONFIG, "data.cluster-pool-ipv6-cidr", IPAM),
        key(CONFIG, "data.cluster-pool-ipv6-mask-size", IPAM),
        key(CONFIG, "data.kube-proxy-replacement", REPLACEMENT),
        key(CONFIG, "data.enable-node-port", REPLACEMENT),
        key(CONFIG, "data.enable-host-port", REPLACEMENT),
        // The agent's pod.
        key(AGENT, "spec", ANY),
        key(AGENT, "spec.template", ANY),
        key(AGENT, "spec.template.spec", ANY),
        key(AGENT, "spec.template.spec.containers", ANY),
        key(AGENT, "spec.template.spec.initContainers", ANY),
        key(AGENT, "spec.template.spec.volumes", CGROUP),
        name(AGENT, "spec.template.spec.containers[cilium-agent]", ANY),
        key(AGENT, "spec.template.spec.containers[cilium-agent].volumeMounts", CGROUP),
        name(AGENT, "spec.template.spec.containers[cilium-agent].volumeMounts[cilium-cgroup]", CGROUP),
        key(
            AGENT,
            "spec.template.spec.containers[cilium-agent].volumeMounts[cilium-cgroup].mountPath",
            CGROUP,
        ),
        key(AGENT, "spec.template.spec.containers[cilium-agent].securityContext", CAPABILITIES),
        key(AGENT, "spec.template.spec.containers[cilium-agent].securityContext.capabilities", CAPABILITIES),
        key(
            AGENT,
            "spec.template.spec.containers[cilium-agent].securityContext.capabilities.add",
            CAPABILITIES,
        ),
        name(AGENT, "spec.template.spec.initContainers[mount-cgroup]", CGROUP),
        name(AGENT, "spec.template.spec.initContainers[clean-cilium-state]", ANY),
        key(AGENT, "spec.template.spec.initContainers[clean-cilium-state].volumeMounts", CGROUP),
        name(
            AGENT,
            "spec.template.spec.initContainers[clean-cilium-state].volumeMounts[cilium-cgroup]",
            CGROUP,
        ),
        key(
            AGENT,
            "spec.template.spec.initContainers[clean-cilium-state].volumeMounts[cilium-cgroup].mountPath",
            CGROUP,
        ),
        key(AGENT, "spec.template.spec.initContainers[clean-cilium-state].securityContext", CAPABILITIES),
        key(
            AGENT,
            "spec.template.spec.initContainers[clean-cilium-state].securityContext.capabilities",
            CAPABILITIES,
        ),
        key(
            AGENT,
            "spec.template.spec.initContainers[clean-cilium-state].securityContext.capabilities.add",
            CAPABILITIES,
        ),
        name(AGENT, "spec.template.spec.volumes[cilium-cgroup]", CGROUP),
        Relied {
            object: AGENT,
            path: "spec.template.spec.volumes[cilium-cgroup]",
            rename: Rename::VolumeAndMounts,
            rules: CGROUP,
        },
        key(AGENT, "spec.template.spec.volumes[cilium-cgroup].hostPath", CGROUP),
        key(AGENT, "spec.template.spec.volumes[cilium-cgroup].hostPath.path", CGROUP),
        key(
            AGENT,
            "spec.template.metadata.annotations.container\\.apparmor\\.security\\.beta\\.kubernetes\\.io/mount-cgroup",
            CGROUP,
        ),
        key(
            AGENT,
            "spec.template.metadata.annotations.container\\.apparmor\\.security\\.beta\\.kubernetes\\.io/apply-sysctl-overwrites",
            CGROUP,
        ),
        key(AGENT, CHECKSUM, ANY),
    ];
    relied_on.extend(api_server(KUBEPRISM));
    Held {
        profile: "talos-os",
        called: "talos",
        not_in: None,
        relied_on,
        objects: vec![
            name(AGENT, "metadata", CGROUP),
            name(CONFIG, "metadata", CGROUP),
            name(ENVOY, "metadata", KUBEPRISM),
            name(OPERATOR, "metadata", KUBEPRISM),
        ],
        at_least: (7000, 700),
    }
}

fn k3s_kpr() -> Held {
    let mut relied_on = vec![
        key(CONFIG, "data", ANY_OF_K3S),
        key(CONFIG, "data.ipam", POD_CIDR),
        key(CONFIG, "data.cluster-pool-ipv4-cidr", POD_CIDR),
        key(CONFIG, "data.kube-proxy-replacement", &["k3s/kube-proxy-replacement"]),
        key(CONFIG, "data.enable-node-port", &["k3s/kube-proxy-replacement"]),
        key(CONFIG, "data.enable-host-port", &["k3s/kube-proxy-replacement"]),
        key(AGENT, "spec", BALANCER),
        key(AGENT, "spec.template", BALANCER),
        key(AGENT, "spec.template.spec", BALANCER),
        key(AGENT, "spec.template.spec.containers", BALANCER),
        key(AGENT, "spec.template.spec.initContainers", BALANCER),
        name(AGENT, "spec.template.spec.containers[cilium-agent]", BALANCER),
        name(AGENT, "spec.template.spec.initContainers[clean-cilium-state]", BALANCER),
        key(AGENT, CHECKSUM, ANY_OF_K3S),
    ];
    relied_on.extend(api_server(BALANCER));
    Held {
        profile: "k3s-kpr",
        called: "k3s-kpr",
        not_in: Some("-talos"),
        relied_on,
        objects: vec![
            name(AGENT, "metadata", &["k3s/agent"]),
            name(CONFIG, "metadata", POD_CIDR),
            name(ENVOY, "metadata", BALANCER),
            name(OPERATOR, "metadata", BALANCER),
        ],
        at_least: (2200, 320),
    }
}

fn k3s_portmap() -> Held {
    Held {
        profile: "k3s-portmap",
        called: "k3s-portmap",
        not_in: Some("-talos"),
        relied_on: vec![
            key(CONFIG, "data", ANY_OF_K3S),
            key(CONFIG, "data.ipam", POD_CIDR),
            key(CONFIG, "data.cluster-pool-ipv4-cidr", POD_CIDR),
            key(CONFIG, "data.kube-proxy-replacement", &["k3s/portmap-chaining"]),
            key(CONFIG, "data.enable-l2-announcements", NO_L2),
            key(ROLE, "rules", NO_L2),
            key(AGENT, "spec", FOLDERS),
            key(AGENT, "spec.template", FOLDERS),
            key(AGENT, "spec.template.spec", FOLDERS),
            key(AGENT, "spec.template.spec.volumes", FOLDERS),
            name(AGENT, "spec.template.spec.volumes[cni-path]", FOLDERS),
            key(AGENT, "spec.template.spec.volumes[cni-path].hostPath", FOLDERS),
            key(AGENT, "spec.template.spec.volumes[cni-path].hostPath.path", FOLDERS),
            name(AGENT, "spec.template.spec.volumes[etc-cni-netd]", FOLDERS),
            key(AGENT, "spec.template.spec.volumes[etc-cni-netd].hostPath.path", FOLDERS),
            key(AGENT, CHECKSUM, ANY_OF_K3S),
        ],
        objects: vec![name(AGENT, "metadata", &["k3s/agent"]), name(CONFIG, "metadata", POD_CIDR)],
        at_least: (1200, 150),
    }
}

/// What has to learn where the API server is.
fn api_server(rules: &'static [&'static str]) -> Vec<Relied> {
    vec![
        key(AGENT, "spec.template.spec.containers[cilium-agent].env", rules),
        name(AGENT, "spec.template.spec.initContainers[config]", rules),
        key(AGENT, "spec.template.spec.initContainers[config].env", rules),
        key(AGENT, "spec.template.spec.initContainers[clean-cilium-state].env", rules),
        // The other pods that dial the API server.
        key(ENVOY, "spec.template.spec.containers", rules),
        name(ENVOY, "spec.template.spec.containers[cilium-envoy]", rules),
        key(ENVOY, "spec.template.spec.containers[cilium-envoy].env", rules),
        name(ENVOY, "spec.template.spec.initContainers[lookup-bootstrap-locality]", rules),
        key(ENVOY, "spec.template.spec.initContainers[lookup-bootstrap-locality].env", rules),
        key(OPERATOR, "spec.template.spec.containers", rules),
        name(OPERATOR, "spec.template.spec.containers[cilium-operator]", rules),
        key(OPERATOR, "spec.template.spec.containers[cilium-operator].env", rules),
        key(CHECK, "spec.template.spec.containers", rules),
        name(CHECK, "spec.template.spec.containers[cnp-validator]", rules),
        key(CHECK, "spec.template.spec.containers[cnp-validator].env", rules),
        name(CHECK_NODES, "spec.template.spec.containers[cilium-pre-flight-fqdn-precache]", rules),
        key(CHECK_NODES, "spec.template.spec.containers[cilium-pre-flight-fqdn-precache].env", rules),
    ]
}

/// Something relied on that a rendering may lack.
#[derive(Debug)]
pub struct Exempt {
    pub object: &'static str,
    pub path: &'static str,
    /// The mutant passes only in renderings whose file name holds one of these
    /// texts; in all when there is none.
    pub only_in: &'static [&'static str],
    pub reason: &'static str,
}

/// The exceptions. A mutant that is exempt must pass with exit 0, and another
/// rendering of the same Cilium version must lack the node.
pub static EXEMPT: &[Exempt] = &[
    Exempt {
        object: CONFIG,
        path: "data.enable-node-port",
        only_in: &[],
        reason: "the chart leaves it out beside kube-proxy replacement, and the rule asks for nothing else",
    },
    Exempt {
        object: CONFIG,
        path: "data.enable-host-port",
        only_in: &[],
        reason: "the chart leaves it out beside kube-proxy replacement, and the rule asks for nothing else",
    },
    Exempt {
        object: AGENT,
        path: "spec.template.metadata.annotations.container\\.apparmor\\.security\\.beta\\.kubernetes\\.io/mount-cgroup",
        only_in: &[],
        reason: "only rendered for Kubernetes before 1.30, and not where Cilium leaves the mounting to others",
    },
    Exempt {
        object: AGENT,
        path: "spec.template.metadata.annotations.container\\.apparmor\\.security\\.beta\\.kubernetes\\.io/apply-sysctl-overwrites",
        only_in: &[],
        reason: "only rendered for Kubernetes before 1.30, and not where Cilium leaves the mounting to others",
    },
    Exempt {
        object: AGENT,
        path: CHECKSUM,
        only_in: &["-rollout"],
        reason: "only rendered with rollOutCiliumPods",
    },
    Exempt {
        object: ENVOY,
        path: "spec.template.spec.initContainers[lookup-bootstrap-locality]",
        only_in: &["-envoylocality"],
        reason: "only rendered where Envoy is to know its zone",
    },
    Exempt {
        object: CHECK_NODES,
        path: "spec.template.spec.containers[cilium-pre-flight-fqdn-precache]",
        only_in: &["-preflighttofqdns"],
        reason: "only rendered where policies name hosts",
    },
];
