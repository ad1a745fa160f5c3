//! The hosts that a workload may reach, as people list them: `api.github.com`,
//! `*.example.org:443`, `time.example.org:123/udp`. What Cilium would refuse, or take
//! for something else than was meant, is an error here.
//!
//! Sources: `pkg/policy/api/fqdn.go` and `pkg/fqdn/matchpattern` of Cilium 1.17.17,
//! 1.18.2, 1.19.6 and 1.20.0. `**.` came with 1.19; before that it matched one label,
//! silently.

use std::net::IpAddr;

use super::ports::{PortRange, Protocol, Which};

/// The first minor version of Cilium in which `**.` matches subdomains of any depth.
pub const DEEP_PATTERNS_SINCE: (u64, u64) = (1, 19);

/// The word that allows no host at all.
pub const NONE: &str = "none";

/// The port that is meant where none is written.
const HTTPS: PortRange = PortRange { protocol: Protocol::Tcp, which: Which::Numbers(443, 443) };

/// A host, or a pattern of hosts, with a port.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Host {
    /// The name in lower case, without a dot at its end.
    pub name: String,
    /// The port.
    pub port: PortRange,
}

impl Host {
    /// Whether the name is a pattern.
    pub fn is_pattern(&self) -> bool {
        self.name.contains('*')
    }
}

/// An entry that is no host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostError {
    /// What is wrong, in one sentence that names the entry.
    pub message: String,
    /// The next step.
    pub help: String,
}

fn wrong(entry: &str, what: &str, help: impl Into<String>) -> HostError {
    HostError { message: format!("`{entry}` {what}"), help: help.into() }
}

/// What a list of hosts says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hosts {
    /// The hosts, sorted, each once.
    pub hosts: Vec<Host>,
    /// Whether it says that there are none.
    pub none: bool,
}

impl Hosts {
    /// Reads entries: single ones, or texts of several between commas and blanks.
    /// `deep` says whether Cilium knows `**.`; `None` where its version is not known.
    ///
    /// # Errors
    /// An entry that is no host, `none` beside a host, and a list of nothing.
    pub fn read<'t>(
        entries: impl IntoIterator<Item = &'t str>,
        deep: Option<bool>,
    ) -> Result<Self, HostError> {
        let mut out = Self::default();
        for entry in entries {
            for entry in words(entry) {
                if entry == NONE {
                    out.none = true;
                } else {
                    out.hosts.push(host(entry, deep)?);
                }
            }
        }
        out.hosts.sort();
        out.hosts.dedup();
        match (out.none, out.hosts.is_empty()) {
            (true, false) => {
                Err(wrong(NONE, "stands beside hosts", "leave one of them out: `none` allows no host at all"))
            }
            (false, true) => Err(HostError {
                message: "the list of hosts is empty".to_owned(),
                help: "`none` says that no host is allowed; without a list there is no policy".to_owned(),
            }),
            _ => Ok(out),
        }
    }
}

/// The entries of a text: commas, blanks and line breaks are between them.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty())
}

fn host(entry: &str, deep: Option<bool>) -> Result<Host, HostError> {
    if entry.contains("://") || entry.contains('@') {
        return Err(wrong(entry, "is a URL", "name the host alone, and its port if it is not 443"));
    }
    let bare = entry.trim_start_matches('[').split(']').next().unwrap_or(entry);
    let without_mask = bare.split('/').next().unwrap_or(bare);
    if without_mask.parse::<IpAddr>().is_ok() || is_address_with_port(entry) {
        return Err(wrong(
            entry,
            "is an address, not a name",
            "write a policy of your own with toCIDRSet; toFQDNs knows names only",
        ));
    }
    let (name, port) = match entry.split_once(':') {
        Some((name, port)) => (name, port_of(entry, port)?),
        None => (entry, HTTPS),
    };
    let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    check_name(entry, &name)?;
    if name.contains('*') {
        check_pattern(entry, &name, deep)?;
    }
    Ok(Host { name, port })
}

fn is_address_with_port(entry: &str) -> bool {
    let name = entry.rsplit_once(':').map_or(entry, |(name, _)| name);
    name.parse::<IpAddr>().is_ok()
}

/// Reads `443`, `8000-8100`, `53/udp`.
pub(super) fn port_of(entry: &str, text: &str) -> Result<PortRange, HostError> {
    let (numbers, protocol) = match text.split_once('/') {
        None => (text, Protocol::Tcp),
        Some((numbers, word)) => match word.to_ascii_lowercase().as_str() {
            "tcp" => (numbers, Protocol::Tcp),
            "udp" => (numbers, Protocol::Udp),
            "sctp" => (numbers, Protocol::Sctp),
            "any" => (numbers, Protocol::Any),
            _ => {
                return Err(wrong(
                    entry,
                    "names a protocol that there is not",
                    "the protocols are tcp, udp, sctp and any",
                ));
            }
        },
    };
    let number = |text: &str| text.parse::<u16>().ok().filter(|number| *number > 0 && !text.starts_with('+'));
    let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => {
            Ok(PortRange { protocol, which: Which::Numbers(first, last) })
        }
        _ => Err(wrong(
            entry,
            "has no port behind its colon",
            "a port is a number from 1 to 65535, or two of them as in 8000-8100",
        )),
    }
}

/// Names in the cluster, which toFQDNs never matches: pods have identities of their
/// own, which no address that DNS tells is looked up for.
const IN_CLUSTER: &[&str] = &["svc", "cluster.local", "svc.cluster.local", "pod.cluster.local"];

