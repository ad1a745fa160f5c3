//! The equation: rendering with the values face gives the objects that rendering without
//! it gives when they are rewritten, rule by rule and profile by profile, through both
//! Helms, for a chart alone and below another.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use germ_post::profile::{embedded, load};

use crate::folder::{Folder, archive, chart_yaml};
use crate::support::helm::{Helm, KUBE_VERSION};
use crate::support::parallel;
use crate::support::platform_chart::PlatformChart;
use crate::support::release::Release;
use crate::support::run::germ_post;

/// What is rendered.
#[derive(Debug, Clone, Copy)]
struct Setting {
    /// The chart of `charts/`.
    chart: &'static str,
    version: &'static str,
    /// The user's values, as they would stand in the chart's own file.
    values: &'static str,
    /// Under which key of a chart above, packed; none for the chart alone.
    below: Option<&'static str>,
}

const PLAIN: Setting = Setting { chart: "cilium", version: "1.20.0", values: "{}", below: None };

/// One side of the equation for each rule or profile.
struct Equation {
    args: Vec<&'static str>,
    settings: Vec<Setting>,
}

/// Rules that the chart's own switches join: one of them alone is no state that values
/// can ask for.
const PORTMAP: &[&str] = &[
    "--profile=k3s-portmap",
    "--only=k3s/portmap-chaining",
    "--only=k3s/no-own-host-ports",
    "--only=k3s/no-own-node-ports",
    "--only=k3s/no-l2-announcements",
];

fn equations() -> Vec<Equation> {
    let replaces = "{kubeProxyReplacement: true, l2announcements: {enabled: true}}";
    let old = Setting { version: "1.17.17", ..PLAIN };
    let below = Setting { below: Some("net"), ..PLAIN };
    let plain = vec![PLAIN, old, below];
    let one = |args: &[&'static str], settings: &[Setting]| Equation {
        args: args.to_vec(),
        settings: settings.to_vec(),
    };
    let with = |values: &'static str| Setting { values, ..PLAIN };
    vec![
        one(
            &["--profile=talos", "--only=talos/cgroup"],
            &[
                plain.clone(),
                vec![
                    with("{sysctlfix: {enabled: false}}"),
                    with("{cgroup: {autoMount: {enabled: false}, hostRoot: /run/x}}"),
                ],
            ]
            .concat(),
        ),
        one(
            &["--profile=talos", "--only=talos/capabilities"],
            &[
                plain.clone(),
                vec![
                    with("{securityContext: {privileged: true}}"),
                    with("{securityContext: {capabilities: {ciliumAgent: [CHOWN, SYS_MODULE]}}}"),
                ],
            ]
            .concat(),
        ),
        one(&["--profile=talos", "--set=capabilities=refused", "--only=talos/capabilities"], &plain),
        one(
            &["--profile=talos", "--only=talos/kubeprism"],
            &[
                plain.clone(),
                vec![
                    with("{k8sServiceHost: api.example, k8sServicePort: \"6443\"}"),
                    with("{k8sServiceHost: ~, k8sServicePort: ~}"),
                ],
            ]
            .concat(),
        ),
        one(
            &["--profile=talos", "--only=talos/ipam"],
            &[plain.clone(), vec![with("{ipv6: {enabled: true}}")]].concat(),
        ),
        one(&["--profile=talos", "--only=talos/kube-proxy-replacement"], &plain),
        one(&["--profile=talos", "--set=policyAudit=true", "--only=policy/audit"], &plain),
        one(&["--profile=k3s-kpr", "--only=k3s/api-balancer"], &plain),
        one(&["--profile=k3s-kpr", "--only=k3s/kube-proxy-replacement"], &plain),
        one(
            &["--profile=k3s-kpr", "--set=podCIDRv6=fd42::/56", "--only=k3s/pod-cidr"],
            &[plain.clone(), vec![with("{ipv6: {enabled: true}}")]].concat(),
        ),
        one(
            &[
                "--profile=k3s-portmap",
                "--only=k3s/cni-folders",
                "--set=cniBinDir=/var/lib/bin",
                "--set=cniConfDir=/var/lib/net.d",
            ],
            &plain,
        ),
        one(
            PORTMAP,
            &[
                Setting { values: replaces, ..PLAIN },
                Setting { values: replaces, ..old },
                Setting { values: replaces, ..below },
            ],
        ),
        one(&["--profile=lb-l2", "--only=lb/external-traffic-policy"], &policies()),
        one(&["--profile=cnp-platform", "--only=cnp/drop-bundled"], &policies()),
        one(&["--profile=cnp-platform", "--set=networkPolicies=all", "--only=cnp/drop-bundled"], &policies()),
        one(
            &["--profile=talos"],
            &[
                plain.clone(),
                policies(),
                vec![with(replaces), with("{securityContext: {privileged: true}, ipv6: {enabled: true}}")],
            ]
            .concat(),
        ),
        one(&["--profile=k3s-kpr"], &[plain.clone(), policies()].concat()),
        one(
            &["--profile=k3s-portmap"],
            &[Setting { values: replaces, ..PLAIN }, Setting { values: replaces, ..old }],
        ),
    ]
}

