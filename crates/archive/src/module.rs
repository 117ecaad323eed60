//! The modules of a JDK or runtime image.

use crate::error::Damage;
use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;

use crate::codec::Storage;
use crate::jimage::{Image, Resource};
use crate::walk::{ContainerVisitor, WalkItem, Walker, check_entry};
use crate::{EntryId, Error, ErrorKind, Location};

/// The names of the modules of the JDK or runtime image at `java_home`, sorted.
///
/// # Errors
/// Fails if there is no image, or if it cannot be read.
pub fn modules(java_home: impl AsRef<Path>) -> Result<Vec<String>, Error> {
    let home = java_home.as_ref();
    let image = home.join("lib/modules");
    if image.is_file() {
        return Ok(Image::open(&image)?.modules());
    }
    modules_of_jmods(home)
}

/// The names of the modules with jmod files, sorted.
pub(crate) fn modules_of_jmods(home: &Path) -> Result<Vec<String>, Error> {
    let jmods = home.join("jmods");
    let listed = match std::fs::read_dir(&jmods) {
        Ok(listed) => listed,
        Err(_) => return Err(Error::new(Location::new(home), ErrorKind::NoImage)),
    };
    let mut names = Vec::new();
    for item in listed {
        let item = item.map_err(|e| Error::io(&jmods, "cannot list", e))?;
        if let Some(name) = item.file_name().to_str().and_then(|n| n.strip_suffix(".jmod")) {
            names.push(name.to_owned());
        }
    }
    names.sort_unstable();
    Ok(names)
}

/// One module of an open image.
#[derive(Debug)]
pub(crate) struct Module {
    image: Image,
    /// In file order.
    pub(crate) resources: Vec<Resource>,
}

/// Number of bytes to read from the image at once.
const CHUNK: u64 = 1 << 20;

impl Module {
    /// Opens a module of the image at `path`.
    pub(crate) fn open(path: &Path, home: &Path, module: &str) -> Result<Self, Error> {
        let image = Image::open(path)?;
        let outside =
            |name| ErrorKind::DamagedImage(format!("{name} lies outside the file").into());
        let resources = image
            .resources(module)
            .map_err(|name| Error::new(Location::new(path), outside(name)))?;
        if resources.is_empty() {
            return Err(Error::new(Location::new(home), ErrorKind::NoModule(module.to_owned())));
        }
        Ok(Self { image, resources })
    }

    pub(crate) fn content(&self, resource: &Resource) -> Result<Vec<u8>, ErrorKind> {
        self.image.read(resource.extent)
    }

    /// Traverses the module: one item per resource.
    pub(crate) fn walk<J: ContainerVisitor>(
        &self,
        location: &Location,
        walker: &Walker<'_, J>,
    ) -> Result<Vec<WalkItem<J::Out>>, Error> {
        let items: Result<Vec<_>, Error> = self
            .chunks()
            .into_par_iter()
            .map(|chunk| self.walk_chunk(chunk, location, walker))
            .collect();
        Ok(items?.into_iter().flatten().collect())
    }

    fn walk_chunk<J: ContainerVisitor>(
        &self,
        range: Range<usize>,
        location: &Location,
        walker: &Walker<'_, J>,
    ) -> Result<Vec<WalkItem<J::Out>>, Error> {
        let resources = &self.resources[range.clone()];
        let wanted = || resources.iter().filter(|r| walker.wants(&r.name));
        for resource in wanted() {
            check_entry(location, &resource.name, resource.extent.size, walker.budget())?;
        }
        let start = wanted().map(|r| r.extent.offset).min().unwrap_or(0);
        let end = wanted().map(|r| r.extent.end()).max().unwrap_or(0);
        let mut bytes = vec![0; (end - start) as usize];
        let read = self.image.read_at(&mut bytes, start).map_err(|e| Damage::from(e.to_string()));
        let item = |(position, resource): (usize, &Resource)| {
            let id = EntryId(vec![position as u32]);
            let mut item = WalkItem::nothing();
            if walker.wants(&resource.name) {
                let extent = resource.extent;
                let stored =
                    &bytes[(extent.offset - start) as usize..(extent.end() - start) as usize];
                let content = match &read {
                    Ok(()) => {
                        self.image.content(stored, extent).map_err(|kind| kind.to_string().into())
                    }
                    Err(why) => Err(why.clone()),
                };
                item =
                    walker.entry(location, &resource.name, id.clone(), content, Storage::Stored)?;
            }
            walker.tick(&id);
            Ok(item)
        };
        range.clone().zip(resources).map(item).collect()
    }

    /// Groups of neighbouring resources that lie within [`CHUNK`] bytes.
    fn chunks(&self) -> Vec<Range<usize>> {
        let mut chunks: Vec<Range<usize>> = Vec::new();
        for (i, resource) in self.resources.iter().enumerate() {
            match chunks.last_mut() {
                Some(chunk)
                    if resource.extent.end() - self.resources[chunk.start].extent.offset
                        <= CHUNK =>
                {
                    chunk.end = i + 1;
                }
                _ => chunks.push(i..i + 1),
            }
        }
        chunks
    }
}
