//! Worlds of damaged classes: an answer, whatever it is, and no panic.

use crate::support::Memory;
use jfathom_plan::CallGraph;
use jfathom_reachability::{ClassNames, ContainerKind, EntryPoints, MethodIx, Query, World, reach};
use std::collections::BTreeMap;
use std::path::Path;

/// A small generator, so that each seed gives the same damage everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below.max(1)
    }
}

fn collect(folder: &Path, base: &Path, into: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, base, into);
        } else if path.extension().is_some_and(|end| end == "class") {
            let name = path
                .strip_prefix(base)
                .expect("it lies below")
                .to_string_lossy()
                .replace('\\', "/");
            into.insert(name, std::fs::read(&path).expect("a class file"));
        }
    }
}

/// Asks everything of a world that commands ask.
fn ask(classes: &BTreeMap<String, Vec<u8>>) -> usize {
    let memory = Memory(vec![classes.clone()]);
    let mut asked = 0;
    for call_graph in [CallGraph::Rta, CallGraph::Cha] {
        let mut world = World::new(&memory, vec![memory.container(0, false)], 17);
        let mut roots: Vec<MethodIx> = Vec::new();
        for name in world.all_classes(ContainerKind::Program) {
            let class = world.class_of(name);
            roots.extend(world.methods_of(class).filter(|&method| world.has_code(method)));
        }
        for entry_points in [
            EntryPoints::AnyMethod,
            EntryPoints::Methods(roots.clone()),
            EntryPoints::Methods(Vec::new()),
        ] {
            let class_names = ClassNames::Anywhere;
            let question = Query {
                roots: roots.clone(),
                call_graph,
                entry_points,
                class_names,
                ..Query::default()
            };
            let reached = reach(&mut world, &question);
            let statistics = reached.statistics(&mut world);
            assert!(statistics.methods >= roots.len().min(1));
            asked += reached.missing(&world).len() + reached.cycles().len();
            for method in reached.methods().take(50) {
                let path = reached.shortest_path(method).expect("a reached method has a path");
                assert!(!path.is_empty());
            }
        }
        for notice in world.notices() {
            asked += notice.to_string().len();
        }
    }
    asked
}

#[test]
fn any_damage_to_classes_gives_an_answer() {
    let temp = tempfile::tempdir().expect("a folder");
    crate::support::compile("cases", temp.path());
    let mut classes = BTreeMap::new();
    collect(temp.path(), temp.path(), &mut classes);
    let names: Vec<String> = classes.keys().cloned().collect();
    assert!(ask(&classes) > 0);
    for seed in 0..60 {
        let mut dice = Dice(seed);
        let mut damaged = classes.clone();
        for _ in 0..1 + dice.roll(12) {
            let bytes = damaged.get_mut(&names[dice.roll(names.len())]).expect("a class");
            match dice.roll(8) {
                0 => bytes.truncate(dice.roll(bytes.len() + 1)),
                // Mostly after the magic number, so that much of the class is still read.
                _ => {
                    for _ in 0..1 + dice.roll(4) {
                        let at = 8 + dice.roll(bytes.len().saturating_sub(8));
                        if let Some(byte) = bytes.get_mut(at) {
                            *byte = dice.roll(256) as u8;
                        }
                    }
                }
            }
        }
        ask(&damaged);
    }
}

#[test]
fn circles_of_supertypes_give_an_answer() {
    let mut classes = BTreeMap::new();
    for (name, above, interfaces) in [
        ("A", "B", &["I"][..]),
        ("B", "C", &[]),
        ("C", "A", &["J"]),
        ("Self", "Self", &[]),
        ("D", "Gone", &["A"]),
    ] {
        classes.insert(
            format!("{name}.class"),
            crate::support::bare_class(0x21, name, above, interfaces),
        );
    }
    for (name, above) in [("I", "J"), ("J", "I")] {
        classes.insert(
            format!("{name}.class"),
            crate::support::bare_class(0x601, name, "java/lang/Object", &[above]),
        );
    }
    let memory = Memory(vec![classes.clone()]);
    let mut world = World::new(&memory, vec![memory.container(0, false)], 17);
    for name in world.all_classes(ContainerKind::Program) {
        let class = world.class_of(name);
        assert!(world.supertypes(class).len() <= 8);
    }
    let circles =
        world.notices().iter().filter(|notice| notice.to_string().contains("circle")).count();
    assert!(circles >= 3, "{:?}", world.notices());
    ask(&classes);
}
