//! Loaded classes get what is decided for them.
//!
//! No lock is held while the JVM redefines: it may load classes for that, and wait for the loaders'
//! own locks. One class is redefined by one thread at a time, which goes on until the newest plan
//! is live; others wait for that, a bounded time, because they may hold what the first one waits
//! for.

use crate::classes::load::{HOOKED, begin_redefinition, end_redefinition, has_hooks};
use crate::ffi::{Jni, JvmtiError, Local};
use crate::live::session::{PendingWork, RUNNING, Session, add, nanos};
use crate::lock::{lock, wait_until};
use crate::{ClassName, VersionedPlan};
use jfathom_plan::{MethodId, Skip, SkipReason};
use jfathom_session::MethodsFileLine;
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a thread waits for what another one redefines.
pub const FIRST_CALL_TIMEOUT: Duration = Duration::from_secs(2);
/// How often a class is redefined in one flight because its plan has grown meanwhile.
const ROUNDS: u32 = 16;

thread_local! {
    /// Whether this thread is redefining: classes that are loaded for that wait for nothing.
    static FLYING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is redefining.
pub fn is_retransforming() -> bool {
    FLYING.get()
}

/// Classes that this thread redefines. Whatever happens, others do not wait for ever.
struct Flight<'s> {
    session: &'s Session,
    names: Vec<ClassName>,
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        let mut todo = lock(&self.session.todo);
        for name in &self.names {
            todo.running_batches.remove(name);
        }
        drop(todo);
        self.session.landed.notify_all();
    }
}

impl Session {
    /// Whether nothing is decided that is not live.
    pub fn has_no_pending_work(&self) -> bool {
        let todo = lock(&self.todo);
        todo.redefine.is_empty()
            && todo.need.is_empty()
            && todo.timed.is_empty()
            && todo.roots.is_empty()
            && todo.running_batches.is_empty()
    }

    /// Makes live all that is decided by now; whether it is.
    pub fn retransform_pending(&self, jni: Jni<'_>) -> bool {
        if FLYING.replace(true) {
            // What is decided now is taken up when the flight lands.
            return true;
        }
        struct Landing;
        impl Drop for Landing {
            fn drop(&mut self) {
                FLYING.set(false);
            }
        }
        let _landing = Landing;
        self.settle_all(jni)
    }

    fn settle_all(&self, jni: Jni<'_>) -> bool {
        let mut timed = Vec::new();
        let mut landed = true;
        // Twice: what was decided as the flight of the same class landed is another flight's.
        for _ in 0..2 {
            self.fly_all(jni, &mut timed);
            let last = lock(&self.todo).last_flight;
            landed = wait_until(&self.landed, &self.todo, FIRST_CALL_TIMEOUT, |todo| {
                todo.running_batches.values().all(|flight| *flight > last)
                    || self.phase() != RUNNING
            });
            if !landed {
                // The other thread may wait for what this one holds. Done twice it does no harm.
                let names: Vec<ClassName> =
                    lock(&self.todo).running_batches.keys().cloned().collect();
                self.fly(jni, &names);
                break;
            }
        }
        for id in timed {
            self.clear_first(id);
        }
        let roots = if landed { std::mem::take(&mut lock(&self.todo).roots) } else { Vec::new() };
        if !roots.is_empty() {
            self.write(roots);
        }
        landed
    }

    /// Redefines all that no other thread redefines.
    fn fly_all(&self, jni: Jni<'_>, timed: &mut Vec<MethodId>) {
        self.fetch(jni);
        while self.phase() == RUNNING {
            let flight = {
                let mut todo = lock(&self.todo);
                timed.append(&mut todo.timed);
                // What is decided from here on is put down again.
                let PendingWork { redefine, running_batches: flights, .. } = &mut *todo;
                let names: Vec<ClassName> =
                    redefine.extract_if(|name| !flights.contains_key(name)).collect();
                todo.last_flight += 1;
                let number = todo.last_flight;
                todo.running_batches
                    .extend(names.iter().map(|name| (ClassName::clone(name), number)));
                Flight { session: self, names }
            };
            if flight.names.is_empty() {
                break;
            }
            self.fly(jni, &flight.names);
            drop(flight);
            self.fetch(jni);
        }
    }

