//! The library stays loaded: a JVM closes one whose attachment fails, though its callbacks, statics
//! and native methods are in use as long as the JVM lives.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
}
