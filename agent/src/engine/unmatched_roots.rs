//! Unmatched roots: their class is loaded without such a method.

use super::root::Roots;
use super::{Actions, Engine, finish};
use jfathom_plan::{ClassSummary, PlanError, Selector, choose_roots, methods_of, quoted_class};
use jfathom_session::{MethodsFileLine, RootLine, RootState};

impl Engine<'_> {
    /// Reports each root that only methods of this class can be, once, if the class has no such
    /// method. Another class of its name may have one.
    pub(super) fn report_unmatched(&mut self, class: &ClassSummary, actions: &mut Actions) {
        for root in 0..self.roots.selectors.len() {
            if !self.is_unmatched(root, class) {
                continue;
            }
            let Some(selector) = self.roots.selectors.get(root) else { continue };
            let rules = finish::rules(&selector.selector, &self.options);
            let Err(error) = choose_roots(std::slice::from_ref(class), &rules) else { continue };
            let unmatched = Some(sentence(&selector.selector, class, &error));
            let (selector, state) = (selector.selector.to_string(), RootState::Waiting);
            actions.lines.push(MethodsFileLine::Root(RootLine {
                selector,
                state,
                unmatched,
                ..RootLine::default()
            }));
            self.roots.unmatched.insert(root);
        }
    }

    /// Whether only methods of this class can be the root, and nothing was reported of it so far.
    fn is_unmatched(&self, root: usize, class: &ClassSummary) -> bool {
        let Roots { selectors, found, in_jdk, unmatched } = &self.roots;
        let selector = selectors.get(root);
        let Some(selector) = selector.filter(|selector| selector.names_class_of_method(class))
        else {
            return false;
        };
        // `a.b.C` may be a class that is loaded later, if the containers do not have the package.
        let is_method = selector.selector.is_method()
            || self.in_containers(&classfile_writer::mutf8::encode(&class.name));
        let is_open = found.get(root) == Some(&false)
            && matches!(in_jdk.get(root), Some(None))
            && !unmatched.contains(&root);
        is_open && is_method && !selector.selector.has_class_wildcard()
    }
}

fn sentence(selector: &Selector, class: &ClassSummary, error: &PlanError) -> String {
    let name = quoted_class(&class.name);
    let problem = match error {
        PlanError::NoMatch { near, .. } => match near.as_slice() {
            [] => format!("{name} is loaded and has no such method{}", methods_of(class)),
            [only] => format!("{name} is loaded and has no such method; did you mean {only}?"),
            [best @ .., last] => {
                format!(
                    "{name} is loaded and has no such method; did you mean {} or {last}?",
                    best.join(", ")
                )
            }
        },
        PlanError::NoMethod { .. } => {
            format!("{name} is loaded and has no such method{}", methods_of(class))
        }
        other => format!("{name} is loaded, and {other}"),
    };
    format!(
        "--root {selector}: {problem} (waiting: a class of that name that is loaded after this one \
         is unloaded may have it)"
    )
}
