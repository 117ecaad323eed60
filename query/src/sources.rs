//! What is asked: files of tables, those of profiles made for the purpose.

use crate::args::Usage;
use anyhow::{Context, Result, bail};
use jfathom_files::Directory;
use jfathom_profile::Profile;
use jfathom_tables::{RunId, Table, write_table};
use jfathom_views::{Scope, Shown};
use std::{
    collections::BTreeSet,
    ffi::{OsStr, OsString},
    fs::{self, File},
    io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};
use tempfile::TempDir;
use url::Url;

/// Where the tables are.
#[derive(Debug)]
pub struct Sources {
    /// Directories of this machine that have a directory for each table.
    pub datasets: Vec<Dataset>,
    /// URLs of such directories elsewhere.
    pub urls: Vec<String>,
    /// The tables of single profiles, until the query is answered.
    _made: Option<TempDir>,
}

/// A directory of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dataset {
    /// Its URL, with a stroke at its end; that of a file for a directory of this machine.
    pub url: Url,
    /// The keys of its partitions, from the outermost: `day` in `totals/day=2026-11-25`.
    pub partitions: Vec<String>,
    /// The names of the files of its table `runs`; none if nobody looked.
    pub runs: BTreeSet<OsString>,
}

impl Sources {
    /// Finds the sources. Profiles are made to tables.
    ///
    /// # Errors
    /// A source is not there, or is no profile and no directory of them; a file is damaged; there
    /// is no space for the tables.
    pub fn open(sources: &[String]) -> Result<Self> {
        let (mut datasets, mut urls) = (Vec::new(), Vec::new());
        let mut profiles: BTreeSet<PathBuf> = BTreeSet::new();
        for source in sources {
            if source.contains("://") {
                urls.push(source.clone());
                continue;
            }
            let paths = match fs::exists(source) {
                Ok(true) => vec![PathBuf::from(source)],
                _ => matches(source)?,
            };
            for path in paths {
                match Found::at(&path)? {
                    Found::Tables(dataset) => datasets.push(dataset),
                    Found::Profiles(found) => profiles.extend(found),
                }
            }
        }
        let mut known: BTreeSet<OsString> = BTreeSet::new();
        for dataset in &datasets {
            if let Some(run) = dataset.runs.iter().find(|run| known.contains(*run)) {
                bail!(Usage(format!(
                    "{}: the recording {} is in another source, too, and would count twice",
                    dataset.url,
                    run.display()
                )));
            }
            known.extend(dataset.runs.iter().cloned());
        }
        let made = (!profiles.is_empty()).then(|| make(&profiles, known)).transpose()?;
        if let Some(made) = &made {
            let url = directory_url(made.path())?;
            datasets.push(Dataset { url, partitions: Vec::new(), runs: BTreeSet::new() });
        }
        Ok(Self { datasets, urls, _made: made })
    }
}

enum Found {
    Tables(Dataset),
    Profiles(Vec<PathBuf>),
}

impl Found {
    fn at(path: &Path) -> Result<Self> {
        if !path.is_dir() {
            return Ok(Self::Profiles(vec![path.to_owned()]));
        }
        if path.join(Table::Runs.name()).is_dir() {
            return Ok(Self::Tables(Dataset::at(path)?));
        }
        let profiles: Vec<PathBuf> = entries(path)?
            .into_iter()
            .filter(|path| path.extension().is_some_and(|end| end == "jfp"))
            .collect();
        match profiles.is_empty() {
            true => bail!(Usage(format!("{}: no tables and no profiles", path.display()))),
            false => Ok(Self::Profiles(profiles)),
        }
    }
}

/// The paths that a pattern matches.
fn matches(pattern: &str) -> Result<Vec<PathBuf>> {
    let paths = glob::glob(pattern)
        .map_err(|error| Usage(format!("{pattern}: {error}")))?
        .collect::<Result<Vec<PathBuf>, _>>()?;
    match paths.is_empty() {
        true => bail!(Usage(format!("{pattern}: there is no such file"))),
        false => Ok(paths),
    }
}

fn entries(directory: &Path) -> Result<Vec<PathBuf>> {
    let failed = || format!("{}: cannot read the directory", directory.display());
    let entries = fs::read_dir(directory).with_context(failed)?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.sort();
    Ok(paths)
}

