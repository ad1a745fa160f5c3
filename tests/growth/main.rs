//! Guards the shape of growth: four times the input, the documents, the rules or the
//! edits take at most about four times the work. Work is counted, never timed:
//! allocations and their bytes in every run, and instructions where valgrind is
//! installed, which sees loops that allocate nothing as well.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "only tests run it")]

mod allocations;
mod instructions;
mod shapes;
