//! What a recording process is to another one of jfathom that has started it. No user types this.

use anyhow::{Result, bail};
use clap::builder::{OsStringValueParser, TypedValueParser};
use jfathom_collector::RecordingSummary;
use std::{ffi::OsString, os::unix::ffi::OsStrExt, path::PathBuf};

/// One part of what the process is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Role {
    /// Records the session that the agent in the JVM of `-p` has begun.
    Adopt,
    /// Records with the rights of the JVM's user, for the parent process.
    Owner,
    /// Brings what the process with this id has left that was to record with these rights.
    Left(u32),
    /// The profile's name for people: where it will be brought.
    Shown(PathBuf),
}

/// The parts that the process was started with.
#[derive(Debug, Default, clap::Args)]
pub(super) struct RoleArgs {
    /// What the process does for another one of jfathom
    #[arg(long, hide = true, value_name = "ROLE",
        value_parser = OsStringValueParser::new().try_map(role))]
    role: Vec<Role>,
}

fn role(text: OsString) -> Result<Role> {
    let bytes = text.as_bytes();
    if let Some(path) = bytes.strip_prefix(b"shown=") {
        return Ok(Role::Shown(std::ffi::OsStr::from_bytes(path).into()));
    }
    match text.to_str().map(|text| text.split_once('=').unwrap_or((text, ""))) {
        Some(("adopt", "")) => Ok(Role::Adopt),
        Some(("owner", "")) => Ok(Role::Owner),
        Some(("left", pid)) => Ok(Role::Left(pid.parse()?)),
        _ => bail!("the roles are adopt, owner, left=PID and shown=FILE"),
    }
}

/// The word for another process whose user sees the profile under this name.
pub(super) fn shown(output: &std::path::Path) -> OsString {
    let mut word = OsString::from("--role=shown=");
    word.push(output);
    word
}

/// The words for a process that records with the rights of the JVM's user.
pub(super) const OWNER: &str = "--role=owner";

/// The word for one that brings what process `pid` has left.
pub(super) fn left(pid: u32) -> OsString {
    format!("--role=left={pid}").into()
}

impl RoleArgs {
    /// Whether an agent has begun the session.
    pub(super) fn adopts(&self) -> bool {
        self.role.contains(&Role::Adopt)
    }

    /// Whether a parent process takes the profile.
    pub(super) fn is_owner(&self) -> bool {
        self.role.contains(&Role::Owner)
    }

    /// The process whose files are brought.
    pub(super) fn left_by(&self) -> Option<u32> {
        self.role.iter().find_map(|role| match role {
            Role::Left(pid) => Some(*pid),
            Role::Adopt | Role::Owner | Role::Shown(_) => None,
        })
    }

    /// A recording as its user sees it, who may be on another machine.
    pub(super) fn seen(&self, recording: &RecordingSummary) -> RecordingSummary {
        let mut seen = recording.clone();
        for role in &self.role {
            if let Role::Shown(output) = role {
                seen.profiles = vec![output.clone()];
            }
        }
        seen
    }
}
