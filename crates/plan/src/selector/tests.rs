use super::*;

fn class(name: &str) -> ClassSummary {
    ClassSummary { name: name.to_owned(), ..ClassSummary::default() }
}

fn selector(text: &str) -> Selector {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn names_class(text: &str, name: &str) -> bool {
    selector(text).matches_class(SelectorTarget::Class, &class(name))
}

#[test]
fn classes() {
    for (text, yes, no) in [
        (
            "com.acme.Engine",
            &["com/acme/Engine"][..],
            &["com/acme/Engine$Part", "com/acme/Engine2", "acme/Engine"][..],
        ),
        ("com/acme/Engine", &["com/acme/Engine"], &["com/acme/engine"]),
        (
            "com.acme.Engine$Part",
            &["com/acme/Engine$Part"],
            &["com/acme/Engine", "com/acme/Engine$Part$1"],
        ),
        (
            "com.acme.Engine.Part",
            &["com/acme/Engine$Part", "com/acme/Engine/Part"],
            &["com/acme/Engine"],
        ),
        (
            "com.acme.Engine.Part.Screw",
            &["com/acme/Engine$Part$Screw", "com/acme/Engine/Part$Screw"],
            &["com/acme/Engine$Part"],
        ),
        (
            "com.acme.*",
            &["com/acme/Engine", "com/acme/Engine$Part"],
            &["com/acme/sub/Engine", "com/acme", "com/Acme"],
        ),
        (
            "com.acme.**",
            &["com/acme/Engine", "com/acme/a/b/C", "com/acme/A$B"],
            &["com/acme", "com/acmes/A", "xcom/acme/A"],
        ),
        ("**", &["A", "a/B", "a/b/C$D"], &[]),
        ("*", &["A", "A$B"], &["a/A"]),
        ("**.Engine", &["Engine", "a/Engine", "a/b/Engine"], &["a/b/MyEngine", "a/Engine/B"]),
        (
            "com.**.Engine",
            &["com/Engine", "com/a/Engine", "com/a/b/Engine"],
            &["org/a/Engine", "com/a/Engine$X"],
        ),
        ("com.**.Engine.*", &["com/a/Engine$X", "com/a/Engine/X"], &["com/a/Engine"]),
        ("com.*.Engine", &["com/a/Engine"], &["com/Engine", "com/a/b/Engine"]),
        (
            "com.acme.*Impl",
            &["com/acme/Impl", "com/acme/FooImpl", "com/acme/A$BImpl"],
            &["com/acme/Impls"],
        ),
        (
            "com.acme.A*B*C",
            &["com/acme/ABC", "com/acme/AxBBxC"],
            &["com/acme/AC", "com/acme/ACB", "com/acme/AB"],
        ),
        ("Outer$*", &["Outer$1", "Outer$A$B"], &["Outer", "a/Outer$1"]),
        ("a.Ünï", &["a/Ünï"], &["a/Uni"]),
        ("a.A$$B", &["a/A$$B"], &["a/A$B"]),
    ] {
        for name in yes {
            assert!(names_class(text, name), "{text} should select {name}");
        }
        for name in no {
            assert!(!names_class(text, name), "{text} should not select {name}");
        }
    }
}

#[test]
fn a_star_never_matches_overlapping_ends() {
    assert!(!names_class("aba*ba", "aba"));
    assert!(names_class("aba*ba", "ababa"));
}

#[test]
fn methods() {
    let owner = class("com/acme/Engine");
    let method = |name: &str, descriptor: &str| MethodSummary {
        name: name.to_owned(),
        descriptor: descriptor.to_owned(),
        ..MethodSummary::default()
    };
    for (text, name, descriptor, expected) in [
        ("com.acme.Engine::run", "run", "(I)V", true),
        ("com.acme.Engine::run", "runs", "(I)V", false),
        ("com/acme/Engine::run(I)V", "run", "(I)V", true),
        ("com.acme.Engine::run(I)V", "run", "(J)V", false),
        ("com.acme.Engine.run(I)V", "run", "(I)V", true),
        ("com.acme.Engine.run", "run", "(I)V", true),
        ("com.acme.Engine/run", "run", "(I)V", true),
        ("com.acme.Engine::*", "run", "()V", true),
        ("com.acme.**::get*", "getName", "()V", true),
        ("com.acme.**::get*", "setName", "()V", false),
        ("com.acme.Engine.<init>", "<init>", "()V", true),
        ("com.acme.Engine::<clinit>", "<clinit>", "()V", true),
        ("com.acme.Engine::<init>", "<clinit>", "()V", false),
        ("com.acme.Engine::run([[ILjava/lang/String;)[J", "run", "([[ILjava/lang/String;)[J", true),
        ("com.acme.Motor::run", "run", "()V", false),
        ("com.acme.Engine#run", "run", "(I)V", true),
        ("com.acme.Engine#run(int)", "run", "(I)V", true),
        ("com.acme.Engine.run()", "run", "()J", true),
        ("com.acme.Engine.run()", "run", "(I)V", false),
        ("com.acme.Engine.run(int, String[])", "run", "(I[Ljava/lang/String;)V", true),
        ("com.acme.Engine.run(int, String...)", "run", "(I[Ljava/lang/String;)V", true),
        ("com.acme.Engine.run(int, String)", "run", "(I[Ljava/lang/String;)V", false),
        ("com.acme.Engine::run(int)", "run", "(II)V", false),
        ("com.acme.Engine::run(Entry)", "run", "(Ljava/util/Map$Entry;)V", true),
        ("com.acme.Engine::run(Map.Entry)", "run", "(Ljava/util/Map$Entry;)V", true),
        (
            "com.acme.Engine::run(java.util.Map.Entry<K, List<V>>)",
            "run",
            "(Ljava/util/Map$Entry;)V",
            true,
        ),
        ("com.acme.Engine::run(java.util.Entry)", "run", "(Ljava/util/Map$Entry;)V", false),
        ("com.acme.Engine::run(long[][]): int", "run", "([[J)I", true),
        ("com.acme.Engine::run(long[][]): int", "run", "([[J)V", false),
        ("com.acme.Engine::run(I)", "run", "(La/I;)V", true),
        ("com.acme.Engine::run(I)", "run", "(I)V", false),
        ("com.acme.Engine::`x*y`", "x*y", "()V", true),
        ("com.acme.Engine::`x*y`", "xzy", "()V", false),
        ("com.acme.Engine::with spaces", "with spaces", "()V", true),
        ("com.acme.Engine.\"with spaces\"", "with spaces", "()V", true),
    ] {
        let selector = selector(text);
        let reading = selector.resolve_target(std::slice::from_ref(&owner));
        assert_eq!(reading, SelectorTarget::Method, "{text}");
        assert_eq!(
            selector.matches_method(reading, &owner, &method(name, descriptor)),
            expected,
            "{text} on {name}"
        );
        assert!(!selector.matches_class(reading, &owner), "{text}");
    }
}

#[test]
fn a_class_comes_before_a_method() {
    let run = MethodSummary {
        name: "C".to_owned(),
        descriptor: "()V".to_owned(),
        ..MethodSummary::default()
    };
    let outer = ClassSummary { methods: vec![run.clone()], ..class("a/b") };
    let selector = selector("a.b.C");
    assert_eq!(selector.resolve_target(std::slice::from_ref(&outer)), SelectorTarget::Method);
    assert!(selector.matches_method(SelectorTarget::Method, &outer, &run));
    let both = [outer.clone(), class("a/b/C")];
    assert_eq!(selector.resolve_target(&both), SelectorTarget::Class);
    assert!(!selector.matches_method(SelectorTarget::Class, &outer, &run));
}

#[test]
fn annotations() {
    let timed = MethodSummary {
        annotations: vec!["com/acme/Timed".to_owned()],
        ..MethodSummary::default()
    };
    let plain = MethodSummary::default();
    let owner =
        ClassSummary { annotations: vec!["com/acme/Marks$Slow".to_owned()], ..class("a/B") };
    for (text, on_class, on_method) in [
        ("@Timed", false, true),
        ("@com.acme.Timed", false, true),
        ("@com/acme/Timed", false, true),
        ("@acme.Timed", false, false),
        ("@Slow", true, false),
        ("@Marks.Slow", false, false),
        ("@com.acme.Marks.Slow", true, false),
        ("@com.acme.Marks$Slow", true, false),
        ("@com.acme.*", true, true),
        ("@Tim*", false, true),
    ] {
        let selector = selector(text);
        assert_eq!(selector.matches_class(SelectorTarget::Class, &owner), on_class, "{text}");
        assert_eq!(
            selector.matches_method(SelectorTarget::Class, &owner, &timed),
            on_method,
            "{text}"
        );
        assert!(!selector.matches_method(SelectorTarget::Class, &owner, &plain), "{text}");
    }
}

#[test]
fn exclusions_keep_their_text() {
    let selector = selector(" !a.B ");
    assert!(selector.is_exclusion());
    assert_eq!(selector.to_string(), "!a.B");
    assert!(selector.matches_class(SelectorTarget::Class, &class("a/B")));
}

#[test]
fn what_is_no_selector_is_told() {
    for (text, problem) in [
        ("", "it is empty"),
        ("!", "it is empty"),
        ("!!a.B", "'!' is in a name only between backticks"),
        ("a..B", "between two dots"),
        (".a.B", "between two dots"),
        ("a.B.", "between two dots"),
        ("a.b**.C", "written between dots"),
        ("a.**.**.C", "twice in a row"),
        ("::run", "**::run means all classes"),
        ("a.B::", "::* means all methods"),
        ("a.B::c::d", "‘::’ is in a name only between backticks"),
        ("a.B::c.d", "has a dot"),
        ("a.B::<run>", "neither <init> nor <clinit>"),
        ("a.B::run(I", "neither a method descriptor"),
        ("a.B::run(int)V", "neither a method descriptor"),
        ("a.B::run(int,)", "neither a method descriptor"),
        ("a.B::run(List<int)", "neither a method descriptor"),
        ("a.B::run(int x)", "neither a method descriptor"),
        ("a.B::run(L;)V", "neither a method descriptor"),
        ("a.B::run(V)V", "neither a method descriptor"),
        ("a.B::run(I)VV", "neither a method descriptor"),
        ("run(I)V", "the class is missing"),
        ("run(int)", "the class is missing"),
        ("a.B::`run", "the quote ` has no end"),
        ("a.B::\"run", "the quote \" has no end"),
        ("@", "between two dots"),
        ("@Timed::run", "stands alone"),
        ("a b.C", "' ' is in a name only between backticks, as in `a b`"),
    ] {
        let error = text.parse::<Selector>().expect_err(text).to_string();
        assert!(error.contains(problem), "{text}: {error}");
        assert!(error.contains("Forms: com.acme.Engine,"), "{error}");
    }
}

/// Names that the JVM allows (JVMS 4.2.2).
const ODD_NAMES: [&str; 22] = [
    "with spaces",
    "a(b)",
    "c:d",
    "x*y",
    "!neg",
    "@at",
    "a,b",
    "q\"uote",
    "#hash",
    "launches 🚀",
    "🚀",
    "a::b",
    "`",
    "a\\b",
    "\\u0041",
    "\u{1b}[2J",
    "\0",
    "x\u{202e}",
    " ",
    "a=time",
    "(I)V",
    "größe",
];

#[test]
fn what_is_printed_selects_the_same_method_alone() {
    let is_only = |text: &str, key: &crate::MethodKey| {
        let selector = selector(text);
        for name in ODD_NAMES.iter().chain(&["run", "<init>", "xzy"]) {
            let method = MethodSummary {
                name: (*name).to_owned(),
                descriptor: key.descriptor.clone(),
                ..MethodSummary::default()
            };
            for class in [&*key.class, "a/Other"].map(class) {
                let is_meant = *name == key.name && class.name == key.class;
                let reading = selector.resolve_target(std::slice::from_ref(&class));
                let selected = selector.matches_method(reading, &class, &method);
                assert_eq!(selected, is_meant, "{text} on {}::{name}", class.name);
            }
        }
    };
    for name in ODD_NAMES.iter().chain(&["run", "<init>"]) {
        let class = if name.contains(':') { "a/B" } else { "a b/*/C(d)$e:f" };
        for descriptor in ["()V", "(La b/C:d(e);I)[L*;"] {
            let key = crate::MethodKey {
                class: class.to_owned(),
                name: (*name).to_owned(),
                descriptor: descriptor.to_owned(),
            };
            is_only(&key.selector(), &key);
            assert_eq!(crate::printable(&key.selector()), key.selector());
            let (class, name) = (crate::quoted_class(class), crate::quoted_name(name));
            is_only(&format!("{class}::{name}"), &key);
            assert_eq!(selector(&format!("!{class}")).to_string(), format!("!{class}"));
        }
    }
}

#[test]
fn only_odd_names_are_quoted() {
    for name in ["run", "lambda$main$0", "<init>", "größe", "計算", "foo-impl", "run:12-20"] {
        assert_eq!(crate::quoted_name(name), name);
    }
    assert_eq!(crate::quoted_name("with spaces"), "`with spaces`");
    assert_eq!(crate::quoted_name("a`\\\u{1b}"), "`a\\`\\\\\\u001b`");
    assert_eq!(crate::quoted_class("a/b c/D$E"), "a.`b c`.D$E");
}
