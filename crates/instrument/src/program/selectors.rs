//! Selectors for the methods of a rewritten program, judged by its manifests.

use super::RewrittenProgram;
use crate::{
    error::{Error, Result, usage},
    rewritten::Rewritten,
};
use jfathom_plan::{
    ClassSummary, InstrumentedMethod, Manifest, ManifestClass, MethodSummary, SelectionRules,
    Selector, choose,
};

impl RewrittenProgram {
    /// Refuses selectors that match none of the program's instrumented methods.
    ///
    /// # Errors
    /// Fails if a selector has no match, if the program has no rewritten file, or if one of its
    /// files cannot be read. `option` is the option that the selectors were given with.
    pub fn require_methods(&self, option: &'static str, selectors: &[Selector]) -> Result<()> {
        let classes = self.classes(|method| method.resumed_method().is_none())?;
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

    /// Refuses selectors that match methods with an entry probe alone, and no others: such a probe
    /// can only count. The selectors must match something ([`Self::require_methods`]).
    ///
    /// # Errors
    /// Fails with the first such selector, or if a file cannot be read.
    pub fn require_timed(&self, option: &str, selectors: &[Selector]) -> Result<()> {
        let classes = self.classes(|method| !method.counted)?;
        for selector in selectors {
            let rules =
                SelectionRules { include: vec![selector.clone()], ..SelectionRules::default() };
            if choose(&classes, &rules).is_err() {
                return Err(usage(format!(
                    "{option} {selector}: what it selects can only be counted, as it has an entry \
                     probe alone (`jfathom inspect --list methods` lists such methods): it is small, and \
                     calls nothing, or was rewritten with --probe '**=count'"
                )));
            }
        }
        Ok(())
    }

    /// The classes of all manifests with the methods that `is_wanted` takes.
    fn classes(&self, is_wanted: fn(&InstrumentedMethod) -> bool) -> Result<Vec<ClassSummary>> {
        let mut classes = Vec::new();
        for (path, _) in self.files() {
            let manifest = Rewritten::open(&path)?.manifest;
            classes.extend(manifest.iter().flat_map(|manifest| summaries(manifest, is_wanted)));
        }
        Ok(classes)
    }
}

/// The classes of a manifest, as far as selectors need them.
fn summaries(
    manifest: &Manifest,
    is_wanted: fn(&InstrumentedMethod) -> bool,
) -> impl Iterator<Item = ClassSummary> {
    manifest.classes.iter().map(move |class: &ManifestClass| {
        let methods = class.methods.iter().filter(|method| is_wanted(method));
        let methods = methods.map(|method| MethodSummary {
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
