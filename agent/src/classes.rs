//! The classes that are loaded, by name.

use crate::ClassName;
use crate::ffi::{Jni, Local, Object, Weak};
use crate::lock::lock;
use std::collections::HashMap;
use std::sync::Mutex;

/// Weak references to classes: those that may be redefined.
#[derive(Default)]
pub struct Classes(Mutex<HashMap<ClassName, Vec<Weak>>>);

impl Classes {
    /// Adds a class, unless it is there.
    pub fn add(&self, jni: Jni<'_>, name: &ClassName, class: Object<'_>) {
        let Some(weak) = jni.weak(class) else { return };
        let mut classes = lock(&self.0);
        let known = classes.entry(ClassName::clone(name)).or_default();
        if !known.iter().any(|known| known.get(jni).is_some_and(|known| jni.same(known.get(), class))) {
            known.push(weak);
        }
    }

    /// The classes of a name that are still there.
    pub fn of<'j>(&self, jni: Jni<'j>, name: &[u8]) -> Vec<Local<'j>> {
        let classes = lock(&self.0);
        classes.get(name).into_iter().flatten().filter_map(|weak| weak.get(jni)).collect()
    }

    /// Forgets the classes that are gone, and gives the name of each.
    pub fn sweep(&self, jni: Jni<'_>) -> Vec<ClassName> {
        let mut gone = Vec::new();
        lock(&self.0).retain(|name, classes| {
            classes.retain(|class| {
                let lives = class.get(jni).is_some();
                if !lives {
                    gone.push(ClassName::clone(name));
                }
                lives
            });
            !classes.is_empty()
        });
        gone
    }

    /// Forgets all.
    pub fn clear(&self) {
        let classes = std::mem::take(&mut *lock(&self.0));
        drop(classes);
    }
}
