//! The patterns by which users name classes and methods.

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
/// | `com.acme.*` | all classes of the package, nested ones included |
/// | `com.acme.**` | all classes of the package and of the packages below |
/// | `**.Engine` | the class `Engine` of every package |
/// | `com.acme.Engine::run`, `com.acme.Engine.run` | the methods of that name |
/// | `com.acme.Engine::run(I)V` | one method, by its descriptor (JVMS 4.3.3) |
/// | `com.acme.Engine::get*`, `com.acme.*Impl` | `*` stands for any part of a name |
/// | `com.acme.Engine::<init>`, `…::<clinit>` | constructors, the static initializer |
/// | `@Timed`, `@com.acme.Timed` | methods with the annotation, and all methods of classes with it |
/// | `!…` | leaves out what the rest selects |
///
/// Names may be written with `/` for `.`.
///
/// `a.b.C` can be a class or the method `C` of class `a.b`: it is read as a method only where no
/// class matches. A last part `*` or `**` is always read as classes; all methods of a class are
/// `a.b.C` or `a.b.C::*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    text: String,
    exclusion: bool,
    target: Target,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    /// Classes or methods with an annotation of this name, and whether the name is simple.
    Annotation { name: ClassPattern, simple: bool },
    /// Classes, or methods where no class matches.
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
    fn selects(&self, class: &ClassSummary, method: &MethodSummary) -> bool {
        self.names(method) && self.class.matches(&class.name)
    }

    fn names(&self, method: &MethodSummary) -> bool {
        self.name.matches(&method.name)
            && self.descriptor.as_ref().is_none_or(|wanted| *wanted == method.descriptor)
    }
}

/// Which of its two meanings `a.b.C` has among the classes at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SelectorTarget {
    /// A class.
    Class,
    /// A method of a class.
    Method,
}

impl Selector {
    /// Whether it was written with `!`.
    pub const fn is_exclusion(&self) -> bool {
        self.exclusion
    }

    /// How the selector is to be read among `classes`.
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

    /// Whether the class as a whole is selected: each of its methods.
    pub fn matches_class(&self, reading: SelectorTarget, class: &ClassSummary) -> bool {
        match &self.target {
            Target::Annotation { name, simple } => {
                class.annotations.iter().any(|annotation| annotated(name, *simple, annotation))
            }
            Target::Classes { classes, .. } => {
                reading == SelectorTarget::Class && classes.matches(&class.name)
            }
            Target::Methods(_) => false,
        }
    }

    /// Whether the method is selected for itself; it is also selected where its class is.
    pub fn matches_method(
        &self,
        reading: SelectorTarget,
        class: &ClassSummary,
        method: &MethodSummary,
    ) -> bool {
        match &self.target {
            Target::Annotation { name, simple } => {
                method.annotations.iter().any(|annotation| annotated(name, *simple, annotation))
            }
            Target::Classes { or_method: Some(pattern), .. } => {
                reading == SelectorTarget::Method && pattern.selects(class, method)
            }
            Target::Classes { or_method: None, .. } => false,
            Target::Methods(pattern) => pattern.selects(class, method),
        }
    }

    /// The class part of a selector for methods: whether it matches, so that methods of the class
    /// may be selected.
    pub fn names_class_of_method(&self, class: &ClassSummary) -> bool {
        match &self.target {
            Target::Classes { or_method: Some(pattern), .. } | Target::Methods(pattern) => {
                pattern.class.matches(&class.name)
            }
            _ => false,
        }
    }

    /// Whether something of a class with this internal name can be selected, whatever is in the
    /// class.
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

    /// What is selected, without the `!`.
    pub(crate) fn body(&self) -> &str {
        self.text.strip_prefix('!').unwrap_or(&self.text)
    }

    /// Whether annotations are selected.
    pub const fn is_annotation(&self) -> bool {
        matches!(self.target, Target::Annotation { .. })
    }
}

/// Whether an annotation's internal name is meant: a simple name stands for every package and outer
/// class.
fn annotated(pattern: &ClassPattern, simple: bool, annotation: &str) -> bool {
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

/// Why a text is no selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectorError {
    text: String,
    problem: String,
}

impl std::fmt::Display for SelectorError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "‘{}’ is no selector: {}. Forms: com.acme.Engine, com.acme.*, com.acme.**, com.acme.Engine::run, \
             com.acme.Engine::run(I)V, @Timed, !com.acme.Generated",
            self.text, self.problem
        )
    }
}

impl std::error::Error for SelectorError {}

#[cfg(test)]
mod tests;
