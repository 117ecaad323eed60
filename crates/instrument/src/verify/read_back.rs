//! The first stage of a verification, without a JVM: outputs are read back and compared with their
//! originals.

use crate::{
    error::Result,
    read_back,
    rewritten::{Rewritten, RuntimeAt},
    sources::WAR_CLASSES,
};
use jfathom_archive::{Input, InputKind, Notice};
use jfathom_check::{Contract, Outcome};
use jfathom_plan::{MANIFEST_PATH, Placement};
use jfathom_runtime_java::CLASSES;
use std::path::Path;

/// Compares a rewritten file with the original at `plain`, or a JDK module with that of the JDK
/// that it was taken from.
pub(super) fn check(file: &Rewritten, plain: &Path) -> Result<Outcome> {
    let (input, output) = (original(file, plain)?, Input::open(&file.path)?);
    let mut contract = match &file.manifest {
        Some(manifest) => Contract::new(manifest),
        None => Contract::nothing(Placement::Main),
    };
    if input.kind() == InputKind::Module {
        contract = contract.without_hand_offs();
    }
    // Another version may have written the manifest and the runtime: only their presence is
    // checked.
    let is_there = |name: &str| output.names().any(|found| found.as_bytes() == name.as_bytes());
    let mut added = Vec::new();
    for folder in ["", WAR_CLASSES] {
        let here = file.runtime == RuntimeAt::Here;
        let runtime = CLASSES.iter().map(|(name, _)| *name).filter(|_| here);
        let names = file
            .manifest
            .iter()
            .map(|_| MANIFEST_PATH)
            .chain(runtime)
            .map(|name| format!("{folder}{name}"));
        added.extend(names.filter(|name| is_there(name)));
    }
    let main_class =
        input.manifest()?.is_some_and(|manifest| manifest.main().get("Main-Class").is_some());
    let native_access = !added.is_empty() && main_class;
    contract = contract
        .with_added(added.into_iter().map(|name| (name, None)))
        .with_native_access(native_access);
    let shares_names = |notice: &Notice| matches!(notice, Notice::DuplicateName { .. });
    let complete = !input.notices().iter().any(shares_names);
    read_back::compare(&input, plain, &file.path, &contract, complete)
}

fn original(file: &Rewritten, plain: &Path) -> Result<Input> {
    let module = file
        .origin
        .as_ref()
        .and_then(|(_, origin)| Some((origin.java_home.as_ref()?, origin.module.as_ref()?)));
    match module {
        Some((home, name)) => Ok(Input::open_module(home, name)?),
        None => Ok(Input::open(plain)?),
    }
}
