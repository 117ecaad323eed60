//! N times attach, record, detach on one JVM, beside as many empty retransformations of the same
//! classes.

use super::{
    attached::{self, Attached, Rounds},
    is_live,
};
use crate::{jfathom::Jfathom, shell, table};
use anyhow::{Context, Result, ensure};
use jfathom_testkit::{Jdk, jdk};
use std::{fs, path::Path, process::Command};

/// Runs so many and prints what there is after some of them.
pub fn run(cycles: usize) -> Result<()> {
    let jfathom = Jfathom::find()?;
    table::head(
        "JVM | what | cycle | descriptors | mappings | threads | RSS MB | classes | metaspace kB | other JVM memory kB | files",
    );
    for jdk in jdk::main_and_25("cycles") {
        let folder = tempfile::tempdir()?;
        let classes = attached::compile(folder.path());
        let library = empty(jdk, folder.path())?;
        for what in ["recorded", "retransformed"] {
            let options = ["-XX:NativeMemoryTracking=summary", "-Xmx64m", "-XX:+UseSerialGC"];
            let jvm = Rounds::start(jdk, &options, &classes, &["1", "2"])?;
            jvm.next(50)?;
            for cycle in 0..=cycles {
                if cycle > 0 && what == "recorded" {
                    record(&jfathom, jvm.pid, &folder.path().join("cycle"))
                        .with_context(|| format!("cycle {cycle}"))?;
                } else if cycle > 0 {
                    // The recording changes most classes twice, the root's three times, and then
                    // all back.
                    let mut jcmd = Command::new(jdk.tool("jcmd"));
                    jcmd.args([&jvm.pid.to_string(), "JVMTI.agent_load"]).arg(&library);
                    shell::output(jcmd.arg("Rounds,2"))?;
                }
                jvm.silence();
                if is_shown(cycle, cycles) {
                    println!("| {} | {what} | {cycle} | {} |", jdk.version, look(jdk, jvm.pid)?);
                }
            }
        }
    }
    Ok(())
}

/// Attaches, records some calls, and detaches.
fn record(jfathom: &Jfathom, pid: u32, place: &Path) -> Result<()> {
    fs::create_dir_all(place)?;
    let options = ["--root", "Rounds::root", "--tune=calibrate=off"];
    let mut recording = Attached::start(jfathom, pid, &options, place)?;
    recording.until("a root is live", is_live)?;
    recording.until("the first call", |lines| lines.all("class").count() > 2)?;
    recording.end()?;
    Ok(fs::remove_dir_all(place)?)
}

fn is_shown(cycle: usize, cycles: usize) -> bool {
    [0, 1, 10].contains(&cycle) || cycle == cycles || cycle.is_multiple_of((cycles / 4).max(1))
}

/// What a JVM holds: after a full collection, so that what is unreachable is gone.
fn look(jdk: &Jdk, pid: u32) -> Result<String> {
    let jcmd = |words: &[&str]| {
        shell::output(Command::new(jdk.tool("jcmd")).arg(pid.to_string()).args(words))
    };
    jcmd(&["GC.run"])?;
    jcmd(&["GC.run"])?;
    let memory = jcmd(&["VM.native_memory", "summary", "scale=KB"])?;
    let committed = |name: &str| -> u64 {
        let part = memory
            .split("\n-")
            .find(|part| part.trim_start().starts_with(name))
            .unwrap_or_default();
        kilobytes(part)
    };
    // Classes' and their methods' data, by whichever names this JVM has.
    let metaspace = committed("Class (") + committed("Metaspace (");
    let total = kilobytes(memory.split("Total:").nth(1).unwrap_or_default());
    let heap = committed("Java Heap (");
    let place = |name: &str| format!("/proc/{pid}/{name}");
    let count = |name: &str| -> Result<usize> { Ok(fs::read_dir(place(name))?.count()) };
    let maps = fs::read_to_string(place("maps"))?.lines().count();
    let status = fs::read_to_string(place("status"))?;
    let rss = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    let rss: f64 = rss.trim().trim_end_matches(" kB").parse().unwrap_or(f64::NAN);
    let classes = memory.split("classes #").nth(1).unwrap_or_default();
    let classes: String = classes.chars().take_while(char::is_ascii_digit).collect();
    let files = ["/dev/shm", "/tmp"].map(|folder| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries
            .filter(|entry| entry.file_name().to_string_lossy().contains(&pid.to_string()))
            .count()
    });
    Ok(format!(
        "{} | {maps} | {} | {:.1} | {classes} | {metaspace} | {} | {}",
        count("fd")?,
        count("task")?,
        rss / 1024.0,
        total.saturating_sub(metaspace + heap),
        files.iter().sum::<usize>()
    ))
}

/// The number after `committed=`.
fn kilobytes(part: &str) -> u64 {
    let rest = part.split("committed=").nth(1).unwrap_or_default();
    rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
}

/// Compiles the agent that changes nothing.
fn empty(jdk: &Jdk, folder: &Path) -> Result<std::path::PathBuf> {
    let source = folder.join("empty.c");
    fs::write(&source, include_str!("empty.c"))?;
    let library = folder.join(format!("empty-{}.so", jdk.version));
    let include = jdk.home.join("include");
    ensure!(include.join("jvmti.h").is_file(), "{} has no include/jvmti.h", jdk.home.display());
    let mut command = Command::new("cc");
    command
        .args(["-std=gnu11", "-O2", "-shared", "-fPIC", "-I"])
        .arg(&include)
        .arg("-I")
        .arg(include.join("linux"));
    shell::output(command.arg(&source).arg("-o").arg(&library))?;
    Ok(library)
}
