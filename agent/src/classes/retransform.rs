//! Retransformation: loaded classes get their planned probes.
//!
//! One thread at a time retransforms a class, until the newest plan is live.
//! Other threads wait for that, a bounded time: they may hold what the first one waits for.

use super::batch::bisect;
use super::batch::{self, HookRecord};
use super::chunks::Chunks;
use super::hooks::{self, has_hooks, newest_version};
use crate::engine::{ClassName, Engine, LoaderKind, VersionedPlan};
use crate::ffi::{Jni, JvmtiError, Local};
use crate::jvm::safepoint_time;
use crate::live::journal::nanos;
use crate::live::pending::RetransformingThread;
use crate::live::session::Session;
use classfile_writer::mutf8;
use jfathom_plan::{MethodId, Skip, SkipReason};
use jfathom_session::MethodsFileLine;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a call whose callees have no probes so far waits for other threads: for the one that
/// works on the same first call, and for running batches. The other thread may wait for a lock of
/// the program that this one holds, so the wait must end; the call is late then, and this thread
/// does the work itself.
pub const FIRST_CALL_TIMEOUT: Duration = Duration::from_secs(2);
/// How often a batch repeats a class because its plan has grown meanwhile.
const ROUNDS: u32 = 16;

/// A loaded class with its name.
type NamedClass<'j> = (ClassName, Local<'j>);

/// Makes all plans live that are there by now. Returns whether they are.
pub fn retransform_pending(session: &Session, jni: Jni<'_>) -> bool {
    // What is planned within a batch is pending when the batch ends.
    let Some(_thread) = RetransformingThread::enter() else { return true };
    let mut timed = Vec::new();
    let mut is_live = true;
    // Twice: another batch of the same class may end before what is planned meanwhile is pending.
    // Again while classes with roots wait for the batches of other threads.
    for round in 1..=ROUNDS {
        run_batches(session, jni, &mut timed, round == ROUNDS);
        is_live = session.pending.wait_for_batches(FIRST_CALL_TIMEOUT, || !session.is_running());
        if !is_live {
            // The other thread may wait for what this one holds. Done twice it does no harm.
            retransform(session, jni, &session.pending.running(), None);
            break;
        }
        if round > 1 && session.pending.lock().retransform.is_empty() {
            break;
        }
    }
    for id in timed {
        session.file.clear_first_call_trigger(id);
    }
    let roots = match is_live {
        true => std::mem::take(&mut session.pending.lock().roots),
        false => Vec::new(),
    };
    if !roots.is_empty() {
        session.write(roots);
    }
    is_live
}

/// Has the JVM hand out the class files of all classes of a name, as other agents have changed
/// them.
pub fn look_again(session: &Session, jni: Jni<'_>, name: &ClassName) {
    let Some(_thread) = RetransformingThread::enter() else {
        session.pending.lock().need.push(ClassName::clone(name));
        return;
    };
    let prepared = |class: &Local<'_>| session.jvmti.class_status(class.get()).is_prepared();
    let loaded = session.loaded.named(jni, name).into_iter().filter(prepared);
    let classes: Vec<NamedClass<'_>> =
        loaded.map(|class| (ClassName::clone(name), class)).collect();
    install(session, jni, &classes, false, None);
}

/// Makes all plans live but those of classes with roots, in chunks between which the program runs
/// on: no root can be inside before.
pub fn prepare_roots(session: &Session, jni: Jni<'_>) {
    let Some(_thread) = RetransformingThread::enter() else { return session.patience.end() };
    let mut chunks = Chunks::default();
    // A program that loads classes all the time has plans that grow all the time.
    while session.is_running() && session.patience.is_patient() && !chunks.is_spent() {
        fetch_class_files(session, jni, Some(&mut chunks));
        let batch = {
            let engine = session.lock_engine();
            session.pending.begin_batch_of(|name, _| !has_root(engine.as_ref(), name))
        };
        if batch.names.is_empty() {
            break;
        }
        retransform(session, jni, &batch.names, Some(&mut chunks));
    }
    session.patience.end();
}

