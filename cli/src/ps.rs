//! `jfathom ps`: the JVMs of this user, and their sessions.

use crate::messages;
use anyhow::Result;
use jfathom_collector::{RunningSession, SessionState, attach};
use jfathom_session::{JvmProcess, PerfData};
use serde::Serialize;
use std::{path::PathBuf, process::ExitCode};

/// List the JVMs of this user: whether jfathom can attach to them, and which collector records them
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// One JVM; also the JSON form.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    pid: u32,
    /// Main class or jar with the program's arguments.
    command: String,
    /// `17.0.9`, if known.
    java: Option<String>,
    vm: Option<String>,
    attachable: bool,
    /// Why jfathom cannot attach to it.
    reason: Option<String>,
    /// Whether the agent is loaded.
    agent: bool,
    session: Option<Session>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Session {
    directory: PathBuf,
    /// `rewritten`, `waiting`, `recording`, `restoring`, `restored`.
    state: &'static str,
    /// The process id of the collector.
    collector: Option<u32>,
    output: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let jvms: Vec<Listed> = JvmProcess::all().iter().map(listed).collect();
    let text = match args.json {
        true => serde_json::to_string_pretty(&jvms)? + "\n",
        false if jvms.is_empty() => "no JVM of this user is running\n".to_owned(),
        false => table(&jvms),
    };
    messages::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn listed(jvm: &JvmProcess) -> Listed {
    let perf = jvm.perf_data();
    let of = |name: &str| perf.and_then(|perf| perf.get(name)).map(str::to_owned);
    let reason = attach::check(jvm).err().map(|error| error.to_string());
    let session = RunningSession::of(jvm).ok().flatten().map(|session| Session {
        directory: session.dir().to_owned(),
        state: match session.state() {
            SessionState::None => "rewritten",
            SessionState::WaitingForClass => "waiting",
            SessionState::RootLive => "recording",
            SessionState::Restoring => "restoring",
            SessionState::Restored => "restored",
        },
        collector: session.collector(),
        output: session.output(),
    });
    Listed {
        pid: jvm.pid(),
        command: perf
            .and_then(PerfData::command)
            .map_or_else(|| jvm.command().join(" "), str::to_owned),
        java: perf
            .and_then(PerfData::version)
            .map(str::to_owned)
            .or_else(|| jvm.java_version().map(|version| version.to_string())),
        vm: of("java.property.java.vm.name"),
        attachable: reason.is_none(),
        reason,
        agent: !jvm.mapped_files("libjfathom.so", "").is_empty(),
        session,
    }
}

/// Characters of a command that are shown.
const COMMAND_SHOWN: usize = 80;

fn table(jvms: &[Listed]) -> String {
    let mut text = format!(
        "{:>8}  {:<10} {:<6}  {:<28}  {}\n",
        "PID", "JAVA", "ATTACH", "RECORDED", "PROGRAM"
    );
    for jvm in jvms {
        let shown: String = jvm.command.chars().take(COMMAND_SHOWN).collect();
        let more = if jvm.command.chars().count() > COMMAND_SHOWN { " …" } else { "" };
        put_line!(
            text,
            "{:>8}  {:<10} {:<6}  {:<28}  {shown}{more}",
            jvm.pid,
            jvm.java.as_deref().unwrap_or("?"),
            if jvm.attachable { "yes" } else { "no" },
            recorded(jvm),
        );
    }
    for jvm in jvms {
        if let Some(reason) = &jvm.reason {
            put_line!(text, "{reason}");
        }
    }
    text
}

fn recorded(jvm: &Listed) -> String {
    match &jvm.session {
        Some(Session { collector: Some(collector), state, .. }) => {
            format!("{state}, by {collector}")
        }
        Some(Session { state, .. }) => format!("{state}, no collector"),
        None if jvm.agent => "no; agent idle".to_owned(),
        None => "no".to_owned(),
    }
}
