//! The hooks in the JDK's classes, by which reflection is followed.

use crate::engine::Engine;
use crate::ffi::ClassFile;
use crate::live::session::Session;
use jfathom_plan::Scheme;
use jfathom_rewriter::{HOOKS, add_hooks};
use jfathom_session::MethodsFileLine;

/// The plan version of a class with hooks.
pub const VERSION: u32 = 1;

/// Whether a class gets hooks.
pub fn has_hooks(session: &Session, name: &[u8]) -> bool {
    session.options.scheme != Scheme::Total
        && HOOKS.iter().any(|hook| hook.class.as_bytes() == name)
}

/// The class file with hooks. None if they cannot be added: the methods file gets the reason.
pub fn with_hooks(session: &Session, class: &ClassFile<'_>) -> Option<Vec<u8>> {
    match add_hooks(class.bytes, HOOKS) {
        Ok(bytes) => Some(bytes),
        Err(skip) => {
            session.write(vec![MethodsFileLine::Skip(skip)]);
            None
        }
    }
}

/// The version of a class's newest plan; 0 if nothing of it is planned.
pub fn newest_version(session: &Session, engine: Option<&Engine<'_>>, name: &[u8]) -> u32 {
    if has_hooks(session, name) {
        return VERSION;
    }
    engine.and_then(|engine| engine.plan(name)).map_or(0, |planned| planned.version)
}
