//! The methods, roots and counts of a live session.

use super::{LiveEvent, MethodsFileUpdate, initial_modes::manifest};
use jfathom_plan::{Manifest, ManifestClass, MethodId};
use jfathom_profile::{LiveRootInfo, LiveSessionInfo, Mounts, Profile};
use jfathom_session::{
    ClassLine, METHODS_FILE_VERSION, MethodsFileLine, RootLine, RootState, SessionLine,
    SessionTotals,
};
use std::collections::{BTreeMap, HashMap};

/// Content of all lines of a methods file.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiveMethods {
    session: Option<SessionLine>,
    classes: Vec<ManifestClass>,
    /// When each method got its probes: nanoseconds since the session began.
    pub(super) since: HashMap<MethodId, u64>,
    /// By selector.
    roots: BTreeMap<String, RootLine>,
    mounts: Mounts,
    notes: Vec<String>,
    losses: Vec<String>,
    skipped: u64,
    totals: SessionTotals,
    /// Lines that were not understood.
    pub(super) broken: u64,
}

impl LiveMethods {
    pub(super) fn add_line(&mut self, line: &[u8], update: &mut MethodsFileUpdate) {
        match MethodsFileLine::from_json(line) {
            Ok(MethodsFileLine::Session(session)) if session.version != METHODS_FILE_VERSION => {
                let why = format!(
                    "it has version {}, and this jfathom reads version {METHODS_FILE_VERSION}",
                    session.version
                );
                self.add_broken(update, &why);
            }
            Ok(MethodsFileLine::Session(session)) => self.session = Some(session),
            Ok(MethodsFileLine::Class(class)) => update.classes.extend(self.add_class(class)),
            Ok(MethodsFileLine::Skip(_)) => self.skipped += 1,
            Ok(MethodsFileLine::Root(root)) => self.add_root(root, update),
            Ok(MethodsFileLine::Mounts(seen)) => {
                self.mounts = if seen { Mounts::Seen } else { Mounts::Partly };
            }
            Ok(MethodsFileLine::Note(note)) => {
                self.notes.push(note.clone());
                update.news.push(LiveEvent::Note(note));
            }
            Ok(MethodsFileLine::Loss(loss)) => {
                self.losses.push(loss.clone());
                update.news.push(LiveEvent::Note(loss));
            }
            Ok(MethodsFileLine::Totals(totals)) => self.totals = totals,
            Err(why) => self.add_broken(update, &why.to_string()),
        }
    }

    /// Adds the methods of a class, and returns the new ones. An id that comes again means the same
    /// method.
    fn add_class(&mut self, class: ClassLine) -> Option<ManifestClass> {
        let ClassLine { name, source, at, methods, calls, .. } = class;
        let mut new = Vec::new();
        for method in methods {
            if self.since.contains_key(&method.id) {
                continue;
            }
            self.since.insert(method.id, at);
            new.push(method);
        }
        let calls = calls.unwrap_or_default();
        let class = ManifestClass { name, source, methods: new, calls };
        (!class.methods.is_empty()).then(|| {
            self.classes.push(class.clone());
            class
        })
    }

    /// Adds the state of a root. A live root stays live.
    fn add_root(&mut self, root: RootLine, update: &mut MethodsFileUpdate) {
        let known = self.roots.get(&root.selector).map(|known| known.state);
        if let (Some(unmatched), RootState::Waiting, false) =
            (&root.unmatched, root.state, known == Some(RootState::Live))
        {
            // The profile has this sentence only if the root is not live at the end.
            update.news.push(LiveEvent::Note(unmatched.clone()));
            self.roots.insert(root.selector.clone(), root);
            return;
        }
        match (known, root.state) {
            (Some(RootState::Live), _) | (Some(RootState::Waiting), RootState::Waiting) => return,
            (_, RootState::Waiting) => update.news.push(LiveEvent::Waiting(root.selector.clone())),
            (_, RootState::Live) => update.news.push(LiveEvent::Live(root.clone())),
        }
        self.roots.insert(root.selector.clone(), root);
    }

    /// Counts a malformed line. The user gets a note on the first.
    pub(super) fn add_broken(&mut self, update: &mut MethodsFileUpdate, why: &str) {
        if self.broken == 0 {
            update.news.push(LiveEvent::Note(format!(
                "a line of the methods file is not understood, and some methods may have no names: \
                 {why}"
            )));
        }
        self.broken += 1;
    }

    /// The methods as a manifest.
    pub(crate) fn manifest(&self) -> Manifest {
        manifest(self.classes.clone())
    }

    /// Whether the agent has begun a session.
    pub(crate) fn has_session(&self) -> bool {
        self.session.is_some()
    }

    /// The selectors of roots that wait for a matching class to be loaded.
    pub(crate) fn waiting_roots(&self) -> impl Iterator<Item = &str> {
        let waiting = self
            .roots
            .values()
            .filter(|root| root.state == RootState::Waiting && root.unmatched.is_none());
        waiting.map(|root| root.selector.as_str())
    }

    /// Adds what the file says to the profile of its JVM.
    pub(crate) fn complete(&self, profile: &mut Profile) {
        let since = profile
            .methods
            .iter_mut()
            .map(|method| (self.since.get(&method.id), &mut method.since));
        since.for_each(|(at, since)| *since = at.copied());
        profile.mounts = self.mounts;
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
        let info = self.info();
        profile.meta.jvms.iter_mut().for_each(|jvm| jvm.live = Some(info.clone()));
        let unmatched = self.roots.values().filter(|root| root.state == RootState::Waiting);
        let notices = unmatched.filter_map(|root| root.unmatched.as_ref()).chain(&self.notes);
        profile.meta.notices.extend(notices.cloned());
    }

    pub(super) fn info(&self) -> LiveSessionInfo {
        let session = self.session.clone().unwrap_or_default();
        let totals = self.totals;
        let root = |root: &RootLine| LiveRootInfo {
            selector: root.selector.clone(),
            live_at: (root.state == RootState::Live).then_some(root.at),
            method: root.method.clone(),
        };
        LiveSessionInfo {
            scheme: session.scheme,
            include_jdk: session.include_jdk,
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
