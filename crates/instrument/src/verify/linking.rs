//! The classes of originals and outputs as a JVM links them.

use std::{collections::BTreeMap, path::PathBuf};

/// The outcome of linking each class: `ok`, or the error.
pub type Outcomes = BTreeMap<String, String>;

/// The outcome of a class that links.
pub const LINKED: &str = "ok";

/// The outcome of a class that only the original has.
const MISSING: &str = "missing";

/// The outcomes of linking the classes of originals and outputs.
#[derive(Debug)]
pub struct Linking {
    /// The home of the Java that linked them.
    pub java_home: PathBuf,
    /// The originals' classes.
    pub originals: Outcomes,
    /// The outputs' classes.
    pub rewritten: Outcomes,
}

/// How a rewritten class links, compared with its original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkChange {
    /// Both link.
    Linked,
    /// Only the original links.
    Worse,
    /// Only the rewritten class links.
    Better,
    /// Neither links, and the errors are of different classes.
    OtherError,
    /// Neither links, for the same reason.
    NeverLinked,
}

/// One class of an original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkedClass<'a> {
    /// Its name.
    pub name: &'a str,
    /// How the original links.
    pub original: &'a str,
    /// How the rewritten class links.
    pub rewritten: &'a str,
    /// What that means.
    pub change: LinkChange,
}

impl Linking {
    /// The originals' classes, by name. Classes that only the outputs have are jfathom's.
    pub fn classes(&self) -> impl Iterator<Item = LinkedClass<'_>> {
        self.originals.iter().map(|(name, original)| {
            let rewritten = self.rewritten.get(name).map_or(MISSING, String::as_str);
            LinkedClass { name, original, rewritten, change: change(original, rewritten) }
        })
    }
}

fn change(original: &str, rewritten: &str) -> LinkChange {
    match (original, rewritten) {
        (LINKED, LINKED) => LinkChange::Linked,
        (LINKED, _) => LinkChange::Worse,
        (_, LINKED) => LinkChange::Better,
        _ if error_class(original) == error_class(rewritten) => LinkChange::NeverLinked,
        _ => LinkChange::OtherError,
    }
}

/// The class of an error without its message, which may name places in the code.
fn error_class(outcome: &str) -> &str {
    outcome.split(':').next().unwrap_or(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_compared_by_the_class_of_the_error() {
        let error = "java.lang.VerifyError: Bad at 3";
        for (original, rewritten, expected) in [
            (LINKED, LINKED, LinkChange::Linked),
            (LINKED, error, LinkChange::Worse),
            (LINKED, MISSING, LinkChange::Worse),
            (error, LINKED, LinkChange::Better),
            (error, "java.lang.VerifyError: Bad at 7", LinkChange::NeverLinked),
            (error, "java.lang.NoClassDefFoundError: x", LinkChange::OtherError),
        ] {
            assert_eq!(change(original, rewritten), expected, "{original} and {rewritten}");
        }
    }

    #[test]
    fn classes_of_the_output_alone_are_left_out() {
        let outcomes = |names: &[&str]| {
            names.iter().map(|name| ((*name).to_owned(), LINKED.to_owned())).collect()
        };
        let linking = Linking {
            java_home: PathBuf::new(),
            originals: outcomes(&["A", "B"]),
            rewritten: outcomes(&["A", "Probe"]),
        };
        let classes: Vec<_> = linking.classes().map(|class| (class.name, class.change)).collect();
        assert_eq!(classes, [("A", LinkChange::Linked), ("B", LinkChange::Worse)]);
    }
}
