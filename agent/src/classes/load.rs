//! The load hook: classes as they are loaded, and as they are redefined.

use crate::ffi::{ClassFile, Jni, Object};
use crate::live::session::{RESTORING, RUNNING, RetransformedClass, Session, add, nanos};
use crate::lock::lock;
use crate::{ClassName, Engine, LoaderKind, LoadingClass, RewrittenClass, VersionedPlan};
use jfathom_plan::{ClassPlan, Placement, Scheme, Skip, probe};
use jfathom_rewriter::{HOOKS, Options, Rewriter, add_hooks};
use jfathom_session::{InstrumentedAt, MethodsFileLine};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

thread_local! {
    static REWRITER: RefCell<Rewriter> = RefCell::new(Rewriter::new(Options { placement: Placement::Live }));
    /// The plans that this thread's redefinition was given.
    static HANDED: RefCell<HashMap<ClassName, VersionedPlan>> = RefCell::default();
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
pub fn end_redefinition() -> (HashMap<ClassName, VersionedPlan>, HashMap<ClassName, Vec<u8>>) {
    (HANDED.take(), CAPTURED.take().unwrap_or_default())
}

/// The hash by which class files are compared at the end.
fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// A class is loaded.
pub fn loading(
    session: &Session,
    jni: Jni<'_>,
    class: &ClassFile<'_>,
    install: &mut dyn FnMut(&[u8]) -> bool,
) {
    let Some(_visit) = session.visit() else { return };
    let Some(runtime) = session.agent.runtime() else { return };
    let began = Instant::now();
    let origin = runtime.loader_kind(jni, class.loader);
    add(&session.counts.classes_loaded, 1);
    let planned = session.step(|engine| {
        engine.class_loading(&LoadingClass { name: class.name, origin, bytes: class.bytes })
    });
    if has_hooks(session, class.name) {
        put_down(session, class, HOOKED, None);
        hook(session, class, install);
    } else if let Some(planned) = planned {
        put_down(session, class, planned.version, Some(Arc::clone(&planned.plan)));
        if rewrite(session, class, &planned, InstrumentedAt::Load, install) {
            add(&session.counts.at_load, 1);
        }
    }
    let took = nanos(began.elapsed());
    add(&session.counts.hook_nanos, took);
    paused(session, jni, took);
}

/// The version that counts as live where a class of the JDK has its hooks.
pub const HOOKED: u32 = 1;

/// Puts down what a class that is loaded gets. Where nothing of the plan can be had, its version
/// counts as live all the same.
fn put_down(session: &Session, class: &ClassFile<'_>, version: u32, plan: Option<Arc<ClassPlan>>) {
    let name = ClassName::from(class.name);
    let changed = &mut *lock(&session.changed);
    changed.entry(ClassName::clone(&name)).or_default().plan = plan;
    let loader = loader_of(session, class);
    let mut loading = lock(&session.loading);
    // Of two threads that load it at once one will win: it has at least the older version.
    loading
        .entry((name, loader))
        .and_modify(|known| *known = version.min(*known))
        .or_insert(version);
}

/// [`Jvmti::object_hash`](crate::ffi::Jvmti::object_hash) of a class's loader; zero for the boot
/// loader.
fn loader_of(session: &Session, class: &ClassFile<'_>) -> i32 {
    class.loader.map_or(0, |loader| session.agent.jvmti.object_hash(loader))
}

/// Hands the JVM the bytes that we made of a class; whether it took them. That the class is changed
/// is put down before: whoever restores looks there.
fn hand_over(
    session: &Session,
    class: &ClassFile<'_>,
    bytes: &[u8],
    install: &mut dyn FnMut(&[u8]) -> bool,
) -> bool {
    let loader = loader_of(session, class);
    lock(&session.changed)
        .entry(ClassName::from(class.name))
        .or_default()
        .add_original(loader, class.bytes);
    install(bytes)
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
pub fn redefining(
    session: &Session,
    jni: Jni<'_>,
    class: &ClassFile<'_>,
    install: &mut dyn FnMut(&[u8]) -> bool,
) {
    let name = ClassName::from(class.name);
    CAPTURED.with_borrow_mut(|captured| {
        if let Some(captured) = captured {
            captured.insert(ClassName::clone(&name), class.bytes.to_vec());
        }
    });
    let visit = session.visit();
    if visit.is_none() {
        if session.phase() == RESTORING {
            restoring(session, jni, class);
        }
        return;
    }
    if has_hooks(session, class.name) {
        hook(session, class, install);
        return;
    }
    let planned = lock(&session.engine).as_ref().and_then(|engine| engine.plan(class.name));
    if let Some(planned) = planned {
        rewrite(session, class, &planned, InstrumentedAt::Retransform, install);
        // Of several classes of the name each counts as what the first one got.
        HANDED.with_borrow_mut(|handed| {
            handed.entry(name).or_insert(planned);
        });
    }
}

/// Whether a class of the JDK gets hooks, by which reflection is followed.
pub fn has_hooks(session: &Session, name: &[u8]) -> bool {
    session.options.scheme != Scheme::Total
        && HOOKS.iter().any(|hook| hook.class.as_bytes() == name)
}

/// Puts hooks into a class of the JDK.
fn hook(session: &Session, class: &ClassFile<'_>, install: &mut dyn FnMut(&[u8]) -> bool) {
    match add_hooks(class.bytes, HOOKS) {
        Ok(bytes) => {
            hand_over(session, class, &bytes, install);
        }
        Err(skip) => session.write(vec![MethodsFileLine::Skip(skip)]),
    }
}

/// Classes that came back different are named up to this many.
const DIFFERENT_NAMED: u64 = 10;

/// The class gets its original bytes, because none are installed: are they those of the beginning?
fn restoring(session: &Session, jni: Jni<'_>, class: &ClassFile<'_>) {
    let seen = hash(class.bytes);
    let loader = loader_of(session, class);
    let originals = lock(&session.changed)
        .get(class.name)
        .and_then(|changed| changed.originals.get(&loader).cloned());
    // Not changed by us.
    let Some(originals) = originals else { return };
    add(&session.counts.restored, 1);
    if originals.contains(&seen) {
        return;
    }
    if session.counts.restored_unlike.fetch_add(1, Ordering::Relaxed) < DIFFERENT_NAMED {
        let loader = class.loader.and_then(|loader| jni.class_of(loader));
        let loader = loader.and_then(|class| session.agent.jvmti.class_name(class.get()));
        session.add_note(format!(
            "{} (class loader: {}) came back different from before the session; does another agent transform classes?",
            dotted(class.name),
            loader.map_or("the JVM's own".to_owned(), |name| dotted(&name)),
        ));
    }
}

/// A class name as people write it.
fn dotted(name: &[u8]) -> String {
    classfile_writer::mutf8::decode_lossy(name).replace('/', ".")
}

/// Rewrites a class and hands it to the JVM; whether it did.
fn rewrite(
    session: &Session,
    class: &ClassFile<'_>,
    planned: &VersionedPlan,
    how: InstrumentedAt,
    install: &mut dyn FnMut(&[u8]) -> bool,
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
        session.step(|engine| {
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
        let installed =
            lock(&session.loading).remove(&(ClassName::clone(&name), hash)).unwrap_or(0);
        if runtime.loader_kind(jni, loader) != LoaderKind::Jdk
            || session.options.jdk_methods
            || has_hooks(session, &name)
        {
            session.classes.add(jni, &name, class, installed);
            if session.wanted(lock(&session.engine).as_ref(), &name) > installed {
                lock(&session.todo).redefine.insert(name);
            }
        }
    }
    session.settle_and_tell(jni);
}

/// The name of a hidden class as the JVM shows it (`a/b$$Lambda/0x…`), from the one that JVMTI
/// gives; none for others.
pub fn hidden(name: &[u8]) -> Option<Vec<u8>> {
    let dot = name.iter().rposition(|&byte| byte == b'.')?;
    let mut name = name.to_vec();
    *name.get_mut(dot)? = b'/';
    Some(name)
}

impl RetransformedClass {
    /// A class file is about to be changed.
    fn add_original(&mut self, loader: i32, bytes: &[u8]) {
        let original = hash(bytes);
        let originals = self.originals.entry(loader).or_default();
        if !originals.contains(&original) {
            originals.push(original);
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
        if self.phase() != RUNNING || self.has_no_pending_work() {
            return;
        }
        let began = Instant::now();
        self.retransform_pending(jni);
        paused(self, jni, nanos(began.elapsed()));
    }
}
