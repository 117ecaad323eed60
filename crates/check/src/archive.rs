//! A jar beside its original, both read by the `zip` crate.

use crate::contract::Contract;
use crate::entry::{entry, is_signature};
use crate::finding::{Finding, Outcome};
use crate::zip_view::{Archive, View, open};
use jfathom_plan::Problem;
use rayon::prelude::*;
use std::collections::HashMap;
use std::io::Read;
use zip::read::ZipFile;

/// The longest entry that is inflated, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// Whether bytes begin as a zip file's entry does.
pub(crate) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Holds a jar against its original, on all cores: every entry of the original is there, in its
/// order and stored as it was, the unchanged ones with their compressed bytes; sizes and CRCs are
/// right; what is new was asked for.
///
/// An original that the reader refuses is not checked. Of several entries of one name the reader
/// sees the last.
pub fn archive(original: &[u8], output: &[u8], contract: &Contract<'_>) -> Outcome {
    let (before, old_comment) = match open(original) {
        Ok(before) => before,
        Err(error) => {
            return Outcome::unchecked(format!("the reader refuses the original: {error}"));
        }
    };
    let (after, new_comment) = match open(output) {
        Ok(after) => after,
        Err(error) => {
            return Outcome::fault(format!("reads the original and not the output: {error}"));
        }
    };
    let mut outcome = Outcome::default();
    if front(&before, original) != front(&after, output) {
        outcome.absorb(Outcome::fault("what stands in front of it is not what it was"));
    }
    if old_comment != new_comment {
        outcome.absorb(Outcome::fault("its comment is not what it was"));
    }
    let is_changed = original != output;
    let pairs = pairs(&before, &after, is_changed, &mut outcome);
    let rows = pairs.par_iter().map_init(
        || (before.clone(), after.clone()),
        |(before, after), pair| {
            one(
                &mut Side { archive: before, bytes: original },
                &mut Side { archive: after, bytes: output },
                pair,
                contract,
            )
        },
    );
    let rows: Vec<Outcome> = rows.collect();
    let unsigned = is_changed;
    let is_kept = |pair: &&Pair| unsigned && is_signature(&pair.name) && pair.after.is_some();
    let signatures = pairs.iter().filter(is_kept).map(|pair| Finding {
        place: pair.name.clone(),
        what: "is the signature of a jar that is not what was signed".to_owned(),
    });
    outcome.faults.extend(signatures);
    rows.into_iter().for_each(|row| outcome.absorb(row));
    for (added, _) in contract.added() {
        if !pairs.iter().any(|pair| pair.name == *added && pair.after.is_some()) {
            outcome.faults.push(Finding {
                place: added.clone(),
                what: "was to be added, and is not there".to_owned(),
            });
        }
    }
    outcome
}

/// The bytes before the first entry, unless they are what is left of a deleted one.
fn front<'a>(archive: &Archive<'_>, bytes: &'a [u8]) -> &'a [u8] {
    let mut archive = archive.clone();
    let directory = archive.central_directory_start();
    let starts = (0..archive.len())
        .filter_map(|number| archive.by_index_raw(number).ok().map(|file| file.header_start()));
    let first = starts.min().unwrap_or(directory);
    let front = usize::try_from(first).ok().and_then(|first| bytes.get(..first));
    front.filter(|front| !is_zip(front)).unwrap_or_default()
}

/// An entry by name, and its number on both sides.
struct Pair {
    name: String,
    before: Option<usize>,
    after: Option<usize>,
}

/// All entries of both sides; those of the original must come in the same order.
fn pairs(
    before: &Archive<'_>,
    after: &Archive<'_>,
    is_changed: bool,
    outcome: &mut Outcome,
) -> Vec<Pair> {
    let names =
        |archive: &Archive<'_>| archive.file_names_raw().map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (olds, news) = (names(before), names(after));
    let mut at: HashMap<&[u8], usize> =
        news.iter().enumerate().map(|(number, name)| (name.as_slice(), number)).collect();
    let mut pairs = Vec::with_capacity(news.len());
    let mut last = None;
    for (number, name) in olds.iter().enumerate() {
        let found = at.remove(name.as_slice());
        let text = String::from_utf8_lossy(name).into_owned();
        if let Some(found) = found {
            if last.is_some_and(|last| last > found) {
                outcome
                    .faults
                    .push(Finding { place: text.clone(), what: "is not in its place".to_owned() });
            }
            last = Some(found);
        }
        pairs.push(Pair { name: text, before: Some(number), after: found });
    }
    let mut new: Vec<usize> = at.into_values().collect();
    new.sort_unstable();
    if !is_changed && !new.is_empty() {
        outcome
            .absorb(Outcome::fault("has entries that its original has not, and is its original"));
    }
    pairs.extend(new.into_iter().map(|number| {
        Pair {
            name: news
                .get(number)
                .map(|name| String::from_utf8_lossy(name).into_owned())
                .unwrap_or_default(),
            before: None,
            after: Some(number),
        }
    }));
    pairs
}

