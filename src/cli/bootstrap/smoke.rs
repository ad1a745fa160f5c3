//! `--smoke`: a Service of type LoadBalancer for a moment, to see whether it gets an address
//! and whether somebody answers there.

use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use germ_post::bootstrap::{Readiness, smoke};
use germ_post::diagnostic::Diagnostic;

use super::outlook::Outlook;
use super::progress::Progress;

/// How long one try to connect may take.
const CONNECT: Duration = Duration::from_secs(3);

/// Deploys, looks, removes, whatever was seen.
pub fn smoke(outlook: &Outlook<'_>, progress: &Progress) -> Result<(), Diagnostic> {
    let service = smoke::service(&outlook.args.namespace, &outlook.objects);
    outlook.kubectl.apply(&service)?;
    let seen = look(outlook, progress);
    let namespace = format!("--namespace={}", outlook.args.namespace);
    let removed = outlook.kubectl.text(&["delete", "service", smoke::NAME, &namespace, "--wait=false"]);
    seen.and(removed.map(|_| ()))
}

fn look(outlook: &Outlook<'_>, progress: &Progress) -> Result<(), Diagnostic> {
    let args = outlook.args;
    let mut address = String::new();
    let ask = || {
        let live = outlook.kubectl.object("services", smoke::NAME, Some(&args.namespace))?;
        Ok(match smoke::address(&live) {
            Some(given) => {
                given.clone_into(&mut address);
                Readiness::Ready(format!("it got {given}"))
            }
            None => Readiness::Waiting("it has no address".to_owned()),
        })
    };
    progress.wait("a LoadBalancer Service", args.timeout, ask).map_err(|error| {
        error
            .help("kubectl get ciliumloadbalancerippools: is there one, with addresses left?")
            .help("`germ-post check` finds pools that select nothing and policies that announce nothing")
    })?;
    let place = format!("{address}:{}", smoke::PORT);
    let answers = || {
        let reached = place.to_socket_addrs().ok().into_iter().flatten();
        let mut tries = reached.map(|address| TcpStream::connect_timeout(&address, CONNECT));
        Ok(match tries.any(|connected| connected.is_ok()) {
            true => Readiness::Ready("answers".to_owned()),
            false => Readiness::Waiting("nobody answers".to_owned()),
        })
    };
    progress.wait(&place, args.timeout, answers).map_err(|error| {
        error
            .note("it is tried from this machine, which has to be in the network that is announced to")
            .help("kubectl --namespace kube-system get leases | grep l2announce: which node answers for it?")
            .help("`germ-post check` finds policies whose interfaces or nodes match nothing")
    })
}
