//! Start of a session.

use super::agent::{self, Agent, Defined};
use super::collector_process;
use super::error::StartError;
use super::preconditions;
use super::stop::{keep_ids, release_file};
use crate::Options;
use crate::classes::hooks::has_hooks;
use crate::classes::load::{may_retransform, owner};
use crate::classes::names::{hidden, is_ours};
use crate::classes::retransform::{prepare_roots, retransform_pending};
use crate::engine::{ClassName, Engine, LoaderKind, PreloadedClass};
use crate::ffi::{Event, Jni, JvmError, Jvmti, interception, mounts, start_agent_thread};
use crate::jvm::program;
use crate::jvm::runtime::Opening;
use crate::live::phase::Phase;
use crate::live::session::Session;
use crate::lock::lock;
use crate::session_paths::SessionPaths;
use jfathom_plan::Scheme;
use jfathom_session::{MethodsFileLine, session_of};
use jfathom_trace::layout as l;
use jfathom_world::OpenedWorld;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Entries of the class path that cannot be read and are named. The others are counted.
const MOST_GAPS: usize = 8;

const AGENT_THREAD_NAME: &str = "jfathom";

/// Whether the program's standard error gets the reason why there is no session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// Only if there is no session directory to leave it in.
    ToCollector,
    /// Always: the JVM was started with the agent.
    ToUser,
}

/// Whether the program runs when the session begins: others may wait for what it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Program {
    Begins,
    Runs,
}

/// The JVM starts with the library. The session begins when the JVM is up.
///
/// # Errors
/// Fails if the options are wrong, or the JVM lacks what a session needs.
pub fn on_load(text: &str) -> Result<(), StartError> {
    let options = Options::receive(text)?;
    preconditions::check_libc()?;
    let agent = agent::get_or_create()?;
    *lock(&agent.options) = Some(options);
    for event in [Event::VmInit, Event::VmDeath] {
        agent.jvmti.set_event(event, true).map_err(JvmError::Events)?;
    }
    program::open_in_background(agent.jvmti);
    Ok(())
}

/// The JVM is up.
pub fn on_init(jni: Jni<'_>) {
    let Some(agent) = agent::agent() else { return };
    let Some(options) = lock(&agent.options).take() else { return };
    let directory = options.session.clone();
    if let Err(error) = begin(agent, jni, options, Program::Begins) {
        report_in(directory, &error, Report::ToUser);
    }
}

/// The JVM has told an environment that it is up. The load hook's own hears of it after all agents
/// of the JVM's command line, which may have added transformers then.
pub fn after_init(jvmti: Jvmti) {
    let Some(agent) = agent::agent().filter(|agent| agent.load_hook.is_current(jvmti)) else {
        return;
    };
    // If it fails, the hook sees that other agents come after it.
    let _ = agent.load_hook.renew();
    // The debugger's agent connects when it hears of it, too.
    if let Some(session) = agent.session() {
        session.look_for_debugger();
    }
}

/// The library is loaded into a running JVM, for the first time or again.
///
/// # Errors
/// Fails if no session can begin.
pub fn on_attach(jni: Jni<'_>, text: &str) -> Result<(), StartError> {
    let options = Options::receive(text)?;
    preconditions::check_libc()?;
    let agent = agent::get_or_create()?;
    if !agent.jvmti.is_live() {
        return Err(StartError::JvmEnds);
    }
    agent.jvmti.set_event(Event::VmDeath, true).map_err(JvmError::Events)?;
    begin(agent, jni, options, Program::Runs)
}

/// Reports why there is no session: in the session directory that the options name, and on the
/// program's standard error.
pub fn report(options: &str, error: &StartError, report: Report) {
    report_in(session_of(options), error, report);
}

fn report_in(directory: Option<PathBuf>, error: &StartError, report: Report) {
    let reason = error.to_string();
    let paths = directory.as_deref().and_then(|directory| SessionPaths::here(directory).ok());
    if let Some(paths) = &paths {
        paths.fail(&reason);
    }
    if report == Report::ToUser || paths.is_none() {
        tell_user(&reason);
    }
}

