//! Selection of the methods for an answer.

use super::Expander;
use super::answer::{Answer, ClassMethods, NewMethods, Totals};
use super::scheme_state::Mark;
use crate::{ClassId, MethodIx, Versions};
use std::collections::BTreeMap;

impl Expander<'_> {
    /// Counts so far.
    pub fn totals(&self) -> Totals {
        Totals { chosen: self.chosen().count(), ..self.totals }
    }

    /// [`Totals::versions`] alone.
    pub fn versions(&self) -> Versions {
        self.totals.versions
    }

    /// Whether a method is chosen.
    pub fn is_chosen(&self, method: MethodIx) -> bool {
        self.wanted.mark(method).has(Mark::CHOSEN)
    }

    /// All chosen methods.
    pub fn chosen(&self) -> impl Iterator<Item = MethodIx> + '_ {
        self.wanted.marked(Mark::CHOSEN)
    }

    pub(super) fn answer(&mut self, loading: Option<ClassId>) -> Answer {
        let mut by_class: BTreeMap<ClassId, Vec<MethodIx>> = BTreeMap::new();
        for method in std::mem::take(&mut self.wanted.new_methods) {
            let class = self.context.world.class_of_method(method);
            if Some(class) != loading && self.tracked(class).copies > 0 {
                by_class.entry(class).or_default().push(method);
            }
        }
        let mut retransform: Vec<ClassMethods> = Vec::with_capacity(by_class.len());
        for (class, mut methods) in by_class {
            let tracked = self.tracked_mut(class);
            tracked.retransformed += 1;
            let retransformed = tracked.retransformed;
            let from = |bound: u32| bound > 0 && retransformed >= bound;
            let whole = from(self.ahead.whole_from);
            if whole || from(self.ahead.possible_from) {
                methods.extend(self.choose_by_lookahead(class, whole));
            }
            methods.sort_unstable();
            self.totals.most_retransformed = self.totals.most_retransformed.max(retransformed);
            retransform.push(ClassMethods { class, methods });
        }
        self.totals.batches += usize::from(!retransform.is_empty());
        self.totals.retransformations += retransform.len();
        if let Some(class) = loading
            && self.ahead.possible_at_load
            && self.context.world.methods_of(class).any(|method| self.is_chosen(method))
        {
            self.choose_by_lookahead(class, false);
        }
        let at_load = loading.and_then(|class| {
            let methods: Vec<MethodIx> = self
                .context
                .world
                .methods_of(class)
                .filter(|&method| self.is_chosen(method))
                .collect();
            (!methods.is_empty()).then_some(ClassMethods { class, methods })
        });
        self.totals.at_load += usize::from(at_load.is_some());
        if at_load.is_some() || !retransform.is_empty() {
            return Answer::Instrument(NewMethods { at_load, retransform });
        }
        match self.context.needs.pop() {
            Some(name) => Answer::NeedClass(self.context.world.names().text(name).to_vec()),
            None => Answer::Idle,
        }
    }

    /// Chooses further methods of a class by lookahead: all (`whole`), or all that can be called.
    /// Returns the new ones.
    fn choose_by_lookahead(&mut self, class: ClassId, whole: bool) -> Vec<MethodIx> {
        let possible = |method| {
            self.possible.as_ref().is_some_and(|state| state.mark(method).has(Mark::CHOSEN))
        };
        let methods = self.context.world.methods_of(class);
        // Skipped methods are never chosen.
        let mut new: Vec<MethodIx> = methods
            .filter(|&method| self.context.can_be_chosen(method) && (whole || possible(method)))
            .collect();
        new.retain(|&method| self.wanted.set(method, Mark::CHOSEN));
        new
    }
}
