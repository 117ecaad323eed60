//! The load hook: classes as they are loaded, and as they are redefined.

use crate::events::ClassFile;
use crate::ffi::{Jni, Object};
use crate::lock::lock;
use crate::session::{Changed, RESTORING, RUNNING, Session, add, nanos};
use crate::{ClassName, Engine, LiveScheme, Load, Origin, Planned, Rewrote};
use jfathom_plan::{ClassPlan, LiveHow, LiveLine, Placement, Skip, probe};
use jfathom_rewriter::{HOOKS, Options, Rewriter, add_hooks};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Instant;

thread_local! {
    static REWRITER: RefCell<Rewriter> = RefCell::new(Rewriter::new(Options { placement: Placement::Live }));
    /// The plans that this thread's redefinition was given.
    static HANDED: RefCell<HashMap<ClassName, Planned>> = RefCell::default();
    /// Class files that this thread's redefinition is to keep.
    static CAPTURED: RefCell<Option<HashMap<ClassName, Vec<u8>>>> = const { RefCell::new(None) };
    /// Whether the runtime is being told of a pause: it tells of none of its own.
    static TELLING: Cell<bool> = const { Cell::new(false) };
}

/// Begins to put down what redefinitions on this thread are given.
pub fn begin_redefinition(capture: bool) {
    HANDED.with_borrow_mut(HashMap::clear);
    CAPTURED.with_borrow_mut(|captured| *captured = capture.then(HashMap::new));
}

/// What they were given, and what was kept.
pub fn end_redefinition() -> (HashMap<ClassName, Planned>, HashMap<ClassName, Vec<u8>>) {
    (HANDED.take(), CAPTURED.take().unwrap_or_default())
}

/// The hash by which class files are compared at the end.
fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// A class is loaded.
pub fn loading(session: &Session, jni: Jni<'_>, class: &ClassFile<'_>, install: &mut dyn FnMut(&[u8]) -> bool) {
    let Some(_visit) = session.visit() else { return };
    let Some(runtime) = session.agent.runtime() else { return };
    let began = Instant::now();
    let origin = runtime.origin(jni, class.loader);
    add(&session.counts.classes_loaded, 1);
    let planned = session.step(|engine| engine.class_loading(&Load { name: class.name, origin, bytes: class.bytes }));
    if has_hooks(session, class.name) {
        put_down(session, class, HOOKED, None);
        hook(session, class, install);
    } else if let Some(planned) = planned {
        put_down(session, class, planned.version, Some(Arc::clone(&planned.plan)));
        if rewrite(session, class, &planned, LiveHow::Load, install) {
            add(&session.counts.at_load, 1);
        }
    }
    let took = nanos(began.elapsed());
    add(&session.counts.hook_nanos, took);
    paused(session, jni, took);
}

/// The version that counts as live where a class of the JDK has its hooks.
pub const HOOKED: u32 = 1;

/// Puts down what a class that is loaded gets, before the JVM has the bytes: whoever restores looks there. Where nothing of the
/// plan can be had, its version counts as live all the same.
fn put_down(session: &Session, class: &ClassFile<'_>, version: u32, plan: Option<Arc<ClassPlan>>) {
    let name = ClassName::from(class.name);
    let changed = &mut *lock(&session.changed);
    let changed = changed.entry(ClassName::clone(&name)).or_default();
    changed.see(class.bytes);
    changed.plan = plan;
    let loader = class.loader.map_or(0, |loader| session.agent.jvmti.object_hash(loader));
    let mut loading = lock(&session.loading);
    // Of two threads that load it at once one will win: it has at least the older version.
    loading.entry((name, loader)).and_modify(|known| *known = version.min(*known)).or_insert(version);
}

/// Tells the runtime that this thread was held up by us, where that can matter.
pub fn paused(session: &Session, jni: Jni<'_>, took: u64) {
    if session.root_is_live() && !TELLING.get() {
        TELLING.set(true);
        if let Some(runtime) = session.agent.runtime() {
            runtime.paused(jni, took);
        }
        TELLING.set(false);
    }
}

/// A class is redefined, by us or by another agent: its plan is applied as it is at the moment.
pub fn redefining(session: &Session, class: &ClassFile<'_>, install: &mut dyn FnMut(&[u8]) -> bool) {
    let name = ClassName::from(class.name);
    CAPTURED.with_borrow_mut(|captured| {
        if let Some(captured) = captured {
            captured.insert(ClassName::clone(&name), class.bytes.to_vec());
        }
    });
    let visit = session.visit();
    if visit.is_none() {
        if session.phase() == RESTORING {
            restoring(session, class);
        }
        return;
    }
    lock(&session.changed).entry(ClassName::clone(&name)).or_default().see(class.bytes);
    if has_hooks(session, class.name) {
        hook(session, class, install);
        return;
    }
    let planned = lock(&session.engine).as_ref().and_then(|engine| engine.plan(class.name));
    if let Some(planned) = planned {
        rewrite(session, class, &planned, LiveHow::Redefine, install);
        // Of several classes of the name each counts as what the first one got.
        HANDED.with_borrow_mut(|handed| {
            handed.entry(name).or_insert(planned);
        });
    }
}

