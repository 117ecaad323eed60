//! The methods file of a live session: which methods have got probes so far, read while the agent
//! writes it.

use crate::{count_rule::CountRule, modes::InitialModes};
use jfathom_files::Access;
use jfathom_plan::{Digest, IdRange, Manifest, ManifestClass, MethodId, Placement};
use jfathom_profile::{LiveRootInfo, LiveSessionInfo, Profile};
use jfathom_session::{
    ClassLine, METHODS_FILE_VERSION, MethodsFileLine, RootLine, RootState, SessionLine,
    SessionTotals,
};
use jfathom_trace::layout;
use std::{
    collections::{BTreeMap, HashMap},
    fs::File,
    io::{ErrorKind, Read, Seek, SeekFrom},
    path::PathBuf,
};

/// The longest line that is waited for; a class has fewer than 65,536 methods.
const LINE_LIMIT: usize = 64 << 20;
/// Bytes that are read at a time.
const BLOCK: usize = 64 << 10;

/// A methods file, and how far it was read.
#[derive(Debug)]
pub(crate) struct MethodsFile {
    path: PathBuf,
    file: Option<File>,
    /// What was read of a line that had no end.
    rest: Vec<u8>,
    block: Vec<u8>,
    methods: LiveMethods,
}

/// What became of something, for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LiveEvent {
    /// A root's class is not loaded.
    Waiting(String),
    /// A root is live.
    Live(RootLine),
    /// A sentence.
    Note(String),
}

/// What new lines have brought.
#[derive(Debug, Default)]
pub(crate) struct MethodsFileUpdate {
    pub news: Vec<LiveEvent>,
    /// Classes with new methods.
    pub classes: Vec<ManifestClass>,
}

impl MethodsFile {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self {
            path,
            file: None,
            rest: Vec::new(),
            block: vec![0; BLOCK],
            methods: LiveMethods::default(),
        }
    }

    /// Reads what was written since the last time. A file that is not there, or cannot be read, has
    /// nothing new.
    pub(crate) fn read_update(&mut self) -> MethodsFileUpdate {
        let mut grown = MethodsFileUpdate::default();
        if self.file.is_none() {
            self.file = jfathom_files::open(&self.path, Access::Read).ok();
        }
        let Some(file) = &mut self.file else { return grown };
        // What was kept of an unfinished line has no end in it.
        let mut searched;
        loop {
            match file.read(&mut self.block) {
                Ok(0) => return grown,
                Ok(length) => {
                    searched = self.rest.len();
                    self.rest.extend_from_slice(&self.block[..length]);
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => continue,
                Err(_) => return grown,
            }
            let mut taken = 0;
            while let Some(length) = self.rest[searched..].iter().position(|&b| b == b'\n') {
                let end = searched + length + 1;
                self.methods.take(&self.rest[taken..end], &mut grown);
                (taken, searched) = (end, end);
            }
            self.rest.drain(..taken);
            if self.rest.len() > LINE_LIMIT {
                self.rest.clear();
                self.methods.broken(&mut grown, "a line without an end");
                // What follows cannot be told apart from the middle of that line.
                let _ = file.seek(SeekFrom::End(0));
            }
        }
    }

    /// What was read so far.
    pub(crate) fn methods(&self) -> &LiveMethods {
        &self.methods
    }
}

/// All that a methods file says.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiveMethods {
    session: Option<SessionLine>,
    classes: Vec<ManifestClass>,
    /// When the probes of each method were possible.
    since: HashMap<MethodId, u64>,
    /// By selector.
    roots: BTreeMap<String, RootLine>,
    notes: Vec<String>,
    losses: Vec<String>,
    skipped: u64,
    totals: SessionTotals,
    /// Lines that are none.
    broken: u64,
}

impl LiveMethods {
    fn take(&mut self, line: &[u8], grown: &mut MethodsFileUpdate) {
        match MethodsFileLine::from_json(line) {
            Ok(MethodsFileLine::Session(session)) if session.version != METHODS_FILE_VERSION => {
                let why = format!(
                    "it has version {}, and this jfathom reads version {METHODS_FILE_VERSION}",
                    session.version
                );
                self.broken(grown, &why.to_string());
            }
            Ok(MethodsFileLine::Session(session)) => self.session = Some(session),
            Ok(MethodsFileLine::Class(class)) => grown.classes.extend(self.class(class)),
            Ok(MethodsFileLine::Skip(_)) => self.skipped += 1,
            Ok(MethodsFileLine::Root(root)) => self.root(root, grown),
            Ok(MethodsFileLine::Note(note)) => {
                self.notes.push(note.clone());
                grown.news.push(LiveEvent::Note(note));
            }
            Ok(MethodsFileLine::Loss(loss)) => {
                self.losses.push(loss.clone());
                grown.news.push(LiveEvent::Note(loss));
            }
            Ok(MethodsFileLine::Totals(totals)) => self.totals = totals,
            Err(why) => self.broken(grown, &why.to_string()),
        }
    }

    /// Takes in the methods of a class. What is said again is taken once: an id never stands for
    /// another method.
    fn class(&mut self, class: ClassLine) -> Option<ManifestClass> {
        let ClassLine { name, source, at, methods, .. } = class;
        let mut new = Vec::new();
        for method in methods {
            if self.since.contains_key(&method.id) {
                continue;
            }
            self.since.insert(method.id, at);
            new.push(method);
        }
        let class = ManifestClass { name, source, methods: new };
        (!class.methods.is_empty()).then(|| {
            self.classes.push(class.clone());
            class
        })
    }

