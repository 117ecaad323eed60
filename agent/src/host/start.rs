//! How a session begins.

use crate::classes::load;
use crate::ffi::{Event, Jni, interception, start_agent_thread};
use crate::host::agent::{self, Agent};
use crate::host::{collector_process, preconditions};
use crate::jvm::program;
use crate::jvm::runtime::{Opening, Runtime};
use crate::live::session::{OVER, RUNNING, STARTING, Session};
use crate::lock::lock;
use crate::session_paths::SessionPaths;
use crate::{ClassName, Engine, LoaderKind, Options, PreloadedClass};
use jfathom_plan::Scheme;
use jfathom_session::session_of;
use std::path::PathBuf;
use std::sync::Arc;

/// The name of the agent's thread.
const THREAD_NAME: &str = "jfathom";

/// Reads the options.
fn options(text: &str) -> Result<Options, String> {
    Options::receive(text).map_err(|error| error.to_string())
}

/// The JVM starts with the library: the session begins when the JVM is up.
///
/// # Errors
/// A sentence; the program runs on without a session.
pub fn on_load(text: &str) -> Result<(), String> {
    let options = options(text)?;
    preconditions::libc()?;
    let agent = agent::make()?;
    *lock(&agent.options) = Some(options);
    for event in [Event::VmInit, Event::VmDeath] {
        agent
            .jvmti
            .set_event(event, true)
            .map_err(|error| format!("the JVM gives no events: {error}"))?;
    }
    program::begin(agent.jvmti);
    Ok(())
}

/// The JVM is up.
pub fn on_init(jni: Jni<'_>) {
    let Some(agent) = agent::agent() else { return };
    let Some(options) = lock(&agent.options).take() else { return };
    let directory = options.session.clone();
    if let Err(reason) = begin(agent, jni, options) {
        say(directory, &reason, true);
    }
}

/// The library is loaded into a running JVM, or is there and called again.
///
/// # Errors
/// A sentence.
pub fn on_attach(jni: Jni<'_>, text: &str) -> Result<(), String> {
    let options = options(text)?;
    preconditions::libc()?;
    let agent = agent::make()?;
    if !agent.jvmti.is_live() {
        return Err("the JVM is about to end".to_owned());
    }
    agent
        .jvmti
        .set_event(Event::VmDeath, true)
        .map_err(|error| format!("the JVM gives no events: {error}"))?;
    begin(agent, jni, options)
}

/// Says why there is no session: where the collector looks, and on the program's standard error
/// where the JVM was started with us.
pub fn report(options: &str, reason: &str, loudly: bool) {
    say(session_of(options), reason, loudly);
}

fn say(directory: Option<PathBuf>, reason: &str, loudly: bool) {
    let place = directory.as_deref().and_then(|directory| SessionPaths::here(directory).ok());
    if let Some(place) = &place {
        place.fail(reason);
    }
    if loudly || place.is_none() {
        eprintln!("jfathom: {}", jfathom_plan::printable(reason));
    }
}

/// Begins a session.
fn begin(agent: &'static Agent, jni: Jni<'_>, options: Options) -> Result<(), String> {
    let _starting = lock(&agent.starting);
    if let Some(session) = agent.session() {
        return Err(preconditions::second(&session));
    }
    preconditions::classes(agent, jni)?;
    let program = program::world(agent.jvmti)?;
    preconditions::manifests(&program)?;
    let runtime = agent.define_runtime(jni)?;
    let directory = match &options.session {
        Some(directory) => directory.clone(),
        None => collector_process::directory()?,
    };
    let place = SessionPaths::here(&directory)?;
    let files = place.create_files()?;
    let session = Arc::new(Session::new(agent, options, place, files));
    agent.set_session(Some(Arc::clone(&session)));
    let begun = open(&session, jni, runtime, program.opened);
    if let Err(reason) = begun {
        session.advance_phase(STARTING, OVER);
        let _ = interception::end(agent.jvmti);
        session.place.remove_file();
        let ids = lock(&session.engine).take().map(Engine::into_ids);
        if ids.is_some() {
            *lock(&agent.ids) = ids;
        }
        agent.set_session(None);
        if let Some(range) = agent.range() {
            // Where the kernel refuses, the file's pages stay until the next session.
            let _ = range.map_anonymous();
        }
        return Err(reason);
    }
    Ok(())
}

