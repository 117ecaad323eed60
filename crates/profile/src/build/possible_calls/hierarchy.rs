//! The types above and below the known classes.

use jfathom_plan::is_jdk;
use rustc_hash::{FxHashMap, FxHashSet};

/// Superclass and interfaces, by [`class_hash`] of the known classes.
///
/// [`class_hash`]: jfathom_plan::class_hash
#[derive(Debug, Default)]
pub(super) struct Hierarchy {
    above: FxHashMap<u32, Above>,
    /// The known classes below a class, and itself.
    below: FxHashMap<u32, Vec<u32>>,
    is_live: bool,
    /// `java/lang/Object`.
    object: u32,
}

#[derive(Debug, Default)]
struct Above {
    /// All types above the class, and the class.
    all: FxHashSet<u32>,
    /// Whether one of them, `java/lang/Object` excepted, is not known.
    has_unknown: bool,
}

impl Hierarchy {
    /// From superclass and interfaces of each known class.
    pub fn new(direct: &FxHashMap<u32, Vec<u32>>, object: u32, is_live: bool) -> Self {
        let mut hierarchy = Self { object, is_live, ..Self::default() };
        for name in direct.keys() {
            let mut above = Above::default();
            let mut open = vec![*name];
            while let Some(of) = open.pop() {
                if above.all.insert(of) {
                    match direct.get(&of) {
                        Some(more) => open.extend(more),
                        None => above.has_unknown |= of != object && hierarchy.is_outside(of),
                    }
                }
            }
            for of in &above.all {
                hierarchy.below.entry(*of).or_default().push(*name);
            }
            hierarchy.above.insert(*name, above);
        }
        hierarchy
    }

    /// Whether a type that is not known may be called by code without probes. In a live session
    /// all code that can be reached has probes, but the JDK's.
    fn is_outside(&self, unknown: u32) -> bool {
        !self.is_live || is_jdk(unknown)
    }

    /// Whether a method that is called on `owner` may be one of a type that is not known; `true`
    /// if `owner` itself is not.
    pub fn has_unknown(&self, owner: u32) -> bool {
        self.above.get(&owner).map_or_else(|| self.is_outside(owner), |above| above.has_unknown)
    }

    /// Whether `above` is `of` or a type above it, as far as is known.
    pub fn is_below(&self, of: u32, above: u32) -> bool {
        self.above.get(&of).is_some_and(|types| types.all.contains(&above))
    }

    /// Whether a call of a method as `owner` has it can be one of the method that `class` declares.
    pub fn is_related(&self, owner: u32, class: u32) -> bool {
        let may_be_below = |of: u32, above: u32| {
            let types = self.above.get(&of);
            types.is_some_and(|types| {
                types.all.contains(&above) || types.has_unknown && !self.above.contains_key(&above)
            })
        };
        owner == self.object
            || may_be_below(class, owner)
            || self.is_below(owner, class)
            || self
                .below
                .get(&class)
                .is_some_and(|all| all.iter().any(|of| may_be_below(*of, owner)))
    }
}
