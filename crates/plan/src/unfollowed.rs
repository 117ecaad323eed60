//! What the analysis of roots could not follow, so that calls inside them may be missing from a
//! plan.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Why calls may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Unfollowed {
    /// A method calls `Method.invoke` and no constant in it names what.
    ReflectiveCall,
    /// A method makes objects by reflection and no constant in it names the class.
    ReflectiveConstruction,
    /// A method loads classes by names that are no constants in it.
    ComputedClassName,
    /// A native method of the program: its code may call back.
    NativeMethod,
    /// A class or method that is named and that is nowhere in the inputs.
    Missing,
    /// A method whose code could not be read.
    UnreadableCode,
}

impl Unfollowed {
    /// All, in the order in which files number them.
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

    /// What it counts, for people: one of them, and several.
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

/// How often each reason was met: methods, but for [`Unfollowed::Missing`]. Reasons that were not
/// met are not in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnfollowedCounts(BTreeMap<Unfollowed, u32>);

impl UnfollowedCounts {
    /// Counts some more.
    pub fn add(&mut self, reason: Unfollowed, count: u32) {
        if count > 0 {
            let known = self.0.entry(reason).or_default();
            *known = known.saturating_add(count);
        }
    }

    /// Takes the larger count of each reason: that of two recordings of one plan is the plan's.
    pub fn take_larger(&mut self, other: &Self) {
        for (reason, count) in other.iter() {
            let known = self.0.entry(reason).or_default();
            *known = count.max(*known);
        }
    }

    /// How often a reason was met.
    pub fn get(&self, reason: Unfollowed) -> u32 {
        self.0.get(&reason).copied().unwrap_or(0)
    }

    /// Reasons that were met, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (Unfollowed, u32)> + '_ {
        self.0.iter().map(|(&reason, &count)| (reason, count))
    }

    /// Whether nothing was met.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
