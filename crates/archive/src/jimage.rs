//! The index of a runtime image, `lib/modules` of a JDK 9 or later (`jdk.internal.jimage` in
//! OpenJDK).
//!
//! Four tables follow the header: redirections, offsets, locations, strings. Redirections and
//! offsets are a perfect hash table from names to locations. The resources follow.

mod compact_cp;
mod packed;

use crate::error::Damage;
use std::borrow::Cow;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::{EntryName, Error, ErrorKind, Location};
use jfathom_files::open_plain;

/// `ImageHeader.MAGIC`, in the byte order of the image's machine.
const MAGIC: u32 = 0xCAFE_DADA;
const HEADER_SIZE: u64 = 28;
/// The supported major version. The minor one has always been 0.
const MAJOR: u32 = 1;

/// An open image.
#[derive(Debug)]
pub(crate) struct Image {
    file: File,
    /// Offset of the resources.
    data: u64,
    size: u64,
    /// Redirections, offsets, locations and strings.
    index: Vec<u8>,
    /// Positions of offsets, locations and strings in `index`.
    offsets: usize,
    locations: usize,
    strings: usize,
    big_endian: bool,
}

/// A resource of one module.
#[derive(Debug)]
pub(crate) struct Resource {
    pub(crate) name: EntryName,
    pub(crate) extent: Extent,
}

/// Location of a resource.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Extent {
    /// Its offset in the file.
    pub(crate) offset: u64,
    /// Its size in bytes when read.
    pub(crate) size: u64,
    /// Its size in bytes as compressed by jlink. 0 if it is not compressed.
    pub(crate) compressed: u64,
}

impl Extent {
    /// Its size in the file, in bytes.
    pub(crate) fn stored(&self) -> u64 {
        if self.compressed == 0 { self.size } else { self.compressed }
    }

    /// Its end in the file, which is at most the file's size.
    pub(crate) fn end(&self) -> u64 {
        self.offset + self.stored()
    }
}

/// Attributes of an `ImageLocation`. Others (`ATTRIBUTE_END`, preview flags) are skipped.
#[derive(Default)]
struct ImageLocation([u64; 8]);

/// `ImageStringsReader.HASH_MULTIPLIER`.
const HASH_SEED: u32 = 0x0100_0193;

const ATTRIBUTE_MODULE: usize = 1;
const ATTRIBUTE_PARENT: usize = 2;
const ATTRIBUTE_BASE: usize = 3;
const ATTRIBUTE_EXTENSION: usize = 4;
const ATTRIBUTE_OFFSET: usize = 5;
const ATTRIBUTE_COMPRESSED: usize = 6;
const ATTRIBUTE_UNCOMPRESSED: usize = 7;

