use super::support::*;
use jfathom_archive::{Input, ManifestEdit};
use jfathom_plan::{MANIFEST_PATH, Manifest, SkipReason};

fn manifest(place: &Place, jar: &str) -> Manifest {
    let input = Input::open(place.path(jar)).unwrap();
    Manifest::from_json(&input.read(MANIFEST_PATH).unwrap().expect("a manifest")).unwrap()
}

fn names(manifest: &Manifest) -> Vec<String> {
    let name = |name: &str| name.rsplit('/').next().unwrap().to_owned();
    manifest
        .methods()
        .map(|(class, method)| format!("{}.{}", name(&class.name), method.name))
        .collect()
}

fn has(place: &Place, jar: &str, entry: &str) -> bool {
    Input::open(place.path(jar)).unwrap().read(entry).unwrap().is_some()
}

const PROBE: &str = "jfathom/runtime/Probe.class";

#[test]
fn a_jar_runs_as_before_without_any_flag() {
    let place = Place::new();
    let answer = place.jfathom(&["rewrite", "app.jar", "-o", "out"]).fine();
    let answer = answer.says(&[
        "out/app.jar: 2 of 4 classes, 7 methods, ",
        "7 methods in ",
        "ids 0..7, plan ",
        "next: jfathom record -- java -jar out/app.jar\n",
    ]);
    assert_eq!(answer.err, "");
    let manifest = manifest(&place, "out/app.jar");
    assert_eq!(
        names(&manifest),
        [
            "Engine$Wheel.<init>",
            "Engine$Wheel.turn",
            "Engine$Wheel.getAngle",
            "Engine.<init>",
            "Engine.main",
            "Engine.run",
            "Engine.step"
        ][..]
            .iter()
            .map(|text| (*text).to_owned())
            .collect::<Vec<_>>()
    );
    assert!(!manifest.has_roots);
    assert!(manifest.methods().all(|(class, method)| {
        class.source.as_deref() == Some("Engine.java")
            && method.line.is_some()
            && method.digest.0 != 0
    }));
    assert_eq!(manifest.skip_counts.get(&SkipReason::Abstract), Some(&1));
    let run = place.java(&["-Xverify:all", "-jar", "out/app.jar"]).fine();
    assert_eq!((run.out.as_str(), run.err.as_str()), (PRINTS, ""));
}

#[test]
fn selectors_choose_and_roots_are_marked() {
    let place = Place::new();
    let arguments = [
        "rewrite",
        "app.jar",
        "-o",
        "out",
        "--include",
        "acme.Engine$*",
        "--root",
        "acme.Engine::step",
    ];
    let answer = place
        .jfathom(&[&arguments[..], &["--probe=trivial=off", "--scheme", "total"]].concat())
        .fine();
    answer.says(&[
        "recorded only inside acme.Engine::step(I)V\n",
        "1 trivial",
        "\n1 hand-off to another thread is followed\n",
    ]);
    let manifest = manifest(&place, "out/app.jar");
    assert!(manifest.has_roots);
    let roots: Vec<_> = manifest
        .methods()
        .filter(|(_, method)| method.root)
        .map(|(_, method)| &*method.name)
        .collect();
    assert_eq!(roots, ["step"]);
    assert!(!names(&manifest).contains(&"Engine.run".to_owned()));
    assert_eq!(place.java(&["-Xverify:all", "-jar", "out/app.jar"]).fine().out, PRINTS);
}

#[test]
fn ids_go_on_in_the_same_directory() {
    let place = Place::new();
    place.write("more.jar", &app_jar());
    place.jfathom(&["rewrite", "app.jar", "-o", "out"]).fine();
    place.jfathom(&["rewrite", "more.jar", "-o", "out"]).fine();
    let (first, second) = (manifest(&place, "out/app.jar"), manifest(&place, "out/more.jar"));
    assert_eq!((first.ids.start, second.ids.start), (0, first.ids.end()));
    assert_ne!(first.plan, second.plan);
    place.jfathom(&["rewrite", "more.jar", "-o", "out", "--force", "--id-base", "1000"]).fine();
    assert_eq!(manifest(&place, "out/more.jar").ids.start, 1000);
    place.jfathom(&["rewrite", "app.jar", "more.jar", "-o", "both"]).fine();
    let (first, second) = (manifest(&place, "both/app.jar"), manifest(&place, "both/more.jar"));
    assert_eq!(second.ids.start, first.ids.end());
    assert_eq!(first.plan, second.plan, "one command, one plan");
}

