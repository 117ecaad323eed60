//! The roots of a live session, looked up in the program's class path before it starts: a root that
//! cannot be found would waste the run.

mod class_makers;

use crate::{
    class_path_entries::Containers,
    error::{Result, usage},
    progress::{Silent, Stage, StageProgress},
    selection::Selection,
    sources::{Source, looked_at},
    summaries::{Extent, Summaries},
};
use class_makers::find_maker;
use jfathom_archive::{Jdk, Work};
use jfathom_plan::{ClassSummary, PlanError, SelectionRules, choose_roots};
use jfathom_reachability::is_jdk_module;
use jfathom_rewriter::Digests;
use std::path::{Path, PathBuf};

/// How a program starts, as far as its command says it.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Entries of its class path, as `java -cp` takes them.
    pub class_path: Vec<PathBuf>,
    /// Entries of its module path.
    pub module_path: Vec<PathBuf>,
    /// What it begins with.
    pub main: LaunchMain,
    /// The home of its Java; none if it is unknown.
    pub java_home: Option<PathBuf>,
    /// Whether its options bring classes from elsewhere.
    pub adds_classes: bool,
}

/// What a program begins with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaunchMain {
    /// A class, by its name with dots.
    Class(String),
    /// The main class of the jar on its class path.
    Jar,
    /// A module, or `module/class`.
    Module(String),
}

/// Looks up the roots and regions of a selection in the classes of a program that is to start.
/// Returns notices about those that are not there, while the program may define them itself.
///
/// # Errors
/// Fails for a root that is not there if no class can come from elsewhere: class and module path
/// are known, all their entries are there, and no class in them uses what defines classes. That is
/// a class loader of its own, a compiler, a script engine, or native code.
pub fn look_up_roots(launch: &Launch, selection: &Selection) -> Result<Vec<String>> {
    let mut containers = Containers::of_class_path(launch.class_path.iter().map(|path| &**path));
    containers.add_module_path(launch.module_path.iter().map(|path| &**path));
    let missing = containers.missing;
    let mut sources = Vec::with_capacity(containers.inputs.len());
    for input in containers.inputs {
        sources.push(looked_at(input)?);
    }
    let requests = requests(selection);
    let named = |name: &str| requests.iter().any(|request| request.may_be_in(name));
    let part = summarize(&sources, selection, Extent::Part(&named))?;
    if failures(&requests, &part.classes).is_empty() {
        return Ok(Vec::new());
    }
    let jdk = launch.java_home.as_deref().and_then(JdkClasses::open);
    let whole = summarize(&sources, selection, Extent::Whole)?;
    let mut notices = Vec::new();
    let mut elsewhere = None;
    for (request, error) in failures(&requests, &whole.classes) {
        let in_jdk = jdk.as_ref().and_then(|jdk| jdk.class_of(request));
        let problem = match (in_jdk, error) {
            (Some(_), _) if selection.include_jdk => continue,
            // The modules of an application in an image of its own are the program's.
            (Some((module, _)), _) if !is_jdk_module(module) => continue,
            (Some((_, class)), PlanError::NoMatch { .. }) => format!(
                "{} {} matches nothing in the program: {class} is the JDK's; with --scheme jdk such methods \
                 are instrumented, and can be roots",
                request.option, request.text
            ),
            (_, error @ (PlanError::Ambiguous { .. } | PlanError::Excluded { .. })) => {
                return Err(error.into());
            }
            (_, error) => error.to_string(),
        };
        let elsewhere = elsewhere.get_or_insert_with(|| {
            other_classes(launch, &sources, &whole.classes, missing.as_deref())
        });
        match elsewhere {
            None => {
                return Err(usage(format!(
                    "{problem} (looked up in the command's class path, and nothing was started)"
                )));
            }
            Some(reason) => notices.push(format!(
                "{problem} (looked up in the command's class path; the program starts all the same, since \
                 {reason})"
            )),
        }
    }
    Ok(notices)
}