    /// Redefines classes until their newest plans are live. Those that are not there, or not
    /// prepared, are left: the latter are looked at when they are.
    fn fly(&self, jni: Jni<'_>, names: &[ClassName]) {
        let mut names = names.to_vec();
        for _ in 0..ROUNDS {
            let mut classes: Vec<(ClassName, Local<'_>)> = Vec::new();
            let wanted: Vec<u32> = {
                let engine = lock(&self.engine);
                names.iter().map(|name| self.wanted(engine.as_ref(), name)).collect()
            };
            for (name, wanted) in names.iter().zip(wanted) {
                let loaded = self.classes.stale(jni, name, wanted).into_iter();
                let prepared =
                    loaded.filter(|class| self.agent.jvmti.class_status(class.get()).is_prepared());
                classes.extend(prepared.map(|class| (ClassName::clone(name), class)));
            }
            if classes.is_empty() || self.phase() != RUNNING {
                return;
            }
            self.batch(jni, &classes, false);
            let engine = lock(&self.engine);
            let changed = lock(&self.changed);
            let mut todo = lock(&self.todo);
            names.retain(|name| {
                let wanted = self.wanted(engine.as_ref(), name);
                let redefined = classes.iter().filter(|(of, _)| of == name);
                let failed = changed.get(name).is_some_and(|changed| changed.failed);
                let more = !failed
                    && redefined.count() > 0
                    && !self.classes.stale(jni, name, wanted).is_empty();
                if !more {
                    // Decided while it was redefined, and in it. Whoever decides holds the engine's
                    // lock.
                    todo.redefine.remove(name);
                }
                more
            });
            if names.is_empty() {
                return;
            }
        }
    }

    /// Redefines these classes. Where the JVM refuses, halves are tried, until the class alone is
    /// left that it refuses. Gives the class files that it handed out, where asked.
    fn batch(
        &self,
        jni: Jni<'_>,
        classes: &[(ClassName, Local<'_>)],
        capture: bool,
    ) -> HashMap<ClassName, Vec<u8>> {
        let mut kept = HashMap::new();
        let mut open = vec![classes];
        while let Some(classes) = open.pop() {
            let stopped = || self.agent.safepoints().and_then(|safepoints| safepoints.nanos());
            let (before, began) = (stopped(), Instant::now());
            begin_redefinition(capture);
            let references: Vec<_> = classes.iter().map(|(_, class)| class.get()).collect();
            let result = self.agent.jvmti.retransform(&references);
            let (handed, captured) = end_redefinition();
            kept.extend(captured);
            add(&self.counts.pause_nanos, nanos(began.elapsed()));
            match result {
                Ok(()) if self.phase() != RUNNING => {
                    // It took so long that the session has ended meanwhile: what is installed now
                    // is taken back.
                    let _ = self.agent.jvmti.retransform(&references);
                }
                Ok(()) => {
                    self.installed(jni, classes, &handed);
                    if let (Some(before), Some(after)) = (before, stopped()) {
                        self.paused_all(after.saturating_sub(before));
                    }
                }
                Err(_) if self.phase() != RUNNING => {}
                Err(error) => match classes {
                    [] => {}
                    [(name, _)] => self.failed(name, error, handed.get(name)),
                    _ => {
                        let (one, other) = classes.split_at(classes.len() / 2);
                        open.extend([other, one]);
                    }
                },
            }
        }
        kept
    }

    fn installed(
        &self,
        jni: Jni<'_>,
        classes: &[(ClassName, Local<'_>)],
        handed: &HashMap<ClassName, VersionedPlan>,
    ) {
        add(&self.counts.batches, 1);
        add(&self.counts.redefinitions, classes.len() as u64);
        for (name, class) in classes {
            let planned = handed.get(name);
            let version =
                planned.map(|planned| planned.version).or(has_hooks(self, name).then_some(HOOKED));
            self.classes.redefined(jni, name, class.get(), version);
            if let Some(planned) = planned {
                lock(&self.changed).entry(ClassName::clone(name)).or_default().plan =
                    Some(Arc::clone(&planned.plan));
            }
        }
    }

    /// The JVM refuses a class: it stays as it is.
    fn failed(&self, name: &ClassName, error: JvmtiError, planned: Option<&VersionedPlan>) {
        add(&self.counts.failed, 1);
        let live = {
            let mut changed = lock(&self.changed);
            let changed = changed.entry(ClassName::clone(name)).or_default();
            changed.failed = true;
            changed.plan.clone()
        };
        self.write(vec![MethodsFileLine::Skip(Skip {
            class: String::from_utf8_lossy(name).into_owned(),
            method: None,
            reason: SkipReason::Redefinition,
            detail: Some(error.to_string()),
        })]);
        let lives =
            |id| live.as_ref().is_some_and(|plan| plan.methods.iter().any(|row| row.id == id));
        let lost: Vec<MethodId> = planned
            .iter()
            .flat_map(|planned| &planned.plan.methods)
            .map(|row| row.id)
            .filter(|id| !lives(*id))
            .collect();
        self.step(|engine| engine.refused(&lost));
    }

    /// Gets the engine the class files that it asks for.
    fn fetch(&self, jni: Jni<'_>) {
        while self.phase() == RUNNING {
            let mut names = std::mem::take(&mut lock(&self.todo).need);
            names.sort();
            names.dedup();
            if names.is_empty() {
                return;
            }
            let mut classes = Vec::new();
            for name in &names {
                let mut loaded = self.classes.of(jni, name).into_iter();
                let prepared =
                    loaded.find(|class| self.agent.jvmti.class_status(class.get()).is_prepared());
                classes.extend(prepared.map(|class| (ClassName::clone(name), class)));
            }
            let mut files = match classes.is_empty() {
                true => HashMap::new(),
                false => self.batch(jni, &classes, true),
            };
            for name in names {
                let file = files.remove(&name);
                let class =
                    classes.iter().find(|(of, _)| *of == name).map(|(_, class)| class.get());
                let loader = class.and_then(|class| self.agent.jvmti.class_loader(jni, class));
                let origin = match (&loader, class, self.agent.runtime()) {
                    (loader, Some(_), Some(runtime)) => {
                        runtime.loader_kind(jni, loader.as_ref().map(|it| it.get()))
                    }
                    _ => crate::LoaderKind::Other,
                };
                self.step(|engine| engine.class_file(&name, file.as_deref(), origin));
            }
        }
    }
}
