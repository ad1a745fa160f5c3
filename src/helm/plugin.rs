//! The plugins that make `--post-renderer germ-post` work in Helm 4 and `helm germ-post …` in
//! both Helms. Helm 3 and Helm 4 look for plugins in one folder, and a single plugin of the
//! new form in it makes Helm 3 lose all of its plugins; the old form works in both, but there
//! is none of it for post-renderers. Source: both run in `tests/helm/plugins.rs`.

/// How a `plugin.yaml` is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As Helm 3 reads it, and Helm 4 as well.
    Old,
    /// As only Helm 4 reads it.
    New,
}

/// A plugin of germ-post's.
#[derive(Debug, Clone, Copy)]
pub struct Plugin {
    /// Its name, and that of its folder.
    pub name: &'static str,
    /// What is to be typed to use it.
    pub usage: &'static str,
    text: &'static str,
}

const COMMANDS_OLD: Plugin = Plugin {
    name: "germ-post",
    usage: "helm germ-post --profile talos -- upgrade --install …",
    text: include_str!("../../deploy/helm3/germ-post/plugin.yaml"),
};

const POST_RENDERER: Plugin = Plugin {
    name: "germ-post",
    usage: "helm upgrade --install … --post-renderer germ-post --post-renderer-args --profile=talos",
    text: include_str!("../../deploy/helm4/germ-post/plugin.yaml"),
};

const COMMANDS_NEW: Plugin = Plugin {
    name: "germ-post-cli",
    usage: COMMANDS_OLD.usage,
    text: include_str!("../../deploy/helm4/germ-post-cli/plugin.yaml"),
};

/// The plugins of a form.
pub fn plugins(form: Form) -> &'static [Plugin] {
    match form {
        Form::Old => &[COMMANDS_OLD],
        Form::New => &[POST_RENDERER, COMMANDS_NEW],
    }
}

impl Plugin {
    /// Its `plugin.yaml`, for a program of that name in its folder, or for the one in `PATH`.
    pub fn text(&self, in_folder: Option<&str>) -> String {
        match in_folder {
            None => self.text.to_owned(),
            Some(program) => self
                .text
                .replace("command: germ-post\n", &format!("command: ${{HELM_PLUGIN_DIR}}/{program}\n")),
        }
    }
}

/// The form of a `plugin.yaml`.
pub fn form(text: &str) -> Form {
    match field(text, "apiVersion") {
        Some(_) => Form::New,
        None => Form::Old,
    }
}

/// Whether a `plugin.yaml` is one of germ-post's.
pub fn is_ours(text: &str) -> bool {
    let names = [COMMANDS_OLD.name, COMMANDS_NEW.name];
    field(text, "name").is_some_and(|name| names.contains(&name.trim_matches(['"', '\''])))
}

/// The value of a field, which is written at the line's beginning.
fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':').map(str::trim))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_apart() {
        for expected in [Form::Old, Form::New] {
            for plugin in plugins(expected) {
                assert_eq!(form(plugin.text), expected, "{}", plugin.text);
                assert!(is_ours(plugin.text));
                assert_eq!(field(plugin.text, "name"), Some(plugin.name));
            }
        }
        assert!(!is_ours("name: diff\nusage: germ-post\n"));
    }

    #[test]
    fn the_program_is_that_of_the_path_or_that_of_the_folder() {
        for plugin in [Form::Old, Form::New].into_iter().flat_map(plugins) {
            assert!(plugin.text(None).contains("command: germ-post\n"));
            assert!(plugin.text(Some("x")).contains("command: ${HELM_PLUGIN_DIR}/x\n"), "{plugin:?}");
        }
    }
}
