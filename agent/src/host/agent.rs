//! What there is once in the JVM's life, and the session that runs.

use crate::ffi::{self, AddressRange, Jni, Jvmti};
use crate::jvm::runtime::{Runtime, RuntimeError};
use crate::jvm::safepoint_time::SafepointTime;
use crate::live::session::{Loading, Session};
use crate::lock::lock;
use crate::{IdTable, Options};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

static AGENT: OnceLock<Agent> = OnceLock::new();

/// This library in its JVM.
pub struct Agent {
    pub jvmti: Jvmti,
    /// With what the session is to begin when the JVM is up.
    pub options: Mutex<Option<Options>>,
    /// Held while a session begins.
    pub starting: Mutex<()>,
    /// Where session files are mapped.
    range: OnceLock<Result<AddressRange, String>>,
    runtime: OnceLock<Result<Runtime, RuntimeError>>,
    safepoints: OnceLock<Option<SafepointTime>>,
    session: RwLock<Option<Arc<Session>>>,
    /// The ids of earlier sessions; none while one runs.
    pub ids: Mutex<Option<IdTable>>,
    /// Classes that were being loaded when a session ended: they may have its probes, and get
    /// their original bytes when they are prepared.
    pub leftovers: Mutex<HashSet<Loading>>,
}

/// The agent, once [`make`] was called.
pub fn agent() -> Option<&'static Agent> {
    AGENT.get()
}

/// The agent; made at the first call.
///
/// # Errors
/// A sentence.
pub fn make() -> Result<&'static Agent, String> {
    if let Some(agent) = AGENT.get() {
        return Ok(agent);
    }
    let jvmti = ffi::new_environment().map_err(|error| error.to_string())?;
    Ok(AGENT.get_or_init(|| Agent {
        jvmti,
        options: Mutex::default(),
        starting: Mutex::default(),
        range: OnceLock::new(),
        runtime: OnceLock::new(),
        safepoints: OnceLock::new(),
        session: RwLock::default(),
        ids: Mutex::new(Some(IdTable::default())),
        leftovers: Mutex::default(),
    }))
}

/// The session that runs, or is being begun or ended.
pub fn session() -> Option<Arc<Session>> {
    agent()?.session()
}

impl Agent {
    /// The runtime; defined at the first call.
    ///
    /// # Errors
    /// A sentence, the same each time.
    pub fn define_runtime(&self, jni: Jni<'_>) -> Result<&Runtime, String> {
        // The runtime asks for it as soon as there is a runtime.
        let reserve = || {
            AddressRange::reserve()
                .map_err(|error| format!("no addresses for session files: {error}"))
        };
        self.range.get_or_init(reserve).as_ref().map_err(Clone::clone)?;
        let runtime = self.runtime.get_or_init(|| Runtime::define(self.jvmti, jni)).as_ref();
        runtime.map_err(ToString::to_string)
    }

    /// The runtime, if it is defined.
    pub fn runtime(&self) -> Option<&Runtime> {
        self.runtime.get()?.as_ref().ok()
    }

    /// Where session files are mapped, once there is a runtime.
    pub fn range(&self) -> Option<&AddressRange> {
        self.range.get()?.as_ref().ok()
    }

    /// Whether [`Agent::define_runtime`] was called.
    pub fn has_runtime(&self) -> bool {
        self.runtime.get().is_some()
    }

    /// The JVM's count of time at safepoints.
    pub fn safepoints(&self) -> Option<&SafepointTime> {
        self.safepoints.get_or_init(SafepointTime::open).as_ref()
    }

    /// The session that runs, or is being begun or ended.
    pub fn session(&self) -> Option<Arc<Session>> {
        self.session.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sets it.
    pub fn set_session(&self, session: Option<Arc<Session>>) {
        *self.session.write().unwrap_or_else(PoisonError::into_inner) = session;
    }

    /// Takes the ids for a session.
    pub fn take_ids(&self) -> IdTable {
        lock(&self.ids).take().unwrap_or_default()
    }
}
