//! `jfathom inspect`: what was rewritten, by what plan, and what was left alone.

mod code;

use crate::{
    messages,
    rewritten::{Rewritten, RuntimeAt, files},
    sidecar::{Run, Sidecar},
};
use anyhow::{Result, bail};
use jfathom_plan::{IdRange, MANIFEST_PATH, MethodKey, Placement, Skip, SkipReason};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Show what was rewritten in a jar, by what plan, and what was left alone
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
Examples:
  jfathom inspect out/app.jar
  jfathom inspect out --skips         everything in the directory, with each thing that was left alone
  jfathom inspect out/app.jar --methods | grep Engine
  jfathom inspect out/app.jar --code 'com.acme.Engine::run'
                                      its bytecode, and the original's, as another reader than jfathom's reads them
  jfathom inspect out/app.jar --json  for programs")]
pub(crate) struct Args {
    /// A rewritten jar or class directory, or the directory that `jfathom rewrite -o` wrote
    #[arg(value_name = "OUT")]
    path: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// List what was left alone, with the reasons
    #[arg(long)]
    skips: bool,
    /// List the instrumented methods with their ids
    #[arg(long)]
    methods: bool,
    /// Show the bytecode of a method, com.acme.Engine::run or com.acme.Engine::run(I)V, before and
    /// after, with the probes marked
    #[arg(long, value_name = "CLASS::METHOD", conflicts_with_all = ["json", "skips", "methods"])]
    code: Option<String>,
}

/// What is shown of one file; also the JSON form.
#[derive(Debug, Serialize)]
pub(crate) struct Inspection {
    pub(crate) path: PathBuf,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<PathBuf>,
    pub(crate) tool: String,
    pub(crate) plan: String,
    pub(crate) placement: Placement,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) module: Option<String>,
    pub(crate) ids: IdRange,
    pub(crate) class_count: usize,
    pub(crate) method_count: usize,
    /// Whether probes record only inside the roots.
    pub(crate) rooted: bool,
    pub(crate) roots: Vec<String>,
    /// The selectors that named the roots of the whole plan.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) root_selectors: Vec<String>,
    /// How far the roots reach: `static`, `cha`, `total`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) policy: Option<String>,
    /// Where the runtime is; none where it is missing.
    pub(crate) runtime: Option<String>,
    /// The JVM flags that a program with this file needs.
    pub(crate) flags: Vec<String>,
    /// How many were left alone, by reason.
    pub(crate) left_alone: BTreeMap<SkipReason, usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) skips: Vec<Skip>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) methods: Vec<InspectedMethod>,
}

/// One instrumented method.
#[derive(Debug, Serialize)]
pub(crate) struct InspectedMethod {
    pub(crate) id: u32,
    /// `com.acme.Engine::run(I)V`.
    pub(crate) name: String,
    /// `Engine.java`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u16>,
    pub(crate) digest: String,
    pub(crate) root: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if let Some(wanted) = &args.code {
        return code::run(&args.path, wanted);
    }
    let mut shown = Vec::new();
    for path in files(&args.path)? {
        let file = Rewritten::open(&path)?;
        match inspect(&file, args)? {
            Some(inspection) => shown.push(inspection),
            None if path == args.path => {
                bail!("{}: holds no {MANIFEST_PATH}; it was not rewritten", path.display())
            }
            None => {}
        }
    }
    let text = match args.json {
        true => serde_json::to_string_pretty(&shown)? + "\n",
        false => messages::inspect::text(&shown),
    };
    messages::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn inspect(file: &Rewritten, args: &Args) -> Result<Option<Inspection>> {
    let Some(manifest) = &file.manifest else { return Ok(None) };
    let key = |class: &str, name: &str, descriptor: &str| {
        let (class, name, descriptor) = (class.to_owned(), name.to_owned(), descriptor.to_owned());
        MethodKey { class, name, descriptor }.selector()
    };
    let all = || {
        manifest.methods().map(|(class, method)| {
            (class, method, key(&class.name, &method.name, &method.descriptor))
        })
    };
    let methods = all().filter(|_| args.methods).map(|(class, method, name)| InspectedMethod {
        id: method.id.get(),
        name,
        source: class.source.clone(),
        line: method.line,
        digest: method.digest.to_string(),
        root: method.root,
    });
    let mut left_alone: BTreeMap<SkipReason, usize> =
        messages::by_reason(manifest.skips.iter()).into_iter().collect();
    for (reason, count) in &manifest.omitted {
        *left_alone.entry(*reason).or_default() += *count as usize;
    }
    Ok(Some(Inspection {
        path: file.path.clone(),
        source: file.origin.as_ref().map(|(_, origin)| origin.source.clone()),
        tool: manifest.tool.clone(),
        plan: manifest.plan.to_string(),
        placement: manifest.placement,
        module: manifest.module.clone(),
        ids: manifest.ids,
        class_count: manifest.classes.len(),
        method_count: manifest.methods().count(),
        rooted: manifest.rooted,
        roots: all().filter(|(_, method, _)| method.root).map(|(_, _, name)| name).collect(),
        root_selectors: manifest.roots.clone(),
        policy: manifest.policy.clone(),
        runtime: runtime(&file.runtime),
        flags: match &file.origin {
            Some((out, origin)) => Sidecar::with(origin.clone()).flags(out, &Run::default())?,
            None => Vec::new(),
        },
        left_alone,
        skips: if args.skips { manifest.skips.clone() } else { Vec::new() },
        methods: methods.collect(),
    }))
}

fn runtime(at: &RuntimeAt) -> Option<String> {
    let path = |path: &Path| path.display().to_string();
    match at {
        RuntimeAt::Here => Some("in this file".to_owned()),
        RuntimeAt::At(place) => Some(path(place)),
        RuntimeAt::Elsewhere => {
            Some("not in this file; in the one whose Class-Path names it".to_owned())
        }
        RuntimeAt::Missing(_) => None,
    }
}
