//! Indexes that are kept: used when they are sound, made again when not, and never believed
//! otherwise.

use crate::support::{OBJECT, Place, entry};
use jfathom_archive::Input;
use jfathom_reachability::ContainerKind;
use jfathom_world::{Cache, Notice, OpenedWorld, Options, open, open_inputs};
use std::fs;
use std::path::{Path, PathBuf};

fn options(place: &Place, cache: Cache) -> Options {
    Options { jdk: Some(place.path("jdk")), cache, ..Options::default() }
}

/// What a world says of all its classes: name, superclass, container.
fn all(opened: &OpenedWorld<'_>) -> Vec<String> {
    let mut world = opened.world();
    let mut lines = Vec::new();
    for kind in [ContainerKind::Jdk, ContainerKind::Program] {
        for name in world.all_classes(kind) {
            let class = world.class_of(name);
            world.code(class);
            let above = world.superclasses(class).nth(1).map(|class| world.class_name(class));
            lines.push(format!(
                "{} {above:?} {:?}",
                world.class_name(class),
                world.container_of(class)
            ));
        }
    }
    assert!(world.notices().is_empty(), "{:?}", world.notices());
    lines
}

fn program(place: &Place) -> Vec<PathBuf> {
    let jar = place.jar("app.jar", &[entry("", "a/B", "a/C"), entry("", "a/C", OBJECT)]);
    let below = entry("", "d/E", "a/B");
    place.write(&format!("classes/{}", below.0), &below.1);
    vec![jar, place.path("classes")]
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(directory).expect("a cache").flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Those that no writer is at work on.
fn finished(directory: &Path) -> Vec<PathBuf> {
    let is_finished = |path: &PathBuf| {
        !path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
    };
    files(directory).into_iter().filter(is_finished).collect()
}

#[test]
fn the_second_world_reads_no_class() {
    let place = Place::new();
    let paths = program(&place);
    let plain = open(&paths, &options(&place, Cache::Off)).expect("a world");
    assert_eq!(
        (plain.statistics().classes, plain.statistics().indexed, plain.statistics().from_cache),
        (6, 0, 0)
    );
    let expected = all(&plain);
    assert_eq!(expected.len(), 6);
    let cache = Cache::At(place.path("cache"));
    for (indexed, from_cache) in [(6, 0), (0, 6)] {
        let opened = open(&paths, &options(&place, cache.clone())).expect("a world");
        assert_eq!(
            (opened.statistics().indexed, opened.statistics().from_cache),
            (indexed, from_cache)
        );
        assert_eq!(all(&opened), expected);
        assert_eq!(opened.finish_cache(), None);
    }
    assert_eq!(files(&place.path("cache")).len(), 3);
    // Another content of one container, of the same length, is another index.
    place.jar("app.jar", &[entry("", "a/B", OBJECT), entry("", "a/C", OBJECT)]);
    let opened = open(&paths, &options(&place, cache)).expect("a world");
    assert_eq!((opened.statistics().indexed, opened.statistics().from_cache), (2, 4));
    assert!(all(&opened)[3].starts_with("a/B Some(\"java/lang/Object\")"), "{:?}", all(&opened));
}

#[test]
fn a_damaged_index_is_made_again() {
    let place = Place::new();
    let paths = program(&place);
    let options = options(&place, Cache::At(place.path("cache")));
    let expected = all(&open(&paths, &options).expect("a world"));
    let sound: Vec<(PathBuf, Vec<u8>)> = files(&place.path("cache"))
        .into_iter()
        .map(|path| (path.clone(), fs::read(path).expect("a file")))
        .collect();
    assert_eq!(sound.len(), 3);
    let check = |what: &str| {
        let opened = open(&paths, &options).expect("a world");
        assert!(opened.statistics().indexed > 0, "{what}: was believed");
        assert_eq!(all(&opened), expected, "{what}");
        drop(opened);
        for (path, bytes) in &sound {
            assert!(fs::read(path).expect("a file") == *bytes, "{what}: not made again");
        }
    };
    for (path, bytes) in &sound {
        // Each region: the head at every byte, the rest in steps.
        for at in (0..80).chain((80..bytes.len()).step_by(bytes.len() / 12)) {
            let mut changed = bytes.clone();
            changed[at] ^= 0x10;
            fs::write(path, changed).expect("written");
            check(&format!("{at} in {}", path.display()));
        }
        for len in [0, 3, 15, 16, 63, bytes.len() / 2, bytes.len() - 1] {
            fs::write(path, &bytes[..len]).expect("written");
            check(&format!("{len} bytes of {}", path.display()));
        }
        fs::write(path, [&bytes[..], &[0]].concat()).expect("written");
        check("a longer file");
    }
    // Another container's index under a key.
    fs::write(&sound[0].0, &sound[1].1).expect("written");
    check("of another key");
}

#[test]
fn many_worlds_at_once_share_a_cache() {
    let place = Place::new();
    let paths = program(&place);
    let expected = all(&open(&paths, &options(&place, Cache::Off)).expect("a world"));
    let options = options(&place, Cache::At(place.path("cache")));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..10 {
                    let opened = open(&paths, &options).expect("a world");
                    assert_eq!(all(&opened), expected);
                    assert_eq!(opened.finish_cache(), None);
                    // The next one may find nothing, or find it gone while it reads.
                    finished(&place.path("cache"))
                        .iter()
                        .for_each(|path| drop(fs::remove_file(path)));
                }
            });
        }
    });
    let left = files(&place.path("cache"));
    assert_eq!(left, finished(&place.path("cache")), "something unfinished is left");
}

#[test]
fn without_a_usable_cache_everything_works() {
    let place = Place::new();
    let paths = program(&place);
    let expected = all(&open(&paths, &options(&place, Cache::Off)).expect("a world"));
    let file = place.write("file", b"");
    let opened = open(&paths, &options(&place, Cache::At(file.join("cache")))).expect("a world");
    assert_eq!(all(&opened), expected);
    let [notice @ Notice::CacheUnusable { .. }] = opened.notices() else {
        panic!("{:?}", opened.notices())
    };
    assert!(
        notice.is_detail()
            && notice.to_string().contains("no index is kept: cannot make the directory")
    );
}

#[test]
fn an_index_of_a_jar_that_changed_is_not_kept() {
    let place = Place::new();
    let path = place.jar("app.jar", &[entry("", "a/B", OBJECT)]);
    let options = options(&place, Cache::At(place.path("cache")));
    let input = Input::open(&path).expect("a jar");
    fs::rename(&path, place.path("away.jar")).expect("moved");
    let opened = open_inputs([&input], &options).expect("a world");
    let error = opened.check_unchanged().expect_err("it is gone").to_string();
    assert!(error.contains("app.jar"), "{error}");
    let mut world = opened.world();
    for name in world.all_classes(ContainerKind::Program) {
        world.class_of(name);
    }
    assert!(format!("{:?}", world.notices()).contains("app.jar"), "{:?}", world.notices());
    drop(world);
    drop(opened);
    // That of the JDK.
    assert_eq!(finished(&place.path("cache")).len(), 1);

    fs::rename(place.path("away.jar"), &path).expect("moved");
    let opened = open(&[path], &options).expect("a world");
    opened.check_unchanged().expect("it is back");
    assert_eq!(opened.statistics().indexed, 1);
    assert!(all(&opened).iter().any(|class| class.starts_with("a/B ")));
}
