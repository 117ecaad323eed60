//! Answers from a result, and roots.

use crate::support::Disk;
use jfathom_plan::{CallGraph, ClassSummary, SelectionRules, Selector, choose};
use jfathom_reachability::{
    ClassNames, ContainerKind, EntryPoints, MethodIx, Node, Query, Reason, RootError, World,
    find_roots, reach,
};
use jfathom_rewriter::{Digests, summarize};
use std::path::Path;

struct Program {
    _temp: tempfile::TempDir,
    disk: Disk,
    summaries: Vec<ClassSummary>,
}

fn program(without: &[&str]) -> Program {
    let temp = tempfile::tempdir().expect("a folder");
    crate::support::compile("answers", temp.path());
    for name in without {
        std::fs::remove_file(temp.path().join(name)).expect("a class file");
    }
    let mut summaries = Vec::new();
    let disk = Disk::default()
        .module(&jfathom_testkit::jdk::main().home, "java.base")
        .program(temp.path());
    for entry in &disk.containers[1].entries {
        let bytes = std::fs::read(Path::new(temp.path()).join(entry)).expect("a class file");
        summaries.push(summarize(&bytes, Digests::Omit).expect("a sound class"));
    }
    Program { _temp: temp, disk, summaries }
}

fn selector(text: &str) -> Selector {
    text.parse().expect("a selector")
}

fn main_query(world: &mut World<'_>, call_graph: CallGraph) -> Query {
    let main = world.method("shop/Shop", "main", "([Ljava/lang/String;)V").expect("main");
    let entry_points = EntryPoints::Methods(Vec::new());
    Query { roots: vec![main], call_graph, entry_points, ..Query::default() }
}

fn program_names(world: &World<'_>, methods: impl Iterator<Item = MethodIx>) -> Vec<String> {
    let mut names: Vec<String> = methods.map(|method| world.key(method).to_string()).collect();
    names.sort();
    names
}

#[test]
fn a_wider_query_loses_no_method() {
    let program = program(&[]);
    let mut world = World::new(&program.disk, program.disk.containers.clone(), 17);
    let mut before: Vec<String> = Vec::new();
    let none = EntryPoints::Methods(Vec::new());
    for (call_graph, entry_points, count) in [
        (CallGraph::Rta, none.clone(), 10),
        (CallGraph::Rta, EntryPoints::AnyMethod, 11),
        (CallGraph::Cha, none, 11),
    ] {
        let query = Query { entry_points, ..main_query(&mut world, call_graph) };
        let reached = reach(&mut world, &query);
        let names = program_names(&world, reached.program_methods(&world));
        assert!(
            before.iter().all(|name| names.contains(name)),
            "{call_graph:?} lost some of {before:?}"
        );
        assert_eq!(names.len(), count, "{call_graph:?}: {names:#?}");
        before = names;
    }
}

#[test]
fn an_index_answers_as_the_class_files_do() {
    let program = program(&[]);
    let mut results: Vec<Vec<String>> = Vec::new();
    let mut ask = |disk: &Disk| {
        let mut world = World::new(disk, disk.containers.clone(), 17);
        let query = main_query(&mut world, CallGraph::Rta);
        let reached = reach(&mut world, &query);
        results.push(program_names(&world, reached.methods()));
        assert!(world.notices().is_empty(), "{:?}", world.notices());
    };
    ask(&program.disk);
    ask(&program.disk.indexed());
    assert!(results[0].len() > 1000, "with those of the JDK");
    assert_eq!(results[0], results[1]);
}

#[test]
fn constants_far_from_their_use_count_where_asked() {
    let program = program(&[]);
    let mut world = World::new(&program.disk, program.disk.containers.clone(), 17);
    let root = world.method("shop/Shop", "constants", "()V").expect("a method");
    for (class_names, expected) in [(ClassNames::NearUse, false), (ClassNames::Anywhere, true)] {
        let entry_points = EntryPoints::Methods(Vec::new());
        let query = Query { roots: vec![root], entry_points, class_names, ..Query::default() };
        let reached = reach(&mut world, &query);
        for class in ["shop/Shop$Toy", "shop/Shop$Book"] {
            let constructor = world.method(class, "<init>", "()V").expect("a constructor");
            assert_eq!(reached.contains(constructor), expected, "{class} {class_names:?}");
        }
    }
}

#[test]
fn a_shortest_path_has_the_reasons() {
    let program = program(&[]);
    let mut world = World::new(&program.disk, program.disk.containers.clone(), 17);
    let query = main_query(&mut world, CallGraph::Rta);
    let reached = reach(&mut world, &query);
    let price = world.method("shop/Shop$Book", "price", "()I").expect("a method");
    let path = reached.shortest_path(price).expect("a path");
    let labels: Vec<String> = path.iter().map(|step| world.label(step.node)).collect();
    assert_eq!(
        labels,
        [
            "shop.Shop::main([Ljava/lang/String;)V",
            "shop.Shop::sum(Lshop/Shop$Item;)I",
            "any shop.Shop$Item::price()I",
            "shop.Shop$Book::price()I"
        ]
    );
    let reasons: Vec<Option<Reason>> = path.iter().map(|step| step.reason).collect();
    assert_eq!(reasons, [None, Some(Reason::Call), Some(Reason::Call), Some(Reason::Dispatch)]);
    let clinit = world.method("shop/Shop$Book", "<clinit>", "()V").expect("a method");
    let path = reached.shortest_path(clinit).expect("a path");
    assert_eq!(path.len(), 3, "{path:?}");
    assert!(matches!(path[1].node, Node::Init(_)) && path[1].reason == Some(Reason::Init));
    let never = world.method("shop/Shop$Toy", "price", "()I").expect("a method");
    assert_eq!((reached.shortest_path(never), reached.contains(never)), (None, false));
    let book = world.class(b"shop/Shop$Book");
    assert_eq!(reached.allocated(book), Some(Some(query.roots[0])));
    let root = reached.shortest_path(query.roots[0]).expect("a path");
    assert_eq!((root.len(), root[0].reason), (1, None));
}

