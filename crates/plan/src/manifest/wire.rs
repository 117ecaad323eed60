//! The JSON form of a manifest. It travels in every rewritten jar, so it is written to deflate
//! well: by columns, so that like stands beside like; lines as differences; ids counted on instead
//! of repeated; all digests in one string of hexadecimal digits, which deflates to half of its
//! length where digits among names would not.
//!
//! The runtime looks for `plan`, `ids` and `roots` in the first 4,096 bytes, without a JSON reader:
//! they stand before the columns, written without blanks.

use super::{MANIFEST_LIMIT, MANIFEST_VERSION, Manifest, ManifestClass, ManifestError};
use crate::{
    Digest, IdRange, InstrumentedMethod, MethodId, Placement, Skip, SkipReason, UnfollowedCounts,
};
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
    /// First id and count.
    ids: (u32, u32),
    roots: bool,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    module: Option<Cow<'a, str>>,
    #[serde(borrow)]
    classes: Vec<ClassRow<'a>>,
    /// For each method, in the order of ids: its name.
    #[serde(borrow)]
    names: Vec<Cow<'a, str>>,
    /// Its descriptor.
    #[serde(borrow)]
    descriptors: Vec<Cow<'a, str>>,
    /// Its first line (0 for none) less that of the method before it in the class.
    lines: Vec<i32>,
    /// 16 digits each.
    #[serde(borrow)]
    digests: Cow<'a, str>,
    /// Ids that no method has: the first, and how many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unused: Vec<(u32, u32)>,
    /// Ids of the roots, ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    root_ids: Vec<u32>,
    /// Ids of trivial methods, ascending, each less the one before it, the first less that of the
    /// range.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    trivial_ids: Vec<u32>,
    /// Ids of methods that wait for other threads, in the same form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    waiting_ids: Vec<u32>,
    /// Ids of pinned methods, in the same form.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pinned_ids: Vec<u32>,
    /// The selectors that named the roots of the whole plan.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    root_selectors: Vec<Cow<'a, str>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    policy: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pinned: bool,
    /// Neighbours with the same reason, class and detail stand in one row.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    skips: Vec<SkipRow<'a>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    omitted: BTreeMap<SkipReason, u32>,
    #[serde(default, skip_serializing_if = "UnfollowedCounts::is_empty")]
    unfollowed: UnfollowedCounts,
}

/// Name, source (empty for none), how many methods.
#[derive(Serialize, Deserialize)]
struct ClassRow<'a>(#[serde(borrow)] Cow<'a, str>, #[serde(borrow)] Cow<'a, str>, u32);

/// Reason, class, detail (empty for none), methods (none where the whole class was skipped).
#[derive(Serialize, Deserialize)]
struct SkipRow<'a>(
    SkipReason,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Vec<Cow<'a, str>>,
);

/// Read where the rest cannot be, so that another version is told apart from damage.
#[derive(Deserialize)]
struct Head {
    version: u64,
}

pub(super) fn write(manifest: &Manifest) -> Vec<u8> {
    let mut wire = Wire {
        version: MANIFEST_VERSION,
        tool: Cow::Borrowed(&manifest.tool),
        plan: manifest.plan,
        placement: manifest.placement,
        module: manifest.module.as_deref().map(Cow::Borrowed),
        ids: (manifest.ids.start, manifest.ids.len),
        roots: manifest.rooted,
        classes: Vec::with_capacity(manifest.classes.len()),
        names: Vec::new(),
        descriptors: Vec::new(),
        lines: Vec::new(),
        digests: Cow::Borrowed(""),
        unused: Vec::new(),
        root_ids: Vec::new(),
        trivial_ids: Vec::new(),
        waiting_ids: Vec::new(),
        pinned_ids: Vec::new(),
        root_selectors: manifest
            .roots
            .iter()
            .map(|selector| Cow::Borrowed(selector.as_str()))
            .collect(),
        policy: manifest.policy.as_deref().map(Cow::Borrowed),
        pinned: manifest.pinned,
        skips: skip_rows(&manifest.skips),
        omitted: manifest.omitted.clone(),
        unfollowed: manifest.unfollowed.clone(),
    };
    let mut digests = String::new();
    let mut next = manifest.ids.start;
    let mut last = [manifest.ids.start; 3];
    for class in &manifest.classes {
        let methods = u32::try_from(class.methods.len()).unwrap_or(u32::MAX);
        let source = class.source.as_deref().unwrap_or("");
        wire.classes.push(ClassRow(Cow::Borrowed(&class.name), Cow::Borrowed(source), methods));
        let mut line = 0;
        for method in &class.methods {
            let id = method.id.get();
            if id > next {
                wire.unused.push((next, id - next));
            }
            next = id.saturating_add(1);
            wire.names.push(Cow::Borrowed(&method.name));
            wire.descriptors.push(Cow::Borrowed(&method.descriptor));
            let first = i32::from(method.line.unwrap_or(0));
            wire.lines.push(first - line);
            line = first;
            digests.push_str(&method.digest.to_string());
            if method.root {
                wire.root_ids.push(id);
            }
            let columns = [
                (method.trivial, &mut wire.trivial_ids),
                (method.waits, &mut wire.waiting_ids),
                (method.pinned, &mut wire.pinned_ids),
            ];
            for ((has, column), last) in columns.into_iter().zip(&mut last) {
                if has {
                    column.push(id.saturating_sub(*last));
                    *last = id;
                }
            }
        }
    }
    wire.digests = Cow::Owned(digests);
    serde_json::to_vec(&wire).expect("strings, numbers and maps with string keys always serialize")
}