fn check_name(entry: &str, name: &str) -> Result<(), HostError> {
    if !name.is_ascii() {
        return Err(wrong(
            entry,
            "is not written in ASCII",
            "write its labels in punycode, as in xn--mnchen-3ya.example",
        ));
    }
    if name.is_empty() || name.len() > 253 {
        return Err(wrong(entry, "has no name, or one longer than 253 characters", "name a host"));
    }
    for label in name.split('.') {
        let known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'*');
        let fault = match label {
            "" => Some("has an empty label"),
            "xn--" => Some("has a punycode label with nothing in it"),
            _ if label.len() > 63 => Some("has a label longer than 63 characters"),
            _ if !label.bytes().all(known) => Some("has a character that no host's name has"),
            _ if label.starts_with('-') || label.ends_with('-') => {
                Some("has a label that begins or ends with a dash")
            }
            _ if label.starts_with("xn--") && label.contains('*') => {
                Some("has a `*` within punycode, where it stands for no character")
            }
            _ => None,
        };
        if let Some(fault) = fault {
            return Err(wrong(entry, fault, "a name has letters, digits, dashes and dots"));
        }
    }
    if IN_CLUSTER.iter().any(|end| name == *end || name.ends_with(&format!(".{end}"))) {
        return Err(wrong(
            entry,
            "is a name in the cluster, which toFQDNs never matches",
            "list it under germ-post.dev/allowed-cluster, by its namespace",
        ));
    }
    if !name.contains('.') && !name.contains('*') {
        return Err(wrong(
            entry,
            "has no dot, so it is looked up in the cluster",
            "write the whole name of the host; germ-post.dev/allowed-cluster is for the cluster",
        ));
    }
    Ok(())
}

fn check_pattern(entry: &str, name: &str, deep: Option<bool>) -> Result<(), HostError> {
    let literal = name.split('.').filter(|label| !label.contains('*')).count();
    if name.bytes().all(|byte| matches!(byte, b'*' | b'.')) {
        return Err(wrong(
            entry,
            "is every host there is",
            "name the domains; whoever needs the whole Internet writes a policy with toEntities: [world]",
        ));
    }
    if literal < 2 || name.rsplit('.').next().is_some_and(|last| last.contains('*')) {
        return Err(wrong(
            entry,
            "is every host of a top-level domain",
            "name a domain in it, as *.example.org",
        ));
    }
    let behind = name.strip_prefix("**.").unwrap_or(name);
    if behind.contains("**") {
        return Err(wrong(
            entry,
            "has `**` where it means no more than `*`",
            "`**.` stands at the beginning, for subdomains of any depth; `*` is within one label",
        ));
    }
    match deep {
        _ if behind == name => Ok(()),
        Some(true) => Ok(()),
        Some(false) => Err(wrong(
            entry,
            "needs Cilium 1.19: before that, `**.` matches one label as `*.` does",
            "list the depths that there are, as *.x and *.*.x",
        )),
        None => Err(wrong(
            entry,
            "needs Cilium 1.19, and the version of Cilium is not known",
            "set the fact ciliumVersion, or list the depths that there are, as *.x and *.*.x",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<String>, String> {
        let hosts = Hosts::read([text], Some(true)).map_err(|error| error.message)?;
        Ok(hosts.hosts.iter().map(|host| format!("{} {}", host.name, host.port)).collect())
    }

    #[test]
    fn hosts_are_read_sorted_and_once() {
        assert_eq!(
            read("b.example.org:53/udp, API.GitHub.com.,\n api.github.com  *.x.org:8000-8100/any").unwrap(),
            ["*.x.org 8000-8100", "api.github.com 443/TCP", "b.example.org 53/UDP"]
        );
        assert_eq!(read("xn--mnchen-3ya.example, _dmarc.example.org").unwrap().len(), 2);
    }

    #[test]
    fn none_has_to_be_said() {
        assert!(Hosts::read(["none"], None).unwrap().none);
        assert!(read("").unwrap_err().contains("empty"));
        assert!(read("none, a.example").unwrap_err().contains("beside"));
    }

    #[test]
    fn what_cilium_would_misread_is_refused() {
        for (entry, why) in [
            ("https://api.github.com/x", "URL"),
            ("10.0.0.1", "address"),
            ("10.0.0.1:443", "address"),
            ("10.0.0.0/8", "address"),
            ("2001:db8::1", "address"),
            ("[2001:db8::1]:443", "address"),
            ("münchen.example", "ASCII"),
            ("*", "every host there is"),
            ("**", "every host there is"),
            ("*.*", "every host there is"),
            ("*.com", "top-level"),
            ("**.com", "top-level"),
            ("www.example.*", "top-level"),
            ("a.**.example.org", "no more than"),
            ("a..example.org", "empty label"),
            ("-a.example.org", "dash"),
            ("a b:c", "no dot"),
            ("exa$mple.org", "character"),
            ("xn--.example.org", "punycode"),
            ("web", "no dot"),
            ("db.data.svc", "in the cluster"),
            ("db.data.svc.cluster.local", "in the cluster"),
            ("a.example:0", "no port"),
            ("a.example:65536", "no port"),
            ("a.example:", "no port"),
            ("a.example:90-80", "no port"),
            ("a.example:80/icmp", "protocol"),
        ] {
            let message = read(entry).unwrap_err();
            assert!(message.contains(why), "{entry}: {message}");
        }
        let long = format!("{}.example", "a".repeat(64));
        assert!(read(&long).unwrap_err().contains("63"));
    }

    #[test]
    fn deep_patterns_want_a_version() {
        let read = |deep| Hosts::read(["**.example.org"], deep);
        assert!(read(Some(true)).is_ok());
        assert!(read(Some(false)).unwrap_err().message.contains("1.19"));
        assert!(read(None).unwrap_err().message.contains("not known"));
        assert!(Hosts::read(["*.example.org", "*.*.example.org"], None).is_ok());
    }
}
