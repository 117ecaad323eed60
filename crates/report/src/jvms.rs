//! The JVMs of a user, as text and JSON.

use serde::Serialize;
use std::{
    io::{self, Write},
    path::PathBuf,
};

/// One JVM; also the JSON form.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct JvmRow {
    /// Its process id.
    pub pid: u32,
    /// Main class or jar with the program's arguments.
    pub command: String,
    /// `17.0.9`, if known.
    pub java: Option<String>,
    /// Its name, if known: `OpenJDK 64-Bit Server VM`.
    pub vm: Option<String>,
    /// Whether jfathom can attach to it.
    pub attachable: bool,
    /// Why jfathom cannot attach to it.
    pub reason: Option<String>,
    /// Whether the agent is loaded.
    pub agent: bool,
    /// The session that it has open.
    pub session: Option<SessionRow>,
}

/// The session of a JVM; also the JSON form.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SessionRow {
    /// The session directory, for people.
    pub directory: PathBuf,
    /// `rewritten`, `waiting`, `recording`, `restoring`, `restored`.
    pub state: &'static str,
    /// The process id of the collector.
    pub collector: Option<u32>,
    /// Where the profile will be, if known.
    pub output: Option<PathBuf>,
}

/// Writes the JSON array.
pub fn jvms_json(jvms: &[JvmRow], out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, jvms)?;
    writeln!(out)
}

/// Columns before a program.
const BEFORE_PROGRAM: usize = 59;

/// Writes a table, and below it why jfathom cannot attach. Programs are cut where a terminal of
/// this width ends; without one they are whole.
pub fn jvms_text(jvms: &[JvmRow], width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    if jvms.is_empty() {
        return writeln!(out, "no JVM of this user is running");
    }
    let [pid, java, attach, recorded_by] = ["PID", "JAVA", "ATTACH", "RECORDED"];
    writeln!(out, "{pid:>8}  {java:<10} {attach:<6}  {recorded_by:<28}  PROGRAM")?;
    for jvm in jvms {
        let room = width.map_or(usize::MAX, |width| width.saturating_sub(BEFORE_PROGRAM).max(20));
        let is_cut = jvm.command.chars().count() > room;
        let shown: String = jvm.command.chars().take(room - usize::from(is_cut)).collect();
        let more = if is_cut { "…" } else { "" };
        write_line!(
            out,
            "{:>8}  {:<10} {:<6}  {:<28}  {shown}{more}",
            jvm.pid,
            jvm.java.as_deref().unwrap_or("?"),
            if jvm.attachable { "yes" } else { "no" },
            recorded(jvm),
        )?;
    }
    for reason in jvms.iter().filter_map(|jvm| jvm.reason.as_deref()) {
        write_line!(out, "{reason}")?;
    }
    Ok(())
}

fn recorded(jvm: &JvmRow) -> String {
    match &jvm.session {
        Some(SessionRow { collector: Some(collector), state, .. }) => {
            format!("{state}, by {collector}")
        }
        Some(SessionRow { state, .. }) => format!("{state}, no collector"),
        None if jvm.agent => "no; agent idle".to_owned(),
        None => "no".to_owned(),
    }
}
