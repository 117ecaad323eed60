//! Several inputs, and the siblings that their jar manifests name.
//!
//! Inputs that the user names must be readable ([`open_all`]). On a class path the JVM passes over
//! what it cannot read, and so does [`open_class_path`]. In both cases what a `Class-Path` names is
//! taken as the JVM takes it.

mod names;
mod url;

use std::collections::{HashMap, HashSet};
use std::io::ErrorKind::{NotADirectory, NotFound};
use std::path::{Path, PathBuf};

use crate::destination::{FileId, file_id, real};
use crate::given_names::{Layout, below_output};
use crate::limits::check;
use crate::{Error, Input, InputKind, Limit, Limits, Location, Notice, OutsideReason};
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
/// Fails if a named input cannot be opened, or has a `Class-Path` beyond the limits.
pub fn open_all(
    paths: &[PathBuf],
    follow_class_path: bool,
    limits: &Limits,
) -> Result<Opened, Error> {
    let mut files = Files::new(limits, |path, limits| Input::open_with(path, limits));
    let mut named = Vec::new();
    for path in paths {
        let open = |path: &Path, limits: &Limits| {
            let input = Input::open_with(path, limits)?;
            let class_path = match follow_class_path {
                true => class_path_of(&input, limits)?,
                false => Vec::new(),
            };
            Ok((input, class_path))
        };
        files.name(path, open, &mut named)?;
    }
    Ok(files.follow(&named, follow_class_path))
}

/// Opens the entries of a class path, as [`open_all`] does with inputs. An entry that does not
/// exist has no classes; one that cannot be read is passed over ([`Notice::PassedOver`]). An empty
/// path is the working directory.
pub fn open_class_path(paths: &[PathBuf], follow_class_path: bool, limits: &Limits) -> Opened {
    let mut files = Files::new(limits, |path, limits| Input::open_to_read(path, limits));
    let (mut named, mut passed) = (Vec::new(), Vec::new());
    for path in paths {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        if !may_exist(path) {
            continue;
        }
        let open = files.open;
        let open = |path: &Path, limits: &Limits| open_entry(path, limits, open);
        if let Err(error) = files.name(path, open, &mut named) {
            let (location, problem) = (Location::new(path), error.kind().problem());
            passed.push(Notice::PassedOver { location, problem });
        }
    }
    let mut opened = files.follow(&named, follow_class_path);
    passed.append(&mut opened.notices);
    Opened { notices: passed, ..opened }
}

/// Whether there is something at the path, as far as can be known.
fn may_exist(path: &Path) -> bool {
    !matches!(path.metadata(), Err(error) if matches!(error.kind(), NotFound | NotADirectory))
}

/// Opens an entry of a class path. The JVM also passes over a jar whose manifest it cannot read
/// (`jdk.internal.loader.URLClassPath`), and over a directory that it cannot list it finds nothing
/// in. Returns the entries of its own `Class-Path`, too.
fn open_entry(path: &Path, limits: &Limits, open: Open) -> Result<(Input, Vec<String>), Error> {
    if path.is_dir() {
        std::fs::read_dir(path).map_err(|e| Error::io(path, "cannot open", e))?;
    }
    let input = open(path, limits)?;
    let class_path = class_path_of(&input, limits)?;
    Ok((input, class_path))
}

/// The `Class-Path` of an input, each entry once. Directories have none.
fn class_path_of(input: &Input, limits: &Limits) -> Result<Vec<String>, Error> {
    let is_archive = input.kind() == InputKind::Archive;
    let manifest = is_archive.then(|| input.manifest()).transpose()?.flatten();
    let value = manifest.as_ref().and_then(|manifest| manifest.main().get("Class-Path"));
    let entries = || value.unwrap_or_default().split_ascii_whitespace();
    check(input.location(), Limit::Entries, entries().count() as u64, limits.entries)?;
    let mut seen = HashSet::new();
    Ok(entries().filter(|entry| seen.insert(*entry)).map(str::to_owned).collect())
}

impl<'a> Files<'a> {
    fn new(limits: &'a Limits, open: Open) -> Self {
        Self { limits, open, inputs: Vec::new(), known: HashMap::new(), class_paths: Vec::new() }
    }

