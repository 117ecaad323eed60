//! Several inputs at once: a class path with the siblings that its manifests name.

mod names;
mod url;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::destination::{FileId, file_id, real};
use crate::given_names::{Layout, below_output};
use crate::limits::check;
use crate::{Error, ErrorKind, Input, Limit, Limits, Notice, OutsideReason};
use names::Names;
use url::resolve;

/// The inputs of a whole class path.
#[derive(Debug)]
pub struct Opened {
    /// The inputs: those named, in their order, then the siblings in the order in which they were
    /// found.
    pub inputs: Vec<Input>,
    /// What was not followed, and what goes elsewhere than its own name says.
    pub notices: Vec<Notice>,
}

/// Opens all `paths` and, with `follow_class_path`, the jars and directories that their manifests'
/// `Class-Path` names.
///
/// A file that is named twice is opened once. Each input keeps its file name below the output
/// directory; inputs of one name keep what of their paths tells them apart
/// ([`Notice::PlacedApart`]). Siblings keep their place relative to the jar that names them, so
/// that the rewritten jar finds the rewritten siblings; what would lie outside the output directory
/// is not followed ([`Notice::ClassPathOutside`]). A file that has several names then lies at
/// [`Input::relative_path`], and [`Input::links`] are its other names ([`Notice::SeveralNames`]).
///
/// # Errors
/// Any named input that cannot be opened; a sibling or a `Class-Path` beyond the limits.
pub fn open_all(
    paths: &[PathBuf],
    follow_class_path: bool,
    limits: &Limits,
) -> Result<Opened, Error> {
    let mut files =
        Files { limits, inputs: Vec::new(), known: HashMap::new(), class_paths: HashMap::new() };
    let mut named = Vec::new();
    for path in paths {
        let at = match files.find(path) {
            Some(at) => at,
            None => files.add(path, Input::open_with(path, limits)?),
        };
        let full = absolute(path)?;
        // One file of one name needs one place, wherever the user has it.
        if !named
            .iter()
            .any(|other: &Named| other.input == at && other.full.file_name() == full.file_name())
        {
            named.push(Named { input: at, full });
        }
    }
    let mut layout = Layout::Flat;
    let mut later = HashSet::new();
    let placing = loop {
        let mut placing = Placing::new(&mut files, &named, layout, &later);
        if follow_class_path {
            placing.follow()?;
        }
        let Placing { is_crowded, moved, .. } = &placing;
        match layout {
            Layout::Flat if *is_crowded => layout = Layout::Tree,
            // Each round knows more of them.
            _ if moved.is_subset(&later) => break placing.finish(),
            _ => later.extend(moved.iter().copied()),
        }
    };
    Ok(files.placed(placing, &named))
}

/// The path with its own last name, in the real folder: where the JVM takes it from.
fn absolute(path: &Path) -> Result<PathBuf, Error> {
    let canonical =
        |path: &Path| path.canonicalize().map_err(|e| Error::io(path, "cannot open", e));
    let Some(name) = path.file_name() else { return canonical(path) };
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    Ok(canonical(folder)?.join(name))
}

/// An input as the user named it.
struct Named {
    input: usize,
    full: PathBuf,
}

/// What was opened.
struct Files<'a> {
    limits: &'a Limits,
    inputs: Vec<Input>,
    known: HashMap<FileId, usize>,
    /// The entries of the `Class-Path` of each input that was asked for it.
    class_paths: HashMap<usize, Vec<String>>,
}

