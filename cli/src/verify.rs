//! `jfathom verify`: holds outputs against their originals, by readers that are not ours and then
//! by a JVM's verifier.

mod class_path;
mod read_back;

use crate::{
    check,
    failure::{context, usage},
    java, messages,
    rewritten::{Rewritten, files},
    sidecar::{OutputFile, Run, Sidecar},
};
use anyhow::{Context, Result, bail};
use class_path::ClassPath;
use jfathom_plan::{Placement, probe};
use jfathom_runtime_java::{TOOL_CLASSES, TOOL_MAIN};
use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
};

/// Hold what was rewritten against the original, then link every class of both in a JVM, and list
/// the differences
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
First the output is read back by readers that are not jfathom's, without a JVM, and compared with the original but for the
probes (docs/checking.md). Then every class is loaded and linked under -Xverify:all; none is initialised, so no code of the program runs.
A class that does not link even in the original (a library is missing) is no fault of the rewriting.

Examples:
  jfathom verify out/app.jar
  jfathom verify out                          all that `jfathom rewrite -o out` wrote, on one class path
  jfathom verify out/app.jar --plain app.jar --java /usr/lib/jvm/temurin-25-jdk-amd64 -cp 'lib/*'

Exit code: 0 all classes link as before, 1 some link worse, or the output is not the original with probes")]
pub(crate) struct Args {
    /// A rewritten jar, class directory or module patch, or the directory that `jfathom rewrite
    /// -o` wrote
    #[arg(value_name = "OUT")]
    path: PathBuf,
    /// The original, where it is not where `rewrite` found it
    #[arg(long, value_name = "FILE")]
    plain: Option<PathBuf>,
    /// The Java to ask, instead of JAVA_HOME or that of `java`
    #[arg(long, value_name = "HOME")]
    java: Option<PathBuf>,
    /// Further entries of the class path, for libraries that the classes need (also -cp)
    #[arg(long = "class-path", visible_alias = "cp", value_name = "PATH")]
    class_path: Option<OsString>,
    /// List all classes that do not link, also those that never did
    #[arg(short, long)]
    verbose: bool,
}

/// What a JVM said of each class: `ok`, or the error.
pub(crate) type Outcomes = BTreeMap<String, String>;

