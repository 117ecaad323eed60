//! The world's methods of summarized classes.

use crate::{root_query::RootQuery, summaries::Summaries};
use jfathom_reachability::{ClassId, MethodIx};
use std::cell::Cell;

/// Finds the world's methods of class summaries. It is fast for methods of one class in a row.
pub(crate) struct MethodFinder<'a> {
    query: &'a RootQuery<'a>,
    summaries: &'a Summaries,
    /// The class of the previous question, by the index of its summary.
    previous: Cell<Option<(usize, Option<ClassId>)>>,
}

impl<'a> MethodFinder<'a> {
    pub(crate) fn new(query: &'a RootQuery<'a>, summaries: &'a Summaries) -> Self {
        Self { query, summaries, previous: Cell::new(None) }
    }

    /// The world's method, by the indices of class and method; `None` if the world's version of the
    /// class has no such method, or nothing loaded the class.
    pub(crate) fn method(&self, class: usize, method: usize) -> Option<MethodIx> {
        let summary = self.summaries.classes.get(class)?;
        let of_world = match self.previous.get() {
            Some((previous, of_world)) if previous == class => of_world,
            _ => {
                let of_world = self.query.world.loaded_class(&summary.name);
                self.previous.set(Some((class, of_world)));
                of_world
            }
        };
        let key = summary.methods.get(method)?;
        self.query.world.method_near(of_world?, method, &key.name, &key.descriptor)
    }

    /// Whether a method is in the call subgraph. In a container with classes for several releases
    /// of Java, methods that the analyzed version of a class does not have follow their class.
    pub(crate) fn keeps(&self, class: usize, method: usize) -> bool {
        match self.method(class, method) {
            Some(known) => self.query.reached.contains(known),
            None => self.follows_class(class, method),
        }
    }

    fn follows_class(&self, class: usize, method: usize) -> bool {
        self.summaries.classes.get(class).is_some_and(|class| {
            method < class.methods.len()
                && self.query.has_class(&class.name)
                && self.summaries.versioned.contains(&class.name)
        })
    }
}
