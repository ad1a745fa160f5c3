//! Two values of one object → where they differ for Kubernetes, in words that are the same
//! on both sides, and which of it every rendering changes anyway.

pub mod churn;
pub mod lists;
pub mod quantity;
pub mod step;
pub mod walk;
