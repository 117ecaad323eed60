//! The inputs of a request, opened, each with its destination.

use crate::{
    error::{Error, Result, usage},
    java_home, kept,
    selection::{Libraries, Selection},
    sidecar::OutputFile,
};
use jfathom_archive::{Destination, Input, InputKind, Limits, Notice, destinations, open_all};
use jfathom_plan::{MANIFEST_PATH, Manifest, Placement};
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
};

/// The folder of a war that its class loader searches.
pub(crate) const WAR_CLASSES: &str = "WEB-INF/classes/";

/// One jar, class directory or module.
pub(crate) struct Source {
    pub(crate) input: Input,
    /// Where it is written; `None` in a dry run.
    pub(crate) destination: Option<Destination>,
    /// Its path below the output directory.
    pub(crate) below: PathBuf,
    /// Further names of it there.
    pub(crate) links: Vec<PathBuf>,
    /// Its absolute path; the name of a JDK module.
    pub(crate) origin: PathBuf,
    /// Whether the user named it, rather than another jar's `Class-Path`.
    pub(crate) named: bool,
    /// The size of a jar in bytes; 0 for anything else.
    pub(crate) bytes: u64,
    /// The number of its entries.
    pub(crate) entries: u64,
    /// The module that its descriptor declares.
    pub(crate) module: Option<String>,
    /// The Java home of a JDK module.
    pub(crate) java_home: Option<PathBuf>,
    /// The `Main-Class` of its manifest, where `java -jar` can start it.
    pub(crate) main_class: Option<String>,
    /// The folder in it where its class loader finds classes; empty for the top.
    pub(crate) class_folder: &'static str,
}

impl Source {
    /// Whether it is a library of the inputs.
    pub(crate) fn is_library(&self) -> bool {
        !self.named && self.java_home.is_none()
    }

    /// Where it is written.
    pub(crate) fn destination(&self) -> Result<&Destination> {
        let missing = || Error::failed(self.input.location(), "has no destination");
        self.destination.as_ref().ok_or_else(missing)
    }
}

/// The directory that a rewriting writes to.
#[derive(Clone, Copy)]
pub(crate) struct Output<'a> {
    pub(crate) directory: &'a Path,
    /// Whether existing outputs are replaced.
    pub(crate) force: bool,
}

/// The inputs of a request.
pub(crate) struct Opened {
    pub(crate) sources: Vec<Source>,
    /// Outputs of further inputs that an earlier run has written.
    pub(crate) kept: Vec<PathBuf>,
    pub(crate) notices: Vec<Notice>,
}

/// Opens all inputs and refuses those that cannot be rewritten, before any work is done.
pub(crate) fn open(
    selection: &Selection,
    placement: Placement,
    output: Option<Output<'_>>,
) -> Result<Opened> {
    if let Some(Output { directory, .. }) =
        output.filter(|output| output.directory.exists() && !output.directory.is_dir())
    {
        return Err(usage(format!(
            "{}: is a file; -o names the directory for what is rewritten",
            directory.display()
        )));
    }
    selection.inputs.iter().try_for_each(|input| refuse_jmod(input))?;
    let opened =
        open_all(&selection.inputs, selection.libraries != Libraries::Off, &Limits::default())?;
    let mut inputs = opened.inputs;
    let mut java_home = None;
    if !selection.modules.is_empty() {
        let home = java_home::java_home()?;
        for module in &selection.modules {
            inputs.push(Input::open_module(&home, module)?);
        }
        java_home = Some(home);
    }
    inputs.iter().try_for_each(refuse_rewritten)?;
    let (mut kept, mut renewed) = (Vec::new(), HashSet::new());
    if let Some(output) = output {
        let remaining = kept::remaining(inputs, selection, placement, output)?;
        (inputs, kept, renewed) = (remaining.inputs, remaining.kept, remaining.renewed);
    }
    let sources = placed(inputs, &selection.inputs, java_home.as_deref(), output, &renewed)?;
    if placement == Placement::JavaBase && java_home.is_none() && !selection.include_jdk {
        return Err(usage(
            "--placement java-base needs the JDK modules to rewrite, such as jrt:/java.base",
        ));
    }
    let mut notices = opened.notices;
    let left_out = |notice: &&Notice| matches!(notice, Notice::LeftOut { .. });
    for source in &sources {
        notices.extend(source.input.notices().iter().filter(left_out).cloned());
    }
    Ok(Opened { sources, kept, notices })
}

