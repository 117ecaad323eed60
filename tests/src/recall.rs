//! What a plan finds of the methods that a JVM really called.

use crate::calls::Log;
use jfathom_plan::MethodKey;
use jfathom_reachability::{Reached, World};
use std::collections::BTreeSet;

/// A plan beside a run, for the program's own methods with code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recall {
    /// Methods that were called after the root's entry.
    pub called: usize,
    /// Those of them that were called on a thread inside the root.
    pub called_inside: usize,
    /// Methods of the plan.
    pub planned: usize,
    /// Called inside, not planned.
    pub missed: Vec<MethodKey>,
    /// Called outside only, not planned.
    pub missed_outside: Vec<MethodKey>,
    /// Called methods of the program's packages that the world does not have: made at run time, or
    /// from elsewhere.
    pub unknown: Vec<MethodKey>,
}

impl Recall {
    /// Holds the methods that a plan reached against those of a log.
    pub fn of(log: &Log, world: &mut World<'_>, reached: &Reached) -> Self {
        let mut recall =
            Self { planned: reached.program_methods(world).count(), ..Self::default() };
        let inside: BTreeSet<&MethodKey> = log.called(false);
        let packages: BTreeSet<String> = {
            let planned: Vec<_> = reached.program_methods(world).collect();
            planned.into_iter().map(|method| package(&world.key(method).class).to_owned()).collect()
        };
        for key in log.called(true) {
            let Some(method) = world.method(&key.class, &key.name, &key.descriptor) else {
                if packages.contains(package(&key.class)) && !key.class.contains('+') {
                    recall.unknown.push(key.clone());
                }
                continue;
            };
            if !world.is_program(world.class_of_method(method)) || !world.has_code(method) {
                continue;
            }
            let is_inside = inside.contains(key);
            recall.called += 1;
            recall.called_inside += usize::from(is_inside);
            if !reached.contains(method) {
                let missed =
                    if is_inside { &mut recall.missed } else { &mut recall.missed_outside };
                missed.push(key.clone());
            }
        }
        recall
    }

    /// The called methods that are planned.
    pub fn found(&self) -> usize {
        self.called - self.missed.len() - self.missed_outside.len()
    }
}

fn package(class: &str) -> &str {
    class.rsplit_once('/').map_or("", |(package, _)| package)
}