impl Files<'_> {
    fn find(&self, path: &Path) -> Option<usize> {
        self.known.get(&file_id(path)?).copied()
    }

    fn add(&mut self, path: &Path, input: Input) -> usize {
        let at = self.inputs.len();
        self.known.extend(file_id(path).map(|id| (id, at)));
        self.inputs.push(input);
        at
    }

    /// The `Class-Path` of an input, each entry once: those of directories count for nothing.
    fn class_path(&mut self, at: usize) -> Result<Vec<String>, Error> {
        if let Some(known) = self.class_paths.get(&at) {
            return Ok(known.clone());
        }
        let is_file = |input: &&Input| input.path().is_some_and(|path| !path.is_dir());
        let manifest =
            self.inputs.get(at).filter(is_file).map(Input::manifest).transpose()?.flatten();
        let value = manifest
            .as_ref()
            .and_then(|manifest| manifest.main().get("Class-Path"))
            .unwrap_or_default();
        if let Some(input) = self.inputs.get(at) {
            let count = value.split_ascii_whitespace().count() as u64;
            check(input.place(), Limit::Entries, count, self.limits.entries)?;
        }
        let mut seen = HashSet::new();
        let once: Vec<String> = value
            .split_ascii_whitespace()
            .filter(|entry| seen.insert(*entry))
            .map(str::to_owned)
            .collect();
        self.class_paths.insert(at, once.clone());
        Ok(once)
    }

    /// The inputs at their places; those without one are left out.
    fn placed(self, placing: Placed, named: &[Named]) -> Opened {
        let Placed { mut names, mut notices } = placing;
        let mut inputs = Vec::with_capacity(self.inputs.len());
        for (at, mut input) in self.inputs.into_iter().enumerate() {
            let Some(names) = names.remove(&at) else { continue };
            let place = || input.place().clone();
            if !names.links.is_empty() {
                let (output, links) = (names.place.clone(), names.links.clone());
                notices.push(Notice::SeveralNames { place: place(), output, links });
            } else if named
                .iter()
                .any(|other| other.input == at && other.full.file_name() != names.place.file_name())
                || names.is_apart
            {
                notices.push(Notice::PlacedApart { place: place(), output: names.place.clone() });
            }
            input.set_place(names.place, names.links);
            inputs.push(input);
        }
        Opened { inputs, notices }
    }
}

/// An input under one of its names: where its `Class-Path` is looked up, and which folder that is
/// below the output directory.
struct Visit {
    input: usize,
    from: PathBuf,
    folder: PathBuf,
}

/// An entry of a `Class-Path` whose place is inside the output directory.
struct Sibling {
    /// The input whose manifest names it.
    by: usize,
    entry: String,
    path: PathBuf,
    relative: PathBuf,
    /// Whether it is found through a symbolic link.
    is_linked: bool,
}

/// Where everything goes.
struct Placed {
    names: HashMap<usize, Names>,
    notices: Vec<Notice>,
}

/// One try to give every input its places.
struct Placing<'f, 'a> {
    files: &'f mut Files<'a>,
    names: HashMap<usize, Names>,
    /// Who has a path below the output directory.
    owners: HashMap<PathBuf, usize>,
    /// The real paths of all inputs, with the folders above them.
    around: HashSet<PathBuf>,
    /// What is to be visited, last first.
    visits: Vec<Visit>,
    /// Named inputs that are visited when nothing else is left, as a `Class-Path` has moved them
    /// before.
    late: Vec<Visit>,
    visited: HashSet<usize>,
    /// Named inputs that a `Class-Path` has moved.
    moved: HashSet<usize>,
    /// Whether two inputs want one place.
    is_crowded: bool,
    notices: Vec<Notice>,
}

impl<'f, 'a> Placing<'f, 'a> {
    fn new(
        files: &'f mut Files<'a>,
        named: &[Named],
        layout: Layout,
        later: &HashSet<usize>,
    ) -> Self {
        let mut placing = Self {
            files,
            names: HashMap::new(),
            owners: HashMap::new(),
            around: HashSet::new(),
            visits: Vec::new(),
            late: Vec::new(),
            visited: HashSet::new(),
            moved: HashSet::new(),
            is_crowded: false,
            notices: Vec::new(),
        };
        let paths: Vec<PathBuf> = named.iter().map(|input| input.full.clone()).collect();
        for (Named { input, full }, below) in named.iter().zip(below_output(&paths, layout)) {
            placing.owners.insert(below.clone(), *input);
            if let Some(names) = placing.names.get_mut(input) {
                names.links.push(below);
                continue;
            }
            // The JVM looks for siblings beside the file behind a link that its class path names.
            let from = full.canonicalize().unwrap_or_else(|_| full.clone());
            let visit = Visit { input: *input, from: folder_of(&from), folder: folder_of(&below) };
            placing.around.extend(from.ancestors().map(Path::to_owned));
            placing.names.insert(*input, Names::named(below));
            if later.contains(input) {
                placing.late.push(visit)
            } else {
                placing.visits.push(visit)
            }
        }
        placing.visits.reverse();
        placing.late.reverse();
        placing
    }

