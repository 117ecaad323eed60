//! The JSON form of a manifest. It travels in every rewritten jar, so it is written compactly: rows instead of objects,
//! ids counted on instead of repeated, and all digests in one string of hexadecimal digits, which deflates to half of
//! its length where digits among names would not.

use super::{MANIFEST_LIMIT, MANIFEST_VERSION, Manifest, ManifestClass, ManifestError, ManifestMethod};
use crate::{Digest, IdRange, MethodId, Placement, Skip, SkipReason};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, collections::BTreeMap};

#[derive(Serialize, Deserialize)]
struct Wire<'a> {
    /// First, so that a reader of another version can tell.
    version: u32,
    #[serde(borrow)]
    tool: Cow<'a, str>,
    plan: Digest,
    placement: Placement,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    module: Option<Cow<'a, str>>,
    /// First id and count.
    ids: (u32, u32),
    roots: bool,
    #[serde(borrow)]
    classes: Vec<ClassRow<'a>>,
    /// Neighbours with the same reason, class and detail stand in one row.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    skips: Vec<SkipRow<'a>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    omitted: BTreeMap<SkipReason, u32>,
    /// 16 digits per method, in the order of the rows.
    #[serde(borrow)]
    digests: Cow<'a, str>,
}

/// Name, source (empty for none), first id, methods.
#[derive(Serialize, Deserialize)]
struct ClassRow<'a>(
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    u32,
    #[serde(borrow)] Vec<MethodRow<'a>>,
);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum MethodRow<'a> {
    /// Name, descriptor, first line (0 for none).
    Inner(#[serde(borrow)] Cow<'a, str>, #[serde(borrow)] Cow<'a, str>, u16),
    /// The same of a root, followed by a 1.
    Root(#[serde(borrow)] Cow<'a, str>, #[serde(borrow)] Cow<'a, str>, u16, u8),
    /// How many ids are passed over.
    Gap(u32),
}

/// Reason, class, detail (empty for none), methods (none where the whole class was left alone).
#[derive(Serialize, Deserialize)]
struct SkipRow<'a>(
    SkipReason,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Vec<Cow<'a, str>>,
);

/// Read before the rest, so that another version is told apart from damage.
#[derive(Deserialize)]
struct Head {
    version: u64,
}

pub(super) fn write(manifest: &Manifest) -> Vec<u8> {
    let mut digests = String::new();
    for (_, method) in manifest.methods() {
        digests.push_str(&method.digest.to_string());
    }
    let wire = Wire {
        version: MANIFEST_VERSION,
        tool: Cow::Borrowed(&manifest.tool),
        plan: manifest.plan,
        placement: manifest.placement,
        module: manifest.module.as_deref().map(Cow::Borrowed),
        ids: (manifest.ids.start, manifest.ids.len),
        roots: manifest.rooted,
        classes: manifest.classes.iter().map(class_row).collect(),
        skips: skip_rows(&manifest.skips),
        omitted: manifest.omitted.clone(),
        digests: Cow::Owned(digests),
    };
    serde_json::to_vec(&wire).expect("strings, numbers and maps with string keys always serialize")
}

fn class_row(class: &ManifestClass) -> ClassRow<'_> {
    let first = class.methods.first().map_or(0, |method| method.id.get());
    let mut next = first;
    let mut rows = Vec::with_capacity(class.methods.len());
    for method in &class.methods {
        let id = method.id.get();
        if id != next {
            rows.push(MethodRow::Gap(id.saturating_sub(next)));
        }
        next = id.saturating_add(1);
        let (name, descriptor) = (Cow::Borrowed(&*method.name), Cow::Borrowed(&*method.descriptor));
        let line = method.line.unwrap_or(0);
        rows.push(match method.root {
            false => MethodRow::Inner(name, descriptor, line),
            true => MethodRow::Root(name, descriptor, line, 1),
        });
    }
    ClassRow(Cow::Borrowed(&class.name), Cow::Borrowed(class.source.as_deref().unwrap_or("")), first, rows)
}

fn skip_rows(skips: &[Skip]) -> Vec<SkipRow<'_>> {
    let same = |a: &Skip, b: &Skip| {
        a.method.is_some() && b.method.is_some() && (a.reason, &a.class, &a.detail) == (b.reason, &b.class, &b.detail)
    };
    fn row(group: &[Skip]) -> Option<SkipRow<'_>> {
        let first = group.first()?;
        let detail = Cow::Borrowed(first.detail.as_deref().unwrap_or(""));
        let methods = group.iter().filter_map(|skip| skip.method.as_deref().map(Cow::Borrowed)).collect();
        Some(SkipRow(first.reason, Cow::Borrowed(&first.class), detail, methods))
    }
    skips.chunk_by(same).filter_map(row).collect()
}

