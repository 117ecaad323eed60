//! Where classes come from: containers in class path order, and which entry holds a class.

use crate::{Index, NameId, Names, Notice};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Whose classes a container holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContainerKind {
    /// The program's: its methods are answered.
    Program,
    /// The JDK's: walked through. The JVM asks its modules before the class path.
    Jdk,
}

/// A jar, directory or module, as a list of entries.
#[derive(Clone, Debug)]
pub struct Container {
    /// What messages call it: `app.jar`, `jrt:/java.base`.
    pub label: String,
    /// Whose classes it holds.
    pub kind: ContainerKind,
    /// Whether the manifest says `Multi-Release: true`, so that `META-INF/versions/N/` counts (JEP 238).
    pub multi_release: bool,
    /// What lies before the names of classes: `BOOT-INF/classes/`, or nothing.
    pub prefix: String,
    /// Names of entries, in their order. Those that are no classes are passed over; of equal names the last counts.
    pub entries: Vec<String>,
}

/// Gives the bytes of classes when a world asks for them.
pub trait ClassSource {
    /// The bytes of an entry: the positions of the container and of the entry within it, and the entry's name.
    ///
    /// # Errors
    /// Why it could not be read; the class is then treated as missing, with a [`Notice`].
    fn read(&self, container: usize, entry: usize, name: &str) -> Result<Cow<'_, [u8]>, String>;

    /// The index of a container, if there is one. What it has is not read.
    fn index(&self, container: usize) -> Option<&Index> {
        let _ = container;
        None
    }
}

/// Positions of a container and of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) container: u32,
    entry: u32,
    release: u16,
}

/// All containers, and where each class lies.
#[derive(Debug)]
pub(crate) struct Containers {
    list: Vec<Container>,
    /// By name.
    locations: Vec<Option<Location>>,
}

impl Containers {
    /// Looks through the containers: the JDK's first, then the others, in their order.
    pub(crate) fn new(list: Vec<Container>, release: u16, names: &mut Names, notices: &mut Vec<Notice>) -> Self {
        let mut locations: Vec<Option<Location>> = Vec::new();
        let mut duplicates: BTreeMap<(u32, u32), (usize, NameId)> = BTreeMap::new();
        let in_order = |kind| list.iter().enumerate().filter(move |(_, container)| container.kind == kind);
        for (at, container) in in_order(ContainerKind::Jdk).chain(in_order(ContainerKind::Program)) {
            for (entry, name) in container.entries.iter().enumerate() {
                let Some((class, version)) = class_of(container, name, release) else { continue };
                let id = names.intern(&classfile_writer::mutf8::encode(class));
                if locations.len() <= id.ix() {
                    locations.resize(id.ix() + 1, None);
                }
                let new = Location { container: at as u32, entry: entry as u32, release: version };
                match &mut locations[id.ix()] {
                    Some(old) if old.container != new.container => {
                        let key = (old.container, new.container);
                        duplicates.entry(key).or_insert((0, id)).0 += 1;
                    }
                    Some(old) if old.release > new.release => {}
                    slot => *slot = Some(new),
                }
            }
        }
        let label = |at: u32| list.get(at as usize).map(|it| it.label.clone()).unwrap_or_default();
        notices.extend(duplicates.into_iter().map(|((kept, hidden), (count, example))| Notice::Duplicates {
            kept: label(kept),
            hidden: label(hidden),
            count,
            example: names.show(example),
        }));
        Self { list, locations }
    }

    /// Where a class lies.
    pub(crate) fn find(&self, name: NameId) -> Option<Location> {
        self.locations.get(name.ix()).copied().flatten()
    }

    /// All classes of one kind of container, in the order of their names' numbers.
    pub(crate) fn classes(&self, kind: ContainerKind) -> impl Iterator<Item = NameId> + '_ {
        let is_wanted = move |it: &Location| self.kind(it.container) == Some(kind);
        let all = self.locations.iter().zip(0u32..);
        all.filter(move |(location, _)| location.as_ref().is_some_and(is_wanted)).map(|(_, id)| NameId(id))
    }

    pub(crate) fn kind(&self, container: u32) -> Option<ContainerKind> {
        self.list.get(container as usize).map(|it| it.kind)
    }

    pub(crate) fn label(&self, container: u32) -> &str {
        self.list.get(container as usize).map_or("", |it| &it.label)
    }

    pub(crate) fn entry_name(&self, location: Location) -> &str {
        let container = self.list.get(location.container as usize);
        container.and_then(|it| it.entries.get(location.entry as usize)).map_or("", String::as_str)
    }

    /// Container and entry, for messages.
    pub(crate) fn place(&self, location: Location) -> String {
        format!("{}!{}", self.label(location.container), self.entry_name(location))
    }

    pub(crate) fn read<'s>(&self, source: &'s dyn ClassSource, location: Location) -> Result<Cow<'s, [u8]>, String> {
        source.read(location.container as usize, location.entry as usize, self.entry_name(location))
    }
}

/// The internal name of the class that an entry holds for JVMs of this release, and the release that it is made for.
fn class_of<'n>(container: &Container, entry: &'n str, release: u16) -> Option<(&'n str, u16)> {
    let name = entry.strip_suffix(".class")?;
    let (name, version) = match name.strip_prefix("META-INF/versions/") {
        Some(rest) if container.multi_release => {
            let (version, name) = rest.split_once('/')?;
            let version = version.parse().ok().filter(|version| (9..=release).contains(version))?;
            (name, version)
        }
        _ => (name, 0),
    };
    let name = name.strip_prefix(container.prefix.as_str())?;
    let is_class = !name.starts_with("META-INF/") && name != "module-info" && !name.ends_with("/module-info");
    is_class.then_some((name, version))
}
