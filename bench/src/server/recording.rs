//! What is asked for, the server, and recordings of it.

use crate::jfathom::Jfathom;
use anyhow::{Context, Result, ensure};
use jfathom_tests::{
    jdk,
    live::server::{Server, tomcat},
};
use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

#[derive(clap::Args)]
pub struct Options {
    #[arg(long, value_enum, default_value_t = Kind::Tomcat)]
    pub server: Kind,
    #[arg(long, default_value_t = 10)]
    pub rounds: usize,
    /// Requests a second
    #[arg(long, default_value_t = 300.0)]
    pub rate: f64,
    /// Of a window
    #[arg(long, default_value = "4", value_parser = seconds)]
    pub seconds: Duration,
    /// How long the server runs, under two kinds of load, before each window: until then the JVM
    /// compiles again what has changed
    #[arg(long, default_value = "10", value_parser = seconds)]
    pub settle: Duration,
    /// Show how the throughput goes over time instead: so long with a recording, and after it
    #[arg(long, value_parser = seconds)]
    pub course: Option<Duration>,
    /// Show what each column adds to a recording of all requests, at the fixed rate, of two servers
    /// at once
    #[arg(long)]
    pub columns: bool,
    /// One of the columns
    #[arg(long)]
    pub column: Option<String>,
    /// Keep the last profile
    #[arg(long)]
    pub keep: Option<PathBuf>,
    #[arg(long)]
    pub jdk25: bool,
    /// Of each recording
    #[arg(last = true)]
    pub record: Vec<String>,
}

fn seconds(word: &str) -> Result<Duration> {
    Ok(Duration::try_from_secs_f64(word.parse()?)?)
}

/// What answers.
#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Kind {
    Tomcat,
    Jetty,
    Fibres,
}

impl Kind {
    /// What answers a request.
    pub fn root(self) -> &'static str {
        match self {
            Self::Tomcat => "web.Listing::doGet",
            Self::Jetty => "jetty.Shelf::doGet",
            Self::Fibres => "fibres.Web::answer",
        }
    }

    pub fn start(self, jdk: &jdk::Jdk) -> Result<Server> {
        match self {
            Self::Tomcat => {
                Ok(Server::start(&tomcat("server_load").context("there is no Tomcat")?, jdk))
            }
            Self::Jetty => {
                let folder =
                    std::env::var_os("JFATHOM_JETTY").context("JFATHOM_JETTY is not set")?;
                Ok(Server::jetty(folder.as_ref(), jdk))
            }
            Self::Fibres => Ok(Server::fibres(jdk)),
        }
    }
}

/// A recording of the server that runs.
pub struct Recording {
    child: Child,
    folder: tempfile::TempDir,
}

impl Recording {
    pub fn start(options: &Options, server: &Server) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut command = Jfathom::find()?.command();
        command.args(["record", "-q", "--root", options.server.root(), "--slowest", "20"]);
        if !options.columns && !options.record.iter().any(|option| option == "--sample-roots") {
            command.args(["--sample-roots", "1/100"]);
        }
        command.args(&options.record);
        command.args(["--tune=calibrate=off", "-p", &server.pid().to_string(), "-o"]);
        let child = command.arg(folder.path().join("p.jfp")).stdin(Stdio::null()).spawn()?;
        Ok(Self { child, folder })
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn stop(mut self, keep: Option<&Path>) -> Result<()> {
        let pid = self.child.id().to_string();
        Command::new("kill").args(["-INT", &pid]).status()?;
        let status = self.child.wait()?;
        ensure!(status.success(), "the recording failed: {status}");
        if let Some(keep) = keep {
            std::fs::copy(self.folder.path().join("p.jfp"), keep)?;
        }
        Ok(())
    }
}

/// What a process has run on processors, in seconds (`proc(5)`, `/proc/PID/stat`: fields 14 and 15,
/// in hundredths of a second on Linux).
pub fn cpu_time(pid: u32) -> Result<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"))?;
    let after_name = stat.rsplit_once(')').context("a process without a name")?.1;
    let ticks: Vec<f64> =
        after_name.split_whitespace().skip(11).take(2).flat_map(str::parse).collect();
    Ok(ticks.iter().sum::<f64>() / 100.0)
}
