//! Against Argo CD's own Helm source: the same flags of the same Helm give the same
//! bytes, as a user without a home who can write to two folders only.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::support::argocd::{Call, finish};
use crate::support::helm::Helm;
use crate::support::release::Release;

/// A chart that asks Helm everything that depends on flags.
fn application(helm: &Helm) -> Call {
    let mut call = Call::at("apps/demo");
    call.set("HELM_BIN", &helm.program);
    call.write("crds/thing.yaml", "kind: CustomResourceDefinition\nmetadata: {name: things.a.b}\n---\nkind: CustomResourceDefinition\nmetadata: {name: more.a.b}\n");
    call.write("templates/NOTES.txt", "Thank you.\n");
    call.write(
        "templates/hook.yaml",
        "kind: Job\nmetadata:\n  name: hook\n  annotations: {helm.sh/hook: pre-install}\n",
    );
    call.write(
        "templates/test.yaml",
        "kind: Pod\nmetadata: {name: test, annotations: {helm.sh/hook: test}}\n",
    );
    call.write(
        "templates/about.yaml",
        "kind: About\nmetadata: {name: about}\n\
         release: {{ .Release | toJson }}\nversion: {{ .Capabilities.KubeVersion.Version }}\n\
         has: {{ .Capabilities.APIVersions.Has \"a.b/v1/Thing\" }} {{ .Capabilities.APIVersions.Has \"c.d/v1\" }}\n\
         found: {{ lookup \"v1\" \"Namespace\" \"\" \"default\" | toJson }}\n",
    );
    call.write("values.yaml", "a: chart\nb: null\nlist: [1, 2]\n");
    call.write("../shared.yaml", "a: shared\nlist: [3]\n");
    call.set("KUBE_API_VERSIONS", "v1,a.b/v1,a.b/v1/Thing");
    call.parameters(json!([
        {"name": "values-files", "array": ["../shared.yaml"]},
        {"name": "values", "string": "inline: {x: 'y'}\n"},
        {"name": "set", "map": {"list[0]": "9", "text": "a,b"}},
        {"name": "set-string", "map": {"number": "1"}},
    ]));
    call
}

#[test]
fn the_empty_profile_gives_the_bytes_of_argo_cds_own_source() {
    for helm in Helm::both() {
        let call = application(&helm);
        fs::write(call.place().join("inline.yaml"), "inline: {x: 'y'}\n").unwrap();
        // As `util/helm/cmd.go` of Argo CD has them.
        let own = Command::new(&helm.program)
            .args(["template", ".", "--name-template", "demo", "--namespace", "there"])
            .args(["--kube-version", "1.34.0", "--set", "list[0]=9", "--set", "text=a\\,b"])
            .args(["--set-string", "number=1", "--values"])
            .arg(call.root().join("apps/shared.yaml"))
            .arg("--values")
            .arg(call.place().join("inline.yaml"))
            .args(["--api-versions", "v1", "--api-versions", "a.b/v1", "--api-versions", "a.b/v1/Thing"])
            .args(["--include-crds", "--skip-tests"])
            .env_clear()
            .env("HOME", call.place())
            .current_dir(call.folder())
            .output()
            .unwrap();
        let own = String::from_utf8(own.stdout).unwrap();
        assert!(own.contains("things.a.b") && own.contains("a.b/v1") == own.contains("nothing"), "{own}");
        assert_eq!(call.generated(), own, "Helm {}", helm.major);
        let release = Release::of(&own);
        assert_eq!(release.get("About about")["has"], "true false");
        assert!(!release.names().contains(&"Pod test"));
    }
}

/// As in the sidecar: user 999, who has no entry in passwd, the home `/`, and nothing to
/// write to but the call's copy of the repository and the folder for temporary files.
#[test]
fn user_999_without_a_home_renders() {
    for helm in Helm::both() {
        let call = application(&helm);
        let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
        let bin = call.place().join("bin");
        fs::create_dir(&bin).unwrap();
        for (name, program) in
            [("helm", helm.program.as_path()), ("germ-post", Path::new(env!("CARGO_BIN_EXE_germ-post")))]
        {
            fs::copy(program, bin.join(name)).unwrap();
        }
        let mut call = call;
        call.set("HOME", "/");
        call.set("HELM_BIN", bin.join("helm"));
        fs::set_permissions(call.place(), fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = Command::new(bin.join("germ-post"));
        let like = call.command("generate");
        command
            .args(like.get_args())
            .env_clear()
            .envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))))
            .current_dir(call.folder())
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped());
        // Elsewhere the test's own user is as good as any.
        if is_root {
            for entry in walk(&call.root()).iter().chain([&call.place().join("tmp")]) {
                chown(entry, Some(999), Some(999)).unwrap();
            }
            command.uid(999).gid(999);
        }
        let run = finish(command.spawn().unwrap());
        assert_eq!(run.code, 0, "Helm {}: {}", helm.major, run.summary());
        assert!(call.left_behind().is_empty());
    }
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(walk(&path)) } else { found.push(path) }
    }
    found
}

/// Which documents rules get to see, by Helm's version and by the switch.
#[test]
fn hooks_and_definitions_are_as_in_a_release() {
    let all = include_str!("../helm/label-all.yaml");
    for helm in Helm::both() {
        let mut call = application(&helm);
        call.write("all.yaml", all);
        let mut marked = |hooks: Option<&str>| {
            let mut parameters = vec![json!({"name": "profile", "array": ["all.yaml"]})];
            parameters.extend(hooks.map(|how| json!({"name": "hooks", "string": how})));
            call.parameters(parameters.into());
            let release = Release::of(&call.generated());
            let is_marked = |name: &&str| release.get(name).pointer("/metadata/labels/seen").is_some();
            release.names().into_iter().filter(is_marked).map(str::to_owned).collect::<Vec<_>>()
        };
        let without_hooks = ["About about", "ConfigMap demo"];
        let with_hooks = ["About about", "ConfigMap demo", "Job hook"];
        assert_eq!(marked(Some("leave")), without_hooks);
        assert_eq!(marked(Some("transform")), with_hooks);
        let otherwise: &[&str] = if helm.major == 3 { &without_hooks } else { &with_hooks };
        assert_eq!(marked(None), otherwise, "Helm {}", helm.major);
    }
}
