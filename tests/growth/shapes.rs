//! Streams and profiles that grow in one respect.

use std::fmt::Write as _;

/// A profile and a stream.
pub struct Case {
    pub profile: String,
    pub stream: String,
}

/// One respect in which runs grow.
pub struct Shape {
    pub name: &'static str,
    /// The case of a size, in units that fit the shape.
    pub case: fn(usize) -> Case,
    /// The smaller of the sizes that are compared.
    pub from: usize,
    /// How many times the work the larger size may take.
    pub limit: f64,
}

/// In proportion, with some room for what grows in steps.
const LINEAR: f64 = 4.6;

/// JSON Patch takes items out one by one, and each time moves the items behind it. That
/// is one copy of memory, in the plan, the draft and the proof: quick, but not linear.
const MOVES_ITEMS: f64 = 8.0;

/// How much larger the larger size is.
pub const TIMES: usize = 4;

/// What is compared. A shape that is not linear says why.
pub const SHAPES: &[Shape] = &[
    Shape { name: "size of untouched documents", case: size, from: 40, limit: LINEAR },
    Shape { name: "untouched documents", case: documents, from: 100, limit: LINEAR },
    Shape { name: "edited documents", case: edited_documents, from: 40, limit: LINEAR },
    Shape { name: "keys set in one document", case: set_keys, from: 50, limit: LINEAR },
    Shape { name: "keys added in one document", case: added_keys, from: 50, limit: LINEAR },
    Shape { name: "keys added to one mapping", case: added_to_one, from: 50, limit: LINEAR },
    Shape { name: "keys removed from one document", case: removed_keys, from: 50, limit: LINEAR },
    Shape {
        name: "items inserted into lists of one document",
        case: inserted_items,
        from: 50,
        limit: LINEAR,
    },
    Shape { name: "items removed from one list", case: removed_items, from: 100, limit: MOVES_ITEMS },
    Shape {
        name: "items removed from one flow list",
        case: removed_flow_items,
        from: 100,
        limit: MOVES_ITEMS,
    },
    Shape { name: "edits behind a removed item", case: behind_removed, from: 50, limit: LINEAR },
    Shape { name: "items of a List edited", case: list_items, from: 40, limit: LINEAR },
    Shape { name: "items of a List dropped", case: dropped_items, from: 40, limit: LINEAR },
    Shape { name: "objects that a rule misses", case: missed, from: 40, limit: LINEAR },
    Shape { name: "conditions on the stream", case: conditions, from: 40, limit: LINEAR },
    Shape { name: "policies and pods", case: policies, from: 20, limit: LINEAR },
    Shape { name: "what the scan leaves to the parser", case: unusual, from: 40, limit: LINEAR },
    Shape { name: "quoted texts", case: quoted, from: 100, limit: LINEAR },
    Shape { name: "a long flow list", case: flow, from: 200, limit: LINEAR },
    Shape { name: "nesting", case: nesting, from: 60, limit: LINEAR },
    Shape { name: "comments and blank lines", case: comments, from: 100, limit: LINEAR },
    Shape { name: "aliases", case: aliases, from: 40, limit: LINEAR },
];

/// A profile of rules, each given as the lines below `title` and `why`.
fn profile(rules: &[String]) -> String {
    let mut out =
        "apiVersion: germ-post.dev/v1\nkind: Profile\nname: growth\nversion: 1.0.0\nrules:\n".to_owned();
    for (number, rule) in rules.iter().enumerate() {
        let _ = writeln!(out, "  - id: growth/r{number}\n    title: grows\n    why: to be counted");
        rule.lines().for_each(|line| {
            let _ = writeln!(out, "    {line}");
        });
    }
    out
}

/// A rule on objects of the kind `Thing`.
fn on_things(edit: &str) -> String {
    profile(&[format!("match: {{kind: Thing}}\nexpect: any\nedit:\n  - {edit}")])
}

fn head(kind: &str, name: usize) -> String {
    format!("apiVersion: v1\nkind: {kind}\nmetadata:\n  name: n{name}\n  labels:\n    app: a{name}\nspec:\n")
}

/// A document of a kind with `lines` lines below `spec`.
fn document(kind: &str, name: usize, lines: usize) -> String {
    let mut out = format!("---\n# Source: chart/templates/n{name}.yaml\n{}", head(kind, name));
    for line in 0..lines {
        let _ = writeln!(out, "  key{line}: \"value {line}\" # said");
    }
    out
}

