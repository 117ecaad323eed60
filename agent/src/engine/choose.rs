//! From what is asked for to rows with ids.

use super::driver::Driver;
use super::{Actions, Engine, MethodSlot, class_names, driver};
use jfathom_plan::{ClassSummary, MethodKey, MethodSummary};
use jfathom_reachability::{Answer, ClassId, ClassMethods, Event, MethodIx, NewMethods};
use std::collections::BTreeSet;

impl Engine<'_> {
    /// Tells the expander an event, and all that follows from it.
    pub(super) fn drive(&mut self, event: Event<'_>, step: &mut Actions) {
        if let Driver::Expand(expander) = &mut self.driver {
            let answer = expander.handle(event);
            self.take(answer, step);
        }
    }

    /// Tells the expander a root.
    pub(super) fn drive_root(&mut self, root: &MethodKey, step: &mut Actions) {
        if let Driver::Expand(expander) = &mut self.driver {
            let answer = expander.add_root(root);
            self.take(answer, step);
        }
    }

    fn take(&mut self, mut answer: Answer, step: &mut Actions) {
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
                Answer::NeedClass(name) => step.need.push(name.into()),
                Answer::Instrument(NewMethods { at_load, retransform: redefine }) => {
                    for ClassMethods { class, methods } in at_load.into_iter().chain(redefine) {
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

    /// All methods of a class, where `total` asks for them.
    pub(super) fn choose_all(&mut self, class: ClassId) {
        let Driver::Total(world) = &self.driver else { return };
        let wanted =
            world.is_program(class) || self.options.jdk_methods && !world.is_missing(class);
        let methods: Vec<MethodIx> =
            world.methods_of(class).filter(|&it| wanted && world.has_code(it)).collect();
        for method in methods {
            self.choose(class, method);
        }
    }

    /// Gives the method a row; false where it is newly to be left alone.
    fn choose(&mut self, class: ClassId, method: MethodIx) -> bool {
        if self.chosen.contains(&method) || self.left.contains(&method) {
            return true;
        }
        let Some(world) = self.driver.world() else { return true };
        let key = world.key(method);
        let id = if self.may(class, &key) { self.ids.id(&key) } else { None };
        let Some(id) = id else {
            self.left.insert(method);
            self.totals.refused += 1;
            return false;
        };
        let root = self.root_of.get(&key).copied();
        let row = self.seats.entry(class).or_default().choose(method, id, key, root);
        self.places.insert(id, MethodSlot { class, row });
        self.chosen.insert(method);
        self.touched.insert(class);
        true
    }

    /// Whether the method may be instrumented.
    fn may(&self, class: ClassId, key: &MethodKey) -> bool {
        if self.failed.contains(&class)
            || jfathom_rewriter::is_used_by_runtime(&key.class)
            || class_names::is_ours(key.class.as_bytes())
        {
            return false;
        }
        if self.scope.is_all() {
            return true;
        }
        let found = |class: &ClassSummary| {
            let named =
                |it: &&MethodSummary| it.name == key.name && it.descriptor == key.descriptor;
            class.methods.iter().find(named).cloned()
        };
        let plain = || ClassSummary { name: key.class.clone(), ..ClassSummary::default() };
        let known = self
            .surveys
            .as_ref()
            .and_then(|surveys| surveys.get(&key.class))
            .cloned()
            .unwrap_or_else(plain);
        let method = found(&known).unwrap_or_else(|| MethodSummary {
            name: key.name.clone(),
            descriptor: key.descriptor.clone(),
            ..MethodSummary::default()
        });
        let root = self.root_of.contains_key(key);
        !self.scope.excludes(&known, &method) && (root || self.scope.includes(&known, &method))
    }

    /// Leaves a chosen method alone after all: it is walked through.
    pub(super) fn refuse(&mut self, place: MethodSlot, step: &mut Actions) {
        let Some(row) =
            self.seats.get_mut(&place.class).and_then(|seat| seat.rows.get_mut(place.row))
        else {
            return;
        };
        if std::mem::replace(&mut row.state.refused, true) {
            return;
        }
        let method = row.method;
        self.left.insert(method);
        self.totals.refused += 1;
        self.drive(Event::Refused(method), step);
    }

    /// Makes the plans of classes that lost methods: what is installed need not be done again.
    pub(super) fn replan(&mut self, classes: &BTreeSet<ClassId>) {
        for &class in classes {
            let terms = driver::terms(&self.options, self.driver.world(), class);
            if let Some(seat) = self.seats.get_mut(&class) {
                seat.make_plan(terms, false);
            }
        }
    }
}
