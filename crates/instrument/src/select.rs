//! The choice of methods: one function for the rewriting and for its dry run, so that a plan is
//! what a rewriting does.

use crate::{
    error::{Error, Result, usage},
    method_finder::MethodFinder,
    progress::{Observer, Stage, StageProgress},
    root_query::{self, RootQuery},
    selection::{Libraries, Selection},
    sources::{self, Opened, Output, Source},
    summaries::{Extent, Summaries},
};
use jfathom_archive::{KeepBudget, Notice, OutsideReason, Work};
use jfathom_plan::{
    Digest, EntryAlone, IdRange, Placement, Plan, PlanError, Skip, plan_id, printable,
};
use jfathom_rewriter::Digests;
use jfathom_world::OpenedWorld;
use std::{cell::RefCell, collections::HashSet, path::PathBuf};

/// With more bytes of class files, a selection with roots reads only the classes of the call
/// subgraph.
const WHOLE_BYTES: u64 = 64 << 20;

/// Bytes of classes that are kept between selection and rewriting, so that they are inflated once.
/// The classes of larger programs are in part inflated twice.
const KEPT_BYTES: u64 = 256 << 20;

/// The chosen methods.
pub(crate) struct Selected<'a> {
    pub(crate) placement: Placement,
    /// The inputs; those that `include_jdk` adds come last.
    pub(crate) sources: Vec<&'a Source>,
    pub(crate) summaries: &'a Summaries,
    pub(crate) plan: Plan,
    /// The digest of the plan, for outputs; not that of a rewriting if there is none.
    pub(crate) plan_id: Digest,
    /// The analysis of the roots, if there was one.
    pub(crate) query: Option<RootQuery<'a>>,
    /// Outputs of further inputs that an earlier run has written.
    pub(crate) kept: Vec<PathBuf>,
    /// Notices of opening the inputs.
    pub(crate) notices: Vec<Notice>,
}

/// Chooses methods, and passes the result to `then`.
///
/// `output` is `None` for a dry run. `first_id` gives the first method id for the opened inputs.
pub(crate) fn select<T>(
    selection: &Selection,
    output: Option<Output<'_>>,
    observer: &dyn Observer,
    first_id: impl Fn(&[&Source]) -> u32,
    then: impl FnOnce(Selected<'_>) -> Result<T>,
) -> Result<T> {
    selection.check()?;
    let placement = selection.placement()?;
    let Opened { sources: program, kept, notices } = sources::open(selection, placement, output)?;
    if program.is_empty() && !kept.is_empty() {
        let summaries = Summaries::new(Digests::Omit, selection);
        let ids = IdRange { start: 0, len: 0 };
        let plan = Plan { classes: Vec::new(), ids, has_roots: false };
        let plan_id = plan_id(&[], &plan, placement, None);
        let (sources, query) = (Vec::new(), None);
        let summaries = &summaries;
        return then(Selected {
            placement,
            sources,
            summaries,
            plan,
            plan_id,
            query,
            kept,
            notices,
        });
    }
    let opened = match selection.is_analyzed() {
        true => Some(root_query::open(selection, &program)?),
        false => None,
    };
    let chooser = Chooser {
        selection,
        program: &program,
        opened: opened.as_ref(),
        output,
        observer,
        first_id: &first_id,
        kept: KeepBudget::new(KEPT_BYTES),
        unreadable: RefCell::default(),
        elsewhere: notices.iter().filter_map(elsewhere).collect(),
    };
    // A failure with some of the classes is judged again with all of them. An annotation may be any
    // class.
    let in_part = opened.is_some()
        && !selection.has_annotations()
        && sources::class_bytes(&program) > WHOLE_BYTES;
    let answer = in_part.then(|| chooser.choose_in_part().ok()).flatten();
    let Answer { modules, summaries, plan, query } = match answer {
        Some(answer) => answer,
        None => chooser.choose_from(Extent::Whole).map_err(|error| chooser.explain(error))?,
    };
    let sources: Vec<&Source> = program.iter().chain(&modules).collect();
    let plan_id = plan_id(&summaries.classes, &plan, placement, None);
    let summaries = &summaries;
    then(Selected { placement, sources, summaries, plan, plan_id, query, kept, notices })
}

/// One request with its opened inputs.
struct Chooser<'a, F> {
    selection: &'a Selection,
    program: &'a [Source],
    opened: Option<&'a OpenedWorld<'a>>,
    output: Option<Output<'a>>,
    observer: &'a dyn Observer,
    first_id: &'a F,
    kept: KeepBudget,
    /// Classes that could not be read by the last attempt.
    unreadable: RefCell<Vec<Skip>>,
    /// What manifests name by absolute paths or URLs. A copy would lead there, and not to a copy.
    elsewhere: Vec<String>,
}

