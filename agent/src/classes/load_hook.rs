//! The JVMTI environment whose ClassFileLoadHook instruments classes: the last one.
//!
//! Agents that can retransform get a class one after another, in the order in which their
//! environments were made (JVMTI specification, "ClassFileLoadHook"). Only the last one sees what
//! the JVM will run. A Java agent makes such an environment when it adds a transformer, which may
//! be at any time. So the environment of the hook is made anew when another may have come.

use crate::ffi::{Event, JvmError, Jvmti, new_environment};
use crate::lock::lock;
use std::sync::Mutex;

/// The environment with the hook, while a session runs.
#[derive(Default)]
pub struct LoadHook(Mutex<Environments>);

#[derive(Default)]
struct Environments {
    current: Option<Jvmti>,
    /// The one before. A thread may be in its hook, so it is disposed of with the next.
    last: Option<Jvmti>,
}

impl LoadHook {
    /// Whether this environment's hook is the one that counts.
    pub fn is_current(&self, jvmti: Jvmti) -> bool {
        lock(&self.0).current == Some(jvmti)
    }

    /// Begins to get classes, after all environments that there are by now. A class that is being
    /// loaded meanwhile may come twice; its class file then has probes the second time.
    ///
    /// # Errors
    /// Fails if the JVM makes no environment; the hook stays where it was.
    pub fn renew(&self) -> Result<Jvmti, JvmError> {
        let new = new_environment()?;
        // Switched on before it counts: until then the other one gets the classes.
        if let Err(error) = new.set_event(Event::ClassFileLoadHook, true) {
            new.dispose();
            return Err(JvmError::Events(error));
        }
        let unused = {
            let mut environments = lock(&self.0);
            let before = environments.current.replace(new);
            std::mem::replace(&mut environments.last, before)
        };
        if let Some(unused) = unused {
            unused.dispose();
        }
        Ok(new)
    }

    /// Gets no classes any more.
    pub fn end(&self) {
        let Environments { current, last } = std::mem::take(&mut *lock(&self.0));
        for environment in [current, last].into_iter().flatten() {
            environment.dispose();
        }
    }
}
