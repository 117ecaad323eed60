//! The methods of two profiles that selectors match.

use crate::MethodDiff;
use jfathom_plan::{ClassSummary, MethodSummary, Selector};
use jfathom_profile::{Method, MethodIx};
use std::collections::BTreeMap;

/// The methods of a table that selectors match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodSet {
    /// By index in the method table.
    selected: Vec<bool>,
}

impl MethodSet {
    /// Selects methods from a table; all if there is no selector but exclusions.
    ///
    /// # Errors
    /// Fails if a selector matches nothing.
    pub fn new(methods: &[Method], selectors: &[Selector]) -> Result<Self, UnmatchedSelector> {
        let mut matched = vec![false; selectors.len()];
        let selected = select(methods, selectors, &mut matched);
        match matched.iter().position(|matched| !matched) {
            Some(selector) => Err(UnmatchedSelector(selector)),
            None => Ok(Self { selected }),
        }
    }

    /// Whether a method is selected.
    pub fn contains(&self, method: MethodIx) -> bool {
        self.selected.get(method.0 as usize).is_some_and(|selected| *selected)
    }

    /// The selected methods, in the table's order.
    pub fn methods(&self) -> impl Iterator<Item = MethodIx> {
        (0..).map(MethodIx).zip(&self.selected).filter(|(_, is)| **is).map(|(method, _)| method)
    }
}

/// Methods of a base and a new profile, selected by the same selectors. Profiles do not know
/// annotations: a selector by annotation matches nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectedMethods {
    /// By index in the method table.
    base: Vec<bool>,
    new: Vec<bool>,
}

/// The index of a selector that matches no method of either profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnmatchedSelector(pub usize);

impl SelectedMethods {
    /// Selects methods from two method tables; all if there is no selector but exclusions.
    ///
    /// # Errors
    /// Fails if a selector matches nothing.
    pub fn new(
        base: &[Method],
        new: &[Method],
        selectors: &[Selector],
    ) -> Result<Self, UnmatchedSelector> {
        let mut matched = vec![false; selectors.len()];
        let selected = Self {
            base: select(base, selectors, &mut matched),
            new: select(new, selectors, &mut matched),
        };
        match matched.iter().position(|matched| !matched) {
            Some(selector) => Err(UnmatchedSelector(selector)),
            None => Ok(selected),
        }
    }

    /// Whether a method is selected in either profile.
    pub fn contains(&self, method: &MethodDiff) -> bool {
        let is_in = |side: &[bool], at: Option<MethodIx>| {
            at.and_then(|at| side.get(at.0 as usize)).is_some_and(|selected| *selected)
        };
        is_in(&self.base, method.base) || is_in(&self.new, method.new)
    }
}

/// Whether each method is selected. Sets `matched` for the selectors that match one.
fn select(methods: &[Method], selectors: &[Selector], matched: &mut [bool]) -> Vec<bool> {
    let classes = summaries(methods);
    let every: Vec<ClassSummary> = classes.values().cloned().collect();
    let targets: Vec<_> =
        selectors.iter().map(|selector| selector.resolve_target(&every)).collect();
    let by_default = selectors.iter().all(Selector::is_exclusion);
    let is_selected = |method: &Method| {
        let (mut included, mut excluded) = (by_default, false);
        let summary = summary(method);
        let class = classes.get(&*method.info.key.class);
        for (at, selector) in selectors.iter().enumerate() {
            let selects = class.is_some_and(|class| {
                selector.matches_class(targets[at], class)
                    || selector.matches_method(targets[at], class, &summary)
            });
            matched[at] |= selects && !method.info.is_sign();
            included |= selects && !selector.is_exclusion();
            excluded |= selects && selector.is_exclusion();
        }
        included && !excluded && !method.info.is_sign()
    };
    methods.iter().map(is_selected).collect()
}

/// The classes of a method table, as far as selectors need them.
fn summaries(methods: &[Method]) -> BTreeMap<&str, ClassSummary> {
    let mut classes: BTreeMap<&str, ClassSummary> = BTreeMap::new();
    for method in methods {
        let name = &method.info.key.class;
        let class = classes
            .entry(name)
            .or_insert_with(|| ClassSummary { name: name.clone(), ..ClassSummary::default() });
        class.methods.push(summary(method));
    }
    classes
}

fn summary(method: &Method) -> MethodSummary {
    let key = &method.info.key;
    MethodSummary {
        name: key.name.clone(),
        descriptor: key.descriptor.clone(),
        ..MethodSummary::default()
    }
}
