//! What the roots reach, by the policies that walk.

use super::{CallGraphArg, Selection, Source, Surveyed, entry};
use crate::{failure::usage, report};
use anyhow::Result;
use jfathom_archive::InputKind;
use jfathom_plan::{ClassSummary, MethodKey, MethodSummary, Selector, choose_roots};
use jfathom_reachability::{
    CallGraph as Reach, EntryPoints, MethodIx, Query, Reached, RootError, Statistics, World,
    access, find_methods, reach,
};
use jfathom_world::{Cache, JdkInfo, Notice, OpenedWorld, Options, open_inputs};
use std::{
    collections::{BTreeSet, HashSet},
    path::PathBuf,
};

/// Descriptor of `main` (JLS 12.1.4).
pub(super) const MAIN: &str = "([Ljava/lang/String;)V";

/// Who made the objects that roots find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ObjectSource {
    /// What the roots themselves can make: each is a `main`.
    Roots,
    /// Any method of the program may have made them before.
    Program,
    /// What these `main` methods and the roots can make: manifests name them, or there is no other.
    Mains(Vec<MethodKey>),
    /// What these methods and the roots can make.
    Entries(Vec<MethodKey>),
}

/// Why a walk begins with a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StartReason {
    Root,
    Also,
    Seen,
}

/// Methods that ask for classes by names of which no part is known: what those classes do may be
/// missing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unnamed {
    pub(crate) methods: Vec<MethodKey>,
    /// How many classes of the program there are to be meant.
    pub(crate) classes: usize,
}

/// What profiles added.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProfiledCalls {
    pub(crate) profiles: Vec<PathBuf>,
    /// Methods that they saw called and that are here.
    pub(crate) called: usize,
    /// Methods that they saw called and that are nowhere here.
    pub(crate) unknown: usize,
    /// Methods that only the profiles told: without them the roots do not reach these.
    pub(crate) found_only: Vec<MethodKey>,
}

/// The answer of a walk, with the world that it went through.
pub(crate) struct RootQuery<'s> {
    pub(crate) world: World<'s>,
    pub(crate) reached: Reached,
    pub(crate) question: Query,
    pub(crate) roots: Vec<MethodKey>,
    pub(crate) also: Vec<MethodKey>,
    pub(crate) objects: ObjectSource,
    pub(crate) seen: Option<ProfiledCalls>,
    pub(crate) jdk: &'s JdkInfo,
    pub(crate) opening: &'s [Notice],
    /// Counts over what is reached, with what could not be followed.
    pub(crate) statistics: Statistics,
    pub(crate) unnamed: Unnamed,
    /// Where the walk begins, each with the first reason for it.
    starts: Vec<(MethodIx, StartReason)>,
    /// Classes of which a method is reached.
    classes: HashSet<String>,
}

/// Opens the inputs and the JDK as one world.
pub(super) fn open<'s>(selection: &Selection, program: &'s [Source]) -> Result<OpenedWorld<'s>> {
    let options = Options {
        jdk: selection.jdk.clone(),
        cache: if selection.no_cache { Cache::Off } else { Cache::User },
        threads: selection.jobs,
        ..Options::default()
    };
    let inputs = program
        .iter()
        .map(|source| &source.input)
        .filter(|input| input.kind() != InputKind::Module);
    open_inputs(inputs, &options).map_err(|error| match &error {
        jfathom_world::Error::NoJdk => anyhow::anyhow!("{error}; --policy total needs none"),
        _ if error.is_usage() => usage(error.to_string()),
        _ => anyhow::anyhow!("{error}"),
    })
}

/// Opens a module of the JDK and surveys it, unless that is done.
type AddModule<'a> = &'a mut dyn FnMut(&str, &mut Surveyed) -> Result<()>;

impl<'s> RootQuery<'s> {
    /// Walks from the roots. With `--jdk-methods` the modules of what is reached are added to the
    /// inputs.
    pub(super) fn new(
        opened: &'s OpenedWorld<'s>,
        program: &[Source],
        selection: &Selection,
        surveyed: &mut Surveyed,
        add: AddModule<'_>,
    ) -> Result<Self> {
        let mut world = opened.world();
        let root_ixs = roots(&mut world, selection, surveyed, add)?;
        let find = |world: &mut World<'_>, option, selectors: &[Selector]| {
            let mut found = BTreeSet::new();
            for selector in selectors {
                positive(option, selector)?;
                found.extend(find(world, &surveyed.classes, option, selector)?);
            }
            Ok::<Vec<MethodIx>, anyhow::Error>(found.into_iter().collect())
        };
        let also_ixs = find(&mut world, "--also", &selection.also)?;
        let entry_ixs = find(&mut world, "--entry", &selection.entry)?;
        let (mut seen, seen_ixs) = seen(&called(selection)?, &mut world, selection);

