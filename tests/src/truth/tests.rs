//! Tests of the parser: a truth that it overlooks would be a test that cannot fail.

use super::parse;

const SOURCE: &str = r#"package samples;

// run: alone
// exit: 3
// roots: Outer::root
// jvm: -Xmx64m -Xss1m

import java.util.List; // an ordinary comment

/** class Fake { is no class. */
public final class Outer {
    static { // calls(1)
        String s = "class Other { // calls(9)";
    }

    Outer(int x) { // calls(4) throws(1) inferred(1) desc((I)V)
        Class<?> c = Outer.class;
    }

    enum Inner implements Runnable {
        A { public void run() {} };

        public void run() { // calls(2) open(1) caught(3)
        } // the end
        // calls(7) as(values) and prose
    }

    record Point(int x) {
        Point { // calls(5) as(<init>)
        }
    }

    static Runnable body() {
        return () -> {}; // calls(6) as(lambda$body$*) inside(2)
    }

    static <T extends Comparable<T>> int max(List<T> a, int b) { // reconciles
        return 0;
    }

    void virtual() { // virtual(8)
    }

    void far() {} // calls(1) as(Outer$1::call) desc(()Ljava/lang/Object;) spawned(3)

    public static void main(String[] args) {}
}
"#;

#[test]
fn every_truth_is_read() {
    let sample = parse(SOURCE).unwrap();
    assert_eq!(
        (sample.name.as_str(), sample.alone, sample.exit, sample.has_main),
        ("Outer", true, 3, true)
    );
    assert_eq!(sample.roots, ["samples.Outer::root"]);
    assert_eq!(sample.jvm, ["-Xmx64m", "-Xss1m"]);
    let names: Vec<String> = sample
        .truths
        .iter()
        .map(|truth| {
            format!("{}:{} {}::{}", truth.line, truth.calls.unwrap_or(0), truth.class, truth.method)
        })
        .collect();
    assert_eq!(
        names,
        [
            "12:1 samples/Outer::<clinit>",
            "16:4 samples/Outer::<init>",
            "23:2 samples/Outer$Inner::run",
            "25:7 samples/Outer$Inner::values",
            "29:5 samples/Outer$Point::<init>",
            "34:6 samples/Outer::lambda$body$*",
            "37:0 samples/Outer::max",
            "41:0 samples/Outer::virtual",
            "44:1 samples/Outer$1::call",
        ]
    );
    let init = &sample.truths[1];
    assert_eq!((init.throws, init.inferred, init.descriptor.as_deref()), (1, 1, Some("(I)V")));
    let run = &sample.truths[2];
    assert_eq!((run.open, run.caught), (1, Some(3)));
    assert_eq!(sample.truths[5].inside, Some(2));
    assert!(sample.truths[6].reconciles);
    assert_eq!(sample.truths[7].virtual_calls, 8);
    assert_eq!(
        (sample.truths[8].spawned, sample.truths[8].descriptor.as_deref()),
        (Some(3), Some("()Ljava/lang/Object;"))
    );
}

#[test]
fn a_truth_that_says_nothing_clear_is_an_error() {
    assert!(parse("class A {\n  // calls(x)\n}").is_err());
    assert!(parse("class A {\n  // calls(1)\n}").is_err());
    assert!(parse("// calls(1)\nclass A {}").is_err());
}

#[test]
fn the_samples_say_something() {
    for sample in crate::samples::all() {
        let silent = ["All", "Jdk"].contains(&sample.name.as_str());
        assert!(
            silent || sample.truths.len() > 1,
            "{} says {} truths",
            sample.name,
            sample.truths.len()
        );
    }
}
