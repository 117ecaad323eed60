//! Collapsed stacks, and their sums.

use crate::collapsed;
use jfathom_profile::Profile;
use jfathom_testkit::small_profile;
use jfathom_views::{Limits, Pruned, Scope, Shown, StackWeight};
use std::path::Path;

pub(super) fn collapsed_of(profile: &Profile, limits: Limits, weight: StackWeight) -> String {
    let scope = Scope::default();
    let corrected = scope.corrected(profile);
    let shown = Shown::new(profile, corrected.as_ref(), &scope);
    let mut out = Vec::new();
    collapsed(&Pruned::new(shown, limits), weight, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Compares with `goldens/NAME`; with `BLESS=1` in the environment it writes the file instead.
fn golden(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, actual).unwrap();
    }
    assert_eq!(actual, std::fs::read_to_string(&path).unwrap_or_default(), "{}", path.display());
}

fn numbers(text: &str) -> impl Iterator<Item = u64> {
    text.lines().map(|line| line.rsplit(' ').next().unwrap().parse().unwrap())
}

#[test]
fn each_path_is_a_line() {
    let all = Limits::default();
    let profile = small_profile::profile();
    golden("self.collapsed", &collapsed_of(&profile, all, StackWeight::SelfTime));
    golden("calls.collapsed", &collapsed_of(&profile, all, StackWeight::Calls));
    let corrected = small_profile::calibrated();
    golden("calibrated.collapsed", &collapsed_of(&corrected, all, StackWeight::SelfTime));
}

#[test]
fn limits_move_time_up_and_keep_the_sum() {
    let profile = small_profile::profile();
    for (threshold, depth) in
        [(0.0, None), (5.0, None), (15.0, None), (100.0, None), (0.0, Some(0)), (0.0, Some(1))]
    {
        let text = collapsed_of(&profile, Limits { depth, threshold }, StackWeight::SelfTime);
        assert_eq!(numbers(&text).sum::<u64>(), 10_000_000 + 32_000, "{threshold} {depth:?}");
    }
}
