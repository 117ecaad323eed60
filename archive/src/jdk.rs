//! All modules of a JDK at once, in place of one [`Input`] for each.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::identity::nanoseconds;
use crate::jimage::Image;
use crate::module::modules_of_jmods;
use crate::{EntryName, Error, ErrorKind, Input, Limits, Place};

/// The classes of a JDK or runtime image: of `lib/modules`, else of `jmods`.
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
    /// The names of the modules, sorted; each file is opened when something in it is asked for.
    Jmods(Vec<(String, OnceLock<Input>)>),
}

/// A module, as [`Jdk::modules`] lists it.
#[derive(Debug, Default)]
pub struct JdkModule {
    /// Its name.
    pub name: String,
    /// Its classes, without `module-info`, in the order in which they are read fastest.
    pub classes: Vec<JdkClass>,
    /// Names of its other entries that may declare services: `module-info.class` and files of `META-INF/services/`.
    pub declarations: Vec<EntryName>,
}

/// A class of a module.
#[derive(Debug)]
pub struct JdkClass {
    /// The entry: `java/lang/Object.class`.
    pub name: EntryName,
    /// Its size in bytes.
    pub size: u64,
    /// Where it lies in the image, or its position in the jmod file.
    at: u64,
}

/// How many bytes of an image are read at once.
const CHUNK: u64 = 1 << 20;

impl Jdk {
    /// Opens the JDK at `home`: the tables of `lib/modules`, else the list of `jmods`.
    ///
    /// # Errors
    /// Neither is there, or the image cannot be read.
    pub fn open(home: impl AsRef<Path>) -> Result<Self, Error> {
        let home = home.as_ref();
        let path = home.join("lib/modules");
        if !path.is_file() {
            return Self::open_jmods(home);
        }
        let image = Image::open(&path)?;
        Ok(Self { home: home.to_owned(), source: Source::Image { path, image } })
    }

    /// Opens the jmod files of the JDK at `home`, for an image that cannot be read ([`ErrorKind::CompressedImage`]).
    ///
    /// # Errors
    /// There are none.
    pub fn open_jmods(home: impl AsRef<Path>) -> Result<Self, Error> {
        let home = home.as_ref();
        let modules = modules_of_jmods(home)?.into_iter().map(|name| (name, OnceLock::new())).collect();
        Ok(Self { home: home.to_owned(), source: Source::Jmods(modules) })
    }

