//! Open containers.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::archive_bytes::{ArchiveBytes, OpenArchive};
use crate::directory::Directory;
use crate::limits::Budget;
use crate::module::Module;
use crate::walk::check_entry;
use crate::zip::CentralDirectory;
use crate::{EntryName, Error, ErrorKind, JarManifest, Limits, Location, Notice, manifest};

/// An opened container of classes. Opening has checked it.
///
/// Names and places of entries are in memory. Contents are read when they are asked for, except
/// those of nested jars. If a jar's file changed meanwhile, reading fails.
#[derive(Debug)]
pub struct Input {
    location: Location,
    relative: PathBuf,
    links: Vec<PathBuf>,
    pub(crate) content: Content,
    limits: Limits,
    /// Entries and bytes that opening subtracted from the limits.
    taken: (u64, u64),
    notices: Vec<Notice>,
    /// The positions of the entries, sorted by name and position.
    by_name: OnceLock<Vec<u32>>,
}

#[derive(Debug)]
pub(crate) enum Content {
    Archive {
        bytes: ArchiveBytes,
        central: CentralDirectory,
    },
    Directory(Directory),
    Module(Module),
    /// The classes of a jmod file.
    Jmod {
        bytes: ArchiveBytes,
        central: CentralDirectory,
    },
}

/// Kind of an [`Input`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// A jar, war or zip file.
    Archive,
    /// A directory of classes.
    Directory,
    /// A module of a JDK.
    Module,
}

