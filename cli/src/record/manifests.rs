//! The manifests of a recording's classes, for the collector.

use super::placement::JavaProgram;
use jfathom_collector::{ManifestRef, ManifestSource, manifest_limit};
use jfathom_instrument::{read_manifest_at, read_manifest_in};

/// Reads manifests at the places that the JVM names, else in the program's outputs.
pub(super) struct Source<'a> {
    pub(super) program: &'a JavaProgram,
}

impl ManifestSource for Source<'_> {
    fn read(&self, manifest: &ManifestRef) -> Result<Vec<u8>, String> {
        let limit = manifest_limit(manifest);
        read_manifest_at(&manifest.place, limit).or_else(|problem| {
            let mut files = self.program.files().filter(|(_, file)| {
                file.ids == manifest.ids && file.plan.to_string() == manifest.plan
            });
            files.find_map(|(path, _)| read_manifest_in(&path, limit).ok()).ok_or(problem)
        })
    }
}
