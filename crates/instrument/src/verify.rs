//! The verification of outputs: they are read back and compared with their originals, and then a
//! JVM links every class of both.

mod class_path;
mod linking;
mod read_back;

pub use linking::{LinkChange, LinkedClass, Linking, Outcomes};

use crate::{
    class_path_entries::expand,
    error::{Error, Result, at, usage},
    java_home,
    read_back::ReadBack,
    rewritten::{Rewritten, files},
    sidecar::{OutputFile, Run, Sidecar},
};
use class_path::ClassPath;
use jfathom_plan::{Placement, probe};
use jfathom_runtime_java::{TOOL_CLASSES, TOOL_MAIN};
use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A verification.
#[derive(Clone, Debug)]
pub struct VerifyRequest {
    /// A rewritten file, or an output directory.
    pub path: PathBuf,
    /// The original; the one that the output directory names if `None`.
    pub original: Option<PathBuf>,
    /// Further entries of the class path, as `java -cp` takes them.
    pub class_path: Option<OsString>,
}

/// Outputs with their originals, ready to be verified.
#[derive(Debug)]
pub struct Verification<'a> {
    request: &'a VerifyRequest,
    /// Each output with its original; with an empty path for JDK modules, whose originals the JVM
    /// has itself.
    pairs: Vec<(Rewritten, PathBuf)>,
}

impl<'a> Verification<'a> {
    /// Opens the outputs and finds their originals.
    ///
    /// # Errors
    /// Fails if the request does not fit the outputs, or if a file cannot be read.
    pub fn open(request: &'a VerifyRequest) -> Result<Self> {
        let paths = files(&request.path)?;
        if request.original.is_some() && paths.len() > 1 {
            return Err(usage(
                "one original goes with one rewritten file; name it instead of the directory",
            ));
        }
        let mut pairs = Vec::with_capacity(paths.len());
        for path in paths {
            let file = Rewritten::open(&path)?;
            let original = original(&file, request)?;
            pairs.push((file, original));
        }
        let verification = Self { request, pairs };
        // Refused before a line is printed.
        verification.java_home()?;
        Ok(verification)
    }

    /// Reads the outputs back and compares them with their originals, without a JVM.
    ///
    /// # Errors
    /// Fails if a file cannot be read.
    pub fn read_back(&self) -> Result<Vec<ReadBack>> {
        let compare = |(file, original): &(Rewritten, PathBuf)| {
            let outcome = read_back::check(file, original)?;
            Ok(ReadBack { path: file.path.clone(), outcome })
        };
        self.pairs.iter().map(compare).collect()
    }

    /// Links every class of originals and outputs in JVMs. No class is initialised.
    ///
    /// # Errors
    /// Fails if there is no Java, or if a JVM does not start.
    pub fn link(&self) -> Result<Linking> {
        let home = self.java_home()?;
        let temporary = tempfile::Builder::new().prefix("jfathom-verify-").tempdir();
        let temporary =
            temporary.map_err(at(&std::env::temp_dir(), "cannot create a directory in"))?;
        let jvm = Jvm::new(home, temporary.path(), self.request)?;
        let (modules, jars): (Vec<_>, Vec<_>) =
            self.pairs.iter().partition(|(file, _)| is_jdk_module(file));
        let (mut originals, mut rewritten) = (Outcomes::new(), Outcomes::new());
        let flags = self.flags()?;
        if !jars.is_empty() {
            let before = ClassPath::new(
                jars.iter().map(|(_, original)| original.as_path()),
                &temporary.path().join("plain"),
            )?;
            originals.extend(jvm.link(&[], &before)?);
            let after = ClassPath::new(
                jars.iter().map(|(file, _)| file.path.as_path()),
                &temporary.path().join("out"),
            )?;
            rewritten.extend(jvm.link(&flags, &after)?);
        }
        if !modules.is_empty() {
            let names =
                modules.iter().filter_map(|(file, _)| file.origin.as_ref()?.1.module.clone());
            let class_path = ClassPath::modules(names);
            originals.extend(jvm.link(&[], &class_path)?);
            rewritten.extend(jvm.link(&flags, &class_path)?);
        }
        rewritten.retain(|class, _| !class.starts_with(&probe::PACKAGE.replace('/', ".")));
        Ok(Linking { java_home: jvm.home, originals, rewritten })
    }

