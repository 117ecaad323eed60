//! Where manifests of rewritten classes come from.

use jfathom_trace::ManifestRef;

/// Gives the bytes of manifests that a JVM has named.
pub trait ManifestSource: Sync {
    /// Reads one. Its place is a jar or directory as the JVM names it in URLs: `/x/app.jar`,
    /// `/x/classes/`, `/x/app.war!/WEB-INF/classes/`, with escapes such as `%20`. The JVM may
    /// name anything: no more is read than [`manifest_limit`](crate::manifest_limit), and of
    /// plain files only.
    ///
    /// # Errors
    /// A sentence that says why it cannot be read.
    fn read(&self, seen: &ManifestRef) -> Result<Vec<u8>, String>;
}

impl<F: Fn(&ManifestRef) -> Result<Vec<u8>, String> + Sync> ManifestSource for F {
    fn read(&self, seen: &ManifestRef) -> Result<Vec<u8>, String> {
        self(seen)
    }
}
