//! What is to be said at the end of a session.

use super::root::survey;
use super::{Actions, Engine};
use crate::Options;
use jfathom_plan::{ClassSummary, SelectionRules, Selector, choose_roots};
use jfathom_reachability::{ClassId, ContainerKind, World};
use jfathom_session::MethodsFileLine;

impl Engine<'_> {
    /// The session is over: a line for each root that no method was found for, with near misses.
    /// Nothing is planned any more, and nothing that the engine is told has an effect.
    pub fn end(&mut self) -> Actions {
        let mut step = Actions::default();
        // What was said when the class came need not be said again.
        let is_lost = |at: &usize| {
            self.roots.found.get(*at) == Some(&false) && !self.roots.unmet.contains(at)
        };
        let lost: Vec<usize> = (0..self.roots.found.len()).filter(is_lost).collect();
        let Some(mut world) = self.driver.end() else { return step };
        if self.ids.len() >= super::IdTable::LIMIT as usize {
            step.lines.push(MethodsFileLine::Loss(format!(
                "more than {} methods were to be recorded in this JVM's life; the rest was left alone: narrow --include",
                super::IdTable::LIMIT
            )));
        }
        if lost.is_empty() {
            return step;
        }
        let names = class_names(&world, self.options.jdk_methods);
        for at in lost {
            let Some(pattern) = self.roots.patterns.get(at) else { continue };
            if let Some(Some(said)) = self.roots.in_jdk.get(at) {
                let wild = pattern.selector.to_string().contains('*');
                step.lines.extend(wild.then(|| MethodsFileLine::Note(said.clone())));
                continue;
            }
            let mut classes: Vec<ClassSummary> = names
                .iter()
                .map(|name| ClassSummary { name: name.clone(), ..ClassSummary::default() })
                .collect();
            for class in &mut classes {
                if !pattern.selector.is_annotation() && pattern.concerns(class) {
                    let name = classfile_writer::mutf8::encode(&class.name).into_owned();
                    let id = world.class(&name);
                    *class = survey(&world, id);
                }
            }
            step.lines.push(MethodsFileLine::Note(lost_root(
                &pattern.selector,
                &classes,
                &self.options,
            )));
        }
        step
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
    let told: Vec<ClassId> = world.classes().filter(|&class| world.is_program(class)).collect();
    names.extend(told.into_iter().map(|class| world.class_name(class)));
    names.sort_unstable();
    names.dedup();
    names
}

/// What one root selects by.
pub(super) fn rules(selector: &Selector, options: &Options) -> SelectionRules {
    let negations = options.roots.iter().chain(&options.include).filter(|it| it.is_exclusion());
    SelectionRules {
        roots: vec![selector.clone()],
        exclude: options.exclude.iter().chain(negations).cloned().collect(),
        ..SelectionRules::default()
    }
}

/// Why no method was found for a root.
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
                "the root {selector} was not found: no class that was loaded, and no method of it, has the annotation"
            )
        }
        Err(error) => error.to_string(),
    }
}
