//! Which methods are instrumented. `rewrite` does it and `plan` only says so; both ask here.

mod arguments;
mod entry;
mod sources;
mod survey;
mod walk;

pub(crate) use arguments::{Policy, SELECTORS, Selection};
pub(crate) use sources::{Output, Source, WAR_CLASSES, again, remarks};
pub(crate) use survey::Surveyed;
pub(crate) use walk::{Objects, Seen, Start, Unnamed, Walk};

use crate::{failure::usage, progress::Bar};
use anyhow::Result;
use jfathom_archive::{Notice, Work};
use jfathom_plan::{Choice, Digest, Placement, plan_id};

/// What was selected.
pub(crate) struct Selected<'a> {
    pub(crate) placement: Placement,
    /// The inputs, those that `--jdk-methods` adds last.
    pub(crate) sources: Vec<&'a Source>,
    pub(crate) surveyed: &'a Surveyed,
    pub(crate) choice: Choice,
    /// The digest of all that was decided.
    pub(crate) plan: Digest,
    /// Where roots were walked from.
    pub(crate) walk: Option<Walk<'a>>,
    /// What was noticed on opening.
    pub(crate) notices: Vec<Notice>,
}

/// Selects methods, and hands the result to `then`.
///
/// `output` is where a rewriting goes; none for a dry run. `first_id` is asked for the first method id once it is known
/// which inputs there are.
pub(crate) fn select<T>(
    selection: &Selection,
    output: Option<Output<'_>>,
    quiet: bool,
    first_id: impl FnOnce(&[&Source]) -> u32,
    then: impl FnOnce(Selected<'_>) -> Result<T>,
) -> Result<T> {
    selection.check()?;
    let placement = selection.placement()?;
    let work = work(selection);
    let (program, notices) = sources::open(selection, placement, output)?;
    let opened = if selection.walks() { Some(walk::open(selection, &program)?) } else { None };

    let bar = Bar::new("reading  ", entries(program.iter()), quiet);
    let mut surveyed = Surveyed::default();
    program.iter().try_for_each(|source| surveyed.add(source, work, &bar))?;
    drop(bar);

    let mut modules = Vec::new();
    let walk = match &opened {
        Some(opened) => {
            let home = &opened.jdk().home;
            let mut add = |name: &str, surveyed: &mut Surveyed| {
                let taken = program
                    .iter()
                    .chain(&modules)
                    .any(|it: &Source| it.java_home.is_some() && it.below.as_os_str() == name);
                if !taken {
                    let source = sources::module(home, name, output)?;
                    surveyed.add(&source, work, &Bar::new("reading  ", source.entries, quiet))?;
                    modules.push(source);
                }
                Ok(())
            };
            Some(Walk::new(opened, &program, selection, &mut surveyed, &mut add)?)
        }
        None => None,
    };
    let sources: Vec<&Source> = program.iter().chain(&modules).collect();
    let choice = choose(selection, &sources, &surveyed, walk.as_ref(), first_id(&sources))?;
    let plan = plan_id(&surveyed.classes, &choice, placement, None);
    then(Selected { placement, sources, surveyed: &surveyed, choice, plan, walk, notices })
}

/// The threads that were asked for.
pub(crate) fn work(selection: &Selection) -> Work<'_> {
    Work { threads: selection.jobs, progress: None }
}

/// How many entries the inputs have.
pub(crate) fn entries<'a>(sources: impl Iterator<Item = &'a Source>) -> u64 {
    sources.map(|source| source.entries).sum()
}

/// Chooses methods. JDK modules hand work to other threads by their own means, which must not be taken for the program's.
fn choose(
    selection: &Selection,
    sources: &[&Source],
    surveyed: &Surveyed,
    walk: Option<&Walk<'_>>,
    first_id: u32,
) -> Result<Choice> {
    let keeps = walk.map(|walk| move |class: usize, method: usize| walk.keeps(surveyed, class, method));
    let among = keeps.as_ref().map(|keeps| keeps as jfathom_plan::Among<'_>);
    let chosen = jfathom_plan::choose_among(&surveyed.classes, &selection.rules(first_id), among);
    let mut choice = chosen.map_err(|error| usage(format!("{error}")))?;
    for (at, source) in sources.iter().enumerate() {
        if source.java_home.is_some() {
            let classes = choice.classes.get_mut(surveyed.range(at)).unwrap_or_default();
            classes.iter_mut().for_each(|chosen| chosen.plan.hand_offs = false);
        }
    }
    Ok(choice)
}
