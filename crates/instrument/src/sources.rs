//! What is to be rewritten, and where it goes.

use super::Selection;
use crate::{
    failure::{archive, usage},
    java,
    sidecar::OutputFile,
};
use anyhow::Result;
use jfathom_archive::{Destination, Input, InputKind, Limits, Notice, destinations, open_all};
use jfathom_plan::{MANIFEST_PATH, Manifest, Placement};
use std::path::{Path, PathBuf};

/// The folder of a war that its class loader searches.
pub(crate) const WAR_CLASSES: &str = "WEB-INF/classes/";

/// One jar, class directory or module.
pub(crate) struct Source {
    pub(crate) input: Input,
    /// Where it goes; none in a dry run.
    pub(crate) destination: Option<Destination>,
    /// The same below the output directory.
    pub(crate) below: PathBuf,
    /// Its further names there.
    pub(crate) links: Vec<PathBuf>,
    /// Where it comes from, as an absolute path; the name of a JDK module.
    pub(crate) origin: PathBuf,
    /// Whether the user named it, rather than another jar's `Class-Path`.
    pub(crate) named: bool,
    /// Its size in bytes, or that of its classes, before.
    pub(crate) bytes: u64,
    /// How many entries it has.
    pub(crate) entries: u64,
    /// The module that its descriptor declares.
    pub(crate) module: Option<String>,
    /// The Java home of a JDK module.
    pub(crate) java_home: Option<PathBuf>,
    /// The `Main-Class` of its manifest, where `java -jar` can start it.
    pub(crate) main_class: Option<String>,
    /// The folder in it where its class loader finds classes: empty for the top.
    pub(crate) class_folder: &'static str,
}

/// The directory that a rewriting writes to.
#[derive(Clone, Copy)]
pub(crate) struct Output<'a> {
    pub(crate) directory: &'a Path,
    /// Whether what is there is replaced.
    pub(crate) force: bool,
}

/// Opens all inputs and refuses those that cannot be rewritten, before any work is done.
pub(super) fn open(
    selection: &Selection,
    placement: Placement,
    output: Option<Output<'_>>,
) -> Result<(Vec<Source>, Vec<Notice>)> {
    if let Some(Output { directory, .. }) =
        output.filter(|it| it.directory.exists() && !it.directory.is_dir())
    {
        return Err(usage(format!(
            "{}: is a file; -o names the directory for what is rewritten",
            directory.display()
        )));
    }
    let opened = open_all(&selection.inputs, !selection.no_follow_class_path, &Limits::default())
        .map_err(archive)?;
    let mut inputs = opened.inputs;
    let mut java_home = None;
    if !selection.module.is_empty() {
        let home = java::home(selection.jdk.as_deref())?;
        for module in &selection.module {
            inputs.push(Input::open_module(&home, module).map_err(archive)?);
        }
        java_home = Some(home);
    }
    inputs.iter().try_for_each(refuse_rewritten)?;
    let sources = placed(inputs, &selection.inputs, java_home.as_deref(), output)?;
    if placement == Placement::JavaBase && java_home.is_none() && !selection.jdk_methods {
        return Err(usage(
            "--placement java-base needs --module NAME: the modules of the JDK to rewrite",
        ));
    }
    Ok((sources, opened.notices))
}

/// A module of the JDK at `home`.
pub(super) fn module(home: &Path, name: &str, output: Option<Output<'_>>) -> Result<Source> {
    let input = Input::open_module(home, name).map_err(archive)?;
    let sources = placed(vec![input], &[], Some(home), output)?;
    sources.into_iter().next().ok_or_else(|| anyhow::anyhow!("{name}: no such module"))
}

/// What an output was made from, to be rewritten another time to the same place below another
/// directory.
pub(crate) fn again(output: &OutputFile, holds_runtime: bool, directory: &Path) -> Result<Source> {
    let input = match &output.java_home {
        Some(home) => {
            Input::open_module(home, &output.source.to_string_lossy()).map_err(archive)?
        }
        None => Input::open(&output.source).map_err(archive)?,
    };
    let path = directory.join(&output.path);
    let destination = match input.kind() {
        InputKind::Module => Destination::patch(path),
        _ => Destination::whole(path)
            .links(output.links.iter().map(|link| directory.join(link)).collect()),
    };
    let source = source(input, Some(destination), &[], output.java_home.as_deref())?;
    Ok(Source {
        named: holds_runtime,
        below: output.path.clone(),
        links: output.links.clone(),
        ..source
    })
}

