//! The manifests of a recording's classes, for the collector.

use jfathom_collector::{ManifestRef, ManifestSource, manifest_limit};
use jfathom_instrument::{Probes, RewrittenProgram, probes_at, read_manifest_at};
use jfathom_plan::Problem;
use std::collections::BTreeSet;

/// Reads manifests at the places that the JVM names, else in the outputs of a program.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manifests<'a> {
    pub(crate) program: Option<&'a RewrittenProgram>,
}

impl ManifestSource for Manifests<'_> {
    fn read(&self, manifest: &ManifestRef) -> Result<Vec<u8>, Problem> {
        let limit = manifest_limit(manifest);
        let in_program =
            |program: &RewrittenProgram| program.read_manifest(manifest.ids, &manifest.plan, limit);
        read_manifest_at(&manifest.place, limit)
            .or_else(|problem| self.program.and_then(in_program).ok_or(problem))
    }

    fn probes(&self, manifest: &ManifestRef) -> Option<BTreeSet<String>> {
        probes_at(&manifest.place).map(Probes::into_names)
    }
}
