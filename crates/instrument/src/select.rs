//! Which methods are instrumented. `rewrite` does it and `plan` only says so; both ask here.

mod arguments;
mod entry;
mod sources;
mod survey;
mod walk;

pub(crate) use arguments::{CallGraphArg, SELECTORS, Selection};
pub(crate) use sources::{Output, Source, WAR_CLASSES, again, remarks};
pub(crate) use survey::Surveyed;
pub(crate) use walk::{ObjectSource, ProfiledCalls, RootQuery, StartReason, Unnamed};

use crate::{failure::usage, progress::ProgressBar};
use anyhow::Result;
use jfathom_archive::{Notice, Work};
use jfathom_plan::{Digest, Placement, Plan, plan_id};
use jfathom_world::OpenedWorld;
use survey::Extent;

/// With more bytes of class files a plan from roots reads the classes that are reached, not all.
const WHOLE_BYTES: u64 = 64 << 20;

/// What was selected.
pub(crate) struct Selected<'a> {
    pub(crate) placement: Placement,
    /// The inputs, those that `--jdk-methods` adds last.
    pub(crate) sources: Vec<&'a Source>,
    pub(crate) surveyed: &'a Surveyed,
    pub(crate) choice: Plan,
    /// The digest of all that was decided.
    pub(crate) plan: Digest,
    /// Where roots were walked from.
    pub(crate) walk: Option<RootQuery<'a>>,
    /// What was noticed on opening.
    pub(crate) notices: Vec<Notice>,
}

/// Selects methods, and hands the result to `then`.
///
/// `output` is where a rewriting goes; none for a dry run. `first_id` is asked for the first method
/// id once it is known which inputs there are.
pub(crate) fn select<T>(
    selection: &Selection,
    output: Option<Output<'_>>,
    quiet: bool,
    first_id: impl Fn(&[&Source]) -> u32,
    then: impl FnOnce(Selected<'_>) -> Result<T>,
) -> Result<T> {
    selection.check()?;
    let placement = selection.placement()?;
    let (program, notices) = sources::open(selection, placement, output)?;
    let opened = if selection.walks() { Some(walk::open(selection, &program)?) } else { None };
    let asking = Asking {
        selection,
        program: &program,
        opened: opened.as_ref(),
        output,
        quiet,
        first_id: &first_id,
    };
    // What goes wrong with a part is judged again with all that there is.
    let in_part = opened.is_some() && sources::class_bytes(&program) > WHOLE_BYTES;
    let answer = in_part.then(|| asking.answer_in_part().ok()).flatten();
    let Answer { modules, surveyed, choice, walk } = match answer {
        Some(answer) => answer,
        None => asking.answer(Extent::Whole)?,
    };
    let sources: Vec<&Source> = program.iter().chain(&modules).collect();
    let plan = plan_id(&surveyed.classes, &choice, placement, None);
    then(Selected { placement, sources, surveyed: &surveyed, choice, plan, walk, notices })
}

/// What is asked.
struct Asking<'a, F> {
    selection: &'a Selection,
    program: &'a [Source],
    opened: Option<&'a OpenedWorld<'a>>,
    output: Option<Output<'a>>,
    quiet: bool,
    first_id: &'a F,
}

/// What is found.
struct Answer<'a> {
    /// Modules of the JDK that are instrumented too.
    modules: Vec<Source>,
    surveyed: Surveyed,
    choice: Plan,
    walk: Option<RootQuery<'a>>,
}

impl<'a, F: Fn(&[&Source]) -> u32> Asking<'a, F> {
    /// The answer from the classes that selectors name; the survey is then of what is reached from
    /// them.
    fn answer_in_part(&self) -> Result<Answer<'a>> {
        let Selection { root, also, entry, .. } = self.selection;
        let selectors =
            || root.iter().chain(also).chain(entry).filter(|selector| !selector.is_exclusion());
        let named = |name: &str| selectors().any(|selector| selector.can_select_in(name));
        let (_, modules, walk) = self.walk(Extent::Part(&named))?;
        let reached = |name: &str| walk.as_ref().is_some_and(|walk| walk.has_class(name));
        let surveyed = self.survey(&modules, Extent::Part(&reached))?;
        let choice = self.choose(&modules, &surveyed, walk.as_ref())?;
        Ok(Answer { modules, surveyed, choice, walk })
    }

    fn answer(&self, extent: Extent<'_>) -> Result<Answer<'a>> {
        let (surveyed, modules, walk) = self.walk(extent)?;
        let choice = self.choose(&modules, &surveyed, walk.as_ref())?;
        Ok(Answer { modules, surveyed, choice, walk })
    }

    fn survey(&self, modules: &[Source], extent: Extent<'_>) -> Result<Surveyed> {
        let bar =
            ProgressBar::new("reading  ", entries(self.program.iter().chain(modules)), self.quiet);
        let mut surveyed = Surveyed::default();
        let mut sources = self.program.iter().chain(modules);
        sources.try_for_each(|source| surveyed.add(source, extent, work(self.selection), &bar))?;
        Ok(surveyed)
    }

    /// Surveys the program, and walks from the roots where any are asked for.
    fn walk(&self, extent: Extent<'_>) -> Result<(Surveyed, Vec<Source>, Option<RootQuery<'a>>)> {
        let mut surveyed = self.survey(&[], extent)?;
        let mut modules = Vec::new();
        let Some(opened) = self.opened else { return Ok((surveyed, modules, None)) };
        let home = &opened.jdk().home;
        let mut add = |name: &str, surveyed: &mut Surveyed| {
            let taken = self.program.iter().chain(&modules).any(|source: &Source| {
                source.java_home.is_some() && source.below.as_os_str() == name
            });
            if !taken {
                let source = sources::module(home, name, self.output)?;
                let bar = ProgressBar::new("reading  ", source.entries, self.quiet);
                surveyed.add(&source, extent, work(self.selection), &bar)?;
                modules.push(source);
            }
            Ok(())
        };
        let walk = RootQuery::new(opened, self.program, self.selection, &mut surveyed, &mut add)?;
        Ok((surveyed, modules, Some(walk)))
    }

    /// Chooses methods. JDK modules hand work to other threads by their own means, which must not
    /// be taken for the program's.
    fn choose(
        &self,
        modules: &[Source],
        surveyed: &Surveyed,
        walk: Option<&RootQuery<'_>>,
    ) -> Result<Plan> {
        let sources: Vec<&Source> = self.program.iter().chain(modules).collect();
        let rules = self.selection.rules((self.first_id)(&sources));
        let keeps =
            walk.map(|walk| move |class: usize, method: usize| walk.keeps(surveyed, class, method));
        let among = keeps.as_ref().map(|keeps| keeps as jfathom_plan::MethodFilter<'_>);
        let chosen = jfathom_plan::choose_filtered(&surveyed.classes, &rules, among);
        let mut choice = chosen.map_err(|error| usage(format!("{error}")))?;
        for (at, source) in sources.iter().enumerate() {
            if source.java_home.is_some() {
                let classes = choice.classes.get_mut(surveyed.range(at)).unwrap_or_default();
                classes.iter_mut().for_each(|chosen| chosen.plan.hand_offs = false);
            }
        }
        Ok(choice)
    }
}

/// The threads that were asked for.
pub(crate) fn work(selection: &Selection) -> Work<'_> {
    Work { threads: selection.jobs, progress: None }
}

/// How many entries the inputs have.
pub(crate) fn entries<'a>(sources: impl Iterator<Item = &'a Source>) -> u64 {
    sources.map(|source| source.entries).sum()
}
