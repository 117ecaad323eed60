//! Two profiles side by side.

use jfathom_compare::Diff;
use jfathom_profile::Profile;

/// Two profiles with their difference and what they are called.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'a> {
    /// The base.
    pub base: &'a Profile,
    /// The new profile.
    pub new: &'a Profile,
    /// What they are called, the base first.
    pub called: [&'a str; 2],
    /// Their difference.
    pub diff: &'a Diff,
}
