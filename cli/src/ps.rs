//! `jfathom ps`: the JVMs of this user, and their sessions.

use crate::{out, output::to_output};
use anyhow::Result;
use jfathom_collector::{RunningSession, SessionState, attach};
use jfathom_report::{JvmRow, SessionRow, jvms_json, jvms_text};
use jfathom_session::{JvmProcess, PerfData};
use std::process::ExitCode;

/// List the JVMs of this user: whether jfathom can attach to them, and which collector records them
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let jvms: Vec<JvmRow> = JvmProcess::all().iter().map(row).collect();
    to_output(None, |out| match args.json {
        true => jvms_json(&jvms, out),
        false => jvms_text(&jvms, out::terminal_width(), out),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn row(jvm: &JvmProcess) -> JvmRow {
    let perf = jvm.perf_data();
    let of = |name: &str| perf.and_then(|perf| perf.get(name)).map(str::to_owned);
    let reason = attach::check(jvm).err().map(|error| error.to_string());
    let session = RunningSession::of(jvm).ok().flatten().map(|session| SessionRow {
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
    JvmRow {
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
