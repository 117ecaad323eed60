//! The source of the methods to plan: the expander, or under `total` each class.

use crate::Options;
use jfathom_plan::Scheme;
use jfathom_reachability::{
    self as reachability, Expander, ExpansionOptions, Lookahead, Versions, World,
};

pub(super) enum Driver<'w> {
    Expand(Box<Expander<'w>>),
    /// All methods of the program's classes; class files of known classes.
    Total(Box<World<'w>>, Versions),
    /// The session is over.
    Ended,
}

impl<'w> Driver<'w> {
    pub(super) fn new(world: World<'w>, services: &[(String, String)], options: &Options) -> Self {
        let scheme = match options.scheme {
            Scheme::Lazy => reachability::Scheme::Lazy,
            Scheme::Eager => reachability::Scheme::Eager,
            // The options refuse `static`, which is for jars.
            Scheme::Static | Scheme::Total => {
                return Self::Total(Box::new(world), Versions::default());
            }
        };
        let (jdk_methods, services, ahead) =
            (options.include_jdk, services.to_vec(), Lookahead::default());
        Self::Expand(Box::new(Expander::new(
            world,
            &ExpansionOptions { scheme, jdk_methods, services, ahead },
        )))
    }

    pub(super) fn world(&self) -> Option<&World<'w>> {
        match self {
            Self::Expand(expander) => Some(expander.world()),
            Self::Total(world, _) => Some(world),
            Self::Ended => None,
        }
    }

    /// Class files of known classes so far.
    pub(super) fn versions(&self) -> Versions {
        match self {
            Self::Expand(expander) => expander.versions(),
            Self::Total(_, versions) => *versions,
            Self::Ended => Versions::default(),
        }
    }

    /// Ends the session. Returns the world.
    pub(super) fn end(&mut self) -> Option<World<'w>> {
        match std::mem::replace(self, Self::Ended) {
            Self::Expand(expander) => Some(expander.into_world()),
            Self::Total(world, _) => Some(*world),
            Self::Ended => None,
        }
    }
}
