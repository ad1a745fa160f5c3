//! Hard inputs with the right answer, each a folder: the handed ones, and our
//! own beside this file. A folder is found by itself, so that a bug report
//! becomes a test by adding files only; `CONTRIBUTING.md` says which files.

#[path = "../support/mod.rs"]
mod support;

mod case;
mod check;
mod handed;
mod own;
