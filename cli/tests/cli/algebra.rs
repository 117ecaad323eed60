//! Two builds of a program, recorded and compared.

use super::support::*;
use std::fs;

/// The program before: `work` calls each of the others, and the calls of `item` are what the gate
/// looks at.
const BEFORE: &str = r#"
package acme;
import java.util.function.IntUnaryOperator;
public class App {
    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 20; i++) sum += work(i);
        System.out.println(sum);
    }
    static int work(int i) {
        IntUnaryOperator triple = x -> x * 3;
        IntUnaryOperator square = x -> x * x;
        return item(i) + oldName(i) + Helper.moved(i) + edited(i) + triple.applyAsInt(i) + square.applyAsInt(i);
    }
    static int item(int i) { return i ^ 5; }
    static int oldName(int i) { int s = 0; for (int k = 0; k < i; k++) s += k * 7; return s; }
    static int edited(int i) { return i + 1; }
}
class Helper {
    static int moved(int i) { return Integer.bitCount(i) * 11; }
}
"#;

/// One edit, one rename, one moved method, one added lambda in front of the others, and one more
/// call of `item` each time.
const AFTER: &str = r#"
package acme;
import java.util.function.IntUnaryOperator;
public class App {
    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 20; i++) sum += work(i);
        System.out.println(sum);
    }
    static int work(int i) {
        IntUnaryOperator added = x -> x - 1;
        IntUnaryOperator triple = x -> x * 3;
        IntUnaryOperator square = x -> x * x;
        return item(i) + item(i) + newName(i) + Other.moved(i) + edited(i) + triple.applyAsInt(i) + square.applyAsInt(i)
            + added.applyAsInt(i);
    }
    static int item(int i) { return i ^ 5; }
    static int newName(int i) { int s = 0; for (int k = 0; k < i; k++) s += k * 7; return s; }
    static int edited(int i) { return i + 2; }
}
class Other {
    static int moved(int i) { return Integer.bitCount(i) * 11; }
}
"#;

/// Compiles and rewrites a build.
fn build(place: &Place, name: &str, source: &str) {
    place.write(&format!("{name}/App.java"), source.as_bytes());
    place.compile(&format!("{name}/App.java"), &format!("{name}/classes"));
    let classes = place.path(&format!("{name}/classes"));
    let mut entries = Vec::new();
    for entry in fs::read_dir(classes.join("acme")).unwrap() {
        let path = entry.unwrap().path();
        entries.push((
            format!("acme/{}", path.file_name().unwrap().to_str().unwrap()),
            fs::read(&path).unwrap(),
        ));
    }
    entries.sort();
    place.write(&format!("{name}/app.jar"), &jar(&[], &entries));
    place.jfathom(&["rewrite", &format!("{name}/app.jar"), "-o", &format!("{name}/out")]).fine();
}

fn record(place: &Place, name: &str, profile: &str) {
    let java = java_home().join("bin/java");
    let path = format!("{name}/out/app.jar");
    place
        .jfathom(&["record", "-o", profile, "--", java.to_str().unwrap(), "-cp", &path, "acme.App"])
        .fine();
}

