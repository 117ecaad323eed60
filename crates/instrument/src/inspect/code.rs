//! The bytecode of a method before and after, as the reader of the crate `check` reads it.

use crate::{
    error::{Error, Result, usage},
    rewritten::{Rewritten, files},
    sources::reopen,
};
use jfathom_archive::{Input, Work};
use jfathom_check::{Contract, Listing, listing};
use jfathom_plan::{ClassSummary, MethodSummary, Placement, Selector, SelectorTarget};
use std::{collections::HashMap, path::Path};

/// A method's bytecode, before and after.
#[derive(Debug)]
pub struct CodeListing {
    /// The class file: `out/app.jar!com/acme/Engine.class`.
    pub place: String,
    /// The method with its instructions.
    pub listing: Listing,
}

/// The bytecode of `method` (`com.acme.Engine::run`, with or without a descriptor) in each of the
/// rewritten files at `path`.
///
/// # Errors
/// Fails if `method` is not a method with code in these files, if the original is unknown, or if a
/// file cannot be read.
pub fn code_listings(path: &Path, method: &Selector) -> Result<Vec<CodeListing>> {
    let wanted = method;
    if !wanted.is_method() && !wanted.may_be_method() || wanted.is_exclusion() {
        let form = "write com.acme.Engine::run or com.acme.Engine::run(I)V";
        return Err(usage(format!("{wanted}: is no method; {form}")));
    }
    let mut found = Vec::new();
    for path in files(path)? {
        let file = Rewritten::open(&path)?;
        let Some((out, origin)) = &file.origin else {
            return Err(Error::failed(path.display(), "its original is unknown"));
        };
        let source = reopen(origin, false, out)?;
        let contract = match &file.manifest {
            Some(manifest) => Contract::new(manifest),
            None => Contract::nothing(Placement::Main),
        };
        let originals: HashMap<String, Vec<u8>> = classes(&source.input, wanted)?
            .into_iter()
            .map(|class| (class.entry, class.bytes))
            .collect();
        for Class { entry, summary, bytes: output } in classes(&Input::open(&path)?, wanted)? {
            let Some(original) = originals.get(&entry) else { continue };
            let place = format!("{}!{entry}", path.display());
            let is_wanted = |name: &str, descriptor: &str| {
                let (name, descriptor) = (name.to_owned(), descriptor.to_owned());
                let method = MethodSummary { name, descriptor, ..MethodSummary::default() };
                wanted.matches_method(SelectorTarget::Method, &summary, &method)
            };
            let listings = listing(original, &output, &contract, is_wanted).map_err(|error| {
                Error::failed(&place, format!("the reader refuses it: {error}"))
            })?;
            let listing = |listing| CodeListing { place: place.clone(), listing };
            found.extend(listings.into_iter().map(listing));
        }
    }
    match found.is_empty() {
        true => Err(usage(format!("{wanted}: no such method with code in {}", path.display()))),
        false => Ok(found),
    }
}

/// A class that may have the method.
struct Class {
    /// Where it is in the container.
    entry: String,
    /// Its name alone.
    summary: ClassSummary,
    bytes: Vec<u8>,
}

fn classes(input: &Input, wanted: &Selector) -> Result<Vec<Class>> {
    let visited = input.visit(&Work::default(), |entry, bytes| {
        let name = entry.name().class_name()?.to_owned();
        let summary = ClassSummary { name, ..ClassSummary::default() };
        wanted.names_class_of_method(&summary).then(|| {
            let inside: Vec<String> =
                entry.location().inside().iter().map(ToString::to_string).collect();
            Class { entry: inside.join("!"), summary, bytes: bytes.to_vec() }
        })
    });
    Ok(visited?.values.into_iter().flatten().collect())
}
