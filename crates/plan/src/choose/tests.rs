use super::*;

const ABSTRACT: u16 = 0x0400;

fn method(name: &str, descriptor: &str) -> MethodSummary {
    MethodSummary {
        name: name.to_owned(),
        descriptor: descriptor.to_owned(),
        code_length: Some(10),
        ..MethodSummary::default()
    }
}

fn class(name: &str, methods: &[&str]) -> ClassSummary {
    let methods = methods.iter().map(|name| method(name, "()V")).collect();
    ClassSummary { name: name.to_owned(), methods, ..ClassSummary::default() }
}

fn world() -> Vec<ClassSummary> {
    let mut engine = class("com/acme/Engine", &["<init>", "run", "stop"]);
    engine.methods.push(method("run", "(I)V"));
    engine.methods.push(MethodSummary { trivial: true, ..method("getSpeed", "()I") });
    engine.methods.push(MethodSummary {
        code_length: None,
        access: NATIVE,
        ..method("ignite", "()V")
    });
    engine.methods.push(MethodSummary {
        annotations: vec!["com/acme/Timed".to_owned()],
        ..method("tick", "()V")
    });
    let mut motor = class("com/acme/Motor", &[]);
    motor.methods.push(MethodSummary {
        code_length: None,
        access: ABSTRACT,
        ..method("turn", "()V")
    });
    vec![
        engine,
        motor,
        class("org/other/Tool", &["work"]),
        class("jfathom/runtime/Probe", &["methodEntry"]),
        class("com/acme/Marker", &[]),
    ]
}

fn rules(include: &[&str], roots: &[&str]) -> SelectionRules {
    let parse = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
    SelectionRules { include: parse(include), roots: parse(roots), ..SelectionRules::default() }
}

fn chosen(rules: &SelectionRules) -> Vec<String> {
    let classes = world();
    let choice = choose(&classes, rules).unwrap_or_else(|error| panic!("{error}"));
    let mut found = Vec::new();
    let mut next = rules.id_base;
    for (class, chosen) in classes.iter().zip(&choice.classes) {
        for method in &chosen.plan.methods {
            assert_eq!(method.id.get(), next);
            next += 1;
            let kind = match method.kind {
                ProbeKind::Always => "",
                ProbeKind::InRoot => " inner",
                ProbeKind::Root => " root",
            };
            let class = class.name.rsplit('/').next().unwrap();
            found.push(format!("{class}.{}{}{kind}", method.name, method.descriptor));
        }
    }
    assert_eq!(choice.ids, IdRange { start: rules.id_base, len: next - rules.id_base });
    found
}

const ENGINE: [&str; 6] = [
    "Engine.<init>()V",
    "Engine.run()V",
    "Engine.stop()V",
    "Engine.run(I)V",
    "Engine.getSpeed()I",
    "Engine.tick()V",
];

#[test]
fn without_a_selector_all_but_the_runtime_is_chosen() {
    assert_eq!(chosen(&rules(&[], &[])), [&ENGINE[..], &["Tool.work()V"]].concat());
}

#[test]
fn includes_and_exclusions() {
    let runs = ["Engine.run()V", "Engine.run(I)V"];
    for (include, expected) in [
        (&["com.acme.**"][..], &ENGINE[..]),
        (&["com.acme.Engine::run"], &runs),
        (&["com.acme.Engine.run"], &runs),
        (&["com.acme.Engine.run(I)V"], &runs[1..]),
        (
            &["com.acme.Engine::run", "org.other.Tool"],
            &["Engine.run()V", "Engine.run(I)V", "Tool.work()V"],
        ),
        (&["@Timed"], &["Engine.tick()V"]),
        (&["!com.acme.**"], &["Tool.work()V"]),
        (
            &["**", "!com.acme.Engine::run", "!@Timed", "!**::<init>"],
            &["Engine.stop()V", "Engine.getSpeed()I", "Tool.work()V"],
        ),
    ] {
        assert_eq!(chosen(&rules(include, &[])), expected, "{include:?}");
    }
}

#[test]
fn roots_are_chosen_whether_included_or_not() {
    let rules =
        SelectionRules { id_base: 40, ..rules(&["org.other.*"], &["com.acme.Engine::run()V"]) };
    assert_eq!(chosen(&rules), ["Engine.run()V root", "Tool.work()V inner"]);
    assert!(choose(&world(), &rules).unwrap().has_roots);
}

