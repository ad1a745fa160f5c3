//! What can be typed behind `germ-post bootstrap`.

use std::path::PathBuf;
use std::time::Duration;

use super::template::TemplateChoice;

/// `germ-post bootstrap`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    germ-post bootstrap charts/cilium --profile talos --context prod-fra\n  \
    germ-post bootstrap charts/cilium --target prod-fra --context prod-fra --dry-run\n  \
    germ-post bootstrap charts/cilium --profile talos --context prod-fra --print-script > bootstrap.sh\n\n\
    It may be run again at any time, and goes on where the last run stopped. The last thing that it prints, \
    on stdout, is the Argo CD Application that takes the release over.")]
pub struct Bootstrap {
    /// The folder of the chart
    pub chart: PathBuf,
    /// The kubectl context of the cluster
    #[arg(long, value_name = "CONTEXT", help_heading = "Cluster")]
    pub context: Option<String>,
    /// Take the context that kubectl would take
    #[arg(long, conflicts_with = "context", help_heading = "Cluster")]
    pub current_context: bool,
    /// The kubeconfig to read
    #[arg(long, value_name = "FILE", help_heading = "Cluster")]
    pub kubeconfig: Option<PathBuf>,
    /// The release's name
    #[arg(long, value_name = "NAME", default_value = "cilium")]
    pub release: String,
    /// The release's namespace
    #[arg(short, long, value_name = "NAME", default_value = "kube-system")]
    pub namespace: String,
    /// A file of values; may be given several times
    #[arg(short = 'f', long, value_name = "FILE", value_delimiter = ',')]
    pub values: Vec<PathBuf>,
    /// Set a value of the chart
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Which profile, and how
    #[command(flatten)]
    pub choice: TemplateChoice,
    /// Print what would be done, and do nothing
    #[arg(long, help_heading = "What is done")]
    pub dry_run: bool,
    /// Print the steps as a shell script, and do nothing
    #[arg(long, conflicts_with = "dry_run", help_heading = "What is done")]
    pub print_script: bool,
    /// Fetch nothing: all charts have to be in the chart's charts/
    #[arg(long, help_heading = "What is done")]
    pub offline: bool,
    /// Leave out the chart's hooks
    #[arg(long, help_heading = "What is done")]
    pub no_hooks: bool,
    /// At the end, see whether a Service of type LoadBalancer gets an address and answers
    #[arg(long, help_heading = "What is done")]
    pub smoke: bool,
    /// Change settings that cut off what runs in the cluster: pod addresses, kube-proxy
    /// replacement
    #[arg(long, help_heading = "What is done")]
    pub allow_disruption: bool,
    /// How long each wait may take, and each run of Helm
    #[arg(long, value_name = "DURATION", default_value = "10m", value_parser = duration, help_heading = "Waiting")]
    pub timeout: Duration,
    /// How long to wait for kinds to be registered [default: that of --timeout]
    #[arg(long, value_name = "DURATION", value_parser = duration, help_heading = "Waiting")]
    pub crd_timeout: Option<Duration>,
    /// How long to wait for all nodes to be Ready [default: that of --timeout]
    #[arg(long, value_name = "DURATION", value_parser = duration, help_heading = "Waiting")]
    pub node_timeout: Option<Duration>,
    /// How long to wait for each rollout [default: that of --timeout]
    #[arg(long, value_name = "DURATION", value_parser = duration, help_heading = "Waiting")]
    pub rollout_timeout: Option<Duration>,
    /// How old a pending revision is when its Helm is taken for gone
    #[arg(long, value_name = "DURATION", default_value = "2m", value_parser = duration, help_heading = "Waiting")]
    pub recover_after: Duration,
}

/// `90s`, `10m`, `1h`, `1m30s`, as Helm and kubectl read them, in whole seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("`{text}` is no duration: write 90s, 10m or 1h");
    let mut seconds = 0u64;
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).filter(|at| *at > 0).ok_or_else(wrong)?;
        let number: u64 = rest[..digits].parse().map_err(|_| wrong())?;
        let unit = match rest[digits..].chars().next() {
            Some('s') => 1,
            Some('m') => 60,
            Some('h') => 3600,
            _ => return Err(wrong()),
        };
        seconds = number.checked_mul(unit).and_then(|more| seconds.checked_add(more)).ok_or_else(wrong)?;
        rest = &rest[digits + 1..];
    }
    if text.is_empty() { Err(wrong()) } else { Ok(Duration::from_secs(seconds)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_helm_reads_them() {
        for (text, seconds) in [("90s", 90), ("10m", 600), ("1h", 3600), ("1m30s", 90), ("0s", 0)] {
            assert_eq!(duration(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for wrong in ["", "10", "m", "10 m", "-1s", "1d", "99999999999999999999s"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