/// Writes a reason to the program's standard error.
pub fn tell_user(reason: &str) {
    eprintln!("jfathom: {}", jfathom_plan::printable(reason));
}

fn begin(
    agent: &'static Agent,
    jni: Jni<'_>,
    options: Options,
    program_state: Program,
) -> Result<(), StartError> {
    let _starting = lock(&agent.starting);
    if let Some(session) = agent.session() {
        return Err(preconditions::second_session(&session));
    }
    preconditions::check_classes(agent, jni)?;
    let program = program::open(agent.jvmti).map_err(StartError::Program)?;
    preconditions::check_containers(&program)?;
    let Defined { range, runtime } = agent.define(jni)?;
    let directory = match &options.session {
        Some(directory) => directory.clone(),
        None => jfathom_session::create_session_directory()?,
    };
    let paths = SessionPaths::here(&directory)?;
    let files = paths.create_files()?;
    let session = Session::new(agent.jvmti, runtime, range, options, paths, files);
    let session = Arc::new(session);
    agent.set_session(Some(Arc::clone(&session)));
    if program_state == Program::Runs {
        session.patience.begin();
    }
    // A JVM that a recording starts is told by its flags, which cost it less than events.
    let is_told = program_state == Program::Begins && session.options.session.is_some();
    let is_jfr_asked = program_state == Program::Runs && session.options.metrics.jfr_clock;
    if (is_jfr_asked || session.options.samples && !is_told)
        && !session.jvmti.tell_compiled_methods().unwrap_or(false)
    {
        session.add_note(
            "the JVM does not say which calls its compiler inlines: sampled stacks may lack some"
                .to_owned(),
        );
    }
    let begun = open(agent, &session, jni, program.opened, program_state);
    if begun.is_err() {
        session.advance_phase(Phase::Starting, Phase::Over);
        agent.load_hook.end();
        let _ = agent.jvmti.set_event(Event::CompiledMethodLoad, false);
        mounts::end(agent.jvmti);
        let _ = interception::end(agent.jvmti);
        session.paths.remove_file();
        keep_ids(agent, &session);
        agent.set_session(None);
        release_file(&session);
    }
    begun
}

fn open(
    agent: &Agent,
    session: &Session,
    jni: Jni<'_>,
    world: &'static OpenedWorld<'static>,
    program_state: Program,
) -> Result<(), StartError> {
    let (options, paths) = (&session.options, &session.paths);
    session.runtime.start(
        jni,
        &Opening {
            path: &paths.file(),
            jvm: paths.jvm,
            clock: options.clock.requested(),
            ring_size: options.ring_size,
            sample_roots: options.sample_roots,
            calibrate: options.calibrate,
            metrics: options.metrics,
            jdk_methods: options.include_jdk,
        },
    )?;
    if options.session.is_none() {
        collector_process::start(options, paths)?;
    }
    let mut engine = Engine::new(world.world(), world.services(), options, agent.take_ids());
    let first = engine.begin();
    session.set_engine(engine);
    note_gaps(session, world);
    // Before a mode refers to one.
    session.file.set_stack_intervals(&options.probes.stack_intervals());
    session.with_engine(|_| first);
    if options.mounts {
        // Before a root is live: what a thread inside was parked for is then known as a whole.
        watch_mounts(session);
    }
    session.advance_phase(Phase::Starting, Phase::Running);
    // Before the JVM lists its classes: the engine may get a class that is loaded meanwhile twice,
    // which does no harm.
    let hook = agent.load_hook.renew()?;
    if program_state == Program::Begins {
        hook.set_event(Event::VmInit, true).map_err(JvmError::Events)?;
    }
    session.jvmti.set_event(Event::ClassPrepare, true).map_err(JvmError::Events)?;
    follow_native_calls(session);
    session.look_for_debugger();
    add_loaded_classes(session, jni)?;
    // Before the long work, which ends if the collector asks for that or is gone.
    if let Err(error) = start_agent_thread(session.jvmti, jni, AGENT_THREAD_NAME) {
        session.add_note(format!("nobody watches the collector: {error}"));
    }
    prepare_roots(session, jni);
    retransform_pending(session, jni);
    Ok(())
}

