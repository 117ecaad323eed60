//! The sections of the profile file: each a tag, a length and a value.
//!
//! A section whose value is empty is left out. A reader passes over sections whose tag it does not
//! know, and the profile says so.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use crate::model::columns::Columns;
use crate::model::packed_numbers::PackedNumbers;
use crate::store::body::Body;
use crate::store::stored_events::StoredEvents;
use crate::store::stored_runs::{StoredRun, pack, unpack};
use crate::{FileError, Meta, Metric, Profile, Tree};

type Read = fn(&mut Body, &mut Profile) -> Result<(), FileError>;
type Write = fn(&Profile) -> postcard::Result<Vec<u8>>;

/// A section.
struct Section {
    tag: &'static str,
    /// The value; empty if there is nothing to store.
    write: Write,
    read: Read,
}

/// A section that is a field of the profile.
macro_rules! field {
    ($tag:literal, $field:ident) => {
        Section {
            tag: $tag,
            write: |profile| value_of(&profile.$field),
            read: |body, profile| {
                profile.$field = body.value()?;
                Ok(())
            },
        }
    };
}

/// In the order of the file. Readers of the origin alone need it first; what is in nodes comes
/// behind the nodes.
const SECTIONS: &[Section] = &[
    field!("meta", meta),
    field!("rate", rate),
    field!("methods", methods),
    field!("threads", threads),
    Section { tag: "nodes", write: write_nodes, read: read_nodes },
    Section { tag: "numbers", write: write_numbers, read: read_numbers },
    Section {
        tag: "node-events",
        write: |profile| value_of(&StoredEvents::of(&profile.tree)),
        read: |body, profile| {
            let events = body.value::<StoredEvents>()?;
            events.add_to(&mut profile.tree).map_err(FileError::Content)
        },
    },
    field!("quality", quality),
    field!("anchor", anchor),
    Section {
        tag: "runs",
        write: |profile| value_of(&pack(&profile.runs)),
        read: |body, profile| {
            profile.runs = unpack(body.value::<Vec<StoredRun>>()?);
            Ok(())
        },
    },
    field!("latencies", latencies),
    field!("slice", slice),
    field!("mounts", mounts),
    field!("trust", trust),
    field!("allocation", allocation),
    field!("cpu", cpu),
    field!("stack-samples", stack_samples),
    field!("stack-walks", stack_walks),
    field!("events", events),
];

/// Most sections of a file, and metrics of a tree: what is passed over is named, and the names must
/// not take much more than the file.
const MOST: usize = 256;
/// Longest tag, and name of a metric, in bytes.
const LONGEST: usize = 64;

/// A value's bytes.
fn value_of(value: &impl Serialize) -> postcard::Result<Vec<u8>> {
    postcard::to_stdvec(value)
}

#[derive(Serialize)]
struct Nodes<'a> {
    frames: &'a [u32],
    depths: &'a [u32],
}

fn write_nodes(profile: &Profile) -> postcard::Result<Vec<u8>> {
    let Columns { frames, depths, .. } = profile.tree.columns();
    value_of(&Nodes { frames, depths })
}

fn read_nodes(body: &mut Body, profile: &mut Profile) -> Result<(), FileError> {
    let mut columns = Columns::default();
    for column in [&mut columns.frames, &mut columns.depths] {
        body.numbers(|number| u32::try_from(number).map(|number| column.push(number)).is_ok())?;
    }
    profile.tree = Tree::new(columns).map_err(FileError::Content)?;
    Ok(())
}

/// By metric: the name in files, and a column that is not all zero.
fn write_numbers(profile: &Profile) -> postcard::Result<Vec<u8>> {
    let numbers = profile.tree.columns().numbers.iter();
    let some = numbers.filter(|(_, column)| !column.is_empty());
    let some: Vec<(&str, &PackedNumbers)> =
        some.map(|(metric, column)| (metric.info().key, column)).collect();
    value_of(&some)
}

fn read_numbers(body: &mut Body, profile: &mut Profile) -> Result<(), FileError> {
    let mut columns = profile.tree.columns().clone();
    let count: u32 = body.value()?;
    if count as usize > MOST {
        return Err(FileError::Content(format!("{count} metrics").into()));
    }
    for _ in 0..count {
        let key = name(body.value()?)?;
        let mut column = PackedNumbers::default();
        body.numbers(|number| {
            column.push(number);
            column.len() <= columns.len()
        })?;
        match Metric::of_key(&key) {
            Some(metric) if !columns.numbers[metric].is_empty() => {
                return Err(FileError::Content(format!("metric {key} twice").into()));
            }
            Some(metric) => columns.numbers[metric] = column,
            None => profile.meta.notices.push(passed_over(&format!("metric {key}"))),
        }
    }
    profile.tree = Tree::new(columns).map_err(FileError::Content)?;
    Ok(())
}

/// A tag, or the name of a metric.
fn name(text: String) -> Result<String, FileError> {
    match text.len() <= LONGEST {
        true => Ok(text),
        false => Err(FileError::Content(format!("a name of {} bytes", text.len()).into())),
    }
}

fn passed_over(what: &str) -> String {
    format!("the profile has a {what}, which this jfathom does not know and leaves out")
}

/// The body of a profile's file.
pub(crate) fn write(profile: &Profile) -> postcard::Result<Vec<u8>> {
    let empty = Profile::default();
    let mut body = Vec::new();
    for (at, section) in SECTIONS.iter().enumerate() {
        let value = (section.write)(profile)?;
        // Readers of the origin alone look for it at the begin.
        if at == 0 || value != (section.write)(&empty)? {
            body = postcard::to_extend(&(section.tag, value.len() as u64), body)?;
            body.extend(value);
        }
    }
    Ok(body)
}

/// The tag and the length of a section.
#[derive(Deserialize)]
struct Head(String, u64);

/// Reads the sections of a profile, unchecked but for its tree.
pub(crate) fn read(body: &mut Body) -> Result<Profile, FileError> {
    let mut profile = Profile::default();
    let mut seen: HashSet<String> = HashSet::new();
    while !body.is_at_end() {
        let Head(tag, bytes) = body.value()?;
        let (tag, end) = (name(tag)?, body.position().saturating_add(bytes));
        if seen.len() == MOST {
            return Err(FileError::Content(format!("more than {MOST} sections").into()));
        }
        // Some take as long as the tree is large.
        if !seen.insert(tag.clone()) {
            return Err(FileError::Content(format!("section {tag:?} twice").into()));
        }
        match SECTIONS.iter().find(|section| section.tag == tag) {
            Some(section) => (section.read)(body, &mut profile)?,
            None => {
                body.skip(bytes)?;
                profile.meta.notices.push(passed_over(&format!("section {tag:?}")));
            }
        }
        if body.position() != end {
            let what = format!("section {tag:?} of another length than announced");
            return Err(FileError::Content(what.into()));
        }
    }
    Ok(profile)
}

/// Reads the origin alone, which comes first.
pub(crate) fn read_meta(body: &mut Body) -> Result<Meta, FileError> {
    let Head(tag, _) = body.value()?;
    match tag == SECTIONS[0].tag {
        true => body.value(),
        false => Err(FileError::Content(format!("section {tag:?} before the origin").into())),
    }
}