    /// Adds an input that the user names.
    fn name(
        &mut self,
        path: &Path,
        open: impl Fn(&Path, &Limits) -> Result<(Input, Vec<String>), Error>,
        named: &mut Vec<Named>,
    ) -> Result<(), Error> {
        let (found, full) = match self.find(path) {
            Some(at) => (Ok(at), absolute(path)?),
            None => (Err(open(path, self.limits)?), absolute(path)?),
        };
        let at = found.unwrap_or_else(|(input, class_path)| self.add(path, input, class_path));
        // One file of one name needs one output path, whatever paths the user gave.
        if !named
            .iter()
            .any(|other: &Named| other.input == at && other.full.file_name() == full.file_name())
        {
            named.push(Named { input: at, full });
        }
        Ok(())
    }

    /// Gives all inputs their output paths, and with `follow_class_path` opens their siblings.
    fn follow(mut self, named: &[Named], follow_class_path: bool) -> Opened {
        let mut layout = Layout::Flat;
        let mut later = HashSet::new();
        let placing = loop {
            let mut placing = Placing::new(&mut self, named, layout, &later);
            if follow_class_path {
                placing.follow();
            }
            let Placing { is_crowded, moved, .. } = &placing;
            match layout {
                Layout::Flat if *is_crowded => layout = Layout::Tree,
                // Each round knows more of them.
                _ if moved.is_subset(&later) => break placing.finish(),
                _ => later.extend(moved.iter().copied()),
            }
        };
        self.placed(placing, named)
    }
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

/// Opens an input: to rewrite it, or only to read it.
type Open = fn(&Path, &Limits) -> Result<Input, Error>;

/// The opened inputs.
struct Files<'a> {
    limits: &'a Limits,
    open: Open,
    inputs: Vec<Input>,
    known: HashMap<FileId, usize>,
    /// By input: the entries of its `Class-Path`.
    class_paths: Vec<Vec<String>>,
}

impl Files<'_> {
    fn find(&self, path: &Path) -> Option<usize> {
        self.known.get(&file_id(path)?).copied()
    }

    /// Adds an input with the entries of its `Class-Path`.
    fn add(&mut self, path: &Path, input: Input, class_path: Vec<String>) -> usize {
        let at = self.inputs.len();
        self.known.extend(file_id(path).map(|id| (id, at)));
        self.inputs.push(input);
        self.class_paths.push(class_path);
        at
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
    fn follow(&mut self) {
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
            for sibling in self.siblings(&visit) {
                if sibling.path.is_dir() {
                    directories.push(sibling)
                } else {
                    found.extend(self.reach(sibling))
                }
            }
            self.visits.extend(found.into_iter().rev());
        }
        for sibling in directories {
            let is_around = self.files.find(&sibling.path).is_none()
                && self.around.contains(&real(&sibling.path));
            match is_around {
                true => self.outside(sibling.by, sibling.entry, OutsideReason::AroundInputs),
                false => drop(self.reach(sibling)),
            }
        }
    }

    fn siblings(&mut self, visit: &Visit) -> Vec<Sibling> {
        let mut siblings = Vec::new();
        for entry in self.files.class_paths.get(visit.input).cloned().unwrap_or_default() {
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
        siblings
    }

    /// Gives the sibling the output path that the `Class-Path` needs. Returns the inputs to visit
    /// next.
    fn reach(&mut self, sibling: Sibling) -> Option<Visit> {
        let Sibling { by, entry, path, relative, is_linked } = sibling;
        let owner = self.owners.get(&relative).copied();
        let known = self.files.find(&path);
        if known.is_some() && owner == known {
            return None;
        }
        if owner.is_some() {
            self.is_crowded = true;
            self.outside(by, entry, OutsideReason::Taken);
            return None;
        }
        let at = match known.map_or_else(
            || open_entry(&path, self.files.limits, self.files.open).map(Err),
            |at| Ok(Ok(at)),
        ) {
            Ok(Ok(at)) => at,
            Ok(Err((input, class_path))) => self.files.add(&path, input, class_path),
            Err(error) => {
                self.outside(by, entry, OutsideReason::Unreadable(error.kind().problem()));
                return None;
            }
        };
        let names =
            self.names.entry(at).or_insert_with(|| Names::from_class_path(relative.clone()));
        if names.output != relative {
            if names.is_full() {
                self.outside(by, entry, OutsideReason::Elsewhere);
                return None;
            }
            if names.add(relative.clone(), at != by && !is_linked) {
                self.moved.insert(at);
            }
        }
        let folder = folder_of(&relative);
        self.owners.insert(relative, at);
        self.around.extend(real(&path).ancestors().map(Path::to_owned));
        Some(Visit { input: at, from: folder_of(&path), folder })
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
