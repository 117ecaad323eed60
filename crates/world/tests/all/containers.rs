//! Nested jars, releases, services, and inputs that are none.

use crate::support::{OBJECT, Place, class, entry, zip};
use jfathom_reachability::ContainerKind;
use jfathom_world::{Cache, Error, Notice, OpenedWorld, Options, open, open_inputs};
use std::path::PathBuf;

fn options(place: &Place) -> Options {
    Options {
        jdk: Some(place.path("jdk")),
        cache: Cache::At(place.path("cache")),
        ..Options::default()
    }
}

/// The program's classes, with their containers from the last part of the path on.
fn program(opened: &OpenedWorld<'_>) -> Vec<String> {
    let mut world = opened.world();
    let classes = world.all_classes(ContainerKind::Program);
    let show = |name| {
        let class = world.class_of(name);
        let label = world.container_of(class).unwrap_or("nowhere").to_owned();
        format!("{} {}", world.class_name(class), label.rsplit('/').next().unwrap_or_default())
    };
    classes.into_iter().map(show).collect()
}

fn text(name: &str, content: &str) -> (String, Vec<u8>) {
    (name.to_owned(), content.as_bytes().to_vec())
}

#[test]
fn a_jar_of_jars_is_all_in_the_world() {
    let place = Place::new();
    let inner = zip(&[entry("", "x/Inner", OBJECT)]);
    let library = zip(&[
        entry("", "lib/One", OBJECT),
        text("META-INF/services/lib.Service", "lib.One # the only one\n"),
        ("deep/inner.jar".to_owned(), inner),
    ]);
    let jar = place.jar(
        "boot.jar",
        &[
            entry("", "org/Loader", OBJECT),
            ("BOOT-INF/lib/one.jar".to_owned(), library),
            ("BOOT-INF/lib/broken.jar".to_owned(), b"no zip".to_vec()),
            entry("BOOT-INF/classes/", "app/Main", OBJECT),
            text("BOOT-INF/classes/META-INF/services/app.Service", "app.Main"),
        ],
    );
    for _cold_then_warm in 0..2 {
        let opened = open(std::slice::from_ref(&jar), &options(&place)).expect("a world");
        assert_eq!(
            program(&opened),
            ["app/Main boot.jar", "lib/One one.jar", "x/Inner inner.jar", "org/Loader boot.jar"]
        );
        let services: Vec<(&str, &str)> =
            opened.services().iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(services, [("app/Service", "app/Main"), ("lib/Service", "lib/One")]);
        let [Notice::NotRead { location, problem }] = opened.notices() else {
            panic!("{:?}", opened.notices())
        };
        assert!(
            location.ends_with("boot.jar!BOOT-INF/lib/broken.jar")
                && problem.contains("not a zip file"),
            "{problem}"
        );
        assert_eq!(opened.statistics().containers, 3 + 2);
    }
}

/// The JVM loads the other classes, too.
#[test]
fn an_entry_whose_data_is_elsewhere_is_left_out_alone() {
    let place = Place::new();
    let mut jar = zip(&[entry("", "app/Main", OBJECT), entry("", "app/Lost", OBJECT)]);
    let name = jar.windows(8).position(|bytes| bytes == b"app/Lost").expect("its local header");
    jar[name - 30] = b'Q';
    let nested = zip(&[("BOOT-INF/lib/one.jar".to_owned(), jar.clone())]);
    for (name, bytes) in [("app.jar", jar), ("boot.jar", nested)] {
        let path = place.path(name);
        std::fs::write(&path, bytes).unwrap();
        let opened = open(&[path], &options(&place)).expect("a world");
        assert!(program(&opened).iter().any(|class| class.starts_with("app/Main ")), "{name}");
        let [gap @ Notice::NotRead { location, .. }] = opened.notices() else {
            panic!("{name}: {:?}", opened.notices())
        };
        assert!(location.ends_with("!app/Lost.class") && gap.is_gap(), "{location}");
    }
}

#[test]
fn a_war_has_its_folder_and_its_libraries() {
    let place = Place::new();
    let war = place.jar(
        "app.war",
        &[
            entry("WEB-INF/classes/", "web/Page", OBJECT),
            (
                "WEB-INF/lib/one.jar".to_owned(),
                zip(&[entry("", "web/Page", "Hidden"), entry("", "lib/One", OBJECT)]),
            ),
        ],
    );
    let input = jfathom_archive::Input::open(&war).expect("a war");
    let opened = open_inputs([&input], &options(&place)).expect("a world");
    assert_eq!(program(&opened), ["web/Page app.war", "lib/One one.jar"]);
    assert_eq!(opened.world().notices().len(), 1, "the hidden class is told");
}

