//! Documents at the limits: long keys, deep nesting, large block scalars.

/// All the documents.
pub fn documents() -> Vec<String> {
    let mut documents = Vec::new();
    for length in [1000, 1022, 1023, 1024, 1025, 1026, 2000] {
        let (ascii, wide) = ("k".repeat(length), "é".repeat(length));
        for key in [&ascii, &wide] {
            documents.push(format!("{key}: v\n"));
            documents.push(format!("\"{}\": v\n", &key[..key.len() - 4]));
            documents.push(format!("{{{key}: v}}\n"));
            documents.push(format!("? {key}\n: v\n"));
            documents.push(format!("- &a {key}: v\n"));
        }
    }
    for depth in [50, 99, 100, 101, 120, 999, 1000, 1001] {
        documents.push((0..depth).map(|level| format!("{}a:\n", " ".repeat(level))).collect());
        documents.push("- ".repeat(depth) + "a\n");
        documents.push("[".repeat(depth) + &"]".repeat(depth));
        documents.push("{a: ".repeat(depth) + &"}".repeat(depth));
    }
    // Each anchor holds the one before, deeper than any document nests itself.
    let mut chain = "a0: &a0 x\n".to_owned();
    for level in 1..30 {
        let (open, close) = ("[".repeat(40), "]".repeat(40));
        chain += &format!("a{level}: &a{level} {open}*a{}{close}\n", level - 1);
    }
    documents.push(chain);
    documents
}
