//! What is said of classes that got probes.

use super::class_entry::PlannedMethod;
use super::{Actions, Engine, MethodSlot, RewrittenClass};
use jfathom_plan::{ClassSummary, InstrumentedMethod, MethodKey, MethodSummary, Scheme};
use jfathom_reachability::ClassId;
use jfathom_rewriter::{Digests, summarize};
use jfathom_session::{ClassLine, InstrumentedAt, MethodsFileLine, RootState};
use std::collections::{BTreeSet, HashMap};

/// The methods of a class file by name and descriptor.
type Methods<'s> = HashMap<(&'s str, &'s str), &'s MethodSummary>;

impl Engine<'_> {
    /// A class was rewritten by a plan. To be called before the bytes are handed to the JVM: the
    /// step's lines are to be written and its modes to be set before that.
    pub fn rewritten(&mut self, class: &RewrittenClass<'_>) -> Actions {
        let mut step = Actions::default();
        let Some(world) = self.driver.world() else { return step };
        let Some(id) = world.names().find(class.name).and_then(|name| world.known(name)) else {
            return step;
        };
        self.say_skips(class, &mut step);
        self.count(id, class);
        if self.is_known(id, class) {
            return step;
        }
        let survey = summarize(class.original, Digests::Compute).unwrap_or_default();
        let methods: Methods<'_> = survey
            .methods
            .iter()
            .map(|it| ((it.name.as_str(), it.descriptor.as_str()), it))
            .collect();
        self.settle_done(id, class, &survey, &methods, &mut step);
        for place in self.not_done(id, class, &methods) {
            self.refuse(place, &mut step);
        }
        self.replan(&BTreeSet::from([id]));
        self.finish(step, None)
    }

    fn count(&mut self, id: ClassId, class: &RewrittenClass<'_>) {
        let Some(seat) = self.seats.get_mut(&id) else { return };
        match class.how {
            InstrumentedAt::Load => self.totals.at_load += 1,
            InstrumentedAt::Retransform => {
                self.totals.retransformations += 1;
                self.totals.retransformed_classes += u64::from(seat.redefined == 0);
                seat.redefined += 1;
                self.totals.most_retransformed = self.totals.most_retransformed.max(seat.redefined);
            }
        }
    }

    /// Whether there is nothing to say of the class that was not said of another of its name, or
    /// before.
    fn is_known(&self, id: ClassId, class: &RewrittenClass<'_>) -> bool {
        let open = |row: &PlannedMethod| {
            row.since <= class.version && !row.state.done && !row.state.refused
        };
        self.seats.get(&id).is_none_or(|seat| !seat.rows.iter().any(open))
    }

    /// The methods that got probes: their lines and modes.
    fn settle_done(
        &mut self,
        id: ClassId,
        class: &RewrittenClass<'_>,
        survey: &ClassSummary,
        methods: &Methods<'_>,
        step: &mut Actions,
    ) {
        let lazy = self.options.scheme == Scheme::Lazy;
        let all_timed = self.options.all_timed;
        let Some(seat) = self.seats.get_mut(&id) else { return };
        let done: HashMap<_, _> = class.done.iter().map(|it| (it.id, it)).collect();
        let mut lines = Vec::new();
        for row in &mut seat.rows {
            let Some(done) = done.get(&row.id) else { continue };
            let method = methods.get(&(row.name.as_str(), row.descriptor.as_str())).copied();
            let trivial = method.is_some_and(|method| method.trivial);
            if std::mem::replace(&mut row.state.done, true) {
                continue;
            }
            if lazy && !row.state.called {
                step.first.push(row.id);
            }
            if trivial && row.root.is_none() && !all_timed {
                step.counted.push(row.id);
            }
            if self.told.insert(row.id) {
                lines.push(InstrumentedMethod {
                    id: row.id,
                    name: row.name.clone(),
                    descriptor: row.descriptor.clone(),
                    line: method.and_then(|method| method.first_line),
                    digest: method.map(|method| method.digest).unwrap_or_default(),
                    root: row.root.is_some(),
                    trivial,
                    waits: method.is_some_and(|method| method.waits),
                    pinned: done.pinned,
                });
            }
            if let Some(root) = row.root {
                let (name, descriptor) = (row.name.clone(), row.descriptor.clone());
                let key = MethodKey { class: survey.name.clone(), name, descriptor };
                step.lines.extend(self.roots.line(root, RootState::Live, Some(key.selector())));
            }
        }
        if !lines.is_empty() {
            let (name, source) = (survey.name.clone(), survey.source.clone());
            let line = MethodsFileLine::Class(ClassLine {
                name,
                source,
                at: 0,
                how: class.how,
                methods: lines,
            });
            step.lines.insert(0, line);
        }
    }

    /// The methods that this version of the plan names, that the class has, and that no class of
    /// the name got probes for.
    fn not_done(
        &self,
        id: ClassId,
        class: &RewrittenClass<'_>,
        methods: &Methods<'_>,
    ) -> Vec<MethodSlot> {
        let Some(seat) = self.seats.get(&id) else { return Vec::new() };
        let missed = seat.rows.iter().enumerate().filter(|(_, row)| {
            row.since <= class.version
                && !row.state.done
                && !row.state.refused
                && methods.contains_key(&(row.name.as_str(), row.descriptor.as_str()))
        });
        missed.map(|(row, _)| MethodSlot { class: id, row }).collect()
    }

    /// What the rewriter left alone, each thing once. That a class lacks a method which another of
    /// its name has is nothing that a user could change.
    fn say_skips(&mut self, class: &RewrittenClass<'_>, step: &mut Actions) {
        for skip in class.skips {
            let lacks = skip.detail.as_deref() == Some("the class has no such method");
            if !lacks && self.skipped.insert((skip.class.clone(), skip.method.clone())) {
                step.lines.push(MethodsFileLine::Skip(skip.clone()));
            }
        }
    }
}
