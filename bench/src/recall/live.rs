//! `--live SCHEME`: what a live recording found and counted of what the agent's log says was
//! called.

use super::{Bench, Case, methods};
use crate::{
    jfathom::profile,
    totals::{self, Totals},
};
use anyhow::Result;
use jfathom_plan::MethodKey;
use jfathom_profile::Profile;
use jfathom_reachability::World;
use jfathom_tests::{live::Lines, run};
use std::collections::BTreeSet;

/// The columns of the table.
pub fn columns() -> String {
    let totals = totals::COLUMNS;
    format!(
        "root | JVM | scheme | called inside | live | recall | recorded | called outside only | live | all | {totals}"
    )
}

impl Bench<'_> {
    /// Prints the row of one root.
    pub fn live_case(&self, case: &Case, scheme: &str) -> Result<()> {
        let log = self.log(case)?;
        let opened = self.open(case)?;
        let mut world = opened.world();
        let (class, method) = (&case.class, case.method);
        assert!(!methods(&mut world, class, method).is_empty(), "{class} has no {method}");
        let (profile, lines, totals) = self.record_live(case, scheme)?;
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
            "| {} | {} | {scheme} | {} | {found} | {:.2} % | {} | {} | {found_outside} | {:.2} % | {} |",
            case.name,
            self.jdk.version,
            inside.len(),
            percent(found, inside.len()),
            inside.iter().filter(|key| recorded.contains(**key)).count(),
            outside.len(),
            percent(found + found_outside, all.len()),
            totals.cells(),
        );
        if self.options.list {
            inside
                .iter()
                .filter(|key| !live.contains(**key))
                .for_each(|key| eprintln!("not live: {key}"));
            let silent =
                inside.iter().filter(|key| live.contains(**key) && !recorded.contains(**key));
            silent.for_each(|key| eprintln!("live, not recorded: {key}"));
        }
        Ok(())
    }

    /// Records the program from its root; of its JVMs the one that entered the root counts.
    fn record_live(&self, case: &Case, scheme: &str) -> Result<(Profile, Lines, Totals)> {
        let folder = tempfile::tempdir()?;
        let (file, session) = (folder.path().join("p.jfp"), folder.path().join("session"));
        let root = format!("{}::{}", case.class.replace('/', "."), case.method);
        let place = format!("--tune=session={}", session.display());
        let options =
            ["--use-java-tool-options", "--tune=session-files=keep", "--tune=calibrate=off"];
        let more = ["--scheme", scheme, "--root", &root, &place];
        let options = [&options[..], &more].concat();
        let mut record = self.corpus.record(case.program, self.jdk, &file, &options);
        let done = run::run(&mut record).fine();
        assert!(done.stdout.contains(" rc=0 "), "{done}");
        Ok((profile(&file)?, Lines::of(&session), Totals::read(&session)?))
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
