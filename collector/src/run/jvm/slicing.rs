//! The slices of a JVM that runs on.

use super::Jvm;
use crate::{
    RecordOptions,
    drain::{
        finish::Origin,
        manifests::{ManifestLibrary, Overlap},
        slices::Cut,
    },
    run::{jvm_profile::SliceParts, slice_files::SharedSliceFiles, slice_writer::SliceWriter},
};
use jfathom_trace::SessionFile;
use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

/// How a recording is written in slices.
#[derive(Clone, Debug)]
pub(crate) struct Slicing {
    pub every: Duration,
    /// When the recording began, in ms since the epoch.
    pub recording: u64,
    pub files: SharedSliceFiles,
}

impl Jvm {
    /// Tells the user what came of the slices since the last call.
    pub(crate) fn note_slices(&mut self, note: &mut dyn FnMut(String)) {
        self.writer.iter().flat_map(SliceWriter::notes).for_each(&mut *note);
        let is_late = self.progress.late_cuts.load(Ordering::Relaxed) > 0;
        if is_late && !std::mem::replace(&mut self.has_noted_late, true) {
            note(format!(
                "JVM {}: a slice takes longer to write than --every: some are longer",
                self.entry.jvm.pid
            ));
        }
    }

    /// Has slices that have ended written, with the names of all methods so far.
    pub(super) fn write_slices(
        &mut self,
        cuts: Vec<Cut>,
        file: &SessionFile,
        origin: &dyn Fn() -> Origin,
        options: &RecordOptions,
        library: &mut ManifestLibrary,
        note: &mut dyn FnMut(String),
    ) -> Option<Overlap> {
        if cuts.is_empty() {
            return None;
        }
        self.poll_methods_file(options, note);
        let info = file.info();
        let overlap = self.add_manifests(&info, options, library, note).err();
        // Not for good: the JVM may still name others with these ids.
        let mut manifests = self.manifests.clone();
        options.manifests.iter().for_each(|seen| manifests.add_unnamed(seen, library, note));
        let live = self.methods.as_ref().map(|methods| methods.methods().clone());
        for cut in cuts {
            let parts = SliceParts {
                cut,
                header: file.header().clone(),
                info: info.clone(),
                reading: file.reading(),
                is_cut: file.is_cut(),
                origin: origin(),
                manifests: manifests.clone(),
                live: live.clone(),
            };
            if let Some(writer) = self.writer(options) {
                writer.write(parts);
            }
        }
        overlap
    }

    fn writer(&mut self, options: &RecordOptions) -> Option<&SliceWriter> {
        let (slicing, progress) = (self.slicing.as_ref()?, &self.progress);
        let files = || Arc::clone(&slicing.files);
        let new = || {
            let pid = self.entry.jvm.pid;
            SliceWriter::new(pid, options.clone(), files(), Arc::clone(progress))
        };
        Some(self.writer.get_or_insert_with(new))
    }
}
