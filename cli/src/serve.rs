//! `jfathom serve`: shows a profile in the browser.

mod live;

use crate::{
    messages, out,
    profile_file::{OUTPUT, read},
    report::page_summary,
    running::Running,
    scope::ScopeArgs,
};
use anyhow::{Context, Result};
use jfathom_page::{live_page, live_policy, page_policy, profile_page};
use jfathom_profile::Profile;
use jfathom_serve::{Content, ContentKind, Server, Site, Token};
use jfathom_views::ThreadTrees;
use rustix::process::setpriority_process;
use std::{path::PathBuf, process::ExitCode, sync::Arc, time::Instant};

/// Show a profile in the browser, from a server of this machine alone
///
/// Prints the page's address, and serves it until Ctrl-C. Nobody can open the page without the
/// token in that address. Nothing opens a browser.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    jfathom serve profile.jfp\n  \
    jfathom serve --port 8080 profile.jfp\n  \
    jfathom serve --live 4711")]
pub(crate) struct Args {
    /// A profile, or the session directory that a killed `record` left
    #[arg(value_name = "FILE|DIR", default_value = OUTPUT)]
    profile: PathBuf,
    /// Follow a running recording: the JVM's process id, or its session directory
    #[arg(long, value_name = "PID|DIR", conflicts_with = "profile")]
    live: Option<String>,
    /// The port on 127.0.0.1; 0 is any free one
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    port: u16,
    #[command(flatten)]
    scope: ScopeArgs,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let token = Token::random().context("/dev/urandom")?;
    if let Some(place) = &args.live {
        return follow(place, args, token);
    }
    let profile = read(&args.profile)?;
    let mut html = Vec::new();
    let scope = args.scope.scope(&profile, ThreadTrees::Pools)?;
    profile_page(&profile, &scope, &page_summary(&profile, &scope)?, &mut html)?;
    drop(profile);
    let page = FilePage { html: Arc::new(html), policy: no_frame(page_policy()) };
    serve(&Server::bind(args.port, token)?, &page)
}

/// The lowest priority (nice(2)): a full processor gives such a thread a seventieth of its time.
const LOWEST: i32 = 19;

/// Serves the page of a running recording, with what the program leaves of the processors.
fn follow(place: &str, args: &Args, token: Token) -> Result<ExitCode> {
    // On Linux it holds for this thread and those that it starts: all that read and answer.
    setpriority_process(None, LOWEST).context("cannot take the lowest priority")?;
    let running = Running::find(place)?;
    std::fs::read_dir(running.dir()).with_context(|| format!("{place}: no session directory"))?;
    let mut html = Vec::new();
    live_page(&mut html)?;
    let page = live::LivePage {
        html: Arc::new(html),
        policy: no_frame(live_policy()),
        dir: running.dir().to_owned(),
        shown_dir: running.shown_dir().to_owned(),
        collector: running.collector(),
        output: running.output(),
        scope: |profile: &Profile| args.scope.scope(profile, ThreadTrees::Pools),
        next: Instant::now().into(),
        seen: live::Seen::default().into(),
    };
    serve(&Server::bind(args.port, token)?, &page)
}

/// Says where the page is, and serves it.
fn serve(server: &Server, site: &dyn Site) -> Result<ExitCode> {
    messages::print(&format!("{}\n", server.address()))?;
    out::say("open this address in a browser on this machine; Ctrl-C ends the server");
    server.run(site)
}

/// The policy as a header, which can also forbid frames.
fn no_frame(policy: String) -> String {
    format!("{policy}; frame-ancestors 'none'")
}

/// A page that stays as it is.
struct FilePage {
    html: Arc<Vec<u8>>,
    policy: String,
}

impl Site for FilePage {
    fn policy(&self) -> &str {
        &self.policy
    }

    fn get(&self, path: &str) -> Option<Content> {
        let bytes = Arc::clone(&self.html);
        let content = Content { kind: ContentKind::Html, bytes, tag: None, headers: Vec::new() };
        (path == "/").then_some(content)
    }
}
