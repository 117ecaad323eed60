//! The command line.

use crate::receiver::Receiver;
use anyhow::Result;
use jfathom_profile::Label;
use std::{path::PathBuf, time::Duration};

/// Send profiles to a server that keeps them: Pyroscope, or one that takes OpenTelemetry's profiles
///
/// The labels that `record --label` gave a profile are sent with it. Unreachable servers are
/// retried; then the profiles wait in a spool, and the next push to that server sends them first.
/// docs/how-to/push.md says what is sent.
///
/// Secrets come from the environment or from a file, never from the command line:
/// JFATHOM_PUSH_TOKEN or --token-file.
#[derive(Debug, clap::Parser)]
#[command(name = "jfathom push", version, max_term_width = 100)]
#[command(after_help = "Examples:\n  \
    jfathom push profile.jfp --to pyroscope http://localhost:4040 --name shop\n  \
    jfathom push runs/*.jfp --to otlp https://collector.acme.com:4318 --label branch=main\n  \
    JFATHOM_PUSH_TOKEN=… jfathom push profile.jfp --to pyroscope https://profiles.acme.com --user 7\n  \
    jfathom push --spooled --to pyroscope http://localhost:4040")]
pub struct Args {
    /// Profiles
    #[arg(value_name = "FILE", required_unless_present = "spooled")]
    pub profiles: Vec<PathBuf>,
    /// What the server takes (pyroscope or otlp), and where it is
    #[arg(long, num_args = 2, value_names = ["RECEIVER", "URL"], required = true)]
    pub to: Vec<String>,
    /// The name of the service [default: the label service.name, else the recorded main class]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// A label: KEY=VALUE (repeatable); it replaces the recording's own label of that key
    #[arg(long = "label", value_name = "KEY=VALUE")]
    pub labels: Vec<Label>,
    /// Send only what waits in the spool
    #[arg(long, conflicts_with = "profiles")]
    pub spooled: bool,
    /// Read the token from this file
    #[arg(long, value_name = "FILE", help_heading = "Who sends")]
    pub token_file: Option<PathBuf>,
    /// Send user and token (Basic authentication) instead of the token alone (Bearer)
    #[arg(long, value_name = "USER", help_heading = "Who sends")]
    pub user: Option<String>,
    /// The tenant (X-Scope-OrgID)
    #[arg(long, value_name = "ID", help_heading = "Who sends")]
    pub tenant: Option<String>,
    /// Trust these certificates (PEM) instead of the public ones
    #[arg(long, value_name = "FILE", help_heading = "Who sends")]
    pub ca_file: Option<PathBuf>,
    /// For how long a server that does not answer is tried again, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, help_heading = "If it fails")]
    pub retry_for: u64,
    /// Where profiles wait [default: ~/.local/state/jfathom/spool, or below XDG_STATE_HOME]
    #[arg(long, value_name = "DIR", help_heading = "If it fails")]
    pub spool: Option<PathBuf>,
    /// How much may wait there, in MB
    #[arg(long, value_name = "MB", default_value_t = 256, help_heading = "If it fails")]
    pub spool_limit: u64,
    /// Keep nothing if a profile cannot be sent
    #[arg(long, conflicts_with = "spooled", help_heading = "If it fails")]
    pub no_spool: bool,
}

impl Args {
    /// Who gets the profiles.
    ///
    /// # Errors
    /// [`Usage`].
    pub fn receiver(&self) -> Result<Receiver> {
        let [kind, url] = &self.to[..] else {
            return Err(Usage("--to has a receiver and a URL".to_owned()).into());
        };
        Receiver::new(kind, url)
    }

    /// For how long a server is tried again.
    pub fn patience(&self) -> Duration {
        Duration::from_secs(self.retry_for)
    }

    /// How many bytes may wait.
    pub fn spool_bytes(&self) -> u64 {
        self.spool_limit.saturating_mul(1_000_000)
    }
}

/// A wrong argument.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);
