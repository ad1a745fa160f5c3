//! The profile file as it is written: the shape of its YAML, nothing resolved.
//! `profiles/schema.json` says the same to editors. Values that an edit writes
//! or compares with are read again from the source tree, which knows quotes.

mod values;

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

pub use values::{EachFile, KeptFile, ValuesFile};

/// The `apiVersion` that this program reads.
pub const API_VERSION: &str = "germ-post.dev/v1";

/// A whole profile file.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ProfileFile {
    /// Always `germ-post.dev/v1`.
    pub api_version: String,
    /// Always `Profile`.
    pub kind: String,
    /// Name in kebab case.
    pub name: String,
    /// Semantic version of the profile, apart from the program's.
    #[serde(default)]
    pub version: Option<String>,
    /// What the profile is for.
    #[serde(default)]
    pub about: Option<String>,
    /// Profiles that this one is composed of: names (`talos-os@1`) or files.
    #[serde(default)]
    pub extends: Vec<String>,
    /// Profiles whose rules `germ-post check` runs beside this one's, and nothing
    /// else does: names or files.
    #[serde(default)]
    pub checks: Vec<String>,
    /// Chart versions the profile was tested with, by chart name.
    #[serde(default)]
    pub tested: IndexMap<String, String>,
    /// Parameters with their types and defaults.
    #[serde(default)]
    pub params: IndexMap<String, ParamFile>,
    /// Values for parameters of the profiles it extends.
    #[serde(default)]
    pub set: IndexMap<String, Value>,
    /// Changes to rules of the profiles it extends.
    #[serde(default)]
    pub adjust: Vec<AdjustFile>,
    /// Rules.
    #[serde(default)]
    pub rules: Vec<RuleFile>,
    /// Inline tests.
    #[serde(default)]
    pub tests: Vec<TestFile>,
}

/// A parameter's declaration.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ParamFile {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: ParamType,
    /// What it is for.
    pub about: String,
    /// Its value when nobody sets it; absent means unset.
    #[serde(default)]
    pub default: Option<Value>,
    /// The allowed values of an `enum`.
    #[serde(default)]
    pub values: Vec<String>,
    /// States a fact about the cluster rather than a wish.
    #[serde(default)]
    pub fact: bool,
    /// Environment variable that is read when nothing else sets it.
    #[serde(default)]
    pub env: Option<String>,
    /// Where in the stream the value can be found.
    #[serde(default)]
    pub detect: Vec<DetectFile>,
}

/// Types of parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ParamType {
    /// Any text.
    String,
    /// A whole number.
    Integer,
    /// A port number, 1 to 65535.
    Port,
    /// `true` or `false`.
    Boolean,
    /// One of `values`.
    Enum,
    /// A list of texts.
    Strings,
    /// A version, `1.20.0`.
    Version,
    /// A mapping, e.g. a label selector.
    Mapping,
}

/// Where a parameter's value may be found in the stream.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DetectFile {
    /// The object to look in.
    #[serde(rename = "match")]
    pub matches: MatchFile,
    /// The field.
    pub path: String,
    /// How the value is taken from the field.
    #[serde(rename = "as", default)]
    pub how: DetectAs,
}

/// How a detected field becomes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DetectAs {
    /// As it is.
    #[default]
    Value,
    /// The version in an image's tag.
    ImageTag,
    /// The version in a `helm.sh/chart` label.
    ChartLabel,
}

/// One value or a list of them.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected a text or a list of texts")]
pub enum OneOrMany {
    /// One.
    One(String),
    /// Several.
    Many(Vec<String>),
}

impl OneOrMany {
    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        match self {
            OneOrMany::One(one) => std::slice::from_ref(one),
            OneOrMany::Many(many) => many.as_slice(),
        }
        .iter()
        .map(String::as_str)
    }
}

