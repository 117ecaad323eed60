//! What the build script compiled.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
