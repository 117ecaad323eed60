//! Several inputs at once: a class path with the siblings that its manifests name.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use crate::destination::{file_id, real, same_output};
use crate::{Error, ErrorKind, Input, Limits, Notice, OutsideReason};

/// The inputs of a whole class path.
#[derive(Debug)]
pub struct Opened {
    /// The inputs: those named, in their order, then the siblings in the order in which they were found.
    pub inputs: Vec<Input>,
    /// What was not followed, and what goes elsewhere than its own name says.
    pub notices: Vec<Notice>,
}

/// Opens all `paths` and, with `follow_class_path`, the jars and directories that their manifests' `Class-Path` names.
///
/// A file that is named twice is opened once. Siblings keep their place relative to the jar that names them
/// ([`Input::relative_path`]), so that the rewritten jar finds the rewritten siblings; what would lie outside the output
/// directory is not followed ([`Notice::ClassPathOutside`]).
///
/// # Errors
/// Any named input that cannot be opened; a sibling beyond the limits; two inputs that would be written to one path
/// ([`ErrorKind::SameOutput`]).
pub fn open_all(paths: &[PathBuf], follow_class_path: bool, limits: &Limits) -> Result<Opened, Error> {
    let mut opening = Opening { limits, inputs: Vec::new(), notices: Vec::new(), known: HashMap::new() };
    for path in paths {
        if file_id(path).is_some_and(|id| opening.known.contains_key(&id)) {
            continue;
        }
        let input = Input::open_with(path, limits)?;
        opening.push(input, Origin::Named)?;
    }
    if follow_class_path {
        opening.follow()?;
    }
    opening.check_outputs()?;
    Ok(Opened { inputs: opening.inputs, notices: opening.notices })
}

/// Who decided where an input goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Named,
    ClassPath,
}

struct Opening<'a> {
    limits: &'a Limits,
    inputs: Vec<Input>,
    notices: Vec<Notice>,
    /// Device and inode of each input, its position, and who placed it.
    known: HashMap<(u64, u64), (usize, Origin)>,
}

/// An entry of a `Class-Path` whose place is inside the output directory.
struct Sibling {
    /// The position of the input whose manifest names it.
    by: usize,
    entry: String,
    path: PathBuf,
    relative: PathBuf,
}

