//! What a workload may reach within the cluster, as people list it beside its hosts:
//! `data:5432`, `data/app=postgres:5432`, `@own`, `@cluster`, `@kube-apiserver`, `none`.

use super::hosts::{HostError, NONE, port_of, words};
use super::ports::PortRange;

/// Somebody in the cluster whom a workload may reach.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Destination {
    /// Who.
    pub whom: Whom,
    /// On which port; none for all of them.
    pub port: Option<PortRange>,
}

/// Who it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whom {
    /// The pods of the workload's namespace.
    Own,
    /// One of Cilium's entities.
    Entity(&'static str),
    /// The pods of a namespace, or those among them with these labels.
    Namespace(String, Vec<(String, String)>),
}

/// The entities that may be listed, and how Cilium calls them.
const ENTITIES: &[(&str, &str)] =
    &[("@cluster", "cluster"), ("@kube-apiserver", "kube-apiserver"), ("@host", "host")];

/// Reads a list; an empty result is what `none` says.
///
/// # Errors
/// An entry that is nobody, `none` beside others, and a list of nothing.
pub fn read<'t>(entries: impl IntoIterator<Item = &'t str>) -> Result<Vec<Destination>, HostError> {
    let mut none = false;
    let mut out = Vec::new();
    for entry in entries {
        for entry in words(entry) {
            if entry == NONE {
                none = true;
            } else {
                out.push(destination(entry)?);
            }
        }
    }
    out.sort();
    out.dedup();
    let fault =
        |message: &str, help: &str| Err(HostError { message: message.to_owned(), help: help.to_owned() });
    match (none, out.is_empty()) {
        (true, false) => fault("`none` stands beside destinations", "leave one of them out"),
        (false, true) => fault("the list of destinations is empty", "`none` says that there are none"),
        _ => Ok(out),
    }
}

fn destination(entry: &str) -> Result<Destination, HostError> {
    let (whom, port) = match entry.split_once(':') {
        Some((whom, port)) => (whom, Some(port_of(entry, port)?)),
        None => (entry, None),
    };
    let wrong =
        |what: &str, help: &str| HostError { message: format!("`{entry}` {what}"), help: help.to_owned() };
    if whom == "@own" {
        return Ok(Destination { whom: Whom::Own, port });
    }
    if let Some((_, entity)) = ENTITIES.iter().find(|(word, _)| *word == whom) {
        return Ok(Destination { whom: Whom::Entity(entity), port });
    }
    if whom.starts_with('@') {
        return Err(wrong("is nobody", "there are @own, @cluster, @kube-apiserver and @host"));
    }
    let (namespace, labels) = whom.split_once('/').unwrap_or((whom, ""));
    let known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if namespace.is_empty() || namespace.len() > 63 || !namespace.bytes().all(known) {
        return Err(wrong(
            "names no namespace",
            "write NAMESPACE, NAMESPACE:PORT or NAMESPACE/LABEL=VALUE:PORT",
        ));
    }
    let mut wanted = Vec::new();
    // Of `a=1&b=2`, both.
    for label in labels.split('&').filter(|label| !label.is_empty()) {
        let (key, value) = label.split_once('=').ok_or_else(|| {
            wrong("has a label without a value", "write NAMESPACE/LABEL=VALUE, several with & between them")
        })?;
        wanted.push((key.to_owned(), value.to_owned()));
    }
    wanted.sort();
    Ok(Destination { whom: Whom::Namespace(namespace.to_owned(), wanted), port })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations_are_read() {
        let read = read(["data/app.kubernetes.io/name=pg&tier=db:5432, monitoring", "@own @cluster:53/any"]);
        let read = read.unwrap();
        assert_eq!(read.len(), 4);
        assert_eq!(read[0].whom, Whom::Own);
        assert_eq!(read[1].port.as_ref().unwrap().to_string(), "53");
        let labels = [("app.kubernetes.io/name", "pg"), ("tier", "db")];
        let labels = labels.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec();
        assert_eq!(read[2].whom, Whom::Namespace("data".to_owned(), labels));
    }

    #[test]
    fn what_is_nobody_is_refused() {
        assert!(read(["none"]).unwrap().is_empty());
        for (entry, why) in [
            ("", "empty"),
            ("none, data", "beside"),
            ("@world", "nobody"),
            ("Data", "namespace"),
            ("data/app", "without a value"),
            ("data:0", "no port"),
        ] {
            assert!(read([entry]).unwrap_err().message.contains(why), "{entry}");
        }
    }
}