/// The answer to one question to the JVM, twice.
pub(crate) struct Comparison {
    pub(crate) plain: Outcomes,
    pub(crate) rewritten: Outcomes,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let paths = files(&args.path)?;
    if args.plain.is_some() && paths.len() > 1 {
        return Err(usage(
            "--plain goes with one rewritten file; name it instead of the directory",
        ));
    }
    let mut pairs = Vec::with_capacity(paths.len());
    for path in paths {
        let file = Rewritten::open(&path)?;
        let plain = plain(&file, args)?;
        pairs.push((file, plain));
    }
    if args.java.is_some() {
        java_home(&pairs, args)?;
    }
    let outcomes =
        pairs.iter().map(|(file, plain)| Ok((file.path.clone(), read_back::check(file, plain)?)));
    let outcomes = outcomes.collect::<Result<Vec<_>>>()?;
    let outcomes: Vec<_> = outcomes.iter().map(|(path, outcome)| (path.clone(), outcome)).collect();
    let faults = check::faults(&outcomes);
    messages::print(
        &(check::summary(&outcomes, args.verbose) + faults.as_deref().unwrap_or_default()),
    )?;
    let home = java_home(&pairs, args)?;
    let temporary = tempfile::Builder::new().prefix("jfathom-verify-").tempdir();
    let temporary = temporary
        .map_err(|error| context(error, &std::env::temp_dir(), "cannot create a directory in"))?;
    let jvm = Jvm::new(home, temporary.path(), args)?;
    let (modules, jars): (Vec<_>, Vec<_>) = pairs.iter().partition(|(file, _)| is_jdk_module(file));
    let mut comparison = Comparison { plain: Outcomes::new(), rewritten: Outcomes::new() };
    let flags = flags(&pairs)?;
    if !jars.is_empty() {
        let plain = ClassPath::new(
            jars.iter().map(|(_, plain)| plain.as_path()),
            &temporary.path().join("plain"),
        )?;
        comparison.plain.extend(jvm.link(&[], &plain)?);
        let rewritten = ClassPath::new(
            jars.iter().map(|(file, _)| file.path.as_path()),
            &temporary.path().join("out"),
        )?;
        comparison.rewritten.extend(jvm.link(&flags, &rewritten)?);
    }
    if !modules.is_empty() {
        let names = modules.iter().filter_map(|(file, _)| file.origin.as_ref()?.1.module.clone());
        let class_path = ClassPath::modules(names);
        comparison.plain.extend(jvm.link(&[], &class_path)?);
        comparison.rewritten.extend(jvm.link(&flags, &class_path)?);
    }
    comparison.rewritten.retain(|class, _| !class.starts_with(&probe::PACKAGE.replace('/', ".")));
    let (text, worse) = messages::verify::text(&comparison, &jvm.name(), args.verbose);
    messages::print(&text)?;
    Ok(if worse || faults.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The Java to ask: the one that JDK modules were taken from, where there are any.
fn java_home(pairs: &[(Rewritten, PathBuf)], args: &Args) -> Result<PathBuf> {
    let Some(home) = pairs.iter().find_map(|(file, _)| file.origin.as_ref()?.1.java_home.clone())
    else {
        return java::home(args.java.as_deref());
    };
    let same = |asked: &PathBuf| asked.canonicalize().ok() == home.canonicalize().ok();
    match &args.java {
        Some(asked) if !same(asked) => Err(usage(format!(
            "{}: its modules are those of {}, and no other JVM starts with them",
            args.path.display(),
            home.display()
        ))),
        _ => Ok(home),
    }
}

fn is_jdk_module(file: &Rewritten) -> bool {
    file.origin.as_ref().is_some_and(|(_, origin)| origin.java_home.is_some())
}

/// The original of a rewritten file; empty for modules, which the JVM has itself.
fn plain(file: &Rewritten, args: &Args) -> Result<PathBuf> {
    if is_jdk_module(file) {
        return Ok(PathBuf::new());
    }
    let known = file.origin.as_ref().map(|(_, origin)| origin.source.clone());
    let Some(plain) = args.plain.clone().or(known) else {
        return Err(usage(format!(
            "{}: nothing says what it was made from; name the original with --plain",
            file.path.display()
        )));
    };
    match plain.exists() {
        true => Ok(plain),
        false => bail!("{}: the original is not there; name it with --plain", plain.display()),
    }
}

/// The flags that the rewritten classes need.
fn flags(pairs: &[(Rewritten, PathBuf)]) -> Result<Vec<String>> {
    let mut flags = Vec::new();
    for (file, _) in pairs {
        let Some((out, origin)) = &file.origin else { continue };
        // On the class path, where the classes are linked, there is no module to add reads to.
        let origin = match origin.placement {
            Placement::Modular => OutputFile { placement: Placement::Boot, ..origin.clone() },
            _ => origin.clone(),
        };
        for flag in Sidecar::with(origin).flags(out, &Run::default())? {
            if !flags.contains(&flag) {
                flags.push(flag);
            }
        }
    }
    Ok(flags)
}

/// The JVM that is asked.
struct Jvm {
    home: PathBuf,
    tools: PathBuf,
    libraries: Vec<PathBuf>,
}

impl Jvm {
    fn new(home: PathBuf, folder: &Path, args: &Args) -> Result<Self> {
        let tools = folder.join("tools");
        for (name, bytes) in TOOL_CLASSES {
            let path = tools.join(name);
            let parent = path.parent().unwrap_or(&tools);
            jfathom_files::create_directories(parent, 0o777)
                .map_err(|error| context(error, parent, "cannot create"))?;
            jfathom_files::write(&path, bytes)
                .map_err(|error| context(error, &path, "cannot write"))?;
        }
        let libraries = args.class_path.as_deref().map(class_path::expand).unwrap_or_default();
        Ok(Self { home, tools, libraries })
    }

    fn name(&self) -> String {
        self.home.display().to_string()
    }

    /// Links all classes; gives the outcome of each.
    fn link(&self, flags: &[String], class_path: &ClassPath) -> Result<Outcomes> {
        let java = self.home.join("bin/java");
        let output = Command::new(&java)
            .args(flags)
            .args(class_path.modules.iter().map(|module| format!("--add-modules={module}")))
            // The archive of the JDK holds classes that were verified long ago.
            .args(["-Xverify:all", "-Xshare:off", "-cp"])
            .arg(&self.tools)
            .arg(TOOL_MAIN)
            .args(&class_path.arguments)
            .args(
                self.libraries
                    .iter()
                    .flat_map(|library| [OsStr::new("--extra"), library.as_os_str()]),
            )
            .env_remove("JAVA_TOOL_OPTIONS")
            .env_remove("JDK_JAVA_OPTIONS")
            .env_remove("JFATHOM_SESSION")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| context(error, &java, "cannot run"))?;
        if !output.status.success() {
            // The JVM tells on stdout why it cannot start.
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            let last: Vec<&str> = said.lines().rev().take(5).collect();
            let last = last.into_iter().rev().collect::<Vec<_>>().join("; ");
            bail!("{}: linking ended with {}: {last}", java.display(), output.status);
        }
        let text = String::from_utf8(output.stdout).context("the JVM's answer")?;
        let line = |line: &str| {
            line.split_once('\t').map(|(class, outcome)| (class.to_owned(), outcome.to_owned()))
        };
        // Classes in the folders of web archives have been unpacked, to be linked under their own
        // names.
        Ok(text.lines().filter_map(line).filter(|(class, _)| !class.contains("-INF.")).collect())
    }
}
