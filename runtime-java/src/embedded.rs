//! The classes that the build script has compiled.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
