//! A small program on this machine's JDK: with and without a cache, and through jmod files, the
//! answers are the same.

use jfathom_reachability::{EntryPoints, Query, reach};
use jfathom_testkit::{Javac, jdk};
use jfathom_world::{Cache, Options, open};
use std::collections::BTreeSet;
use std::path::Path;

const SOURCE: &str = "
    import java.util.*;
    import java.util.stream.*;
    public class Small {
        interface Shape { double area(); }
        record Square(double side) implements Shape { public double area() { return side * side; } }
        static class Never implements Shape { public double area() { return 0; } }
        public static void main(String[] args) {
            List<Shape> shapes = Stream.of(args).map(Double::parseDouble).map(Square::new)
                .collect(Collectors.toList());
            Thread thread = new Thread(
                () -> shapes.forEach(shape -> System.out.println(shape.area())));
            thread.start();
        }
    }";

/// All methods that `main` reaches, and those of the program.
fn answer(
    home: &Path,
    classes: &Path,
    cache: Cache,
) -> (BTreeSet<String>, BTreeSet<String>, usize) {
    let options = Options { jdk: Some(home.to_owned()), cache, ..Options::default() };
    let opened = open(&[classes.to_owned()], &options).expect("a world");
    let mut world = opened.world();
    let main = world.method("Small", "main", "([Ljava/lang/String;)V").expect("main");
    let services = opened.services().to_vec();
    let question = Query {
        roots: vec![main],
        entry_points: EntryPoints::Methods(vec![main]),
        services,
        ..Query::default()
    };
    let reached = reach(&mut world, &question);
    let all = reached.methods().map(|method| world.key(method).to_string()).collect();
    let program =
        reached.program_methods(&world).map(|method| world.key(method).to_string()).collect();
    (all, program, opened.statistics().indexed)
}

#[test]
fn answers_do_not_depend_on_where_classes_come_from() {
    let folder = tempfile::tempdir().expect("a directory");
    let (home, classes) = (jdk::main().home.clone(), folder.path().join("classes"));
    let source = folder.path().join("Small.java");
    std::fs::write(&source, SOURCE).expect("a source");
    Javac::release(17).compile(&[source], &classes);
    let (all, program, _) = answer(&home, &classes, Cache::Off);
    assert!(program.iter().any(|method| method.contains("Square::area")), "{program:?}");
    assert!(!program.iter().any(|method| method.contains("Never")), "{program:?}");
    assert!(all.len() > 1000);
    let cache = Cache::At(folder.path().join("cache"));
    for is_cold in [true, false] {
        let (again, own, indexed) = answer(&home, &classes, cache.clone());
        assert_eq!(indexed > 0, is_cold);
        assert!(again == all, "{:?}", again.symmetric_difference(&all).collect::<Vec<_>>());
        assert_eq!(own, program);
    }
    if !home.join("jmods").is_dir() {
        eprintln!("skipped through jmods: {} has none", home.display());
        return;
    }
    // The same JDK without its image.
    let bare = folder.path().join("jdk");
    std::fs::create_dir(&bare).expect("a folder");
    std::os::unix::fs::symlink(home.join("jmods"), bare.join("jmods")).expect("a link");
    std::fs::copy(home.join("release"), bare.join("release")).expect("a copy");
    let (through_jmods, own, _) = answer(&bare, &classes, Cache::Off);
    assert_eq!(own, program);
    // jlink writes anew how the JVM finds its own modules, so a few methods of the JDK differ, and
    // only there.
    let different: Vec<_> = through_jmods.symmetric_difference(&all).collect();
    assert!(
        100 * different.len() < all.len(),
        "{} of {}: {different:?}",
        different.len(),
        all.len()
    );
}
