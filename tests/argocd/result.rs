//! What comes back: manifests and nothing else on stdout, or an error that is short, says
//! the cause first, and holds no secret. Never an empty success.

use serde_json::json;

use crate::support::argocd::Call;

const THING: &str = "echo 'kind: Thing'";

#[test]
fn only_manifests_are_on_stdout() {
    let call = Call::with_script("apps/demo", "echo 'WARNING: old' >&2; printf '# c\\nkind: Thing\\n'");
    let run = call.run("generate");
    assert_eq!(run.code, 0, "{}", run.summary());
    assert_eq!(String::from_utf8(run.stdout).unwrap(), "# c\nkind: Thing\n");
    assert_eq!(run.stderr, "germ-post: nothing to do: no rule concerns the stream [none]\n");
}

#[test]
fn nothing_is_an_error_unless_the_application_says_so() {
    for script in [
        "true",
        "echo '# a comment'",
        "printf -- '---\\n# Source: a\\n---\\n\\n'",
        "printf 'apiVersion: v1\\nkind: List\\nitems: []\\n'",
        "echo 'null'",
    ] {
        let mut call = Call::with_script("apps/demo", script);
        let said = call.refused();
        assert!(said.starts_with("error[empty-result]: the chart renders no object"), "{script}:\n{said}");
        assert!(said.contains("Argo CD would delete everything"), "{said}");
        call.parameters(json!([{"name": "allow-empty", "string": "true"}]));
        assert_eq!(call.run("generate").code, 0, "{script}");
    }
}

#[test]
fn what_rules_leave_of_it_counts() {
    let policy = "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: a}\nspec: {podSelector: {}}\n";
    let call = |text: &str| {
        let mut call = Call::with_script("apps/demo", &format!("cat <<'END'\n{text}END"));
        call.parameters(json!([
            {"name": "profile", "array": ["cnp-platform"]},
            {"name": "params", "map": {"networkPolicies": "all"}},
        ]));
        call
    };
    let said = call(policy).refused();
    assert!(said.starts_with("error[empty-result]: no object is left: rules drop 1 object"), "{said}");
    assert!(said.contains("cnp/drop-bundled"), "{said}");
    // A definition is something, though no rule gets to see it.
    let with_definition = format!(
        "---\n# Source: a/crds/x.yaml\nkind: Definition\n---\n# Source: a/templates/x.yaml\n{policy}"
    );
    let rendered = call(&with_definition).generated();
    assert!(rendered.contains("kind: Definition") && !rendered.contains("NetworkPolicy"), "{rendered}");
}

#[test]
fn helms_error_comes_first_and_without_secrets() {
    let script = "echo 'walk.go:75: found symbolic link' >&2\necho 'kind: Half'\n\
        echo 'Error: template: demo/templates/a.yaml:3:5: executing \"a\" at <fail>: error calling fail: no address for hunter2' >&2\nexit 1";
    let mut call = Call::with_script("apps/demo", script);
    call.parameters(json!([{"name": "set", "map": {"password": "hunter2"}}]));
    let said = call.refused();
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "error[helm-failed]: Helm cannot render the chart: no address for ***");
    assert!(said.contains("demo/templates/a.yaml:3:5") && !said.contains("hunter2"), "{said}");
    assert!(said.len() < 1000, "{said}");

    let inline = "echo 'Error: cannot unmarshal !!str `hunter2` into int' >&2; exit 1";
    let said = Call::with_script("apps/demo", inline).refused();
    assert!(said.contains("!!str `***` into int"), "{said}");
}

/// Values that were handed over as YAML may come back in a chart's own message.
#[test]
fn a_message_with_an_inline_value_is_masked() {
    let mut call = Call::with_script("apps/demo", "echo 'Error: bad password: hunter2' >&2; exit 1");
    call.parameters(json!([{"name": "values", "string": "login:\n  password: hunter2\n  retries: 12345\n"}]));
    let said = call.refused();
    assert!(said.contains("bad password: ***"), "{said}");
}

#[test]
fn an_unreadable_rendering_is_refused_whole() {
    let said = Call::with_script("apps/demo", "printf 'kind: Thing\\n---\\na: [hunter2\\n'").refused();
    assert!(said.starts_with("error[unreadable-document]") && !said.contains("hunter2"), "{said}");
}

#[test]
fn nothing_is_left_behind_whatever_happens() {
    for script in [THING, "exit 1", "true"] {
        let call = Call::with_script("apps/demo", script);
        call.run("generate");
        assert!(call.left_behind().is_empty(), "{script}: {:?}", call.left_behind());
    }
}

#[test]
fn a_folder_without_a_chart_is_told() {
    let call = Call::scripted();
    std::fs::remove_file(call.folder().join("Chart.yaml")).unwrap();
    let run = call.run("init");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("the folder has to hold a Chart.yaml"), "{}", run.stderr);
}
