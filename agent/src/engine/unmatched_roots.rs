//! Roots whose class is there, and has no method for them.

use super::root::Roots;
use super::{Actions, Engine, finish};
use jfathom_plan::{ClassSummary, PlanError, Selector, choose_roots};
use jfathom_session::{MethodsFileLine, RootLine, RootState};
use std::collections::BTreeSet;

/// How many methods are named where no name is close to what was asked for.
const NAMED: usize = 6;

impl Engine<'_> {
    /// Says of roots that are to be methods of this class, once of each, that it has none for them.
    /// Another class of its name may have.
    pub(super) fn report_unmatched(&mut self, class: &ClassSummary, step: &mut Actions) {
        for at in 0..self.roots.patterns.len() {
            if !self.is_unmet(at, class) {
                continue;
            }
            let Some(pattern) = self.roots.patterns.get(at) else { continue };
            let rules = finish::rules(&pattern.selector, &self.options);
            let Err(error) = choose_roots(std::slice::from_ref(class), &rules) else { continue };
            let unmatched = Some(sentence(&pattern.selector, class, &error));
            let (selector, state) = (pattern.selector.to_string(), RootState::Waiting);
            step.lines.push(MethodsFileLine::Root(RootLine {
                selector,
                state,
                unmatched,
                ..RootLine::default()
            }));
            self.roots.unmet.insert(at);
        }
    }

    /// Whether it is a root that only methods of this class can be, and nothing was said of so far.
    fn is_unmet(&self, at: usize, class: &ClassSummary) -> bool {
        let Roots { patterns, found, in_jdk, unmet } = &self.roots;
        let Some(pattern) = patterns.get(at).filter(|it| it.names_class_of_method(class)) else {
            return false;
        };
        let text = pattern.selector.to_string();
        let (classes, is_method) = match text.split_once("::") {
            Some((classes, _)) => (classes, true),
            None => (text.as_str(), text.contains('(')),
        };
        // `a.b.C` may be a class that is still to come where the containers do not say what is in
        // the package.
        let is_method =
            is_method || self.in_containers(&classfile_writer::mutf8::encode(&class.name));
        let is_open = found.get(at) == Some(&false)
            && matches!(in_jdk.get(at), Some(None))
            && !unmet.contains(&at);
        is_open && is_method && !classes.contains('*')
    }
}

fn sentence(selector: &Selector, class: &ClassSummary, error: &PlanError) -> String {
    let name = class.name.replace('/', ".");
    let problem = match error {
        PlanError::NoMatch { near, .. } => match near.as_slice() {
            [] => format!("{name} is loaded and has no such method{}", methods(class)),
            [only] => format!("{name} is loaded and has no such method; did you mean {only}?"),
            [best @ .., last] => {
                format!(
                    "{name} is loaded and has no such method; did you mean {} or {last}?",
                    best.join(", ")
                )
            }
        },
        other => format!("{name} is loaded, and {other}"),
    };
    format!(
        "--root {selector}: {problem} (waiting: a class of that name that is loaded after this one is unloaded may have it)"
    )
}

/// Its methods, those that people give names to.
fn methods(class: &ClassSummary) -> String {
    let names = class
        .methods
        .iter()
        .filter(|method| method.code_length.is_some())
        .map(|method| method.name.as_str());
    let names: BTreeSet<&str> = names.filter(|name| !name.contains(['<', '$'])).collect();
    let named: Vec<&str> = names.iter().copied().take(NAMED).collect();
    match (named.is_empty(), names.len().saturating_sub(named.len())) {
        (true, _) => String::new(),
        (false, 0) => format!("; it has {}", named.join(", ")),
        (false, more) => format!("; it has {} and {more} more", named.join(", ")),
    }
}