    /// Shows `take` what changes whenever the JDK does: the tables of the image, or the names of the jmod files; sizes, times and
    /// inodes; the file `release`. False where the files have no times.
    pub fn identify(&self, take: &mut dyn FnMut(&[u8])) -> bool {
        take(&fs::read(self.home.join("release")).unwrap_or_default());
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
            Source::Jmods(modules) => {
                modules.iter().all(|(name, _)| file(fs::metadata(jmod(&self.home, name)), name.as_bytes()))
            }
        }
    }

    /// All modules with their classes.
    ///
    /// # Errors
    /// A damaged image, one with compressed resources ([`ErrorKind::CompressedImage`]; [`Jdk::open_jmods`] may help), a damaged
    /// jmod file, or more entries than the default [`Limits`] allow.
    pub fn modules(&self) -> Result<Vec<JdkModule>, Error> {
        let limits = Limits::default();
        match &self.source {
            Source::Image { path, image } => {
                let outside = |name| {
                    let what = format!("{name} lies outside the file");
                    Error::new(Place::new(path), ErrorKind::DamagedImage(what))
                };
                let mut all = image.all().map_err(outside)?;
                all.sort_unstable_by(|a, b| (a.0, a.1.offset, &a.1.name).cmp(&(b.0, b.1.offset, &b.1.name)));
                let mut modules: Vec<JdkModule> = Vec::new();
                for (module, resource) in all {
                    let is_known = modules.last().is_some_and(|it| it.name.as_bytes() == module);
                    if !is_known {
                        let name = String::from_utf8_lossy(module).into_owned();
                        modules.push(JdkModule { name, ..JdkModule::default() });
                    }
                    if !is_class(&resource.name) && !is_declaration(&resource.name) {
                        continue;
                    }
                    if resource.compressed != 0 {
                        let how = ErrorKind::CompressedImage("linked with --compress".to_owned());
                        return Err(Error::new(Place::new(path), how));
                    }
                    crate::limits::check(
                        &Place::new(path).join(&resource.name),
                        crate::Limit::EntryBytes,
                        resource.size,
                        limits.entry_bytes,
                    )?;
                    if let Some(known) = modules.last_mut() {
                        known.add(resource.name, resource.size, resource.offset);
                    }
                }
                Ok(modules)
            }
            Source::Jmods(modules) => modules
                .iter()
                .map(|(name, slot)| {
                    let input = self.jmod(name, slot)?;
                    let mut module = JdkModule { name: name.clone(), ..JdkModule::default() };
                    for ((at, name), size) in (0u64..).zip(input.names()).zip(input.sizes()) {
                        if is_class(name) || is_declaration(name) {
                            module.add(name.clone(), size, at);
                        }
                    }
                    Ok(module)
                })
                .collect(),
        }
    }

    /// The content of an entry of a module, or `None` if there is none.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(&self, module: &str, name: &str) -> Result<Option<Vec<u8>>, Error> {
        match &self.source {
            Source::Image { path, image } => {
                let place = Place::new(path).join(&name.into());
                let damaged = |what: &str| Error::new(place.clone(), ErrorKind::DamagedImage(what.to_owned()));
                let found = image.find(module, name).map_err(|_| damaged("it lies outside the file"))?;
                let Some(resource) = found else { return Ok(None) };
                if resource.compressed != 0 {
                    let how = ErrorKind::CompressedImage("linked with --compress".to_owned());
                    return Err(Error::new(Place::new(path), how));
                }
                let allowed = Limits::default().entry_bytes;
                crate::limits::check(&place, crate::Limit::EntryBytes, resource.size, allowed)?;
                let mut content = vec![0; resource.size as usize];
                let io = |source| Error::new(place.clone(), ErrorKind::Io { action: "cannot read", source });
                image.read_at(&mut content, resource.offset).map_err(io)?;
                Ok(Some(content))
            }
            Source::Jmods(modules) => match modules.iter().find(|it| it.0 == module) {
                Some((name_of_module, slot)) => self.jmod(name_of_module, slot)?.read(name),
                None => Ok(None),
            },
        }
    }

    /// Shows `show` the content of some neighbouring classes of a module, in their order: their positions in `classes`, and the
    /// bytes.
    ///
    /// # Errors
    /// The first that cannot be read.
    pub fn each(&self, module: &str, classes: &[JdkClass], show: &mut dyn FnMut(usize, &[u8])) -> Result<(), Error> {
        match &self.source {
            Source::Image { path, image } => {
                let io = |source| Error::new(Place::new(path), ErrorKind::Io { action: "cannot read", source });
                let (mut bytes, mut first) = (Vec::new(), 0);
                while let Some(start) = classes.get(first) {
                    let fits = |class: &&JdkClass| class.at >= start.at && class.at + class.size - start.at <= CHUNK;
                    let rest = classes.get(first..).unwrap_or_default();
                    let count = rest.iter().take_while(fits).count().max(1);
                    let chunk = rest.get(..count).unwrap_or_default();
                    let end = chunk.iter().map(|class| class.at + class.size).max().unwrap_or(start.at);
                    bytes.resize((end - start.at) as usize, 0);
                    image.read_at(&mut bytes, start.at).map_err(io)?;
                    for (at, class) in chunk.iter().enumerate() {
                        let from = (class.at - start.at) as usize;
                        show(first + at, bytes.get(from..from + class.size as usize).unwrap_or_default());
                    }
                    first += count;
                }
                Ok(())
            }
            Source::Jmods(modules) => {
                let Some((name, slot)) = modules.iter().find(|it| it.0 == module) else { return Ok(()) };
                let input = self.jmod(name, slot)?;
                for (at, class) in classes.iter().enumerate() {
                    if let Some(bytes) = input.read_nth(class.at as usize)? {
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
        // A second thread may open it too; one of both is kept.
        let opened = Input::open_jmod(&jmod(&self.home, name), name)?;
        Ok(slot.get_or_init(|| opened))
    }
}

impl JdkModule {
    fn add(&mut self, name: EntryName, size: u64, at: u64) {
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
        && name.as_str().is_some_and(|it| !it.starts_with("META-INF/") && !it.ends_with("module-info.class"))
}

fn is_declaration(name: &EntryName) -> bool {
    name.as_bytes() == b"module-info.class" || name.as_bytes().starts_with(b"META-INF/services/")
}
