//! Labels, baselines in a directory, `history`, and tables: profiles of several builds.

use super::support::*;
use jfathom_profile::{Labels, Profile};
use jfathom_testkit::small_profile;

/// A build's profile: a clean one with these labels, recorded at a day from 2025-11-25 on.
fn build(day: u64, labels: &[&str], more_calls: bool) -> Profile {
    let mut profile = small_profile::calibrated();
    profile.quality = Default::default();
    if more_calls {
        // The same program, a call more of each method.
        profile = jfathom_compare::merge(vec![profile.clone(), profile]).unwrap();
    }
    profile.meta.started_millis = 1_764_028_800_000 + day * 86_400_000;
    for (at, jvm) in (0..).zip(&mut profile.meta.jvms) {
        jvm.pid = 1 + day * 10 + at;
    }
    profile.meta.labels = Labels::new(labels.iter().map(|text| text.parse().unwrap())).unwrap();
    profile
}

fn write(place: &Place, name: &str, profile: &Profile) {
    let mut bytes = Vec::new();
    profile.write(&mut bytes).unwrap();
    place.write(name, &bytes);
}

fn kept(place: &Place) -> Vec<String> {
    let entries = std::fs::read_dir(place.path("kept")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_recording_has_its_labels() {
    let place = Place::new();
    place.jfathom(&["rewrite", "app.jar", "-o", "out"]).fine();
    let java = java_home().join("bin/java").display().to_string();
    let record = |labels: &[&str]| {
        let program = ["-o", "p.jfp", "--", &java, "-jar", "out/app.jar"];
        place.jfathom(&[&["record", "--tune=calibrate=off"][..], labels, &program].concat())
    };
    record(&["--label", "branch=main", "--label", "service.name=a b"]).fine();
    place.jfathom(&["report", "--view=summary", "p.jfp"]).fine().says(&["labels    branch=main"]);
    let json = place.jfathom(&["report", "--json", "p.jfp"]).fine().out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["meta"]["labels"]["service.name"], "a b");
    for label in ["branch", "=main", "1=2"] {
        record(&["--label", label]).refused(2, &["--label"]);
    }
}

#[test]
fn the_last_good_build_is_the_baseline() {
    let place = Place::new();
    let gate = |name: &str, more: &[&str]| {
        let limits = ["--max", "calls=+0%", "--include", "com.acme.**"];
        let first = [&["gate", name, "--baseline-dir", "kept"][..], &limits].concat();
        place.jfathom(&[&first[..], more].concat())
    };
    write(&place, "1.jfp", &build(1, &["branch=main", "commit=1"], false));
    gate("1.jfp", &[]).refused(2, &["kept", "no clean profile", "--keep"]);
    assert!(!place.path("kept").exists());

    let main = ["--baseline-label", "branch=main", "--keep"];
    // A first profile beyond a limit that needs no baseline is none.
    let ratio = "com.acme.Engine::step/com.acme.Engine::run=0.001";
    let beyond = gate("1.jfp", &[&main[..], &["--max", ratio]].concat());
    assert!(beyond.code != 0 && !place.path("kept").exists(), "{}{}", beyond.out, beyond.err);
    // Neither is one that cannot answer such a limit.
    let mut roots = build(1, &["branch=main"], false);
    roots.meta.jvms.iter_mut().for_each(|jvm| jvm.roots_only = true);
    write(&place, "roots.jfp", &roots);
    let ratio = "com.acme.Engine::step/com.acme.Engine::run=1000000";
    let unanswered = gate("roots.jfp", &[&main[..], &["--max", ratio]].concat());
    assert!(unanswered.code == 2 && !place.path("kept").exists(), "{}", unanswered.out);
    let first = gate("1.jfp", &main).fine();
    assert!(first.err.contains("kept as kept/2025-11-26T000000Z-"), "{}", first.err);
    write(&place, "2.jfp", &build(2, &["branch=main", "commit=2"], false));
    let second = gate("2.jfp", &main).fine().says(&["within the limit"]);
    assert!(second.err.contains("the baseline is kept/2025-11-26T000000Z-"), "{}", second.err);

    // A build that fails is no baseline, and neither is one of another branch, or one with losses.
    write(&place, "3.jfp", &build(3, &["branch=main", "commit=3"], true));
    assert_eq!(gate("3.jfp", &main).code, 1);
    write(&place, "4.jfp", &build(4, &["branch=topic"], false));
    let other = gate("4.jfp", &main).fine();
    assert!(other.err.contains("not kept"), "{}", other.err);
    let mut lossy = build(5, &["branch=main"], false);
    lossy.quality.lost_records = 3;
    write(&place, "5.jfp", &lossy);
    gate("5.jfp", &main);
    let names = kept(&place);
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names[1].starts_with("2025-11-27T000000Z-"), "{names:?}");

    // What is no profile is named and left out; a label that nobody has gives no baseline.
    place.write("kept/broken.jfp", b"JFPROF");
    let again = gate("2.jfp", &["--baseline-label", "branch=main"]).fine();
    // A profile that was kept is not its own baseline.
    assert!(again.err.contains("broken.jfp") && again.err.contains("2025-11-26T000000Z"));
    gate("2.jfp", &["--baseline-label", "branch=next"]).refused(2, &["branch=next"]);
    let first = gate("2.jfp", &["--baseline-label", "commit=1"]).fine();
    assert!(first.err.contains("2025-11-26T000000Z"), "{}", first.err);
    place
        .jfathom(&["gate", "2.jfp", "--baseline-label", "branch=main", "--max", "calls=+0%"])
        .refused(2, &[]);
}

