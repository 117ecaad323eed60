//! Writing of rewritten jars.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

use crate::archive_bytes::OpenArchive;
use crate::codec::{Packed, Storage, pack};
use crate::signature::is_signature_file;
use crate::staging::Staging;
use crate::walk::Nested;
use crate::zip::{CentralEntry, EntryAction};
use crate::{Additions, EntryName, Error, JarManifest, ManifestEdit, Notice, jar_index, manifest};

/// Writes a jar under its temporary name and returns its size. The jar gets the permissions of the
/// file `input`, if there is one.
pub(super) fn write(
    jar: Nested<'_>,
    input: Option<&Path>,
    mut actions: Vec<EntryAction>,
    additions: &Additions,
    staging: &Staging,
    notices: &mut Vec<Notice>,
) -> Result<u64, Error> {
    let target = staging.target().to_owned();
    let io = |e| Error::io(&target, "cannot write", e);
    let changed = !additions.is_empty() || any_changed(&actions);
    let first =
        if changed { settle(jar, &mut actions, &additions.manifest, notices)? } else { Vec::new() };
    if !additions.entries.is_empty() {
        settle_index(jar, &mut actions, notices)?;
    }
    let last: Vec<_> = additions
        .entries
        .iter()
        .map(|e| (e.name.clone(), pack(&e.bytes[..], Storage::Deflated)))
        .collect();

    let mut sink = BufWriter::with_capacity(1 << 20, staging.as_file());
    let size = if changed {
        let (_, size) =
            jar.central.assemble(jar.archive, &actions, &first, &last, &mut sink).map_err(io)?;
        size
    } else {
        sink.write_all(jar.archive).map_err(io)?;
        jar.archive.len() as u64
    };
    sink.flush().map_err(io)?;
    drop(sink);
    if let Some(Ok(meta)) = input.map(fs::metadata) {
        staging.as_file().set_permissions(meta.permissions()).map_err(io)?;
    }
    Ok(size)
}

/// Rewrites a nested jar. `None` if nothing in it changes.
pub(super) fn nested(
    jar: Nested<'_>,
    mut actions: Vec<EntryAction>,
    notices: &mut Vec<Notice>,
) -> Result<Option<Vec<u8>>, Error> {
    if !any_changed(&actions) {
        return Ok(None);
    }
    settle(jar, &mut actions, &[], notices)?;
    let sink = Vec::with_capacity(jar.archive.len() + jar.archive.len() / 4);
    match jar.central.assemble(jar.archive, &actions, &[], &[], sink) {
        Ok((new, _)) => Ok(Some(new)),
        Err(e) => Err(Error::io(jar.location.to_string(), "cannot write", e)),
    }
}

fn any_changed(actions: &[EntryAction]) -> bool {
    actions.iter().any(|action| !matches!(action, EntryAction::Keep))
}

/// Drops the index of a jar that gets entries: it would hide them.
fn settle_index(
    jar: Nested<'_>,
    actions: &mut [EntryAction],
    notices: &mut Vec<Notice>,
) -> Result<(), Error> {
    let records = &jar.central.records;
    let is_index = |r: &CentralEntry| r.name.as_bytes() == jar_index::NAME;
    let Some(at) = records.iter().rposition(is_index) else { return Ok(()) };
    let archive = OpenArchive::Memory(jar.archive);
    let read = |at: usize| {
        let record = &records[at];
        manifest::check_size(jar.location, &record.name, record.size)?;
        let place = || jar.location.join(&record.name);
        record.content(&archive).map_err(|reason| Error::damaged(&place(), reason))
    };
    let manifest = match records.iter().position(|r| manifest::is_manifest(&r.name)) {
        Some(at) => JarManifest::parse(&read(at)?),
        None => JarManifest::default(),
    };
    let dropped = jar_index::is_needless(&read(at)?, &manifest);
    for (_, action) in records.iter().zip(actions).filter(|(r, _)| dropped && is_index(r)) {
        *action = EntryAction::Drop;
    }
    notices.push(Notice::Index { location: jar.location.clone(), dropped });
    Ok(())
}

/// Drops the signature of a changed jar and edits its manifest. Returns the manifest if it is a new
/// entry, for the beginning of the jar.
fn settle(
    jar: Nested<'_>,
    actions: &mut [EntryAction],
    edits: &[ManifestEdit],
    notices: &mut Vec<Notice>,
) -> Result<Vec<(EntryName, Packed)>, Error> {
    let records = &jar.central.records;
    let mut dropped = 0;
    for (record, action) in records.iter().zip(actions.iter_mut()) {
        if is_signature_file(&record.name) {
            *action = EntryAction::Drop;
            dropped += 1;
        }
    }
    if dropped > 0 {
        notices.push(Notice::SignaturesDropped { location: jar.location.clone(), files: dropped });
    }
    if dropped == 0 && edits.is_empty() {
        return Ok(Vec::new());
    }
    let Some(at) = records.iter().position(|r| manifest::is_manifest(&r.name)) else {
        if edits.is_empty() {
            return Ok(Vec::new());
        }
        let mut made = JarManifest::default();
        made.apply(edits);
        return Ok(vec![(
            EntryName::from(manifest::NAME),
            pack(made.to_bytes(), Storage::Deflated),
        )]);
    };
    let record = &records[at];
    manifest::check_size(jar.location, &record.name, record.size)?;
    let archive = OpenArchive::Memory(jar.archive);
    let content = match record.content(&archive) {
        Ok(content) => content,
        Err(reason) if edits.is_empty() => {
            notices.push(Notice::EntryUnreadable {
                location: jar.location.join(&record.name),
                reason: reason.to_string(),
            });
            return Ok(Vec::new());
        }
        Err(reason) => return Err(Error::damaged(&jar.location.join(&record.name), reason)),
    };
    let mut edited = JarManifest::parse(&content);
    if dropped > 0 {
        edited.remove_digests();
    }
    edited.apply(edits);
    let new = edited.to_bytes();
    if new != *content {
        actions[at] = EntryAction::Replace(pack(new, record.storage().unwrap_or(Storage::Stored)));
    }
    Ok(Vec::new())
}