#[test]
fn releases_go_by_the_jdk() {
    let place = Place::new();
    let jar = place.jar(
        "multi.jar",
        &[
            text("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n"),
            entry("", "a/B", OBJECT),
            ("META-INF/versions/11/a/B.class".to_owned(), class("a/B", "Eleven")),
            ("META-INF/versions/21/a/B.class".to_owned(), class("a/B", "TwentyOne")),
        ],
    );
    for (version, expected) in [("9.0.4", OBJECT), ("17", "Eleven"), ("21.0.1", "TwentyOne")] {
        place.write("jdk/release", format!("JAVA_VERSION=\"{version}\"\n").as_bytes());
        let opened = open(std::slice::from_ref(&jar), &options(&place)).expect("a world");
        let mut world = opened.world();
        let b = world.class(b"a/B");
        let above = world.superclasses(b).nth(1).expect("a superclass");
        assert_eq!(world.class_name(above), expected, "{version}");
        assert_eq!(opened.jdk().version, version);
    }
    // Without the file the class files say it.
    std::fs::remove_file(place.path("jdk/release")).expect("removed");
    let opened = open(&[jar], &options(&place)).expect("a world");
    assert_eq!((opened.jdk().release, &*opened.jdk().version), (17, "17"));
}

#[test]
fn inputs_that_are_none_say_so() {
    let place = Place::new();
    let jar = place
        .jar("app.jar", &[entry("", "a/B", OBJECT), ("a/Cut.class".to_owned(), vec![0xca, 0xfe])]);
    std::fs::create_dir(place.path("empty")).expect("a folder");
    for _cold_then_warm in 0..2 {
        let paths = [jar.clone(), jar.clone(), place.path("empty")];
        let opened = open(&paths, &options(&place)).expect("a world");
        let notices: Vec<String> = opened.notices().iter().map(ToString::to_string).collect();
        assert_eq!(notices.len(), 2, "{notices:?}");
        assert!(notices[0].ends_with("app.jar: is named twice; it counts once"));
        assert!(notices[1].ends_with("empty: holds no class"));
        let mut world = opened.world();
        let cut = world.class(b"a/Cut");
        assert!(
            world.is_missing(cut),
            "an unreadable class is not in the index and its bytes say why"
        );
        assert!(
            world.notices()[0].to_string().contains("app.jar!a/Cut.class: "),
            "{:?}",
            world.notices()
        );
    }
    let mut elsewhere = options(&place);
    elsewhere.jdk = Some(place.path("empty"));
    let error = open(&[jar], &elsewhere).expect_err("no JDK");
    assert!(matches!(error, Error::NotAJdk { .. }) && error.is_usage());
}

#[test]
fn a_class_path_is_taken_as_the_jvm_takes_it() {
    let place = Place::new();
    let entries = [
        text(
            "META-INF/MANIFEST.MF",
            "Manifest-Version: 1.0\r\nClass-Path: note.txt no.jar\r\n\r\n",
        ),
        entry("", "a/B", OBJECT),
    ];
    let jar = place.jar("app.jar", &entries);
    let whole = zip(&entries);
    let paths: Vec<PathBuf> = vec![
        place.path("none.jar"),
        jar.join("below.jar"),
        place.write("note.txt", b"text"),
        place.write("empty.jar", b""),
        place.write("cut.jar", &whole[..whole.len() - 30]),
        jar,
    ];
    let opened = open(&paths, &options(&place)).expect("a world");
    assert_eq!(program(&opened), ["a/B app.jar"]);
    let gaps = opened.notices().iter().filter(|notice| notice.is_gap());
    let passed: Vec<String> = gaps.map(ToString::to_string).collect();
    let found = passed.iter().zip(["note.txt:", "empty.jar:", "cut.jar:", "note.txt (Class-Path"]);
    assert_eq!(passed.len(), 4, "{passed:?}");
    for (notice, name) in found {
        assert!(notice.contains(name) && notice.contains("passed over"), "{notice}");
    }
    let inputs = [jfathom_archive::Input::open(place.path("note.txt"))];
    assert!(inputs.iter().all(Result::is_err), "what is named must be readable");
}

#[test]
fn a_jdk_that_is_damaged_is_an_error_with_its_place() {
    let place = Place::new();
    let jar = place.jar("app.jar", &[entry("", "a/B", OBJECT)]);
    place.write("jdk/jmods/java.more.jmod", b"JM\x01\0 and nothing else");
    let error =
        open(std::slice::from_ref(&jar), &options(&place)).expect_err("a damaged JDK").to_string();
    assert!(error.contains("java.more.jmod: not a zip file"), "{error}");
    place.write("jdk/lib/modules", b"no image");
    let error = open(&[jar], &options(&place)).expect_err("a damaged image").to_string();
    assert!(error.contains("lib/modules: no runtime image that can be read"), "{error}");
}
