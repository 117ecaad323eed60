//! The reachability analysis of a selection: the call subgraph of its roots, and why each method is
//! in it.

use crate::{
    entry_points,
    error::{Error, Result, usage},
    reach::Reach,
    selection::{ProfileUse, Selection},
    sources::Source,
    summaries::Summaries,
};
use jfathom_archive::InputKind;
use jfathom_plan::{
    CallGraph, ClassSummary, MethodKey, MethodSummary, ObjectSource, ProfiledCalls, Selector,
    Unnamed, choose_roots,
};
use jfathom_reachability::{
    ContainerKind, EntryPoints, MethodIx, Query, Reached, RootError, Statistics, World, access,
    find_methods, reach,
};
use jfathom_world::{Cache, JdkInfo, Notice, OpenedWorld, Options, open_inputs};
use std::collections::{BTreeSet, HashSet};

/// Descriptor of `main` (JLS 12.1.4).
pub(crate) const MAIN: &str = "([Ljava/lang/String;)V";

/// Why the analysis starts from a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StartReason {
    /// It is a root.
    Root,
    /// It is an assumed call.
    Assumed,
    /// A profile has calls of it.
    Profiled,
}

/// The answer of the analysis, with the world that it is about.
pub(crate) struct RootQuery<'s> {
    pub(crate) world: World<'s>,
    pub(crate) reached: Reached,
    query: Query,
    pub(crate) roots: Vec<MethodKey>,
    pub(crate) assumed: Vec<MethodKey>,
    pub(crate) objects: ObjectSource,
    pub(crate) profiled: Option<ProfiledCalls>,
    pub(crate) jdk: &'s JdkInfo,
    opening: &'s [Notice],
    /// Counts over the call subgraph, with what could not be followed.
    pub(crate) statistics: Statistics,
    pub(crate) unnamed: Unnamed,
    /// The methods that the analysis starts from, each with the first reason.
    starts: Vec<(MethodIx, StartReason)>,
    /// Classes with a method in the call subgraph.
    classes: HashSet<String>,
}

/// Opens the inputs and the JDK as one world.
pub(crate) fn open<'s>(selection: &Selection, program: &'s [Source]) -> Result<OpenedWorld<'s>> {
    let options = Options {
        cache: if selection.keep_index { Cache::User } else { Cache::Off },
        ..Options::default()
    };
    let inputs = program
        .iter()
        .map(|source| &source.input)
        .filter(|input| input.kind() != InputKind::Module);
    open_inputs(inputs, &options).map_err(Error::World)
}

/// Where objects come from if nobody says it: from the program's methods called `main`, which are
/// returned, if those lead to the roots.
fn objects_of_mains(
    world: &mut World<'_>,
    program: &[Source],
    summaries: &mut Summaries,
    roots: &[MethodIx],
    query: &Query,
) -> Result<(ObjectSource, Vec<MethodIx>)> {
    if !summaries.is_whole() {
        let problem = "methods called main are looked for among all classes";
        return Err(Error::failed("selection", problem));
    }
    let mains = entry_points::mains(world, program, summaries);
    Ok(match entry_points::lead_to(world, &mains, roots, query) {
        true => {
            let keys = mains.iter().map(|&main| world.key(main)).collect();
            (ObjectSource::Mains(keys), mains)
        }
        false => (ObjectSource::Program, Vec::new()),
    })
}

/// The methods that the analysis starts from, sorted, each with the first reason.
fn first_reasons(
    roots: &[MethodIx],
    assumed: &[MethodIx],
    profiled: &[MethodIx],
) -> Vec<(MethodIx, StartReason)> {
    let reasons = [
        (roots, StartReason::Root),
        (assumed, StartReason::Assumed),
        (profiled, StartReason::Profiled),
    ];
    let starts = |(methods, reason): (&[MethodIx], _)| {
        methods.iter().map(move |&method| (method, reason)).collect::<Vec<_>>()
    };
    let mut starts: Vec<_> = reasons.into_iter().flat_map(starts).collect();
    starts.sort_unstable();
    starts.dedup_by_key(|start| start.0);
    starts
}

