//! germ-post as a config-management plugin of Argo CD: what an application can say, as
//! Argo CD hands it over, and the files that install the plugin. Everything here takes
//! texts and returns values; the command line reads the environment and runs Helm.
//!
//! Sources: `cmpserver/plugin` and `reposerver/repository` of Argo CD 3.2 and 3.6; the
//! tests run the real `argocd-cmp-server`.

pub mod announcement;
pub mod application;
pub mod install;
pub mod parameter;
pub mod settings;

pub use application::Application;
pub use settings::{Hooks, Settings};
