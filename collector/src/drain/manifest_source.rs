//! Sources of the manifests of rewritten classes.

use jfathom_trace::ManifestRef;
use std::collections::BTreeSet;

/// Reads the manifests that a JVM has named.
pub trait ManifestSource: Sync {
    /// The bytes of a manifest. Its place is a jar or directory as the JVM names it in URLs:
    /// `/x/app.jar`, `/x/classes/`, `/x/app.war!/WEB-INF/classes/`, with escapes such as `%20`. The
    /// JVM may name anything, so only plain files are read, and no more than
    /// [`manifest_limit`](crate::manifest_limit).
    ///
    /// # Errors
    /// Fails with a sentence if the manifest cannot be read.
    fn read(&self, seen: &ManifestRef) -> Result<Vec<u8>, String>;

    /// The probes of the runtime beside a manifest, each as name and descriptor: `handleAny(I)V`;
    /// none if there is no runtime, or if that is not known.
    fn probes(&self, _seen: &ManifestRef) -> Option<BTreeSet<String>> {
        None
    }
}

impl<F: Fn(&ManifestRef) -> Result<Vec<u8>, String> + Sync> ManifestSource for F {
    fn read(&self, seen: &ManifestRef) -> Result<Vec<u8>, String> {
        self(seen)
    }
}