/// The modules of the JDK with code in the call subgraph.
fn jdk_modules(world: &mut World<'_>, reached: &Reached) -> BTreeSet<String> {
    let mut modules = BTreeSet::new();
    for method in reached.methods() {
        let class = world.class_of_method(method);
        if !world.is_program(class) && world.has_code(method) {
            modules.extend(module_of(world, class));
        }
    }
    modules
}

/// Opens a module of the JDK and summarizes it, unless that is done.
type AddModule<'a> = &'a mut dyn FnMut(&str, &mut Summaries) -> Result<()>;

impl<'s> RootQuery<'s> {
    /// Analyzes the selection's roots. With `include_jdk`, the JDK modules of the call subgraph are
    /// added to the inputs.
    pub(crate) fn new(
        opened: &'s OpenedWorld<'s>,
        program: &[Source],
        selection: &Selection,
        summaries: &mut Summaries,
        add: AddModule<'_>,
    ) -> Result<Self> {
        let mut world = opened.world();
        let root_ixs = roots(&mut world, selection, summaries, add)?;
        let find = |world: &mut World<'_>, option, selectors: &[Selector]| {
            let mut found = BTreeSet::new();
            for selector in selectors {
                positive(option, selector)?;
                found.extend(find(world, &summaries.classes, option, selector)?);
            }
            Ok::<Vec<MethodIx>, Error>(found.into_iter().collect())
        };
        let assumed_ixs = find(&mut world, "--assume-called", &selection.assumed_calls)?;
        let entry_ixs = find(&mut world, "--entry-point", &selection.entry_points)?;
        let (mut profiled, profiled_ixs) = match &selection.profile {
            Some(profile) => profiled_calls(profile, &mut world),
            None => (None, Vec::new()),
        };

