//! What the Talos rules rely on in a rendering of Cilium: every container,
//! volume, mount and key that they look for, and the few whose absence is no
//! sign of drift, each with its reason.

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

const CGROUP: &[&str] = &["talos/cgroup"];
const CAPABILITIES: &[&str] = &["talos/capabilities"];
const KUBEPRISM: &[&str] = &["talos/kubeprism"];
const IPAM: &[&str] = &["talos/ipam"];
const REPLACEMENT: &[&str] = &["talos/kube-proxy-replacement"];
/// Where several rules miss the same node, the first to say so is enough.
const ANY: &[&str] = &["talos/"];

const fn key(object: &'static str, path: &'static str, rules: &'static [&'static str]) -> Relied {
    Relied { object, path, rename: Rename::Key, rules }
}

const fn name(object: &'static str, path: &'static str, rules: &'static [&'static str]) -> Relied {
    Relied { object, path, rename: Rename::Name, rules }
}

/// Everything relied on; the rows of the table of domain facts §1.1 and the
/// paths that lead to them.
pub static RELIED_ON: &[Relied] = &[
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
    key(AGENT, "spec.template.spec.containers[cilium-agent].env", KUBEPRISM),
    key(AGENT, "spec.template.spec.containers[cilium-agent].volumeMounts", CGROUP),
    name(AGENT, "spec.template.spec.containers[cilium-agent].volumeMounts[cilium-cgroup]", CGROUP),
    key(AGENT, "spec.template.spec.containers[cilium-agent].volumeMounts[cilium-cgroup].mountPath", CGROUP),
    key(AGENT, "spec.template.spec.containers[cilium-agent].securityContext", CAPABILITIES),
    key(AGENT, "spec.template.spec.containers[cilium-agent].securityContext.capabilities", CAPABILITIES),
    key(AGENT, "spec.template.spec.containers[cilium-agent].securityContext.capabilities.add", CAPABILITIES),
    name(AGENT, "spec.template.spec.initContainers[config]", KUBEPRISM),
    key(AGENT, "spec.template.spec.initContainers[config].env", KUBEPRISM),
    name(AGENT, "spec.template.spec.initContainers[mount-cgroup]", CGROUP),
    name(AGENT, "spec.template.spec.initContainers[clean-cilium-state]", ANY),
    key(AGENT, "spec.template.spec.initContainers[clean-cilium-state].env", KUBEPRISM),
    key(AGENT, "spec.template.spec.initContainers[clean-cilium-state].volumeMounts", CGROUP),
    name(AGENT, "spec.template.spec.initContainers[clean-cilium-state].volumeMounts[cilium-cgroup]", CGROUP),
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
    key(AGENT, "spec.template.metadata.annotations.cilium\\.io/cilium-configmap-checksum", ANY),
    // The other pods that dial the API server.
    key(ENVOY, "spec.template.spec.containers", KUBEPRISM),
    name(ENVOY, "spec.template.spec.containers[cilium-envoy]", KUBEPRISM),
    key(ENVOY, "spec.template.spec.containers[cilium-envoy].env", KUBEPRISM),
    name(ENVOY, "spec.template.spec.initContainers[lookup-bootstrap-locality]", KUBEPRISM),
    key(ENVOY, "spec.template.spec.initContainers[lookup-bootstrap-locality].env", KUBEPRISM),
    key(OPERATOR, "spec.template.spec.containers", KUBEPRISM),
    name(OPERATOR, "spec.template.spec.containers[cilium-operator]", KUBEPRISM),
    key(OPERATOR, "spec.template.spec.containers[cilium-operator].env", KUBEPRISM),
    key(CHECK, "spec.template.spec.containers", KUBEPRISM),
    name(CHECK, "spec.template.spec.containers[cnp-validator]", KUBEPRISM),
    key(CHECK, "spec.template.spec.containers[cnp-validator].env", KUBEPRISM),
    name(CHECK_NODES, "spec.template.spec.containers[cilium-pre-flight-fqdn-precache]", KUBEPRISM),
    key(CHECK_NODES, "spec.template.spec.containers[cilium-pre-flight-fqdn-precache].env", KUBEPRISM),
];

/// The two objects that stand for Cilium itself: one without the other is a
/// chart that gives it another name. The operator and Envoy may be turned off,
/// so that their absence says nothing.
pub static OBJECTS: &[Relied] = &[name(AGENT, "metadata", CGROUP), name(CONFIG, "metadata", CGROUP)];

/// Something of [`RELIED_ON`] that a rendering may lack.
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
        path: "spec.template.metadata.annotations.cilium\\.io/cilium-configmap-checksum",
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