fn open(
    session: &Arc<Session>,
    jni: Jni<'_>,
    runtime: &Runtime,
    world: &'static jfathom_world::OpenedWorld<'static>,
) -> Result<(), String> {
    let (agent, options, place) = (session.agent, &session.options, &session.place);
    let jvmti = agent.jvmti;
    runtime
        .start(
            jni,
            &Opening {
                path: &place.file(),
                pid: place.pid,
                start_millis: place.start_millis,
                clock: options.clock.requested(),
                ring: options.ring,
                calibrate: options.calibrate,
                jdk_methods: options.jdk_methods,
            },
        )
        .map_err(|error| error.to_string())?;
    if options.session.is_none() {
        collector_process::start(options, place)?;
    }
    let mut engine = Engine::new(world.world(), world.services(), options, agent.take_ids());
    let first = engine.begin();
    *lock(&session.engine) = Some(engine);
    session.step(|_| first);
    session.advance_phase(STARTING, RUNNING);
    // Before the list is taken: a class that is loaded meanwhile is told twice, which does no harm.
    for event in [Event::ClassFileLoadHook, Event::ClassPrepare] {
        jvmti
            .set_event(event, true)
            .map_err(|error| format!("the JVM gives no events: {error}"))?;
    }
    follow_native_calls(session);
    tell_loaded(session, jni, runtime)?;
    session.retransform_pending(jni);
    if let Err(error) = start_agent_thread(jvmti, jni, THREAD_NAME) {
        session.add_note(format!("nobody watches the collector: {error}"));
    }
    Ok(())
}

/// Has native code's calls followed, where methods are looked for.
fn follow_native_calls(session: &Session) {
    if session.options.scheme == Scheme::Total {
        return;
    }
    let why = match interception::begin(session.agent.jvmti) {
        Ok(true) => return,
        Ok(false) if interception::is_supported() => {
            "another agent has replaced functions of JNI's table".to_owned()
        }
        Ok(false) => "this architecture is not supported".to_owned(),
        Err(error) => format!("the JVM does not let JNI's functions be replaced: {error}"),
    };
    session.add_loss(format!("methods that native code calls may be missing: {why}"));
}

/// Tells the engine what is loaded.
fn tell_loaded(session: &Session, jni: Jni<'_>, runtime: &Runtime) -> Result<(), String> {
    let jvmti = session.agent.jvmti;
    let mut loaded: Vec<(ClassName, LoaderKind, bool)> = Vec::new();
    let mut hidden = Vec::new();
    jvmti
        .for_each_loaded_class(jni, |jni, class| {
            let Some(name) = jvmti.class_name(class) else { return };
            if load::is_ours(&name) {
                return;
            }
            if let Some(name) = load::hidden(&name) {
                hidden.push(name);
                return;
            }
            let status = jvmti.class_status(class);
            let origin = runtime.loader_kind(
                jni,
                jvmti.class_loader(jni, class).as_ref().map(|loader| loader.get()),
            );
            let name = ClassName::from(name);
            if origin != LoaderKind::Jdk || session.options.jdk_methods {
                session.classes.add(jni, &name, class, 0);
            }
            if load::has_hooks(session, &name) {
                session.classes.add(jni, &name, class, 0);
                lock(&session.todo).redefine.insert(ClassName::clone(&name));
            }
            loaded.push((name, origin, status.is_initialised()));
        })
        .map_err(|error| format!("the JVM does not list its classes: {error}"))?;
    let rows: Vec<PreloadedClass<'_>> = loaded
        .iter()
        .map(|(name, origin, initialised)| PreloadedClass {
            name,
            origin: *origin,
            initialised: *initialised,
        })
        .collect();
    session.step(|engine| engine.loaded_before(&rows));
    for name in hidden {
        session.step(|engine| engine.hidden_class(&name));
    }
    Ok(())
}
