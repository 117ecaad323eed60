//! Containers in class path order, and the entry of each class.

use crate::names::BaseNames;
use crate::{Index, NameId, Names, Notice};
use jfathom_plan::Problem;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Owner of the classes of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContainerKind {
    /// The program. Results name its methods.
    Program,
    /// The JDK. The analysis follows its methods. The JVM searches its modules before the class
    /// path.
    Jdk,
}

/// A jar, directory or module, as a list of entries.
#[derive(Clone, Debug)]
pub struct Container {
    /// Name in messages: `app.jar`, `jrt:/java.base`.
    pub label: String,
    /// Owner of its classes.
    pub kind: ContainerKind,
    /// Whether the jar manifest has `Multi-Release: true`, so that `META-INF/versions/N/` counts
    /// (JEP 238).
    pub multi_release: bool,
    /// Prefix of class entries: `BOOT-INF/classes/`, or nothing.
    pub prefix: String,
    /// Names of entries, in their order. Entries that are no classes are ignored. Of equal names
    /// the last counts.
    pub entries: Vec<String>,
}

/// Source of class bytes, read on request.
pub trait ClassSource: Sync {
    /// The bytes of an entry, by the index of its container, its own index there, and its name. For
    /// a container of the index under [`World::over`](crate::World::over), the container's index
    /// follows those of the other containers, and the entry's index is its row.
    ///
    /// # Errors
    /// Returns the reason if it cannot be read. The class is then missing, and a [`Notice`] reports
    /// it.
    fn read(&self, container: usize, entry: usize, name: &str) -> Result<Cow<'_, [u8]>, Problem>;

    /// Whether the entry has these bytes. [`ClassSource::read`] has the parameters.
    fn has(&self, container: usize, entry: usize, name: &str, bytes: &[u8]) -> bool {
        self.read(container, entry, name).is_ok_and(|content| *content == *bytes)
    }

    /// The index of a container, if there is one. Its rows are the container's entries. Their class
    /// files are not read.
    fn index(&self, container: usize) -> Option<&Index> {
        let _ = container;
        None
    }
}

/// Index of a container, and of an entry in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) container: u32,
    pub(crate) entry: u32,
    release: u16,
}

/// All containers, and the location of each class.
#[derive(Debug)]
pub(crate) struct Containers<'s> {
    list: Cow<'s, [Container]>,
    /// An index of a JDK. Its rows are the first names.
    base: Option<Index>,
    /// Whether the base's modules that are not the JDK's count as the program's.
    has_applications: bool,
    found: FxHashMap<NameId, Location>,
    /// Classes with a location: the JDK's first, then the program's, each in container order.
    order: Vec<NameId>,
    /// The program's other entries. Filled at the first request.
    resources: OnceLock<HashMap<String, Location>>,
}

impl<'s> Containers<'s> {
    /// Lists the classes of the containers: the JDK's first, then the others, in their order.
    pub(crate) fn new(
        list: Cow<'s, [Container]>,
        base: Option<Index>,
        release: u16,
        names: &mut Names,
        notices: &mut Vec<Notice>,
    ) -> Self {
        let mut all = Self {
            list: Cow::Borrowed(&[]),
            base,
            has_applications: false,
            found: FxHashMap::default(),
            order: Vec::new(),
            resources: OnceLock::new(),
        };
        let mut duplicates: BTreeMap<(u32, u32), (usize, NameId)> = BTreeMap::new();
        let in_order =
            |kind| list.iter().enumerate().filter(move |(_, container)| container.kind == kind);
        for (at, container) in in_order(ContainerKind::Jdk).chain(in_order(ContainerKind::Program))
        {
            for (entry, name) in container.entries.iter().enumerate() {
                let Some((class, version)) = class_of(container, name, release) else { continue };
                let id = names.intern(&classfile_writer::mutf8::encode(class));
                let new = Location { container: at as u32, entry: entry as u32, release: version };
                let old = all.in_base(id, list.len()).or_else(|| all.found.get(&id).copied());
                match old {
                    Some(old) if old.container != new.container => {
                        let key = (old.container, new.container);
                        duplicates.entry(key).or_insert((0, id)).0 += 1;
                    }
                    Some(old) if old.release > new.release => {}
                    known => {
                        all.found.insert(id, new);
                        if known.is_none() {
                            all.order.push(id);
                        }
                    }
                }
            }
        }
        all.list = list;
        notices.extend(duplicates.into_iter().map(|((kept, hidden), (count, example))| {
            Notice::Duplicates {
                kept: all.label(kept).to_owned(),
                hidden: all.label(hidden).to_owned(),
                count,
                example: names.show(example),
            }
        }));
        all
    }

    /// The location of a class.
    pub(crate) fn find(&self, name: NameId) -> Option<Location> {
        self.in_base(name, self.list.len()).or_else(|| self.found.get(&name).copied())
    }

    fn in_base(&self, name: NameId, before: usize) -> Option<Location> {
        let tables = self.base.as_ref()?.tables();
        if name.0 >= tables.row_count() {
            return None;
        }
        let group = tables.groups().partition_point(|group| group.1 <= name.0).checked_sub(1)?;
        Some(Location { container: (before + group) as u32, entry: name.0, release: 0 })
    }

