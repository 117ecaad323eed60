//! Hints for the user: why no JVM has joined a recording, or none has recorded anything.

use crate::{RecordOptions, run::session_dir::SessionDir};
use jfathom_profile::Profile;
use rustix::process::{Resource, getrlimit};
use std::{ffi::OsString, os::unix::ffi::OsStrExt, path::Path};

/// Free bytes below which a JVM may have had no space for its file or a ring.
const LITTLE: u64 = 4 << 20;

fn space_hint(dir: &SessionDir) -> Option<String> {
    if let Some(limit) = getrlimit(Resource::Fsize).current {
        return Some(format!(
            "files may have only {} KiB, which the JVM heeds, too: raise the limit (`ulimit -f unlimited`)",
            limit >> 10
        ));
    }
    let free = dir.free_bytes().filter(|free| *free < LITTLE)?;
    let path: &Path = dir.path();
    Some(format!(
        "the session directory's file system has only {} KiB left ({}); name another one with --tune session=DIR",
        free >> 10,
        path.display()
    ))
}

/// The hint that a signal has ended the command: nothing else need be wrong. None for a live
/// session, which often ends by a signal.
pub(crate) fn cut_short(options: &RecordOptions, asked_to_end: Option<u8>) -> Option<String> {
    let signal = asked_to_end.filter(|_| options.live.is_none())?;
    Some(format!("signal {signal} has ended it before that"))
}

/// What may have kept JVMs from joining.
pub(crate) fn no_jvm_hints(options: &RecordOptions, dir: &SessionDir) -> Vec<String> {
    let mut hints: Vec<String> = dir.failures();
    hints.extend(space_hint(dir));
    if options.live.is_some() {
        if hints.is_empty() {
            hints.push(
                "the JVM has not loaded the agent: it ended before, or got no flag (`--use-java-tool-options` reaches it)".to_owned(),
            );
            hints.push(
                "the JVM is older than Java 11, is not HotSpot, or its C library is musl"
                    .to_owned(),
            );
            hints.extend(launcher_hints(options, "JAVA_TOOL_OPTIONS"));
        }
        return hints;
    }
    hints.push(
        "what ran was not rewritten: `jfathom inspect` shows what is in a jar, and `java -cp` must name the rewritten ones"
            .to_owned(),
    );
    hints.push("no rewritten class was used before the program ended".to_owned());
    let has_manager = |word: &OsString| word.as_bytes().starts_with(b"-Djava.security.manager");
    if options.command.iter().any(has_manager) {
        hints.push(
            "a security manager runs: its policy must grant the rewritten classes \
             java.security.AllPermission; `jfathom record --root …` needs no such grant"
                .to_owned(),
        );
    }
    hints.push(
        "to record jars as they are, name what is to be recorded: `jfathom record --root com.acme.Main::main -- …`"
            .to_owned(),
    );
    let launcher = launcher_hints(options, "JFATHOM_SESSION");
    if !launcher.is_empty() {
        hints.extend(launcher);
        hints.push("the JVM that it starts is older than Java 11".to_owned());
    }
    hints
}

/// What may keep a JVM from joining that the command does not start itself, or not with `variable`
/// of its environment. None for `java`.
fn launcher_hints(options: &RecordOptions, variable: &str) -> Vec<String> {
    match options.command.first() {
        Some(command) if !crate::JavaCommand::is_java(command) => vec![
            format!(
                "the command does not pass its environment on ({variable}), or runs the JVM as another user or in a \
                 container"
            ),
            "the command hands its work to a JVM that ran before, such as a build daemon: end that first".to_owned(),
        ],
        _ => Vec::new(),
    }
}

/// What may have kept joined JVMs from recording anything.
pub(crate) fn no_record_hints(profiles: &[Profile], dir: &SessionDir) -> Vec<String> {
    let mut hints: Vec<String> = dir.failures();
    if profiles.is_empty() && !hints.is_empty() {
        return hints;
    }
    hints.extend(space_hint(dir));
    let sum = |field: fn(&jfathom_profile::Quality) -> u64| {
        profiles.iter().map(|p| field(&p.quality)).sum::<u64>()
    };
    if sum(|q| q.lost_rings) > 0 && hints.is_empty() {
        hints.push("there was no room for the threads' rings".to_owned());
    }
    if sum(|q| q.outside_span) > 0 {
        hints.push(
            "methods were called for which the session had no room: name the rewritten directory with --rewritten"
                .to_owned(),
        );
    }
    let live: Vec<_> = profiles
        .iter()
        .flat_map(|profile| &profile.meta.jvms)
        .filter_map(|jvm| jvm.live.as_ref())
        .collect();
    if !live.is_empty() {
        let roots = || live.iter().flat_map(|live| &live.roots);
        for root in roots().filter(|root| root.live_at.is_some()) {
            let name = root.method.as_ref().unwrap_or(&root.selector);
            hints.push(format!(
                "{name} was live and not called, or was running all the time: it is recorded from its next call"
            ));
        }
        // The agent has noted more about the others: similar names.
        let noted: Vec<&String> =
            profiles.iter().flat_map(|profile| &profile.meta.notices).collect();
        for root in roots().filter(|root| root.live_at.is_none()) {
            if !noted.iter().any(|notice| notice.contains(&root.selector)) {
                hints.push(format!("{}: no method that it selects was ever loaded", root.selector));
            }
        }
    } else if profiles.iter().flat_map(|profile| &profile.meta.jvms).any(|jvm| jvm.has_roots) {
        hints.push(
            "no root method was entered: only what runs inside a root is recorded".to_owned(),
        );
    } else if hints.is_empty() && !profiles.is_empty() {
        // A JVM without a profile has been named with its reason.
        hints.push("no instrumented method was called: `jfathom inspect` lists them".to_owned());
    }
    hints.extend(profiles.iter().flat_map(|profile| profile.meta.notices.iter().cloned()));
    hints
}