fn placed(
    inputs: Vec<Input>,
    named: &[PathBuf],
    java_home: Option<&Path>,
    output: Option<Output<'_>>,
) -> Result<Vec<Source>> {
    let mut places = match output {
        Some(output) => destinations(&inputs, output.directory, output.force).map_err(archive)?,
        None => Vec::new(),
    }
    .into_iter();
    inputs.into_iter().map(|input| source(input, places.next(), named, java_home)).collect()
}

/// The bytes of the class files of sources, as their containers state them; those of nested jars as
/// the jars are packed.
pub(super) fn class_bytes(sources: &[Source]) -> u64 {
    let of = |source: &Source| -> u64 {
        let names = source.input.names().zip(source.input.sizes());
        names
            .filter(|(name, _)| name.is_class() || name.is_nested_archive())
            .map(|(_, size)| size)
            .sum()
    };
    sources.iter().map(of).sum()
}

fn source(
    input: Input,
    destination: Option<Destination>,
    named: &[PathBuf],
    java_home: Option<&Path>,
) -> Result<Source> {
    let (below, links) = (input.relative_path().to_owned(), input.links().to_owned());
    let container = input.place().container().to_owned();
    let is_module = input.kind() == InputKind::Module;
    let manifest = input.manifest().map_err(archive)?;
    let main_class =
        manifest.as_ref().and_then(|manifest| manifest.main().get("Main-Class")).map(str::to_owned);
    let is_war = input.names().any(|name| name.as_bytes().starts_with(b"WEB-INF/"));
    Ok(Source {
        named: named.contains(&container),
        bytes: match input.kind() {
            InputKind::Archive => {
                std::fs::metadata(&container).map_or(0, |metadata| metadata.len())
            }
            _ => 0,
        },
        entries: input.names().count() as u64,
        module: match is_module {
            true => Some(below.display().to_string()),
            false => module_of(&input)?,
        },
        origin: match is_module {
            true => below.clone(),
            false => container.canonicalize().unwrap_or(container),
        },
        java_home: java_home.filter(|_| is_module).map(Path::to_owned),
        main_class,
        class_folder: if is_war { WAR_CLASSES } else { "" },
        input,
        destination,
        below,
        links,
    })
}

/// The name that the module descriptor declares; a multi-release jar may keep its descriptor with
/// the versions.
fn module_of(input: &Input) -> Result<Option<String>> {
    let descriptor =
        |name: &str| name == "module-info.class" || name.ends_with("/module-info.class");
    let names = input.names().filter_map(|name| name.as_str());
    let Some(name) = names
        .filter(|name| descriptor(name) && !name.starts_with("WEB-INF/"))
        .min_by_key(|name| name.len())
    else {
        return Ok(None);
    };
    let bytes = input.read(name).map_err(archive)?.unwrap_or_default();
    // A descriptor that cannot be read makes no module; the JVM will say so.
    Ok(jfathom_rewriter::module_name(&bytes).unwrap_or(None))
}

fn refuse_rewritten(input: &Input) -> Result<()> {
    for folder in ["", WAR_CLASSES] {
        let Some(bytes) = input.read(&format!("{folder}{MANIFEST_PATH}")).map_err(archive)? else {
            continue;
        };
        let by = Manifest::from_json(&bytes)
            .map_or_else(|_| "jfathom".to_owned(), |manifest| manifest.tool);
        return Err(usage(format!(
            "{}: was rewritten by {by} already; rewrite the original instead",
            input.place()
        )));
    }
    Ok(())
}

/// What the user should know about the inputs with this placement.
pub(crate) fn remarks(sources: &[&Source], placement: Placement) -> Vec<String> {
    let mut remarks = Vec::new();
    for source in sources {
        let place = source.input.place();
        let is_ear =
            source.below.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ear"));
        if placement == Placement::Main && is_ear {
            remarks.push(format!(
                "{place}: the parts of an ear have class loaders of their own; use --placement boot"
            ));
        }
        if let (Placement::Main, Some(module), true) =
            (placement, &source.module, sources.len() > 1)
        {
            remarks.push(format!(
                "{place}: is module {module}; on a module path (`java -p`) two rewritten modules need --placement modular"
            ));
        }
    }
    if placement == Placement::Modular && sources.iter().all(|source| source.module.is_none()) {
        remarks.push(
            "no input has a module descriptor; automatic modules read the runtime without --add-reads".to_owned(),
        );
    }
    remarks
}
