//! Several rewritings in one program, recorded.

use super::support::*;
use jfathom_archive::ManifestEdit;

/// The program in two jars.
fn two_jars(place: &Place) {
    let (wheel, others): (Vec<_>, Vec<_>) =
        classes().iter().cloned().partition(|(name, _)| name.contains("Wheel"));
    place.write("others.jar", &jar(&[], &others));
    place.write("wheel.jar", &jar(&[], &wheel));
}

#[test]
fn two_commands_into_one_directory_make_one_profile() {
    let place = Place::new();
    two_jars(&place);
    place.jfathom(&["rewrite", "others.jar", "-o", "out"]).fine();
    place.jfathom(&["rewrite", "wheel.jar", "-o", "out"]).fine();
    let java = java_home().join("bin/java");
    let command = [java.to_str().unwrap(), "-cp", "out/others.jar:out/wheel.jar", "acme.Engine"];
    let record = place.jfathom(&[&["record", "--budget=none", "--"], &command[..]].concat()).fine();
    assert_eq!(record.out, PRINTS);
    let report = place.jfathom(&["report", "profile.jfp"]).fine();
    report.says(&["acme.Engine::step", "acme.Engine$Wheel::turn", "25 of 7 methods"]);
}

#[test]
fn the_same_ids_twice_end_with_both_jars_named() {
    let place = Place::new();
    two_jars(&place);
    place.jfathom(&["rewrite", "others.jar", "-o", "one"]).fine();
    place.jfathom(&["rewrite", "wheel.jar", "-o", "two"]).fine();
    let java = java_home().join("bin/java");
    let command = [java.to_str().unwrap(), "-cp", "one/others.jar:two/wheel.jar", "acme.Engine"];
    let record = place.jfathom(&[&["record", "--"], &command[..]].concat());
    assert_eq!(record.code, 1, "{}{}", record.out, record.err);
    for jar in ["one/others.jar", "two/wheel.jar"] {
        assert!(record.err.contains(jar), "{jar} is not named: {}", record.err);
    }
}

#[test]
fn the_demo_shows_a_call_tree() {
    let place = Place::new();
    let answer = place.jfathom(&["demo", "demo"]).fine().says(&[
        "$ jfathom rewrite market.jar -o out\n",
        "$ jfathom record -o market.jfp -- java -jar out/market.jar\n",
        "market closed: apples=2003568 ",
        "$ jfathom report market.jfp\n",
        "demo.Market::main\n",
        "demo.Market$Order::parse\n",
        "jfathom rewrite app.jar -o out\n",
    ]);
    assert!(!answer.out.contains("NOT CLEAN"), "{}", answer.out);
    assert!(place.path("demo/market.jfp").is_file());
    let mut elsewhere = place.command(&["demo"]);
    place.run(elsewhere.env("JAVA_HOME", "nowhere")).refused(2, &["nowhere: has no bin/java"]);
}

#[test]
fn a_program_and_modules_of_the_jdk_are_recorded_together() {
    let place = Place::new();
    let modules = ["jrt:/java.base", "jrt:/java.logging"];
    let only = [
        "--include",
        "acme.**",
        "--include",
        "java.util.HashMap::put",
        "--include",
        "java.util.logging.Level",
    ];
    place
        .jfathom(&[&["rewrite", "app.jar", "-o", "out"], &modules[..], &only[..]].concat())
        .fine()
        .says(&["out/java.base: 1 of ", "out/java.logging: 1 of ", "java -jar out/app.jar\n"]);
    let java = java_home().join("bin/java");
    let record =
        place.jfathom(&["record", "--", java.to_str().unwrap(), "-jar", "out/app.jar"]).fine();
    assert_eq!(record.out, PRINTS);
    let report =
        place.jfathom(&["report", "profile.jfp", "--view=methods", "--limit", "100"]).fine();
    report.says(&["acme.Engine::step", "acme.Engine$Wheel::turn", "java.util.HashMap::put"]);
}

#[test]
fn class_directories_of_one_name_are_planned_rewritten_and_run() {
    let place = Place::new();
    let modules = ["module-a/target/classes", "module-b/target/classes"];
    for (name, bytes) in classes() {
        place.write(&format!("{}/{name}", modules[usize::from(name.contains("Wheel"))]), bytes);
    }
    place.jfathom(&[&["plan"], &modules[..]].concat()).fine().says(&["7 methods"]);
    let answer = place.jfathom(&[&["rewrite", "-o", "out"], &modules[..]].concat()).fine();
    let class_path = "out/module-a/target/classes:out/module-b/target/classes";
    let answer =
        answer.says(&[&format!("next: jfathom record -- java -cp {class_path} MAIN-CLASS")]);
    for module in modules {
        let notice = format!("{module}: goes to {module}: another input has its name\n");
        assert!(answer.err.contains(&notice), "{}", answer.err);
    }
    let java = java_home().join("bin/java");
    let command = [java.to_str().unwrap(), "-cp", class_path, "acme.Engine"];
    let record = place.jfathom(&[&["record", "--budget=none", "--"], &command[..]].concat()).fine();
    assert_eq!(record.out, PRINTS);
    place.jfathom(&["report", "profile.jfp"]).fine().says(&["25 of 7 methods"]);
}

#[test]
fn a_jar_that_a_class_path_finds_through_a_link_keeps_its_own_name() {
    let place = Place::new();
    place.write("main.jar", &jar(&[ManifestEdit::set("Class-Path", "lib/engine.jar")], &[]));
    place.write("engine-1.0.jar", &jar(&[], classes()));
    place.write("lib/other.txt", b"");
    std::os::unix::fs::symlink("../engine-1.0.jar", place.path("lib/engine.jar")).unwrap();
    place.jfathom(&["rewrite", "main.jar", "engine-1.0.jar", "-o", "out"]).fine();
    let java = java_home().join("bin/java");
    for class_path in ["out/main.jar", "out/engine-1.0.jar", "out/main.jar:out/engine-1.0.jar"] {
        let command = [java.to_str().unwrap(), "-cp", class_path, "acme.Engine"];
        let record = place
            .jfathom(&[&["record", "-f", "--budget=none", "--"], &command[..]].concat())
            .fine();
        assert_eq!(record.out, PRINTS, "{class_path}");
        place.jfathom(&["report", "profile.jfp"]).fine().says(&["25 of 7 methods"]);
    }
}