impl Input {
    /// Opens a jar, war, zip or class directory within the default [`Limits`].
    ///
    /// # Errors
    /// Fails if there is no such file, or if it is no zip file, damaged, encrypted, or beyond the
    /// limits.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path, &Limits::default())
    }

    /// [`Input::open`] with other limits.
    ///
    /// # Errors
    /// As for [`Input::open`].
    pub fn open_with(path: impl AsRef<Path>, limits: &Limits) -> Result<Self, Error> {
        let input = Self::open_to_read(path, limits)?;
        input.require_whole().map(|()| input)
    }

    /// [`Input::open_with`], which like the JVM takes a jar with entries that have no data or share
    /// it: [`Notice::EntryUnreadable`]. Such a jar cannot be rewritten.
    ///
    /// # Errors
    /// As for [`Input::open`] otherwise.
    pub fn open_to_read(path: impl AsRef<Path>, limits: &Limits) -> Result<Self, Error> {
        let path = path.as_ref();
        let relative = match path.file_name() {
            Some(name) => PathBuf::from(name),
            // `.`, `..` and paths that end in them have a name, too.
            None => {
                let full = path.canonicalize().map_err(|e| Error::io(path, "cannot open", e))?;
                PathBuf::from(full.file_name().unwrap_or("root".as_ref()))
            }
        };
        let (location, budget) = (Location::new(path), Budget::new(*limits));
        if path.is_dir() {
            let mut directory = Directory::read(path, &location, &budget)?;
            let notices = std::mem::take(&mut directory.notices);
            return Ok(Self::made(
                location,
                relative,
                Content::Directory(directory),
                &budget,
                notices,
            ));
        }
        let (bytes, read) = ArchiveBytes::read(path, &location, limits)?;
        let central = CentralDirectory::read(&read, &location, &budget)?;
        let notices = central.notices(&location);
        Ok(Self::made(location, relative, Content::Archive { bytes, central }, &budget, notices))
    }

    /// Opens the classes of a module of the JDK or runtime image at `java_home`: from
    /// `lib/modules`, else from `jmods/NAME.jmod`. Entry names are those inside the module
    /// (`java/lang/Object.class`).
    ///
    /// # Errors
    /// Fails if there is no image or no such module, or if the image is damaged.
    pub fn open_module(java_home: impl AsRef<Path>, module: &str) -> Result<Self, Error> {
        let home = java_home.as_ref();
        let (location, relative) = (Location::new(format!("jrt:/{module}")), PathBuf::from(module));
        let no_module = || Error::new(Location::new(home), ErrorKind::NoModule(module.to_owned()));
        if EntryName::from(module).relative_path().as_deref() != Some(&relative)
            || module.contains('/')
        {
            return Err(no_module());
        }
        let (image, jmod) =
            (home.join("lib/modules"), home.join("jmods").join(format!("{module}.jmod")));
        let limits = Limits::default();
        let budget = Budget::new(limits);
        if image.is_file() {
            let opened = Module::open(&image, home, module)?;
            let total =
                opened.resources.iter().fold(0u64, |all, r| all.saturating_add(r.extent.size));
            budget.reserve(&location, opened.resources.len() as u64, total)?;
            return Ok(Self::made(
                location,
                relative,
                Content::Module(opened),
                &budget,
                Vec::new(),
            ));
        }
        if jmod.is_file() {
            return Self::open_jmod(&jmod, module);
        }
        Err(match home.join("jmods").is_dir() {
            true => no_module(),
            false => Error::new(Location::new(home), ErrorKind::NoImage),
        })
    }

    /// Opens the classes of a jmod file.
    pub(crate) fn open_jmod(path: &Path, module: &str) -> Result<Self, Error> {
        let limits = Limits::default();
        let (location, budget) = (Location::new(format!("jrt:/{module}")), Budget::new(limits));
        let (bytes, read) = ArchiveBytes::read(path, &location, &limits)?;
        let place = Location::new(path);
        let mut central = CentralDirectory::read(&read, &place, &budget)?;
        central.require_whole(&place)?;
        central.retain_under(b"classes/");
        Ok(Self::made(
            location,
            PathBuf::from(module),
            Content::Jmod { bytes, central },
            &budget,
            Vec::new(),
        ))
    }

    pub(crate) fn made(
        location: Location,
        relative: PathBuf,
        content: Content,
        budget: &Budget,
        notices: Vec<Notice>,
    ) -> Self {
        let (limits, taken) = (*budget.limits(), budget.taken());
        Self {
            location,
            relative,
            links: Vec::new(),
            content,
            limits,
            taken,
            notices,
            by_name: OnceLock::new(),
        }
    }

    /// Kind of the container.
    pub fn kind(&self) -> InputKind {
        match self.content {
            Content::Archive { .. } => InputKind::Archive,
            Content::Directory(_) => InputKind::Directory,
            Content::Module(_) | Content::Jmod { .. } => InputKind::Module,
        }
    }

    /// The container, as the user named it; `jrt:/NAME` for a module.
    pub fn location(&self) -> &Location {
        &self.location
    }

    /// Path of the rewritten container below the output directory: its file name, or the path that
    /// [`open_all`](crate::open_all) assigned. For a module, the module's name.
    pub fn relative_path(&self) -> &Path {
        &self.relative
    }

    /// Further paths below the output directory, which become links to it.
    pub fn links(&self) -> &[PathBuf] {
        &self.links
    }

    pub(crate) fn set_output(&mut self, relative: PathBuf, links: Vec<PathBuf>) {
        self.relative = relative;
        self.links = links;
    }

    /// The file or directory; `None` for a module or nested jar.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.content {
            Content::Archive { bytes, .. } => bytes.path(),
            Content::Directory(directory) => Some(&directory.root),
            Content::Module(_) | Content::Jmod { .. } => None,
        }
    }

    /// The names of all entries, in the order of the input, without those of nested jars.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &EntryName> {
        (0..self.len()).map(|i| self.name_at(i))
    }

    /// The content of the entry `name`. `None` if there is none. Of several with this name the last
    /// counts, as for the JVM.
    ///
    /// # Errors
    /// Fails if the entry cannot be read.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        let index = self.by_name.get_or_init(|| {
            let mut index: Vec<u32> = (0..self.len() as u32).collect();
            index.sort_unstable_by_key(|&i| (self.name_at(i as usize), i));
            index
        });
        let end =
            index.partition_point(|&i| self.name_at(i as usize).as_bytes() <= name.as_bytes());
        match end.checked_sub(1).and_then(|at| index.get(at)) {
            Some(&i) if self.name_at(i as usize).as_bytes() == name.as_bytes() => {
                self.read_at(i as usize).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The content of the entry at a position of [`Input::names`]. `None` beyond the last.
    ///
    /// # Errors
    /// Fails if the entry cannot be read.
    pub fn read_nth(&self, position: usize) -> Result<Option<Vec<u8>>, Error> {
        if position < self.len() { self.read_at(position).map(Some) } else { Ok(None) }
    }

    /// Whether the entry at a position of [`Input::names`] has these bytes. An archive tells by
    /// size and CRC, without reading the entry.
    pub fn has_content(&self, position: usize, bytes: &[u8]) -> bool {
        if position >= self.len() || self.size_at(position) != bytes.len() as u64 {
            return false;
        }
        match &self.content {
            Content::Archive { central, .. } | Content::Jmod { central, .. } => {
                central.records[position].has_crc_of(bytes)
            }
            Content::Directory(_) | Content::Module(_) => {
                self.read_at(position).is_ok_and(|content| content == bytes)
            }
        }
    }

    /// Passes `show` the positions of [`Input::names`], each with the content of its entry. Opens
    /// the file once. Positions beyond the last have no content.
    ///
    /// # Errors
    /// Fails if the file cannot be opened or has changed.
    pub fn read_each(
        &self,
        positions: &[u32],
        mut show: impl FnMut(u32, Option<Result<Vec<u8>, Error>>),
    ) -> Result<(), Error> {
        let archive = self.open_archive()?;
        for &position in positions {
            let at = position as usize;
            show(position, (at < self.len()).then(|| self.read_from(archive.as_ref(), at)));
        }
        Ok(())
    }

    /// The jar manifest, if there is one.
    ///
    /// # Errors
    /// Fails if the manifest cannot be read, or is longer than the bound.
    pub fn manifest(&self) -> Result<Option<JarManifest>, Error> {
        match self.names().position(manifest::is_manifest) {
            Some(i) => {
                manifest::check_size(&self.location, self.name_at(i), self.size_at(i))?;
                Ok(Some(JarManifest::parse(&self.read_at(i)?)))
            }
            None => Ok(None),
        }
    }

    /// Checks that the file of a jar is the one that was opened.
    ///
    /// # Errors
    /// Fails if it changed or is gone.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        self.open_archive().map(drop)
    }

    /// Notices of opening: duplicate names, multi-release, unreadable files of a directory.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Checks that it can be written anew: [`Input::open_to_read`] opens more.
    pub(crate) fn require_whole(&self) -> Result<(), Error> {
        match &self.content {
            Content::Archive { central, .. } => central.require_whole(&self.location),
            Content::Directory(_) | Content::Module(_) | Content::Jmod { .. } => Ok(()),
        }
    }

    /// The rest of the limits.
    pub(crate) fn budget(&self) -> Budget {
        Budget::resume(self.limits, self.taken)
    }

    /// The number of entries, without those of nested jars.
    pub(crate) fn len(&self) -> usize {
        match &self.content {
            Content::Archive { central, .. } | Content::Jmod { central, .. } => {
                central.records.len()
            }
            Content::Directory(directory) => directory.files.len(),
            Content::Module(module) => module.resources.len(),
        }
    }

    /// The name of entry `i`, which is less than [`Input::len`].
    fn name_at(&self, i: usize) -> &EntryName {
        match &self.content {
            Content::Archive { central, .. } | Content::Jmod { central, .. } => {
                &central.records[i].name
            }
            Content::Directory(directory) => &directory.files[i].name,
            Content::Module(module) => &module.resources[i].name,
        }
    }

    /// The announced size of entry `i`, which is less than [`Input::len`].
    fn size_at(&self, i: usize) -> u64 {
        match &self.content {
            Content::Archive { central, .. } | Content::Jmod { central, .. } => {
                central.records[i].size
            }
            Content::Directory(directory) => directory.files[i].size,
            Content::Module(module) => module.resources[i].extent.size,
        }
    }

    /// The archive to read entries from. `None` for a directory or a module of an image.
    fn open_archive(&self) -> Result<Option<OpenArchive<'_>>, Error> {
        match &self.content {
            Content::Archive { bytes, .. } | Content::Jmod { bytes, .. } => bytes.open().map(Some),
            Content::Directory(_) | Content::Module(_) => Ok(None),
        }
    }

    /// The content of entry `i`, which is less than [`Input::len`].
    pub(crate) fn read_at(&self, i: usize) -> Result<Vec<u8>, Error> {
        self.read_from(self.open_archive()?.as_ref(), i)
    }

    /// [`Input::read_at`] with [`Input::open_archive`].
    fn read_from(&self, archive: Option<&OpenArchive<'_>>, i: usize) -> Result<Vec<u8>, Error> {
        let name = self.name_at(i);
        let location = || self.location.join(name);
        let budget = self.budget();
        let io = |source| Error::new(location(), ErrorKind::Io { action: "cannot read", source });
        check_entry(&self.location, name, self.size_at(i), &budget)?;
        match (&self.content, archive) {
            (Content::Archive { central, .. } | Content::Jmod { central, .. }, Some(archive)) => {
                match central.records[i].content(archive) {
                    Ok(content) => Ok(content.into_owned()),
                    Err(reason) => Err(Error::damaged(&location(), reason)),
                }
            }
            (Content::Directory(directory), _) => {
                directory.content(&directory.files[i]).map_err(io)
            }
            (Content::Module(module), _) => {
                module.content(&module.resources[i]).map_err(|kind| Error::new(location(), kind))
            }
            (Content::Archive { .. } | Content::Jmod { .. }, None) => {
                Err(io(std::io::ErrorKind::NotFound.into()))
            }
        }
    }
}
