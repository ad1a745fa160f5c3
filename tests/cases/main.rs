//! Hard inputs with the right answer, each a folder: the handed ones, and our
//! own beside this file. A folder is found by itself, so that a bug report
//! becomes a test by adding files only; `case.rs` says which.

// A panic is how a test fails and stderr is what it says, in its helpers as well.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr)]

#[path = "../support/mod.rs"]
mod support;

mod case;
mod check;
mod handed;
mod own;
