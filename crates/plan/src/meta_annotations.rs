//! Annotations of annotations.

use crate::ClassSummary;
use std::collections::HashMap;

/// `ACC_ANNOTATION` (JVMS 4.1).
const ANNOTATION: u16 = 0x2000;
/// Annotations of the language itself, which say nothing of what they are on.
const LANGUAGE: &str = "java/lang/annotation/";

/// Adds to the annotations of classes and methods those that are on these annotations, and so on,
/// as far as `classes` has them: a method with `@Slow` has `@Test`, if `@Test` is on `Slow`.
pub fn add_meta_annotations(classes: &mut [ClassSummary]) {
    let of_annotations: HashMap<String, Vec<String>> = classes
        .iter()
        .filter(|class| class.access & ANNOTATION != 0)
        .map(|class| (class.name.clone(), class.annotations.clone()))
        .collect();
    let mut of = |name: &str| of_annotations.get(name).cloned().unwrap_or_default();
    classes.iter_mut().for_each(|class| class.add_meta_annotations(&mut of));
}

impl ClassSummary {
    /// Adds to the annotations of the class and its methods those that are on these annotations,
    /// and so on. `of` gives the annotations of an annotation, by internal names.
    pub fn add_meta_annotations(&mut self, of: &mut dyn FnMut(&str) -> Vec<String>) {
        add(&mut self.annotations, of);
        self.methods.iter_mut().for_each(|method| add(&mut method.annotations, of));
    }
}

/// Each name is asked for once, since annotations may be on each other.
fn add(annotations: &mut Vec<String>, of: &mut dyn FnMut(&str) -> Vec<String>) {
    let mut at = 0;
    while let Some(name) = annotations.get(at) {
        for above in of(name) {
            if !above.starts_with(LANGUAGE) && !annotations.contains(&above) {
                annotations.push(above);
            }
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MethodSummary;

    #[test]
    fn annotations_of_annotations_are_added_also_in_circles() {
        let class = |name: &str, access, annotations: &[&str]| ClassSummary {
            name: name.to_owned(),
            access,
            annotations: annotations.iter().map(|name| (*name).to_owned()).collect(),
            ..ClassSummary::default()
        };
        let method =
            MethodSummary { annotations: vec!["a/Fast".to_owned()], ..MethodSummary::default() };
        let mut classes = [
            ClassSummary { methods: vec![method], ..class("a/Tests", 0, &["a/NoAnnotation"]) },
            class("a/Fast", ANNOTATION, &["a/Marked", "java/lang/annotation/Retention"]),
            class("a/Marked", ANNOTATION, &["a/Test", "a/Fast"]),
            class("a/NoAnnotation", 0, &["a/Test"]),
        ];
        add_meta_annotations(&mut classes);
        assert_eq!(classes[0].methods[0].annotations, ["a/Fast", "a/Marked", "a/Test"]);
        assert_eq!(classes[0].annotations, ["a/NoAnnotation"]);
    }
}