#[test]
fn the_output_does_not_depend_on_threads() {
    let place = Place::new();
    for (out, threads) in [("one", "1"), ("four", "4")] {
        let mut command = place.command(&["rewrite", "app.jar", "-o", out]);
        place.run(command.env("RAYON_NUM_THREADS", threads)).fine();
    }
    assert_eq!(place.read("one/app.jar"), place.read("four/app.jar"));
}

#[test]
fn quiet_is_quiet_and_verbose_lists() {
    let place = Place::new();
    let quiet = place.jfathom(&["rewrite", "app.jar", "-o", "out", "-q"]).fine();
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("", ""));
    let verbose =
        place.jfathom(&["rewrite", "app.jar", "-o", "all", "-v", "--probe=trivial=off"]).fine();
    verbose.says(&[
        "all/app.jar!acme.Engine$Wheel::getAngle()I: trivial",
        "  1 abstract method has no code\n",
    ]);
}

#[test]
fn a_broken_class_stops_nothing() {
    let place = Place::new();
    let mut classes = classes().to_vec();
    let mut broken = classes[0].1.clone();
    broken.truncate(40);
    classes.push(("acme/Broken.class".to_owned(), broken));
    place.write("app.jar", &jar(&[ManifestEdit::set("Main-Class", "acme.Engine")], &classes));
    place
        .jfathom(&["rewrite", "app.jar", "-o", "out"])
        .fine()
        .says(&["skipped: 1 malformed", "inspect --list skips"]);
    let manifest = manifest(&place, "out/app.jar");
    let skip = manifest.skips.iter().find(|skip| skip.reason == SkipReason::Malformed).unwrap();
    assert_eq!((skip.class.as_str(), skip.method.as_deref()), ("acme/Broken", None));
    assert_eq!(place.java(&["-jar", "out/app.jar"]).fine().out, PRINTS);
}

#[test]
fn a_directory_keeps_its_name_and_gets_the_runtime() {
    let place = Place::new();
    for (name, bytes) in classes() {
        place.write(&format!("classes/{name}"), bytes);
    }
    place
        .jfathom(&["rewrite", "classes", "-o", "out"])
        .fine()
        .says(&["java -cp out/classes MAIN-CLASS"]);
    assert!(place.path("out/classes").join(PROBE).is_file());
    assert_eq!(place.java(&["-cp", "out/classes", "acme.Engine"]).fine().out, PRINTS);
}

#[test]
fn a_sibling_of_the_class_path_comes_along() {
    let place = Place::new();
    let edits = [
        ManifestEdit::set("Main-Class", "acme.Engine"),
        ManifestEdit::set("Class-Path", "lib/engine.jar"),
    ];
    place.write("start.jar", &jar(&edits, &[]));
    place.write("lib/engine.jar", &app_jar());
    place
        .jfathom(&["rewrite", "start.jar", "-o", "out"])
        .fine()
        .says(&["out/lib/engine.jar: 2 of 4 classes"]);
    assert!(has(&place, "out/start.jar", PROBE) && !has(&place, "out/lib/engine.jar", PROBE));
    let run = place.java(&["-jar", "out/start.jar"]).fine();
    assert_eq!((run.out.as_str(), run.err.as_str()), (PRINTS, ""));
    place
        .jfathom(&["rewrite", "start.jar", "-o", "alone", "--libraries=off"])
        .refused(2, &["no class"]);
}

#[test]
fn methods_of_libraries_are_counted() {
    let place = Place::new();
    let (engine, own): (Vec<_>, Vec<_>) =
        classes().iter().cloned().partition(|(name, _)| name.ends_with("/Engine.class"));
    let edits = [
        ManifestEdit::set("Main-Class", "acme.Engine"),
        ManifestEdit::set("Class-Path", "lib/engine.jar"),
    ];
    place.write("start.jar", &jar(&edits, &own));
    place.write("lib/engine.jar", &jar(&[], &engine));
    let library = |out: &str| {
        let manifest = manifest(&place, &format!("{out}/lib/engine.jar"));
        (manifest.method_count(), manifest.counted_only())
    };
    let answer = place.jfathom(&["rewrite", "start.jar", "-o", "out"]).fine();
    let (all, alone) = library("out");
    assert!(all > 0 && alone == all, "{alone} of {all}");
    let own = manifest(&place, "out/start.jar");
    answer.says(&[
        &format!("{} methods of yours, {all} of libraries in ", own.method_count()),
        "those of libraries (--libraries time) or too small for a time",
    ]);
    assert_eq!(place.java(&["-jar", "out/start.jar"]).fine().out, PRINTS);

    // What is named is no library, nor is what the user selects.
    place.jfathom(&["rewrite", "start.jar", "lib/engine.jar", "-o", "both"]).fine();
    place.jfathom(&["rewrite", "start.jar", "-o", "timed", "--libraries", "time"]).fine();
    place.jfathom(&["rewrite", "start.jar", "-o", "named", "--include", "acme.**"]).fine();
    for out in ["both", "timed", "named"] {
        assert!(library(out).1 < all, "{out}");
    }
    place.jfathom(&["rewrite", "start.jar", "-o", "off", "--libraries", "off"]).fine();
    assert!(!place.path("off/lib/engine.jar").exists());
}

