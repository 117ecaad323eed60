//! The bytecode of a method before and after, as the reader of the crate `check` reads it.

use crate::{
    error::{Error, Result, usage},
    rewritten::{Rewritten, files},
    sources::reopen,
};
use jfathom_archive::{Input, Work};
use jfathom_check::{Contract, Listing, listing};
use jfathom_plan::Placement;
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
pub fn code_listings(path: &Path, method: &str) -> Result<Vec<CodeListing>> {
    let wanted = method;
    let (class, method) = wanted.rsplit_once("::").ok_or_else(|| {
        let form = "write com.acme.Engine::run or com.acme.Engine::run(I)V";
        usage(format!("{wanted}: is no method; {form}"))
    })?;
    let class = class.replace('.', "/");
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
        let originals: HashMap<String, Vec<u8>> =
            classes(&source.input, &class)?.into_iter().collect();
        for (entry, output) in classes(&Input::open(&path)?, &class)? {
            let Some(original) = originals.get(&entry) else { continue };
            let place = format!("{}!{entry}", path.display());
            let is_wanted = |name: &str, descriptor: &str| {
                method.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest == descriptor)
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

/// The classes of that internal name, by where they are in the container.
fn classes(input: &Input, class: &str) -> Result<Vec<(String, Vec<u8>)>> {
    let visited = input.visit(&Work::default(), |entry, bytes| {
        (entry.name().class_name() == Some(class)).then(|| {
            let inside: Vec<String> =
                entry.location().inside().iter().map(ToString::to_string).collect();
            (inside.join("!"), bytes.to_vec())
        })
    });
    Ok(visited?.values.into_iter().flatten().collect())
}
