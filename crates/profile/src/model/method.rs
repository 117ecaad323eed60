//! The method table.

use std::collections::HashMap;
use std::sync::Arc;

use crate::{Demotion, Mode};
use jfathom_plan::{Digest, InstrumentedMethod, Manifest, ManifestClass, MethodId, MethodKey};
use serde::{Deserialize, Serialize};

/// Description of a method in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MethodInfo {
    /// Class, name and descriptor.
    pub key: MethodKey,
    /// Source file, if the class names one.
    pub source: Option<String>,
    /// First line, if the class has line numbers.
    pub line: Option<u32>,
    /// Code digest of the original code; zero without code.
    pub digest: Digest,
    /// Whether it is a root.
    pub root: bool,
    /// Whether it calls something that waits for other threads.
    pub waits: bool,
    /// Whether Kotlin's coroutines enter it again to resume it: its calls include that. Also of the
    /// row that counts this.
    pub resumes: bool,
}

impl MethodInfo {
    /// Stands for what was folded: in the tree, each of its nodes is a summary node. It is no
    /// method, and has no calls and no time. No class file can have a method of this name.
    pub fn folded() -> Self {
        let [class, name, descriptor] = ["jfathom", "<folded>", "()V"].map(str::to_owned);
        Self::of_no_file(MethodKey { class, name, descriptor })
    }

    /// A method of which nothing is known but its name.
    fn of_no_file(key: MethodKey) -> Self {
        Self {
            key,
            source: None,
            line: None,
            digest: Digest::default(),
            root: false,
            waits: false,
            resumes: false,
        }
    }

    /// Whether it counts the resumptions of a method of its class.
    pub fn is_resumption(&self) -> bool {
        self.resumes && jfathom_plan::resumed_method(&self.key.name).is_some()
    }

    /// Whether it stands for what was folded ([`MethodInfo::folded`]).
    pub fn is_folded(&self) -> bool {
        self.key.name == "<folded>" && self.key.class == "jfathom"
    }

    /// Stands between a method and what was called below it, if counted calls may lie between: in
    /// the tree `⋯`. It is no method, and has no calls and no self time.
    pub fn between() -> Self {
        let [class, name, descriptor] = ["jfathom", "<between>", "()V"].map(str::to_owned);
        Self::of_no_file(MethodKey { class, name, descriptor })
    }

    /// Whether it stands between others ([`MethodInfo::between`]).
    pub fn is_between(&self) -> bool {
        self.key.name == "<between>" && self.key.class == "jfathom"
    }

    /// Whether it is no method, but stands for something in the tree.
    pub fn is_sign(&self) -> bool {
        self.is_folded() || self.is_between()
    }
}

/// A method of a profile, with its counts over all nodes and threads.
///
/// Always `entries = returns + throws + inferred + open`. Its calls are `entries +
/// counted` ([`Method::calls`]), without those on virtual threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Method {
    /// Its id in the recording; in a merged profile, in the first recording.
    pub id: MethodId,
    /// Without a manifest the class is empty and the name is `method 123`.
    pub info: MethodInfo,
    /// Timed calls.
    pub entries: u64,
    /// Exits by return.
    pub returns: u64,
    /// Exits by exception.
    pub throws: u64,
    /// Inferred exits.
    pub inferred: u64,
    /// Open calls at the end.
    pub open: u64,
    /// Exits without an entry, not among the exits above.
    pub unmatched_exits: u64,
    /// Exceptions that the method caught.
    pub caught: u64,
    /// Calls on virtual threads, not in the tree and not among the entries.
    pub virtual_calls: u64,
    /// Counted calls.
    pub counted: u64,
    /// Mode at the end.
    pub mode: Mode,
    /// When the collector demoted it, if it did.
    pub demotion: Option<Demotion>,
    /// In a live session: when the method could have probes, in ns since the session began. Earlier
    /// calls are not recorded. In a merged profile the latest time.
    pub since: Option<u64>,
    /// Whether its calls have not read what their threads allocate, where others have: what they
    /// have allocated is among the bytes of the nearest caller that has. In a merged profile,
    /// whether they have not in any recording.
    pub is_unread: bool,
}

/// Names of methods by id, from manifests.
#[derive(Clone, Debug, Default)]
pub struct MethodNames {
    infos: HashMap<MethodId, MethodInfo>,
    /// Searched for ids that `infos` does not have. A program calls few methods of a large
    /// manifest, so these are not copied.
    manifests: Vec<Arc<Manifest>>,
}

impl MethodNames {
    /// Names one method, in place of an earlier name.
    pub fn insert(&mut self, id: MethodId, info: MethodInfo) {
        self.infos.insert(id, info);
    }

    /// Names all methods of a manifest.
    pub fn add_manifest(&mut self, manifest: &Manifest) {
        for (class, method) in manifest.methods() {
            self.insert(method.id, info(class, method));
        }
        self.manifests.push(Arc::new(manifest.clone()));
    }

    /// The manifests that it was made of.
    pub(crate) fn manifests(&self) -> impl Iterator<Item = &Manifest> {
        self.manifests.iter().map(Arc::as_ref)
    }

    /// Whether a manifest says what methods can call.
    pub(crate) fn know_calls(&self) -> bool {
        let mut classes = self.manifests().flat_map(|manifest| &manifest.classes);
        classes.any(|class| !class.calls.methods.is_empty())
    }

    /// Names the methods of a manifest that have no other name.
    pub fn share_manifest(&mut self, manifest: &Arc<Manifest>) {
        self.manifests.push(manifest.clone());
    }

    /// Description of a method, if it is known.
    pub fn get(&self, id: MethodId) -> Option<MethodInfo> {
        let in_manifests = || self.manifests.iter().find_map(|manifest| manifest.method(id));
        self.infos
            .get(&id)
            .cloned()
            .or_else(|| in_manifests().map(|(class, method)| info(class, method)))
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
        resumes: method.resumes,
    }
}

fn unnamed(id: MethodId) -> MethodInfo {
    let key =
        MethodKey { class: String::new(), name: format!("method {id}"), descriptor: String::new() };
    MethodInfo::of_no_file(key)
}

impl Method {
    /// Timed and counted calls, without those on virtual threads.
    pub fn calls(&self) -> u64 {
        self.entries.saturating_add(self.counted)
    }

    /// Whether all its calls are counted, or on virtual threads and in no tree. What they do is not
    /// known.
    pub fn is_only_counted(&self) -> bool {
        self.entries == 0
            && (self.counted > 0 || self.virtual_calls > 0)
            && !self.info.is_resumption()
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
        self.is_unread |= other.is_unread;
    }
}
