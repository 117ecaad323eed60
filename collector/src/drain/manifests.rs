//! The manifests of a JVM's classes: which method an id means, and where manifests are read.

use jfathom_plan::{IdRange, MANIFEST_LIMIT, Manifest, Problem};
use jfathom_trace::ManifestRef;
use std::{
    cell::RefCell,
    collections::BTreeSet,
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Reads manifests once each and keeps copies in the session directory: a jar may be gone before
/// its recording is read.
pub(crate) struct ManifestLibrary<'a> {
    dir: &'a Path,
    source: &'a dyn ManifestSource,
    /// Whether copies are written; not if the directory is only read.
    keep: bool,
    read: Vec<(ManifestRef, Result<Arc<Manifest>, Problem>)>,
    /// All manifests that were read, each once for its ids and plan.
    parsed: RefCell<Vec<Arc<Manifest>>>,
}

impl<'a> ManifestLibrary<'a> {
    pub(crate) fn new(dir: &'a Path, source: &'a dyn ManifestSource, keep: bool) -> Self {
        Self { dir, source, keep, read: Vec::new(), parsed: RefCell::default() }
    }

    /// The manifest that a JVM has named. The second value is true the first time.
    fn get(&mut self, seen: &ManifestRef) -> (Result<Arc<Manifest>, Problem>, bool) {
        if let Some((_, manifest)) = self.read.iter().find(|(old, _)| old == seen) {
            return (manifest.clone(), false);
        }
        let manifest = self.load(seen);
        self.read.push((seen.clone(), manifest.clone()));
        (manifest, true)
    }

    /// A manifest that no JVM has named so far. An error is not remembered.
    pub(crate) fn peek(&self, seen: &ManifestRef) -> Option<Arc<Manifest>> {
        self.load(seen).ok()
    }

    fn load(&self, seen: &ManifestRef) -> Result<Arc<Manifest>, Problem> {
        let is_seen =
            |known: &&Arc<Manifest>| known.ids == seen.ids && known.plan.to_string() == seen.plan;
        if let Some(known) = self.parsed.borrow().iter().find(is_seen) {
            return Ok(known.clone());
        }
        let manifest = Arc::new(self.parse(seen)?);
        self.parsed.borrow_mut().push(manifest.clone());
        Ok(manifest)
    }

    fn parse(&self, seen: &ManifestRef) -> Result<Manifest, Problem> {
        let fits = |manifest: Manifest| {
            if manifest.ids == seen.ids && manifest.plan.to_string() == seen.plan {
                return Ok(manifest);
            }
            Err(format!(
                "{}: its manifest is another one than the JVM has seen; was it rewritten again?",
                seen.place
            )
            .into())
        };
        let copy = self.copy_of(seen);
        if let Ok(bytes) = jfathom_files::read(&copy, manifest_limit(seen)) {
            let manifest = Manifest::from_json(&bytes);
            return fits(manifest.map_err(|e| format!("{}: {e}", copy.display()))?);
        }
        let bytes = self.source.read(seen)?;
        let manifest = Manifest::from_json(&bytes);
        let manifest = fits(manifest.map_err(|e| format!("{}: {e}", seen.place))?)?;
        if self.keep {
            // The copy serves a recording that is killed; without it the jar must still be there.
            let _ = jfathom_files::replace(&copy, 0o600, |file| file.write_all(&bytes));
        }
        Ok(manifest)
    }

    fn copy_of(&self, seen: &ManifestRef) -> PathBuf {
        let plan: String = seen.plan.chars().filter(char::is_ascii_hexdigit).take(16).collect();
        self.dir.join(format!("manifest-{plan}-{}.json", seen.ids.start))
    }
}

/// The most bytes of a manifest, by the number of ids that the JVM reports. Names and digest of a
/// method take 200 bytes, in programs with long names 400. Skipped methods have no ids, so each
/// manifest may have some more.
pub fn manifest_limit(seen: &ManifestRef) -> u64 {
    const BASE: u64 = 64 << 20;
    const PER_ID: u64 = 2048;
    (BASE + PER_ID * u64::from(seen.ids.len)).min(MANIFEST_LIMIT as u64)
}

/// The most manifests that one JVM may name. A program has one for each of its jars.
const MANIFESTS: usize = 4096;

#[derive(Clone, Debug, Default)]
pub(crate) struct JvmManifests {
    seen: Vec<ManifestRef>,
    found: Vec<Arc<Manifest>>,
    /// The place and the probes of the runtime that its classes call, as far as that is known.
    runtime: Option<(String, BTreeSet<String>)>,
    /// Whether the user got a note that there are more than [`MANIFESTS`].
    is_full: bool,
}

/// Two jars of one JVM that give the same ids to different methods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Overlap {
    pub first: String,
    pub second: String,
}

