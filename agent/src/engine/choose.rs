//! Methods that selection asks for become planned methods with ids.

use super::class_entry::{PlanChange, entry_alone};
use super::driver::Driver;
use super::{Actions, Engine, MethodSlot, class_names};
use jfathom_plan::{ClassSummary, MethodKey, MethodSummary, ProbeFunction};
use jfathom_reachability::{Answer, ClassId, ClassMethods, Event, MethodIx, NewMethods};
use std::collections::BTreeSet;

impl Engine<'_> {
    /// Sends the expander an event, and plans what follows from it.
    pub(super) fn expand(&mut self, event: Event<'_>, actions: &mut Actions) {
        if let Driver::Expand(expander) = &mut self.driver {
            let answer = expander.handle(event);
            self.apply(answer, actions);
        }
    }

    /// Sends the expander a root, and plans what follows from it.
    pub(super) fn expand_root(&mut self, root: &MethodKey, actions: &mut Actions) {
        if let Driver::Expand(expander) = &mut self.driver {
            let answer = expander.add_root(root);
            self.apply(answer, actions);
        }
    }

    fn apply(&mut self, mut answer: Answer, actions: &mut Actions) {
        let mut refused: Vec<MethodIx> = Vec::new();
        loop {
            match answer {
                Answer::Idle => match refused.pop() {
                    Some(method) => {
                        let Driver::Expand(expander) = &mut self.driver else { return };
                        answer = expander.handle(Event::Refused(method));
                        continue;
                    }
                    None => return,
                },
                Answer::NeedClass(name) => actions.need.push(name.into()),
                Answer::Instrument(NewMethods { at_load, retransform }) => {
                    for ClassMethods { class, methods } in at_load.into_iter().chain(retransform) {
                        refused.extend(
                            methods.into_iter().filter(|&method| !self.choose(class, method)),
                        );
                    }
                }
            }
            let Driver::Expand(expander) = &mut self.driver else { return };
            answer = expander.poll();
        }
    }

    /// Plans all methods of a class under the scheme `total`.
    pub(super) fn choose_all(&mut self, class: ClassId) {
        let Driver::Total(world, _) = &self.driver else { return };
        let is_chosen =
            world.is_program(class) || self.options.include_jdk && !world.is_missing(class);
        if !is_chosen {
            return;
        }
        let methods: Vec<MethodIx> =
            world.methods_of(class).filter(|&method| world.has_code(method)).collect();
        for method in methods {
            self.choose(class, method);
        }
    }

    /// Plans a method, unless it is planned or skipped already. False if it is newly skipped.
    fn choose(&mut self, class: ClassId, method: MethodIx) -> bool {
        if self.planned.contains(&method) || self.skipped.contains(&method) {
            return true;
        }
        let Some(world) = self.driver.world() else { return true };
        let key = world.key(method);
        let id = if self.may_instrument(class, &key) { self.ids.id(&key) } else { None };
        let Some(id) = id else {
            self.skipped.insert(method);
            self.skipped_methods += 1;
            return false;
        };
        let root = self.root_of.get(&key).copied();
        let resumed = if jfathom_rewriter::may_resume(&key.name, &key.descriptor) {
            self.ids
                .id(&MethodKey { name: jfathom_plan::resumption_name(&key.name), ..key.clone() })
        } else {
            None
        };
        let index = self.entries.entry(class).or_default().add(method, (id, resumed), key, root);
        self.slots.insert(id, MethodSlot { class, index });
        self.planned.insert(method);
        self.renewed.insert(class);
        true
    }

    fn may_instrument(&mut self, class: ClassId, key: &MethodKey) -> bool {
        if self.failed.contains(&class)
            || jfathom_rewriter::is_used_by_runtime(&key.class)
            || class_names::is_ours(key.class.as_bytes())
        {
            return false;
        }
        let probes = &self.options.probes;
        if self.scope.is_all() && probes.list.is_empty() {
            return true;
        }
        let summary = self.summaries.as_ref().and_then(|summaries| summaries.get(&key.class));
        let class = summary
            .cloned()
            .unwrap_or_else(|| ClassSummary { name: key.class.clone(), ..ClassSummary::default() });
        let method = class
            .methods
            .iter()
            .find(|method| method.name == key.name && method.descriptor == key.descriptor);
        let method = method.cloned().unwrap_or_else(|| MethodSummary {
            name: key.name.clone(),
            descriptor: key.descriptor.clone(),
            ..MethodSummary::default()
        });
        let is_root = self.root_of.contains_key(key);
        let rules = probes.bind(std::slice::from_ref(&class));
        self.matched_rules.extend(rules.selecting(&class, &method));
        let function = rules.function(&class, &method);
        if function == Some(ProbeFunction::Off) && !is_root {
            return false;
        }
        !self.scope.excludes(&class, &method) && (is_root || self.scope.includes(&class, &method))
    }

    /// Skips a planned method after all. The analysis goes through it as through the JDK's.
    pub(super) fn skip(&mut self, slot: MethodSlot, actions: &mut Actions) {
        let Some(planned) = self.planned_mut(slot) else { return };
        if std::mem::replace(&mut planned.status.skipped, true) {
            return;
        }
        let method = planned.method;
        self.skipped.insert(method);
        self.skipped_methods += 1;
        self.expand(Event::Refused(method), actions);
    }

    /// Makes the plans of classes that lost methods. Code that is installed stays.
    pub(super) fn replan(&mut self, classes: &BTreeSet<ClassId>) {
        let entry_alone = entry_alone(&self.options);
        for &class in classes {
            let is_program = self.driver.world().is_some_and(|world| world.is_program(class));
            if let Some(entry) = self.entries.get_mut(&class) {
                entry.make_plan(is_program, entry_alone, PlanChange::Shrunk);
            }
        }
    }
}