        let keys = |world: &World<'_>, ixs: &[MethodIx]| {
            ixs.iter().map(|&ix| world.key(ix)).collect::<Vec<_>>()
        };
        let base_query = Query {
            call_graph: selection.call_graph().unwrap_or_default(),
            services: opened.services().to_vec(),
            ..Query::default()
        };
        let (objects, entry_ixs) = if !entry_ixs.is_empty() {
            (ObjectSource::Entries(keys(&world, &entry_ixs)), entry_ixs)
        } else if root_ixs.iter().all(|&root| is_main(&world, root)) {
            (ObjectSource::Roots, entry_ixs)
        } else {
            objects_of_mains(&mut world, program, summaries, &root_ixs, &base_query)?
        };
        let program_is_empty = world.all_classes(ContainerKind::Program).is_empty();
        if objects == ObjectSource::Program && program_is_empty && selection.reach != Reach::Cha {
            return Err(usage(
                "--root without a program: no class is instantiated; name the program's jars as INPUT, \
                 or its --entry-point, or use --scheme cha",
            ));
        }
        let starts = first_reasons(&root_ixs, &assumed_ixs, &profiled_ixs);
        let query = |with_profiled: bool| {
            let roots: Vec<MethodIx> = starts
                .iter()
                .filter(|(_, reason)| with_profiled || *reason != StartReason::Profiled)
                .map(|(method, _)| *method)
                .collect();
            let entry_points = match objects {
                ObjectSource::Program => EntryPoints::AnyMethod,
                ObjectSource::Roots | ObjectSource::Mains(_) | ObjectSource::Entries(_) => {
                    EntryPoints::Methods(entry_ixs.iter().chain(&roots).copied().collect())
                }
            };
            Query { roots, entry_points, ..base_query.clone() }
        };
        if let Some(profiled) = &mut profiled {
            let without = reach(&mut world, &query(false));
            profiled.found_only = profiled_ixs
                .iter()
                .filter(|&&ix| !without.contains(ix))
                .map(|&ix| world.key(ix))
                .collect();
        }
        let query = query(true);
        let reached = reach(&mut world, &query);
        opened.check_unchanged().map_err(Error::World)?;

        let classes: HashSet<_> =
            reached.methods().map(|method| world.class_of_method(method)).collect();
        let classes = classes.into_iter().map(|class| world.class_name(class)).collect();
        if selection.include_jdk {
            for module in jdk_modules(&mut world, &reached) {
                add(&module, summaries)?;
            }
        }
        let statistics = reached.statistics(&mut world);
        // The call subgraph is known. What follows needs the memory.
        world.free_code();
        Ok(Self {
            roots: keys(&world, &root_ixs),
            assumed: keys(&world, &assumed_ixs),
            objects,
            profiled,
            jdk: opened.jdk(),
            opening: opened.notices(),
            statistics,
            unnamed: Unnamed {
                methods: keys(&world, reached.unnamed()),
                classes: world.all_classes(ContainerKind::Program).len(),
            },
            starts,
            classes,
            world,
            reached,
            query,
        })
    }

    /// Whether a method of the class is in the call subgraph.
    pub(crate) fn has_class(&self, name: &str) -> bool {
        self.classes.contains(name)
    }

    /// Why the analysis starts from a method, if it does.
    pub(crate) fn start(&self, method: MethodIx) -> Option<StartReason> {
        let at = self.starts.binary_search_by_key(&method, |start| start.0).ok()?;
        self.starts.get(at).map(|start| start.1)
    }

    /// The methods that a selector of `option` selects in the program, else in the JDK.
    pub(crate) fn find(
        &mut self,
        summaries: &Summaries,
        option: &'static str,
        selector: &Selector,
    ) -> Result<Vec<MethodIx>> {
        positive(option, selector)?;
        find(&mut self.world, &summaries.classes, option, selector)
    }

    /// Reasons why the answer may surprise, a sentence each; notices about speed only if `verbose`.
    /// The archive crate's notices are not among them: [`Selected`](crate::select::Selected) has
    /// them.
    pub(crate) fn notices(&self, verbose: bool) -> Vec<String> {
        let opening = self.opening.iter().filter(|notice| !matches!(notice, Notice::Container(_)));
        let opening =
            opening.filter(|notice| verbose || !notice.is_detail()).map(Notice::to_string);
        let overloads = self.overloads_of_main().into_iter().map(|main| {
            format!(
                "--root selects {} methods called main of {}; `{main}` is the one that the JVM starts",
                self.roots.iter().filter(|root| root.name == "main" && root.class == main.class).count(),
                main.class.replace('/', "."),
            )
        });
        opening
            .chain(overloads)
            .chain(self.world.notices().iter().map(|notice| notice.to_string()))
            .collect()
    }

    /// Roots that start the program and beside which other methods called `main` are roots.
    fn overloads_of_main(&self) -> Vec<&MethodKey> {
        let others = |main: &MethodKey| {
            self.roots.iter().any(|root| {
                root.name == "main" && root.class == main.class && root.descriptor != MAIN
            })
        };
        let mains = self.roots.iter().filter(|root| root.name == "main" && root.descriptor == MAIN);
        mains.filter(|main| others(main)).collect()
    }

    /// The call subgraph of the same roots by class hierarchy analysis.
    pub(crate) fn by_hierarchy(&mut self) -> Reached {
        let query = Query { call_graph: CallGraph::Cha, ..self.query.clone() };
        reach(&mut self.world, &query)
    }
}

/// The module of the JDK that a class is from.
pub(crate) fn module_of(world: &World<'_>, class: jfathom_reachability::ClassId) -> Option<String> {
    world.container_of(class)?.strip_prefix("jrt:/").map(str::to_owned)
}

fn positive(option: &str, selector: &Selector) -> Result<()> {
    match selector.is_exclusion() {
        true => Err(usage(format!("{option} {selector}: takes no exclusions"))),
        false => Ok(()),
    }
}

