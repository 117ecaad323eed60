//! Manifests at the places that a JVM names.

use jfathom_collector::{ManifestRef, ManifestSource, manifest_limit};
use jfathom_instrument::read_manifest_at;

/// Reads manifests at the places that the JVM names.
pub(crate) struct SourceByPlace;

impl ManifestSource for SourceByPlace {
    fn read(&self, manifest: &ManifestRef) -> Result<Vec<u8>, String> {
        read_manifest_at(&manifest.place, manifest_limit(manifest))
    }
}