/// One of the two archives, with its bytes.
struct Side<'s, 'a> {
    archive: &'s mut Archive<'a>,
    bytes: &'a [u8],
}

/// What the directory says of an entry, and its compressed bytes with its local header.
#[derive(PartialEq)]
struct Record<'a> {
    method: zip::CompressionMethod,
    time: Option<(u16, u16)>,
    mode: Option<u32>,
    comment: String,
    crc: u32,
    size: u64,
    raw: Option<&'a [u8]>,
}

impl<'a> Side<'_, 'a> {
    fn record(&mut self, number: usize) -> Result<Record<'a>, Problem> {
        let bytes = self.bytes;
        let file = self.archive.by_index_raw(number).map_err(|error| error.to_string())?;
        let raw = |file: &ZipFile<'_, View<'a>>| {
            let start = usize::try_from(file.header_start()).ok()?;
            let end =
                usize::try_from(file.data_start()?.checked_add(file.compressed_size())?).ok()?;
            bytes.get(start..end)
        };
        Ok(Record {
            method: file.compression(),
            time: file.last_modified().map(|time| (time.datepart(), time.timepart())),
            mode: file.unix_mode(),
            comment: file.comment().to_owned(),
            crc: file.crc32(),
            size: file.size(),
            raw: raw(&file),
        })
    }

    /// The content; the reader checks its CRC, and its size is checked here.
    fn content(&mut self, number: usize) -> Result<Vec<u8>, Problem> {
        let file = self.archive.by_index(number).map_err(|error| error.to_string())?;
        let size = file.size();
        if size > MOST_BYTES {
            return Err(format!("has {size} bytes, more than are read").into());
        }
        let mut content = Vec::new();
        file.take(size + 1).read_to_end(&mut content).map_err(|error| error.to_string())?;
        match content.len() as u64 == size {
            true => Ok(content),
            false => Err(format!("has {} bytes, and its header says {size}", content.len()).into()),
        }
    }
}

fn one(
    before: &mut Side<'_, '_>,
    after: &mut Side<'_, '_>,
    pair: &Pair,
    contract: &Contract<'_>,
) -> Outcome {
    let name = &pair.name;
    let (old, new) = match (pair.before, pair.after) {
        (Some(old), Some(new)) => (old, new),
        (None, Some(new)) => {
            return match after.content(new) {
                Ok(content) => entry(name, None, Some(&content), contract, true),
                Err(error) => Outcome::fault(error.to_string()).below(name),
            };
        }
        (_, None) => return entry(name, Some(&[]), None, contract, true),
    };
    let (old_record, new_record) = match (before.record(old), after.record(new)) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(error), _) => {
            return Outcome::unchecked(format!("the reader refuses the original: {error}"))
                .below(name);
        }
        (_, Err(error)) => return Outcome::fault(error.to_string()).below(name),
    };
    if old_record.raw.is_some() && old_record == new_record {
        return Outcome { entries: 1, ..Outcome::default() };
    }
    let mut outcome = Outcome::default();
    let mut must = |is_same: bool, what: &str| {
        if !is_same {
            outcome.absorb(Outcome::fault(what).below(name));
        }
    };
    must(old_record.method == new_record.method, "is compressed otherwise than it was");
    must(old_record.time == new_record.time, "has another time than it had");
    must(old_record.mode == new_record.mode, "has other attributes than it had");
    must(old_record.comment == new_record.comment, "has another comment than it had");
    let content = match (before.content(old), after.content(new)) {
        (Ok(old), Ok(new)) => {
            must(old != new, "has its content, and not its compressed bytes");
            entry(name, Some(&old), Some(&new), contract, true)
        }
        (_, Err(error)) => Outcome::fault(error.to_string()).below(name),
        (Err(error), _) => {
            Outcome::unchecked(format!("the reader refuses the original: {error}")).below(name)
        }
    };
    outcome.absorb(content);
    outcome
}
