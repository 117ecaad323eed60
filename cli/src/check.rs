//! The check of outputs by other readers: whether it is wanted, and its messages.

use crate::when::When;
use anyhow::{Result, bail};
use jfathom_check::Outcome;
use jfathom_instrument::{Faults, ReadBack};
use jfathom_report::number::counted;

/// Whether `CI` is set, as services do that build and test programs.
fn is_ci() -> bool {
    std::env::var_os("CI")
        .is_some_and(|value| !value.is_empty() && !value.eq_ignore_ascii_case("false"))
}

/// Whether outputs are compared with their originals: as `--check` says, else as the environment
/// says.
pub(crate) fn is_wanted(check: When) -> bool {
    check.is_on(is_ci)
}

/// One sentence about outputs that were read back, and a list of what was not checked.
pub(crate) fn summary(outputs: &[ReadBack], verbose: bool) -> String {
    let sum = |count: fn(&Outcome) -> usize| {
        outputs.iter().map(|output| count(&output.outcome)).sum::<usize>()
    };
    let (equal, unchecked) =
        (sum(|outcome| outcome.equal), sum(|outcome| outcome.not_checked.len()));
    let mut text = String::new();
    let classes =
        counted(equal, "changed class is its original", "changed classes are their originals");
    let entries = counted(sum(|outcome| outcome.entries), "entry", "entries");
    put_line!(text, "checked by other readers: {entries}, {classes} without the probes");
    if unchecked > 0 {
        let hint = if verbose { "" } else { " (-v lists them)" };
        let [one, many] =
            ["part that these readers refuse was", "parts that these readers refuse were"];
        put_line!(text, "{} not checked{hint}", counted(unchecked, one, many));
    }
    for output in outputs.iter().filter(|_| verbose) {
        for found in &output.outcome.not_checked {
            put_line!(text, "  {}!{found}: not checked", output.path.display());
        }
    }
    text
}

/// Fails with the faults of outputs. `then` is the consequence for the user.
pub(crate) fn refuse<T>(faults: &Faults, then: &str) -> Result<T> {
    bail!("{faults}\n  {then}")
}
