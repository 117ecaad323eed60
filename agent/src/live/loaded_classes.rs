//! The loaded classes that may be retransformed, by name.

use crate::engine::ClassName;
use crate::ffi::{Jni, Local, Object, Weak};
use crate::lock::lock;
use std::collections::HashMap;
use std::sync::Mutex;

/// The loaded classes, each with what was done to it.
#[derive(Default)]
pub struct LoadedClasses(Mutex<Table>);

/// How often classes were retransformed.
#[derive(Clone, Copy, Debug, Default)]
pub struct RetransformedClasses {
    /// How many classes were.
    pub classes: u64,
    /// The largest count for one class.
    pub most: u64,
}

#[derive(Default)]
struct Table {
    /// By name: one class per loader that has defined one.
    classes: HashMap<ClassName, Vec<LoadedClass>>,
    unloaded: RetransformedClasses,
}

struct LoadedClass {
    class: Weak,
    /// Version of the live plan; 0: none.
    installed: u32,
    retransformations: u64,
}

impl LoadedClasses {
    /// Adds a class with the version of its live plan. A known class has the newer one of both.
    pub fn add(&self, jni: Jni<'_>, name: &ClassName, class: Object<'_>, installed: u32) {
        let mut table = lock(&self.0);
        let classes = table.classes.entry(ClassName::clone(name)).or_default();
        if let Some(known) = find(jni, classes, class) {
            known.installed = known.installed.max(installed);
        } else if let Some(class) = jni.weak(class) {
            classes.push(LoadedClass { class, installed, retransformations: 0 });
        }
    }

    /// The classes of a name that are still loaded.
    pub fn named<'j>(&self, jni: Jni<'j>, name: &[u8]) -> Vec<Local<'j>> {
        self.older_than(jni, name, u32::MAX)
    }

    /// The classes of a name whose live plan is older than this version.
    pub fn older_than<'j>(&self, jni: Jni<'j>, name: &[u8], version: u32) -> Vec<Local<'j>> {
        let table = lock(&self.0);
        let classes = table.classes.get(name).into_iter().flatten();
        classes
            .filter(|class| class.installed < version)
            .filter_map(|class| class.class.get(jni))
            .collect()
    }

    /// Records that a class was retransformed, with the version that is live if one is given.
    pub fn record(&self, jni: Jni<'_>, name: &[u8], class: Object<'_>, installed: Option<u32>) {
        let mut table = lock(&self.0);
        let known = table.classes.get_mut(name).and_then(|classes| find(jni, classes, class));
        if let Some(known) = known {
            known.retransformations += 1;
            known.installed = installed.unwrap_or(known.installed);
        }
    }

    /// How often classes were retransformed, unloaded ones included.
    pub fn retransformed(&self) -> RetransformedClasses {
        let table = lock(&self.0);
        table.classes.values().flatten().fold(table.unloaded, count)
    }

    /// Forgets the classes that are unloaded. Returns the name of each.
    pub fn sweep(&self, jni: Jni<'_>) -> Vec<ClassName> {
        let mut names = Vec::new();
        let mut table = lock(&self.0);
        let Table { classes, unloaded } = &mut *table;
        classes.retain(|name, classes| {
            for class in classes.extract_if(.., |class| class.class.get(jni).is_none()) {
                *unloaded = count(*unloaded, &class);
                names.push(ClassName::clone(name));
            }
            !classes.is_empty()
        });
        names
    }

    /// Forgets all classes, and gives their references back without the lock.
    pub fn clear(&self) {
        let table = std::mem::take(&mut *lock(&self.0));
        drop(table);
    }
}

fn find<'s>(
    jni: Jni<'_>,
    classes: &'s mut [LoadedClass],
    class: Object<'_>,
) -> Option<&'s mut LoadedClass> {
    classes
        .iter_mut()
        .find(|known| known.class.get(jni).is_some_and(|known| jni.same(known.get(), class)))
}

fn count(sum: RetransformedClasses, class: &LoadedClass) -> RetransformedClasses {
    RetransformedClasses {
        classes: sum.classes + u64::from(class.retransformations > 0),
        most: sum.most.max(class.retransformations),
    }
}
