//! Selectors to roots, entry points and assumed calls.

use crate::{ContainerKind, MethodIx, World};
use jfathom_plan::{
    ClassSummary, MethodKey, PlanError, SelectionRules, Selector, choose, quoted_class,
};

/// Number of methods that an error names.
const EXAMPLES: usize = 4;

/// Why a selector selects no root.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RootError {
    /// It matches nothing in the program. The error has near misses.
    #[error(transparent)]
    NotFound(PlanError),
    /// It matches only abstract methods.
    #[error(
        "{option} {selector} matches only abstract methods, such as {method}; {}",
        implementing(.implementations)
    )]
    Abstract {
        /// The option that it was given with: `--root`.
        option: &'static str,
        /// The selector.
        selector: String,
        /// One of the methods.
        method: Box<MethodKey>,
        /// Some methods that implement it.
        implementations: Vec<MethodKey>,
    },
    /// It matches only native methods.
    #[error(
        "{option} {selector} matches only native methods, such as {method}; choose the method \
         that calls it"
    )]
    Native {
        /// The option that it was given with.
        option: &'static str,
        /// The selector.
        selector: String,
        /// One of the methods.
        method: MethodKey,
    },
    /// It names a class of the JDK.
    #[error(
        "{option} {selector}: {class} is in the JDK; choose the program's method that calls it"
    )]
    InJdk {
        /// The option that it was given with.
        option: &'static str,
        /// The selector.
        selector: String,
        /// The class, with dots.
        class: String,
    },
    /// Another container earlier on the class path hides the selected class.
    #[error(
        "{method} is in a class that another container of the class path hides; take one of them \
         out"
    )]
    Hidden {
        /// The method.
        method: MethodKey,
    },
}

fn implementing(methods: &[MethodKey]) -> String {
    let names: Vec<String> = methods.iter().map(MethodKey::to_string).collect();
    match names.is_empty() {
        true => "nothing in the program implements it".to_owned(),
        false => format!("choose the methods that implement it: {}", names.join(", ")),
    }
}

/// [`find_methods`] for `--root`.
///
/// # Errors
/// As [`find_methods`].
pub fn find_roots(
    world: &mut World<'_>,
    summaries: &[ClassSummary],
    selector: &Selector,
) -> Result<Vec<MethodIx>, RootError> {
    find_methods(world, summaries, "--root", selector)
}

/// The methods with code that a selector matches in `summaries`. `option` names the selector in
/// errors.
///
/// # Errors
/// Fails if there is none. The error gives the reason, and similar names.
pub fn find_methods(
    world: &mut World<'_>,
    summaries: &[ClassSummary],
    option: &'static str,
    selector: &Selector,
) -> Result<Vec<MethodIx>, RootError> {
    let rules = SelectionRules { include: vec![selector.clone()], ..SelectionRules::default() };
    match choose(summaries, &rules) {
        Ok(choice) => {
            let mut roots = Vec::new();
            let mut hidden = None;
            for (class, chosen) in summaries.iter().zip(&choice.classes) {
                for method in &chosen.plan.methods {
                    match world.method(&class.name, &method.name, &method.descriptor) {
                        Some(root) => roots.push(root),
                        None => hidden = Some((class, method)),
                    }
                }
            }
            match hidden {
                Some((class, method)) if roots.is_empty() => Err(RootError::Hidden {
                    method: MethodKey {
                        class: class.name.clone(),
                        name: method.name.clone(),
                        descriptor: method.descriptor.clone(),
                    },
                }),
                _ => Ok(roots),
            }
        }
        Err(PlanError::NoCode { .. }) => Err(without_code(world, summaries, option, selector)),
        Err(error @ PlanError::NoMatch { .. }) => Err(match in_jdk(world, selector) {
            Some(class) => RootError::InJdk { option, selector: selector.to_string(), class },
            None => RootError::NotFound(error.given_as(option)),
        }),
        Err(error) => Err(RootError::NotFound(error.given_as(option))),
    }
}

fn without_code(
    world: &mut World<'_>,
    summaries: &[ClassSummary],
    option: &'static str,
    selector: &Selector,
) -> RootError {
    let text = selector.to_string();
    let reading = selector.resolve_target(summaries);
    let mut native = None;
    for class in summaries {
        for method in &class.methods {
            let selected = selector.matches_class(reading, class)
                || selector.matches_method(reading, class, method);
            let Some(found) = selected
                .then(|| world.method(&class.name, &method.name, &method.descriptor))
                .flatten()
            else {
                continue;
            };
            if world.access_of(found) & crate::access::ABSTRACT != 0 {
                let implementations = implementations(world, found);
                return RootError::Abstract {
                    option,
                    selector: text,
                    method: Box::new(world.key(found)),
                    implementations,
                };
            }
            native = native.or(Some(found));
        }
    }
    match native {
        Some(method) => RootError::Native { option, selector: text, method: world.key(method) },
        None => RootError::NotFound(PlanError::NothingSelected { classes: summaries.len() }),
    }
}

fn implementations(world: &mut World<'_>, method: MethodIx) -> Vec<MethodKey> {
    let mut found: Vec<MethodKey> = Vec::new();
    let of = world.class_of_method(method);
    for name in world.all_classes(ContainerKind::Program) {
        let class = world.class_of(name);
        if found.len() < EXAMPLES
            && world.is_concrete(class)
            && world.is_subtype(class, of)
            && let Ok(selected) = world.select(class, method)
        {
            let key = world.key(selected);
            if !found.contains(&key) {
                found.push(key);
            }
        }
    }
    found.sort();
    found
}

/// The JDK class that the selector names, with dots.
fn in_jdk(world: &World<'_>, selector: &Selector) -> Option<String> {
    selector.possible_classes().find_map(|name| {
        let id = world.names().find(&classfile_writer::mutf8::encode(&name))?;
        (world.has(id) && !world.in_program(id)).then(|| quoted_class(&name))
    })
}
