//! Selectors: text patterns for classes and methods.

mod glob;
pub(crate) mod letters;
mod parameters;
mod parse;
pub(crate) mod quote;

use crate::{ClassSummary, MethodSummary, Problem};
use glob::{ClassPattern, Glob};
use parameters::Parameters;

/// A pattern over classes and methods.
///
/// | form | selects |
/// |---|---|
/// | `com.acme.Engine` | all methods of the class |
/// | `com.acme.Engine$Part`, `com.acme.Engine.Part` | all methods of the nested class |
/// | `com.acme.*` | all classes of the package, and their nested classes |
/// | `com.acme.**` | all classes of the package and of the packages below |
/// | `**.Engine` | the class `Engine` of every package |
/// | `com.acme.Engine::run`, or with `#` or `.` before `run` | the methods of that name |
/// | `com.acme.Engine::run(int, String[])` | the method with these parameters |
/// | `com.acme.Engine::run(I)V` | one method, by its descriptor (JVMS 4.3.3) |
/// | `com.acme.Engine::get*`, `com.acme.*Impl` | `*` stands for any part of a name |
/// | `com.acme.Engine::<init>`, `…::<clinit>` | constructors, the static initializer |
/// | `@Timed`, `@com.acme.Timed` | methods with the annotation, and all methods of classes with it |
/// | `!…` | excludes what the rest selects |
///
/// Names may have `/` instead of `.`. Between backticks or double quotes a name has any character,
/// and a star in it is no wildcard; [`quoted_name`](crate::quoted_name) has the escapes.
///
/// `a.b.C` can be a class or the method `C` of class `a.b`. It is a method only if no class
/// matches; if both match, nothing is chosen ([`crate::PlanError::Ambiguous`]). A last part `*` or
/// `**` always means classes. All methods of a class are `a.b.C` or `a.b.C::*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    text: String,
    exclusion: bool,
    target: Target,
    names: Names,
}

/// The names in a selector, without quotes and with dots.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Names {
    /// What may be a class: all of a selector without `::`.
    class: String,
    /// The method, if it is known to be one.
    method: Option<String>,
    /// Where the text begins that stands for the method, with its parameters.
    method_at: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    /// Classes and methods with an annotation. A simple name has no package.
    Annotation { name: ClassPattern, simple: bool },
    /// Classes, or methods if no class matches.
    Classes { classes: ClassPattern, or_method: Option<MethodPattern> },
    /// Methods.
    Methods(MethodPattern),
}

/// A method by its class, name and descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
struct MethodPattern {
    class: ClassPattern,
    name: Glob,
    parameters: Option<Parameters>,
}

impl MethodPattern {
    fn matches(&self, class: &ClassSummary, method: &MethodSummary) -> bool {
        self.matches_name(method) && self.class.matches(&class.name)
    }

    fn matches_name(&self, method: &MethodSummary) -> bool {
        self.name.matches(&method.name)
            && self.parameters.as_ref().is_none_or(|wanted| wanted.matches(&method.descriptor))
    }
}

/// What a selector like `a.b.C` names among given classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectorTarget {
    /// Classes.
    Class,
    /// Methods of a class.
    Method,
}

impl Selector {
    /// Whether the selector begins with `!`.
    pub const fn is_exclusion(&self) -> bool {
        self.exclusion
    }

    /// What the selector names among `classes`.
    pub fn resolve_target(&self, classes: &[ClassSummary]) -> SelectorTarget {
        match &self.target {
            Target::Classes { classes: pattern, or_method: Some(_) }
                if !classes.iter().any(|class| pattern.matches(&class.name)) =>
            {
                SelectorTarget::Method
            }
            Target::Methods(_) => SelectorTarget::Method,
            _ => SelectorTarget::Class,
        }
    }

    /// Whether the selector matches the class, and so each of its methods.
    pub fn matches_class(&self, target: SelectorTarget, class: &ClassSummary) -> bool {
        match &self.target {
            Target::Annotation { name, simple } => class
                .annotations
                .iter()
                .any(|annotation| matches_annotation(name, *simple, annotation)),
            Target::Classes { classes, .. } => {
                target == SelectorTarget::Class && classes.matches(&class.name)
            }
            Target::Methods(_) => false,
        }
    }

    /// Whether the selector matches the method itself. A method is also selected with its class.
    pub fn matches_method(
        &self,
        target: SelectorTarget,
        class: &ClassSummary,
        method: &MethodSummary,
    ) -> bool {
        match &self.target {
            Target::Annotation { name, simple } => method
                .annotations
                .iter()
                .any(|annotation| matches_annotation(name, *simple, annotation)),
            Target::Classes { or_method: Some(pattern), .. } => {
                target == SelectorTarget::Method && pattern.matches(class, method)
            }
            Target::Classes { or_method: None, .. } => false,
            Target::Methods(pattern) => pattern.matches(class, method),
        }
    }

