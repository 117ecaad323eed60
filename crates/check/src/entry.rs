//! One entry of a container, or one file of a directory.

use crate::archive::{archive, is_zip};
use crate::class::class;
use crate::contract::Contract;
use crate::finding::{Outcome, Verdict};
use crate::jar_manifest;

/// The index of a jar (JAR specification, "JAR Index").
const INDEX: &str = "META-INF/INDEX.LIST";

/// Holds an entry of the output against that of the original; none where one of them has no such
/// entry. `unsigned` says whether the container has lost its signature, as a signed jar does in
/// which something changes.
pub fn entry(
    name: &str,
    original: Option<&[u8]>,
    output: Option<&[u8]>,
    contract: &Contract<'_>,
    unsigned: bool,
) -> Outcome {
    let outcome = match (original, output) {
        (Some(old), Some(new)) if old == new => Outcome::default(),
        (Some(old), Some(new)) => changed(name, old, new, contract, unsigned),
        (None, Some(new)) => match contract.added().iter().find(|(added, _)| added == name) {
            Some((_, content)) if content.as_deref().is_none_or(|content| content == new) => {
                Outcome::default()
            }
            Some(_) => Outcome::fault("was added, and with another content than was asked for"),
            None if jar_manifest::is_manifest(name) && contract.native_access() => {
                changed(name, b"", new, contract, unsigned)
            }
            None => Outcome::fault("is new, and nobody asked for it"),
        },
        (Some(_), None) if unsigned && is_signature(name) => Outcome::default(),
        // Entries were added that the index does not name; without it the Class-Path counts.
        (Some(_), None) if name == INDEX && !contract.added().is_empty() => Outcome::default(),
        (Some(_), None) => Outcome::fault("is lost"),
        (None, None) => return Outcome::default(),
    };
    Outcome { entries: outcome.entries + 1, ..outcome.below(name) }
}

fn changed(name: &str, old: &[u8], new: &[u8], contract: &Contract<'_>, unsigned: bool) -> Outcome {
    if name.ends_with(".class") {
        return match class(old, new, contract) {
            Verdict::Equal(ids) => Outcome { equal: 1, ids, ..Outcome::default() },
            Verdict::Fault(fault) => Outcome::fault(fault.to_string()),
            Verdict::NotChecked(why) => Outcome::unchecked(why),
        };
    }
    if jar_manifest::is_manifest(name) {
        return match jar_manifest::differs(old, new, contract.native_access(), unsigned) {
            Some(what) => Outcome::fault(what),
            None => Outcome::default(),
        };
    }
    match contract.nested().filter(|_| is_zip(old)) {
        Some(nested) => archive(old, new, &nested),
        None => Outcome::fault("is not what it was"),
    }
}

/// Whether a signer wrote the file (JAR specification, "Signed JAR File").
pub(crate) fn is_signature(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let Some(file) = name.strip_prefix("META-INF/").filter(|file| !file.contains('/')) else {
        return false;
    };
    file.starts_with("SIG-") || [".SF", ".RSA", ".DSA", ".EC"].iter().any(|end| file.ends_with(end))
}
