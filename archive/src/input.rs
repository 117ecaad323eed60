//! A container that was opened and checked.

use std::path::Path;

use crate::{EntryName, Error, ErrorKind, JarManifest, Limits, Notice, Place};

/// An opened container of classes.
#[derive(Debug)]
pub struct Input {
    place: Place,
}

/// What an [`Input`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
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
    /// No such file, no zip file, a damaged or encrypted one, or one beyond the limits.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_with(path, &Limits::default())
    }

    /// [`Input::open`] with other limits.
    ///
    /// # Errors
    /// As for [`Input::open`].
    pub fn open_with(path: impl AsRef<Path>, _limits: &Limits) -> Result<Self, Error> {
        Err(Error::new(Place::new(path.as_ref()), ErrorKind::NotAZip))
    }

    /// Opens the classes of a module of the JDK or runtime image at `java_home`: from `lib/modules`, else from
    /// `jmods/NAME.jmod`. Entry names are those inside the module (`java/lang/Object.class`).
    ///
    /// # Errors
    /// No image there, no such module, or an image with compressed resources and no jmods.
    pub fn open_module(java_home: impl AsRef<Path>, _module: &str) -> Result<Self, Error> {
        Err(Error::new(Place::new(java_home.as_ref()), ErrorKind::NoImage))
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        Kind::Archive
    }

    /// The container, as the user named it; `jrt:/NAME` for a module.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Where the rewritten container goes below the output directory: its file name, or for a sibling from a `Class-Path` its
    /// path from there; for a module its name.
    pub fn relative_path(&self) -> &Path {
        self.place.container()
    }

    /// The names of all entries, in the order of the input, without those of nested jars.
    pub fn names(&self) -> impl Iterator<Item = &EntryName> {
        std::iter::empty()
    }

    /// The content of the entry `name`, or `None` if there is none. Of several of that name the last, as the JVM takes it.
    ///
    /// # Errors
    /// An entry that cannot be read.
    pub fn read(&self, _name: &str) -> Result<Option<Vec<u8>>, Error> {
        Ok(None)
    }

    /// The manifest, if there is one.
    ///
    /// # Errors
    /// A manifest that cannot be read.
    pub fn manifest(&self) -> Result<Option<JarManifest>, Error> {
        Ok(None)
    }

    /// What was noticed on opening: duplicate names, multi-release.
    pub fn notices(&self) -> &[Notice] {
        &[]
    }
}
