//! `--live SCHEME`: what a live recording found and counted of what the agent's log says was
//! called.

use super::{Bench, Case, methods};
use jfathom_plan::MethodKey;
use jfathom_profile::Profile;
use jfathom_reachability::World;
use jfathom_tests::{live::Lines, run};
use jfathom_world::{Cache, Options, open};
use std::{collections::BTreeSet, fs, path::PathBuf};

/// The head of the table.
pub const HEAD: &str = "\
| root | JVM | scheme | called inside | live | recall | recorded | called outside only | live | all | retransformations | of classes | most of one | at load | late | failed |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|";

impl Bench {
    /// Prints the row of one root.
    pub fn live_case(&self, case: &Case, scheme: &str) {
        let log = self.log(case);
        let options =
            Options { jdk: Some(self.jdk.home.clone()), cache: Cache::Off, ..Options::default() };
        let opened = open(&self.class_path(case), &options)
            .unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let mut world = opened.world();
        assert!(
            !methods(&mut world, case.class, case.method).is_empty(),
            "{} has no {}",
            case.class,
            case.method
        );
        let (profile, lines) = self.record_live(case, scheme);
        let live: BTreeSet<MethodKey> = lines.all("class").flat_map(keys).collect();
        let recorded: BTreeSet<&MethodKey> = profile
            .methods
            .iter()
            .filter(|method| method.calls() + method.virtual_calls > 0)
            .map(|method| &method.info.key)
            .collect();
        let mut program = |outside_too: bool| -> Vec<&MethodKey> {
            log.called(outside_too).into_iter().filter(|key| is_program(&mut world, key)).collect()
        };
        let (inside, all) = (program(false), program(true));
        let outside: Vec<&&MethodKey> = all.iter().filter(|key| !inside.contains(key)).collect();
        let found = inside.iter().filter(|key| live.contains(**key)).count();
        let found_outside = outside.iter().filter(|key| live.contains(**key)).count();
        println!(
            "| {} | {} | {scheme} | {} | {found} | {:.2} % | {} | {} | {found_outside} | {:.2} % | {} | {} | {} | {} | {} | {} |",
            case.name,
            self.jdk.version,
            inside.len(),
            percent(found, inside.len()),
            inside.iter().filter(|key| recorded.contains(**key)).count(),
            outside.len(),
            percent(found + found_outside, all.len()),
            lines.total("retransformations"),
            lines.total("retransformed_classes"),
            lines.total("most_retransformed"),
            lines.total("at_load"),
            lines.total("late"),
            lines.total("failed"),
        );
        if self.list {
            inside
                .iter()
                .filter(|key| !live.contains(**key))
                .for_each(|key| eprintln!("not live: {key}"));
            let silent =
                inside.iter().filter(|key| live.contains(**key) && !recorded.contains(**key));
            silent.for_each(|key| eprintln!("live, not recorded: {key}"));
        }
    }

    /// Records the program from its root; of its JVMs the one that entered the root counts.
    fn record_live(&self, case: &Case, scheme: &str) -> (Profile, Lines) {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let (file, session) = (folder.path().join("p.jfp"), folder.path().join("session"));
        let binary = std::env::var_os("JFATHOM_BIN")
            .map(PathBuf::from)
            .expect("JFATHOM_BIN names a release build");
        let mut command = std::process::Command::new(binary);
        command.args([
            "record",
            "-q",
            "--use-java-tool-options",
            "--tune=session-files=keep",
            "--tune=calibrate=off",
            "--scheme",
            scheme,
        ]);
        command
            .args(["--root", &format!("{}::{}", case.class.replace('/', "."), case.method), "-o"])
            .arg(&file);
        command
            .arg(format!("--tune=session={}", session.display()))
            .args(["--", "bash"])
            .arg(self.scripts.join("run.sh"));
        let done = run::run(command.arg(case.program).env("JAVA", self.jdk.java())).fine();
        assert!(done.stdout.contains(" rc=0 "), "{done}");
        let bytes = fs::read(&file).unwrap_or_else(|error| panic!("{error}\n{done}"));
        let profile =
            Profile::read(&mut bytes.as_slice()).unwrap_or_else(|error| panic!("{error}\n{done}"));
        (profile, Lines::of(&session))
    }
}

fn percent(part: usize, of: usize) -> f64 {
    100.0 * part as f64 / of.max(1) as f64
}

/// The methods of a `class` line.
fn keys(class: &serde_json::Value) -> Vec<MethodKey> {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let methods = class["methods"].as_array().cloned().unwrap_or_default();
    let key = |method: &serde_json::Value| MethodKey {
        class: text(&class["name"]),
        name: text(&method["name"]),
        descriptor: text(&method["descriptor"]),
    };
    methods.iter().map(key).collect()
}

fn is_program(world: &mut World<'_>, key: &MethodKey) -> bool {
    let method = world.method(&key.class, &key.name, &key.descriptor);
    method.is_some_and(|method| {
        world.is_program(world.class_of_method(method)) && world.has_code(method)
    })
}
