//! What a JVM and its agent write about themselves.

use super::{Jvm, State};
use crate::{
    RecordOptions, RootEvent,
    drain::{
        manifests::{ManifestLibrary, Overlap},
        methods_file::{LiveEvent, LiveMethods, MethodsFile, MethodsFileUpdate, initial_modes},
        modes::InitialModes,
    },
};
use jfathom_trace::{InfoEntry, layout};

impl Jvm {
    /// Sends the draining thread the manifests of the program that the JVM has not named.
    pub(super) fn send_unnamed(&self, options: &RecordOptions, library: &ManifestLibrary) {
        let Some(sender) = &self.known else { return };
        let named = |ids| self.manifests.seen().iter().any(|seen| seen.ids.overlaps(ids));
        for manifest in options
            .manifests
            .iter()
            .filter(|seen| !named(seen.ids))
            .filter_map(|seen| library.peek(seen))
        {
            let modes = InitialModes::from_manifest(&manifest, &options.count);
            let _ = sender.send(modes);
        }
    }

    /// Reads what the JVM has written about itself since the last call: manifests, and sentences
    /// for the user.
    ///
    /// # Errors
    /// Fails if two manifests give the same ids to different methods.
    pub(crate) fn poll_info(
        &mut self,
        options: &RecordOptions,
        library: &mut ManifestLibrary,
        note: &mut dyn FnMut(String),
    ) -> Result<(), Overlap> {
        let State::Draining(file, _) = &self.state else { return Ok(()) };
        let infos = file.info();
        self.add_manifests(&infos, options, library, note)
    }

    pub(super) fn add_manifests(
        &mut self,
        infos: &[InfoEntry],
        options: &RecordOptions,
        library: &mut ManifestLibrary,
        note: &mut dyn FnMut(String),
    ) -> Result<(), Overlap> {
        let new = infos.get(self.infos..).unwrap_or_default();
        self.infos = infos.len().max(self.infos);
        let mut result = Ok(());
        for info in new {
            if let Some(seen) = info.manifest() {
                let named = self.manifests.manifests().count();
                let added = self.manifests.add(seen, library, note);
                if let Some(manifest) = self.manifests.manifests().nth(named)
                    && let Some(sender) = &self.known
                {
                    // A drainer that is gone needs nothing more.
                    let modes = InitialModes::from_manifest(manifest, &options.count);
                    let _ = sender.send(modes);
                }
                result = result.and(added);
            } else if info.kind == layout::INFO_NOTICE {
                note(format!("JVM {}: {}", self.entry.jvm.pid, info.text));
            }
        }
        result
    }

    /// Reads which methods the agent of a live session has instrumented since the last call.
    pub(super) fn poll_methods_file(
        &mut self,
        options: &RecordOptions,
        note: &mut dyn FnMut(String),
    ) {
        let Some(file) = &mut self.methods else { return };
        let MethodsFileUpdate { news, classes } = file.read_update();
        if let Some(sender) = self.known.as_ref().filter(|_| !classes.is_empty()) {
            for modes in initial_modes(&classes, &options.count) {
                // A drainer that is gone needs nothing more.
                let _ = sender.send(modes);
            }
        }
        for news in news {
            match news {
                // True of all roots at first; those that stay so are reported later.
                LiveEvent::Waiting(_) => {}
                LiveEvent::Live(root) => self.live_roots.push(RootEvent {
                    root: root.method.unwrap_or(root.selector),
                    after: self.begun.elapsed(),
                }),
                LiveEvent::Note(text) => note(text),
            }
        }
    }

    /// The content of its agent's methods file; none without a live session.
    pub(crate) fn live(&self) -> Option<&LiveMethods> {
        self.methods.as_ref().map(MethodsFile::methods)
    }
}