#[test]
fn counts_circles_and_the_drawing_are_of_the_reached_part() {
    let program = program(&[]);
    let mut world = World::new(&program.disk, program.disk.containers.clone(), 17);
    let query = main_query(&mut world, CallGraph::Rta);
    let reached = reach(&mut world, &query);
    let statistics = reached.statistics(&mut world);
    assert_eq!((statistics.methods, statistics.classes), (10, 2));
    assert_eq!(statistics.by_package.get("shop"), Some(&10));
    assert_eq!(statistics.by_reason.values().sum::<usize>(), 9, "all but the root: {statistics:?}");
    assert_eq!(statistics.call_sites, 14);
    let own = |methods: &Vec<MethodIx>| {
        methods.iter().all(|&method| world.is_program(world.class_of_method(method)))
    };
    let circles: Vec<Vec<String>> = reached
        .cycles()
        .iter()
        .filter(|methods| own(methods))
        .map(|methods| program_names(&world, methods.iter().copied()))
        .collect();
    assert_eq!(circles, [["shop.Shop::even(I)Z", "shop.Shop::odd(I)Z"]]);
    let dot = reached.dot(&world, false);
    assert!(dot.starts_with("digraph calls {\n") && dot.ends_with("}\n"));
    assert!(dot.contains("[label=\"shop.Shop::even(I)Z\"]"), "{dot}");
    assert!(dot.contains("[label=\"any shop.Shop$Item::price()I\", style=dashed]"), "{dot}");
    assert!(!dot.contains("java.lang.String"), "{dot}");
    assert!(reached.dot(&world, true).len() > dot.len());
    let graph = reached.graph();
    assert_eq!(graph.node_count(), reached.nodes().count());
}

#[test]
fn what_is_left_of_surveys_is_what_plans_choose_from() {
    let program = program(&[]);
    let mut world = World::new(&program.disk, program.disk.containers.clone(), 17);
    let roots =
        find_roots(&mut world, &program.summaries, &selector("shop.Shop::sum")).expect("a root");
    let query = Query { roots, ..Query::default() };
    let reached = reach(&mut world, &query);
    let mut summaries = program.summaries.clone();
    reached.retain(&world, &mut summaries);
    let rules =
        SelectionRules { roots: vec![selector("shop.Shop::sum")], ..SelectionRules::default() };
    let choice = choose(&summaries, &rules).expect("a choice");
    let chosen: usize = choice.classes.iter().map(|class| class.plan.methods.len()).sum();
    // Any method of the program may have made a Toy before; Book was initialised by who made it.
    let expected = [
        "shop.Shop$Book::price()I",
        "shop.Shop$Toy::price()I",
        "shop.Shop::sum(Lshop/Shop$Item;)I",
    ];
    assert_eq!(program_names(&world, reached.program_methods(&world)), expected);
    assert_eq!(chosen, expected.len());
}

#[test]
fn what_is_missing_is_listed_once() {
    let program = program(&["shop/Absent.class"]);
    let mut world = World::new(&program.disk, program.disk.containers.clone(), 17);
    let root = world.method("shop/Shop", "needsAbsent", "()V").expect("a method");
    let query = Query { roots: vec![root], ..Query::default() };
    let missing = reach(&mut world, &query).missing(&world);
    let listed: Vec<(&str, usize)> =
        missing.iter().map(|missing| (missing.what.as_str(), missing.references)).collect();
    assert_eq!(listed, [("shop.Absent", 3)]);
    assert_eq!(missing[0].from.to_string(), "shop.Shop::needsAbsent()V");
}

#[test]
fn roots_that_cannot_be_are_errors_with_a_way_out() {
    let program = program(&[]);
    let mut world = World::new(&program.disk, program.disk.containers.clone(), 17);
    let mut fails =
        |text: &str| find_roots(&mut world, &program.summaries, &selector(text)).expect_err(text);
    assert_eq!(
        fails("shop.Shop$Item::price").to_string(),
        "--root shop.Shop$Item::price matches only abstract methods, such as shop.Shop$Item::price()I; \
         choose the methods that implement it: shop.Shop$Book::price()I, shop.Shop$Toy::price()I"
    );
    assert!(
        matches!(fails("shop.Shop::low"), RootError::Native { method, .. } if method.name == "low")
    );
    for text in ["java.util.ArrayList::add", "java.util.ArrayList"] {
        let error = fails(text);
        assert!(
            matches!(&error, RootError::InJdk { class, .. } if class == "java.util.ArrayList"),
            "{error}"
        );
    }
    assert_eq!(
        fails("shop.Shop::evn").to_string(),
        "--root shop.Shop::evn matches nothing; did you mean shop.Shop::even?"
    );
    let found =
        find_roots(&mut world, &program.summaries, &selector("shop.Shop::*")).expect("methods");
    assert_eq!(found.len(), 11);
    assert_eq!(world.all_classes(ContainerKind::Program).len(), 5);
}
