//! Stacks that overflow in the midst of a probe.

use crate::JFATHOM;
use jfathom_tests::{jdk, run, samples};

/// With one carrier, a virtual thread that kept it would stop the program.
#[test]
fn no_virtual_thread_keeps_its_carrier() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    samples::javac(&[], &samples::sources().join("fibres"), &classes);
    for jdk in jdk::all("overflows on virtual threads").into_iter().filter(|jdk| jdk.version >= 21)
    {
        let mut command = JFATHOM.command();
        command.args([
            "record",
            "-q",
            "--tune=calibrate=off",
            "--budget",
            "none",
            "--tune=ring=4K",
        ]);
        command.args(["--root", "fibres.Overflows::overflow", "-o"]);
        command.arg(folder.path().join(format!("{}.jfp", jdk.version))).arg("--");
        command.arg(jdk.java()).args([
            "-Djdk.virtualThreadScheduler.parallelism=1",
            "-Djdk.virtualThreadScheduler.maxPoolSize=1",
            "-XX:MaxJavaStackTraceDepth=0",
            "-Xss256k",
            "-cp",
        ]);
        let done = run::run(command.arg(&classes).args(["fibres.Overflows", "4", "64"])).fine();
        assert_eq!(done.stdout, "overflows 256\n");
    }
}
