//! Classes as the JVM loads, prepares and retransforms them.

use super::batch;
use super::hooks::{self, has_hooks, newest_version, with_hooks};
use super::load_hook::LoadHook;
use super::names::{dotted, hidden};
use super::pool;
use super::retransform::{look_again, retransform_pending};
use crate::engine::{ClassName, LoaderKind, LoadingClass, RewrittenClass, VersionedPlan};
use crate::ffi::{ClassFile, Jni, Object};
use crate::live::class_changes::{LoaderHash, LoadingClassKey, class_file_hash};
use crate::live::journal::nanos;
use crate::live::pending::is_retransforming;
use crate::live::phase::Phase;
use crate::live::session::Session;
use jfathom_plan::{Placement, Skip, probe};
use jfathom_rewriter::{Options, Rewriter};
use jfathom_session::InstrumentedAt;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::Instant;

/// The user gets at most this many names of classes that are not restored byte by byte.
const DIFFERENT_NAMED: u64 = 10;

thread_local! {
    static REWRITER: RefCell<Rewriter> =
        RefCell::new(Rewriter::new(Options { placement: Placement::Live }));
    /// Whether this thread reports a pause to the runtime. The load of a class for that is no
    /// pause of its own.
    static REPORTING_PAUSE: Cell<bool> = const { Cell::new(false) };
    /// Whether the class at hand comes to this thread again, by a newer environment.
    static COMES_AGAIN: Cell<bool> = const { Cell::new(false) };
}

/// Hands the JVM other bytes of a class; returns whether the JVM has them.
type Install<'i> = &'i mut dyn FnMut(&[u8]) -> bool;

/// The load hook for a class that the JVM loads.
pub fn on_load(session: &Session, jni: Jni<'_>, class: &ClassFile<'_>, install: Install<'_>) {
    let Some(_guard) = session.enter() else { return };
    // An earlier environment's hook had it, as the environments changed.
    if has_probes(class.bytes) {
        return;
    }
    let began = Instant::now();
    let origin = session.runtime.loader_kind(jni, class.loader);
    session.count(|totals| totals.classes_loaded += 1);
    let mut left = None;
    let mut install = |bytes: &[u8]| {
        let is_installed = install(bytes);
        if is_installed {
            left = pool::of_class_file(bytes);
        }
        is_installed
    };
    let install: Install<'_> = &mut install;
    let planned = session.with_engine(|engine| {
        engine.class_loading(&LoadingClass { name: class.name, origin, bytes: class.bytes })
    });
    // The version counts as live even if the rewriter or the JVM refuses the class.
    if has_hooks(session, class.name) {
        session.changes.record_loading(key(session, class), hooks::VERSION, None);
        install_hooks(session, class, install);
    } else if let Some(planned) = planned {
        let plan = Some(Arc::clone(&planned.plan));
        if planned.plan.has_root() {
            session.patience.end();
        }
        session.changes.record_loading(key(session, class), planned.version, plan);
        if rewrite(session, class, &planned, InstrumentedAt::Load, install) {
            session.count(|totals| totals.at_load += 1);
        }
    }
    let owner = owner(session, jni, class.loader, class.name);
    if may_retransform(session, owner, class.name)
        && let Some(pool) = left.or_else(|| pool::of_class_file(class.bytes))
    {
        session.changes.record_pool(key(session, class), pool);
    }
    let took = nanos(began.elapsed());
    session.count(|totals| totals.hook_nanos += took);
    report_pause(session, jni, took);
}

/// Whose the class counts as that a loader has.
pub fn owner(
    session: &Session,
    jni: Jni<'_>,
    loader: Option<Object<'_>>,
    name: &[u8],
) -> LoaderKind {
    let kind = session.runtime.loader_kind(jni, loader);
    match kind {
        LoaderKind::Jdk => {
            session.lock_engine().as_ref().map_or(kind, |engine| engine.owner(name, kind))
        }
        kind => kind,
    }
}

