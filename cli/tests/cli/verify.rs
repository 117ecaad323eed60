use super::support::*;
use jfathom_archive::ManifestEdit;

/// What `verify` says of the program, whatever JVM it asks.
const FINE: &str = "4 classes: all link as before, on ";

#[test]
fn a_jar_links_as_before() {
    let place = Place::new();
    place.jfathom(&["rewrite", "app.jar", "-o", "out"]).fine();
    place.jfathom(&["verify", "out/app.jar"]).fine().says(&[FINE]);
    // Moved away from where it was written, it does not know its original.
    place.write("elsewhere/app.jar", &place.read("out/app.jar"));
    place
        .jfathom(&["verify", "elsewhere/app.jar"])
        .refused(2, &["its original is unknown; name it, too"]);
    place.jfathom(&["verify", "elsewhere/app.jar", "app.jar", "-cp", "out"]).fine().says(&[FINE]);
    place
        .jfathom(&["verify", "out", "gone.jar"])
        .refused(1, &["gone.jar: the original is missing"]);
    let mut elsewhere = place.command(&["verify", "out"]);
    place.run(elsewhere.env("JAVA_HOME", "nowhere")).refused(2, &["nowhere: has no bin/java"]);
}

#[test]
fn classes_of_wars_and_nested_jars_are_linked_too() {
    let place = Place::new();
    let (wheel, others): (Vec<_>, Vec<_>) =
        classes().iter().cloned().partition(|(name, _)| name.contains("Wheel"));
    let mut entries: Vec<_> = others
        .iter()
        .map(|(name, bytes)| (format!("WEB-INF/classes/{name}"), bytes.clone()))
        .collect();
    entries.push(("WEB-INF/lib/wheel.jar".to_owned(), jar(&[], &wheel)));
    place.write("app.war", &jar(&[], &entries));
    place.jfathom(&["rewrite", "app.war", "-o", "out", "--placement", "boot"]).fine();
    place.jfathom(&["verify", "out"]).fine().says(&[FINE]);
}

#[test]
fn a_class_that_links_worse_fails() {
    let place = Place::new();
    place.jfathom(&["rewrite", "app.jar", "-o", "out"]).fine();
    let mut damaged = classes().to_vec();
    for (name, bytes) in &mut damaged {
        if name == "acme/Engine$Timed.class" {
            // The superclass's name, of which every class file has one, becomes another of the same
            // length.
            let at = bytes.windows(16).position(|window| window == b"java/lang/Object").unwrap();
            bytes[at..at + 16].copy_from_slice(b"java/lang/Nobody");
        }
    }
    let manifest = jfathom_archive::Input::open(place.path("out/app.jar")).unwrap();
    let manifest = manifest.read(jfathom_plan::MANIFEST_PATH).unwrap().unwrap();
    damaged.push((jfathom_plan::MANIFEST_PATH.to_owned(), manifest));
    place.write("out/app.jar", &jar(&[ManifestEdit::set("Main-Class", "acme.Engine")], &damaged));
    let answer = place.jfathom(&["verify", "out/app.jar"]);
    assert_eq!(answer.code, 1, "{}{}", answer.out, answer.err);
    answer.says(&[
        "the check found ",
        "out/app.jar!acme/Engine$Timed.class: its superclass is not what it was\n",
        "out/app.jar!acme/Engine.class: method run()V lacks its probes, id ",
        "acme.Engine$Timed: links worse\n  original:  ok\n  rewritten: java.lang.ClassFormatError: ",
        "4 classes: 1 links worse than before",
    ]);
}

#[test]
fn a_directory_of_several_files_is_one_class_path() {
    let place = Place::new();
    let (wheel, others): (Vec<_>, Vec<_>) =
        classes().iter().cloned().partition(|(name, _)| name.contains("Wheel"));
    place.write("others.jar", &jar(&[], &others));
    place.write("wheel.jar", &jar(&[], &wheel));
    place.jfathom(&["rewrite", "others.jar", "wheel.jar", "-o", "out"]).fine();
    place.jfathom(&["verify", "out"]).fine().says(&[FINE]);
    place
        .jfathom(&["verify", "out", "others.jar"])
        .refused(2, &["one original goes with one rewritten file"]);
}

#[test]
fn libraries_are_found_as_java_finds_them() {
    let place = Place::new();
    let (wheel, others): (Vec<_>, Vec<_>) =
        classes().iter().cloned().partition(|(name, _)| name.contains("Wheel"));
    place.write("wheel.jar", &jar(&[], &wheel));
    place.write("lib/others.jar", &jar(&[], &others));
    place.jfathom(&["rewrite", "wheel.jar", "-o", "out"]).fine();
    place
        .jfathom(&["verify", "out"])
        .fine()
        .says(&["1 class: all link as before", "1 links in neither (-v lists them"]);
    place.jfathom(&["verify", "out", "-v"]).fine().says(&[
        "acme.Engine$Wheel: links in neither: java.lang.NoClassDefFoundError: acme/Engine$Part",
    ]);
    let with = place
        .jfathom(&["verify", "out", "-cp", "nothing:lib/*"])
        .fine()
        .says(&["1 class: all link as before"]);
    assert!(!with.out.contains("neither"), "{}", with.out);
}

#[test]
fn a_module_of_the_jdk_links_as_before() {
    let place = Place::new();
    place.jfathom(&["rewrite", "jrt:/java.logging", "-o", "out"]).fine().says(&[
        "--patch-module=java.base=",
        "--patch-module=java.logging=",
        "--add-exports=java.base/jfathom.runtime=java.logging",
    ]);
    place.jfathom(&["verify", "out"]).fine().says(&["all link as before"]);
    place
        .jfathom(&["inspect", "out"])
        .fine()
        .says(&["placement  java-base", "module     java.logging"]);
}