/// Which objects a rule means. All conditions must hold.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct MatchFile {
    /// API group; `""` is the core group. Globs.
    #[serde(default)]
    pub group: Option<OneOrMany>,
    /// API version without the group. Globs.
    #[serde(default)]
    pub version: Option<OneOrMany>,
    /// Kind.
    #[serde(default)]
    pub kind: Option<OneOrMany>,
    /// Name. Globs.
    #[serde(default)]
    pub name: Option<OneOrMany>,
    /// Namespace as written in the manifest. Globs.
    #[serde(default)]
    pub namespace: Option<OneOrMany>,
    /// Labels and what they must be.
    #[serde(default)]
    pub labels: IndexMap<String, Value>,
    /// Annotations and what they must be.
    #[serde(default)]
    pub annotations: IndexMap<String, Value>,
    /// Chart, `name` or `name@range`.
    #[serde(default)]
    pub chart: Option<OneOrMany>,
    /// A container image, `repository` or `repository@range`. Globs.
    #[serde(default)]
    pub image: Option<OneOrMany>,
    /// Fields by path and what they must be.
    #[serde(default)]
    pub fields: IndexMap<String, Value>,
    /// `any`: every kind that makes pods.
    #[serde(default)]
    pub pod_template: Option<AnyWord>,
    /// Whether the object is a Helm hook.
    #[serde(default)]
    pub hook: Option<bool>,
    /// Some pod in the stream is selected by this object and by one of those.
    #[serde(default)]
    pub shares_pods_with: Option<Box<MatchFile>>,
    /// None of these.
    #[serde(default)]
    pub not: Vec<MatchFile>,
    /// At least one of these.
    #[serde(default)]
    pub any: Vec<MatchFile>,
}

/// The word `any`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AnyWord {
    /// Any of them.
    Any,
}

/// Under which circumstances a rule applies at all. All conditions must hold.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct WhenFile {
    /// Some object of the stream matches.
    #[serde(default)]
    pub object: Option<MatchFile>,
    /// No object of the stream matches.
    #[serde(default)]
    pub no_object: Option<MatchFile>,
    /// Parameters and what they must be.
    #[serde(default)]
    pub params: IndexMap<String, Value>,
    /// At least one of these holds.
    #[serde(default)]
    pub any: Vec<WhenFile>,
    /// None of these holds.
    #[serde(default)]
    pub not: Vec<WhenFile>,
}

/// How bad it is when a rule is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Will hurt some day.
    Warning,
    /// Breaks the platform.
    #[default]
    Error,
}

/// A rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct RuleFile {
    /// `group/name` in kebab case.
    pub id: String,
    /// The intention in one line.
    pub title: String,
    /// The reason.
    pub why: String,
    /// Where the reason can be looked up.
    #[serde(default)]
    pub source: Option<OneOrMany>,
    /// How bad it is when the rule is not followed.
    #[serde(default)]
    pub severity: Severity,
    /// When the rule applies.
    #[serde(default)]
    pub when: WhenFile,
    /// Which objects it edits.
    #[serde(rename = "match", default)]
    pub matches: Option<MatchFile>,
    /// The edits to each of them.
    #[serde(default)]
    pub edit: Vec<EditFile>,
    /// Several kinds of objects that are edited as a whole.
    #[serde(default)]
    pub parts: Vec<PartFile>,
    /// The objects among the matching ones that it edits; the others are left
    /// alone and reported.
    #[serde(default)]
    pub only: Vec<OnlyFile>,
    /// Follows from other rules' edits: `--only` does not leave it out.
    #[serde(default)]
    pub consequence: bool,
    /// How many objects must match.
    #[serde(default)]
    pub expect: Option<String>,
    /// What to do when the rule is missed.
    #[serde(default)]
    pub help: Option<String>,
    /// Chart values that make the edits needless; several where charts or parameters
    /// make a difference.
    #[serde(default, deserialize_with = "values::one_or_many")]
    #[cfg_attr(test, schemars(with = "values::OneOrManyValues"))]
    pub values: Vec<ValuesFile>,
    /// What must hold of the rewritten stream.
    #[serde(default)]
    pub assert: Vec<AssertFile>,
    /// Checks, by rule, that are left out because this rule says the same.
    #[serde(default)]
    pub covers: Vec<String>,
    /// What `germ-post check` looks for, and nothing else does.
    #[serde(default)]
    pub check: Vec<CheckFile>,
    /// Changes that `germ-post diff` warns of, and nothing else does.
    #[serde(default)]
    pub danger: Vec<DangerFile>,
    /// What `germ-post export` has to know of it beyond the other faces to make a policy
    /// for the API server.
    #[serde(default)]
    pub admission: Option<AdmissionFile>,
    /// Objects to add to the stream.
    #[serde(default)]
    pub emit: Option<EmitFile>,
    /// Where the rule applies, the run ends with this text: the profile cannot do what
    /// was asked.
    #[serde(default)]
    pub refuse: Option<String>,
    /// Where to look at what the rule is about, the cheapest way first.
    #[serde(default)]
    pub look: Vec<String>,
}

