//! All of java.base with every method instrumented: the VM boots with it, and no class links worse
//! than before.

use crate::support::java;
use jfathom_plan::{ClassPlan, MethodId, MethodPlan, ProbeKind};
use jfathom_rewriter::{Digests, Options, Rewriter, SkipReason, summarize};
use jfathom_testkit::{class_files, java_files, jdk};
use std::path::Path;
use std::process::Command;

fn run(flags: &[String], classes: &Path, args: &[&str]) -> String {
    let output = Command::new(jdk::main().java())
        .args(["-Xshare:auto", "-Xverify:all", "-XX:TieredStopAtLevel=1"])
        .args(flags)
        .arg("-cp")
        .arg(classes)
        .arg("Modules")
        .args(args)
        .output()
        .expect("java starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn boots_and_links_as_before() {
    let temp = tempfile::tempdir().expect("a folder");
    let folder = |name: &str| temp.path().join(name);
    java::javac(17, &java_files(&java::sources("modules")), &folder("tool"));
    java::javac(17, &java_files(&java::sources("quiet")), &folder("patch"));
    run(&[], &folder("tool"), &["dump", folder("dump").to_str().expect("a plain path")]);

    let mut rewriter = Rewriter::new(Options::default());
    let (mut next, mut methods) = (0, 0);
    for (file, bytes) in class_files(&folder("dump")) {
        let class = summarize(&bytes, Digests::Omit).expect("a sound class");
        let with_code = class.methods.into_iter().filter(|method| method.code_length.is_some());
        let rows = with_code.map(|method| {
            next += 1;
            let id = MethodId::new(next).expect("22 bits");
            MethodPlan {
                name: method.name,
                descriptor: method.descriptor,
                id,
                kind: ProbeKind::Always,
            }
        });
        let plan = ClassPlan { methods: rows.collect(), hand_offs: true, ..ClassPlan::default() };
        match rewriter.rewrite(&bytes, &plan) {
            Ok(done) => {
                assert!(
                    done.skips.iter().all(|skip| skip.reason == SkipReason::HugeMethodLimit),
                    "{:?}",
                    done.skips
                );
                methods += done.done.len();
                java::write(&folder("patch"), &file, done.bytes);
            }
            Err(skip) => assert_eq!(skip.reason, SkipReason::RuntimeUses, "{skip:?}"),
        }
    }
    assert!(methods > 30_000, "{methods} methods got probes");

    let before = run(&[], &folder("tool"), &["link"]);
    let patch = format!("--patch-module=java.base={}", folder("patch").display());
    let after = run(&[patch], &folder("tool"), &["link"]);
    assert_eq!(before, after);
    assert!(before.starts_with("linked "), "{before}");
}