        let keys = |world: &World<'_>, ixs: &[MethodIx]| {
            ixs.iter().map(|&ix| world.key(ix)).collect::<Vec<_>>()
        };
        let asked = Query {
            policy: reach_by(selection.policy),
            services: opened.services().to_vec(),
            ..Query::default()
        };
        let mut seed_ixs = entry_ixs;
        let objects = if !seed_ixs.is_empty() {
            ObjectSource::Entries(keys(&world, &seed_ixs))
        } else if root_ixs.iter().all(|&root| is_main(&world, root)) {
            ObjectSource::Roots
        } else {
            if !surveyed.is_whole() {
                anyhow::bail!("the methods called main are looked for among all classes");
            }
            let mains = entry::mains(&mut world, program, surveyed);
            match entry::lead_to(&mut world, &mains, &root_ixs, &asked) {
                true => {
                    seed_ixs = mains;
                    ObjectSource::Mains(keys(&world, &seed_ixs))
                }
                false => ObjectSource::Program,
            }
        };
        let program_is_empty =
            world.all_classes(jfathom_reachability::ContainerKind::Program).is_empty();
        if objects == ObjectSource::Program
            && program_is_empty
            && selection.policy != CallGraphArg::Cha
        {
            return Err(usage(
                "--root without a program: nothing says which objects there are; name the program's jars as INPUT, \
                 or --entry, or take --policy cha",
            ));
        }
        let mut starts: Vec<(MethodIx, StartReason)> = Vec::new();
        for (ixs, start) in [
            (&root_ixs, StartReason::Root),
            (&also_ixs, StartReason::Also),
            (&seen_ixs, StartReason::Seen),
        ] {
            starts.extend(ixs.iter().map(|&ix| (ix, start)));
        }
        starts.sort_unstable();
        starts.dedup_by_key(|start| start.0);
        let question = |with_seen: bool| {
            let roots: Vec<MethodIx> = starts
                .iter()
                .filter(|it| with_seen || it.1 != StartReason::Seen)
                .map(|it| it.0)
                .collect();
            let seeds = match objects {
                ObjectSource::Program => EntryPoints::AnyMethod,
                ObjectSource::Roots | ObjectSource::Mains(_) | ObjectSource::Entries(_) => {
                    EntryPoints::Methods(seed_ixs.iter().chain(&roots).copied().collect())
                }
            };
            Query { roots, seeds, ..asked.clone() }
        };
        if let Some(seen) = &mut seen {
            let without = reach(&mut world, &question(false));
            seen.found_only = seen_ixs
                .iter()
                .filter(|&&ix| !without.contains(ix))
                .map(|&ix| world.key(ix))
                .collect();
        }
        let question = question(true);
        let reached = reach(&mut world, &question);

        let mut classes = HashSet::new();
        let mut modules = BTreeSet::new();
        for method in reached.methods() {
            let class = world.class_of_method(method);
            classes.insert(class);
            if selection.jdk_methods && !world.is_program(class) && world.has_code(method) {
                modules.extend(module_of(&world, class));
            }
        }
        let classes = classes.into_iter().map(|class| world.class_name(class)).collect();
        for module in modules {
            add(&module, surveyed)?;
        }
        Ok(Self {
            roots: keys(&world, &root_ixs),
            also: keys(&world, &also_ixs),
            objects,
            seen,
            jdk: opened.jdk(),
            opening: opened.notices(),
            statistics: reached.statistics(&mut world),
            unnamed: Unnamed {
                methods: keys(&world, reached.unnamed()),
                classes: world.all_classes(jfathom_reachability::ContainerKind::Program).len(),
            },
            starts,
            classes,
            world,
            reached,
            question,
        })
    }

    /// Whether a method is reached. In a container with classes for several releases of Java,
    /// methods that the walked version of a class does not have go with their class.
    pub(crate) fn keeps(&self, surveyed: &Surveyed, class: usize, method: usize) -> bool {
        let Some(class) =
            surveyed.classes.get(class).filter(|class| self.classes.contains(&class.name))
        else {
            return false;
        };
        let Some(method) = class.methods.get(method) else { return false };
        match self.world.loaded_method(&class.name, &method.name, &method.descriptor) {
            Some(known) => self.reached.contains(known),
            None => surveyed.versioned.contains(&class.name),
        }
    }

    /// Whether something of a class is reached.
    pub(crate) fn has_class(&self, name: &str) -> bool {
        self.classes.contains(name)
    }

    /// Why the walk begins with a method, if it does.
    pub(crate) fn start(&self, method: MethodIx) -> Option<StartReason> {
        let at = self.starts.binary_search_by_key(&method, |start| start.0).ok()?;
        self.starts.get(at).map(|start| start.1)
    }

    /// The methods that a selector of `option` selects in the program, else in the JDK.
    pub(crate) fn find(
        &mut self,
        surveyed: &Surveyed,
        option: &'static str,
        selector: &Selector,
    ) -> Result<Vec<MethodIx>> {
        positive(option, selector)?;
        find(&mut self.world, &surveyed.classes, option, selector)
    }

    /// What may make the answer other than one thinks, a sentence each; with what is about speed
    /// only where `verbose`. What archive noticed is left out: it tells that itself.
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

    /// What class hierarchy analysis reaches from the same roots.
    pub(crate) fn by_hierarchy(&mut self) -> Reached {
        let question = Query { policy: Reach::Cha, ..self.question.clone() };
        reach(&mut self.world, &question)
    }
}