impl JvmManifests {
    /// Adds a manifest that the JVM has named. `note` gets what the user must know.
    ///
    /// # Errors
    /// Fails if another manifest gives the same ids to different methods.
    pub(crate) fn add(
        &mut self,
        seen: ManifestRef,
        library: &mut ManifestLibrary,
        note: &mut dyn FnMut(String),
    ) -> Result<(), Overlap> {
        if self.seen.contains(&seen) {
            return Ok(());
        }
        if self.seen.len() == MANIFESTS {
            if !std::mem::replace(&mut self.is_full, true) {
                note(format!(
                    "a JVM names more than {MANIFESTS} manifests: the methods of the others have no names"
                ));
            }
            return Ok(());
        }
        // The same jar in two places, or seen through two loaders, is the same plan with the same
        // ids.
        let same = |old: &ManifestRef| old.plan == seen.plan && old.ids == seen.ids;
        if let Some(old) = self.seen.iter().find(|old| old.ids.overlaps(seen.ids) && !same(old)) {
            return Err(Overlap { first: described(old), second: described(&seen) });
        }
        self.compare_runtimes(&seen, library.source, note);
        if !self.seen.iter().any(same) {
            match library.get(&seen) {
                (Ok(manifest), _) => self.found.push(manifest),
                (Err(why), true) => {
                    note(format!("the methods of {} have no names: {why}", jar_of(&seen.place)))
                }
                (Err(_), false) => {}
            }
        }
        self.seen.push(seen);
        Ok(())
    }

    /// Says if the runtime that the JVM's classes call lacks probes that those of `seen` may call.
    /// The JVM names manifests in the order in which its class loader looks, so it is the first.
    fn compare_runtimes(
        &mut self,
        seen: &ManifestRef,
        source: &dyn ManifestSource,
        note: &mut dyn FnMut(String),
    ) {
        let Some(called) = source.probes(seen) else { return };
        let Some((place, runtime)) = &self.runtime else {
            self.runtime = Some((seen.place.clone(), called));
            return;
        };
        let missing: Vec<&str> = called.difference(runtime).map(String::as_str).collect();
        if !missing.is_empty() {
            note(format!(
                "{} has an older runtime than {}, whose methods may end in NoSuchMethodError ({}): \
                 stop the program, and rewrite both again with this jfathom",
                jar_of(place),
                jar_of(&seen.place),
                missing.join(", ")
            ));
        }
    }

    /// Adds a manifest that the JVM has not named, unless its ids overlap those of one that it has.
    pub(crate) fn add_unnamed(
        &mut self,
        seen: &ManifestRef,
        library: &mut ManifestLibrary,
        note: &mut dyn FnMut(String),
    ) {
        if !self.seen.iter().any(|old| old.ids.overlaps(seen.ids)) {
            // Without an overlap this cannot fail.
            let _ = self.add(seen.clone(), library, note);
        }
    }

    /// The manifests that could be read.
    pub(crate) fn manifests(&self) -> impl Iterator<Item = &Manifest> {
        self.found.iter().map(Arc::as_ref)
    }

    /// The manifests that could be read, shared.
    pub(crate) fn shared(&self) -> &[Arc<Manifest>] {
        &self.found
    }

    /// All manifests that the JVM has named.
    pub(crate) fn seen(&self) -> &[ManifestRef] {
        &self.seen
    }
}

fn described(seen: &ManifestRef) -> String {
    let IdRange { start, len } = seen.ids;
    format!(
        "{} (ids {start} to {})",
        jar_of(&seen.place),
        start.saturating_add(len).saturating_sub(1)
    )
}

/// The jar or directory of a manifest's place, for people: `jar:file:/x/app.jar!/META-INF/…` is
/// `/x/app.jar`.
pub(crate) fn jar_of(place: &str) -> &str {
    let place = place.strip_prefix("jar:").unwrap_or(place);
    let place = place.strip_prefix("file:").unwrap_or(place);
    let place = place.strip_suffix(jfathom_plan::MANIFEST_PATH).unwrap_or(place);
    place.strip_suffix("!/").or_else(|| place.strip_suffix('/')).unwrap_or(place)
}

/// Reads the manifests that a JVM has named.
pub trait ManifestSource: Sync {
    /// The bytes of a manifest. Its place is a jar or directory as the JVM names it in URLs:
    /// `/x/app.jar`, `/x/classes/`, `/x/app.war!/WEB-INF/classes/`, with escapes such as `%20`. The
    /// JVM may name anything, so only plain files are read, and no more than
    /// [`manifest_limit`](crate::manifest_limit).
    ///
    /// # Errors
    /// Fails with a sentence if the manifest cannot be read.
    fn read(&self, seen: &ManifestRef) -> Result<Vec<u8>, Problem>;

    /// The probes of the runtime beside a manifest, each as name and descriptor: `handleAny(I)V`;
    /// none if there is no runtime, or if that is not known.
    fn probes(&self, _seen: &ManifestRef) -> Option<BTreeSet<String>> {
        None
    }
}

impl<F: Fn(&ManifestRef) -> Result<Vec<u8>, Problem> + Sync> ManifestSource for F {
    fn read(&self, seen: &ManifestRef) -> Result<Vec<u8>, Problem> {
        self(seen)
    }
}

#[cfg(test)]
mod tests;
