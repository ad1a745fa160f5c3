//! One run of `helm upgrade --install` with germ-post as its post-renderer, and what has to
//! happen before Helm takes a release up that another run left half-done.

use std::time::{SystemTime, UNIX_EPOCH};

use germ_post::bootstrap::Readiness;
use germ_post::bootstrap::release::{self, Revision};
use germ_post::diagnostic::Diagnostic;

use super::failed;
use super::outlook::Outlook;
use super::progress::Progress;
use crate::cli::helm::post_renderer::PostRenderer;

/// Ends a revision that its Helm did not end: after a while, in which it may be at work.
pub fn recover(outlook: &Outlook<'_>, progress: &Progress) -> Result<(), Diagnostic> {
    let args = outlook.args;
    let Some(pending) = outlook.revision.as_ref().filter(|revision| revision.is_pending()) else {
        return Ok(());
    };
    let what = format!("release {} is {}", args.release, pending.status);
    let mut last = pending.clone();
    progress.wait(&what, args.recover_after + args.timeout, || {
        if let Some(now) = revision(outlook)? {
            last = now;
        }
        let old = age(&last).is_none_or(|age| age >= args.recover_after.as_secs());
        Ok(match (last.is_pending(), old) {
            (false, _) => Readiness::Ready(format!("another Helm has ended it: {}", last.status)),
            (true, true) => Readiness::Ready("its Helm is gone".to_owned()),
            (true, false) => Readiness::Waiting("another Helm may be at work on it".to_owned()),
        })
    })?;
    if !last.is_pending() {
        return Ok(());
    }
    // The objects stay, and are taken over by the next run, since they carry the release's name.
    progress.step(&format!("taking the record of revision {} away, its objects stay", last.number));
    let namespace = format!("--namespace={}", args.namespace);
    outlook.kubectl.text(&["delete", "secret", &last.record, &namespace])?;
    Ok(())
}

/// The release's last revision.
pub fn revision(outlook: &Outlook<'_>) -> Result<Option<Revision>, Diagnostic> {
    let arguments = release::records(&outlook.args.release, &outlook.args.namespace);
    Ok(release::last(&outlook.kubectl.text(&arguments)?))
}

fn age(revision: &Revision) -> Option<u64> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    Some(now.saturating_sub(revision.written?))
}

/// Installs or upgrades the release; objects of the kinds `hold_back`, written `GROUP/KIND`,
/// are left out.
pub fn install(outlook: &Outlook<'_>, hold_back: &[String]) -> Result<(), Diagnostic> {
    let args = outlook.args;
    let mut words: Vec<String> = ["upgrade", "--install"].map(str::to_owned).into();
    words.extend(outlook.on_cluster());
    words.extend(["--create-namespace".to_owned(), format!("--timeout={}s", args.timeout.as_secs())]);
    if args.no_hooks {
        words.push("--no-hooks".to_owned());
    }
    words.extend(outlook.values());
    let held = hold_back.iter().map(|kind| format!("--hold-back={kind}"));
    let arguments = outlook.post_renderer().into_iter().chain(held);
    let renderer = PostRenderer::new(&outlook.helm, outlook.version, arguments)?;
    words.extend(renderer.flags.iter().cloned());
    words.extend(["--".to_owned(), args.release.clone(), args.chart.display().to_string()]);
    let output = outlook.helm.on_cluster(&words, &renderer.environment)?;
    if output.success {
        return Ok(());
    }
    let mut error = failed("install the release", &output);
    if outlook.version.major >= 4 {
        error = error.note("Helm 4 hides what its post-renderer says: `germ-post last` prints it");
    }
    Err(error)
}