#[test]
fn a_method_over_builds() {
    let place = Place::new();
    for day in 0..3 {
        let commit = format!("commit={day}");
        let profile = build(day, &["branch=main", &commit], day == 2);
        write(&place, &format!("builds/{day}.jfp"), &profile);
    }
    write(&place, "builds/topic.jfp", &build(7, &["branch=topic"], false));
    let history = |more: &[&str]| {
        let first = ["history", "builds", "com.acme.Engine::run"];
        place.jfathom(&[&first[..], more].concat())
    };
    let text = history(&["--label", "branch=main"]).fine().out;
    let days = ["2025-11-25", "2025-11-26", "2025-11-27"];
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("2025")).collect();
    assert_eq!(rows.len(), 3, "{text}");
    for (row, (day, commit)) in rows.iter().zip(days.iter().zip(0..)) {
        assert!(row.starts_with(day) && row.contains(&format!("commit={commit} ")), "{text}");
    }
    let json = history(&["--json"]).fine().out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let points = &json["methods"][0]["points"];
    assert_eq!(points.as_array().unwrap().len(), 4);
    let calls = |at: usize| points[at]["calls"].as_f64().unwrap();
    assert_eq!(calls(2), 2.0 * calls(0));

    history(&["-o", "run.html"]).fine();
    let page = String::from_utf8(place.read("run.html")).unwrap();
    assert!(page.contains("com.acme.Engine::run") && page.contains("</svg>"));
    place
        .jfathom(&["history", "builds", "com.acme.Engine::fly"])
        .refused(2, &["com.acme.Engine::fly matches no method"]);
    // A recording without the method is not searched for all others.
    let mut renamed = build(3, &["branch=other"], false);
    for method in &mut renamed.methods {
        if &*method.info.key.name == "run" {
            method.info.key.name = "renamed".into();
        }
    }
    write(&place, "builds/renamed.jfp", &renamed);
    let json = history(&["!com.acme.Engine::step", "--json"]).fine().out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["methods"].as_array().unwrap().len(), 1, "{json}");
    history(&["com.acme.Engine::fly"]).refused(2, &["com.acme.Engine::fly matches no"]);
    history(&["--label", "branch=next"]).refused(2, &["no profile with these labels"]);
    place.jfathom(&["history", "none", "a.B"]).refused(1, &["none", "cannot read"]);
}

#[test]
fn tables_of_several_profiles_lie_beside_each_other() {
    let place = Place::new();
    for (name, day) in [("a.jfp", 0), ("b.jfp", 1)] {
        write(&place, name, &build(day, &["branch=main"], false));
    }
    let export = |name: &str, more: &[&str]| {
        place.jfathom(&[&["export", name, "--to", "parquet"][..], more].concat())
    };
    for name in ["a.jfp", "b.jfp", "a.jfp"] {
        export(name, &["-o", "tables"]).fine();
    }
    for table in ["runs", "methods", "totals", "nodes", "edges", "threads", "events"] {
        let folder = place.path(&format!("tables/{table}"));
        let files: Vec<_> = std::fs::read_dir(&folder).unwrap().flatten().collect();
        assert_eq!(files.len(), 2, "{table}");
        for file in files {
            let bytes = std::fs::read(file.path()).unwrap();
            assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"), "{table}");
        }
    }
    export("a.jfp", &["-o", "parts", "--partition", "day,branch"]).fine();
    assert!(place.path("parts/totals/day=2025-11-25/branch=main").is_dir());
    export("a.jfp", &[]).refused(2, &["-o"]);
    export("a.jfp", &["-o", "tables", "--filter=focus=com.acme.Engine::run"])
        .refused(2, &["query"]);
    for keys in ["a/b", "branch=main", "day,day", "os", "Method"] {
        export("a.jfp", &["-o", "tables", "--partition", keys]).refused(2, &["--partition"]);
    }
    place
        .jfathom(&["export", "a.jfp", "-o", "a.csv", "--partition", "day"])
        .refused(2, &["--to parquet"]);
    place.write("file", b"");
    export("a.jfp", &["-o", "file"]).refused(1, &["file/nodes", "cannot make the directory"]);
}