/// Retransforms all pending classes that no other thread retransforms. Those with roots are left
/// while another thread's batch runs, unless they `must` be live: what a root calls has its probes
/// first.
fn run_batches(session: &Session, jni: Jni<'_>, timed: &mut Vec<MethodId>, must: bool) {
    fetch_class_files(session, jni, None);
    while session.is_running() {
        let batch = {
            let engine = session.lock_engine();
            session.pending.begin_batch(timed, |name, is_any_running| {
                must || !is_any_running || !has_root(engine.as_ref(), name)
            })
        };
        if batch.names.is_empty() {
            break;
        }
        retransform(session, jni, &batch.names, None);
        drop(batch);
        fetch_class_files(session, jni, None);
    }
}

fn has_root(engine: Option<&Engine>, name: &[u8]) -> bool {
    engine.and_then(|engine| engine.plan(name)).is_some_and(|planned| planned.plan.has_root())
}

/// Retransforms classes until their newest plans are live. Leaves out those that are not loaded or
/// not prepared: the latter are looked at when they are prepared.
fn retransform(
    session: &Session,
    jni: Jni<'_>,
    names: &[ClassName],
    mut chunks: Option<&mut Chunks>,
) {
    let mut names = names.to_vec();
    for _ in 0..ROUNDS {
        let wanted: Vec<u32> = {
            let engine = session.lock_engine();
            names.iter().map(|name| newest_version(session, engine.as_ref(), name)).collect()
        };
        let mut classes: Vec<NamedClass<'_>> = Vec::new();
        for (name, wanted) in names.iter().zip(wanted) {
            let loaded = session.loaded.older_than(jni, name, wanted).into_iter();
            let prepared =
                loaded.filter(|class| session.jvmti.class_status(class.get()).is_prepared());
            classes.extend(prepared.map(|class| (ClassName::clone(name), class)));
        }
        if classes.is_empty() || !session.is_running() {
            return;
        }
        install(session, jni, &classes, false, chunks.as_deref_mut());
        keep_outdated(session, jni, &mut names, &classes);
        if names.is_empty() {
            return;
        }
    }
}

