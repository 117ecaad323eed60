//! Classes of one name of which there were too many versions.

use jfathom_reachability::{ClassId, World};
use jfathom_session::MethodsFileLine;
use std::collections::BTreeSet;

/// The user gets at most this many names of such classes.
const NAMED: usize = 10;

/// Names with more versions of a class than [`World::FILES`]. The plan of such a name is by the
/// first ones.
#[derive(Debug, Default)]
pub(super) struct Conflicts {
    /// Names without a planned method so far.
    unplanned: BTreeSet<ClassId>,
    /// Names reported to the user: the recording lacks methods of their classes.
    reported: BTreeSet<ClassId>,
    unnamed: usize,
}

impl Conflicts {
    /// A version of the class is left out.
    pub fn add(&mut self, class: ClassId) {
        if !self.reported.contains(&class) {
            self.unplanned.insert(class);
        }
    }

    /// Classes whose plans decide whether the recording lacks something.
    pub fn unplanned(&self) -> impl Iterator<Item = ClassId> + '_ {
        self.unplanned.iter().copied()
    }

    /// The classes of this name are unloaded.
    pub fn forget(&mut self, class: ClassId) {
        self.unplanned.remove(&class);
    }

    /// Something is planned in the class of this name. Returns the line for the user.
    pub fn report(&mut self, class: ClassId, name: &str) -> Option<MethodsFileLine> {
        self.unplanned.remove(&class);
        if !self.reported.insert(class) {
            return None;
        }
        if self.reported.len() > NAMED {
            self.unnamed += 1;
            return None;
        }
        Some(MethodsFileLine::Loss(format!(
            "{name} was loaded in more than {} versions: methods that only later ones have or call \
             may be missing",
            World::FILES
        )))
    }

    /// The line for those that were not named.
    pub fn rest(&self) -> Option<MethodsFileLine> {
        (self.unnamed > 0).then(|| {
            MethodsFileLine::Loss(format!(
                "{} more classes were loaded in more than {} versions",
                self.unnamed,
                World::FILES
            ))
        })
    }
}