/// The name of a chart is what `pinned` goes by. Rendered under an alias, it goes by that
/// name in manifests, so that only the values face knows it still.
fn policies() -> Vec<Setting> {
    let alone = Setting { chart: "argo-cd", version: "10.1.1", values: "{}", below: None };
    vec![
        alone,
        Setting { values: "{server: {networkPolicy: {create: true}}}", ..alone },
        // A user's null takes the default away.
        Setting {
            values: "{redis: {networkPolicy: {enabled: ~}}, server: {service: {healthCheckNodePort: ~}}}",
            ..alone
        },
        Setting { below: Some("argo-cd"), ..alone },
    ]
}

/// The chart in a folder: alone, or packed below one that gives it another name.
fn chart(setting: &Setting) -> (Folder, String) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/values/charts").join(setting.chart);
    let mut files = Vec::new();
    for part in ["Chart.yaml", "values.yaml", "templates"] {
        let path = source.join(part);
        if path.is_dir() {
            for entry in fs::read_dir(path).unwrap() {
                let entry = entry.unwrap().path();
                let name = entry.file_name().unwrap().to_str().unwrap().to_owned();
                files.push((format!("{part}/{name}"), fs::read_to_string(&entry).unwrap()));
            }
        } else {
            files.push((part.to_owned(), fs::read_to_string(path).unwrap()));
        }
    }
    for (path, text) in &mut files {
        if path == "Chart.yaml" {
            let line = text.lines().find(|line| line.starts_with("version: ")).unwrap().to_owned();
            *text = text.replace(&line, &format!("version: {}", setting.version));
        }
    }
    let folder = Folder::with(&[]);
    let name = setting.chart;
    match setting.below {
        None => {
            files
                .iter()
                .for_each(|(path, text)| drop(folder.write(&format!("{name}/{path}"), text.as_bytes())));
            (folder, name.to_owned())
        }
        Some(alias) => {
            let files: Vec<(String, String)> =
                files.into_iter().map(|(path, text)| (format!("{name}/{path}"), text)).collect();
            let files: Vec<(&str, &str)> =
                files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
            let packed = archive(&files);
            let dependency = format!("dependencies: [{{name: {name}, alias: {alias}, version: '*'}}]\n");
            folder.write("top/Chart.yaml", chart_yaml("top", "1.0.0", &dependency).as_bytes());
            folder.write(
                "top/values.yaml",
                format!("{alias}:\n  # nothing of its own\n  extra: {{}}\n").as_bytes(),
            );
            folder.write(&format!("top/charts/{name}-{}.tgz", setting.version), &packed);
            (folder, "top".to_owned())
        }
    }
}

/// Why the equation does not hold, if it does not; and whether rewriting had to do
/// something at all.
fn check(helm: &Helm, args: &[&str], setting: &Setting) -> Result<bool, String> {
    let (folder, name) = chart(setting);
    let path = |file: &str| folder.path().join(file).to_str().unwrap().to_owned();
    let user = match setting.below {
        Some(alias) => format!("{alias}: {}\n", setting.values),
        None => format!("{}\n", setting.values),
    };
    folder.write("user.yaml", user.as_bytes());
    let render = |files: &[&str]| -> Result<String, String> {
        let mut all = vec!["template".to_owned(), "release".to_owned(), path(&name)];
        all.extend(["--namespace=kube-system".to_owned(), KUBE_VERSION.to_owned()]);
        for file in files {
            all.extend(["-f".to_owned(), path(file)]);
        }
        let run = helm.run(all);
        if run.ok { Ok(run.stdout) } else { Err(run.stderr) }
    };
    let values = |more: &[&str]| -> Result<String, String> {
        let (chart, user) = (path(&name), path("user.yaml"));
        let mut all = vec!["values", "--chart", &chart, "-f", &user];
        all.extend(args);
        all.extend(more);
        let run = germ_post(&all, b"");
        if run.code == 0 { Ok(String::from_utf8(run.stdout).unwrap()) } else { Err(run.summary()) }
    };
    let rewrite = |stream: &str| -> Result<(String, String), String> {
        let run = germ_post(args, stream.as_bytes());
        if run.code != 0 {
            return Err(run.summary());
        }
        Ok((String::from_utf8(run.stdout).unwrap(), run.stderr))
    };
    let plain = render(&["user.yaml"])?;
    let (rewritten, _) = rewrite(&plain)?;
    folder.write("overlay.yaml", values(&["--overlay"])?.as_bytes());
    folder.write("written.yaml", values(&[])?.as_bytes());
    for files in [&["user.yaml", "overlay.yaml"][..], &["written.yaml"]] {
        let by_values = render(files)?;
        let (left, right) = (Release::of(&rewritten), Release::of(&by_values));
        let differences = left.differences(&right);
        if !differences.is_empty() {
            return Err(format!("{files:?}: {}", differences.join("; ")));
        }
        let (again, said) = rewrite(&by_values)?;
        if again != by_values || !said.contains("nothing to do") {
            return Err(format!("{files:?}: something is left to do: {said}"));
        }
    }
    Ok(rewritten != plain)
}

