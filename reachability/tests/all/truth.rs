//! Each rule against the JVM: what it runs is what is reached, no more and no less.

use jfathom_reachability::{ClassNames, EntryPoints, Fact, MethodIx, Query, Reached, World, reach};
use jfathom_testkit::jdk;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

fn run(home: &Path, classes: &Path) -> String {
    let output =
        Command::new(home.join("bin/java")).arg("-cp").arg(classes).arg("cases.Harness").output();
    let output = output.expect("java runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The reached methods that log that they run.
fn logging(world: &mut World<'_>, reached: &Reached, root: MethodIx) -> BTreeSet<String> {
    let methods: Vec<MethodIx> =
        reached.program_methods(world).filter(|&method| method != root).collect();
    let mut found = BTreeSet::new();
    for method in methods {
        let code = world.code(world.class_of_method(method));
        let log = world.names().find(b"cases/Log").expect("the log is known");
        let position =
            world.methods_of(world.class_of_method(method)).position(|own| own == method);
        let logs =
            |fact: &Fact| matches!(fact, Fact::Invoke(_, reference) if reference.owner == log);
        if code.facts(position.expect("a method of its class")).iter().any(logs) {
            found.insert(world.key(method).to_string());
        }
    }
    found.retain(|name| !name.starts_with("cases.Log::") && !name.starts_with("cases.Harness::"));
    found
}

/// Runs the cases on a JVM and asks for each what its method reaches.
fn compare(home: &Path) {
    let temp = tempfile::tempdir().expect("a folder");
    crate::support::compile("cases", temp.path());
    let services = temp.path().join("META-INF/services");
    std::fs::create_dir_all(&services).expect("a folder");
    let providers = [
        ("cases/Library$Service", "cases/Library$Provider"),
        ("cases/Selection$Marked", "cases/Library$OtherProvider"),
    ];
    for (service, provider) in providers {
        let text = provider.replace('/', ".");
        std::fs::write(services.join(service.replace('/', ".")), text).expect("a provider file");
    }
    let disk = crate::support::Disk::default().module(home, "java.base").program(temp.path());
    let mut world = World::new(&disk, disk.containers.clone(), 17);
    let (mut cases, mut wrong) = (0, String::new());
    for line in run(home, temp.path()).lines() {
        let (case, ran) = line.split_once(' ').unwrap_or((line, ""));
        let ran: BTreeSet<String> = ran
            .split_whitespace()
            .filter(|name| !name.starts_with(&format!("{case}(")))
            .map(str::to_owned)
            .collect();
        let (class, name) = case.split_once("::").expect("a class and a method");
        let root = world.method(&class.replace('.', "/"), name, "()V").expect("the case's method");
        cases += 1;
        // Which objects come to which call is not followed.
        let exact = class != "cases.Flows";
        let question = Query {
            roots: vec![root],
            entry_points: EntryPoints::Methods(Vec::new()),
            class_names: ClassNames::NearUse,
            services: providers
                .map(|(service, provider)| (service.to_owned(), provider.to_owned()))
                .to_vec(),
            ..Query::default()
        };
        let reached = reach(&mut world, &question);
        let found = logging(&mut world, &reached, root);
        for missed in ran.difference(&found) {
            wrong += &format!("{case}: {missed} ran and is not reached\n");
        }
        for surplus in found.difference(&ran).filter(|_| exact) {
            wrong += &format!("{case}: {surplus} is reached and did not run\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(cases >= 66, "only {cases} cases ran");
    assert!(world.notices().is_empty(), "{:?}", world.notices());
}

#[test]
fn what_the_jvm_runs_is_what_is_reached() {
    compare(&jdk::main().home);
}

#[test]
fn and_so_on_jdk_25() {
    if let Some(jdk) = jdk::jdk25("reachability") {
        compare(&jdk.home);
    }
}