#[test]
fn a_library_that_is_named_later_is_the_programs() {
    let place = Place::new();
    let edits = [
        ManifestEdit::set("Main-Class", "acme.Engine"),
        ManifestEdit::set("Class-Path", "engine.jar"),
    ];
    let (engine, own): (Vec<_>, Vec<_>) =
        classes().iter().cloned().partition(|(name, _)| name.ends_with("/Engine.class"));
    place.write("start.jar", &jar(&edits, &own));
    place.write("engine.jar", &jar(&[], &engine));
    let timed = || {
        let manifest = manifest(&place, "out/engine.jar");
        manifest.method_count() - manifest.counted_only()
    };
    place.jfathom(&["rewrite", "start.jar", "-o", "out"]).fine();
    assert_eq!(timed(), 0);
    place.jfathom(&["rewrite", "engine.jar", "-o", "out"]).fine();
    assert!(timed() > 0);
    // As a library again it stays so.
    place.jfathom(&["rewrite", "start.jar", "-o", "out"]).fine().says(&["engine.jar: kept"]);
    assert!(timed() > 0);
    // A jar without classes stands for what it names.
    place.write("path.jar", &jar(&edits, &[]));
    let answer = place.jfathom(&["rewrite", "path.jar", "-o", "path"]).fine();
    assert!(!answer.out.contains("of libraries"), "{}", answer.out);
}

#[test]
fn jars_in_the_library_folder_of_a_war_are_libraries() {
    let place = Place::new();
    let own = classes()
        .iter()
        .filter(|(name, _)| name.ends_with("/Engine.class"))
        .map(|(name, bytes)| (format!("WEB-INF/classes/{name}"), bytes.clone()));
    let library = ("WEB-INF/lib/app.jar".to_owned(), app_jar());
    let entries: Vec<_> = own.chain([library]).collect();
    place.write("app.war", &jar(&[], &entries));
    let answer = place.jfathom(&["rewrite", "app.war", "-o", "out"]).fine();
    answer.says(&["methods of yours, 7 of libraries in "]);
    let answer = place.jfathom(&["rewrite", "app.war", "-o", "off", "--libraries", "off"]).fine();
    assert!(!answer.out.contains("libraries"), "{}", answer.out);
}

#[test]
fn the_faster_clock_is_named_where_it_needs_the_jar_manifest() {
    let place = Place::new();
    let says = "the jar manifest now has Enable-Native-Access: ALL-UNNAMED";
    for (release, options, is_said) in
        [("17.0.9", &[][..], false), ("17.0.9", &["-v"], true), ("25", &[], true)]
    {
        place.write("jdk/bin/java", b"");
        place.write("jdk/release", format!("JAVA_VERSION=\"{release}\"\n").as_bytes());
        let words = ["rewrite", "-f", "app.jar", "-o", "out"];
        let mut command = place.command(&[&words, options].concat());
        let answer = place.run(command.env("JAVA_HOME", place.path("jdk"))).fine();
        assert_eq!(answer.out.contains(says), is_said, "{release} {options:?}: {}", answer.out);
    }
}

#[test]
fn a_war_has_the_runtime_where_its_loader_looks() {
    let place = Place::new();
    let entries: Vec<_> = classes()
        .iter()
        .map(|(name, bytes)| (format!("WEB-INF/classes/{name}"), bytes.clone()))
        .collect();
    place.write("app.war", &jar(&[], &entries));
    let answer = place.jfathom(&["rewrite", "app.war", "-o", "out"]).fine();
    let answer = answer.says(&[
        "next: deploy out/app.war in place of its original",
        "record --rewritten out --use-java-tool-options -- ",
    ]);
    assert!(!answer.out.contains("java -"), "a server starts it: {}", answer.out);
    assert!(has(&place, "out/app.war", &format!("WEB-INF/classes/{PROBE}")));
    assert!(has(&place, "out/app.war", &format!("WEB-INF/classes/{MANIFEST_PATH}")));
    assert!(!has(&place, "out/app.war", PROBE));
    place
        .jfathom(&["inspect", "out/app.war"])
        .fine()
        .says(&["methods    7 in 2 classes", "in this file"]);
    place
        .jfathom(&["rewrite", "out/app.war", "-o", "again"])
        .refused(2, &["was rewritten by jfathom"]);
}