/// The roots without the excluded ones. With `include_jdk`, JDK modules with roots are added to the
/// inputs.
fn roots(
    world: &mut World<'_>,
    selection: &Selection,
    summaries: &mut Summaries,
    add: AddModule<'_>,
) -> Result<Vec<MethodIx>> {
    for selector in selection.roots.iter().filter(|selector| !selector.is_exclusion()) {
        let class = match find_methods(world, &summaries.classes, "--root", selector) {
            Ok(_) => continue,
            Err(RootError::InJdk { class, .. }) if selection.include_jdk => class,
            Err(RootError::InJdk { class, .. }) => {
                return Err(usage(format!(
                    "--root {selector}: {class} is in the JDK; choose the program's method that calls it, or add --scheme jdk"
                )));
            }
            Err(error) => return Err(usage(error.to_string())),
        };
        let internal = class.replace('.', "/");
        if jfathom_rewriter::is_used_by_runtime(&internal) {
            return Err(usage(format!(
                "--root {selector}: jfathom's runtime uses {class} itself, so that it is skipped; choose the method that calls it"
            )));
        }
        let id = world.class_by_name(&internal);
        if let Some(module) = module_of(world, id) {
            add(&module, summaries)?;
        }
        find_methods(world, &summaries.classes, "--root", selector)
            .map_err(|error| usage(error.to_string()))?;
    }
    let chosen = choose_roots(&summaries.classes, &selection.rules(0))?;
    let mut found = BTreeSet::new();
    for (class, method) in chosen {
        let Some(class) = summaries.classes.get(class) else { continue };
        let Some(method) = class.methods.get(method) else { continue };
        found.extend(world.method(&class.name, &method.name, &method.descriptor));
    }
    match found.is_empty() {
        true => Err(usage("--root selects no method; a root is a selector without `!`")),
        false => Ok(found.into_iter().collect()),
    }
}

/// The methods that a selector selects in the program, else in the JDK.
fn find(
    world: &mut World<'_>,
    classes: &[ClassSummary],
    option: &'static str,
    selector: &Selector,
) -> Result<Vec<MethodIx>> {
    let found = match find_methods(world, classes, option, selector) {
        Err(RootError::InJdk { class, .. }) => {
            let summary = summary_of(world, &class.replace('.', "/"));
            find_methods(world, &[summary], option, selector)
        }
        found => found,
    };
    found.map_err(|error| usage(error.to_string()))
}

/// What selectors need of a class of the world.
fn summary_of(world: &mut World<'_>, name: &str) -> ClassSummary {
    let class = world.class_by_name(name);
    let methods = world.methods_of(class).map(|method| {
        let key = world.key(method);
        let code_length = world.has_code(method).then_some(1);
        MethodSummary {
            name: key.name,
            descriptor: key.descriptor,
            access: world.access_of(method),
            code_length,
            ..MethodSummary::default()
        }
    });
    ClassSummary { name: name.to_owned(), methods: methods.collect(), ..ClassSummary::default() }
}

pub(crate) fn is_main(world: &World<'_>, method: MethodIx) -> bool {
    let (key, flags) = (world.key(method), world.access_of(method));
    key.name == "main"
        && key.descriptor == MAIN
        && flags & access::STATIC != 0
        && flags & access::PUBLIC != 0
}

/// The methods with calls in the profiles, as far as the world has them.
fn profiled_calls(
    profile: &ProfileUse,
    world: &mut World<'_>,
) -> (Option<ProfiledCalls>, Vec<MethodIx>) {
    let mut calls = ProfiledCalls { profiles: profile.files.clone(), ..ProfiledCalls::default() };
    let mut found = Vec::new();
    for key in &profile.called {
        match world
            .method(&key.class, &key.name, &key.descriptor)
            .filter(|&method| world.has_code(method))
        {
            Some(method) => found.push(method),
            None => calls.unknown += 1,
        }
    }
    calls.called = found.len();
    (Some(calls), found)
}
