//! `report --list`: callees at the source lines that call them.

use super::support::{Answer, Place, jar, java_home};

/// Lines are numbered from the first one after the quotes.
const SOURCE: &str = r#"package acme;

import java.util.*;

public class Lines {
    interface Shape { int area(); }
    record Square(int side) implements Shape {
        public int area() { return side * side + hash(side); }
    }
    static int sum;

    public static void main(String[] args) {
        Shape shape = new Square(3);
        for (int i = 0; i < 5; i++) {
            sum += hash(i);
        }
        sum += hash(7);
        sum += shape.area() +
                shape.area();
        List<Integer> list = new ArrayList<>(List.of(3, 1, 2));
        list.sort(Lines::order);
        again(2);
    }

    static int hash(int of) { return of * 31 ^ sum; }
    static int order(Integer a, Integer b) { return a - b; }
    static void again(int left) {
        if (left > 0) again(left - 1);
    }
}
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("src/acme/Lines.java", SOURCE.as_bytes());
    jfathom_testkit::Javac::release(17)
        .compile(&[place.path("src/acme/Lines.java")], &place.path("classes"));
    let classes: Vec<(String, Vec<u8>)> = ["Lines", "Lines$Shape", "Lines$Square"]
        .iter()
        .map(|name| {
            let name = format!("acme/{name}.class");
            let bytes = place.read(&format!("classes/{name}"));
            (name, bytes)
        })
        .collect();
    place.write("lines.jar", &jar(&[], &classes));
    place.jfathom(&["rewrite", "lines.jar", "-o", "out"]).fine();
    let java = java_home().join("bin/java").display().to_string();
    let command = ["--", &java, "-cp", "out/lines.jar", "acme.Lines"];
    place.jfathom(&[&["record", "-q", "-o", "p.jfp"][..], &command].concat()).fine();
    place
}

fn list(place: &Place, arguments: &[&str]) -> Answer {
    place.jfathom(&[&["report", "p.jfp"][..], arguments].concat())
}

/// The number of a source line, from 1.
fn line(text: &str) -> usize {
    1 + SOURCE.lines().position(|line| line.trim() == text).unwrap()
}

#[test]
fn callees_stand_at_the_lines_of_their_calls() {
    let place = place();
    let main = ["--list", "acme.Lines::main", "--class-path", "lines.jar"];
    let answer = list(&place, &[&main[..], &["--json"]].concat()).fine();
    let json: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
    let method = &json["methods"][0];
    let callee = |name: &str| {
        let callees = method["callees"].as_array().unwrap();
        callees.iter().find(|callee| callee["name"] == name).unwrap_or_else(|| panic!("{method}"))
    };
    for (name, calls, position, lines) in [
        ("hash", 6, "one-of", vec![line("sum += hash(i);"), line("sum += hash(7);")]),
        ("area", 2, "one-of", vec![line("sum += shape.area() +"), line("shape.area();")]),
        ("again", 1, "line", vec![line("again(2);")]),
        ("order", callee("order")["calls"].as_u64().unwrap(), "no-site", vec![]),
    ] {
        let found = callee(name);
        assert_eq!(found["calls"], calls, "{name}");
        assert_eq!(found["position"], position, "{name}");
        assert_eq!(found["lines"], serde_json::json!(lines), "{name}");
    }
    assert_eq!(method["remarks"], serde_json::json!([]));

    let text = list(&place, &[&main[..], &["--source-path", "src"]].concat()).fine();
    let text = text.says(&[
        "source: src/acme/Lines.java",
        "code: lines.jar!acme/Lines.class",
        "→ acme.Lines::order, through methods without probes",
        &format!("→ acme.Lines::hash, one of lines {}, ", line("sum += hash(i);")),
    ]);
    let rows: Vec<&str> = text.out.lines().collect();
    let at = rows.iter().position(|row| row.ends_with("        again(2);")).unwrap();
    assert!(rows[at].contains(&line("again(2);").to_string()), "{}", text.out);
    assert!(rows[at + 1].ends_with("→ acme.Lines::again"), "{}", text.out);

    let again = ["--list", "acme.Lines::again", "-cp", "classes", "--json"];
    let again: serde_json::Value = serde_json::from_str(&list(&place, &again).fine().out).unwrap();
    let recursive = &again["methods"][0]["callees"][0];
    assert_eq!((&recursive["name"], &recursive["calls"]), (&"again".into(), &2.into()));
    assert_eq!(recursive["lines"][0], line("if (left > 0) again(left - 1);"));
}

#[test]
fn what_is_missing_or_different_is_told() {
    let place = place();
    let main = ["--list", "acme.Lines::main"];
    let with = |more: &[&str]| list(&place, &[&main[..], more].concat());
    with(&[]).fine().says(&["→ acme.Lines::hash", "give the class files: --class-path"]);
    list(&place, &["--list", "acme.None::x"])
        .refused(2, &["--list acme.None::x matches no method of the profile"]);
    with(&["--class-path", "out/lines.jar"]).refused(2, &["was rewritten"]);
    with(&["--class-path", "none.jar"]).fine().says(&["none.jar: passed over on the class path"]);
    with(&["--source-path", "none"]).refused(2, &["none: no such folder"]);
    with(&["--source-path", "classes"]).fine().says(&["--source-path has no acme/Lines.java"]);
    with(&["--class-path", "app.jar"]).fine().says(&["--class-path has no such method"]);
    list(&place, &["--source-path", "src"]).refused(2, &["--list"]);

    // Another build: `main` differs, and `hash` does not.
    let edited = SOURCE.replace("again(2);", "again(3);").replace("package", "\n\npackage");
    place.write("new/acme/Lines.java", edited.as_bytes());
    jfathom_testkit::Javac::release(17)
        .compile(&[place.path("new/acme/Lines.java")], &place.path("changed"));
    with(&["--class-path", "changed"]).fine().says(&["other code than the recorded one"]);
    list(&place, &["--list", "acme.Lines$Square::area", "--class-path", "changed"])
        .fine()
        .says(&["code: changed!acme/Lines$Square.class", "→ acme.Lines::hash"]);

    // Bytes of another encoding, and of a terminal.
    place.write("latin/acme/Lines.java", b"// Gr\xf6\xdfe \x1b[2J\n");
    let latin = with(&["--source-path", "latin", "--class-path", "lines.jar"]).fine();
    let latin = latin.says(&["is not UTF-8", "has 1 line, and the code names line 23"]);
    assert!(!latin.out.contains('\u{1b}'), "{}", latin.out);
}