#[test]
fn the_boot_placement_needs_a_flag_that_is_printed() {
    let place = Place::new();
    let answer = place.jfathom(&["rewrite", "app.jar", "-o", "out", "--placement", "boot"]).fine();
    let flag =
        format!("-Xbootclasspath/a:{}", place.path("out/jfathom/jfathom-runtime.jar").display());
    answer.says(&["JVM flags", &flag]);
    assert!(
        !has(&place, "out/app.jar", PROBE) && has(&place, "out/jfathom/jfathom-runtime.jar", PROBE)
    );
    let run = place.java(&[flag.as_str(), "-jar", "out/app.jar"]).fine();
    assert_eq!((run.out.as_str(), run.err.as_str()), (PRINTS, ""));
    place.jfathom(&["inspect", "out/app.jar"]).fine().says(&["placement  boot", &flag]);
}

#[test]
fn unchosen_jars_are_copied_as_they_are() {
    let place = Place::new();
    place.write("other.jar", &jar(&[], &[("a.txt".to_owned(), b"text".to_vec())]));
    place
        .jfathom(&["rewrite", "app.jar", "other.jar", "-o", "out", "--include", "acme.Engine::run"])
        .fine();
    assert!(!has(&place, "out/other.jar", MANIFEST_PATH));
    assert!(has(&place, "out/other.jar", "a.txt"));
}

#[test]
fn a_long_list_of_files_is_cut() {
    let place = Place::new();
    let names: Vec<String> = (0..22).map(|number| format!("app{number:02}.jar")).collect();
    names.iter().for_each(|name| place.write(name, &app_jar()));
    let arguments: Vec<&str> =
        ["rewrite", "-o", "out"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let answer = place.jfathom(&arguments).fine().says(&[
        "out/app19.jar: ",
        "and 2 more files (-v lists them)\n",
        "154 methods",
    ]);
    assert!(!answer.out.contains("out/app20.jar: "), "{}", answer.out);
}

/// Kotlin's compiler takes inline functions from class files that have its annotation, whether
/// their jar lists a Kotlin module or not, and from no others.
#[test]
fn copies_of_kotlin_are_not_to_compile_against() {
    const SOURCES: [(&str, &str); 2] = [
        ("Metadata.java", "package kotlin; public @interface Metadata {}"),
        (
            "Inlines.java",
            "package lib; @kotlin.Metadata public class Inlines { public static int twice(int x) \
             { return 2 * x; } }",
        ),
    ];
    let place = Place::new();
    let folder = place.path("classes");
    std::fs::create_dir(&folder).unwrap();
    let sources = SOURCES.map(|(name, text)| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path
    });
    jfathom_testkit::Javac::release(11).compile(&sources, &folder);
    let notice = "jfathom: notice: do not compile Kotlin code against out/lib.jar: ";
    let classes = ["kotlin/Metadata", "lib/Inlines"].map(|name| {
        let name = format!("{name}.class");
        let bytes = std::fs::read(folder.join(&name)).unwrap();
        (name, bytes)
    });
    place.write("lib.jar", &jar(&[], &classes));
    for (options, is_said) in [(&[][..], true), (&["--include", "acme.*"], false)] {
        let words = ["rewrite", "app.jar", "lib.jar", "-o", "out", "--force"];
        let words: Vec<&str> = words.iter().chain(options).copied().collect();
        let answer = place.jfathom(&words).fine();
        assert_eq!(answer.err.contains(notice), is_said, "{}", answer.err);
        assert!(!answer.err.contains("app.jar"), "{}", answer.err);
    }
    let module = ("META-INF/main.kotlin_module".to_owned(), vec![0; 36]);
    for (classes, is_said) in [(&classes[..], true), (self::classes(), false)] {
        place.write("lib.jar", &jar(&[], &[std::slice::from_ref(&module), classes].concat()));
        let answer = place.jfathom(&["rewrite", "lib.jar", "-o", "out", "--force"]).fine();
        assert_eq!(answer.err.contains(notice), is_said, "{}", answer.err);
    }
}