impl RuleFile {
    /// Whether the rule has anything to do with rewriting a stream, rather than
    /// with checking or comparing alone.
    pub fn rewrites(&self) -> bool {
        let edits = !self.edit.is_empty() || !self.parts.is_empty();
        let does = edits || !self.assert.is_empty() || self.emit.is_some() || self.refuse.is_some();
        does || (self.check.is_empty() && self.danger.is_empty())
    }
}

/// A limit to a rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct OnlyFile {
    /// Conditions on parameters under which the limit is in force.
    #[serde(default)]
    pub when: IndexMap<String, Value>,
    /// The objects that are edited.
    #[serde(rename = "match")]
    pub matches: MatchFile,
    /// Why the others are not.
    pub reason: String,
}

/// One kind of object in a rule that edits several as a whole.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PartFile {
    /// Which objects.
    #[serde(rename = "match")]
    pub matches: MatchFile,
    /// The edits to each of them.
    pub edit: Vec<EditFile>,
    /// How many must match.
    #[serde(default)]
    pub expect: Option<String>,
}

/// One edit: exactly one of the operations, with what belongs to it.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct EditFile {
    /// Sets a field to `value`.
    #[serde(default)]
    pub set: Option<String>,
    /// Removes a field or list item.
    #[serde(default)]
    pub remove: Option<String>,
    /// Merges the mapping `value` into a mapping, key by key.
    #[serde(default)]
    pub merge: Option<String>,
    /// Puts `value` at the end of a list unless it is there.
    #[serde(default)]
    pub append: Option<String>,
    /// Puts `value` into a list whose items are told apart by `key`.
    #[serde(default)]
    pub insert: Option<String>,
    /// Keeps only the items of a list that are among `value`.
    #[serde(default)]
    pub retain: Option<String>,
    /// Replaces the text `from` by `to` within a string.
    #[serde(default)]
    pub replace: Option<String>,
    /// Rewrites image references by registry.
    #[serde(default)]
    pub rewrite_image: Option<String>,
    /// Sets a field to a hash of another object's field.
    #[serde(default)]
    pub restamp: Option<String>,
    /// Drops the whole object.
    #[serde(default)]
    pub drop: Option<DropWord>,
    /// Fails unless a field is as `is` says.
    #[serde(default)]
    pub require: Option<String>,
    /// Leaves the object alone and reports it with this reason.
    #[serde(default)]
    pub leave: Option<String>,

    /// For `set`, `merge`, `append`, `insert`, `retain`.
    #[serde(default)]
    pub value: Option<Value>,
    /// For `insert`: the key that tells items apart.
    #[serde(default)]
    pub key: Option<String>,
    /// For `set`, `insert`: stand behind the first of these that is there.
    #[serde(default)]
    pub after: Option<OneOrMany>,
    /// For `replace`.
    #[serde(default)]
    pub from: Option<String>,
    /// For `replace`.
    #[serde(default)]
    pub to: Option<String>,
    /// For `rewriteImage`: new prefixes by registry.
    #[serde(default)]
    pub registries: IndexMap<String, String>,
    /// For `restamp`: the object hashed, and the field in it.
    #[serde(default)]
    pub of: Option<MatchFile>,
    /// For `restamp`: the field that is hashed.
    #[serde(default)]
    pub of_path: Option<String>,
    /// For `require`: what the field must be.
    #[serde(default)]
    pub is: Option<Value>,

    /// Old values that may be replaced; anything else is an error.
    #[serde(default)]
    pub was: Option<Value>,
    /// For `set`: the value that an absent or empty field means anyway, so that
    /// `germ-post check` has nothing to say there.
    #[serde(default)]
    pub means: Option<Value>,
    /// What happens on another old value.
    #[serde(default)]
    pub otherwise: Otherwise,
    /// Conditions on the object's fields.
    #[serde(rename = "if", default)]
    pub condition: IndexMap<String, Value>,
    /// Conditions on parameters.
    #[serde(default)]
    pub when: IndexMap<String, Value>,
    /// A path that leads nowhere is nothing to do rather than an error.
    #[serde(default)]
    pub optional: bool,
    /// Mappings on the way that are not there are made.
    #[serde(default)]
    pub parents: Parents,
    /// Judged by itself: may be done while its neighbours are to be done.
    #[serde(default)]
    pub apart: bool,
    /// What to say when the edit is missed.
    #[serde(default)]
    pub help: Option<String>,
}