#[test]
fn values_give_what_rewriting_gives() {
    let helms: Vec<Helm> = Helm::both().collect();
    let equations = equations();
    let mut cases = Vec::new();
    for (index, equation) in equations.iter().enumerate() {
        for setting in &equation.settings {
            cases.extend((0..helms.len()).map(|helm| (index, *setting, helm)));
        }
    }
    let results = parallel::map(&cases, |(index, setting, helm)| {
        check(&helms[*helm], &equations[*index].args, setting)
    });
    let mut failures = Vec::new();
    let mut does_something = vec![helms.is_empty(); equations.len()];
    for ((index, setting, helm), result) in cases.iter().zip(results) {
        match result {
            Ok(changed) => does_something[*index] |= changed,
            Err(error) => {
                let args = equations[*index].args.join(" ");
                failures.push(format!("{args}, Helm {}, {setting:?}: {error}", helms[*helm].major));
            }
        }
    }
    parallel::report("equations", cases.len(), &failures);
    for (equation, does) in equations.iter().zip(does_something) {
        assert!(does, "{:?} has nothing to rewrite in any setting", equation.args);
    }
}

/// The platform's own chart, which wraps Cilium and has a schema.
#[test]
fn the_platforms_chart_is_told_rather_than_rewritten() {
    let chart = PlatformChart::vendored();
    let folder = Folder::with(&[]);
    for helm in Helm::both() {
        let render = |files: &[&str]| {
            let fixed = ["template", "cilium", chart.path(), "--namespace=kube-system", KUBE_VERSION];
            helm.run(fixed.iter().chain(files)).expect_ok()
        };
        let rewrite = |stream: &str| germ_post(&["--profile=talos"], stream.as_bytes());
        let plain = render(&[]);
        let rewritten = rewrite(&plain).expect_ok();
        assert_ne!(plain, rewritten);
        let overlay = germ_post(&["values", "--profile=talos", "--chart", chart.path(), "--overlay"], b"");
        let overlay = folder.write("overlay.yaml", overlay.expect_ok().as_bytes());
        let by_values = render(&["-f", overlay.to_str().unwrap()]);
        let what = format!("Helm {}", helm.major);
        Release::of(&rewritten).assert_same(&Release::of(&by_values), &what);
        let again = rewrite(&by_values);
        assert!(again.stderr.contains("nothing to do"), "{what}: {}", again.stderr);
        assert_eq!(again.expect_ok(), by_values, "{what}");
    }
}

/// Every shipped rule with both faces stands in some equation by its name.
#[test]
fn no_rule_with_both_faces_is_left_out() {
    let named: BTreeSet<String> = equations()
        .iter()
        .flat_map(|equation| &equation.args)
        .filter_map(|arg| arg.strip_prefix("--only="))
        .map(str::to_owned)
        .collect();
    let mut both = BTreeSet::new();
    for (name, text) in embedded::PROFILES {
        for rule in load::parse(name, text).unwrap().0.rules {
            let edits = !rule.edit.is_empty() || !rule.parts.is_empty();
            let wishes = rule.values.iter().any(|face| {
                !face.set.is_empty()
                    || !face.retain.is_empty()
                    || !face.exclude.is_empty()
                    || !face.each.is_empty()
            });
            if edits && wishes {
                both.insert(rule.id);
            }
        }
    }
    assert_eq!(both, named);
}