/// Says which entries of the class path could not be read.
fn note_gaps(session: &Session, world: &OpenedWorld<'_>) {
    let mut gaps = world.notices().iter().filter(|notice| notice.is_gap());
    for gap in gaps.by_ref().take(MOST_GAPS) {
        session.add_note(gap.to_string());
    }
    match gaps.count() {
        0 => {}
        more => session.add_note(format!("{more} more entries of the class path cannot be read")),
    }
}

/// Has parked times recorded, or says why they are missing.
fn watch_mounts(session: &Session) {
    let word = |offset| session.file.word32(offset);
    let watched = match (session.file.clock(), session.file.word64(l::HEADER_PAUSED)) {
        (Some(clock), Some(paused)) => mounts::begin(session.jvmti, clock, paused),
        // The file is mapped by now.
        _ => Err(JvmError::NoMountEvents),
    };
    session.write(vec![MethodsFileLine::Mounts(watched.is_ok())]);
    let state = if watched.is_ok() { l::MOUNTS_SEEN } else { l::MOUNTS_MISSING };
    if let Some(word) = word(l::HEADER_MOUNTS) {
        word.store(state, Ordering::Release);
    }
    if let Err(error) = watched {
        session.add_note(format!("no parked times are recorded: {error}"));
    }
}

/// Has native code's calls followed, unless all methods get probes anyway.
fn follow_native_calls(session: &Session) {
    if session.options.scheme == Scheme::Total {
        return;
    }
    let why = match interception::begin(session.jvmti) {
        Ok(true) => return,
        Ok(false) if interception::is_supported() => {
            "another agent has replaced functions of JNI's table".to_owned()
        }
        Ok(false) => "this architecture is not supported".to_owned(),
        Err(error) => format!("the JVM does not let JNI's functions be replaced: {error}"),
    };
    session.add_loss(format!("methods that native code calls may be missing: {why}"));
}

/// Sends the engine the classes that are loaded.
fn add_loaded_classes(session: &Session, jni: Jni<'_>) -> Result<(), JvmError> {
    let jvmti = session.jvmti;
    let mut loaded: Vec<(ClassName, LoaderKind, bool)> = Vec::new();
    let mut hidden_classes = Vec::new();
    jvmti
        .for_each_loaded_class(jni, |jni, class| {
            let Some(name) = jvmti.class_name(class) else { return };
            if is_ours(&name) {
                return;
            }
            if let Some(name) = hidden(&name) {
                hidden_classes.push(name);
                return;
            }
            let status = jvmti.class_status(class);
            let loader = jvmti.class_loader(jni, class);
            let origin = owner(session, jni, loader.as_ref().map(|loader| loader.get()), &name);
            let name = ClassName::from(name);
            if may_retransform(session, origin, &name) {
                session.loaded.add(jni, &name, class, 0);
            }
            if has_hooks(session, &name) {
                session.pending.lock().retransform.insert(ClassName::clone(&name));
            }
            loaded.push((name, origin, status.is_initialised()));
        })
        .map_err(JvmError::LoadedClasses)?;
    let classes: Vec<PreloadedClass<'_>> = loaded
        .iter()
        .map(|(name, origin, initialised)| PreloadedClass {
            name,
            origin: *origin,
            initialised: *initialised,
        })
        .collect();
    session.with_engine(|engine| engine.loaded_before(&classes));
    for name in hidden_classes {
        session.with_engine(|engine| engine.hidden_class(&name));
    }
    Ok(())
}
