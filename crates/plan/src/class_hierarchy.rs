//! Superclasses, as far as class files are known.

use std::collections::HashMap;

/// Classes with their superclasses.
#[derive(Clone, Debug, Default)]
pub struct ClassHierarchy {
    classes: HashMap<String, Known>,
}

#[derive(Clone, Debug)]
struct Known {
    super_class: Option<String>,
    is_interface: bool,
}

impl ClassHierarchy {
    /// Adds a class by its internal names; the first class of a name stays.
    pub fn add(&mut self, class: String, super_class: Option<String>, is_interface: bool) {
        self.classes.entry(class).or_insert(Known { super_class, is_interface });
    }

    /// Whether no object is an instance of both classes, so that a call that names one cannot
    /// reach a method of the other. False where a class or a superclass is not known, and for
    /// interfaces: a class may implement any of them beside its superclass.
    pub fn are_unrelated(&self, one: &str, other: &str) -> bool {
        self.is_no_subclass(one, other) && self.is_no_subclass(other, one)
    }

    fn is_no_subclass(&self, class: &str, of: &str) -> bool {
        let mut at = class;
        // Damaged class files may have a circle of superclasses.
        for _ in 0..=self.classes.len() {
            if at == of {
                return false;
            }
            match self.classes.get(at) {
                Some(Known { is_interface: true, .. }) => return false,
                Some(Known { super_class: Some(super_class), .. }) => at = super_class,
                Some(Known { super_class: None, .. }) => return true,
                None => return at == "java/lang/Object",
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hierarchy(rows: &[(&str, &str)]) -> ClassHierarchy {
        let mut all = ClassHierarchy::default();
        for (class, super_class) in rows {
            all.add((*class).to_owned(), Some((*super_class).to_owned()), *class == "I");
        }
        all
    }

    #[test]
    fn only_known_classes_of_other_branches_are_unrelated() {
        let object = "java/lang/Object";
        let all = hierarchy(&[
            ("A", object),
            ("B", "A"),
            ("C", "A"),
            ("I", object),
            ("L", "java/util/ArrayList"),
        ]);
        assert!(all.are_unrelated("B", "C"));
        for (one, other) in [("A", "B"), ("B", "A"), ("A", "A"), ("I", "B"), ("L", "B"), ("X", "B")]
        {
            assert!(!all.are_unrelated(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_circle_of_superclasses_ends() {
        let all = hierarchy(&[("A", "B"), ("B", "A"), ("C", "java/lang/Object")]);
        assert!(!all.are_unrelated("A", "C"));
    }
}
