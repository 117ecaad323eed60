//! The classes that are loaded, by name.

use crate::ClassName;
use crate::ffi::{Jni, Local, Object, Weak};
use crate::lock::lock;
use std::collections::HashMap;
use std::sync::Mutex;

/// Classes that may be redefined, and what was done to each.
#[derive(Default)]
pub struct Classes(Mutex<Table>);

#[derive(Default)]
struct Table {
    /// By name: one class for each loader that has defined one.
    seats: HashMap<ClassName, Vec<LoadedClass>>,
    /// Of classes that are gone: how many were redefined, and how often the one that was so most
    /// often.
    gone: (u64, u64),
}

struct LoadedClass {
    class: Weak,
    /// Version of the plan that is live; 0: none.
    installed: u32,
    redefined: u64,
}

impl Classes {
    /// Adds a class that has a version of its plan; where it is there, it has the newer one.
    pub fn add(&self, jni: Jni<'_>, name: &ClassName, class: Object<'_>, installed: u32) {
        let mut table = lock(&self.0);
        let seats = table.seats.entry(ClassName::clone(name)).or_default();
        if let Some(seat) = find(jni, seats, class) {
            seat.installed = seat.installed.max(installed);
        } else if let Some(class) = jni.weak(class) {
            seats.push(LoadedClass { class, installed, redefined: 0 });
        }
    }

    /// The classes of a name that are still there.
    pub fn of<'j>(&self, jni: Jni<'j>, name: &[u8]) -> Vec<Local<'j>> {
        self.stale(jni, name, u32::MAX)
    }

    /// Those of them that have an older version.
    pub fn stale<'j>(&self, jni: Jni<'j>, name: &[u8], wanted: u32) -> Vec<Local<'j>> {
        let table = lock(&self.0);
        let seats = table.seats.get(name).into_iter().flatten();
        seats
            .filter(|seat| seat.installed < wanted)
            .filter_map(|seat| seat.class.get(jni))
            .collect()
    }

    /// A class was redefined, and has this version where one is given.
    pub fn redefined(&self, jni: Jni<'_>, name: &[u8], class: Object<'_>, installed: Option<u32>) {
        let mut table = lock(&self.0);
        if let Some(seat) = table.seats.get_mut(name).and_then(|seats| find(jni, seats, class)) {
            seat.redefined += 1;
            seat.installed = installed.unwrap_or(seat.installed);
        }
    }

    /// How many classes were redefined, and how often the one that was so most often.
    pub fn totals(&self) -> (u64, u64) {
        let table = lock(&self.0);
        table.seats.values().flatten().fold(table.gone, count)
    }

    /// Forgets the classes that are gone, and gives the name of each.
    pub fn sweep(&self, jni: Jni<'_>) -> Vec<ClassName> {
        let mut names = Vec::new();
        let mut table = lock(&self.0);
        let Table { seats, gone } = &mut *table;
        seats.retain(|name, seats| {
            for seat in seats.extract_if(.., |seat| seat.class.get(jni).is_none()) {
                *gone = count(*gone, &seat);
                names.push(ClassName::clone(name));
            }
            !seats.is_empty()
        });
        names
    }

    /// Forgets all.
    pub fn clear(&self) {
        let table = std::mem::take(&mut *lock(&self.0));
        drop(table);
    }
}

fn find<'s>(
    jni: Jni<'_>,
    seats: &'s mut [LoadedClass],
    class: Object<'_>,
) -> Option<&'s mut LoadedClass> {
    seats
        .iter_mut()
        .find(|seat| seat.class.get(jni).is_some_and(|known| jni.same(known.get(), class)))
}

fn count((classes, most): (u64, u64), seat: &LoadedClass) -> (u64, u64) {
    (classes + u64::from(seat.redefined > 0), most.max(seat.redefined))
}