impl Image {
    /// Reads the index of the image at `path`.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let io = |e| Error::io(path, "cannot read the runtime image", e);
        let bad = |what: Damage| Error::new(Location::new(path), ErrorKind::DamagedImage(what));
        let file = open_plain(path).map_err(io)?;
        let size = file.metadata().map_err(io)?.len();
        if size < HEADER_SIZE {
            return Err(bad("it is too short for a header".into()));
        }
        let mut header = [0; HEADER_SIZE as usize];
        file.read_exact_at(&mut header, 0).map_err(io)?;
        let big_endian = match u32_at(&header, 0, false) {
            Some(MAGIC) => false,
            Some(magic) if magic == MAGIC.swap_bytes() => true,
            _ => return Err(bad("it does not begin as one".into())),
        };
        let field = |i: usize| u32_at(&header, i * 4, big_endian).unwrap_or_default();
        if field(1) >> 16 != MAJOR {
            return Err(bad(format!("its format version {} is not known", field(1) >> 16).into()));
        }
        let (table, locations, strings) =
            (u64::from(field(4)), u64::from(field(5)), u64::from(field(6)));
        // The table of redirections has as many entries of 4 bytes as the table of offsets.
        let data = HEADER_SIZE + 2 * table * 4 + locations + strings;
        if data > size {
            return Err(bad("its index is longer than the file".into()));
        }
        let mut index = vec![0; (data - HEADER_SIZE) as usize];
        file.read_exact_at(&mut index, HEADER_SIZE).map_err(io)?;
        let offsets_at = table as usize * 4;
        let locations_at = 2 * offsets_at;
        Ok(Self {
            file,
            data,
            size,
            index,
            offsets: offsets_at,
            locations: locations_at,
            strings: locations_at + locations as usize,
            big_endian,
        })
    }

    /// The modules with a `module-info.class`, sorted.
    pub(crate) fn modules(&self) -> Vec<String> {
        let mut names: Vec<String> = self
            .locations()
            .filter(|l| {
                self.text(l, ATTRIBUTE_BASE) == b"module-info"
                    && self.text(l, ATTRIBUTE_PARENT).is_empty()
            })
            .map(|l| String::from_utf8_lossy(self.text(&l, ATTRIBUTE_MODULE)).into_owned())
            .filter(|name| !name.is_empty())
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The resources of a module, in file order. Empty if there is no such module.
    ///
    /// The error is the name of a resource with a location outside the file.
    pub(crate) fn resources(&self, module: &str) -> Result<Vec<Resource>, EntryName> {
        let mut resources = Vec::new();
        for location in
            self.locations().filter(|l| self.text(l, ATTRIBUTE_MODULE) == module.as_bytes())
        {
            resources.push(self.resource(&location)?);
        }
        resources.sort_unstable_by(|a, b| (a.extent, &a.name).cmp(&(b.extent, &b.name)));
        Ok(resources)
    }

    /// All resources with their modules, unordered. Resources without a module, such as the image's
    /// own tables of packages, are left out.
    ///
    /// The error is the name of a resource with a location outside the file.
    pub(crate) fn all(&self) -> Result<Vec<(&[u8], Resource)>, EntryName> {
        let with_module = |location: ImageLocation| match self.text(&location, ATTRIBUTE_MODULE) {
            [] | b"modules" | b"packages" => None,
            module => Some(self.resource(&location).map(|resource| (module, resource))),
        };
        self.locations().filter_map(with_module).collect()
    }

    /// The resource with this name in a module.
    ///
    /// The error is its name, if its location is outside the file.
    pub(crate) fn find(&self, module: &str, name: &str) -> Result<Option<Resource>, EntryName> {
        let path = format!("/{module}/{name}");
        let slots = self.offsets / 4;
        if slots == 0 {
            return Ok(None);
        }
        let slot = |seed: u32| hash(path.as_bytes(), seed) as usize % slots;
        let redirection =
            u32_at(&self.index, 4 * slot(HASH_SEED), self.big_endian).unwrap_or_default();
        // Negative: the slot itself, counted down from -1. Positive: the seed of the second hash.
        let at = match redirection.cast_signed() {
            0 => return Ok(None),
            negative @ ..0 => (-1 - i64::from(negative)) as usize,
            _ => slot(redirection),
        };
        let Some(offset) =
            u32_at(&self.index, self.offsets + 4 * at, self.big_endian).filter(|_| at < slots)
        else {
            return Ok(None);
        };
        let locations = &self.index[self.locations..self.strings];
        let Some(location) = locations.get(offset as usize..).and_then(ImageLocation::parse) else {
            return Ok(None);
        };
        let resource = self.resource(&location)?;
        let is_it = resource.name.as_bytes() == name.as_bytes()
            && self.text(&location, ATTRIBUTE_MODULE) == module.as_bytes();
        Ok(is_it.then_some(resource))
    }

    /// The tables. They list the whole image.
    pub(crate) fn tables(&self) -> &[u8] {
        &self.index
    }

    /// The open file.
    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Fills `buffer` from the file at `offset`.
    pub(crate) fn read_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<()> {
        self.file.read_exact_at(buffer, offset)
    }

    /// The content of a resource. The caller has checked its size.
    pub(crate) fn read(&self, extent: Extent) -> Result<Vec<u8>, ErrorKind> {
        let mut stored = vec![0; extent.stored() as usize];
        self.read_at(&mut stored, extent.offset)
            .map_err(|source| ErrorKind::Io { action: "cannot read", source })?;
        Ok(match self.content(&stored, extent)? {
            Cow::Owned(content) => content,
            Cow::Borrowed(_) => stored,
        })
    }

    /// The content of a resource. `stored` has its bytes in the file.
    pub(crate) fn content<'b>(
        &self,
        stored: &'b [u8],
        extent: Extent,
    ) -> Result<Cow<'b, [u8]>, ErrorKind> {
        match extent.compressed {
            0 => Ok(Cow::Borrowed(stored)),
            _ => packed::unpack(stored, extent.size, &self.index[self.strings..], self.big_endian),
        }
    }

    fn resource(&self, location: &ImageLocation) -> Result<Resource, EntryName> {
        let (parent, base) =
            (self.text(location, ATTRIBUTE_PARENT), self.text(location, ATTRIBUTE_BASE));
        let extension = self.text(location, ATTRIBUTE_EXTENSION);
        let mut name = Vec::with_capacity(parent.len() + base.len() + extension.len() + 2);
        name.extend_from_slice(parent);
        if !parent.is_empty() {
            name.push(b'/');
        }
        name.extend_from_slice(base);
        if !extension.is_empty() {
            name.push(b'.');
            name.extend_from_slice(extension);
        }
        let extent = Extent {
            offset: self.data.saturating_add(location.0[ATTRIBUTE_OFFSET]),
            size: location.0[ATTRIBUTE_UNCOMPRESSED],
            compressed: location.0[ATTRIBUTE_COMPRESSED],
        };
        let name = EntryName::new(name);
        match extent.offset.checked_add(extent.stored()) {
            Some(end) if end <= self.size => Ok(Resource { name, extent }),
            _ => Err(name),
        }
    }

    fn locations(&self) -> impl Iterator<Item = ImageLocation> {
        let offsets = self.index[self.offsets..self.locations].chunks_exact(4);
        let locations = &self.index[self.locations..self.strings];
        offsets.filter_map(move |o| {
            ImageLocation::parse(locations.get(u32_at(o, 0, self.big_endian)? as usize..)?)
        })
    }

    /// The string of an attribute, up to its NUL. Empty if there is none.
    fn text(&self, location: &ImageLocation, attribute: usize) -> &[u8] {
        let strings = &self.index[self.strings..];
        let tail = usize::try_from(location.0[attribute])
            .ok()
            .and_then(|at| strings.get(at..))
            .unwrap_or_default();
        tail.split(|&b| b == 0).next().unwrap_or_default()
    }
}

/// `ImageStringsReader.hashCode`.
fn hash(name: &[u8], seed: u32) -> u32 {
    name.iter().fold(seed, |hash, &byte| hash.wrapping_mul(HASH_SEED) ^ u32::from(byte))
        & 0x7fff_ffff
}

impl ImageLocation {
    /// Reads attributes. Each is a byte, with the kind in its upper five bits and the length minus
    /// one in its lower three, and the big-endian value.
    fn parse(mut bytes: &[u8]) -> Option<Self> {
        let mut location = Self::default();
        loop {
            let (&head, rest) = bytes.split_first()?;
            let (kind, len) = (usize::from(head >> 3), usize::from(head & 7) + 1);
            if kind == 0 {
                return Some(location);
            }
            let value = rest.get(..len)?;
            if let Some(field) = location.0.get_mut(kind) {
                *field = value.iter().fold(0, |all, &b| all << 8 | u64::from(b));
            }
            bytes = &rest[len..];
        }
    }
}

fn u32_at(bytes: &[u8], at: usize, big_endian: bool) -> Option<u32> {
    let bytes = *bytes.get(at..)?.first_chunk()?;
    Some(if big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
}