/// The word `object`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DropWord {
    /// The whole object.
    Object,
}

/// What happens on an unexpected old value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Otherwise {
    /// The rule is missed.
    #[default]
    Fail,
    /// The object is left alone, and reported.
    Leave,
}

/// What happens when the way to a field is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Parents {
    /// The rule is missed.
    #[default]
    Required,
    /// They are made.
    Create,
}

/// What must hold of the rewritten stream, or post-rendering fails.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AssertFile {
    /// Which objects.
    #[serde(rename = "match")]
    pub matches: MatchFile,
    /// The field.
    pub path: String,
    /// What it must be.
    pub is: Value,
    /// What to say when it is not.
    #[serde(default)]
    pub message: Option<String>,
}

/// The check face of a rule: what is bad. It is looked for in the stream as the
/// profile rewrites it, and in the nodes' configurations.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CheckFile {
    /// In which objects.
    #[serde(rename = "match", default)]
    pub matches: MatchFile,
    /// The field that is looked at; left out, it is the object itself that is bad.
    #[serde(default)]
    pub find: Option<String>,
    /// What the field is when it is bad; left out, its presence is.
    #[serde(default)]
    pub is: Option<Value>,
    /// What must be there as well for this to be bad; shown beside it.
    #[serde(default)]
    pub beside: Vec<BesideFile>,
    /// What must not be there for this to be bad.
    #[serde(default)]
    pub without: Vec<MatchFile>,
    /// Conditions on parameters.
    #[serde(default)]
    pub when: IndexMap<String, Value>,
    /// A check that the program computes, by name.
    #[serde(rename = "use", default)]
    pub computed: Option<String>,
    /// What the computed check is told.
    #[serde(default)]
    pub with: IndexMap<String, Value>,
    /// What to say; `{value}` is the value found. Left out, the rule's title.
    #[serde(default)]
    pub message: Option<String>,
    /// Another severity than the rule's.
    #[serde(default)]
    pub severity: Option<Severity>,
    /// What to do about it.
    #[serde(default)]
    pub help: Option<String>,
}

