//! The documentation is true: what it shows is run, what can be made from the code is made
//! from it, every link leads somewhere, and the book has every page.

#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../support/mod.rs"]
mod support;

mod book;
mod console;
mod examples;
mod links;
mod reference;
mod rules;
mod session;
