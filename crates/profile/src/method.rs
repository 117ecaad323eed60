//! The method table.

use std::collections::HashMap;
use std::sync::Arc;

use crate::{Demotion, Mode};
use jfathom_plan::{Digest, InstrumentedMethod, Manifest, ManifestClass, MethodId, MethodKey};
use serde::{Deserialize, Serialize};

/// What a manifest says about a method.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MethodInfo {
    /// Class, name and descriptor.
    pub key: MethodKey,
    /// Source file, where the class names one.
    pub source: Option<String>,
    /// First line, where the class has line numbers.
    pub line: Option<u32>,
    /// Digest of the original code; zero where there is none.
    pub digest: Digest,
    /// Whether it is a root.
    pub root: bool,
    /// Whether it calls something that waits for other threads.
    pub waits: bool,
    /// Whether its work is tied to its entry probe.
    pub pinned: bool,
}

/// A method of a profile with all that was counted for it, over all nodes and threads.
///
/// `entries = returns + throws + inferred + demoted + open` holds exactly, and its calls are
/// `entries + counted` ([`Method::calls`]); those on virtual threads come on top.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// Its id in the recording; that of the first, where several were merged.
    pub id: MethodId,
    /// What it is. Without a manifest the class is empty and the name is `method 123`.
    pub info: MethodInfo,
    /// Timed calls.
    pub entries: u64,
    /// Exits by return.
    pub returns: u64,
    /// Exits by exception.
    pub throws: u64,
    /// Exits that no probe told.
    pub inferred: u64,
    /// Calls that were open when the method was demoted: they were closed without their exits, and
    /// their later time is the caller's.
    pub demoted: u64,
    /// Calls still open at the end.
    pub open: u64,
    /// Exits without an entry in the recording; not among the exits above.
    pub unmatched_exits: u64,
    /// Exceptions that it caught.
    pub caught: u64,
    /// Calls on virtual threads, in no tree and not among the entries.
    pub virtual_calls: u64,
    /// Calls that were counted and not timed; they have no nodes.
    pub counted: u64,
    /// How its calls were recorded at the end.
    pub mode: Mode,
    /// When it changed from timed to counted, if it did while the program ran.
    pub demotion: Option<Demotion>,
    /// In a live session: when its probes were possible, in nanoseconds since the session began.
    /// Earlier calls are not in the recording. The latest where several were added up.
    pub since: Option<u64>,
}

/// Names of methods by id, from manifests.
#[derive(Clone, Debug, Default)]
pub struct MethodNames {
    infos: HashMap<MethodId, MethodInfo>,
    /// Asked where `infos` has no name: a program calls few of the methods that a large manifest
    /// has.
    shared: Vec<Arc<Manifest>>,
}

impl MethodNames {
    /// Names one method; a name that the id had before is replaced.
    pub fn insert(&mut self, id: MethodId, info: MethodInfo) {
        self.infos.insert(id, info);
    }

    /// Names all methods of a manifest.
    pub fn add_manifest(&mut self, manifest: &Manifest) {
        for (class, method) in manifest.methods() {
            self.insert(method.id, info(class, method));
        }
    }

    /// Names the methods of a manifest that have no other name, each when it is asked for.
    pub fn share_manifest(&mut self, manifest: &Arc<Manifest>) {
        self.shared.push(manifest.clone());
    }

    /// The name of a method.
    pub fn get(&self, id: MethodId) -> Option<MethodInfo> {
        let shared = || self.shared.iter().find_map(|manifest| manifest.method(id));
        self.infos.get(&id).cloned().or_else(|| shared().map(|(class, method)| info(class, method)))
    }

    pub(crate) fn or_unnamed(&self, id: MethodId) -> (MethodInfo, bool) {
        match self.get(id) {
            Some(info) => (info, true),
            None => (unnamed(id), false),
        }
    }
}

fn info(class: &ManifestClass, method: &InstrumentedMethod) -> MethodInfo {
    MethodInfo {
        key: MethodKey {
            class: class.name.clone(),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
        },
        source: class.source.clone(),
        line: method.line.map(u32::from),
        digest: method.digest,
        root: method.root,
        waits: method.waits,
        pinned: method.pinned,
    }
}

fn unnamed(id: MethodId) -> MethodInfo {
    let key =
        MethodKey { class: String::new(), name: format!("method {id}"), descriptor: String::new() };
    MethodInfo {
        key,
        source: None,
        line: None,
        digest: Digest::default(),
        root: false,
        waits: false,
        pinned: false,
    }
}

impl Method {
    /// All its calls outside virtual threads, timed and counted.
    pub fn calls(&self) -> u64 {
        self.entries.saturating_add(self.counted)
    }

    /// Adds the counts of the same method in another profile.
    pub fn add_counts(&mut self, other: &Self) {
        let pairs = [
            (&mut self.entries, other.entries),
            (&mut self.returns, other.returns),
            (&mut self.throws, other.throws),
            (&mut self.inferred, other.inferred),
            (&mut self.open, other.open),
            (&mut self.unmatched_exits, other.unmatched_exits),
            (&mut self.caught, other.caught),
            (&mut self.virtual_calls, other.virtual_calls),
            (&mut self.demoted, other.demoted),
            (&mut self.counted, other.counted),
        ];
        for (to, from) in pairs {
            *to = to.saturating_add(from);
        }
        if self.mode == Mode::Time {
            self.mode = other.mode;
        }
        self.demotion = self.demotion.or(other.demotion);
        self.since = self.since.max(other.since);
    }
}