impl Dataset {
    /// The tables of a directory. Each of their files is looked at: a damaged one is named here,
    /// where the engine does not say which it is.
    fn at(directory: &Path) -> Result<Self> {
        let mut partitions = None;
        let mut runs = BTreeSet::new();
        for table in Table::ALL {
            let folder = directory.join(table.name());
            if !folder.is_dir() && table.may_be_missing() {
                continue;
            }
            if !folder.is_dir() {
                bail!("{}: the table {} is missing", directory.display(), table.name());
            }
            let files = look_at(&folder, &mut Vec::new(), &mut partitions)?;
            if table == Table::Runs {
                for path in files {
                    let name = path.file_name().unwrap_or_default().to_owned();
                    if !runs.insert(name) {
                        bail!("{}: this recording is there twice; remove one", path.display());
                    }
                }
            }
        }
        let url = directory_url(&directory.canonicalize()?)?;
        Ok(Self { url, partitions: partitions.unwrap_or_default(), runs })
    }
}

/// The URL of a directory.
fn directory_url(path: &Path) -> Result<Url> {
    match Url::from_directory_path(path) {
        Ok(url) => Ok(url),
        Err(()) => bail!("{}: this path cannot be a URL", path.display()),
    }
}

/// The files of a table, which are checked. All must be below directories of the same keys.
fn look_at(
    folder: &Path,
    keys: &mut Vec<String>,
    partitions: &mut Option<Vec<String>>,
) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match (path.is_dir(), name.split_once('=')) {
            (true, Some((key, _))) => {
                keys.push(key.to_owned());
                files.extend(look_at(&path, keys, partitions)?);
                keys.pop();
            }
            (false, _) if name.ends_with(".parquet") => {
                check_file(&path)?;
                let known = partitions.get_or_insert_with(|| keys.clone());
                if known != keys {
                    bail!(
                        "{}: other partitions than the files before have ({:?} and {:?}); export \
                         one of them to another directory",
                        path.display(),
                        keys,
                        known
                    );
                }
                files.push(path);
            }
            _ => {}
        }
    }
    Ok(files)
}

/// What a Parquet file begins and ends with.
const MAGIC: &[u8; 4] = b"PAR1";

/// Holds that a file has the outside of a Parquet file: a truncated one has no end.
fn check_file(path: &Path) -> Result<()> {
    let look = || -> std::io::Result<bool> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        if length < 12 {
            return Ok(false);
        }
        let (mut begin, mut end) = ([0; 4], [0; 8]);
        file.read_exact(&mut begin)?;
        file.seek(SeekFrom::End(-8))?;
        file.read_exact(&mut end)?;
        let [a, b, c, d, magic @ ..] = end;
        let footer = u64::from(u32::from_le_bytes([a, b, c, d]));
        Ok(&begin == MAGIC && &magic == MAGIC && footer + 12 <= length)
    };
    match look().with_context(|| format!("{}: cannot read", path.display()))? {
        true => Ok(()),
        false => bail!("{}: no whole Parquet file; export it again", path.display()),
    }
}

/// Makes tables of profiles in a temporary directory. A recording counts once: those whose files
/// are `known` are passed over.
fn make(profiles: &BTreeSet<PathBuf>, mut known: BTreeSet<OsString>) -> Result<TempDir> {
    let made = tempfile::Builder::new()
        .prefix("jfathom-query-")
        .tempdir()
        .context("cannot make a temporary directory")?;
    let here = Directory::open(made.path())?;
    for table in Table::ALL {
        here.create_directory(OsStr::new(table.name()), 0o700)?;
    }
    for path in profiles {
        let named = || path.display().to_string();
        let file = File::open(path).with_context(named)?;
        let profile = Profile::read_whole(&mut BufReader::new(file)).with_context(named)?;
        let name = format!("{}.parquet", RunId::of(&profile));
        if !known.insert(OsString::from(&name)) {
            continue;
        }
        let scope = Scope::default();
        let corrected = scope.corrected(&profile);
        let shown = Shown::new(&profile, corrected.as_ref(), &scope);
        for table in Table::ALL {
            let write = || -> std::io::Result<()> {
                let folder = here.beneath(Path::new(table.name()))?;
                let mut out = BufWriter::new(folder.create_file(OsStr::new(&name), 0o600)?);
                write_table(table, &profile, &shown, &mut out)?;
                out.flush()
            };
            write().with_context(|| {
                format!("{}: cannot make its tables in {}", path.display(), made.path().display())
            })?;
        }
    }
    Ok(made)
}
