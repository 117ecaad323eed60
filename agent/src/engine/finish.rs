//! The last lines of a session.

use super::root::summary_of;
use super::{Actions, Engine};
use crate::Options;
use jfathom_plan::{ClassSummary, SelectionRules, Selector, choose_roots};
use jfathom_reachability::{ClassId, ContainerKind, World};
use jfathom_session::MethodsFileLine;

impl Engine<'_> {
    /// Ends the session: a line for each root that was not found, with near misses. Later events
    /// have no effect.
    pub fn end(&mut self) -> Actions {
        let mut actions = Actions::default();
        // Unmatched roots were reported when their class was loaded.
        let is_lost = |root: &usize| {
            self.roots.found.get(*root) == Some(&false) && !self.roots.unmatched.contains(root)
        };
        let lost: Vec<usize> = (0..self.roots.found.len()).filter(is_lost).collect();
        let Some(mut world) = self.driver.end() else { return actions };
        if self.ids.len() >= super::IdTable::LIMIT as usize {
            actions.lines.push(MethodsFileLine::Loss(format!(
                "more than {} methods were to be recorded in this JVM's life; the rest was skipped: \
                 narrow --include",
                super::IdTable::LIMIT
            )));
        }
        actions.lines.extend(self.conflicts.rest());
        actions.lines.extend(self.lost_regions());
        actions.lines.extend(self.lost_rules());
        if lost.is_empty() {
            return actions;
        }
        let names = class_names(&world, self.options.include_jdk);
        for root in lost {
            let Some(selector) = self.roots.selectors.get(root) else { continue };
            if let Some(Some(note)) = self.roots.in_jdk.get(root) {
                let note = || MethodsFileLine::Note(note.clone());
                actions.lines.extend(selector.has_wildcard().then(note));
                continue;
            }
            let mut classes: Vec<ClassSummary> = names
                .iter()
                .map(|name| ClassSummary { name: name.clone(), ..ClassSummary::default() })
                .collect();
            for class in &mut classes {
                if !selector.is_annotation() && selector.may_select(class) {
                    let name = classfile_writer::mutf8::encode(&class.name).into_owned();
                    let id = world.class(&name);
                    *class = summary_of(&world, id);
                }
            }
            actions.lines.push(MethodsFileLine::Note(lost_root(
                &selector.selector,
                &classes,
                &self.options,
            )));
        }
        actions
    }
}

impl Engine<'_> {
    /// A line for each rule of probes that has selected no method.
    fn lost_rules(&self) -> impl Iterator<Item = MethodsFileLine> {
        let rules = self.options.probes.list.iter().enumerate();
        let lost = rules.filter(|(place, _)| !self.matched_rules.contains(place));
        lost.map(|(_, rule)| {
            let what = "selects no method that was to be recorded";
            MethodsFileLine::Note(format!("--probe {rule} {what}"))
        })
    }
}

/// The names of all classes that could be roots.
fn class_names(world: &World<'_>, jdk_methods: bool) -> Vec<String> {
    let mut kinds = vec![ContainerKind::Program];
    kinds.extend(jdk_methods.then_some(ContainerKind::Jdk));
    let mut names: Vec<String> = kinds
        .into_iter()
        .flat_map(|kind| world.all_classes(kind))
        .map(|name| world.names().show(name))
        .collect();
    let loaded: Vec<ClassId> = world.classes().filter(|&class| world.is_program(class)).collect();
    names.extend(loaded.into_iter().map(|class| world.class_name(class)));
    names.sort_unstable();
    names.dedup();
    names
}

/// The rules by which one root selects.
pub(super) fn rules(selector: &Selector, options: &Options) -> SelectionRules {
    let negations =
        options.roots.iter().chain(&options.include).filter(|selector| selector.is_exclusion());
    SelectionRules {
        roots: vec![selector.clone()],
        include: negations.cloned().collect(),
        ..SelectionRules::default()
    }
}

/// The note for a root that was not found.
fn lost_root(selector: &Selector, classes: &[ClassSummary], options: &Options) -> String {
    match choose_roots(classes, &rules(selector, options)) {
        Ok(found) => match found.first().and_then(|&(class, _)| classes.get(class)) {
            Some(class) => {
                format!(
                    "the root {selector} was not found: {} was not loaded",
                    class.name.replace('/', ".")
                )
            }
            None => format!(
                "the root {selector} was not found: no class that was loaded has such a method"
            ),
        },
        Err(_) if selector.is_annotation() => {
            format!(
                "the root {selector} was not found: no class that was loaded, and no method of it, \
                 has the annotation"
            )
        }
        Err(error) => error.to_string(),
    }
}
