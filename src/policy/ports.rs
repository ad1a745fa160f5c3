//! Ports as policies and pods name them.

use serde_json::Value;

/// A transport protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Protocol {
    /// Any of them.
    Any,
    /// TCP.
    Tcp,
    /// UDP.
    Udp,
    /// SCTP.
    Sctp,
    /// Another one, as ICMP or VRRP.
    Other,
}

impl Protocol {
    /// Reads a protocol; `absent` is what the field means when it is not there.
    pub fn read(value: Option<&Value>, absent: Self) -> Self {
        match value.and_then(Value::as_str).map(str::to_ascii_uppercase).as_deref() {
            None | Some("") => absent,
            Some("ANY") => Protocol::Any,
            Some("TCP") => Protocol::Tcp,
            Some("UDP") => Protocol::Udp,
            Some("SCTP") => Protocol::Sctp,
            Some(_) => Protocol::Other,
        }
    }

    fn includes(self, other: Self) -> bool {
        self == Protocol::Any || other == Protocol::Any || self == other
    }

    fn suffix(self) -> &'static str {
        match self {
            Protocol::Any => "",
            Protocol::Tcp => "/TCP",
            Protocol::Udp => "/UDP",
            Protocol::Sctp => "/SCTP",
            Protocol::Other => "/other",
        }
    }
}

/// A port that a policy names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortRange {
    /// The protocol.
    pub protocol: Protocol,
    /// Which ports.
    pub which: Which,
}

/// Which ports a policy names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Which {
    /// All of the protocol.
    All,
    /// From one number to another, both included.
    Numbers(u16, u16),
    /// The container port of that name.
    Named(String),
}

/// The ports that a rule is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ports {
    /// It names none, so all are meant.
    All,
    /// These.
    Only(Vec<PortRange>),
}

/// A port that a pod serves.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PodPort {
    /// Its number.
    pub number: u16,
    /// Its name, if the container port has one.
    pub name: Option<String>,
    /// Its protocol.
    pub protocol: Protocol,
}

impl PortRange {
    /// Reads a port of a policy: `port` a number or a name, `endPort`, `protocol`.
    pub fn read(value: &Value, absent: Protocol) -> Self {
        let protocol = Protocol::read(value.get("protocol"), absent);
        let port =
            value.get("port").map(|port| port.as_str().map_or_else(|| port.to_string(), str::to_owned));
        let which = match port.as_deref() {
            // Cilium takes port 0 for all ports.
            None | Some("" | "0") => Which::All,
            Some(text) => match text.parse::<u16>() {
                Ok(first) => {
                    let last =
                        value.get("endPort").and_then(Value::as_u64).and_then(|end| u16::try_from(end).ok());
                    Which::Numbers(first, last.unwrap_or(first).max(first))
                }
                Err(_) => Which::Named(text.to_owned()),
            },
        };
        Self { protocol, which }
    }

    /// The ports that both are about, if there are any.
    pub fn meet(&self, other: &Self) -> Option<Self> {
        let protocol = match (self.protocol, other.protocol) {
            (Protocol::Any, protocol) | (protocol, Protocol::Any) => protocol,
            (one, other) if one == other => one,
            _ => return None,
        };
        let which = match (&self.which, &other.which) {
            (Which::All, which) | (which, Which::All) => which.clone(),
            (Which::Numbers(a, b), Which::Numbers(c, d)) => {
                let (first, last) = (*a.max(c), *b.min(d));
                (first <= last).then_some(Which::Numbers(first, last))?
            }
            (Which::Named(one), Which::Named(other)) if one.eq_ignore_ascii_case(other) => {
                Which::Named(one.clone())
            }
            _ => return None,
        };
        Some(Self { protocol, which })
    }

    fn covers(&self, port: &PodPort) -> bool {
        self.protocol.includes(port.protocol)
            && match &self.which {
                Which::All => true,
                Which::Numbers(first, last) => (*first..=*last).contains(&port.number),
                // Cilium compares names in lower case.
                Which::Named(name) => {
                    port.name.as_ref().is_some_and(|named| named.eq_ignore_ascii_case(name))
                }
            }
    }
}

impl std::fmt::Display for PortRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let suffix = self.protocol.suffix();
        match &self.which {
            Which::All if self.protocol == Protocol::Any => f.write_str("all ports"),
            Which::All => write!(f, "all{suffix}"),
            Which::Numbers(first, last) if first == last => write!(f, "{first}{suffix}"),
            Which::Numbers(first, last) => write!(f, "{first}-{last}{suffix}"),
            Which::Named(name) => write!(f, "{name}{suffix}"),
        }
    }
}

impl Ports {
    /// Whether the rule is about this port.
    pub fn covers(&self, port: &PodPort) -> bool {
        match self {
            Ports::All => true,
            Ports::Only(list) => list.iter().any(|range| range.covers(port)),
        }
    }

    /// Whether it is about every port.
    pub fn is_all(&self) -> bool {
        match self {
            Ports::All => true,
            Ports::Only(list) => {
                list.iter().any(|range| range.which == Which::All && range.protocol == Protocol::Any)
            }
        }
    }
}

impl std::fmt::Display for Ports {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ports::All => f.write_str("all ports"),
            Ports::Only(list) if list.is_empty() => f.write_str("no port"),
            Ports::Only(list) => {
                f.write_str(&list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl std::fmt::Display for PodPort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{} ({name})", self.number),
            None => write!(f, "{}", self.number),
        }
    }
}
