//! Lines of call sites, held against what `javap` prints.

use crate::support::java;
use jfathom_rewriter::{Digests, method_lines, summarize, superclass};
use jfathom_testkit::{class_files, jdk};
use std::{path::Path, process::Command};

const SOURCE: &str = r#"package p;

import java.util.List;

public class Sites extends Base implements Runnable {
    int field = twice(
            21);
    static final String NAME = "a".concat("b");

    Sites(List<String> names) {
        super(names
                .size());
        names.forEach(name -> {
            take(name);
            take(name.trim());
        });
    }

    public void run() {
        try {
            take("x"); take("y");
            if (field > 3) {
                new Sites(
                        List.of(
                                "z"
                        ));
            }
        } finally {
            done();
        }
    }

    static int twice(int a) { return Math.addExact(a, a); }
    void take(String name) { super.take(name); }
    synchronized void done() { synchronized (this) { hashCode(); } }
    native int nothing();
}

abstract class Base {
    Base(int a) {}
    void take(String name) { name.length(); }
    abstract void done();
}
"#;

/// A method as `javap -c -l -s` prints it.
#[derive(Debug, Default)]
struct Printed {
    /// Position and callee of each invoke instruction, without `invokedynamic`.
    calls: Vec<(u32, String)>,
    /// Line and position of each row.
    rows: Vec<(u16, u32)>,
}

fn javap(class: &Path) -> Vec<Printed> {
    let output = Command::new(jdk::main().tool("javap"))
        .args(["-p", "-c", "-l", "-s"])
        .arg(class)
        .output()
        .expect("javap runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let mut methods: Vec<Printed> = Vec::new();
    for line in text.lines() {
        let is_member = line.starts_with("  ") && !line.starts_with("   ") && line.ends_with(';');
        if is_member && (line.contains('(') || line.contains("static {}")) {
            methods.push(Printed::default());
        }
        let Some(method) = methods.last_mut() else { continue };
        let line = line.trim();
        if let Some((line, start)) = line.strip_prefix("line ").and_then(|row| row.split_once(": "))
        {
            method.rows.push((line.parse().expect("a line"), start.parse().expect("a position")));
        }
        if let Some((bci, rest)) = line.split_once(": ")
            && rest.starts_with("invoke")
            && !rest.starts_with("invokedynamic")
        {
            let callee = rest.split_once("// ").expect("a comment").1;
            let callee = callee.split_once("ethod ").expect("a method").1.replace('"', "");
            method.calls.push((bci.parse().expect("a position"), callee));
        }
    }
    methods
}

#[test]
fn sites_have_the_lines_that_javap_prints() {
    let temp = tempfile::tempdir().expect("a folder");
    java::write(temp.path(), "Sites.java", SOURCE.as_bytes());
    let out = temp.path().join("classes");
    java::javac(17, &[temp.path().join("Sites.java")], &out);
    let (mut calls, mut many) = (0, 0);
    for (name, bytes) in class_files(&out) {
        let summary = summarize(&bytes, Digests::Omit).expect("a sound class");
        let printed = javap(&out.join(&name));
        assert_eq!(printed.len(), summary.methods.len(), "{printed:?}");
        for (method, expected) in summary.methods.iter().zip(printed) {
            let lines = method_lines(&bytes, &method.name, &method.descriptor).expect("sound");
            let Some(lines) = lines else {
                assert!(expected.calls.is_empty() && expected.rows.is_empty(), "{method:?}");
                continue;
            };
            let found: Vec<(u32, Option<u16>, String)> = lines
                .sites
                .iter()
                .map(|site| {
                    let target = &site.target;
                    let class = match target.class == summary.name {
                        true => String::new(),
                        false => format!("{}.", target.class),
                    };
                    let name = format!("{class}{}:{}", target.name, target.descriptor);
                    (site.bci, site.line, name)
                })
                .collect();
            let line_of = |bci: u32| {
                let covering = expected.rows.iter().filter(|(_, start)| *start <= bci);
                covering.max_by_key(|(_, start)| *start).map(|(line, _)| *line)
            };
            let wanted: Vec<(u32, Option<u16>, String)> = expected
                .calls
                .iter()
                .map(|(bci, name)| (*bci, line_of(*bci), name.clone()))
                .collect();
            assert_eq!(found, wanted, "{}", method.name);
            let mut rows: Vec<u16> = expected.rows.iter().map(|(line, _)| *line).collect();
            rows.sort_unstable();
            rows.dedup();
            assert_eq!(lines.lines, rows, "{}", method.name);
            calls += found.len();
            many += usize::from(lines.lines.len() > 3);
        }
    }
    assert!(calls >= 15 && many >= 2, "{calls} {many}");
}

#[test]
fn methods_without_code_have_no_lines() {
    let temp = tempfile::tempdir().expect("a folder");
    java::write(temp.path(), "Sites.java", SOURCE.as_bytes());
    let out = temp.path().join("classes");
    java::javac(17, &[temp.path().join("Sites.java")], &out);
    for (name, bytes) in class_files(&out) {
        let of = |name, descriptor| method_lines(&bytes, name, descriptor).expect("sound");
        match &*name {
            "p/Sites.class" => {
                assert_eq!(of("nothing", "()I"), None);
                assert_eq!(of("run", "()I"), None);
                assert!(of("run", "()V").is_some());
                let expected = ("p/Sites".to_owned(), Some("p/Base".to_owned()), false);
                assert_eq!(superclass(&bytes), Some(expected));
            }
            _ => assert_eq!(of("done", "()V"), None),
        }
        for cut in 0..bytes.len() {
            let _ = method_lines(&bytes[..cut], "run", "()V");
            let _ = superclass(&bytes[..cut]);
        }
    }
}