fn skip_rows(skips: &[Skip]) -> Vec<SkipRow<'_>> {
    let same = |a: &Skip, b: &Skip| {
        a.method.is_some()
            && b.method.is_some()
            && (a.reason, &a.class, &a.detail) == (b.reason, &b.class, &b.detail)
    };
    fn row(group: &[Skip]) -> Option<SkipRow<'_>> {
        let first = group.first()?;
        let detail = Cow::Borrowed(first.detail.as_deref().unwrap_or(""));
        let methods =
            group.iter().filter_map(|skip| skip.method.as_deref().map(Cow::Borrowed)).collect();
        Some(SkipRow(first.reason, Cow::Borrowed(&first.class), detail, methods))
    }
    skips.chunk_by(same).filter_map(row).collect()
}

pub(super) fn read(json: &[u8]) -> Result<Manifest, ManifestError> {
    if json.len() > MANIFEST_LIMIT {
        return Err(ManifestError::TooLong(json.len()));
    }
    let mut wire: Wire = match serde_json::from_slice(json) {
        Ok(wire) => wire,
        // One of another version need not have these fields.
        Err(error) => match serde_json::from_slice(json) {
            Ok(Head { version }) if version != u64::from(MANIFEST_VERSION) => {
                return Err(ManifestError::Version(version));
            }
            _ => return Err(ManifestError::Syntax(error)),
        },
    };
    if wire.version != MANIFEST_VERSION {
        return Err(ManifestError::Version(wire.version.into()));
    }
    let ids = IdRange { start: wire.ids.0, len: wire.ids.1 };
    if ids.start.checked_add(ids.len).is_none_or(|end| end > MethodId::MAX.get() + 1) {
        return Err(ManifestError::Content(format!(
            "its ids {} + {} have more than 22 bits",
            ids.start, ids.len
        )));
    }
    let methods = wire.names.len();
    if [wire.descriptors.len(), wire.lines.len()].iter().any(|&length| length != methods)
        || wire.digests.len() != 16 * methods
    {
        return Err(ManifestError::Content("its columns have different lengths".to_owned()));
    }
    let mut columns = Columns {
        ids: Ids { range: ids, next: ids.start, unused: wire.unused.into_iter().peekable() },
        rows: wire.names.into_iter().zip(wire.descriptors).zip(wire.lines),
        digests: &wire.digests,
        roots: wire.root_ids.into_iter().peekable(),
        traits: [
            ("trivial", wire.trivial_ids),
            ("waiting", wire.waiting_ids),
            ("pinned", wire.pinned_ids),
        ]
        .map(|(name, ids_of)| (name, sums(ids.start, ids_of).into_iter().peekable())),
    };
    let classes = std::mem::take(&mut wire.classes);
    let classes = classes.into_iter().map(|row| columns.class(row)).collect::<Result<_, _>>()?;
    columns.end()?;
    Ok(Manifest {
        tool: wire.tool.into_owned(),
        plan: wire.plan,
        placement: wire.placement,
        module: wire.module.map(Cow::into_owned),
        ids,
        rooted: wire.roots,
        roots: wire.root_selectors.into_iter().map(Cow::into_owned).collect(),
        policy: wire.policy.map(Cow::into_owned),
        pinned: wire.pinned,
        classes,
        skips: wire.skips.into_iter().flat_map(skips).collect(),
        omitted: wire.omitted,
        unfollowed: wire.unfollowed,
    })
}