/// One root or region.
struct Request {
    option: &'static str,
    text: String,
    rules: SelectionRules,
}

impl Request {
    fn may_be_in(&self, class: &str) -> bool {
        let Self { rules, .. } = self;
        rules.roots.iter().any(|root| root.can_select_in(class))
            || rules.regions.iter().any(|region| region.selector.method.can_select_in(class))
            || rules.include.iter().any(|selector| selector.can_select_in(class))
    }
}

/// The requests that nothing in these classes answers.
fn failures<'r>(
    requests: &'r [Request],
    classes: &[ClassSummary],
) -> Vec<(&'r Request, PlanError)> {
    let failed = |request: &'r Request| {
        choose_roots(classes, &request.rules).err().map(|error| (request, error))
    };
    requests.iter().filter_map(failed).collect()
}

fn requests(selection: &Selection) -> Vec<Request> {
    let SelectionRules { include, roots, regions, .. } = selection.rules(0);
    let (out, roots): (Vec<_>, Vec<_>) = roots.into_iter().partition(|root| root.is_exclusion());
    let exclusions: Vec<_> =
        include.into_iter().filter(|selector| selector.is_exclusion()).chain(out).collect();
    let with = |rules: SelectionRules| SelectionRules { include: exclusions.clone(), ..rules };
    let roots = roots.into_iter().map(|root| Request {
        option: "--root",
        text: root.to_string(),
        rules: with(SelectionRules { roots: vec![root], ..SelectionRules::default() }),
    });
    let regions = regions.into_iter().map(|region| Request {
        option: region.option(),
        text: region.selector.to_string(),
        rules: with(SelectionRules { regions: vec![region], ..SelectionRules::default() }),
    });
    roots.chain(regions).collect()
}

fn summarize(sources: &[Source], selection: &Selection, extent: Extent<'_>) -> Result<Summaries> {
    let mut summaries = Summaries::new(Digests::Omit, selection);
    let entries = sources.iter().map(|source| source.entries).sum();
    let progress = StageProgress::start(&Silent, Stage::Reading, entries);
    for source in sources {
        summaries.add(source, extent, Work::default(), &progress)?;
    }
    summaries.add_meta_annotations(selection);
    Ok(summaries)
}

/// Why classes may come from elsewhere; none if they cannot.
fn other_classes(
    launch: &Launch,
    sources: &[Source],
    classes: &[ClassSummary],
    missing: Option<&Path>,
) -> Option<String> {
    if launch.adds_classes {
        return Some("its options may bring further classes".to_owned());
    }
    if let Some(missing) = missing {
        return Some(format!("{} may have classes later", missing.display()));
    }
    let has_main = match &launch.main {
        LaunchMain::Jar => sources.first().is_some_and(|jar| jar.main_class.is_some()),
        LaunchMain::Class(name) => {
            let internal = name.replace('.', "/");
            classes.iter().any(|class| class.name == internal)
        }
        LaunchMain::Module(name) => {
            let module = name.split('/').next();
            sources.iter().any(|source| source.module.as_deref() == module)
        }
    };
    if !has_main {
        return Some("its main class is not there, and comes from elsewhere".to_owned());
    }
    let maker = sources.iter().find_map(find_maker)?;
    Some(format!("{maker}, which can define such a class"))
}

/// The names of the classes of a Java home.
struct JdkClasses(Vec<jfathom_archive::JdkModule>);

impl JdkClasses {
    fn open(home: &Path) -> Option<Self> {
        Jdk::open(home).ok()?.modules().ok().map(Self)
    }

    /// A module that has a class which a request may be about, and the class.
    fn class_of(&self, request: &Request) -> Option<(&str, String)> {
        self.0.iter().find_map(|module| {
            let names = module.classes.iter().filter_map(|class| class.name.class_name());
            let name = names.into_iter().find(|name| request.may_be_in(name))?;
            Some((&*module.name, jfathom_plan::quoted_class(name)))
        })
    }
}
