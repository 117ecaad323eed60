//! The `jfathom` binary; everything stands in the library.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    jfathom_cli::main()
}