#[test]
fn two_builds_are_compared_and_gated() {
    let place = Place::new();
    build(&place, "before", BEFORE);
    build(&place, "after", AFTER);
    record(&place, "before", "base.jfp");
    record(&place, "before", "again.jfp");
    record(&place, "after", "new.jfp");

    // Text: the mapping, the counts, the call paths.
    let diff = place.jfathom(&["diff", "base.jfp", "new.jfp"]).fine();
    diff.says(&[
        "base   base.jfp: 1 run, ",
        "renamed: acme.App::oldName → acme.App::newName",
        "moved: acme.Helper::moved → acme.Other::moved",
        "acme.App::lambda$work$0 (new)",
        "20 → 40",
        "times have no significance",
        "call paths that changed",
        "+20",
    ]);
    let json = place.jfathom(&["diff", "--json", "base.jfp", "new.jfp"]).fine();
    let json: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    let methods = json["methods"].as_array().unwrap();
    let found = |name: &str| {
        let method = methods
            .iter()
            .find(|method| method["new"]["name"] == name)
            .unwrap_or_else(|| panic!("{name}"));
        (method["match"].as_str(), method["edited"].as_bool(), method["calls"]["growth"].as_i64())
    };
    assert_eq!(found("item"), (Some("same"), Some(false), Some(20)));
    assert_eq!(found("newName"), (Some("renamed"), Some(false), Some(0)));
    assert_eq!(found("moved"), (Some("moved"), Some(false), Some(0)));
    assert_eq!(found("edited"), (Some("changed"), Some(true), Some(0)));
    assert_eq!(
        found("lambda$work$0"),
        (None, None, Some(20)),
        "the added lambda takes the first number"
    );
    assert_eq!(found("lambda$work$1"), (Some("renumbered"), Some(false), Some(0)));
    assert_eq!(found("lambda$work$2"), (Some("renumbered"), Some(false), Some(0)));

    // The gate: equal builds pass, one more call for each item does not.
    let calls = ["--max", "calls=+0%"];
    let equal = place.jfathom(&[&["gate", "base.jfp", "again.jfp"], &calls[..]].concat()).fine();
    equal.says(&["8 methods within the limit of calls", "has one run", "gate: within the limits"]);
    let more = place.jfathom(&[&["gate", "base.jfp", "new.jfp"], &calls[..]].concat());
    assert_eq!(more.code, 1, "{}{}", more.out, more.err);
    more.says(&["20   40  +20  acme.App::item", "acme.App::lambda$work$0 (new)", "gate: FAILED"]);
    let only = ["gate", "base.jfp", "new.jfp", "--max", "calls=+0", "--include", "acme.App::work"];
    place.jfathom(&only).fine().says(&["1 method within the limit of calls"]);
    place
        .jfathom(
            &[
                &["gate", "base.jfp", "new.jfp", "--max", "calls=+20"],
                &["--include", "!acme.Other"][..],
            ]
            .concat(),
        )
        .fine();

    // Limits in a file, a ratio, and the formats for other programs.
    let ratio = "acme.App::item/acme.App::work";
    place.jfathom(&["gate", "new.jfp", "--max", &format!("{ratio}=2")]).fine();
    let more = place.jfathom(&["gate", "new.jfp", "--max", &format!("{ratio}=1")]);
    assert_eq!(more.code, 1, "{}{}", more.out, more.err);
    more.says(&["40   20  EXCEEDED  acme.App::item per acme.App::work", "gate: FAILED"]);
    place.jfathom(&["gate", "new.jfp", "--max", "calls=+0"]).refused(2, &["NEW"]);
    place.write("jfathom.toml", b"[gate]\nmax = ['calls=+0%']\ninclude = ['!acme.App::edited']\n");
    place.write("src/main/java/acme/App.java", b"");
    let formats = ["gate", "base.jfp", "new.jfp", "--write=github", "--write=junit=gate.xml"];
    let found = place.jfathom(&[&formats[..], &["--write", "sarif=gate.sarif"]].concat());
    assert_eq!(found.code, 1, "{}{}", found.out, found.err);
    assert!(found.err.contains("note: jfathom.toml: --include=!acme.App::edited --max=calls=+0%"));
    found.says(&["::error file=src/main/java/acme/App.java,line="]);
    for (file, words) in [
        ("gate.xml", "<failure message=\"calls of acme.App::item: 40 calls"),
        ("gate.sarif", "\"uri\":\"src/main/java/acme/App.java\""),
    ] {
        let text = String::from_utf8(place.read(file)).unwrap();
        assert!(text.contains(words), "{text}");
    }
    let markdown = place.jfathom(&["gate", "base.jfp", "base.jfp", "--write=markdown"]).fine();
    markdown.says(&["**jfathom gate: within the limits**", "base.jfp is compared with itself"]);
    let mut without = place.command(&["gate", "base.jfp", "new.jfp"]);
    place.run(without.env("JFATHOM_CONFIG", "none")).refused(2, &["--max <NAME=LIMIT>"]);
    fs::remove_file(place.path("jfathom.toml")).unwrap();

    // Runs: a limit of time needs spread.
    let single = place.jfathom(&[
        "gate",
        "base.jfp",
        "again.jfp",
        "--max",
        "calls=+0%",
        "--max",
        "time=+5%",
    ]);
    assert_eq!(single.code, 2, "{}{}", single.out, single.err);
    single.says(&[
        "8 methods within",
        "cannot answer time: both profiles have one run",
        "record both with --runs 10",
    ]);
    let mean =
        place.jfathom(&["merge", "--as=series", "base.jfp", "again.jfp", "-o", "runs.jfp"]).fine();
    let mean = mean.says(&["runs.jfp: 2 runs, 8 methods, "]);
    assert!(mean.err.is_empty(), "{}", mean.err);
    let twice = place
        .jfathom(&["merge", "--as=series", "base.jfp", "again.jfp", "base.jfp", "-o", "twice.jfp"])
        .fine();
    assert!(twice.err.contains("base.jfp and base.jfp have a run in common"), "{}", twice.err);
    let report = place.jfathom(&["report", "--view=summary", "twice.jfp"]).fine();
    report.says(&["runs      3: calls and times", "have a run in common: it counts twice"]);
    let sum = place.jfathom(&["merge", "runs.jfp", "twice.jfp", "-o", "sums.jfp"]).fine();
    assert!(sum.err.contains("runs.jfp and twice.jfp have a run in common"), "{}", sum.err);
    assert!(
        !place.jfathom(&["report", "--view=summary", "sums.jfp"]).fine().out.contains("runs      "),
        "it is one sum"
    );
    let least = place
        .jfathom(&["merge", "--as=minimum", "base.jfp", "twice.jfp", "-o", "least-of-twice.jfp"])
        .fine();
    assert!(least.err.is_empty(), "a minimum has each but once: {}", least.err);
    let same = place.jfathom(&["diff", "-t", "0", "--view=methods", "base.jfp", "base.jfp"]).fine();
    assert!(same.err.contains("warning: base.jfp is compared with itself"), "{}", same.err);
    same.says(&["no method changed: all calls and times are the same"]);
    let times =
        ["gate", "runs.jfp", "runs.jfp", "--max", "time=+5%", "--include", "acme.App::item"];
    let unselected = place.jfathom(&times);
    assert_eq!(unselected.code, 2);
    unselected.says(&["cannot answer time: none of the roots is selected (--include)"]);
    let runs = place
        .jfathom(&[
            "gate",
            "--json",
            "runs.jfp",
            "runs.jfp",
            "--max",
            "calls=+0%",
            "--max",
            "time=+5%",
        ])
        .fine();
    let json: serde_json::Value = serde_json::from_str(&runs.out).unwrap();
    assert_eq!(
        (&json["failed"], &json["roots"][0]["verdict"]),
        (&false.into(), &"within".into()),
        "{json}"
    );
    assert_eq!(json["roots"][0]["method"]["base"]["name"], "main");
    place
        .jfathom(&["merge", "--as=minimum", "runs.jfp", "again.jfp", "-o", "least.jfp"])
        .fine()
        .says(&["least.jfp: 1 run, 8 methods, "]);
    place.jfathom(&["merge", "base.jfp", "again.jfp", "-o", "sum.jfp"]).fine();
    let report = place.jfathom(&["report", "--view=methods", "sum.jfp"]).fine();
    report.says(&["acme.App::item"]);

    // What is wrong is said.
    place
        .jfathom(&["merge", "--as=series", "base.jfp", "-o", "sum.jfp"])
        .refused(2, &["sum.jfp: exists; --force"]);
    let builds =
        place.jfathom(&["merge", "--as=series", "base.jfp", "new.jfp", "-o", "both.jfp"]).fine();
    assert!(builds.err.contains("different code in new.jfp and base.jfp"), "{}", builds.err);
    place.jfathom(&["gate", "base.jfp", "new.jfp"]).refused(2, &["--max <NAME=LIMIT>"]);
    place
        .jfathom(&["gate", "base.jfp", "new.jfp", "--max", "calls=many"])
        .refused(2, &["‘many’ is no limit"]);
    let nothing = ["gate", "base.jfp", "new.jfp", "--max", "calls=+0", "--include", "acme.Nobody"];
    place.jfathom(&nothing).refused(2, &["--include acme.Nobody matches no method"]);
    place.write("old.jfp", &old_version(&place.read("base.jfp")));
    place.jfathom(&["diff", "old.jfp", "new.jfp"]).refused(1, &["old.jfp: ", "version 1"]);
    place
        .jfathom(&["diff", "base.jfp", "none.jfp"])
        .refused(1, &["none.jfp", "there is no such file"]);

    // Another program.
    place.jfathom(&["rewrite", "app.jar", "-o", "out"]).fine();
    let java = java_home().join("bin/java");
    place
        .jfathom(&[
            "record",
            "-o",
            "other.jfp",
            "--",
            java.to_str().unwrap(),
            "-jar",
            "out/app.jar",
        ])
        .fine();
    let other = place.jfathom(&["gate", "base.jfp", "other.jfp", "--max", "calls=+0"]);
    other.refused(2, &["base.jfp and other.jfp: only ", "different programs"]);
    let other =
        place.jfathom(&["merge", "--as=series", "base.jfp", "other.jfp", "-o", "never.jfp"]);
    other.refused(2, &["no method in common"]);
}

/// The same file with the number of the format's first version.
fn old_version(file: &[u8]) -> Vec<u8> {
    let mut old = file.to_vec();
    old[8] = 1;
    old
}
