//! Suspend functions: their calls include resumptions, and the report says so where it shows them.

use crate::JFATHOM;
use jfathom_profile::Profile;
use jfathom_tests::{jdk, samples};
use std::collections::BTreeSet;

const ROOT: &str = "app.Suspends::root";

/// Simple class name and name of each method with resumptions.
fn resumed(profile: &Profile) -> BTreeSet<String> {
    let resumed = profile.methods.iter().filter(|method| method.info.resumes);
    let name = |key: &jfathom_plan::MethodKey| {
        format!("{}.{}", key.class.trim_start_matches("app/Suspends"), key.name)
    };
    resumed.map(|method| name(&method.info.key)).collect()
}

#[test]
fn methods_that_coroutines_enter_again_are_marked() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    samples::javac(&["--release", "11"], &samples::sources().join("coroutines"), &classes);
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    for jdk in jdk::main_and_25("resumptions") {
        for (path, options) in [(&out, vec!["-q"]), (&classes, vec!["-q", "--root", ROOT])] {
            let words = ["-cp", &path.to_string_lossy(), "app.Suspends"].map(str::to_owned);
            let (_, profile) = JFATHOM.record(&options, jdk, &words, 0);
            let marked = [".resumesThrice", "$Lambda.invokeSuspend", "$State.invokeSuspend"];
            assert_eq!(resumed(&profile), BTreeSet::from(marked.map(str::to_owned)));
            let of_name = |name: &str| {
                profile.methods.iter().find(|method| method.info.key.name == name).unwrap()
            };
            // Two calls, and three resumptions of each.
            assert_eq!(of_name("resumesThrice").calls(), 8);

            let file = folder.path().join("profile.jfp");
            profile.write(&mut std::fs::File::create(&file).unwrap()).unwrap();
            let report = |options: &[&str]| {
                let file = file.to_string_lossy();
                let words: Vec<&str> =
                    ["report", &file].into_iter().chain(options.iter().copied()).collect();
                JFATHOM.run(&words).fine().stdout
            };
            let text = report(&[]);
            let line = "resumed   calls of 3 methods include resumptions of Kotlin coroutines: \
                        app.Suspends::resumesThrice, ";
            assert!(text.contains(line), "{text}");
            let rows = text.lines().filter(|row| row.contains("::resumesThrice ↻"));
            assert!(rows.count() > 1, "{text}");
            assert!(!text.contains("passesOn ↻") && !text.contains("looksAt ↻"), "{text}");
            let json: serde_json::Value = serde_json::from_str(&report(&["--json"])).unwrap();
            let methods = json["methods"].as_array().unwrap().iter();
            assert_eq!(methods.filter(|method| method["resumes"] == true).count(), 3);
        }
    }
}