/// Whether such a class is retransformed if need be.
pub fn may_retransform(session: &Session, owner: LoaderKind, name: &[u8]) -> bool {
    owner != LoaderKind::Jdk || session.options.include_jdk || has_hooks(session, name)
}

/// The load hook for a class that is retransformed or redefined, by us or by another agent: the
/// class is analysed as it is now, and gets the newest plan.
pub fn on_retransform(
    session: &Session,
    load_hook: &LoadHook,
    jni: Jni<'_>,
    class: &ClassFile<'_>,
    install: Install<'_>,
) {
    if has_probes(class.bytes) {
        return;
    }
    if !is_retransforming() && session.is_running() && !COMES_AGAIN.replace(false) {
        // Another agent does it, which may have begun to transform after us. The new environment
        // is the last one, and gets this class within the same retransformation.
        COMES_AGAIN.set(load_hook.renew().is_ok());
        if COMES_AGAIN.get() {
            return;
        }
    }
    let name = ClassName::from(class.name);
    batch::record_class_file(&name, class.bytes);
    let guard = session.enter();
    if guard.is_none() {
        if session.phase() == Phase::Restoring {
            check_restored(session, jni, class);
        }
        return;
    }
    let origin = session.runtime.loader_kind(jni, class.loader);
    let planned = session.with_engine(|engine| engine.class_seen(class.name, class.bytes, origin));
    if !is_retransforming() && !session.pending.is_empty() {
        session.alarm.wake();
    }
    if has_hooks(session, class.name) {
        install_hooks(session, class, install);
        return;
    }
    if let Some(planned) = planned {
        // Another agent, or the read of its bytes: what it calls has no probes so far, and it gets
        // its own with the classes that have roots.
        if planned.plan.has_root() && session.patience.is_patient() {
            session.pending.lock().retransform.insert(name);
            return;
        }
        rewrite(session, class, &planned, InstrumentedAt::Retransform, install);
        batch::record_plan(name, planned);
    }
}

/// A class is prepared: it can be retransformed from this moment on.
pub fn on_prepare(session: &Session, load_hook: &LoadHook, jni: Jni<'_>, class: Object<'_>) {
    let Some(_guard) = session.enter() else { return };
    let jvmti = session.jvmti;
    let Some(name) = jvmti.class_name(class) else { return };
    if let Some(name) = hidden(&name) {
        session.with_engine(|engine| engine.hidden_class(&name));
    } else {
        let name = ClassName::from(name);
        let loader = jvmti.class_loader(jni, class);
        let loader = loader.as_ref().map(|loader| loader.get());
        let hash = loader.map_or(0, |loader| jvmti.object_hash(loader));
        let key = (ClassName::clone(&name), hash);
        let installed = session.changes.end_loading(&key);
        let left = session.changes.take_pool(&key);
        let owner = owner(session, jni, loader, &name);
        if may_retransform(session, owner, &name) {
            session.loaded.add(jni, &name, class, installed);
            if newest_version(session, session.lock_engine().as_ref(), &name) > installed {
                session.pending.lock().retransform.insert(ClassName::clone(&name));
            }
            if left.is_some_and(|left| is_changed(session, class, left)) {
                // Another agent transforms after us. From now on we are the last, and see the class
                // again before any of its code runs. Where that fails, the class stays as it is.
                let _ = load_hook.renew();
                look_again(session, jni, &name);
            }
        }
    }
    retransform_now(session, jni);
}

/// Whether a class's constant pool is another one than that with which it left the load hook.
fn is_changed(session: &Session, class: Object<'_>, left: u64) -> bool {
    let pool = session.jvmti.constant_pool(class);
    pool.and_then(|(count, entries)| pool::of_entries(count, &entries))
        .is_some_and(|pool| pool != left)
}