/// The walk of a policy; there is none of `total`.
fn reach_by(policy: CallGraphArg) -> Reach {
    match policy {
        CallGraphArg::Static | CallGraphArg::Total => Reach::Rta,
        CallGraphArg::Cha => Reach::Cha,
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

/// The roots, without those that are excluded. Modules with roots are added with `--jdk-methods`.
fn roots(
    world: &mut World<'_>,
    selection: &Selection,
    surveyed: &mut Surveyed,
    add: AddModule<'_>,
) -> Result<Vec<MethodIx>> {
    for selector in selection.root.iter().filter(|it| !it.is_exclusion()) {
        let class = match find_methods(world, &surveyed.classes, "--root", selector) {
            Ok(_) => continue,
            Err(RootError::InJdk { class, .. }) if selection.jdk_methods => class,
            Err(RootError::InJdk { class, .. }) => {
                return Err(usage(format!(
                    "--root {selector}: {class} is in the JDK; choose the program's method that calls it, or give --jdk-methods"
                )));
            }
            Err(error) => return Err(usage(error.to_string())),
        };
        let internal = class.replace('.', "/");
        if jfathom_rewriter::is_used_by_runtime(&internal) {
            return Err(usage(format!(
                "--root {selector}: jfathom's runtime uses {class} itself and leaves it alone; choose the method that calls it"
            )));
        }
        let id = world.class(internal.as_bytes());
        if let Some(module) = module_of(world, id) {
            add(&module, surveyed)?;
        }
        find_methods(world, &surveyed.classes, "--root", selector)
            .map_err(|error| usage(error.to_string()))?;
    }
    let chosen = choose_roots(&surveyed.classes, &selection.rules(0))
        .map_err(|error| usage(error.to_string()))?;
    let mut found = BTreeSet::new();
    for (class, method) in chosen {
        let Some(class) = surveyed.classes.get(class) else { continue };
        let Some(method) = class.methods.get(method) else { continue };
        found.extend(world.method(&class.name, &method.name, &method.descriptor));
    }
    match found.is_empty() {
        true => Err(usage("--root leaves no method; a root is a selector without `!`")),
        false => Ok(found.into_iter().collect()),
    }
}

/// The methods that a selector selects in the program, else in the JDK.
fn find(
    world: &mut World<'_>,
    surveys: &[ClassSummary],
    option: &'static str,
    selector: &Selector,
) -> Result<Vec<MethodIx>> {
    let found = match find_methods(world, surveys, option, selector) {
        Err(RootError::InJdk { class, .. }) => {
            let survey = survey_of(world, &class.replace('.', "/"));
            find_methods(world, &[survey], option, selector)
        }
        found => found,
    };
    found.map_err(|error| usage(error.to_string()))
}

/// What selectors see of a class of the world.
fn survey_of(world: &mut World<'_>, name: &str) -> ClassSummary {
    let class = world.class(name.as_bytes());
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

pub(super) fn is_main(world: &World<'_>, method: MethodIx) -> bool {
    let (key, flags) = (world.key(method), world.access_of(method));
    key.name == "main"
        && key.descriptor == MAIN
        && flags & access::STATIC != 0
        && flags & access::PUBLIC != 0
}

/// The methods that the profiles of `--seen` saw called.
fn called(selection: &Selection) -> Result<BTreeSet<MethodKey>> {
    let mut called = BTreeSet::new();
    for path in &selection.seen {
        let profile = report::read(path)?;
        let methods =
            profile.methods.iter().filter(|method| method.entries > 0 || method.virtual_calls > 0);
        called.extend(methods.map(|method| method.info.key.clone()));
    }
    Ok(called)
}

fn seen(
    called: &BTreeSet<MethodKey>,
    world: &mut World<'_>,
    selection: &Selection,
) -> (Option<ProfiledCalls>, Vec<MethodIx>) {
    if selection.seen.is_empty() {
        return (None, Vec::new());
    }
    let mut seen = ProfiledCalls { profiles: selection.seen.clone(), ..ProfiledCalls::default() };
    let mut found = Vec::new();
    for key in called {
        match world
            .method(&key.class, &key.name, &key.descriptor)
            .filter(|&method| world.has_code(method))
        {
            Some(method) => found.push(method),
            None => seen.unknown += 1,
        }
    }
    seen.called = found.len();
    (Some(seen), found)
}