pub(super) fn read(json: &[u8]) -> Result<Manifest, ManifestError> {
    if json.len() > MANIFEST_LIMIT {
        return Err(ManifestError::TooLong(json.len()));
    }
    let head: Head = serde_json::from_slice(json).map_err(ManifestError::Syntax)?;
    if head.version != u64::from(MANIFEST_VERSION) {
        return Err(ManifestError::Version(head.version));
    }
    let wire: Wire = serde_json::from_slice(json).map_err(ManifestError::Syntax)?;
    let ids = IdRange { start: wire.ids.0, len: wire.ids.1 };
    if ids.start.checked_add(ids.len).is_none_or(|end| end > MethodId::MAX.get() + 1) {
        return Err(ManifestError::Content(format!("its ids {} + {} have more than 22 bits", ids.start, ids.len)));
    }
    let mut digests = Digests(&wire.digests);
    let mut next = ids.start;
    let mut classes = Vec::with_capacity(wire.classes.len());
    for row in wire.classes {
        classes.push(class(row, ids, &mut next, &mut digests)?);
    }
    digests.end()?;
    Ok(Manifest {
        tool: wire.tool.into_owned(),
        plan: wire.plan,
        placement: wire.placement,
        module: wire.module.map(Cow::into_owned),
        ids,
        rooted: wire.roots,
        classes,
        skips: wire.skips.into_iter().flat_map(skips).collect(),
        omitted: wire.omitted,
    })
}

fn class(row: ClassRow, ids: IdRange, next: &mut u32, digests: &mut Digests) -> Result<ManifestClass, ManifestError> {
    let ClassRow(name, source, first, rows) = row;
    if first < *next {
        return Err(ManifestError::Content(format!("class {name} starts at id {first}, but {next} comes next")));
    }
    *next = first;
    let mut methods = Vec::with_capacity(rows.len());
    for row in rows {
        let (method, descriptor, line, root) = match row {
            MethodRow::Gap(ids) => {
                *next = next.saturating_add(ids);
                continue;
            }
            MethodRow::Inner(name, descriptor, line) => (name, descriptor, line, false),
            MethodRow::Root(name, descriptor, line, root) => (name, descriptor, line, root != 0),
        };
        let id = MethodId::new(*next).filter(|&id| ids.contains(id)).ok_or_else(|| {
            ManifestError::Content(format!("{name}.{method} has id {next}, outside of its range {ids}"))
        })?;
        *next += 1;
        let digest = digests.next()?;
        let (name, descriptor) = (method.into_owned(), descriptor.into_owned());
        methods.push(ManifestMethod { id, name, descriptor, line: (line != 0).then_some(line), digest, root });
    }
    Ok(ManifestClass { name: name.into_owned(), source: filled(source), methods })
}

fn skips(SkipRow(reason, class, detail, methods): SkipRow) -> Vec<Skip> {
    let detail = filled(detail);
    let skip = |method: Option<String>| Skip { class: class.to_string(), method, reason, detail: detail.clone() };
    if methods.is_empty() {
        return vec![skip(None)];
    }
    methods.into_iter().map(|method| skip(Some(method.into_owned()))).collect()
}

/// An empty string stands for none.
fn filled(text: Cow<str>) -> Option<String> {
    if text.is_empty() { None } else { Some(text.into_owned()) }
}

/// The digests that are left.
struct Digests<'a>(&'a str);

impl Digests<'_> {
    fn next(&mut self) -> Result<Digest, ManifestError> {
        let (digits, rest) = self
            .0
            .split_at_checked(16)
            .ok_or_else(|| ManifestError::Content("it has fewer digests than methods".to_owned()))?;
        self.0 = rest;
        u64::from_str_radix(digits, 16)
            .map(Digest)
            .map_err(|_| ManifestError::Content(format!("‘{digits}’ is no digest")))
    }

    fn end(&self) -> Result<(), ManifestError> {
        if self.0.is_empty() {
            return Ok(());
        }
        Err(ManifestError::Content("it has more digests than methods".to_owned()))
    }
}