#[test]
fn trivial_methods_and_those_without_code_are_reported() {
    let rules = SelectionRules {
        skip_trivial: true,
        ..rules(&["com.acme.**"], &["com.acme.Engine::tick"])
    };
    let choice = choose(&world(), &rules).unwrap();
    let skips: Vec<_> = choice.classes[0]
        .skips
        .iter()
        .map(|skip| (skip.method.clone().unwrap(), skip.reason))
        .collect();
    assert_eq!(
        skips,
        [
            ("getSpeed()I".to_owned(), SkipReason::Trivial),
            ("ignite()V".to_owned(), SkipReason::Native)
        ]
    );
    assert_eq!(choice.classes[1].abstract_methods, 1);
    let root =
        SelectionRules { skip_trivial: true, ..self::rules(&[], &["com.acme.Engine::getSpeed"]) };
    assert!(chosen(&root).contains(&"Engine.getSpeed()I root".to_owned()));
}

#[test]
fn hand_offs_need_roots_and_stay_out_of_excluded_classes() {
    let hand_offs = |rules: SelectionRules| {
        let choice = choose(&world(), &SelectionRules { hand_offs: true, ..rules }).unwrap();
        choice.classes.iter().map(|class| class.plan.hand_offs).collect::<Vec<_>>()
    };
    assert_eq!(hand_offs(rules(&[], &[])), [false; 5]);
    assert_eq!(
        hand_offs(rules(&["com.acme.**"], &["com.acme.Engine::run"])),
        [true, true, true, false, true]
    );
    assert_eq!(
        hand_offs(rules(&["!org.**"], &["com.acme.Engine::run"])),
        [true, true, false, false, true],
        "an excluded class is not touched"
    );
}

