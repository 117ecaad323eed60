//! Suspend functions: their calls include resumptions, which are counted apart.

use crate::JFATHOM;
use jfathom_profile::Profile;
use jfathom_tests::{jdk, samples};
use std::collections::BTreeSet;

const ROOT: &str = "app.Suspends::root";

/// Simple class name and name of each method with resumptions.
fn resumed(profile: &Profile) -> BTreeSet<String> {
    let resumed = profile.methods.iter();
    let resumed = resumed.filter(|method| method.info.resumes && !method.info.is_resumption());
    let name = |key: &jfathom_plan::MethodKey| {
        format!("{}.{}", key.class.trim_start_matches("app/Suspends"), key.name)
    };
    resumed.map(|method| name(&method.info.key)).collect()
}

#[test]
fn resumptions_are_counted_apart_from_calls() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    samples::javac(&["--release", "11"], &samples::sources().join("coroutines"), &classes);
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    for jdk in jdk::main_and_25("resumptions") {
        for (path, options) in [(&out, vec!["-q"]), (&classes, vec!["-q", "--root", ROOT])] {
            let words = ["-cp", &path.to_string_lossy(), "app.Suspends"].map(str::to_owned);
            let (_, profile) = JFATHOM.record(&options, jdk, &words, 0);
            let marked = [".resumesThrice", "$Lambda.invokeSuspend"];
            assert_eq!(resumed(&profile), BTreeSet::from(marked.map(str::to_owned)));
            let of_name = |name: &str| {
                profile.methods.iter().find(|method| method.info.key.name == name).unwrap()
            };
            // Two calls, and three resumptions of each.
            assert_eq!(of_name("resumesThrice").calls(), 8);
            assert_eq!(of_name("resumesThrice:resumed").calls(), 6);
            let lambda = profile.methods.iter().filter(|method| {
                method.info.key.class.ends_with("$Lambda")
                    && method.info.key.name.starts_with("invokeSuspend")
            });
            let lambda: Vec<_> =
                lambda.map(|method| (method.info.is_resumption(), method.calls())).collect();
            assert_eq!(BTreeSet::from_iter(lambda), BTreeSet::from([(false, 2), (true, 1)]));

            let file = folder.path().join("profile.jfp");
            profile.write(&mut std::fs::File::create(&file).unwrap()).unwrap();
            let report = |options: &[&str]| {
                let file = file.to_string_lossy();
                let words: Vec<&str> =
                    ["report", &file].into_iter().chain(options.iter().copied()).collect();
                JFATHOM.run(&words).fine().stdout
            };
            let text = report(&[]);
            let line = "resumed   resumptions of Kotlin coroutines among the calls: \
                        app.Suspends::resumesThrice 6 of 8, app.Suspends$Lambda::invokeSuspend \
                        1 of 2";
            assert!(text.contains(line), "{text}");
            let rows = text.lines().filter(|row| row.contains("::resumesThrice ↻"));
            assert!(rows.count() > 1, "{text}");
            assert!(!text.contains("passesOn ↻") && !text.contains("looksAt ↻"), "{text}");
            let json: serde_json::Value = serde_json::from_str(&report(&["--json"])).unwrap();
            let methods = json["methods"].as_array().unwrap().iter();
            let resumptions = methods.filter_map(|method| method["resumptions"].as_u64());
            assert_eq!(resumptions.collect::<BTreeSet<_>>(), BTreeSet::from([1, 6]));
        }
    }
}
