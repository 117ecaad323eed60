//! Classes get their original bytes back.

use super::batch::bisect;
use super::chunks::Chunks;
use super::names::loader_hash;
use crate::engine::ClassName;
use crate::ffi::{Jni, Jvmti, Local, Object, Weak};
use crate::live::class_changes::LoadingClassKey;
use crate::live::session::Session;
use crate::lock::lock;
use classfile_writer::mutf8;
use std::collections::HashSet;
use std::sync::Mutex;

/// Has the JVM take back what the session changed. Returns the classes that are not prepared or not
/// loaded so far: [`Leftovers`].
pub fn restore_classes(session: &Session, jni: Jni<'_>) -> HashSet<LoadingClassKey> {
    let jvmti = session.jvmti;
    let mut changed: Vec<Weak> = Vec::new();
    let mut unprepared: HashSet<LoadingClassKey> =
        session.changes.take_loading().into_iter().collect();
    let _ = jvmti.for_each_loaded_class(jni, |jni, class| {
        let Some(name) = jvmti.class_name(class) else { return };
        if !session.changes.lock().contains_key(&*name) {
            return;
        }
        let key = (ClassName::from(name), loader_hash(jvmti, jni, class));
        let is_changed = session.changes.originals(&key.0, key.1).is_some();
        match jvmti.class_status(class).is_prepared() {
            true => {
                unprepared.remove(&key);
                changed.extend(is_changed.then(|| jni.weak(class)).flatten());
            }
            false if is_changed => drop(unprepared.insert(key)),
            false => {}
        }
    });
    let classes: Vec<_> = changed.iter().filter_map(|weak| weak.get(jni)).collect();
    let restore = |classes: &[Local<'_>]| {
        let references: Vec<Object<'_>> = classes.iter().map(|class| class.get()).collect();
        match jvmti.is_live() {
            true => jvmti.retransform(&references),
            false => Ok(()),
        }
    };
    let refused = |class: &Local<'_>, _| {
        // The JVM ends meanwhile: no class has a use for its bytes.
        if !jvmti.is_live() {
            return;
        }
        session.count(|totals| totals.failed += 1);
        let name = jvmti.class_name(class.get()).unwrap_or_default();
        session.add_note(format!(
            "the JVM does not take back {}: its probes stay, and do nothing",
            mutf8::decode_lossy(&name).replace('/', ".")
        ));
    };
    let rest = |time| {
        std::thread::sleep(time);
        jvmti.is_live()
    };
    Chunks::default().each(&classes, rest, |classes| bisect(classes, restore, refused));
    unprepared
}

/// Classes that were being loaded when a session ended: they may have its probes, and get their
/// original bytes when they are prepared.
#[derive(Default)]
pub struct Leftovers(Mutex<HashSet<LoadingClassKey>>);

impl Leftovers {
    pub fn set(&self, classes: HashSet<LoadingClassKey>) {
        *lock(&self.0) = classes;
    }

    pub fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }

    /// Restores those of them that are prepared by now. A class that is prepared after these were
    /// [`set`](Self::set) goes to [`Leftovers::restore`] as well, which does no harm.
    pub fn restore_prepared(&self, jvmti: Jvmti, jni: Jni<'_>) {
        if self.is_empty() {
            return;
        }
        let mut prepared: Vec<Weak> = Vec::new();
        let _ = jvmti.for_each_loaded_class(jni, |jni, class| {
            if jvmti.class_status(class).is_prepared() && self.has(jvmti, jni, class) {
                prepared.extend(jni.weak(class));
            }
        });
        for class in prepared.iter().filter_map(|weak| weak.get(jni)) {
            self.restore(jvmti, jni, class.get());
        }
    }

    fn has(&self, jvmti: Jvmti, jni: Jni<'_>, class: Object<'_>) -> bool {
        let key = |name| (ClassName::from(name), loader_hash(jvmti, jni, class));
        jvmti.class_name(class).is_some_and(|name| lock(&self.0).contains(&key(name)))
    }

    /// A class is prepared: restores it if it is one of these. Returns whether none is left.
    pub fn restore(&self, jvmti: Jvmti, jni: Jni<'_>, class: Object<'_>) -> bool {
        let Some(name) = jvmti.class_name(class) else { return false };
        let key = (ClassName::from(name), loader_hash(jvmti, jni, class));
        let (is_left, left) = {
            let mut classes = lock(&self.0);
            (classes.remove(&key), classes.len())
        };
        if is_left {
            // If the JVM refuses, the probes stay, and do nothing.
            let _ = jvmti.retransform(&[class]);
        }
        left == 0
    }
}