    /// The Java that links: the one that JDK modules were taken from, if there are any.
    fn java_home(&self) -> Result<PathBuf> {
        let of_modules =
            |(file, _): &(Rewritten, PathBuf)| file.origin.as_ref()?.1.java_home.clone();
        self.pairs.iter().find_map(of_modules).map_or_else(java_home::java_home, Ok)
    }

    /// The flags that the rewritten classes need.
    fn flags(&self) -> Result<Vec<String>> {
        let mut flags = Vec::new();
        for (file, _) in &self.pairs {
            let Some((out, origin)) = &file.origin else { continue };
            // The classes are linked on the class path, where no module can read another.
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
}

fn is_jdk_module(file: &Rewritten) -> bool {
    file.origin.as_ref().is_some_and(|(_, origin)| origin.java_home.is_some())
}

/// The original of a rewritten file; empty for JDK modules.
fn original(file: &Rewritten, request: &VerifyRequest) -> Result<PathBuf> {
    if is_jdk_module(file) {
        return Ok(PathBuf::new());
    }
    let known = file.origin.as_ref().map(|(_, origin)| origin.source.clone());
    let Some(original) = request.original.clone().or(known) else {
        return Err(usage(format!(
            "{}: its original is unknown; name it, too",
            file.path.display()
        )));
    };
    match original.exists() {
        true => Ok(original),
        false => {
            let problem = "the original is missing; name another one";
            Err(Error::failed(original.display(), problem))
        }
    }
}

/// The JVM that links.
struct Jvm {
    home: PathBuf,
    tools: PathBuf,
    libraries: Vec<PathBuf>,
}

impl Jvm {
    fn new(home: PathBuf, folder: &Path, request: &VerifyRequest) -> Result<Self> {
        let tools = folder.join("tools");
        for (name, bytes) in TOOL_CLASSES {
            let path = tools.join(name);
            let parent = path.parent().unwrap_or(&tools);
            jfathom_files::create_directories(parent, 0o777)
                .map_err(at(parent, "cannot create"))?;
            jfathom_files::write(&path, bytes).map_err(at(&path, "cannot write"))?;
        }
        let libraries = request.class_path.as_deref().map(expand).unwrap_or_default();
        Ok(Self { home, tools, libraries })
    }

    /// Links all classes of a class path.
    fn link(&self, flags: &[String], class_path: &ClassPath) -> Result<Outcomes> {
        let java = self.home.join("bin/java");
        let output = Command::new(&java)
            .args(flags)
            .args(class_path.modules.iter().map(|module| format!("--add-modules={module}")))
            // The classes of the JDK's CDS archive were verified when it was made.
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
            .map_err(at(&java, "cannot run"))?;
        if !output.status.success() {
            // The JVM writes to stdout why it cannot start.
            let text = [output.stdout, output.stderr].concat();
            let text = String::from_utf8_lossy(&text);
            let last: Vec<&str> = text.lines().rev().take(5).collect();
            let last = last.into_iter().rev().collect::<Vec<_>>().join("; ");
            let problem = format!("linking ended with {}: {last}", output.status);
            return Err(Error::failed(java.display(), problem));
        }
        let text = String::from_utf8(output.stdout)
            .map_err(|error| Error::failed("the JVM's answer", error))?;
        let line = |line: &str| {
            line.split_once('\t').map(|(class, outcome)| (class.to_owned(), outcome.to_owned()))
        };
        // Classes in the folders of web archives were unpacked, and are linked under their own
        // names.
        Ok(text.lines().filter_map(line).filter(|(class, _)| !class.contains("-INF.")).collect())
    }
}
