//! Directories that flags of a JVM can hardly name, and limits that a shell sets.

use crate::JFATHOM;
use jfathom_profile::Profile;
use jfathom_tests::{jdk, run, run::Done, samples};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

const SOURCE: &str = "public class Odd { static int step(int x) { return x + 1; }
    static void run() { int s = 0; for (int i = 0; i < 10; i++) s = step(s); System.out.println(s); }
    public static void main(String[] a) { run(); } }";

/// A folder with the class, and a subfolder of this name.
fn folder(name: &str) -> (TempDir, PathBuf) {
    let folder = samples::temp_dir();
    let odd = folder.path().join(name);
    fs::create_dir(&odd).unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    fs::write(folder.path().join("src/Odd.java"), SOURCE).unwrap();
    samples::javac_for(11, &[], &folder.path().join("src"), &odd);
    (folder, odd)
}

/// Whether the program ran to its end and its ten calls were recorded.
fn assert_recorded(done: &Done, profile: &Path) {
    assert_eq!((done.code, done.stdout.as_str()), (Some(0), "10\n"), "{done}");
    let profile = Profile::read(&mut fs::read(profile).unwrap().as_slice()).unwrap();
    let step = profile.methods.iter().find(|method| method.info.key.name == "step");
    assert_eq!(step.map(|method| method.calls()), Some(10), "{done}");
}

#[test]
fn the_agent_is_loaded_whatever_the_cache_directory_is_called() {
    // `=` ends the path in -agentpath, blanks and quotes end or join words in JAVA_TOOL_OPTIONS.
    for name in ["a=b", "a 'b\"c"] {
        let (folder, odd) = folder(name);
        let profile = odd.join("p.jfp");
        for jdk in jdk::main_and_25("an odd cache directory") {
            for direct in [true, false] {
                let mut command = JFATHOM.command();
                command.env("XDG_CACHE_HOME", odd.join("cache")).current_dir(&odd);
                // Where the library goes instead.
                command.env("TMPDIR", folder.path());
                command.args([
                    "record",
                    "--tune=calibrate=off",
                    "--root",
                    "Odd::run",
                    "-o",
                    "p.jfp",
                ]);
                match direct {
                    true => command.arg("--").arg(jdk.java()).args(["-cp", ".", "Odd"]),
                    false => {
                        let script = format!("exec '{}' -cp . Odd", jdk.java().display());
                        command.args(["--use-java-tool-options", "--", "sh", "-c", &script])
                    }
                };
                assert_recorded(&run::run(&mut command), &profile);
            }
        }
    }
}

#[test]
fn a_boot_class_path_that_cannot_name_the_output_is_refused_before_anything_is_written() {
    let (_folder, odd) = folder("a:b");
    let out = odd.with_file_name("c:d").join("out");
    let rewrite = |options: &[&str]| {
        let mut command = JFATHOM.command();
        run::run(command.arg("rewrite").arg(&odd).arg("-o").arg(&out).args(options))
    };
    rewrite(&["--placement", "boot"]).code(2).says(&["c:d/out: the path has a `:`"]);
    assert!(!out.exists());
    rewrite(&[]).fine();
}

/// The JVM opens no entry of the class path behind the one that has its classes, and to open a pipe
/// is to wait for whoever writes to it.
#[test]
fn a_pipe_on_the_class_path_is_not_opened() {
    let (_folder, odd) = folder("pipe");
    let out = JFATHOM.rewrite(&odd, &odd.with_file_name("out"), &[]);
    run::run(Command::new("mkfifo").arg(odd.join("pipe.jar"))).fine();
    for jdk in jdk::main_and_25("a pipe on the class path") {
        let mut command = JFATHOM.command();
        command.args(["record", "-f", "--tune=calibrate=off", "-o", "p.jfp", "--", "timeout"]);
        command.args(["-s", "KILL", "60"]).arg(jdk.java()).arg("-cp").current_dir(&odd);
        command.arg(format!("{}:pipe.jar", out.display())).arg("Odd");
        assert_recorded(&run::run(&mut command), &odd.join("p.jfp"));
    }
}

#[test]
fn a_limit_on_file_sizes_ends_neither_the_program_nor_the_command() {
    let (folder, odd) = folder("small");
    let out = JFATHOM.rewrite(&odd, &odd.with_file_name("out"), &[]);
    let limited = |options: &[&str], classes: &Path| {
        let mut command = Command::new("sh");
        let inner = JFATHOM.command();
        command.args(["-c", "ulimit -f 100 && exec \"$@\"", "sh"]).arg(inner.get_program());
        for (name, value) in inner.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        // An agent that is unpacked anew exceeds the limit, too.
        command.env("XDG_CACHE_HOME", odd.join("cache")).env("TMPDIR", folder.path());
        command.current_dir(&odd);
        command.args(["record", "-o", "p.jfp"]).args(options).arg("--");
        run::run(command.arg(jdk::main().java()).arg("-cp").arg(classes).arg("Odd"))
    };
    let done = limited(&[], &out).code(1).says(&[
        "is not recorded: it had no room",
        "files may have only 50 KiB",
        "ulimit -f",
    ]);
    assert_eq!(done.stdout, "10\n", "{done}");
    limited(&["--root", "Odd::run"], &odd).code(1).says(&["cannot unpack", "File too large"]);
}