/// A module of the JDK at `home`.
pub(crate) fn module(home: &Path, name: &str, output: Option<Output<'_>>) -> Result<Source> {
    let input = Input::open_module(home, name)?;
    let sources = placed(vec![input], &[], Some(home), output, &HashSet::new())?;
    sources.into_iter().next().ok_or_else(|| Error::failed(name, "no such module"))
}

/// The source of an output, with the same place below another directory as its destination.
pub(crate) fn reopen(output: &OutputFile, holds_runtime: bool, directory: &Path) -> Result<Source> {
    let input = match &output.java_home {
        Some(home) => Input::open_module(home, &output.source.to_string_lossy())?,
        None => Input::open(&output.source)?,
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

/// A container that is only looked at.
pub(crate) fn looked_at(input: Input) -> Result<Source> {
    source(input, None, &[], None)
}

fn placed(
    inputs: Vec<Input>,
    named: &[PathBuf],
    java_home: Option<&Path>,
    output: Option<Output<'_>>,
    renewed: &HashSet<PathBuf>,
) -> Result<Vec<Source>> {
    let mut places = match output {
        Some(output) => destinations(&inputs, output.directory, |input: &Input| {
            output.force || renewed.contains(input.location().container())
        })?,
        None => Vec::new(),
    }
    .into_iter();
    inputs.into_iter().map(|input| source(input, places.next(), named, java_home)).collect()
}

/// The bytes of the class files of sources, as their containers state them. Nested jars count as
/// packed.
pub(crate) fn class_bytes(sources: &[Source]) -> u64 {
    let of_source = |source: &Source| -> u64 {
        let names = source.input.names().zip(source.input.sizes());
        names
            .filter(|(name, _)| name.is_class() || name.is_nested_archive())
            .map(|(_, size)| size)
            .sum()
    };
    sources.iter().map(of_source).sum()
}

fn source(
    input: Input,
    destination: Option<Destination>,
    named: &[PathBuf],
    java_home: Option<&Path>,
) -> Result<Source> {
    let (below, links) = (input.relative_path().to_owned(), input.links().to_owned());
    let container = input.location().container().to_owned();
    let is_module = input.kind() == InputKind::Module;
    let manifest = input.manifest()?;
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
    let bytes = input.read(name)?.unwrap_or_default();
    // A descriptor that cannot be read declares no module; the JVM reports it.
    Ok(jfathom_rewriter::module_name(&bytes).unwrap_or(None))
}

/// A jmod file is read by `jlink` alone, so that its classes run from an image only.
fn refuse_jmod(input: &Path) -> Result<()> {
    match input.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jmod")) {
        true => Err(usage(format!(
            "{}: is a jmod file, which no JVM runs; record the image that jlink makes of it live \
             (jfathom record --root SELECTOR -- IMAGE/bin/java -m MODULE), or rewrite the jar or the \
             classes that it was made of",
            input.display()
        ))),
        false => Ok(()),
    }
}

fn refuse_rewritten(input: &Input) -> Result<()> {
    for folder in ["", WAR_CLASSES] {
        let Some(bytes) = input.read(&format!("{folder}{MANIFEST_PATH}"))? else {
            continue;
        };
        let by = Manifest::from_json(&bytes)
            .map_or_else(|_| "jfathom".to_owned(), |manifest| manifest.tool);
        return Err(usage(format!(
            "{}: was rewritten by {by} already; rewrite the original instead",
            input.location()
        )));
    }
    Ok(())
}

/// Warnings about inputs that may not find the runtime with this placement.
pub(crate) fn remarks(sources: &[&Source], placement: Placement) -> Vec<String> {
    let mut remarks = Vec::new();
    for source in sources {
        let place = source.input.location();
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
