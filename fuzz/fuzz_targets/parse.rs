//! The parser layer: spans and refusals.
#![no_main]
#![allow(dead_code, reason = "each program calls one of the targets")]

#[path = "../../tests/fuzz/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::parse(bytes));
