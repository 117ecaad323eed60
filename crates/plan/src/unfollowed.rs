//! Code that the reachability analysis could not follow. A plan may lack the calls behind it.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the analysis could not follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Unfollowed {
    /// A method calls `Method.invoke`, and no constant in it names the target.
    ReflectiveCall,
    /// A method instantiates by reflection, and no constant in it names the class.
    ReflectiveConstruction,
    /// A method loads classes by names that are not constants in it.
    ComputedClassName,
    /// A native method of the program: its code may call back.
    NativeMethod,
    /// A class or method that a reached method names and that no input has.
    Missing,
    /// A method whose code could not be read.
    UnreadableCode,
}

impl Unfollowed {
    /// All kinds, in the order of the profile file's header.
    pub const ALL: [Self; 6] = [
        Self::ReflectiveCall,
        Self::ReflectiveConstruction,
        Self::ComputedClassName,
        Self::NativeMethod,
        Self::Missing,
        Self::UnreadableCode,
    ];

    /// The name in manifests and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ReflectiveCall => "reflective-call",
            Self::ReflectiveConstruction => "reflective-construction",
            Self::ComputedClassName => "computed-class-name",
            Self::NativeMethod => "native-method",
            Self::Missing => "missing",
            Self::UnreadableCode => "unreadable-code",
        }
    }

    /// The term for one of them, and for several.
    pub const fn words(self) -> [&'static str; 2] {
        match self {
            Self::ReflectiveCall => ["reflective call", "reflective calls"],
            Self::ReflectiveConstruction => {
                ["construction by reflection", "constructions by reflection"]
            }
            Self::ComputedClassName => {
                ["class name that is computed", "class names that are computed"]
            }
            Self::NativeMethod => ["native method", "native methods"],
            Self::Missing => {
                ["class or method that is nowhere", "classes or methods that are nowhere"]
            }
            Self::UnreadableCode => ["method that cannot be read", "methods that cannot be read"],
        }
    }
}

/// Number of methods by kind; for [`Unfollowed::Missing`], of missing classes and methods. Kinds
/// without any are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnfollowedCounts(BTreeMap<Unfollowed, u32>);

impl UnfollowedCounts {
    /// Adds to a count.
    pub fn add(&mut self, reason: Unfollowed, count: u32) {
        if count > 0 {
            let sum = self.0.entry(reason).or_default();
            *sum = sum.saturating_add(count);
        }
    }

    /// Sets each count to the larger of both. Recordings of one plan have equal counts, so merging
    /// must not add them.
    pub fn take_larger(&mut self, other: &Self) {
        for (reason, count) in other.iter() {
            let largest = self.0.entry(reason).or_default();
            *largest = count.max(*largest);
        }
    }

    /// The count of a kind.
    pub fn get(&self, reason: Unfollowed) -> u32 {
        self.0.get(&reason).copied().unwrap_or(0)
    }

    /// The kinds with a count, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Unfollowed, u32)> + '_ {
        self.0.iter().map(|(&reason, &count)| (reason, count))
    }

    /// Whether all counts are zero.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
