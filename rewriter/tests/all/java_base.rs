//! All of java.base with every method instrumented, or with regions in every method: the VM boots
//! with it, and no class links worse than before.

use crate::support::java;
use crate::support::random::Random;
use jfathom_plan::{ClassPlan, MethodId, MethodPlan, ProbeKind, RegionPlan};
use jfathom_rewriter::{Digests, Options, Rewriter, SkipReason, method_lines, summarize};
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

/// Rewrites java.base by the plans of `plan`, which takes ids from the counter, and boots the VM
/// with it. Returns how many ids got probes.
fn boot(mut plan: impl FnMut(&[u8], &mut u32) -> ClassPlan, may_skip: &[SkipReason]) -> usize {
    let temp = tempfile::tempdir().expect("a folder");
    let folder = |name: &str| temp.path().join(name);
    java::javac(17, &java_files(&java::sources("modules")), &folder("tool"));
    java::javac(17, &java_files(&java::sources("quiet")), &folder("patch"));
    run(&[], &folder("tool"), &["dump", folder("dump").to_str().expect("a plain path")]);

    let mut rewriter = Rewriter::new(Options::default());
    let (mut next, mut probed) = (0, 0);
    for (file, bytes) in class_files(&folder("dump")) {
        match rewriter.rewrite(&bytes, &plan(&bytes, &mut next)) {
            Ok(done) => {
                let reasons = done.skips.iter().map(|skip| skip.reason);
                assert!(
                    reasons.into_iter().all(|reason| may_skip.contains(&reason)),
                    "{:?}",
                    done.skips
                );
                probed += done.done.len();
                java::write(&folder("patch"), &file, done.bytes);
            }
            Err(skip) => assert_eq!(skip.reason, SkipReason::RuntimeUses, "{skip:?}"),
        }
    }
    let before = run(&[], &folder("tool"), &["link"]);
    let patch = format!("--patch-module=java.base={}", folder("patch").display());
    let after = run(&[patch], &folder("tool"), &["link"]);
    assert_eq!(before, after);
    assert!(before.starts_with("linked "), "{before}");
    probed
}

fn id(next: &mut u32) -> MethodId {
    *next += 1;
    MethodId::new(*next).expect("22 bits")
}

#[test]
fn boots_and_links_as_before() {
    let plan = |bytes: &[u8], next: &mut u32| {
        let class = summarize(bytes, Digests::Omit).expect("a sound class");
        let with_code = class.methods.into_iter().filter(|method| method.code_length.is_some());
        let rows = with_code.map(|method| MethodPlan {
            name: method.name,
            descriptor: method.descriptor,
            id: id(next),
            kind: ProbeKind::Always,
        });
        ClassPlan { methods: rows.collect(), hand_offs: true, ..ClassPlan::default() }
    };
    let methods = boot(plan, &[SkipReason::HugeMethodLimit]);
    assert!(methods > 30_000, "{methods} methods got probes");
}

#[test]
fn boots_and_links_with_regions_at_random_lines() {
    let mut random = Random::new(20_261_127);
    let mut requested = 0;
    let plan = |bytes: &[u8], next: &mut u32| {
        let class = summarize(bytes, Digests::Omit).expect("a sound class");
        let mut plan = ClassPlan { hand_offs: random.below(2) == 0, ..ClassPlan::default() };
        for method in class.methods.iter().filter(|method| method.code_length.is_some()) {
            let (name, descriptor) = (method.name.clone(), method.descriptor.clone());
            let lines = method_lines(bytes, &name, &descriptor).expect("a sound class");
            let lines = lines.expect("code").lines;
            let kind = |at: usize| match at {
                0 => ProbeKind::Root,
                1 => ProbeKind::Always,
                _ => ProbeKind::InRoot,
            };
            for lines in random.regions(&lines) {
                requested += 1;
                plan.regions.push(RegionPlan {
                    method: name.clone(),
                    descriptor: descriptor.clone(),
                    lines,
                    id: id(next),
                    kind: kind(random.below(3)),
                });
            }
            if random.below(2) == 0 {
                let kind = kind(random.below(3));
                plan.methods.push(MethodPlan { name, descriptor, id: id(next), kind });
            }
        }
        plan
    };
    // A root in a constructor whose call of `super()` is not certain is refused. Each line of a
    // table covers an instruction here.
    let probed = boot(plan, &[SkipReason::HugeMethodLimit, SkipReason::ConstructorShape]);
    assert!(requested > 100_000 && probed > 100_000, "{probed} of {requested} and methods");
}
