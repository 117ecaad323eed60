//! Roots, found by their selectors in classes as they are loaded.

use super::load_selectors::LoadSelector;
use super::{Actions, Engine};
use crate::Options;
use jfathom_plan::{ClassSummary, MethodKey, MethodSummary};
use jfathom_reachability::{ClassId, MethodIx, World, access};
use jfathom_session::{MethodsFileLine, RootLine, RootState};
use std::collections::BTreeSet;

/// The root selectors, with what was found for each.
#[derive(Debug)]
pub(super) struct Roots {
    pub(super) selectors: Vec<LoadSelector>,
    /// By selector: whether it found a method.
    pub(super) found: Vec<bool>,
    /// By selector: a note that it found a method which cannot be a root.
    pub(super) in_jdk: Vec<Option<String>>,
    /// Root selectors already reported as unmatched.
    pub(super) unmatched: BTreeSet<usize>,
}

impl Roots {
    pub(super) fn new(options: &Options, world: &World<'_>) -> Self {
        let selectors = LoadSelector::all(&options.roots, false, world);
        let (found, in_jdk) = (vec![false; selectors.len()], vec![None; selectors.len()]);
        Self { selectors, found, in_jdk, unmatched: BTreeSet::new() }
    }

    pub(super) fn have_annotations(&self) -> bool {
        self.selectors.iter().any(LoadSelector::is_annotation)
    }

    /// The line for a root; none if there is no such root.
    pub(super) fn line(
        &self,
        root: usize,
        state: RootState,
        method: Option<String>,
    ) -> Option<MethodsFileLine> {
        let selector = self.selectors.get(root)?.selector.to_string();
        Some(MethodsFileLine::Root(RootLine { selector, state, method, ..RootLine::default() }))
    }

    /// A line for each root, as waiting for its class.
    pub(super) fn waiting(&self) -> impl Iterator<Item = MethodsFileLine> + '_ {
        (0..self.selectors.len()).filter_map(|root| self.line(root, RootState::Waiting, None))
    }

    /// Whether a selector may select methods of the class. If the class can have no roots, a
    /// selector counts until a note was written for it.
    pub(super) fn may_select(&self, class: &ClassSummary, can_have_roots: bool) -> bool {
        let is_open =
            |root: usize| can_have_roots || self.in_jdk.get(root).is_some_and(Option::is_none);
        let mut selectors = self.selectors.iter().enumerate();
        selectors.any(|(root, selector)| is_open(root) && selector.may_select(class))
    }

    /// The methods of a class that are roots, each with the number of its selector.
    fn in_class<'c>(
        &self,
        class: &'c ClassSummary,
    ) -> impl Iterator<Item = (usize, &'c MethodSummary)> {
        class.methods.iter().filter(|method| method.code_length.is_some()).filter_map(|method| {
            let root = self
                .selectors
                .iter()
                .position(|selector| selector.matches_method(class, method))?;
            Some((root, method))
        })
    }
}

impl Engine<'_> {
    /// Makes roots of the methods that root selectors select in a class.
    pub(super) fn add_roots(&mut self, class: &ClassSummary, program: bool, actions: &mut Actions) {
        for root in self.find_roots(class, program, actions) {
            self.expand_root(&root, actions);
        }
    }

    /// Notes which methods of a class are roots, and returns them. All roots that can be known are
    /// noted before any is expanded: a method that one root reaches is planned then, as what it is.
    fn find_roots(
        &mut self,
        class: &ClassSummary,
        program: bool,
        actions: &mut Actions,
    ) -> Vec<MethodKey> {
        let excluded = |method: &MethodSummary| self.scope.excludes(class, method);
        let found: Vec<_> = self
            .roots
            .in_class(class)
            .filter(|(_, method)| !excluded(method))
            .map(|(root, method)| (root, key(class, method)))
            .collect();
        let mut keys = Vec::with_capacity(found.len());
        for (root, key) in found {
            if !program && !self.options.include_jdk
                || jfathom_rewriter::is_used_by_runtime(&key.class)
            {
                self.report_jdk_root(root, &key, actions);
                continue;
            }
            if let Some(found) = self.roots.found.get_mut(root) {
                *found = true;
            }
            self.root_of.insert(key.clone(), root);
            keys.push(key);
        }
        self.report_unmatched(class, actions);
        keys
    }

    /// Reports, once per selector, a method that cannot be a root. A selector with a wildcard may
    /// be meant for other classes: its note is written at the end.
    fn report_jdk_root(&mut self, root: usize, key: &MethodKey, actions: &mut Actions) {
        let Some(written @ None) = self.roots.in_jdk.get_mut(root) else { return };
        let why = match jfathom_rewriter::is_used_by_runtime(&key.class) {
            true => {
                "is what the recording itself runs on, and cannot be a root; \
                 choose a method that calls it"
            }
            false => {
                "is the JDK's; with --scheme jdk such methods are instrumented, and can be roots"
            }
        };
        let note = format!("the root {key} {why}");
        let has_wildcard = self.roots.selectors.get(root).is_some_and(LoadSelector::has_wildcard);
        actions.lines.extend((!has_wildcard).then(|| MethodsFileLine::Note(note.clone())));
        *written = Some(note);
    }

    /// Makes roots of the methods that root selectors select in classes of the world.
    pub(super) fn add_roots_of(&mut self, classes: &[ClassId], actions: &mut Actions) {
        let mut roots = Vec::new();
        for &class in classes {
            let Some((summary, program)) = self.may_have_roots(class) else { continue };
            roots.extend(self.find_roots(&summary, program, actions));
        }
        for root in roots {
            self.expand_root(&root, actions);
        }
    }

    /// The summary of a class of the world in which roots are looked for, and whether the class is
    /// the program's.
    fn may_have_roots(&self, class: ClassId) -> Option<(ClassSummary, bool)> {
        let world = self.driver.world()?;
        if world.is_missing(class) {
            // Its methods are unknown until its class file comes, which leads here again.
            return None;
        }
        let program = world.is_program(class);
        let name = world.class_name(class);
        let known = self.summaries.as_ref().and_then(|summaries| summaries.get(&name));
        let summary = match known {
            Some(summary) => summary.clone(),
            None => {
                let named = ClassSummary { name, ..ClassSummary::default() };
                if !self.roots.may_select(&named, program || self.options.include_jdk) {
                    return None;
                }
                summary_of(world, class)
            }
        };
        Some((summary, program))
    }
}

fn key(class: &ClassSummary, method: &MethodSummary) -> MethodKey {
    MethodKey {
        class: class.name.clone(),
        name: method.name.clone(),
        descriptor: method.descriptor.clone(),
    }
}

/// The summary of a class from what the world has of it.
pub(super) fn summary_of(world: &World<'_>, class: ClassId) -> ClassSummary {
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

/// The method of this name and descriptor that a class declares or inherits.
pub(super) fn find_method(
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
