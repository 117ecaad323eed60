//! What says which methods are asked for: the expander, or under `total` nobody.

use super::class_entry::PlanDefaults;
use crate::Options;
use jfathom_plan::Scheme;
use jfathom_reachability::{
    self as reachability, ClassId, Expander, ExpansionOptions, Lookahead, World,
};

pub(super) enum Driver<'w> {
    Expand(Box<Expander<'w>>),
    /// All methods of the program's classes.
    Total(Box<World<'w>>),
    /// The session is over.
    Ended,
}

impl<'w> Driver<'w> {
    pub(super) fn new(world: World<'w>, services: &[(String, String)], options: &Options) -> Self {
        let scheme = match options.scheme {
            Scheme::Lazy => reachability::Scheme::Lazy,
            Scheme::Eager => reachability::Scheme::Eager,
            // The options refuse `static`, which is for jars.
            Scheme::Static | Scheme::Total => return Self::Total(Box::new(world)),
        };
        let (jdk_methods, services, ahead) =
            (options.jdk_methods, services.to_vec(), Lookahead::default());
        Self::Expand(Box::new(Expander::new(
            world,
            &ExpansionOptions { scheme, jdk_methods, services, ahead },
        )))
    }

    pub(super) fn world(&self) -> Option<&World<'w>> {
        match self {
            Self::Expand(expander) => Some(expander.world()),
            Self::Total(world) => Some(world),
            Self::Ended => None,
        }
    }

    /// The world, which nobody drives any more.
    pub(super) fn end(&mut self) -> Option<World<'w>> {
        match std::mem::replace(self, Self::Ended) {
            Self::Expand(expander) => Some(expander.into_world()),
            Self::Total(world) => Some(*world),
            Self::Ended => None,
        }
    }
}

/// What a plan of the class is made with. Hand-offs are followed from the program's own code: the
/// JDK's is walked through.
pub(super) fn terms(options: &Options, world: Option<&World<'_>>, class: ClassId) -> PlanDefaults {
    PlanDefaults { hand_offs: world.is_some_and(|world| world.is_program(class)), pin: options.pin }
}