/// What a notice says that a manifest names by an absolute path or a URL.
fn elsewhere(notice: &Notice) -> Option<String> {
    match notice {
        Notice::ClassPathOutside { entry, reason: OutsideReason::Absolute, .. } => {
            Some(printable(entry).into_owned())
        }
        _ => None,
    }
}

/// What was chosen, and from which classes.
struct Answer<'a> {
    /// JDK modules that `include_jdk` added.
    modules: Vec<Source>,
    summaries: Summaries,
    plan: Plan,
    query: Option<RootQuery<'a>>,
}

impl<'a, F: Fn(&[&Source]) -> u32> Chooser<'a, F> {
    /// Analyzes the classes that selectors name, and then summarizes only the classes of the call
    /// subgraph.
    fn choose_in_part(&self) -> Result<Answer<'a>> {
        let Selection { roots, assumed_calls, entry_points, .. } = self.selection;
        let all = || roots.iter().chain(assumed_calls).chain(entry_points);
        let selectors = || all().filter(|selector| !selector.is_exclusion());
        let has_region = |name: &str| self.selection.may_have_region(name);
        let named = |name: &str| has_region(name) || selectors().any(|one| one.can_select_in(name));
        let (_, modules, query) = self.analyze(Extent::Part(&named))?;
        let reached = |name: &str| {
            has_region(name) || query.as_ref().is_some_and(|query| query.has_class(name))
        };
        let summaries = self.summarize(&modules, Extent::Part(&reached))?;
        let plan = self.plan(&modules, &summaries, query.as_ref())?;
        Ok(Answer { modules, summaries, plan, query })
    }

    fn choose_from(&self, extent: Extent<'_>) -> Result<Answer<'a>> {
        let (summaries, modules, query) = self.analyze(extent)?;
        let plan = self.plan(&modules, &summaries, query.as_ref())?;
        Ok(Answer { modules, summaries, plan, query })
    }

    fn summarize(&self, modules: &[Source], extent: Extent<'_>) -> Result<Summaries> {
        let sources = || self.program.iter().chain(modules);
        let progress = StageProgress::start(self.observer, Stage::Reading, entries(sources()));
        let digests = if self.output.is_some() { Digests::Compute } else { Digests::Omit };
        let mut summaries = Summaries::new(digests, self.selection);
        for source in sources() {
            summaries.add(source, extent, self.reading(), &progress)?;
        }
        self.unreadable.replace(summaries.unreadable().cloned().collect());
        summaries.add_meta_annotations(self.selection);
        Ok(summaries)
    }

    /// The same error with what may be its cause: classes that cannot be read, or that are not
    /// among the inputs.
    fn explain(&self, error: Error) -> Error {
        if let Some(first) = self.elsewhere.first().filter(|_| error.is_usage()) {
            let more = match self.elsewhere.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            return usage(format!(
                "{error}; a manifest names {first}{more} by an absolute path or a URL: name these \
                 files as inputs, and the copies with `java -cp`"
            ));
        }
        let unreadable = self.unreadable.borrow();
        let Some(first) = unreadable.first().filter(|_| error.is_usage()) else { return error };
        let why = first.detail.as_deref().unwrap_or("it is malformed");
        let example = format!("{}: {why}", first.class.replace('/', "."));
        usage(match (&error, unreadable.len()) {
            (Error::Plan(PlanError::NothingSelected { classes: 0 }), _) => {
                format!("no class of the inputs can be read, such as {example}")
            }
            (_, 1) => format!("{error}; one class cannot be read, {example}"),
            (_, all) => format!("{error}; {all} classes cannot be read, such as {example}"),
        })
    }

    /// How classes are read for summaries. Where something is written they are read again. A plan
    /// alone keeps none: its memory counts more than its second reading.
    fn reading(&self) -> Work<'_> {
        Work { keep: self.output.map(|_| &self.kept), ..Work::default() }
    }

    /// Summarizes the program, and analyzes the roots if there are any.
    fn analyze(
        &self,
        extent: Extent<'_>,
    ) -> Result<(Summaries, Vec<Source>, Option<RootQuery<'a>>)> {
        let mut summaries = self.summarize(&[], extent)?;
        let mut modules = Vec::new();
        let Some(opened) = self.opened else { return Ok((summaries, modules, None)) };
        let home = &opened.jdk().home;
        let mut add = |name: &str, summaries: &mut Summaries| {
            let is_known = self.program.iter().chain(&modules).any(|source: &Source| {
                source.java_home.is_some() && source.below.as_os_str() == name
            });
            if !is_known {
                let source = sources::module(home, name, self.output)?;
                let progress = StageProgress::start(self.observer, Stage::Reading, source.entries);
                summaries.add(&source, extent, self.reading(), &progress)?;
                modules.push(source);
            }
            Ok(())
        };
        let query = RootQuery::new(opened, self.program, self.selection, &mut summaries, &mut add)?;
        Ok((summaries, modules, Some(query)))
    }

    /// Chooses methods. Hand-offs inside JDK modules are the JDK's own and must not be taken for
    /// the program's.
    fn plan(
        &self,
        modules: &[Source],
        summaries: &Summaries,
        query: Option<&RootQuery<'_>>,
    ) -> Result<Plan> {
        let sources: Vec<&Source> = self.program.iter().chain(modules).collect();
        let rules = self.selection.rules((self.first_id)(&sources));
        let finder = query.map(|query| MethodFinder::new(query, summaries));
        let libraries = self.selection.of_libraries();
        let library = libraries_of(&sources, summaries);
        let is_off = |class: usize| libraries == Libraries::Off && library.contains(&class);
        let passes = |class: usize, method: usize| {
            !is_off(class) && finder.as_ref().is_none_or(|finder| finder.keeps(class, method))
        };
        let filter = (finder.is_some() || library.iter().any(|class| is_off(*class)))
            .then_some(&passes as jfathom_plan::MethodFilter<'_>);
        let mut plan = jfathom_plan::choose_filtered(&summaries.classes, &rules, filter)?;
        for (at, source) in sources.iter().enumerate() {
            if source.java_home.is_some() {
                let classes = plan.classes.get_mut(summaries.range(at)).unwrap_or_default();
                classes.iter_mut().for_each(|class| class.plan.hand_offs = false);
            }
        }
        for class in library {
            let Some(chosen) = plan.classes.get_mut(class) else { continue };
            chosen.is_library = true;
            if libraries == Libraries::Count {
                chosen.plan.entry_alone = EntryAlone::All;
            }
        }
        Ok(plan)
    }
}

/// The indices of the classes of libraries; none if there is nothing else, as where a jar without
/// classes names the program in its `Class-Path`.
fn libraries_of(sources: &[&Source], summaries: &Summaries) -> HashSet<usize> {
    let of_source = |(at, source): (usize, &&Source)| {
        let is_library = source.is_library();
        summaries.range(at).filter(move |class| is_library || summaries.is_in_library(at, *class))
    };
    let has_classes = |source: &&Source| source.input.names().any(|name| name.is_class());
    match sources.iter().any(|source| source.named && has_classes(source)) {
        true => sources.iter().enumerate().flat_map(of_source).collect(),
        false => HashSet::new(),
    }
}

/// The number of entries of the inputs.
pub(crate) fn entries<'a>(sources: impl Iterator<Item = &'a Source>) -> u64 {
    sources.map(|source| source.entries).sum()
}