/// What is left of the columns.
struct Columns<'a, R> {
    ids: Ids,
    /// Name, descriptor, line.
    rows: R,
    digests: &'a str,
    roots: std::iter::Peekable<std::vec::IntoIter<u32>>,
    /// Trivial, waiting and pinned methods.
    traits: [(&'static str, std::iter::Peekable<std::vec::IntoIter<u32>>); 3],
}

/// The ids of which the differences are given.
fn sums(start: u32, mut differences: Vec<u32>) -> Vec<u32> {
    let mut sum = start;
    for difference in &mut differences {
        sum = sum.saturating_add(*difference);
        *difference = sum;
    }
    differences
}

impl<'a, R: Iterator<Item = ((Cow<'a, str>, Cow<'a, str>), i32)>> Columns<'a, R> {
    fn class(
        &mut self,
        ClassRow(name, source, count): ClassRow,
    ) -> Result<ManifestClass, ManifestError> {
        let mut methods = Vec::new();
        let mut line = 0_i32;
        for _ in 0..count {
            let Some(((method, descriptor), step)) = self.rows.next() else {
                return Err(ManifestError::Content(format!(
                    "class {name} has more methods than there are"
                )));
            };
            line = line.saturating_add(step);
            let first = u16::try_from(line).map_err(|_| {
                ManifestError::Content(format!("{name}.{method} starts at line {line}"))
            })?;
            let id = self.ids.next()?;
            let (name, descriptor) = (method.into_owned(), descriptor.into_owned());
            let root = self.roots.next_if_eq(&id.get()).is_some();
            let [trivial, waits, pinned] =
                self.traits.each_mut().map(|(_, ids)| ids.next_if_eq(&id.get()).is_some());
            methods.push(InstrumentedMethod {
                id,
                name,
                descriptor,
                line: (first != 0).then_some(first),
                digest: self.digest()?,
                root,
                trivial,
                waits,
                pinned,
            });
        }
        Ok(ManifestClass { name: name.into_owned(), source: filled(source), methods })
    }

    fn digest(&mut self) -> Result<Digest, ManifestError> {
        let digits = self
            .digests
            .get(..16)
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let digest = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let digest =
            digest.ok_or_else(|| ManifestError::Content("its digests are no digits".to_owned()))?;
        self.digests = self.digests.get(16..).unwrap_or("");
        Ok(Digest(digest))
    }

    fn end(&mut self) -> Result<(), ManifestError> {
        if self.rows.next().is_some() {
            return Err(ManifestError::Content("it has methods without a class".to_owned()));
        }
        let traits = self.traits.iter_mut().map(|(name, ids)| (*name, ids.next()));
        match [("root", self.roots.next())]
            .into_iter()
            .chain(traits)
            .find_map(|(name, id)| Some((name, id?)))
        {
            Some((name, id)) => {
                Err(ManifestError::Content(format!("no method has its {name} id {id}")))
            }
            None => Ok(()),
        }
    }
}

/// The ids that are left.
struct Ids {
    range: IdRange,
    next: u32,
    unused: std::iter::Peekable<std::vec::IntoIter<(u32, u32)>>,
}

impl Ids {
    fn next(&mut self) -> Result<MethodId, ManifestError> {
        while let Some((_, ids)) = self.unused.next_if(|&(first, _)| first == self.next) {
            self.next = self.next.saturating_add(ids.max(1));
        }
        let id =
            MethodId::new(self.next).filter(|&id| self.range.contains(id)).ok_or_else(|| {
                ManifestError::Content(format!(
                    "it has a method with id {}, outside of its range {}",
                    self.next, self.range
                ))
            })?;
        self.next += 1;
        Ok(id)
    }
}

fn skips(SkipRow(reason, class, detail, methods): SkipRow) -> Vec<Skip> {
    let detail = filled(detail);
    let skip = |method: Option<String>| Skip {
        class: class.to_string(),
        method,
        reason,
        detail: detail.clone(),
    };
    if methods.is_empty() {
        return vec![skip(None)];
    }
    methods.into_iter().map(|method| skip(Some(method.into_owned()))).collect()
}

/// An empty string stands for none.
fn filled(text: Cow<str>) -> Option<String> {
    if text.is_empty() { None } else { Some(text.into_owned()) }
}
