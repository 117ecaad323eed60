//! All modules of a JDK at once, in place of one [`Input`] for each.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::identity::nanoseconds;
use crate::jimage::{Extent, Image};
use crate::module::modules_of_jmods;
use crate::{EntryName, Error, ErrorKind, Input, Limits, Location};

/// The longest file `release` that is read.
const RELEASE_BYTES: u64 = 1 << 20;

/// The file `release` of a Java home, if it is there.
pub fn read_release(home: &Path) -> Option<Vec<u8>> {
    jfathom_files::read_plain(&home.join("release"), RELEASE_BYTES).ok()
}

/// The classes of a JDK or runtime image, from `lib/modules`, else from `jmods`.
#[derive(Debug)]
pub struct Jdk {
    home: PathBuf,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Image {
        path: PathBuf,
        image: Image,
    },
    /// The names of the modules, sorted. Each file is opened at the first request.
    Jmods(Vec<(String, OnceLock<Input>)>),
}

/// A module, as [`Jdk::modules`] lists it.
#[derive(Debug, Default)]
pub struct JdkModule {
    /// Its name.
    pub name: String,
    /// Its classes, without `module-info`, in the order in which they are read fastest.
    pub classes: Vec<JdkClass>,
    /// Names of its other entries that may declare services: `module-info.class` and files of
    /// `META-INF/services/`.
    pub declarations: Vec<EntryName>,
}

/// A class of a module.
#[derive(Debug)]
pub struct JdkClass {
    /// The entry: `java/lang/Object.class`.
    pub name: EntryName,
    /// Its size in bytes.
    pub size: u64,
    at: At,
}

#[derive(Clone, Copy, Debug)]
enum At {
    /// Its location in the image.
    Image(Extent),
    /// Its position in the jmod file.
    Jmod(usize),
}

/// Number of bytes to read from an image at once.
const CHUNK: u64 = 1 << 20;

impl Jdk {
    /// Opens the JDK at `home`: the tables of `lib/modules`, else the list of `jmods`.
    ///
    /// # Errors
    /// Fails if neither is there, or if the image cannot be read.
    pub fn open(home: impl AsRef<Path>) -> Result<Self, Error> {
        let home = home.as_ref();
        let path = home.join("lib/modules");
        if !path.is_file() {
            let modules =
                modules_of_jmods(home)?.into_iter().map(|name| (name, OnceLock::new())).collect();
            return Ok(Self { home: home.to_owned(), source: Source::Jmods(modules) });
        }
        let image = Image::open(&path)?;
        Ok(Self { home: home.to_owned(), source: Source::Image { path, image } })
    }

    /// Passes `take` the data that changes whenever the JDK does: the tables of the image, or the
    /// names of the jmod files; sizes, times and inodes; the file `release`. Returns false if the
    /// files have no times.
    pub fn identify(&self, take: &mut dyn FnMut(&[u8])) -> bool {
        take(&read_release(&self.home).unwrap_or_default());
        let mut file = |meta: std::io::Result<fs::Metadata>, what: &[u8]| {
            let Ok(meta) = meta else { return false };
            let Ok(modified) = meta.modified() else { return false };
            take(what);
            for number in [meta.len(), meta.dev(), meta.ino()] {
                take(&number.to_le_bytes());
            }
            take(&nanoseconds(modified).to_le_bytes());
            true
        };
        match &self.source {
            Source::Image { image, .. } => file(image.file().metadata(), image.tables()),
            Source::Jmods(modules) => modules
                .iter()
                .all(|(name, _)| file(fs::metadata(jmod(&self.home, name)), name.as_bytes())),
        }
    }

    /// All modules with their classes.
    ///
    /// # Errors
    /// Fails if the image or a jmod file is damaged, or has more entries than the default
    /// [`Limits`].
    pub fn modules(&self) -> Result<Vec<JdkModule>, Error> {
        let limits = Limits::default();
        match &self.source {
            Source::Image { path, image } => {
                let outside = |name| {
                    let what = format!("{name} lies outside the file").into();
                    Error::new(Location::new(path), ErrorKind::DamagedImage(what))
                };
                let mut all = image.all().map_err(outside)?;
                all.sort_unstable_by(|a, b| {
                    (a.0, a.1.extent, &a.1.name).cmp(&(b.0, b.1.extent, &b.1.name))
                });
                let mut modules: Vec<JdkModule> = Vec::new();
                for (module, resource) in all {
                    let is_known =
                        modules.last().is_some_and(|last| last.name.as_bytes() == module);
                    if !is_known {
                        let name = String::from_utf8_lossy(module).into_owned();
                        modules.push(JdkModule { name, ..JdkModule::default() });
                    }
                    if !is_class(&resource.name) && !is_declaration(&resource.name) {
                        continue;
                    }
                    let (size, extent) = (resource.extent.size, resource.extent);
                    let location = || Location::new(path).join(&resource.name);
                    crate::limits::check(
                        &location(),
                        crate::Limit::EntryBytes,
                        size,
                        limits.entry_bytes,
                    )?;
                    if let Some(known) = modules.last_mut() {
                        known.add(resource.name, size, At::Image(extent));
                    }
                }
                Ok(modules)
            }
            Source::Jmods(modules) => modules
                .iter()
                .map(|(name, slot)| {
                    let input = self.jmod(name, slot)?;
                    let mut module = JdkModule { name: name.clone(), ..JdkModule::default() };
                    for ((at, name), size) in (0..).zip(input.names()).zip(input.sizes()) {
                        if is_class(name) || is_declaration(name) {
                            module.add(name.clone(), size, At::Jmod(at));
                        }
                    }
                    Ok(module)
                })
                .collect(),
        }
    }

