//! Indexes of whole JDKs.

use crate::cache::Identity;
use crate::cache::IndexCache;
use crate::{Error, jdk};
use jfathom_archive::{Error as ArchiveError, Jdk, JdkClass, JdkModule};
use jfathom_plan::Problem;
use jfathom_reachability::{Index, IndexPart, Rows, encode_index, module_provides, provider_file};
use std::path::{Path, PathBuf};

/// Bytes of classes per part. Larger parts share more names, smaller ones use more cores.
const PART_BYTES: u64 = 12 << 20;

/// A JDK, and its index if it was in the cache.
#[derive(Debug)]
pub(crate) struct OpenedJdk {
    home: PathBuf,
    pub(crate) jdk: Jdk,
    /// None if no index can be cached.
    pub(crate) identity: Option<Identity>,
    pub(crate) index: Option<Index>,
}

impl OpenedJdk {
    /// Opens a JDK, and its index if the cache has it.
    pub(crate) fn open(home: &Path, kept: &IndexCache) -> Result<Self, Error> {
        let (jdk, mut identity) = (Jdk::open(home)?, Identity::new("image"));
        let identity =
            (kept.is_on() && jdk.identify(&mut |piece| identity.take(piece))).then_some(identity);
        let index = identity.and_then(|identity| kept.get(identity));
        Ok(Self { home: home.to_owned(), jdk, identity, index })
    }

    /// The classes to read. None with an index.
    pub(crate) fn listing(&self) -> Result<Option<Listing>, Error> {
        match self.index {
            Some(_) => Ok(None),
            None => Ok(Some(Listing::of(&self.jdk)?)),
        }
    }

    /// The error of a JDK without a readable index.
    pub(crate) fn unusable(&self, problem: String) -> Error {
        Error::NotAJdk { home: self.home.clone(), problem }
    }
}

/// The classes of a JDK, in parts.
pub(crate) struct Listing {
    modules: Vec<JdkModule>,
    /// By module: its label, and the names of its classes.
    groups: Vec<(String, Vec<String>)>,
    services: Vec<(String, String)>,
    /// The parts.
    runs: Vec<Vec<Run>>,
}

/// Neighbouring classes of one module.
#[derive(Clone, Copy, Debug)]
struct Run {
    module: usize,
    first: usize,
    count: usize,
    row: u32,
}

impl Listing {
    /// Lists all classes, each name once.
    pub(crate) fn of(jdk: &Jdk) -> Result<Self, ArchiveError> {
        let mut modules = jdk.modules()?;
        let mut services = Vec::new();
        for module in &modules {
            for entry in &module.declarations {
                let Some(name) = entry.as_str() else { continue };
                let Some(bytes) = jdk.read(&module.name, name)? else { continue };
                match name {
                    "module-info.class" => {
                        services.extend(module_provides(&bytes).unwrap_or_default())
                    }
                    _ => services.extend(provider_file(name, &bytes)),
                }
            }
        }
        let mut known = std::collections::HashSet::new();
        for module in &mut modules {
            module.classes.retain(|class| known.insert(class.name.clone()));
        }
        let internal = |class: &JdkClass| {
            let name = class.name.as_str().unwrap_or_default();
            name.strip_suffix(".class").unwrap_or(name).to_owned()
        };
        let groups = modules
            .iter()
            .map(|module| {
                (format!("jrt:/{}", module.name), module.classes.iter().map(internal).collect())
            })
            .collect();
        let runs = runs(&modules);
        Ok(Self { modules, groups, services, runs })
    }

    /// Number of parts.
    pub(crate) fn parts(&self) -> usize {
        self.runs.len()
    }

    pub(crate) fn read(&self, jdk: &Jdk, part: usize) -> Result<IndexPart, ArchiveError> {
        let mut read = IndexPart::default();
        for run in self.runs.get(part).into_iter().flatten() {
            let Some(module) = self.modules.get(run.module) else { continue };
            let classes = module.classes.get(run.first..run.first + run.count).unwrap_or_default();
            jdk.each(&module.name, classes, &mut |at, bytes| read.add(run.row + at as u32, bytes))?;
        }
        Ok(read)
    }

    /// The index of all parts. Without parts it only has the locations of classes.
    pub(crate) fn index(&self, key: &str, parts: Vec<IndexPart>) -> Result<Index, Problem> {
        let bytes =
            encode_index(key.as_bytes(), Rows::Classes(&self.groups), &self.services, &parts);
        drop(parts);
        Index::decode(bytes.ok_or("it has too many classes")?, key.as_bytes())
            .map_err(|error| error.to_string().into())
    }
}

/// The classes in parts of about [`PART_BYTES`].
fn runs(modules: &[JdkModule]) -> Vec<Vec<Run>> {
    let (mut parts, mut part, mut bytes, mut row) = (Vec::new(), Vec::new(), 0, 0u32);
    for (module, listed) in modules.iter().enumerate() {
        let mut first = 0;
        for (at, class) in listed.classes.iter().enumerate() {
            bytes += class.size;
            if bytes >= PART_BYTES || at + 1 == listed.classes.len() {
                let count = at + 1 - first;
                part.push(Run { module, first, count, row });
                row += count as u32;
                first = at + 1;
            }
            if bytes >= PART_BYTES {
                parts.push(std::mem::take(&mut part));
                bytes = 0;
            }
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

/// The feature release: that of the file `release`, else that of the class files.
pub(crate) fn release(home: &Path, jdk: &Jdk) -> Result<(u16, String), Error> {
    let not_known =
        |problem: &str| Error::NotAJdk { home: home.to_owned(), problem: problem.to_owned() };
    if let Some(version) = jdk::version_of(home)
        && let Some(release) = jdk::feature(&version)
    {
        return Ok((release, version));
    }
    let object = jdk.read("java.base", "java/lang/Object.class")?;
    let object = object.ok_or_else(|| not_known("has no class java.lang.Object"))?;
    // Bytes 6 and 7 are the major version (JVMS 4.1), 44 more than the release.
    let major = object
        .get(6..8)
        .map_or(0, |bytes| bytes.iter().fold(0u16, |all, &b| all << 8 | u16::from(b)));
    let release = major
        .checked_sub(44)
        .filter(|&release| release >= 9)
        .ok_or_else(|| not_known("its release is not known"))?;
    Ok((release, release.to_string()))
}
