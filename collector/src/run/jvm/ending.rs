//! The end of a JVM's recording: what its profile is made of, and the thread that makes it.

use super::{Jvm, State};
use crate::{
    RecordOptions,
    drain::{
        consumer::Drained,
        finish::Origin,
        manifests::{JvmManifests, ManifestLibrary, Overlap},
        methods_file::LiveMethods,
    },
    jfr::companion,
    run::jvm_profile::{Beside, make_profile},
};
use jfathom_plan::ProbeRules;
use jfathom_profile::Profile;
use jfathom_session::{Metrics, Process};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, atomic::Ordering},
    thread::{self, JoinHandle},
};

/// What a profile is made of.
struct Parts {
    drained: Box<Drained>,
    origin: Origin,
    manifests: JvmManifests,
    live: Option<LiveMethods>,
    companion: Option<PathBuf>,
    has_samples: bool,
    metrics: Metrics,
    rules: ProbeRules,
}

impl Parts {
    /// The profile, for whoever takes the parts first.
    fn profile(parts: &Mutex<Option<Self>>) -> Option<Profile> {
        let parts = parts.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Self { drained, origin, manifests, live, companion, has_samples, metrics, rules } =
            parts?;
        let pid = drained.file.header().pid;
        let beside = companion.map(|dir| Beside {
            recording: companion::read(&dir, pid),
            has_samples,
            metrics,
            rules,
        });
        Some(make_profile(*drained, origin, &manifests, live.as_ref(), beside))
    }
}

impl Jvm {
    /// Whether its session has ended, and JFR has not written its file: a JVM of a command does so
    /// when it ends.
    pub(crate) fn awaits_companion(&self) -> bool {
        matches!(self.state, State::Drained(_)) && self.is_companion_open()
    }

    /// The file of JFR is there, or never will be.
    pub(crate) fn end_companion(&mut self) {
        self.has_companion = true;
    }

    pub(super) fn is_companion_open(&self) -> bool {
        self.companion.is_some()
            && !self.has_companion
            && !self.progress.stop.load(Ordering::Relaxed)
            && self.process.is_some_and(Process::is_alive)
    }

    /// Reads what the JVM has written last, and has its profile made.
    pub(super) fn end(
        &mut self,
        drained: Box<Drained>,
        origin: Origin,
        options: &RecordOptions,
        library: &mut ManifestLibrary,
        note: &mut dyn FnMut(String),
    ) -> Option<Overlap> {
        self.poll_methods_file(options, note);
        let overlap = self.add_manifests(&drained.file.info(), options, library, note).err();
        for seen in &options.manifests {
            self.manifests.add_unnamed(seen, library, note);
        }
        let manifests = std::mem::take(&mut self.manifests);
        let live = self.methods.as_ref().map(|file| file.methods().clone());
        // Where no thread can be started the profile is made here. New JVMs are seen later then.
        let companion = self.companion.clone();
        let (has_samples, metrics) = (self.has_samples, self.metrics);
        let rules = self.rules.clone();
        let parts =
            Parts { drained, origin, manifests, live, companion, has_samples, metrics, rules };
        let parts = Arc::new(Mutex::new(Some(parts)));
        let given = Arc::clone(&parts);
        self.state = match thread::Builder::new().spawn(move || Parts::profile(&given)) {
            Ok(thread) => State::Finishing(thread),
            Err(_) => {
                // A panic ends this JVM's recording and no other, as on a thread of its own.
                let made = catch_unwind(AssertUnwindSafe(|| Parts::profile(&parts)));
                let profile = made.ok().flatten();
                self.is_lost |= profile.is_none();
                State::Done(profile.map(Box::new))
            }
        };
        overlap
    }

    /// Takes the profile if it is made.
    pub(super) fn poll_finishing(&mut self, thread: JoinHandle<Option<Profile>>) {
        if !thread.is_finished() {
            self.state = State::Finishing(thread);
            return;
        }
        let profile = thread.join().ok().flatten();
        self.is_lost |= profile.is_none();
        self.state = State::Done(profile.map(Box::new));
    }
}
