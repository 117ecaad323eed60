use super::support::*;
use jfathom_archive::NewEntry;

#[test]
fn text_and_json_say_the_same() {
    let place = Place::new();
    place
        .jfathom(&[
            "rewrite",
            "app.jar",
            "-o",
            "out",
            "--root",
            "acme.Engine::run",
            "--probe=trivial=off",
            "--scheme",
            "total",
        ])
        .fine();
    let text = place.jfathom(&["inspect", "out/app.jar", "--list", "skips,methods"]).fine();
    text.says(&[
        "from       ",
        "by jfathom ",
        "6 in 2 classes, ids 0..6",
        "root       acme.Engine::run()V",
        "scheme     total, from acme.Engine::run\n",
        "placement  main",
        "runtime    in this file",
        "1 trivial",
        "    acme.Engine$Wheel::getAngle()I: trivial\n",
        " acme.Engine::step(I)V (Engine.java:",
    ]);
    let short = place.jfathom(&["inspect", "out/app.jar"]).fine();
    assert!(!short.out.contains("step"), "{}", short.out);

    let json = place.jfathom(&["inspect", "out", "--json", "--list=methods"]).fine();
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let file = &json[0];
    assert_eq!(file["path"], "out/app.jar");
    assert_eq!(file["source"], place.path("app.jar").canonicalize().unwrap().to_str().unwrap());
    assert_eq!(file["placement"], "main");
    assert_eq!(file["ids"], serde_json::json!({"start": 0, "len": 6}));
    assert_eq!(
        (&file["scheme"], &file["rootSelectors"]),
        (&"total".into(), &serde_json::json!(["acme.Engine::run"]))
    );
    assert_eq!(file["roots"], serde_json::json!(["acme.Engine::run()V"]));
    assert_eq!(file["skipped"], serde_json::json!({"abstract": 1, "trivial": 1}));
    assert_eq!(file["methods"].as_array().unwrap().len(), 6);
    assert!(file.get("skips").is_none());
}

#[test]
fn a_moved_jar_still_tells() {
    let place = Place::new();
    place.jfathom(&["rewrite", "app.jar", "-o", "out"]).fine();
    place.write("elsewhere/app.jar", &place.read("out/app.jar"));
    let answer = place.jfathom(&["inspect", "elsewhere/app.jar"]).fine().says(&["7 in 2 classes"]);
    assert!(!answer.out.contains("  from "), "{}", answer.out);
}

#[test]
fn what_was_not_rewritten_or_is_damaged_is_refused() {
    let place = Place::new();
    place
        .jfathom(&["inspect", "app.jar"])
        .refused(1, &["app.jar: has no META-INF/jfathom/manifest.json"]);
    place.jfathom(&["inspect", "none.jar"]).refused(1, &["none.jar", "No such file"]);
    let with = |text: &str| {
        let entry = NewEntry::new(jfathom_plan::MANIFEST_PATH, text.as_bytes());
        jfathom_archive::create_jar(&[entry]).unwrap()
    };
    place.write("new.jar", &with(r#"{"version":9}"#));
    place
        .jfathom(&["inspect", "new.jar"])
        .refused(1, &["new.jar!META-INF/jfathom/manifest.json: ", "version 9"]);
    place.write("bad.jar", &with(r#"{"version":1"#));
    place
        .jfathom(&["inspect", "bad.jar"])
        .refused(1, &["bad.jar!META-INF/jfathom/manifest.json: ", "no jfathom manifest"]);
}