/// Whether a class file has our probes or hooks.
fn has_probes(bytes: &[u8]) -> bool {
    let prefix = probe::LIVE_PREFIX.as_bytes();
    bytes.windows(prefix.len()).any(|window| window == prefix)
}

/// Makes all plans live, and excludes the time from this thread's.
fn retransform_now(session: &Session, jni: Jni<'_>) {
    if !session.is_running() || session.patience.is_patient() || session.pending.is_empty() {
        return;
    }
    let began = Instant::now();
    retransform_pending(session, jni);
    report_pause(session, jni, nanos(began.elapsed()));
}

/// Reports to the runtime that the agent held this thread up, if the thread may be inside a root.
fn report_pause(session: &Session, jni: Jni<'_>, took: u64) {
    if session.has_live_root() && !REPORTING_PAUSE.get() {
        REPORTING_PAUSE.set(true);
        session.runtime.paused(jni, took);
        REPORTING_PAUSE.set(false);
    }
}

fn install_hooks(session: &Session, class: &ClassFile<'_>, install: Install<'_>) {
    if let Some(bytes) = with_hooks(session, class) {
        hand_over(session, class, &bytes, install);
    }
}

/// Rewrites a class and hands it to the JVM. Returns whether the JVM has it.
fn rewrite(
    session: &Session,
    class: &ClassFile<'_>,
    planned: &VersionedPlan,
    how: InstrumentedAt,
    install: Install<'_>,
) -> bool {
    REWRITER.with_borrow_mut(|rewriter| {
        let rewritten = rewriter.rewrite(class.bytes, &planned.plan);
        let (bytes, done, skips) = match &rewritten {
            Ok(rewritten) => {
                (Some(rewritten.bytes), rewritten.done.to_vec(), rewritten.skips.clone())
            }
            Err(skip) => (None, Vec::new(), vec![Skip::clone(skip)]),
        };
        // Lines and modes before any probe can run.
        session.with_engine(|engine| {
            engine.rewritten(&RewrittenClass {
                name: class.name,
                original: class.bytes,
                version: planned.version,
                how,
                done: &done,
                skips: &skips,
            })
        });
        match bytes {
            Some(bytes) if !std::ptr::eq(bytes, class.bytes) => {
                hand_over(session, class, bytes, install)
            }
            _ => false,
        }
    })
}

/// Hands the JVM other bytes of a class. Records the change before that: whoever restores looks
/// there.
fn hand_over(session: &Session, class: &ClassFile<'_>, bytes: &[u8], install: Install<'_>) -> bool {
    session.changes.record_original(key(session, class), class.bytes);
    install(bytes)
}

fn key(session: &Session, class: &ClassFile<'_>) -> LoadingClassKey {
    (ClassName::from(class.name), loader_of(session, class))
}

fn loader_of(session: &Session, class: &ClassFile<'_>) -> LoaderHash {
    class.loader.map_or(0, |loader| session.jvmti.object_hash(loader))
}

/// The class gets its original bytes, for no others are installed: compares them with those at the
/// session's begin.
fn check_restored(session: &Session, jni: Jni<'_>, class: &ClassFile<'_>) {
    // Without originals, the session has not changed the class.
    let Some(originals) = session.changes.originals(class.name, loader_of(session, class)) else {
        return;
    };
    session.count(|totals| totals.restored += 1);
    if originals.contains(&class_file_hash(class.bytes)) {
        return;
    }
    let before = session.count(|totals| {
        totals.restored_differently += 1;
        totals.restored_differently - 1
    });
    if before < DIFFERENT_NAMED {
        let loader = class.loader.and_then(|loader| jni.class_of(loader));
        let loader = loader.and_then(|class| session.jvmti.class_name(class.get()));
        session.add_note(format!(
            "{} (class loader: {}) came back different from before the session; \
             does another agent transform classes?",
            dotted(class.name),
            loader.map_or("the JVM's own".to_owned(), |name| dotted(&name)),
        ));
    }
}
