//! Class paths: several inputs, and the siblings that their jar manifests name.

mod names;
mod url;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::destination::{FileId, file_id, real};
use crate::given_names::{Layout, below_output};
use crate::limits::check;
use crate::{Error, ErrorKind, Input, Limit, Limits, Notice, OutsideReason};
use names::Names;
pub use url::path_of_file_url;
use url::resolve;

/// The inputs of a whole class path.
#[derive(Debug)]
pub struct Opened {
    /// The inputs: those named, in their order, then the siblings in the order in which they were
    /// found.
    pub inputs: Vec<Input>,
    /// Entries that were not followed, and inputs whose output path differs from their name.
    pub notices: Vec<Notice>,
}

/// Opens all `paths` and, with `follow_class_path`, the jars and directories in their jar
/// manifests' `Class-Path`.
///
/// A file that is named twice is opened once. Each input keeps its file name below the output
/// directory. Inputs of one file name keep the part of their paths in which they differ
/// ([`Notice::PlacedApart`]). Siblings keep their path relative to the jar that names them, so the
/// rewritten jar finds the rewritten siblings. A sibling outside the output directory is not
/// followed ([`Notice::ClassPathOutside`]). A file with several names has its output at
/// [`Input::relative_path`], with [`Input::links`] to it ([`Notice::SeveralNames`]).
///
/// # Errors
/// Fails if a named input cannot be opened, or if a sibling or a `Class-Path` exceeds the limits.
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
        // One file of one name needs one output path, whatever paths the user gave.
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

/// The real path of the folder, with the path's own last name. The JVM opens the file there.
fn absolute(path: &Path) -> Result<PathBuf, Error> {
    let canonical =
        |path: &Path| path.canonicalize().map_err(|e| Error::io(path, "cannot open", e));
    let Some(name) = path.file_name() else { return canonical(path) };
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    Ok(canonical(folder)?.join(name))
}

/// An input with the path that the user gave.
struct Named {
    input: usize,
    full: PathBuf,
}

/// The opened inputs.
struct Files<'a> {
    limits: &'a Limits,
    inputs: Vec<Input>,
    known: HashMap<FileId, usize>,
    /// By input: the entries of its `Class-Path`, once requested.
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

    /// The `Class-Path` of an input, each entry once. Directories have none.
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
            check(input.location(), Limit::Entries, count, self.limits.entries)?;
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

    /// The inputs with an output path.
    fn placed(self, placing: Placed, named: &[Named]) -> Opened {
        let Placed { mut names, mut notices } = placing;
        let mut inputs = Vec::with_capacity(self.inputs.len());
        for (at, mut input) in self.inputs.into_iter().enumerate() {
            let Some(names) = names.remove(&at) else { continue };
            let location = || input.location().clone();
            if !names.links.is_empty() {
                let (output, links) = (names.output.clone(), names.links.clone());
                notices.push(Notice::SeveralNames { location: location(), output, links });
            } else if named.iter().any(|other| {
                other.input == at && other.full.file_name() != names.output.file_name()
            }) || names.is_apart
            {
                notices.push(Notice::PlacedApart {
                    location: location(),
                    output: names.output.clone(),
                });
            }
            input.set_output(names.output, names.links);
            inputs.push(input);
        }
        Opened { inputs, notices }
    }
}

/// An input under one of its names: the folder in which its `Class-Path` is resolved, and that
/// folder below the output directory.
struct Visit {
    input: usize,
    from: PathBuf,
    folder: PathBuf,
}

/// An entry of a `Class-Path` whose output is inside the output directory.
struct Sibling {
    /// The input whose jar manifest has the entry.
    by: usize,
    entry: String,
    path: PathBuf,
    relative: PathBuf,
    /// Whether a symbolic link leads to it.
    is_linked: bool,
}

/// The output paths of all inputs.
struct Placed {
    names: HashMap<usize, Names>,
    notices: Vec<Notice>,
}

/// One attempt to assign all output paths.
struct Placing<'f, 'a> {
    files: &'f mut Files<'a>,
    names: HashMap<usize, Names>,
    /// By output path: its input.
    owners: HashMap<PathBuf, usize>,
    /// The real paths of all inputs, with the folders above them.
    around: HashSet<PathBuf>,
    /// Inputs to visit, last first.
    visits: Vec<Visit>,
    /// Named inputs that a `Class-Path` moved in an earlier attempt. They are visited last.
    late: Vec<Visit>,
    visited: HashSet<usize>,
    /// Named inputs that a `Class-Path` moved in this attempt.
    moved: HashSet<usize>,
    /// Whether two inputs need the same output path.
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
            // The JVM searches siblings beside the target of a link on the class path.
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

    /// Assigns output paths to the siblings of all inputs, and to their siblings. Directories come
    /// last, when their content is known.
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

    /// Gives the sibling the output path that the `Class-Path` needs. Returns the inputs to visit
    /// next.
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
            // The JVM also ignores what it cannot open.
            Err(_) => {
                self.outside(by, entry, OutsideReason::Unreadable);
                return Ok(None);
            }
        };
        let names =
            self.names.entry(at).or_insert_with(|| Names::from_class_path(relative.clone()));
        if names.output != relative {
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
        let notice = Notice::ClassPathOutside { location: input.location().clone(), entry, reason };
        // An input with several names reports it once.
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
