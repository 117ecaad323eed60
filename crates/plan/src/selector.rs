//! Selectors: text patterns for classes and methods.

mod descriptor;
mod glob;
mod parse;

use crate::{ClassSummary, MethodSummary};
use glob::{ClassPattern, Glob};

/// A pattern over classes and methods.
///
/// | form | selects |
/// |---|---|
/// | `com.acme.Engine` | all methods of the class |
/// | `com.acme.Engine$Part`, `com.acme.Engine.Part` | all methods of the nested class |
/// | `com.acme.*` | all classes of the package, and their nested classes |
/// | `com.acme.**` | all classes of the package and of the packages below |
/// | `**.Engine` | the class `Engine` of every package |
/// | `com.acme.Engine::run`, `com.acme.Engine.run` | the methods of that name |
/// | `com.acme.Engine::run(I)V` | one method, by its descriptor (JVMS 4.3.3) |
/// | `com.acme.Engine::get*`, `com.acme.*Impl` | `*` stands for any part of a name |
/// | `com.acme.Engine::<init>`, `…::<clinit>` | constructors, the static initializer |
/// | `@Timed`, `@com.acme.Timed` | methods with the annotation, and all methods of classes with it |
/// | `!…` | excludes what the rest selects |
///
/// Names may have `/` instead of `.`.
///
/// `a.b.C` can be a class or the method `C` of class `a.b`. It is a method only if no class
/// matches. A last part `*` or `**` always means classes. All methods of a class are `a.b.C` or
/// `a.b.C::*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    text: String,
    exclusion: bool,
    target: Target,
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
    descriptor: Option<String>,
}

impl MethodPattern {
    fn matches(&self, class: &ClassSummary, method: &MethodSummary) -> bool {
        self.matches_name(method) && self.class.matches(&class.name)
    }

    fn matches_name(&self, method: &MethodSummary) -> bool {
        self.name.matches(&method.name)
            && self.descriptor.as_ref().is_none_or(|wanted| *wanted == method.descriptor)
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

    /// The text without the `!`.
    pub(crate) fn body(&self) -> &str {
        self.text.strip_prefix('!').unwrap_or(&self.text)
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectorError {
    text: String,
    problem: String,
    expected: Expected,
}

/// What a text was to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expected {
    Selector,
    Region,
    ProbeRule,
}

impl std::fmt::Display for SelectorError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (what, forms) = match self.expected {
            Expected::Selector => (
                "selector",
                "com.acme.Engine, com.acme.*, com.acme.**, com.acme.Engine::run, com.acme.Engine::run(I)V, \
                 @Timed, !com.acme.Generated",
            ),
            Expected::Region => (
                "region",
                "com.acme.Engine::run:12-20, com.acme.Engine::run(I)V:12-20, com.acme.Engine::run:12",
            ),
            Expected::ProbeRule => (
                "probe rule",
                "com.acme.Engine::run=time, com.acme.*=count, com.acme.Engine::run(I)V=off",
            ),
        };
        write!(f, "‘{}’ is no {what}: {}. Forms: {forms}", self.text, self.problem)
    }
}

impl std::error::Error for SelectorError {}

impl SelectorError {
    /// The error that a text is no [`crate::RegionSelector`].
    pub(crate) fn of_region(text: &str, problem: String) -> Self {
        Self { text: text.to_owned(), problem, expected: Expected::Region }
    }

    /// The error that a text is no [`crate::ProbeRule`].
    pub(crate) fn of_probe_rule(text: &str, problem: String) -> Self {
        Self { text: text.to_owned(), problem, expected: Expected::ProbeRule }
    }
}

#[cfg(test)]
mod tests;
