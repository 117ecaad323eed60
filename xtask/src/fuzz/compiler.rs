//! The compiler of the fuzz targets.

use std::{
    env,
    process::{Command, Stdio},
};

/// Cargo with a compiler that takes the flags of cargo-fuzz: nightly where rustup has one, else the
/// stable compiler, told to accept unstable flags.
pub fn cargo() -> Command {
    command(has_nightly())
}

fn command(nightly: bool) -> Command {
    if nightly {
        let mut cargo = Command::new("cargo");
        cargo.arg("+nightly");
        return cargo;
    }
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.env("RUSTC_BOOTSTRAP", "1");
    cargo
}

/// Whether rustup has a nightly compiler. Asking installs none.
fn has_nightly() -> bool {
    Command::new("cargo")
        .args(["+nightly", "--version"])
        .env("RUSTUP_AUTO_INSTALL", "0")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stable_compiler_is_told_to_accept_unstable_flags() {
        let is_told = |nightly| {
            let cargo = command(nightly);
            let mut variables = cargo.get_envs().filter_map(|(name, value)| Some((name, value?)));
            variables.any(|variable| variable == ("RUSTC_BOOTSTRAP".as_ref(), "1".as_ref()))
        };
        assert!(is_told(false));
        assert!(!is_told(true));
        assert_eq!(command(true).get_args().next(), Some("+nightly".as_ref()));
    }
}
