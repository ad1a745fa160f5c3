//! Kubernetes objects in a stream: what a document is, which objects it holds,
//! which template it came from, and which pods a selector means.

pub mod head;
pub mod home;
pub mod identity;
pub mod objects;
pub mod selector;
pub mod template;

pub use head::Head;
pub use home::Home;
pub use identity::Identity;
pub use objects::ObjectRef;