fn numbered(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

fn size(lines: usize) -> Case {
    let stream = numbered(20, |name| document("Other", name, lines));
    Case { profile: on_things("{set: spec.key0, value: new}"), stream }
}

/// The more documents, the shorter each.
fn documents(count: usize) -> Case {
    let stream = numbered(count, |name| document("Other", name, 4000 / count));
    Case { profile: on_things("{set: spec.key0, value: new}"), stream }
}

fn edited_documents(count: usize) -> Case {
    let stream = numbered(count, |name| document("Thing", name, 10));
    Case { profile: on_things("{set: spec.key5, value: new}"), stream }
}

/// One document with a list of mappings.
fn with_items(count: usize, item: impl Fn(usize) -> String) -> String {
    format!("{}  items:\n{}", head("Thing", 0), numbered(count, item))
}

fn set_keys(count: usize) -> Case {
    let stream = with_items(count, |n| format!("    - name: i{n}\n      value: old\n"));
    Case { profile: on_things("{set: \"spec.items[*].value\", value: new}"), stream }
}

fn added_keys(count: usize) -> Case {
    let stream = with_items(count, |n| format!("    - name: i{n}\n      sub:\n        - a: 1\n"));
    Case { profile: on_things("{set: \"spec.items[*].more\", value: {b: [1, 2], c: {d: 1}}}"), stream }
}

fn added_to_one(count: usize) -> Case {
    let keys = numbered(count, |n| format!("{}k{n}: {{a: [1]}}", if n > 0 { ", " } else { "" }));
    let stream = head("Thing", 0) + &numbered(count, |n| format!("  old{n}:\n    a: 1\n"));
    Case { profile: on_things(&format!("{{merge: spec, value: {{{keys}}}}}")), stream }
}

fn removed_keys(count: usize) -> Case {
    let stream = with_items(count, |n| format!("    - name: i{n}\n      value: old\n      rest: 1\n"));
    Case { profile: on_things("{remove: \"spec.items[*].value\"}"), stream }
}

fn inserted_items(count: usize) -> Case {
    let stream = with_items(count, |n| format!("    - name: i{n}\n      env:\n        - name: A\n"));
    let edit = "{insert: \"spec.items[*].env\", key: name, value: {name: B, value: \"1\"}, after: A}";
    Case { profile: on_things(edit), stream }
}

fn removed_items(count: usize) -> Case {
    let list = numbered(count, |n| format!("    - i{n}\n    - kept\n"));
    let stream = format!("{}  list:\n{list}", head("Thing", 0));
    Case { profile: on_things("{retain: spec.list, value: [kept]}"), stream }
}

fn removed_flow_items(count: usize) -> Case {
    let list = numbered(count, |n| format!("i{n}, kept, "));
    let stream = format!("{}  list: [{list}kept]\n", head("Thing", 0));
    Case { profile: on_things("{retain: spec.list, value: [kept]}"), stream }
}

fn behind_removed(count: usize) -> Case {
    let stream = with_items(count, |n| format!("    - name: i{n}\n      value: old\n"));
    let edits = "match: {kind: Thing}\nexpect: any\nedit:\n  - {remove: \"spec.items[name=i0]\", apart: true}\n  \
                 - {set: \"spec.items[*].value\", value: new, apart: true}";
    Case { profile: profile(&[edits.to_owned()]), stream }
}

fn a_list(kind: &str, count: usize) -> String {
    let item = |n| {
        format!(
            "  - apiVersion: v1\n    kind: {kind}\n    metadata: {{name: n{n}}}\n    spec: {{key: old}}\n"
        )
    };
    format!("apiVersion: v1\nkind: List\nitems:\n{}", numbered(count, item))
}

fn list_items(count: usize) -> Case {
    Case { profile: on_things("{set: spec.key, value: new}"), stream: a_list("Thing", count) }
}

fn dropped_items(count: usize) -> Case {
    let stream = a_list("Thing", count) + "  - {apiVersion: v1, kind: Other, metadata: {name: o}}\n";
    Case { profile: on_things("{drop: object}"), stream }
}

fn missed(count: usize) -> Case {
    let stream = numbered(count, |name| document("Thing", name, 10));
    Case { profile: on_things("{set: spec.missing, value: new, was: present}"), stream }
}

fn conditions(count: usize) -> Case {
    let rule = |n| {
        format!(
            "when: {{object: {{kind: Thing, name: n{n}}}}}\nmatch: {{kind: Thing, name: n{n}}}\n\
             expect: any\nedit:\n  - {{set: spec.key1, value: new}}"
        )
    };
    let rules: Vec<String> = (0..count).map(rule).collect();
    Case { profile: profile(&rules), stream: numbered(count, |name| document("Thing", name, 4)) }
}

/// Every policy is of one pod, and of one policy of Cilium's.
fn policies(count: usize) -> Case {
    let one = |n| {
        format!(
            "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: d{n}}}\nspec:\n  template:\n    \
             metadata: {{labels: {{app: a{n}}}}}\n    spec: {{containers: []}}\n\
             ---\napiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {{name: p{n}}}\nspec:\n  \
             podSelector: {{matchLabels: {{app: a{n}}}}}\n\
             ---\napiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\nmetadata: {{name: c{n}}}\nspec:\n  \
             endpointSelector: {{matchLabels: {{app: a{n}}}}}\n"
        )
    };
    let rule = "match:\n  group: networking.k8s.io\n  kind: NetworkPolicy\n  \
                sharesPodsWith: {group: cilium.io, kind: CiliumNetworkPolicy}\nexpect: any\nedit:\n  - drop: object";
    Case { profile: profile(&[rule.to_owned()]), stream: numbered(count, one) }
}

fn unusual(count: usize) -> Case {
    let one = |n| format!("  ? key{n}\n  : !!str value\n  other{n}: {{a: [1, \"two\\x21\"], b: 'it''s'}}\n");
    let stream = format!("---\n{}{}---\n", head("Other", 0), numbered(count, one))
        + &numbered(count, |n| format!("---\n{}  ? a\n  : b\n", head("Other", n)));
    Case { profile: on_things("{set: spec.key0, value: new}"), stream }
}

fn quoted(count: usize) -> Case {
    let texts = numbered(count, |n| format!("  a{n}: \"two\\n\n    lines\"\n  b{n}: 'it''s\n\n    two'\n"));
    let stream = format!("{}{texts}  last: old\n", head("Thing", 0));
    Case { profile: on_things("{set: spec.last, value: new}"), stream }
}

fn flow(count: usize) -> Case {
    let items = numbered(count, |n| format!("{{a: {n}, b: [x, 'y']}},\n    "));
    let stream = format!("{}  flow: [{items}]\n  last: old\n", head("Thing", 0));
    Case { profile: on_things("{set: spec.last, value: new}"), stream }
}

/// The deeper, the fewer documents; their indentation grows with the square.
fn nesting(depth: usize) -> Case {
    let nest = numbered(depth, |n| format!("{}k:\n", " ".repeat(n + 2)));
    let one = |name| format!("---\n{}{nest}", head("Thing", name));
    Case { profile: on_things("{set: spec.last, value: new}"), stream: numbered(960 / depth, one) }
}

fn comments(count: usize) -> Case {
    let lines = numbered(count, |n| format!("  # said {n}\n\n  key{n}: | # why\n    text\n\n    more\n"));
    let stream = format!("{}{lines}  last: old\n", head("Thing", 0));
    Case { profile: on_things("{set: spec.last, value: new}"), stream }
}

fn aliases(count: usize) -> Case {
    let lines =
        numbered(count, |n| format!("  a{n}: &a{n} {{k: v}}\n  b{n}: *a{n}\n  c{n}: {{<<: *a{n}}}\n"));
    let stream = format!("{}{lines}  last: old\n", head("Thing", 0));
    Case { profile: on_things("{set: spec.last, value: new}"), stream }
}

/// A number of rules, on kinds and names of which a stream has few, and a stream of
/// some documents.
pub fn rules(count: usize, documents: usize) -> Case {
    let rule = |n| {
        let kind = if n % 2 == 0 { format!("Kind{n}") } else { "Other".to_owned() };
        format!("match: {{kind: {kind}, name: x{n}}}\nexpect: any\nedit:\n  - {{set: spec.key0, value: new}}")
    };
    let rules: Vec<String> = (0..count).map(rule).collect();
    Case { profile: profile(&rules), stream: numbered(documents, |name| document("Other", name, 5)) }
}
