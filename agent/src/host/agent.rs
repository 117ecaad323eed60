//! The agent's state for the JVM's life, and the running session.

use crate::Options;
use crate::classes::load_hook::LoadHook;
use crate::classes::restore::Leftovers;
use crate::engine::IdTable;
use crate::ffi::{AddressRange, Jni, JvmError, Jvmti, new_environment};
use crate::jvm::runtime::Runtime;
use crate::live::session::Session;
use crate::lock::lock;
use rustix::io::Errno;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

static AGENT: OnceLock<Agent> = OnceLock::new();

/// The agent in its JVM.
pub struct Agent {
    pub jvmti: Jvmti,
    pub load_hook: LoadHook,
    /// The options of the session that begins when the JVM is up.
    pub options: Mutex<Option<Options>>,
    /// Held while a session begins.
    pub starting: Mutex<()>,
    /// Where session files are mapped.
    range: OnceLock<Result<AddressRange, Errno>>,
    runtime: OnceLock<Result<Runtime, JvmError>>,
    session: RwLock<Option<Arc<Session>>>,
    /// The ids of earlier sessions; none while a session runs.
    pub ids: Mutex<Option<IdTable>>,
    pub leftovers: Leftovers,
}

/// Parts that the first session defines for the JVM's life.
#[derive(Clone, Copy)]
pub struct Defined {
    pub range: &'static AddressRange,
    pub runtime: &'static Runtime,
}

/// The agent, once [`get_or_create`] was called.
pub fn agent() -> Option<&'static Agent> {
    AGENT.get()
}

/// The agent; made by the first call.
///
/// # Errors
/// Fails if the JVM lacks what a session needs.
pub fn get_or_create() -> Result<&'static Agent, JvmError> {
    if let Some(agent) = AGENT.get() {
        return Ok(agent);
    }
    let jvmti = new_environment()?;
    Ok(AGENT.get_or_init(|| Agent {
        jvmti,
        load_hook: LoadHook::default(),
        options: Mutex::default(),
        starting: Mutex::default(),
        range: OnceLock::new(),
        runtime: OnceLock::new(),
        session: RwLock::default(),
        ids: Mutex::new(Some(IdTable::default())),
        leftovers: Leftovers::default(),
    }))
}

/// The session that runs, or begins or ends.
pub fn session() -> Option<Arc<Session>> {
    agent()?.session()
}

impl Agent {
    /// The runtime and its addresses; defined by the first call.
    ///
    /// # Errors
    /// Fails if the process or the JVM refuses; with the same error each time.
    pub fn define(&'static self, jni: Jni<'_>) -> Result<Defined, JvmError> {
        // The runtime asks for the addresses as it is initialised.
        let range = self.range.get_or_init(AddressRange::reserve).as_ref();
        let range = range.map_err(|error| JvmError::Addresses(*error))?;
        let runtime = self.runtime.get_or_init(|| Runtime::define(self.jvmti, jni)).as_ref();
        let runtime = runtime.map_err(JvmError::clone)?;
        Ok(Defined { range, runtime })
    }

    /// The runtime, if it is defined.
    pub fn runtime(&self) -> Option<&Runtime> {
        self.runtime.get()?.as_ref().ok()
    }

    /// Where session files are mapped, once the runtime is being defined.
    pub fn range(&self) -> Option<&AddressRange> {
        self.range.get()?.as_ref().ok()
    }

    /// Whether this agent has defined the runtime, or has tried to.
    pub fn has_runtime(&self) -> bool {
        self.runtime.get().is_some()
    }

    /// The session that runs, or begins or ends.
    pub fn session(&self) -> Option<Arc<Session>> {
        self.session.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn set_session(&self, session: Option<Arc<Session>>) {
        *self.session.write().unwrap_or_else(PoisonError::into_inner) = session;
    }

    /// Takes the ids for a session.
    pub fn take_ids(&self) -> IdTable {
        lock(&self.ids).take().unwrap_or_default()
    }
}
