//! Class paths with duplicates, releases, gaps, circles and damage.

use crate::support::{Memory, bare_class};
use jfathom_reachability::{Container, ContainerKind, Notice, World};
use std::collections::BTreeMap;

const OBJECT: &str = "java/lang/Object";
const INTERFACE: u16 = 0x0600;

fn entry(path: &str, name: &str, super_class: &str) -> (String, Vec<u8>) {
    (path.to_owned(), bare_class(0x21, name, super_class, &[]))
}

fn memory(containers: Vec<Vec<(String, Vec<u8>)>>) -> Memory {
    Memory(
        containers
            .into_iter()
            .map(|entries| entries.into_iter().collect::<BTreeMap<_, _>>())
            .collect(),
    )
}

fn super_of(world: &mut World<'_>, name: &str) -> String {
    let class = world.class(name.as_bytes());
    let above = world.superclasses(class).nth(1).expect("a superclass");
    world.class_name(above)
}

#[test]
fn the_first_container_wins_and_the_jdk_before_all() {
    let source = memory(vec![
        vec![entry("a/B.class", "a/B", "First"), entry("x/Y.class", "x/Y", OBJECT)],
        vec![entry("a/B.class", "a/B", "Second"), entry("x/Y.class", "x/Y", "Second")],
        vec![entry("x/Y.class", "x/Y", "Jdk"), entry("module-info.class", "module-info", OBJECT)],
    ]);
    let mut containers: Vec<Container> = (0..3).map(|at| source.container(at, false)).collect();
    containers[2].kind = ContainerKind::Jdk;
    let mut world = World::new(&source, containers, 17);
    assert_eq!(super_of(&mut world, "a/B"), "First");
    assert_eq!(super_of(&mut world, "x/Y"), "Jdk");
    let hidden = |kept: &str, hidden: &str, example: &str| Notice::Duplicates {
        kept: kept.to_owned(),
        hidden: hidden.to_owned(),
        count: 1,
        example: example.to_owned(),
    };
    assert_eq!(
        world.notices(),
        [
            hidden("container0.jar", "container1.jar", "a/B"),
            hidden("container2.jar", "container0.jar", "x/Y"),
            hidden("container2.jar", "container1.jar", "x/Y"),
        ]
    );
    assert_eq!(world.all_classes(ContainerKind::Program).len(), 1);
}

#[test]
fn releases_of_a_jar_go_by_the_target() {
    let source = memory(vec![vec![
        entry("a/B.class", "a/B", "Plain"),
        entry("META-INF/versions/11/a/B.class", "a/B", "Eleven"),
        entry("META-INF/versions/21/a/B.class", "a/B", "TwentyOne"),
        entry("META-INF/versions/8/a/B.class", "a/B", "Eight"),
        entry("META-INF/versions/11/a/New.class", "a/New", OBJECT),
    ]]);
    for (release, multi, expected) in
        [(8, true, "Plain"), (17, true, "Eleven"), (25, true, "TwentyOne"), (25, false, "Plain")]
    {
        let mut world = World::new(&source, vec![source.container(0, multi)], release);
        assert_eq!(super_of(&mut world, "a/B"), expected, "release {release}");
        assert_eq!(
            world.all_classes(ContainerKind::Program).len(),
            if multi && release > 8 { 2 } else { 1 }
        );
        assert!(world.notices().is_empty());
    }
}

#[test]
fn a_prefix_is_taken_off() {
    let source = memory(vec![vec![
        entry("BOOT-INF/classes/a/B.class", "a/B", OBJECT),
        entry("org/Loader.class", "org/Loader", OBJECT),
    ]]);
    let container =
        Container { prefix: "BOOT-INF/classes/".to_owned(), ..source.container(0, false) };
    let mut world = World::new(&source, vec![container], 17);
    let (inside, outside) = (world.class(b"a/B"), world.class(b"org/Loader"));
    assert!(!world.is_missing(inside) && world.is_missing(outside));
}

#[test]
fn circles_are_cut_with_a_notice() {
    let source = memory(vec![vec![
        entry("A.class", "A", "B"),
        entry("B.class", "B", "C"),
        entry("C.class", "C", "A"),
        entry("Self.class", "Self", "Self"),
        ("I.class".to_owned(), bare_class(INTERFACE, "I", OBJECT, &["J", "K"])),
        ("J.class".to_owned(), bare_class(INTERFACE, "J", OBJECT, &["K"])),
        ("K.class".to_owned(), bare_class(INTERFACE, "K", OBJECT, &["I"])),
    ]]);
    let mut world = World::new(&source, vec![source.container(0, false)], 17);
    let a = world.class(b"A");
    let chain: Vec<String> = world.superclasses(a).map(|class| world.class_name(class)).collect();
    assert_eq!(chain, ["A", "B", "C"]);
    let own = world.class(b"Self");
    assert_eq!(world.superclasses(own).count(), 1);
    let i = world.class(b"I");
    assert_eq!(world.supertypes(i).len(), 4, "I, J, K and Object");
    let cut = |class: &str| Notice::CyclicInheritance { class: class.to_owned() };
    assert_eq!(world.notices(), [cut("C"), cut("Self"), cut("K")]);
}

#[test]
fn a_diamond_is_no_circle_and_long_chains_are_no_recursion() {
    let mut entries = vec![
        ("D.class".to_owned(), bare_class(0x21, "D", OBJECT, &["L", "R"])),
        ("L.class".to_owned(), bare_class(INTERFACE, "L", OBJECT, &["T"])),
        ("R.class".to_owned(), bare_class(INTERFACE, "R", OBJECT, &["T"])),
        ("T.class".to_owned(), bare_class(INTERFACE, "T", OBJECT, &[])),
    ];
    let depth = 20_000;
    for i in 0..depth {
        let (path, name, above) = (format!("C{i}.class"), format!("C{i}"), format!("C{}", i + 1));
        entries.push(entry(&path, &name, &above));
    }
    let source = memory(vec![entries]);
    let mut world = World::new(&source, vec![source.container(0, false)], 17);
    let bottom = world.class(b"C0");
    assert_eq!(world.superclasses(bottom).count(), depth + 1);
    let diamond = world.class(b"D");
    assert_eq!(world.supertypes(diamond).len(), 5);
    assert!(world.notices().is_empty());
}

#[test]
fn unreadable_and_misplaced_classes_count_as_missing() {
    let mut cut = bare_class(0x21, "Cut", OBJECT, &[]);
    cut.truncate(20);
    let source = memory(vec![vec![
        ("Cut.class".to_owned(), cut),
        entry("Other.class", "Wrong", OBJECT),
        entry("Sound.class", "Sound", "Nowhere"),
    ]]);
    let mut world = World::new(&source, vec![source.container(0, false)], 17);
    for name in ["Cut", "Other", "Nowhere"] {
        let class = world.class(name.as_bytes());
        assert!(world.is_missing(class), "{name}");
    }
    assert_eq!(super_of(&mut world, "Sound"), "Nowhere");
    let notices: Vec<String> = world.notices().iter().map(ToString::to_string).collect();
    assert_eq!(notices.len(), 2, "{notices:?}");
    assert!(
        notices[0].starts_with("container0.jar!Cut.class: ")
            && notices[0].ends_with("treated as missing")
    );
    assert_eq!(notices[1], "container0.jar!Other.class holds the class Wrong; treated as missing");
}
