//! Lossless editing: patch operations become byte splices over the source text,
//! written in the style of the text around them.
