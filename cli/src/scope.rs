//! The arguments that choose what part of a profile is shown or exported.

use crate::failure::usage;
use anyhow::Result;
use jfathom_compare::{MethodSet, UnmatchedSelector};
use jfathom_plan::{Problem, Selector};
use jfathom_profile::Profile;
use jfathom_views::{Filter, FilterKind, Scope, ThreadTrees};

/// Threads and call paths.
#[derive(Debug, clap::Args)]
pub(crate) struct ScopeArgs {
    /// Show a part: thread=NAME, focus=SELECTOR, ignore=SELECTOR, fold=SELECTOR and others
    ///
    /// thread=NAME: a name, part of one, or #7. focus=SELECTOR: call paths through a method;
    /// ignore=SELECTOR: without a method and what it calls; fold=SELECTOR: the time of a method's
    /// callees as its own. threads=none|pools|all: which threads have one tree together, none,
    /// those of a pool, whose names differ in numbers only (the default of text and pages), or all.
    /// times=measured: without overhead correction. Repeat for several.
    #[arg(long, value_name = "WHAT=VALUE", value_parser = part)]
    filter: Vec<Part>,
}

/// A part of a profile.
#[derive(Clone, Debug)]
enum Part {
    Thread(String),
    Threads(ThreadTrees),
    MeasuredTimes(bool),
    Paths(FilterKind, Box<Selector>),
}

/// The words of `--filter` for call paths.
const KINDS: [(&str, FilterKind); 3] =
    [("focus", FilterKind::Focus), ("ignore", FilterKind::Ignore), ("fold", FilterKind::Fold)];

fn part(text: &str) -> Result<Part, Problem> {
    let (word, value) = text.split_once('=').unwrap_or((text, ""));
    let kind = KINDS.iter().find(|(name, _)| *name == word).map(|(_, kind)| *kind);
    match (kind, word) {
        (Some(kind), _) => {
            let selector = value.parse::<Selector>().map_err(|error| error.to_string())?;
            Ok(Part::Paths(kind, Box::new(selector)))
        }
        (None, "thread") if !value.is_empty() => Ok(Part::Thread(value.to_owned())),
        (None, "threads") => match value {
            "none" => Ok(Part::Threads(ThreadTrees::Each)),
            "pools" => Ok(Part::Threads(ThreadTrees::Pools)),
            "all" => Ok(Part::Threads(ThreadTrees::Merged)),
            _ => Err("threads is none, pools or all".into()),
        },
        (None, "times") => match value {
            "measured" => Ok(Part::MeasuredTimes(true)),
            "corrected" => Ok(Part::MeasuredTimes(false)),
            _ => Err("times is measured or corrected".into()),
        },
        _ => Err("a part is thread=NAME, focus=SELECTOR, ignore=SELECTOR, fold=SELECTOR, \
                  threads=all or times=measured"
            .into()),
    }
}

impl ScopeArgs {
    /// Whether threads or call paths are chosen, or put together.
    pub(crate) fn is_part(&self) -> bool {
        self.filter.iter().any(|part| match part {
            Part::Thread(_) | Part::Paths(..) => true,
            Part::Threads(trees) => *trees == ThreadTrees::Merged,
            Part::MeasuredTimes(_) => false,
        })
    }

    /// Whether times are shown as measured.
    pub(crate) fn is_raw(&self) -> bool {
        let measured = |part: &Part| match part {
            Part::MeasuredTimes(measured) => Some(*measured),
            _ => None,
        };
        self.filter.iter().rev().find_map(measured).unwrap_or(false)
    }

    fn selectors(&self, kind: FilterKind) -> Vec<Selector> {
        let of_kind = |part: &Part| match part {
            Part::Paths(of, selector) if *of == kind => Some(Selector::clone(selector)),
            _ => None,
        };
        self.filter.iter().filter_map(of_kind).collect()
    }

    /// The methods in focus; none if there is none, or it matches nothing.
    pub(crate) fn focused(&self, profile: &Profile) -> Option<MethodSet> {
        let focus = self.selectors(FilterKind::Focus);
        let is_given = !focus.is_empty();
        is_given.then(|| MethodSet::new(&profile.methods, &focus).ok()).flatten()
    }

    /// The part of `profile` that is asked for. Without an option trees of threads are shown as
    /// `threads` says.
    ///
    /// # Errors
    /// A usage error if a selector matches no method or no thread has the name.
    pub(crate) fn scope(&self, profile: &Profile, threads: ThreadTrees) -> Result<Scope> {
        let mut filters = Vec::new();
        for (word, kind) in KINDS {
            let selectors = self.selectors(kind);
            if selectors.is_empty() {
                continue;
            }
            let methods = MethodSet::new(&profile.methods, &selectors);
            let methods = methods.map_err(|UnmatchedSelector(at)| {
                let selector = &selectors[at];
                usage(format!("--filter {word}={selector} matches no method of the profile"))
            })?;
            filters.push(Filter { kind, methods });
        }
        let thread = self.filter.iter().rev().find_map(|part| match part {
            Part::Thread(name) => Some(name.clone()),
            _ => None,
        });
        let joined = self.filter.iter().rev().find_map(|part| match part {
            Part::Threads(trees) => Some(*trees),
            _ => None,
        });
        let scope =
            Scope { thread, threads: joined.unwrap_or(threads), filters, is_raw: self.is_raw() };
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