    /// The content of an entry of a module. `None` if there is none.
    ///
    /// # Errors
    /// Fails if it cannot be read.
    pub fn read(&self, module: &str, name: &str) -> Result<Option<Vec<u8>>, Error> {
        match &self.source {
            Source::Image { path, image } => {
                let location = Location::new(path).join(&name.into());
                let error = |kind| Error::new(location.clone(), kind);
                let outside = |_| error(ErrorKind::DamagedImage("it lies outside the file".into()));
                let Some(resource) = image.find(module, name).map_err(outside)? else {
                    return Ok(None);
                };
                let allowed = Limits::default().entry_bytes;
                crate::limits::check(
                    &location,
                    crate::Limit::EntryBytes,
                    resource.extent.size,
                    allowed,
                )?;
                image.read(resource.extent).map(Some).map_err(error)
            }
            Source::Jmods(modules) => match modules.iter().find(|entry| entry.0 == module) {
                Some((name_of_module, slot)) => self.jmod(name_of_module, slot)?.read(name),
                None => Ok(None),
            },
        }
    }

    /// Passes `show` the content of some neighbouring classes of a module, in their order:
    /// positions in `classes`, and bytes.
    ///
    /// # Errors
    /// Fails at the first class that cannot be read.
    pub fn each(
        &self,
        module: &str,
        classes: &[JdkClass],
        show: &mut dyn FnMut(usize, &[u8]),
    ) -> Result<(), Error> {
        match &self.source {
            Source::Image { path, image } => {
                let io = |source| {
                    Error::new(Location::new(path), ErrorKind::Io { action: "cannot read", source })
                };
                // All classes of an image are in the image.
                let extents: Vec<(usize, Extent)> =
                    (0..).zip(classes).filter_map(|(i, slot)| Some((i, slot.extent()?))).collect();
                let (mut bytes, mut rest) = (Vec::new(), extents.as_slice());
                while let Some(&(_, first)) = rest.first() {
                    let start = first.offset;
                    let fits = |(_, extent): &&(usize, Extent)| {
                        extent.offset >= start && extent.end() - start <= CHUNK
                    };
                    let (chunk, after) = rest.split_at(rest.iter().take_while(fits).count().max(1));
                    let end = chunk.iter().map(|(_, extent)| extent.end()).max().unwrap_or(start);
                    bytes.resize((end - start) as usize, 0);
                    image.read_at(&mut bytes, start).map_err(io)?;
                    for &(at, extent) in chunk {
                        let stored =
                            (extent.offset - start) as usize..(extent.end() - start) as usize;
                        let content = image.content(bytes.get(stored).unwrap_or_default(), extent);
                        let name = classes.get(at).map(|class| &class.name);
                        let location = || {
                            name.map_or_else(
                                || Location::new(path),
                                |name| Location::new(path).join(name),
                            )
                        };
                        show(at, &content.map_err(|kind| Error::new(location(), kind))?);
                    }
                    rest = after;
                }
                Ok(())
            }
            Source::Jmods(modules) => {
                let Some((name, slot)) = modules.iter().find(|entry| entry.0 == module) else {
                    return Ok(());
                };
                let input = self.jmod(name, slot)?;
                for (at, class) in classes.iter().enumerate() {
                    if let At::Jmod(position) = class.at
                        && let Some(bytes) = input.read_nth(position)?
                    {
                        show(at, &bytes);
                    }
                }
                Ok(())
            }
        }
    }

    fn jmod<'s>(&self, name: &str, slot: &'s OnceLock<Input>) -> Result<&'s Input, Error> {
        if let Some(opened) = slot.get() {
            return Ok(opened);
        }
        // Another thread may open it too. One of both stays.
        let opened = Input::open_jmod(&jmod(&self.home, name), name)?;
        Ok(slot.get_or_init(|| opened))
    }
}

impl JdkClass {
    fn extent(&self) -> Option<Extent> {
        match self.at {
            At::Image(extent) => Some(extent),
            At::Jmod(_) => None,
        }
    }
}

impl JdkModule {
    fn add(&mut self, name: EntryName, size: u64, at: At) {
        if is_declaration(&name) {
            self.declarations.push(name)
        } else {
            self.classes.push(JdkClass { name, size, at })
        }
    }
}

fn jmod(home: &Path, module: &str) -> PathBuf {
    home.join("jmods").join(format!("{module}.jmod"))
}

fn is_class(name: &EntryName) -> bool {
    name.is_class()
        && name.as_str().is_some_and(|name| {
            !name.starts_with("META-INF/") && !name.ends_with("module-info.class")
        })
}

fn is_declaration(name: &EntryName) -> bool {
    name.as_bytes() == b"module-info.class" || name.as_bytes().starts_with(b"META-INF/services/")
}
