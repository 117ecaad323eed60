//! Roots by selectors, found among classes as they are told.

use super::load_selectors::LoadSelector;
use super::{Actions, Engine};
use crate::Options;
use jfathom_plan::{ClassSummary, MethodKey, MethodSummary};
use jfathom_reachability::{ClassId, MethodIx, World, access};
use jfathom_session::{MethodsFileLine, RootLine, RootState};
use std::collections::BTreeSet;

/// The selectors of roots.
#[derive(Debug)]
pub(super) struct Roots {
    pub(super) patterns: Vec<LoadSelector>,
    /// By pattern: whether it found a method.
    pub(super) found: Vec<bool>,
    /// By pattern: what is wrong with a method that it found and that cannot be a root.
    pub(super) in_jdk: Vec<Option<String>>,
    /// Patterns for methods of which it was said that a class of theirs has none.
    pub(super) unmet: BTreeSet<usize>,
}

impl Roots {
    pub(super) fn new(options: &Options, world: &World<'_>) -> Self {
        let patterns = LoadSelector::all(&options.roots, false, world);
        let (found, in_jdk) = (vec![false; patterns.len()], vec![None; patterns.len()]);
        Self { patterns, found, in_jdk, unmet: BTreeSet::new() }
    }

    pub(super) fn have_annotations(&self) -> bool {
        self.patterns.iter().any(|it| it.selector.is_annotation())
    }

    pub(super) fn line(
        &self,
        root: usize,
        state: RootState,
        method: Option<String>,
    ) -> Option<MethodsFileLine> {
        let selector = self.patterns.get(root)?.selector.to_string();
        Some(MethodsFileLine::Root(RootLine { selector, state, method, ..RootLine::default() }))
    }

    pub(super) fn waiting(&self) -> impl Iterator<Item = MethodsFileLine> + '_ {
        (0..self.patterns.len()).filter_map(|root| self.line(root, RootState::Waiting, None))
    }

    /// Whether a selector may select something of the class; of a class that can have no roots,
    /// something that is to be said.
    pub(super) fn concern(&self, class: &ClassSummary, can: bool) -> bool {
        let open = |at: usize| can || self.in_jdk.get(at).is_some_and(Option::is_none);
        self.patterns.iter().enumerate().any(|(at, pattern)| open(at) && pattern.concerns(class))
    }

    /// The methods of a class that are roots, each with its selector.
    fn among<'c>(
        &self,
        class: &'c ClassSummary,
    ) -> impl Iterator<Item = (usize, &'c MethodSummary)> {
        class.methods.iter().filter(|method| method.code_length.is_some()).filter_map(|method| {
            let root = self.patterns.iter().position(|pattern| pattern.method(class, method))?;
            Some((root, method))
        })
    }
}

impl Engine<'_> {
    /// Makes roots of a class's methods that roots' selectors select.
    pub(super) fn add_roots(&mut self, class: &ClassSummary, program: bool, step: &mut Actions) {
        let excluded = |method: &MethodSummary| self.scope.excludes(class, method);
        let found: Vec<_> = self
            .roots
            .among(class)
            .filter(|(_, it)| !excluded(it))
            .map(|(at, it)| (at, key(class, it)))
            .collect();
        for (root, key) in found {
            if !program && !self.options.jdk_methods
                || jfathom_rewriter::is_used_by_runtime(&key.class)
            {
                self.say_in_jdk(root, &key, step);
                continue;
            }
            if let Some(found) = self.roots.found.get_mut(root) {
                *found = true;
            }
            self.root_of.insert(key.clone(), root);
            self.drive_root(&key, step);
        }
        self.report_unmatched(class, step);
    }

    fn say_in_jdk(&mut self, root: usize, key: &MethodKey, step: &mut Actions) {
        let Some(said @ None) = self.roots.in_jdk.get_mut(root) else { return };
        let why = match jfathom_rewriter::is_used_by_runtime(&key.class) {
            true => {
                "is what the recording itself runs on, and cannot be a root; choose a method that calls it"
            }
            false => {
                "is the JDK's; with --include-jdk such methods are instrumented, and can be roots"
            }
        };
        let note = format!("the root {key} {why}");
        // A pattern may be meant for other classes.
        let wild =
            self.roots.patterns.get(root).is_some_and(|it| it.selector.to_string().contains('*'));
        step.lines.extend((!wild).then(|| MethodsFileLine::Note(note.clone())));
        *said = Some(note);
    }

    /// Looks for roots in a class that is known, not by its bytes.
    pub(super) fn add_roots_of(&mut self, class: ClassId, step: &mut Actions) {
        let Some(world) = self.driver.world() else { return };
        if world.is_missing(class) {
            // Its methods are not known. When its class file comes, it is looked at again.
            return;
        }
        let program = world.is_program(class);
        let name = world.class_name(class);
        let survey = match self.surveys.as_ref().and_then(|surveys| surveys.get(&name)) {
            Some(survey) => survey.clone(),
            None => {
                let plain = ClassSummary { name, ..ClassSummary::default() };
                if !self.roots.concern(&plain, program || self.options.jdk_methods) {
                    return;
                }
                survey(world, class)
            }
        };
        self.add_roots(&survey, program, step);
    }
}

fn key(class: &ClassSummary, method: &MethodSummary) -> MethodKey {
    MethodKey {
        class: class.name.clone(),
        name: method.name.clone(),
        descriptor: method.descriptor.clone(),
    }
}

/// What the world knows of a class.
pub(super) fn survey(world: &World<'_>, class: ClassId) -> ClassSummary {
    let method = |method: MethodIx| {
        let MethodKey { name, descriptor, .. } = world.key(method);
        let code_length = world.has_code(method).then_some(0);
        MethodSummary {
            name,
            descriptor,
            access: world.access_of(method),
            code_length,
            ..MethodSummary::default()
        }
    };
    let methods = world.methods_of(class).map(method).collect();
    ClassSummary { name: world.class_name(class), methods, ..ClassSummary::default() }
}

/// The method of these names that the class declares or inherits.
pub(super) fn find(
    world: &World<'_>,
    class: &[u8],
    name: &[u8],
    descriptor: &[u8],
) -> Option<MethodIx> {
    let names = world.names();
    let class = world.known(names.find(class)?)?;
    let sig = names.find_sig(names.find(name)?, names.find(descriptor)?)?;
    if let Some(method) = world.superclasses(class).find_map(|above| world.declared(above, sig)) {
        return Some(method);
    }
    let mut interfaces: Vec<ClassId> =
        world.superclasses(class).flat_map(|above| world.interfaces(above)).copied().collect();
    let mut at = 0;
    let mut abstract_one = None;
    while let Some(&interface) = interfaces.get(at) {
        at += 1;
        if let Some(method) = world.declared(interface, sig) {
            if world.access_of(method) & access::ABSTRACT == 0 {
                return Some(method);
            }
            abstract_one = abstract_one.or(Some(method));
        }
        for above in world.interfaces(interface) {
            if !interfaces.contains(above) {
                interfaces.push(*above);
            }
        }
    }
    abstract_one
}