    /// Whether the class part of a selector for methods matches.
    pub fn names_class_of_method(&self, class: &ClassSummary) -> bool {
        match &self.target {
            Target::Classes { or_method: Some(pattern), .. } | Target::Methods(pattern) => {
                pattern.class.matches(&class.name)
            }
            _ => false,
        }
    }

    /// Whether the selector can match something in a class of this internal name.
    pub fn can_select_in(&self, class: &str) -> bool {
        match &self.target {
            Target::Annotation { .. } => true,
            Target::Classes { classes, or_method } => {
                classes.matches(class)
                    || or_method.as_ref().is_some_and(|method| method.class.matches(class))
            }
            Target::Methods(method) => method.class.matches(class),
        }
    }

    /// The selector as a class or, without `::`, also as a class and a method, with dots.
    pub(crate) fn class_name(&self) -> &str {
        &self.names.class
    }

    /// The name behind `::`.
    pub(crate) fn method_name(&self) -> Option<&str> {
        self.names.method.as_deref()
    }

    /// What is written for the method, with quotes and parameters.
    pub(crate) fn text_of_method(&self) -> Option<&str> {
        self.text.get(self.names.method_at?..)
    }

    /// The classes that the selector may be about, as internal names, if it has no wildcards.
    pub fn possible_classes(&self) -> impl Iterator<Item = String> + use<> {
        let name = self.names.class.replace('.', "/");
        let outer = name.rsplit_once('/').map(|(outer, _)| outer.to_owned());
        let outer = outer.filter(|_| self.may_be_method());
        [Some(name), outer].into_iter().flatten()
    }

    /// Whether the selector is for methods, not for classes.
    pub const fn is_method(&self) -> bool {
        matches!(self.target, Target::Methods(_))
    }

    /// Whether `a.b.C` may be the class or the method `C` of class `a.b`.
    pub const fn may_be_method(&self) -> bool {
        matches!(self.target, Target::Classes { or_method: Some(_), .. })
    }

    /// Whether the selector's classes have a wildcard.
    pub fn has_class_wildcard(&self) -> bool {
        match &self.target {
            Target::Annotation { name, .. } => name.has_star(),
            Target::Classes { classes, .. } => classes.has_star(),
            Target::Methods(method) => method.class.has_star(),
        }
    }

    /// Whether the selector has a wildcard.
    pub fn has_wildcard(&self) -> bool {
        let in_method = matches!(&self.target, Target::Methods(method) if method.name.has_star());
        in_method || self.has_class_wildcard()
    }

    /// Whether parameters are given as in source, where names of classes have no packages.
    pub(crate) fn has_simple_types(&self) -> bool {
        let Target::Methods(method) = &self.target else { return false };
        matches!(method.parameters, Some(Parameters::Types { .. }))
    }

    /// Whether the selector names an annotation.
    pub const fn is_annotation(&self) -> bool {
        matches!(self.target, Target::Annotation { .. })
    }
}

/// Whether the pattern matches an annotation's internal name. A simple name matches in every
/// package and outer class.
fn matches_annotation(pattern: &ClassPattern, simple: bool, annotation: &str) -> bool {
    match simple {
        true => pattern.matches(annotation.rsplit(['/', '$']).next().unwrap_or(annotation)),
        false => pattern.matches(annotation),
    }
}

impl std::fmt::Display for Selector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// The reason why a text is no selector.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("‘{text}’ is no {}: {problem}. Forms: {}", .expected.name(), .expected.forms())]
pub struct SelectorError {
    text: String,
    problem: Problem,
    expected: Expected,
}

/// What a text was to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    Selector,
    Region,
    ProbeRule,
}

impl Expected {
    const fn name(self) -> &'static str {
        match self {
            Self::Selector => "selector",
            Self::Region => "region",
            Self::ProbeRule => "probe rule",
        }
    }

    const fn forms(self) -> &'static str {
        match self {
            Self::Selector => {
                "com.acme.Engine, com.acme.*, com.acme.**, com.acme.Engine::run, \
                 com.acme.Engine::run(int, String[]), com.acme.Engine::run(I)V, \
                 com.acme.Engine::`odd name`, @Timed, !com.acme.Generated"
            }
            Self::Region => {
                "com.acme.Engine::run:12-20, com.acme.Engine::run(I)V:12-20, com.acme.Engine::run:12"
            }
            Self::ProbeRule => {
                "com.acme.Engine::run=time, com.acme.*=count, com.acme.Engine::run(I)V=off"
            }
        }
    }
}

impl SelectorError {
    pub(crate) fn new(text: &str, expected: Expected, problem: impl Into<Problem>) -> Self {
        Self { text: text.to_owned(), problem: problem.into(), expected }
    }
}

#[cfg(test)]
mod tests;