    fn root(&mut self, root: RootLine, grown: &mut MethodsFileUpdate) {
        let known = self.roots.get(&root.selector).map(|known| known.state);
        if let (Some(unmatched), RootState::Waiting, false) =
            (&root.unmatched, root.state, known == Some(RootState::Live))
        {
            // In the profile only if no class of that name brings the method later.
            grown.news.push(LiveEvent::Note(unmatched.clone()));
            self.roots.insert(root.selector.clone(), root);
            return;
        }
        match (known, root.state) {
            (Some(RootState::Live), _) | (Some(RootState::Waiting), RootState::Waiting) => return,
            (_, RootState::Waiting) => grown.news.push(LiveEvent::Waiting(root.selector.clone())),
            (_, RootState::Live) => grown.news.push(LiveEvent::Live(root.clone())),
        }
        self.roots.insert(root.selector.clone(), root);
    }

    fn broken(&mut self, grown: &mut MethodsFileUpdate, why: &str) {
        if self.broken == 0 {
            grown.news.push(LiveEvent::Note(format!(
                "a line of the methods file is not understood, and some methods may have no names: {why}"
            )));
        }
        self.broken += 1;
    }

    /// Its methods as a manifest.
    pub(crate) fn manifest(&self) -> Manifest {
        manifest(self.classes.clone())
    }

    /// Whether there is a live session.
    pub(crate) fn has_session(&self) -> bool {
        self.session.is_some()
    }

    /// The methods that the agent lets be counted from their first call on.
    pub(crate) fn trivial(&self) -> impl Iterator<Item = MethodId> + '_ {
        let methods = self.classes.iter().flat_map(|class| &class.methods);
        methods.filter(|method| method.trivial && !method.root).map(|method| method.id)
    }

    /// The selectors of roots that are not live, and of which no class was told that has them not.
    pub(crate) fn waiting_roots(&self) -> impl Iterator<Item = &str> {
        let waiting = self
            .roots
            .values()
            .filter(|root| root.state == RootState::Waiting && root.unmatched.is_none());
        waiting.map(|root| root.selector.as_str())
    }

    /// Puts what it says into the profile of its JVM.
    pub(crate) fn complete(&self, profile: &mut Profile) {
        let since = profile
            .methods
            .iter_mut()
            .map(|method| (self.since.get(&method.id), &mut method.since));
        since.for_each(|(at, since)| *since = at.copied());
        let totals = &self.totals;
        let quality = &mut profile.quality;
        quality.late_calls = quality.late_calls.saturating_add(totals.late);
        quality.failed_classes = quality.failed_classes.saturating_add(totals.failed);
        quality.restored_differently =
            quality.restored_differently.saturating_add(totals.restored_differently);
        quality.broken_lines = quality.broken_lines.saturating_add(self.broken);
        for loss in &self.losses {
            if !quality.other_losses.contains(loss) {
                quality.other_losses.push(loss.clone());
            }
        }
        let facts = self.facts();
        profile.meta.jvms.iter_mut().for_each(|jvm| jvm.live = Some(facts.clone()));
        let unmatched = self.roots.values().filter(|root| root.state == RootState::Waiting);
        let notices = unmatched.filter_map(|root| root.unmatched.as_ref()).chain(&self.notes);
        profile.meta.notices.extend(notices.cloned());
    }

    fn facts(&self) -> LiveSessionInfo {
        let session = self.session.clone().unwrap_or_default();
        let totals = self.totals;
        let root = |root: &RootLine| LiveRootInfo {
            selector: root.selector.clone(),
            live_at: (root.state == RootState::Live).then_some(root.at),
            method: root.method.clone(),
        };
        LiveSessionInfo {
            scheme: session.scheme,
            include_jdk: session.jdk_methods,
            pinned: session.pinned,
            roots: self.roots.values().map(root).collect(),
            methods: self.since.len() as u64,
            skipped: self.skipped.max(totals.refused),
            retransformations: totals.retransformations,
            batches: totals.batches,
            retransformed_classes: totals.retransformed_classes,
            most_retransformed: totals.most_retransformed,
            at_load: totals.at_load,
            classes_loaded: totals.classes_loaded,
            first_calls: totals.first_calls,
            pause_nanos: totals.pause_nanos,
            hook_nanos: totals.hook_nanos,
            restored: totals.restored,
        }
    }
}

/// What a drainer must know of new methods, one for each run of ids.
pub(crate) fn known(classes: &[ManifestClass], rule: &CountRule) -> Vec<InitialModes> {
    let mut ids: Vec<u32> = classes
        .iter()
        .flat_map(|class| class.methods.iter().map(|method| method.id.get()))
        .collect();
    ids.sort_unstable();
    let mut runs: Vec<IdRange> = Vec::new();
    for id in ids {
        match runs.last_mut() {
            Some(run) if run.end() == id => run.len += 1,
            _ => runs.push(IdRange { start: id, len: 1 }),
        }
    }
    let mut whole = InitialModes::of(&manifest(classes.to_vec()), rule);
    let mut known: Vec<InitialModes> = runs
        .into_iter()
        .map(|ids| InitialModes { ids, count: Vec::new(), roots: Vec::new() })
        .collect();
    // The ids are known before anything is decided about one of them.
    if let Some(last) = known.last_mut() {
        last.count = std::mem::take(&mut whole.count);
    }
    if let Some(first) = known.first_mut() {
        first.roots = whole.roots;
    }
    known
}

fn manifest(classes: Vec<ManifestClass>) -> Manifest {
    Manifest {
        tool: String::new(),
        plan: Digest::default(),
        placement: Placement::Live,
        module: None,
        ids: IdRange { start: 0, len: layout::LIVE_IDS },
        has_roots: true,
        roots: Vec::new(),
        scheme: None,
        call_graph: None,
        pinned: false,
        classes,
        skips: Vec::new(),
        skip_counts: BTreeMap::new(),
        unfollowed: Default::default(),
    }
}

#[cfg(test)]
mod tests;