impl Opening<'_> {
    fn push(&mut self, input: Input, origin: Origin) -> Result<(), Error> {
        if let Some(id) = input.path().and_then(file_id) {
            self.known.insert(id, (self.inputs.len(), origin));
        }
        self.inputs.push(input);
        Ok(())
    }

    /// Opens the siblings of all inputs, those of siblings too. Directories come last, when it is known what lies in them.
    fn follow(&mut self) -> Result<(), Error> {
        let mut directories = Vec::new();
        let mut next = 0;
        while next < self.inputs.len() {
            for sibling in self.siblings(next)? {
                if sibling.path.is_dir() { directories.push(sibling) } else { self.open(sibling)? }
            }
            next += 1;
        }
        for sibling in directories {
            let around = real(&sibling.path);
            let known = self.place_known(&sibling);
            match self.inputs.iter().filter_map(Input::path).any(|p| real(p).starts_with(&around)) {
                _ if known => {}
                true => self.outside(sibling.by, sibling.entry, OutsideReason::AroundInputs),
                false => self.open(sibling)?,
            }
        }
        Ok(())
    }

    /// What the `Class-Path` of the input at `by` names (JAR specification, "Class-Path Attribute": relative URLs, separated by
    /// blanks).
    fn siblings(&mut self, by: usize) -> Result<Vec<Sibling>, Error> {
        let Some(input) = self.inputs.get(by) else { return Ok(Vec::new()) };
        let Some(path) = input.path().map(Path::to_owned) else { return Ok(Vec::new()) };
        if path.is_dir() {
            return Ok(Vec::new());
        }
        let Some(manifest) = input.manifest()? else { return Ok(Vec::new()) };
        let folder = input.relative_path().parent().unwrap_or(Path::new("")).to_owned();
        let mut siblings = Vec::new();
        for entry in manifest.main().get("Class-Path").unwrap_or_default().split_ascii_whitespace() {
            let outside = match resolve(&folder, entry) {
                Ok((tail, relative)) => {
                    let path = path.parent().unwrap_or(Path::new("")).join(tail);
                    if path.exists() {
                        siblings.push(Sibling { by, entry: entry.to_owned(), path, relative });
                        continue;
                    }
                    OutsideReason::Missing
                }
                Err(reason) => reason,
            };
            self.outside(by, entry.to_owned(), outside);
        }
        Ok(siblings)
    }

    /// Opens a sibling, unless it is known.
    fn open(&mut self, sibling: Sibling) -> Result<(), Error> {
        if self.place_known(&sibling) {
            return Ok(());
        }
        match Input::open_with(&sibling.path, self.limits) {
            Ok(mut input) => {
                input.set_relative_path(sibling.relative);
                self.push(input, Origin::ClassPath)
            }
            Err(e) if matches!(e.kind(), ErrorKind::Limit { .. }) => Err(e),
            // The JVM passes over what it cannot open, too.
            Err(_) => {
                self.outside(sibling.by, sibling.entry, OutsideReason::Unreadable);
                Ok(())
            }
        }
    }

    /// If the sibling is an input already, sees to it that it goes where the `Class-Path` looks for it.
    fn place_known(&mut self, sibling: &Sibling) -> bool {
        let Some((at, origin)) = file_id(&sibling.path).and_then(|id| self.known.get_mut(&id)) else { return false };
        let Some(input) = self.inputs.get_mut(*at) else { return false };
        if input.relative_path() == sibling.relative {
            return true;
        }
        if *origin == Origin::Named && *at != sibling.by {
            *origin = Origin::ClassPath;
            input.set_relative_path(sibling.relative.clone());
            let place = input.place().clone();
            self.notices.push(Notice::PlacedByClassPath { place, output: sibling.relative.clone() });
        } else {
            self.outside(sibling.by, sibling.entry.clone(), OutsideReason::Elsewhere);
        }
        true
    }

    fn outside(&mut self, by: usize, entry: String, reason: OutsideReason) {
        if let Some(input) = self.inputs.get(by) {
            self.notices.push(Notice::ClassPathOutside { place: input.place().clone(), entry, reason });
        }
    }

    fn check_outputs(&self) -> Result<(), Error> {
        let mut owners: HashMap<&Path, &Input> = HashMap::new();
        for input in &self.inputs {
            if let Some(other) = owners.insert(input.relative_path(), input) {
                return Err(same_output(input.place(), other, input.relative_path()));
            }
        }
        Ok(())
    }
}

/// The path that a `Class-Path` entry means, from the folder of the jar that has it, and where it lies below the output directory
/// if that jar lies in `folder` there.
fn resolve(folder: &Path, entry: &str) -> Result<(PathBuf, PathBuf), OutsideReason> {
    let scheme = entry.split_once(':').map(|(scheme, _)| scheme).unwrap_or_default();
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    if is_scheme || entry.starts_with(['/', '\\']) {
        return Err(OutsideReason::Absolute);
    }
    let tail = PathBuf::from(percent_decoded(entry).ok_or(OutsideReason::Missing)?);
    let mut relative = folder.to_owned();
    for part in tail.components() {
        match part {
            Component::CurDir => {}
            Component::Normal(part) => relative.push(part),
            Component::ParentDir if relative.pop() => {}
            Component::ParentDir => return Err(OutsideReason::AboveOutput),
            Component::RootDir | Component::Prefix(_) => return Err(OutsideReason::Absolute),
        }
    }
    if relative == Path::new("") { Err(OutsideReason::AroundInputs) } else { Ok((tail, relative)) }
}

/// The path of a relative URL without `%XX` escapes; `None` if it is no UTF-8, or holds a NUL, then.
fn percent_decoded(url: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(url.len());
    let mut rest = url.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let escape = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        let value =
            escape.filter(|h| h.bytes().all(|b| b.is_ascii_hexdigit())).and_then(|h| u8::from_str_radix(h, 16).ok());
        match value {
            Some(byte) if first == b'%' => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).ok().filter(|path| !path.contains('\0'))
}