/// The danger face of a rule: a change that hurts a running cluster. It is looked for
/// between two renderings, as the profile rewrites them.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct DangerFile {
    /// In which objects, as they were; as they are where they are new.
    #[serde(rename = "match", default)]
    pub matches: MatchFile,
    /// What happens to the object; left out, it changes.
    #[serde(default)]
    pub event: Vec<EventWord>,
    /// The field that changes; left out, any change of the object counts.
    #[serde(default)]
    pub find: Option<String>,
    /// What the field was; left out, anything or absent.
    #[serde(default)]
    pub was: Option<Value>,
    /// What the field is now; left out, anything or absent.
    #[serde(default)]
    pub is: Option<Value>,
    /// Conditions on parameters.
    #[serde(default)]
    pub when: IndexMap<String, Value>,
    /// What to say; `{old}` and `{new}` are the values. Left out, the rule's title.
    #[serde(default)]
    pub message: Option<String>,
    /// Another severity than the rule's.
    #[serde(default)]
    pub severity: Option<Severity>,
    /// What to do about it.
    #[serde(default)]
    pub help: Option<String>,
}

/// What happens to an object between two renderings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EventWord {
    /// It is there on both sides and is not the same.
    Changed,
    /// It is gone.
    Removed,
    /// It has another name or namespace: to the cluster it is gone, and another is new.
    Renamed,
    /// It is new.
    Added,
}

/// What a policy of the API server has to know of a rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AdmissionFile {
    /// The one object of the cluster that `when` and `beside` ask about. Where it is not
    /// there, the policy says nothing.
    pub reads: ReadsFile,
}

/// An object of the cluster.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ReadsFile {
    /// Its `apiVersion`.
    pub api_version: String,
    /// Its kind.
    pub kind: String,
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
}

/// Something elsewhere that makes a finding bad.
#[derive(Debug, Clone, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct BesideFile {
    /// In which objects; one of them is enough.
    #[serde(rename = "match", default)]
    pub matches: MatchFile,
    /// The field.
    #[serde(default)]
    pub find: Option<String>,
    /// What the field is; left out, its presence is meant.
    #[serde(default)]
    pub is: Option<Value>,
    /// What to say of it.
    #[serde(default)]
    pub note: Option<String>,
}

/// Objects added to the stream: those of a file, one that is written here, or what the
/// program computes.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct EmitFile {
    /// A YAML stream, relative to the profile's file.
    #[serde(default)]
    pub file: Option<String>,
    /// An object. In a rule with `match` one is added for each object that the rule
    /// edits, and `${.path}` stands for that object's field.
    #[serde(default)]
    pub object: Option<Value>,
    /// Objects that the program computes, by name: for each object that the rule edits
    /// one, or none.
    #[serde(rename = "use", default)]
    pub computed: Option<String>,
    /// What the computed objects are told. A parameter without a value is left out.
    #[serde(default)]
    pub with: IndexMap<String, Value>,
}

/// A change to an inherited rule.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AdjustFile {
    /// A rule id or a prefix of ids.
    pub rule: String,
    /// The rule is out of force.
    #[serde(default)]
    pub off: bool,
    /// The rule leaves these objects alone.
    #[serde(default)]
    pub unless: Option<MatchFile>,
    /// The rule touches these objects only.
    #[serde(default)]
    pub only: Option<MatchFile>,
    /// Another severity.
    #[serde(default)]
    pub severity: Option<Severity>,
    /// Another expectation.
    #[serde(default)]
    pub expect: Option<String>,
    /// Why.
    pub reason: String,
    /// From when on it is meant; reported, never acted on.
    #[serde(default)]
    pub from: Option<String>,
    /// Until when it is meant; reported, never acted on.
    #[serde(default)]
    pub until: Option<String>,
}

/// An inline test of a profile.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TestFile {
    /// What it shows.
    #[serde(default)]
    pub name: Option<String>,
    /// Input: a file, or text.
    #[serde(default)]
    pub stdin: Option<String>,
    /// Input as text.
    #[serde(default)]
    pub input: Option<String>,
    /// Expected output: a file.
    #[serde(default)]
    pub expect: Option<String>,
    /// Expected output as text.
    #[serde(default)]
    pub output: Option<String>,
    /// Expected failure: texts that must occur.
    #[serde(default)]
    pub error: Option<OneOrMany>,
    /// Parameters for this test.
    #[serde(default)]
    pub set: IndexMap<String, Value>,
}
