//! The `jfathom` command, for the tests.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    jfathom_cli::main()
}
