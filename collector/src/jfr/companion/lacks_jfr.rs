//! Why a command's JVM has no JFR.

use crate::{
    JavaCommand,
    program::{java_command::JFR_OFF, java_launcher::has_module},
};
use std::ffi::OsString;

/// The module without which a JVM has no JFR.
const JFR_MODULE: &str = "jdk.jfr";

/// Why a command's JVM has no JFR. Its text says how it gets one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LacksJfr {
    /// The module is not in its Java.
    #[error(
        "this Java has no JFR (module {JFR_MODULE}), which records stacks, waits and exceptions; \
         name the `java` of a JDK"
    )]
    NoModule,
    /// A flag turns it off.
    #[error(
        "{JFR_OFF} turns off JFR, which records stacks, waits and exceptions; take the flag out \
         of the command, its argument files and JDK_JAVA_OPTIONS"
    )]
    TurnedOff,
}

/// Why the JVM of a command has no JFR, as far as the command's files and words tell. None if they
/// do not, as behind scripts.
pub fn lacks_jfr(command: &[OsString]) -> Option<LacksJfr> {
    let (program, arguments) = command.split_first()?;
    if !JavaCommand::is_java(program) {
        return None;
    }
    if has_module(program, std::env::var_os("PATH").as_deref(), JFR_MODULE) == Some(false) {
        return Some(LacksJfr::NoModule);
    }
    let options = std::env::var_os("JDK_JAVA_OPTIONS");
    JavaCommand::turns_jfr_off(arguments, options.as_deref()).then_some(LacksJfr::TurnedOff)
}