    fn finish(self) -> Placed {
        Placed { names: self.names, notices: self.notices }
    }

    /// Places the siblings of all inputs, those of siblings too. Directories come last, when it is
    /// known what lies in them.
    fn follow(&mut self) -> Result<(), Error> {
        let mut directories = Vec::new();
        loop {
            let late = |late: &mut Vec<Visit>, visited: &HashSet<usize>| {
                std::iter::from_fn(|| late.pop()).find(|visit| !visited.contains(&visit.input))
            };
            let Some(visit) = self.visits.pop().or_else(|| late(&mut self.late, &self.visited))
            else {
                break;
            };
            self.visited.insert(visit.input);
            let mut found = Vec::new();
            for sibling in self.siblings(&visit)? {
                if sibling.path.is_dir() {
                    directories.push(sibling)
                } else {
                    found.extend(self.reach(sibling)?)
                }
            }
            self.visits.extend(found.into_iter().rev());
        }
        for sibling in directories {
            let is_around = self.files.find(&sibling.path).is_none()
                && self.around.contains(&real(&sibling.path));
            match is_around {
                true => self.outside(sibling.by, sibling.entry, OutsideReason::AroundInputs),
                false => drop(self.reach(sibling)?),
            }
        }
        Ok(())
    }

    fn siblings(&mut self, visit: &Visit) -> Result<Vec<Sibling>, Error> {
        let mut siblings = Vec::new();
        for entry in self.files.class_path(visit.input)? {
            let by = visit.input;
            let outside = match resolve(&visit.folder, &entry) {
                Ok((tail, relative)) => {
                    let path = visit.from.join(&tail);
                    let plain = resolve(&real(&visit.from), &entry).map(|(_, plain)| plain);
                    if let Ok(found) = path.canonicalize() {
                        let is_linked = plain != Ok(found);
                        siblings.push(Sibling { by, entry, path, relative, is_linked });
                        continue;
                    }
                    OutsideReason::Missing
                }
                Err(reason) => reason,
            };
            self.outside(by, entry, outside);
        }
        Ok(siblings)
    }

    /// Sees to it that the sibling lies where the `Class-Path` looks for it. Gives what is to be
    /// visited then.
    fn reach(&mut self, sibling: Sibling) -> Result<Option<Visit>, Error> {
        let Sibling { by, entry, path, relative, is_linked } = sibling;
        let owner = self.owners.get(&relative).copied();
        let known = self.files.find(&path);
        if known.is_some() && owner == known {
            return Ok(None);
        }
        if owner.is_some() {
            self.is_crowded = true;
            self.outside(by, entry, OutsideReason::Taken);
            return Ok(None);
        }
        let at = match known
            .map_or_else(|| Input::open_with(&path, self.files.limits).map(Err), |at| Ok(Ok(at)))
        {
            Ok(Ok(at)) => at,
            Ok(Err(input)) => self.files.add(&path, input),
            Err(e) if matches!(e.kind(), ErrorKind::Limit { .. }) => return Err(e),
            // The JVM passes over what it cannot open, too.
            Err(_) => {
                self.outside(by, entry, OutsideReason::Unreadable);
                return Ok(None);
            }
        };
        let names = self.names.entry(at).or_insert_with(|| Names::of_class_path(relative.clone()));
        if names.place != relative {
            if names.is_full() {
                self.outside(by, entry, OutsideReason::Elsewhere);
                return Ok(None);
            }
            if names.add(relative.clone(), at != by && !is_linked) {
                self.moved.insert(at);
            }
        }
        let folder = folder_of(&relative);
        self.owners.insert(relative, at);
        self.around.extend(real(&path).ancestors().map(Path::to_owned));
        Ok(Some(Visit { input: at, from: folder_of(&path), folder }))
    }

    fn outside(&mut self, by: usize, entry: String, reason: OutsideReason) {
        let Some(input) = self.files.inputs.get(by) else { return };
        let notice = Notice::ClassPathOutside { place: input.place().clone(), entry, reason };
        // An input that is visited under several names says it once.
        if self.names.get(&by).is_none_or(|names| names.links.is_empty())
            || !self.notices.contains(&notice)
        {
            self.notices.push(notice);
        }
    }
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).to_owned()
}
