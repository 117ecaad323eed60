//! Two jars on one class path, of which the first has a runtime without probes that the second
//! calls, as one that an earlier jfathom has rewritten.

use crate::{JFATHOM, jar};
use jfathom_archive::{Input, NewEntry, create_jar};
use jfathom_testkit::without_methods;
use jfathom_tests::{jdk, run, samples, tool::java};
use std::{fs, path::Path};
use tempfile::TempDir;

const PROBES: &str = "jfathom/runtime/Probe.class";
/// The probe of `finally`.
const PROBE: &str = "handleAny";

const SOURCE: &str = "package late; public class Closer {
    public static void main(String[] a) {
        new first.First().run();
        int closed = 0;
        for (int i = 0; i < 3; i++) {
            try { closed += close(i); } catch (IllegalStateException e) { closed += 10; }
        }
        System.out.println(\"closed \" + closed);
    }
    static int close(int i) {
        int[] all = { i };
        try { if (all[0] == 1) throw new IllegalStateException(); return 1; }
        finally { all[0]++; }
    } }";

/// Takes a probe out of the runtime of a rewritten jar.
fn make_older(path: &Path) {
    let jar = Input::open(path).unwrap();
    let entry = |name: &str| {
        let bytes = jar.read(name).unwrap().unwrap();
        let bytes = if name == PROBES { without_methods(&bytes, PROBE) } else { bytes };
        NewEntry::new(name, bytes)
    };
    let entries: Vec<NewEntry> = jar.names().filter_map(|name| name.as_str()).map(entry).collect();
    fs::write(path, create_jar(&entries).unwrap()).unwrap();
}

/// `out/first.jar` with the older runtime, and `out/late.jar`.
fn rewritten() -> TempDir {
    let folder = samples::temp_dir();
    let place = |name: &str| folder.path().join(name);
    let (first, late) = (place("src/first/First.java"), place("src/late/Closer.java"));
    for file in [&first, &late] {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
    }
    fs::write(first, "package first; public class First { public void run() {} }").unwrap();
    fs::write(late, SOURCE).unwrap();
    samples::javac_for(11, &[], &place("src"), &place("classes"));
    for (package, main) in [("first", "first.First"), ("late", "late.Closer")] {
        let classes = place(&format!("{package}-classes"));
        fs::create_dir(&classes).unwrap();
        fs::rename(place("classes").join(package), classes.join(package)).unwrap();
        let plain = jar(&classes, main, &place(&format!("{package}.jar")));
        JFATHOM.rewrite(&plain, &place("out"), &[]);
    }
    make_older(&place("out/first.jar"));
    folder
}

#[test]
fn a_runtime_that_lacks_probes_of_another_jar_is_refused_before_the_program_runs() {
    let folder = rewritten();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let (older, newer) = (place("out/first.jar"), place("out/late.jar"));
    let old_first = format!("{older}:{newer}");
    let new_first = format!("{newer}:{older}");
    for jdk in jdk::main_and_25("older_runtimes") {
        // What is refused is what breaks.
        let alone = run::run(java(jdk).args(["-cp", &old_first, "late.Closer"])).code(1);
        alone.says(&["NoSuchMethodError", "handleAny"]);
        let record = |class_path: &str| {
            let mut command = JFATHOM.command();
            command.args(["record", "--tune=calibrate=off", "-f", "-o"]).arg(place("p.jfp"));
            command.arg("--").arg(jdk.java());
            run::run(command.args(["-cp", class_path, "late.Closer"]))
        };
        let refused = record(&old_first).code(1);
        assert_eq!(refused.stdout, "", "the program has run");
        let refused = refused.says(&[&older, &newer, "handleAny(I)V", "rewrite both again"]);
        assert!(!Path::new(&place("p.jfp")).exists(), "{refused}");
        // The newer runtime serves both.
        assert_eq!(record(&new_first).fine().stdout, "closed 12\n");
        fs::remove_file(place("p.jfp")).unwrap();
    }
}

/// The class path of a JVM behind a script is known only when that JVM names it.
#[test]
fn a_jvm_behind_a_script_says_which_jars_do_not_fit() {
    let folder = rewritten();
    let place = |name: &str| folder.path().join(name).display().to_string();
    let (older, newer) = (place("out/first.jar"), place("out/late.jar"));
    let mut command = JFATHOM.command();
    command.args(["record", "--tune=calibrate=off", "-o"]).arg(place("p.jfp")).arg("--");
    command.args(["sh", "-c", "\"$0\" -cp \"$1\" late.Closer"]).arg(jdk::main().java());
    let done = run::run(command.arg(format!("{older}:{newer}")));
    done.says(&[&older, &newer, "has an older runtime", "rewrite both again"]);
}