/// Keeps the names whose classes were retransformed and have a newer plan already.
fn keep_outdated(
    session: &Session,
    jni: Jni<'_>,
    names: &mut Vec<ClassName>,
    classes: &[NamedClass<'_>],
) {
    let engine = session.lock_engine();
    let changes = session.changes.lock();
    let mut pending = session.pending.lock();
    names.retain(|name| {
        let wanted = newest_version(session, engine.as_ref(), name);
        let failed = changes.get(name).is_some_and(|changed| changed.failed);
        let is_outdated = !failed
            && classes.iter().any(|(of, _)| of == name)
            && !session.loaded.older_than(jni, name, wanted).is_empty();
        if !is_outdated {
            // A plan that was made during the batch is live, too. No other can come: whoever
            // plans holds the engine's lock.
            pending.retransform.remove(name);
        }
        is_outdated
    });
}

/// Has the JVM retransform these classes, at once or in chunks; if it refuses some, all others.
/// Returns the class files that the JVM handed out, if `keep_class_files`.
fn install(
    session: &Session,
    jni: Jni<'_>,
    classes: &[NamedClass<'_>],
    keep_class_files: bool,
    chunks: Option<&mut Chunks>,
) -> HashMap<ClassName, Vec<u8>> {
    let mut kept = HashMap::new();
    let mut install = |classes: &[NamedClass<'_>]| {
        kept.extend(install_at_once(session, jni, classes, keep_class_files));
    };
    match chunks {
        None => install(classes),
        Some(chunks) => {
            chunks.each(
                classes,
                |time| session.patience.rest(time),
                |classes| {
                    if session.is_running() {
                        install(classes);
                    }
                },
            );
        }
    }
    kept
}

fn install_at_once(
    session: &Session,
    jni: Jni<'_>,
    classes: &[NamedClass<'_>],
    keep_class_files: bool,
) -> HashMap<ClassName, Vec<u8>> {
    let mut kept = HashMap::new();
    let attempt = |classes: &[NamedClass<'_>]| {
        let (before, began) = (safepoint_time::nanos(), Instant::now());
        batch::begin(keep_class_files);
        let references: Vec<_> = classes.iter().map(|(_, class)| class.get()).collect();
        let result = session.jvmti.retransform(&references);
        let HookRecord { plans, class_files } = batch::end();
        kept.extend(class_files);
        session.count(|totals| totals.pause_nanos += nanos(began.elapsed()));
        if !session.is_running() {
            // The session ended meanwhile: what is installed is taken back.
            if result.is_ok() {
                let _ = session.jvmti.retransform(&references);
            }
            return Ok(());
        }
        if let Err(error) = result {
            return Err((error, plans));
        }
        record_installed(session, jni, classes, &plans);
        if let (Some(before), Some(after)) = (before, safepoint_time::nanos()) {
            session.file.add_pause(after.saturating_sub(before));
        }
        Ok(())
    };
    bisect(classes, attempt, |(name, _), (error, plans)| {
        record_refused(session, name, error, plans.get(name));
    });
    kept
}

fn record_installed(
    session: &Session,
    jni: Jni<'_>,
    classes: &[NamedClass<'_>],
    plans: &HashMap<ClassName, VersionedPlan>,
) {
    session.count(|totals| {
        totals.batches += 1;
        totals.retransformations += classes.len() as u64;
    });
    for (name, class) in classes {
        let planned = plans.get(name);
        let version = planned
            .map(|planned| planned.version)
            .or(has_hooks(session, name).then_some(hooks::VERSION));
        session.loaded.record(jni, name, class.get(), version);
        if let Some(planned) = planned {
            session.changes.record_plan(name, Arc::clone(&planned.plan));
        }
    }
}

/// The JVM refuses a class: it stays as it is.
fn record_refused(
    session: &Session,
    name: &ClassName,
    error: JvmtiError,
    planned: Option<&VersionedPlan>,
) {
    session.count(|totals| totals.failed += 1);
    let live = session.changes.record_failure(name);
    session.write(vec![MethodsFileLine::Skip(Skip {
        class: mutf8::decode_lossy(name).into_owned(),
        method: None,
        reason: SkipReason::Retransformation,
        detail: Some(error.to_string()),
    })]);
    let is_live = |id| live.as_ref().is_some_and(|plan| plan.ids().any(|live| live == id));
    let lost: Vec<MethodId> =
        planned.iter().flat_map(|planned| planned.plan.ids()).filter(|id| !is_live(*id)).collect();
    session.with_engine(|engine| engine.refused(&lost));
}

/// Hands the engine the class files that it needs.
fn fetch_class_files(session: &Session, jni: Jni<'_>, mut chunks: Option<&mut Chunks>) {
    while session.is_running() {
        let mut names = std::mem::take(&mut session.pending.lock().need);
        names.sort();
        names.dedup();
        if names.is_empty() {
            return;
        }
        let mut classes: Vec<NamedClass<'_>> = Vec::new();
        for name in &names {
            let mut loaded = session.loaded.named(jni, name).into_iter();
            let prepared =
                loaded.find(|class| session.jvmti.class_status(class.get()).is_prepared());
            classes.extend(prepared.map(|class| (ClassName::clone(name), class)));
        }
        let mut files = install(session, jni, &classes, true, chunks.as_deref_mut());
        for name in names {
            let file = files.remove(&name);
            let class = classes.iter().find(|(of, _)| *of == name).map(|(_, class)| class.get());
            let origin = class.map_or(LoaderKind::Other, |class| {
                let loader = session.jvmti.class_loader(jni, class);
                session.runtime.loader_kind(jni, loader.as_ref().map(|loader| loader.get()))
            });
            session.with_engine(|engine| engine.class_file(&name, file.as_deref(), origin));
        }
    }
}
