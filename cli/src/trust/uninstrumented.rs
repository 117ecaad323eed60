//! Runs of the uninstrumented program under JFR.

use super::read_samples;
use crate::{
    agent_library, archives,
    failure::{context, usage},
    out,
};
use anyhow::{Result, anyhow, bail};
use jfathom_collector::{
    ExitReason, JavaCommand, JavaEnvironment, JfrEvents, UninstrumentedCommand, UninstrumentedEnd,
    is_jfr_path, jfr_flags, lacks_jfr, run_uninstrumented,
};
use jfathom_instrument::RewrittenProgram;
use jfathom_jfr::Samples;
use jfathom_session::JfrStart;
use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Path, PathBuf},
    time::Duration,
};

/// Time between two samples of a thread.
const PERIOD: Duration = Duration::from_millis(10);

/// Where JFR keeps what is not in its file so far, in the directory of a run.
const CHUNKS: &str = "chunks";

/// How the runs ended.
pub(super) enum Ended {
    /// The samples of each run.
    Sampled(Vec<Samples>),
    /// A run failed, or the user ended it.
    Failed(ExitReason),
}

/// Runs a command so many times, and reads its samples. The JVMs of a command that is not `java`
/// get their flags through JAVA_TOOL_OPTIONS.
pub(super) fn sample(command: &OsStr, runs: u32) -> Result<Ended> {
    let words = words(command)?;
    let via_env = !words.first().is_some_and(|program| JavaCommand::is_java(program));
    check(&words)?;
    let folder = tempfile::Builder::new().prefix("jfathom-trust-").tempdir();
    let folder = folder
        .map_err(|error| context(error, &std::env::temp_dir(), "cannot create a directory in"))?;
    let settings = folder.path().join("samples.jfc");
    if !is_jfr_path(&settings) {
        bail!(
            "{}: JFR takes no path with a comma, `=`, quote or blank; set TMPDIR \
             to another directory",
            settings.display()
        );
    }
    let mut events = JfrEvents::default();
    events.add_stack_samples(PERIOD);
    jfathom_files::write(&settings, events.settings())
        .map_err(|error| context(error, &settings, "cannot write"))?;
    let directory = |run: u32| folder.path().join(format!("run-{run}"));
    for run in 1..=runs {
        for directory in [directory(run), directory(run).join(CHUNKS)] {
            jfathom_files::create_directory(&directory, 0o700)
                .map_err(|error| context(error, &directory, "cannot create"))?;
        }
    }
    let archives = archives::of(&words);
    archives::refuse_written(&archives, "JFR beside it")?;
    let agent = agent_library::for_jfr(&words, &archives);
    let command = match words.split_first() {
        Some((program, arguments)) if archives.renewed.is_some() => {
            let flags = archives::not_renewed(&archives);
            let arguments = JavaCommand::with_last_flags(arguments, &flags);
            std::iter::once(program.clone()).chain(arguments).collect()
        }
        _ => words,
    };
    let end = run_uninstrumented(runs, &|run| {
        let directory = directory(run);
        // JVMs behind a script may run on when it is removed.
        let repository = (!via_env).then(|| directory.join(CHUNKS));
        let start = JfrStart { settings: settings.clone(), directory, ..JfrStart::default() };
        let jvm_flags = jfr_flags(&events, &start, agent.as_ref(), repository.as_deref());
        UninstrumentedCommand { command: command.clone(), jvm_flags, via_env }
    });
    let UninstrumentedEnd { exit, runs: whole, is_interrupted } =
        end.map_err(|error| anyhow!("--uninstrumented: {error}"))?;
    if is_interrupted || exit.code() != 0 {
        return Ok(Ended::Failed(exit));
    }
    let mut samples = Vec::new();
    for run in 1..=whole {
        samples.push(read_run(&directory(run), via_env)?);
    }
    Ok(Ended::Sampled(samples))
}

fn words(command: &OsStr) -> Result<Vec<OsString>> {
    let words = shlex::bytes::split(command.as_bytes()).ok_or_else(|| {
        usage("--uninstrumented: a quote is not closed, or nothing follows a backslash")
    })?;
    if words.is_empty() {
        return Err(usage("--uninstrumented: there is no command in it"));
    }
    Ok(words.into_iter().map(OsString::from_vec).collect())
}

/// Refuses a command whose JVM cannot sample, or has probes.
fn check(words: &[OsString]) -> Result<()> {
    let [program, arguments @ ..] = words else { return Ok(()) };
    let name = program.display();
    if !JavaCommand::is_java(program) {
        return Ok(());
    }
    if let Some(why) = lacks_jfr(words) {
        bail!("--uninstrumented: {name}: {why}");
    }
    let java = JavaCommand::parse(arguments, &JavaEnvironment::of_process());
    let rewritten = RewrittenProgram::find(&[], java.paths())?;
    rewritten.notices().iter().for_each(|notice| out::say(notice));
    let mut instrumented = rewritten.files().filter(|(_, file)| file.ids.len > 0);
    match instrumented.next() {
        None => Ok(()),
        Some((path, _)) => Err(usage(format!(
            "--uninstrumented: {} has probes; name the original files",
            path.display()
        ))),
    }
}

fn entries(directory: &Path) -> Result<Vec<PathBuf>> {
    let entries =
        std::fs::read_dir(directory).map_err(|error| context(error, directory, "cannot read"))?;
    let mut entries: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    Ok(entries)
}

/// The files of JFR in a directory that are not empty.
fn recordings(directory: &Path) -> Result<Vec<PathBuf>> {
    let has_content = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|meta| meta.len() > 0);
    let is_recording = |path: &PathBuf| path.extension().is_some_and(|end| end == "jfr");
    let entries = entries(directory)?.into_iter();
    Ok(entries.filter(|path| is_recording(path) && has_content(path)).collect())
}

/// The samples of all JVMs of a run, as one run.
fn read_run(directory: &Path, via_env: bool) -> Result<Samples> {
    let mut files = recordings(directory)?;
    // A JVM that halts leaves the chunks of its file.
    for left in entries(&directory.join(CHUNKS))? {
        files.extend(recordings(&left)?);
    }
    let mut all: Option<Samples> = None;
    for file in &files {
        let samples = read_samples(file)?;
        match &mut all {
            None => all = Some(samples),
            Some(all) => all.append(&samples),
        }
    }
    all.ok_or_else(|| {
        let reach =
            if via_env { "" } else { "; --use-java-tool-options reaches JVMs behind scripts" };
        anyhow!("--uninstrumented: no JVM has written a JFR file{reach}")
    })
}