    /// The JDK's index, if it has this container.
    pub(crate) fn base_of(&self, container: u32) -> Option<&Index> {
        self.base.as_ref().filter(|_| container as usize >= self.list.len())
    }

    /// All classes of one kind of container, in the order of the containers.
    pub(crate) fn classes(&self, kind: ContainerKind) -> impl Iterator<Item = NameId> + '_ {
        let is_wanted = move |id: &NameId| {
            self.found.get(id).is_some_and(|location| self.kind(location.container) == Some(kind))
        };
        self.base_rows(kind).map(NameId).chain(self.order.iter().copied().filter(is_wanted))
    }

    /// The rows of the base's groups of one kind. A group ends where the next begins.
    fn base_rows(&self, kind: ContainerKind) -> impl Iterator<Item = u32> + '_ {
        let tables = self.base.as_ref().map(Index::tables);
        let groups = tables.map_or(&[][..], |tables| tables.groups());
        let end = tables.map_or(0, |tables| tables.row_count());
        let ends = groups.iter().skip(1).map(|group| group.1).chain([end]);
        let rows = groups.iter().zip(ends);
        let rows = rows.filter(move |((label, _), _)| self.kind_of_group(label) == kind);
        rows.flat_map(|((_, first), end)| *first..end)
    }

    /// Counts the base's modules that are not the JDK's as the program's.
    pub(crate) fn set_applications(&mut self, has_applications: bool) {
        self.has_applications = has_applications;
    }

    fn kind_of_group(&self, label: &str) -> ContainerKind {
        let module = label.strip_prefix("jrt:/").unwrap_or(label);
        match self.has_applications && !is_jdk_module(module) {
            true => ContainerKind::Program,
            false => ContainerKind::Jdk,
        }
    }

    /// The first entry of the program with this name that is not a class. The name begins below the
    /// container's class folder.
    pub(crate) fn resource(&self, name: &str) -> Option<Location> {
        self.resources.get_or_init(|| self.list_resources()).get(name).copied()
    }

    fn list_resources(&self) -> HashMap<String, Location> {
        let mut found = HashMap::new();
        let program = self
            .list
            .iter()
            .enumerate()
            .filter(|(_, container)| container.kind == ContainerKind::Program);
        for (at, container) in program {
            let files = container
                .entries
                .iter()
                .enumerate()
                .filter(|(_, entry)| !entry.ends_with(".class"));
            for (entry, name) in files {
                let Some(name) = name.strip_prefix(container.prefix.as_str()) else { continue };
                let location = Location { container: at as u32, entry: entry as u32, release: 0 };
                found.entry(name.to_owned()).or_insert(location);
            }
        }
        found
    }

    pub(crate) fn kind(&self, container: u32) -> Option<ContainerKind> {
        match self.list.get(container as usize) {
            Some(listed) => Some(listed.kind),
            None => self.base.as_ref().map(|_| self.kind_of_group(self.label(container))),
        }
    }

    pub(crate) fn label(&self, container: u32) -> &str {
        let container = container as usize;
        let groups = self.base.as_ref().map_or(&[][..], |base| base.tables().groups());
        match self.list.get(container) {
            Some(listed) => &listed.label,
            None => groups.get(container - self.list.len()).map_or("", |group| &group.0),
        }
    }

    pub(crate) fn entry_name(&self, location: Location) -> Cow<'_, str> {
        match (self.list.get(location.container as usize), &self.base) {
            (Some(container), _) => Cow::Borrowed(
                container.entries.get(location.entry as usize).map_or("", String::as_str),
            ),
            (None, Some(base)) => {
                let name =
                    classfile_writer::mutf8::decode_lossy(base.tables().name(location.entry));
                Cow::Owned(format!("{name}.class"))
            }
            (None, None) => Cow::Borrowed(""),
        }
    }

    /// Container and entry, for messages.
    pub(crate) fn place(&self, location: Location) -> String {
        format!("{}!{}", self.label(location.container), self.entry_name(location))
    }

    pub(crate) fn has(&self, source: &dyn ClassSource, location: Location, bytes: &[u8]) -> bool {
        let (container, entry) = (location.container as usize, location.entry as usize);
        source.has(container, entry, &self.entry_name(location), bytes)
    }

    pub(crate) fn read<'r>(
        &self,
        source: &'r dyn ClassSource,
        location: Location,
    ) -> Result<Cow<'r, [u8]>, Problem> {
        source.read(
            location.container as usize,
            location.entry as usize,
            &self.entry_name(location),
        )
    }
}

/// Whether a module is the JDK's, by the beginnings of names that it keeps to itself. In a run-time
/// image (`jlink`) the others are an application's.
pub fn is_jdk_module(name: &str) -> bool {
    ["java.", "jdk."].iter().any(|begin| name.starts_with(begin))
}

/// The internal name of the class in an entry, and the class's release. `None` if JVMs of `release`
/// find no class there.
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
    let is_class =
        !name.starts_with("META-INF/") && name != "module-info" && !name.ends_with("/module-info");
    is_class.then_some((name, version))
}
