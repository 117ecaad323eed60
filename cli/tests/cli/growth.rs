//! `record --sizes`, `growth` and `gate --max growth`, on a program whose calls are formulas.

use super::support::{Place, jar, java_home};
use jfathom_archive::ManifestEdit;

/// For n: `once` 1, `each` n, `pair` n², `halve` n · log₂ n for powers of two.
const SOURCE: &str = r#"
package acme;

public class Loops {
    static long sum;

    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        once();
        for (int i = 0; i < n; i++) {
            each();
            for (int j = 0; j < n; j++) pair();
            for (int k = n; k > 1; k /= 2) halve();
        }
        if (n > 32) large();
        if (n > 1000) System.exit(3);
    }

    static void once() { sum += 2; }
    static void each() { sum += 3; }
    static void pair() { sum ^= 5; }
    static void halve() { sum -= 7; }
    static void large() { sum *= 11; }
}
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("src/acme/Loops.java", SOURCE.as_bytes());
    place.compile("src/acme/Loops.java", "classes");
    let class = ("acme/Loops.class".to_owned(), place.read("classes/acme/Loops.class"));
    place.write("loops.jar", &jar(&[ManifestEdit::set("Main-Class", "acme.Loops")], &[class]));
    place.jfathom(&["rewrite", "loops.jar", "-o", "out"]).fine();
    place
}

fn record(place: &Place, sizes: &str) -> super::support::Answer {
    let java = java_home().join("bin/java").display().to_string();
    place.jfathom(&[
        "record",
        "--tune=calibrate=off",
        "--sizes",
        sizes,
        "-o",
        "p.jfp",
        "--",
        &java,
        "-jar",
        "out/loops.jar",
        "{}",
    ])
}

#[test]
fn exponents_of_loops_are_exact() {
    let place = place();
    let answer = record(&place, "64,16,32").fine();
    assert!(answer.err.contains("jfathom growth p.16.jfp p.32.jfp p.64.jfp"), "{}", answer.err);
    assert!(answer.err.contains("2.00") && answer.err.contains("acme.Loops::pair"));
    let files = ["p.64.jfp", "p.16.jfp", "p.32.jfp"];

    let json = place.jfathom(&[&["growth", "--json"][..], &files].concat()).fine().out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["sizes"], serde_json::json!([16, 32, 64]));
    let of = |name: &str| {
        let methods = json["methods"].as_array().unwrap();
        methods.iter().find(|method| method["name"] == name).unwrap()
    };
    for (name, calls, exponent) in [
        ("once", [1, 1, 1], 0.0),
        ("each", [16, 32, 64], 1.0),
        ("pair", [256, 1024, 4096], 2.0),
        // log₂ of 64·6 / (16·4), over two doublings.
        ("halve", [64, 160, 384], 6.0_f64.log2() / 2.0),
    ] {
        assert_eq!(of(name)["calls"], serde_json::json!(calls), "{name}");
        let found = of(name)["exponent"].as_f64().unwrap();
        assert!((found - exponent).abs() < 1e-9, "{name}: {found}");
    }
    assert_eq!(of("large")["trend"], "partial");
    let report = place.jfathom(&["report", "--json", "p.32.jfp"]).fine().out;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["meta"]["size"], 32);
    place.jfathom(&["report", "--view=summary", "p.32.jfp"]).fine().says(&["size      32"]);

    let gate = |arguments: &[&str]| place.jfathom(&[&["gate"][..], &files, arguments].concat());
    let failed = gate(&["--max", "growth=1.5", "--write", "junit=gate.xml"]);
    assert_eq!(failed.code, 1, "{}{}", failed.out, failed.err);
    failed.says(&["acme.Loops::pair", "EXCEEDED", "inconclusive", "gate: FAILED"]);
    let junit = String::from_utf8(place.read("gate.xml")).unwrap();
    assert!(junit.contains("jfathom.gate.growth") && junit.contains("allowed n^1.5"), "{junit}");
    gate(&["--max", "growth=2"]).fine().says(&["not failed, but in doubt"]);
    assert_eq!(gate(&["--max", "growth=2", "--strict"]).code, 1);
    let others = ["--include", "!acme.Loops::pair", "--include", "!acme.Loops::large"];
    gate(&[&["--max", "growth=1.5"][..], &others].concat()).fine().says(&["within the limits"]);
    place.write("jfathom.toml", b"[gate]\nmax = ['growth=1.5', 'calls=+0%']\n");
    let failed = gate(&[]);
    assert_eq!(failed.code, 1, "{}{}", failed.out, failed.err);
    assert!(
        failed.out.contains("EXCEEDED") && failed.err.contains("--max=growth=1.5"),
        "{}",
        failed.err
    );
}

#[test]
fn sizes_and_profiles_that_give_no_growth_are_refused() {
    let place = place();
    record(&place, "16,32").refused(2, &["3 different sizes"]);
    record(&place, "16,32,16").refused(2, &["3 different sizes"]);
    record(&place, "16,0,32").refused(2, &["--sizes"]);
    place
        .jfathom(&["record", "--sizes", "1,2,3", "--", "java", "-version"])
        .refused(2, &["has no {}"]);
    // A command that fails is the last one, and its exit code is that of the recording.
    let failed = record(&place, "16,2000,4000");
    assert_eq!(failed.code, 3, "{}", failed.err);
    assert!(place.path("p.16.jfp").exists() && !place.path("p.4000.jfp").exists());
    let growth = |files: &[&str]| place.jfathom(&[&["growth"][..], files].concat());
    growth(&["p.16.jfp", "p.2000.jfp"]).refused(2, &["3 sizes or more, and here are 2"]);
    growth(&["p.16.jfp", "p.2000.jfp", "p.16.jfp"]).refused(2, &["p.16.jfp: has size 16"]);
    let gate = ["gate", "p.16.jfp", "p.2000.jfp", "p.16.jfp"];
    place.jfathom(&gate).refused(2, &["--max <NAME=LIMIT>"]);
    place
        .jfathom(&[&gate[..], &["--max", "growth=1", "--max", "calls=+0"]].concat())
        .refused(2, &["--max growth"]);
}