/// Whether a class of the JDK gets hooks, by which reflection is followed.
pub fn has_hooks(session: &Session, name: &[u8]) -> bool {
    session.options.scheme != LiveScheme::Total && HOOKS.iter().any(|hook| hook.class.as_bytes() == name)
}

/// Puts hooks into a class of the JDK.
fn hook(session: &Session, class: &ClassFile<'_>, install: &mut dyn FnMut(&[u8]) -> bool) {
    match add_hooks(class.bytes, HOOKS) {
        Ok(bytes) => {
            install(&bytes);
        }
        Err(skip) => session.write(vec![LiveLine::Skip(skip)]),
    }
}

/// The class gets its original bytes, because none are installed: are they those of the beginning?
fn restoring(session: &Session, class: &ClassFile<'_>) {
    let changed = lock(&session.changed);
    let Some(changed) = changed.get(class.name) else { return };
    add(&session.counts.restored, 1);
    if !changed.originals.contains(&hash(class.bytes)) {
        add(&session.counts.restored_unlike, 1);
    }
}

/// Rewrites a class and hands it to the JVM; whether it did.
fn rewrite(
    session: &Session,
    class: &ClassFile<'_>,
    planned: &Planned,
    how: LiveHow,
    install: &mut dyn FnMut(&[u8]) -> bool,
) -> bool {
    REWRITER.with_borrow_mut(|rewriter| {
        let rewritten = rewriter.rewrite(class.bytes, &planned.plan);
        let (bytes, done, skips) = match &rewritten {
            Ok(rewritten) => (Some(rewritten.bytes), rewritten.done.to_vec(), rewritten.skips.clone()),
            Err(skip) => (None, Vec::new(), vec![Skip::clone(skip)]),
        };
        // Lines and modes before any probe can run.
        session.step(|engine| {
            engine.rewritten(&Rewrote {
                name: class.name,
                original: class.bytes,
                version: planned.version,
                how,
                done: &done,
                skips: &skips,
            })
        });
        match bytes {
            Some(bytes) if !std::ptr::eq(bytes, class.bytes) => install(bytes),
            _ => false,
        }
    })
}

/// Whether the hook is to leave a class alone, session or not.
pub fn is_ours(name: &[u8]) -> bool {
    name.starts_with(probe::LIVE_PREFIX.as_bytes())
}

/// A class is prepared: it can be redefined from here on.
pub fn prepared(session: &Session, jni: Jni<'_>, class: Object<'_>) {
    let Some(_visit) = session.visit() else { return };
    let Some(runtime) = session.agent.runtime() else { return };
    let jvmti = session.agent.jvmti;
    let Some(name) = jvmti.class_name(class) else { return };
    if let Some(name) = hidden(&name) {
        session.step(|engine| engine.hidden_class(&name));
    } else {
        let name = ClassName::from(name);
        let loader = jvmti.class_loader(jni, class);
        let loader = loader.as_ref().map(|loader| loader.get());
        let hash = loader.map_or(0, |loader| jvmti.object_hash(loader));
        let installed = lock(&session.loading).remove(&(ClassName::clone(&name), hash)).unwrap_or(0);
        if runtime.origin(jni, loader) != Origin::Jdk || session.options.jdk_methods || has_hooks(session, &name) {
            session.classes.add(jni, &name, class, installed);
            if session.wanted(lock(&session.engine).as_ref(), &name) > installed {
                lock(&session.todo).redefine.insert(name);
            }
        }
    }
    session.settle_and_tell(jni);
}

/// The name of a hidden class as the JVM shows it (`a/b$$Lambda/0x…`), from the one that JVMTI gives; none for others.
pub fn hidden(name: &[u8]) -> Option<Vec<u8>> {
    let dot = name.iter().rposition(|&byte| byte == b'.')?;
    let mut name = name.to_vec();
    *name.get_mut(dot)? = b'/';
    Some(name)
}

impl Changed {
    /// A class file was handed to us.
    fn see(&mut self, bytes: &[u8]) {
        let seen = hash(bytes);
        if !self.originals.contains(&seen) {
            self.originals.push(seen);
        }
    }
}

impl Session {
    /// The version of a class's plan; 0 where there is none.
    pub fn wanted(&self, engine: Option<&Engine<'_>>, name: &[u8]) -> u32 {
        if has_hooks(self, name) {
            return HOOKED;
        }
        engine.and_then(|engine| engine.plan(name)).map_or(0, |planned| planned.version)
    }

    /// Makes live what is decided, and takes the time out of this thread's numbers.
    fn settle_and_tell(&self, jni: Jni<'_>) {
        if self.phase() != RUNNING || self.is_settled() {
            return;
        }
        let began = Instant::now();
        self.settle(jni);
        paused(self, jni, nanos(began.elapsed()));
    }
}
