//! Selectors for the methods of a rewritten program, judged by its manifests.

use super::RewrittenProgram;
use crate::{
    error::{Error, Result, usage},
    rewritten::Rewritten,
};
use jfathom_plan::{
    ClassSummary, Manifest, ManifestClass, MethodSummary, SelectionRules, Selector, choose,
};

/// Refuses selectors that cannot select a method of any manifest.
///
/// # Errors
/// Fails if a selector names an annotation, which no manifest lists, or if all are exclusions.
/// `option` is the option that they were given with.
pub fn check_method_selectors(option: &str, selectors: &[Selector]) -> Result<()> {
    if let Some(annotation) = selectors.iter().find(|selector| selector.is_annotation()) {
        return Err(usage(format!(
            "{option} {annotation}: manifests do not list annotations; name classes or methods"
        )));
    }
    if !selectors.is_empty() && selectors.iter().all(Selector::is_exclusion) {
        return Err(usage(format!("{option}: every selector is an exclusion; name a method")));
    }
    Ok(())
}

impl RewrittenProgram {
    /// Refuses selectors that match none of the program's instrumented methods.
    ///
    /// # Errors
    /// Fails if a selector has no match, if the program has no rewritten file, or if one of its
    /// files cannot be read. `option` is the option that the selectors were given with.
    pub fn require_methods(&self, option: &'static str, selectors: &[Selector]) -> Result<()> {
        let mut classes = Vec::new();
        for (path, _) in self.files() {
            classes.extend(Rewritten::open(&path)?.manifest.iter().flat_map(summaries));
        }
        if classes.is_empty() {
            return Err(usage(format!(
                "{option}: the command has no known rewritten file; name the directory of \
                 `jfathom rewrite -o` with --rewritten"
            )));
        }
        let rules = SelectionRules { include: selectors.to_vec(), ..SelectionRules::default() };
        match choose(&classes, &rules) {
            Ok(_) => Ok(()),
            Err(error) => Err(Error::Plan(error.given_as(option))),
        }
    }
}

/// The classes of a manifest, as far as selectors need them.
fn summaries(manifest: &Manifest) -> impl Iterator<Item = ClassSummary> {
    manifest.classes.iter().map(|class: &ManifestClass| {
        let methods = class.methods.iter().map(|method| MethodSummary {
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
            // Abstract methods have no probes, so that each of these has code.
            code_length: Some(1),
            ..MethodSummary::default()
        });
        ClassSummary {
            name: class.name.clone(),
            methods: methods.collect(),
            ..ClassSummary::default()
        }
    })
}
