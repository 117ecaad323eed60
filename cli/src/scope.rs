//! The arguments that choose what part of a profile is shown or exported.

use crate::failure::usage;
use anyhow::Result;
use jfathom_compare::{MethodSet, UnmatchedSelector};
use jfathom_plan::Selector;
use jfathom_profile::Profile;
use jfathom_views::{Filter, FilterKind, Scope, ThreadTrees};

/// Threads and call paths.
#[derive(Debug, clap::Args)]
pub(crate) struct ScopeArgs {
    /// Show only threads with this name, part of a name, or number (#7)
    #[arg(long, value_name = "NAME")]
    thread: Option<String>,
    /// Which threads have one tree together: none, those of a pool, whose names differ in numbers
    /// only, or all [default: pools in text and pages, else none]
    #[arg(long, value_enum, value_name = "WHICH")]
    join_threads: Option<JoinedThreads>,
    /// Show only call paths through this method; repeat for several
    #[arg(long, value_name = "SELECTOR")]
    focus: Vec<Selector>,
    /// Leave out this method and what it calls; repeat for several
    #[arg(long, value_name = "SELECTOR")]
    ignore: Vec<Selector>,
    /// Add the time of this method's callees to its own, and hide them; repeat for several
    #[arg(long, value_name = "SELECTOR")]
    fold: Vec<Selector>,
    /// Show measured times, without overhead correction
    #[arg(long)]
    raw: bool,
}

/// Threads with one tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum JoinedThreads {
    None,
    Pools,
    All,
}

impl ScopeArgs {
    /// Whether threads or call paths are chosen, or put together.
    pub(crate) fn is_part(&self) -> bool {
        let has_filters = [&self.focus, &self.ignore, &self.fold].iter().any(|all| !all.is_empty());
        self.thread.is_some() || self.join_threads == Some(JoinedThreads::All) || has_filters
    }

    /// Whether times are shown as measured.
    pub(crate) fn is_raw(&self) -> bool {
        self.raw
    }

    /// The methods of `--focus`; none if there is none, or it matches nothing.
    pub(crate) fn focused(&self, profile: &Profile) -> Option<MethodSet> {
        let is_given = !self.focus.is_empty();
        is_given.then(|| MethodSet::new(&profile.methods, &self.focus).ok()).flatten()
    }

    /// The part of `profile` that is asked for. Without an option trees of threads are shown as
    /// `threads` says.
    ///
    /// # Errors
    /// A usage error if a selector matches no method or no thread has the name.
    pub(crate) fn scope(&self, profile: &Profile, threads: ThreadTrees) -> Result<Scope> {
        let mut filters = Vec::new();
        for (option, kind, selectors) in [
            ("--focus", FilterKind::Focus, &self.focus),
            ("--ignore", FilterKind::Ignore, &self.ignore),
            ("--fold", FilterKind::Fold, &self.fold),
        ] {
            if selectors.is_empty() {
                continue;
            }
            let methods = MethodSet::new(&profile.methods, selectors);
            let methods = methods.map_err(|UnmatchedSelector(at)| {
                usage(format!("{option} {} matches no method of the profile", selectors[at]))
            })?;
            filters.push(Filter { kind, methods });
        }
        let scope = Scope {
            thread: self.thread.clone(),
            threads: match self.join_threads {
                Some(JoinedThreads::All) => ThreadTrees::Merged,
                Some(JoinedThreads::Pools) => ThreadTrees::Pools,
                Some(JoinedThreads::None) => ThreadTrees::Each,
                None => threads,
            },
            filters,
            is_raw: self.raw,
        };
        match &scope.thread {
            Some(name) if scope.threads(profile).is_empty() => Err(no_thread(profile, name)),
            _ => Ok(scope),
        }
    }
}

fn no_thread(profile: &Profile, name: &str) -> anyhow::Error {
    let mut names: Vec<&str> = profile.threads.iter().map(|thread| &*thread.name).take(8).collect();
    names.dedup();
    usage(format!("no thread is called ‘{name}’; there are: {}", names.join(", ")))
}
