//! Several rewritings in one program, recorded.

use super::support::*;

/// The program in two jars.
fn two_jars(place: &Place) {
    let (wheel, others): (Vec<_>, Vec<_>) = classes().iter().cloned().partition(|(name, _)| name.contains("Wheel"));
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
    let record = place.jfathom(&[&["record", "--no-demote", "--"], &command[..]].concat()).fine();
    assert_eq!(record.out, PRINTS);
    let report = place.jfathom(&["report", "profile.jfp"]).fine();
    report.says(&["acme.Engine::step", "acme.Engine$Wheel::turn", "25 calls of 7 methods"]);
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
    let answer = place.jfathom(&["demo", "--keep", "demo"]).fine().says(&[
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
    place.jfathom(&["demo", "--java-home", "nowhere"]).refused(2, &["nowhere: has no bin/javac"]);
}

#[test]
fn a_program_and_modules_of_the_jdk_are_recorded_together() {
    let place = Place::new();
    let modules = ["--module", "java.base", "--module", "java.logging"];
    let only = ["--include", "acme.**", "--include", "java.util.HashMap::put", "--include", "java.util.logging.Level"];
    place.jfathom(&[&["rewrite", "app.jar", "-o", "out"], &modules[..], &only[..]].concat()).fine().says(&[
        "out/java.base: 1 of ",
        "out/java.logging: 1 of ",
        "java -jar out/app.jar\n",
    ]);
    let java = java_home().join("bin/java");
    let record = place.jfathom(&["record", "--", java.to_str().unwrap(), "-jar", "out/app.jar"]).fine();
    assert_eq!(record.out, PRINTS);
    let report = place.jfathom(&["report", "profile.jfp", "--hot", "--limit", "100"]).fine();
    report.says(&["acme.Engine::step", "acme.Engine$Wheel::turn", "java.util.HashMap::put"]);
}
