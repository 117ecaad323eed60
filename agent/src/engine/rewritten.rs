//! Classes that were rewritten: their lines, and the modes of their methods.

use super::class_entry::ClassEntry;
use super::{Actions, Engine, MethodSlot, RewrittenClass};
use jfathom_plan::{
    ClassSummary, InstrumentedMethod, MethodId, MethodKey, MethodSummary, ProbeFunction, Scheme,
    SkipReason,
};
use jfathom_reachability::ClassId;
use jfathom_rewriter::{Digests, summarize};
use jfathom_session::{ClassLine, MethodsFileLine, RootState};
use jfathom_trace::StackIntervalIx;
use std::collections::{BTreeSet, HashMap, HashSet};

/// The methods of a class file by name and descriptor.
type Methods<'s> = HashMap<(&'s str, &'s str), &'s MethodSummary>;

impl Engine<'_> {
    /// A class was rewritten by a plan. Call this before the JVM gets the bytes: before that, the
    /// lines have to be written and the modes to be set.
    pub fn rewritten(&mut self, class: &RewrittenClass<'_>) -> Actions {
        let mut actions = Actions::default();
        let Some(world) = self.driver.world() else { return actions };
        let Some(id) = world.names().find(class.name).and_then(|name| world.known(name)) else {
            return actions;
        };
        self.report_skips(class, &mut actions);
        if !self.has_open_methods(id, class) {
            return actions;
        }
        let summary = summarize(class.original, Digests::Compute).unwrap_or_default();
        let methods: Methods<'_> = summary
            .methods
            .iter()
            .map(|method| ((method.name.as_str(), method.descriptor.as_str()), method))
            .collect();
        self.report_instrumented(id, class, &summary, &methods, &mut actions);
        for slot in self.not_instrumented(id, class, &methods) {
            self.skip(slot, &mut actions);
        }
        self.replan(&BTreeSet::from([id]));
        self.finish(actions, None)
    }

    /// Whether the plan has methods for which no class of this name got probes so far.
    fn has_open_methods(&self, id: ClassId, class: &RewrittenClass<'_>) -> bool {
        let entry = self.entries.get(&id);
        entry.is_some_and(|entry| {
            entry.methods.iter().any(|method| method.is_open(class.version))
                || entry.regions.iter().any(|region| region.is_open(class.version))
        })
    }

    /// Adds the lines and modes of the methods that got probes.
    fn report_instrumented(
        &mut self,
        id: ClassId,
        class: &RewrittenClass<'_>,
        summary: &ClassSummary,
        methods: &Methods<'_>,
        actions: &mut Actions,
    ) {
        let is_lazy = self.options.scheme == Scheme::Lazy;
        let all_timed = self.options.all_timed;
        let rules = self.options.probes.bind(std::slice::from_ref(summary));
        let intervals = self.options.probes.stack_intervals();
        let Some(entry) = self.entries.get_mut(&id) else { return };
        let done: HashSet<MethodId> = class.done.iter().map(|done| done.id).collect();
        let alone = class.done.iter().filter(|done| done.counted).map(|done| done.id);
        let alone: HashSet<MethodId> = alone.collect();
        let mut lines = Vec::new();
        for planned in &mut entry.methods {
            if !done.contains(&planned.id) {
                continue;
            }
            if std::mem::replace(&mut planned.status.instrumented, true) {
                continue;
            }
            let name = (planned.name.as_str(), planned.descriptor.as_str());
            let method = methods.get(&name).copied();
            let is_trivial = method.is_some_and(|method| method.trivial);
            let is_alone = alone.contains(&planned.id);
            if is_lazy && !planned.status.called && !is_alone {
                actions.first.push(planned.id);
            }
            let function = method.and_then(|method| rules.function(summary, method));
            let is_counted = match function {
                Some(function) => function == ProbeFunction::Count,
                None => is_trivial && !all_timed,
            };
            if is_counted && planned.root.is_none() {
                actions.counted.push(planned.id);
            }
            if method.is_some_and(|method| rules.reads_alloc(summary, method)) {
                actions.reading.push(planned.id);
            }
            let interval = method.and_then(|method| rules.stack_interval(summary, method));
            let place = intervals.iter().position(|known| Some(*known) == interval);
            let place = place.and_then(StackIntervalIx::new);
            actions.walked.extend(place.map(|place| (planned.id, place)));
            if self.reported.insert(planned.id) {
                lines.push(InstrumentedMethod {
                    id: planned.id,
                    name: planned.name.clone(),
                    descriptor: planned.descriptor.clone(),
                    line: method.and_then(|method| method.first_line),
                    digest: method.map(|method| method.digest).unwrap_or_default(),
                    root: planned.root.is_some(),
                    trivial: is_trivial,
                    waits: method.is_some_and(|method| method.waits),
                    resumes: method.is_some_and(|method| method.resumes),
                    counted: is_alone,
                    region: None,
                });
                let resumed = planned.resumed.filter(|resumed| done.contains(resumed));
                if let (Some(resumed), Some(of)) = (resumed, lines.last()) {
                    lines.push(of.resumptions(resumed));
                    actions.counted.push(resumed);
                }
            }
            if let Some(root) = planned.root {
                let (name, descriptor) = (planned.name.clone(), planned.descriptor.clone());
                let key = MethodKey { class: summary.name.clone(), name, descriptor };
                let line = self.roots.line(root, RootState::Live, Some(key.selector()));
                actions.lines.extend(line);
            }
        }
        lines.extend(self.regions_rewritten(
            id,
            summary,
            &done,
            class.skips,
            class.version,
            actions,
        ));
        if !lines.is_empty() {
            let (name, source) = (summary.name.clone(), summary.source.clone());
            let entry = self.entries.get_mut(&id);
            let is_first = entry.is_some_and(ClassEntry::report_calls);
            let line = MethodsFileLine::Class(ClassLine {
                name,
                source,
                at: 0,
                how: class.how,
                methods: lines,
                calls: is_first.then(|| summary.calls.clone()),
            });
            actions.lines.insert(0, line);
        }
    }

    /// The methods that this version of the plan and the class have, and for which no class of the
    /// name got probes.
    fn not_instrumented(
        &self,
        id: ClassId,
        class: &RewrittenClass<'_>,
        methods: &Methods<'_>,
    ) -> Vec<MethodSlot> {
        let Some(entry) = self.entries.get(&id) else { return Vec::new() };
        let missed = entry.methods.iter().enumerate().filter(|(_, planned)| {
            planned.is_open(class.version)
                && methods.contains_key(&(planned.name.as_str(), planned.descriptor.as_str()))
        });
        missed.map(|(index, _)| MethodSlot { class: id, index }).collect()
    }

    /// Adds a line for each skip of the rewriter, once. If a class lacks a method that another
    /// class of its name has, the user can do nothing about it.
    fn report_skips(&mut self, class: &RewrittenClass<'_>, actions: &mut Actions) {
        for skip in class.skips {
            if skip.reason != SkipReason::NoSuchMethod
                && self.reported_skips.insert((skip.class.clone(), skip.method.clone()))
            {
                actions.lines.push(MethodsFileLine::Skip(skip.clone()));
            }
        }
    }
}