#[test]
fn a_selector_without_a_match_names_near_misses() {
    for (include, roots, expected) in [
        (
            &["com.acme.Engin"][..],
            &[][..],
            "--include com.acme.Engin matches nothing; did you mean com.acme.Engine?",
        ),
        (&["com.acme.engine"], &[], "did you mean com.acme.Engine?"),
        (&["Engine"], &[], "did you mean com.acme.Engine?"),
        (&["Engine::run"], &[], "did you mean com.acme.Engine::run?"),
        (&["com.amce.*"], &[], "did you mean com.acme.*?"),
        (&["com.acem.**"], &[], "did you mean com.acme.**?"),
        (
            &[],
            &["com.acme.Engine::rnu"],
            "--root com.acme.Engine::rnu matches nothing; did you mean com.acme.Engine::run?",
        ),
        (&[], &["com.acme.Engine.stopp"], "did you mean com.acme.Engine::stop?"),
        (
            &[],
            &["com/acme/Engine::run(J)V"],
            "did you mean com.acme.Engine::run()V or com.acme.Engine::run(I)V?",
        ),
        (
            &[],
            &["com.acme.Engine::unlikely"],
            "--root com.acme.Engine::unlikely matches nothing: com.acme.Engine has no such method; it has ",
        ),
        (&["@Tmied"], &[], "did you mean @com.acme.Timed?"),
        (&["org.nowhere.Quux"], &[], "`jfathom rewrite --help` shows the forms"),
        (&["jfathom.runtime.**"], &[], "matches nothing"),
        (&["com.acme.**", "com.acme.Tool"], &[], "did you mean org.other.Tool?"),
    ] {
        let error = choose(&world(), &rules(include, roots)).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn what_cannot_be_chosen_is_told() {
    let error = |rules: SelectionRules| choose(&world(), &rules).unwrap_err().to_string();
    assert_eq!(
        error(rules(&[], &["com.acme.Motor::turn"])),
        "--root com.acme.Motor::turn matches only abstract or native methods, such as com.acme.Motor::turn()V; \
         choose the methods that implement them"
    );
    assert!(
        error(rules(&["org.**", "!org.other.Tool"], &[])).contains("matches only excluded methods")
    );
    assert!(error(rules(&["!**"], &[])).contains("none of the 5 classes"));
    assert!(error(rules(&["com.acme.Marker"], &[])).contains("none of the 5 classes"));
    assert_eq!(choose(&[], &rules(&[], &[])).unwrap_err().to_string(), "the inputs have no class");
    let base = MethodId::MAX.get() - 2;
    let full = SelectionRules { id_base: base, ..rules(&["com.acme.Engine"], &[]) };
    assert_eq!(choose(&world(), &full).unwrap_err(), PlanError::TooManyIds { base });
    let last = SelectionRules { id_base: base, ..rules(&["com.acme.Engine::run"], &[]) };
    assert_eq!(choose(&world(), &last).unwrap().ids.end(), base + 2);
}

#[test]
fn an_exclusion_without_a_match_is_an_error() {
    let error = |rules: SelectionRules| choose(&world(), &rules).unwrap_err().to_string();
    let hint = "matches nothing; did you mean com.acme.Engine?";
    assert_eq!(
        error(rules(&["!com.acme.Engin"], &[])),
        format!("--include !com.acme.Engin {hint}")
    );
    let roots = rules(&[], &["com.acme.Engine::run", "!com.acme.Engin"]);
    assert_eq!(error(roots), format!("--root !com.acme.Engin {hint}"));
    assert!(choose(&world(), &rules(&["!org.other.**"], &[])).is_ok());
}

#[test]
fn what_may_be_chosen_can_be_limited() {
    let classes = world();
    let rules =
        SelectionRules { hand_offs: true, ..rules(&["com.acme.**"], &["org.other.Tool::work"]) };
    let method_of = |class: usize, method: usize| &*classes[class].methods[method].name;
    let among = |class: usize, method: usize| matches!(method_of(class, method), "run" | "ignite");
    let choice = choose_filtered(&classes, &rules, Some(&among)).unwrap();
    let names = |class: usize| {
        choice.classes[class].plan.methods.iter().map(|method| &*method.name).collect::<Vec<_>>()
    };
    assert_eq!(
        (names(0), names(2)),
        (vec!["run", "run"], vec!["work"]),
        "a root is chosen in any case"
    );
    assert_eq!(choice.classes[0].skips.len(), 1, "the native method may be chosen");
    assert_eq!(choice.classes[1].abstract_methods, 0);
    let follows: Vec<bool> = choice.classes.iter().map(|class| class.plan.hand_offs).collect();
    assert_eq!(follows, [true, false, true, false, false]);
    assert_eq!(choice.ids.len, 3);
    assert_eq!(choose_roots(&classes, &rules).unwrap(), [(2, 0)]);
}

#[test]
fn a_plan_is_named_by_what_it_decides() {
    let id = |classes: &[ClassSummary], rules: &SelectionRules, placement| {
        plan_id(classes, &choose(classes, rules).unwrap(), placement, None)
    };
    let all = rules(&[], &[]);
    let base = id(&world(), &all, Placement::Main);
    assert_eq!(
        base,
        id(&world(), &rules(&["**"], &[]), Placement::Main),
        "the same methods by other selectors"
    );
    assert_ne!(base, id(&world(), &all, Placement::Boot));
    assert_ne!(base, id(&world(), &SelectionRules { id_base: 1, ..all.clone() }, Placement::Main));
    assert_ne!(base, id(&world(), &rules(&["!org.**"], &[]), Placement::Main));
    assert_ne!(base, id(&world(), &rules(&[], &["org.**"]), Placement::Main));
    let mut other = world();
    other[0].methods[0].digest = Digest(1);
    assert_ne!(base, id(&other, &all, Placement::Main));
}

/// [`world`] with lines: `run()V` has 3 to 5 and 9, `run(I)V` 20 and 21.
fn world_with_lines() -> Vec<ClassSummary> {
    let mut classes = world();
    for method in &mut classes[0].methods {
        method.lines = match (&*method.name, &*method.descriptor) {
            ("run", "()V") => vec![3, 4, 5, 9],
            ("run", "(I)V") => vec![20, 21],
            _ => Vec::new(),
        };
    }
    classes
}

fn region_rules(regions: &[&str], root: bool, rules: SelectionRules) -> SelectionRules {
    let rule = |text: &&str| RegionRule { selector: text.parse().unwrap(), root };
    let regions = rules.regions.into_iter().chain(regions.iter().map(rule)).collect();
    SelectionRules { regions, ..rules }
}

/// Ids, names and kinds of the regions and methods of `com/acme/Engine`, by id.
fn probes(rules: &SelectionRules) -> Vec<String> {
    let plan = choose(&world_with_lines(), rules).unwrap_or_else(|error| panic!("{error}"));
    let class = &plan.classes[0];
    let regions = class.plan.regions.iter();
    let regions = regions
        .map(|plan| (plan.id.get(), format!("{}{} {:?}", plan.name(), plan.descriptor, plan.kind)));
    let methods = class.plan.methods.iter();
    let methods = methods
        .map(|plan| (plan.id.get(), format!("{}{} {:?}", plan.name, plan.descriptor, plan.kind)));
    let mut all: Vec<(u32, String)> = regions.chain(methods).collect();
    all.sort();
    let ids = class.ids().unwrap();
    assert_eq!(all.iter().map(|(id, _)| *id).collect::<Vec<_>>(), Vec::from_iter(0..ids.end()));
    assert!(plan.has_roots);
    all.into_iter().map(|(_, name)| name).collect()
}

#[test]
fn regions_alone_are_roots_and_nothing_else_has_probes() {
    let alone = region_rules(&["com.acme.Engine::run:4-20"], false, rules(&[], &[]));
    assert_eq!(probes(&alone), ["run:4-20()V Root", "run:4-20(I)V Root"]);
    let with_methods =
        region_rules(&["com.acme.Engine::run:4"], false, rules(&["com.acme.Engine::stop"], &[]));
    assert_eq!(probes(&with_methods), ["run:4-4()V Root", "stop()V InRoot"]);
}

#[test]
fn regions_beneath_a_root_record_inside_it() {
    let root = rules(&["com.acme.Engine::run()V"], &["com.acme.Engine::stop"]);
    let beneath = region_rules(&["com.acme.Engine::run:3-9"], false, root);
    assert_eq!(probes(&beneath), ["run:3-9()V InRoot", "run()V InRoot", "stop()V Root"]);
    let as_root =
        region_rules(&["com.acme.Engine::run()V:3-5"], true, rules(&["com.acme.Engine::run"], &[]));
    let both =
        region_rules(&["com.acme.Engine::run:3-5", "com.acme.Engine::run:4"], false, as_root);
    assert_eq!(
        probes(&both),
        ["run:3-5()V Root", "run:4-4()V InRoot", "run()V InRoot", "run(I)V InRoot"]
    );
}

#[test]
fn regions_that_cannot_be_are_refused() {
    let problem = |regions: &[&str]| {
        let rules = region_rules(regions, false, rules(&["!com.acme.Engine::tick"], &[]));
        choose(&world_with_lines(), &rules).unwrap_err().to_string()
    };
    for (regions, expected) in [
        (
            &["com.acme.Engine::run:6-8"][..],
            "covers no code: com.acme.Engine::run()V has code at the lines 3, 4, 5 and 9",
        ),
        (&["com.acme.Engine::run(I)V:1"], "has code at the lines 20 and 21"),
        (&["com.acme.Engine::stop:1-9"], "has no line numbers; compile it with javac -g"),
        (&["com.acme.Engine::ignite:1-9"], "matches only abstract or native methods"),
        (&["com.acme.Engine::tick:1-9"], "matches only excluded methods"),
        (&["com.acme.Engine::rum:1-9"], "did you mean com.acme.Engine::run:1-9?"),
        (
            &["com.acme.Engine::run:3-5", "com.acme.Engine::run:4-9"],
            "the regions 3-5 and 4-9 of com.acme.Engine::run()V overlap",
        ),
    ] {
        let problem = problem(regions);
        assert!(problem.contains(expected), "{problem}");
    }
}

#[test]
fn ambiguous_selectors_are_refused_with_all_readings() {
    let mut outer = class("a/b", &["C", "run"]);
    outer.methods.push(method("find", "(Lx/Item;)V"));
    outer.methods.push(method("find", "(Ly/Item;)V"));
    outer.methods.push(method("get", "(Lx/Item;)Lx/Item;"));
    outer.methods.push(method("get", "(Lx/Item;)Ljava/lang/Object;"));
    let classes = [outer, class("a/b/C", &["run"])];
    let refused = |root: &str| choose(&classes, &rules(&[], &[root])).err().map(|e| e.to_string());
    for (root, readings) in [
        ("a.b.C", "a.b.C::* or a.b::C"),
        ("a.b::find(Item)", "a.b::find(Lx/Item;)V or a.b::find(Ly/Item;)V"),
    ] {
        assert_eq!(refused(root), Some(format!("--root {root} is ambiguous; choose {readings}")));
    }
    for root in ["a.b.C::*", "a.b::C", "a.b::find(x.Item)", "a.b::find", "a.b::get(Item)", "a.b"] {
        assert_eq!(refused(root), None, "{root}");
    }
}
