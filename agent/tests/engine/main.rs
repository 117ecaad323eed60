//! An engine beside a JVM that only tells names and bytes.

mod support;

use jfathom::{IdTable, LoaderKind, LoadingClass, PreloadedClass};
use jfathom_plan::{MethodKey, ProbeKind};
use jfathom_reachability::World;
use jfathom_session::{InstrumentedAt, MethodsFileLine, RootState};
use jfathom_trace::StackIntervalIx;
use support::{Classes, Jvm};

const RUN: &str = "app/Program.run(I)V";
const ALL: [&str; 4] = ["app/Helper", "app/Deep", "app/Task", "app/Program"];

#[test]
fn lazily_callees_come_with_first_calls() {
    let mut jvm = Jvm::new("root=app.Program::run");
    jvm.load("java/lang/Thread");
    for class in ALL {
        jvm.load(class);
    }
    // At load, the root and what it calls in its own class.
    assert_eq!(jvm.redefined.len(), 0);
    assert!(jvm.has(RUN) && jvm.has("app/Program.own(I)I") && !jvm.has("app/Helper.help(I)V"));
    assert!(jvm.first.contains(&jvm.id(RUN)));
    let planned = jvm.engine.plan(b"app/Program").unwrap();
    let kind =
        |name: &str| planned.plan.methods.iter().find(|method| method.name == name).unwrap().kind;
    assert_eq!((kind("run"), kind("own")), (ProbeKind::Root, ProbeKind::InRoot));
    assert!(planned.plan.hand_offs);
    assert_eq!(planned.version, 1);
    assert!(jvm.engine.plan(b"app/Deep").is_none());
    jvm.call(RUN);
    assert!(jvm.has("app/Helper.help(I)V") && jvm.has("app/Task.run()V"), "{:?}", jvm.live.keys());
    assert!(!jvm.has("app/Deep.down()V") && !jvm.has("app/Helper.other()V"));
    jvm.call("app/Helper.help(I)V");
    assert!(jvm.has("app/Deep.down()V"));
    let redefined: Vec<_> =
        jvm.redefined.iter().map(|(class, times)| (class.as_str(), *times)).collect();
    assert_eq!(redefined, [("app/Deep", 1), ("app/Helper", 1), ("app/Task", 1)]);
    assert_eq!(jvm.at_load, 1);
    // What runs already is not asked for again.
    let step = jvm.engine.first_call(jvm.id(RUN));
    assert!(step.retransform.is_empty());
}

#[test]
fn the_lines_say_what_is_live() {
    let mut jvm = Jvm::new("root=app.Program.run");
    jvm.load("app/Program");
    let MethodsFileLine::Session(session) = &jvm.lines[0] else { panic!("{:?}", jvm.lines) };
    assert_eq!(
        (session.scheme.as_str(), session.roots.as_slice()),
        ("lazy", &["app.Program.run".to_owned()][..])
    );
    let MethodsFileLine::Root(root) = &jvm.lines[1] else { panic!("{:?}", jvm.lines) };
    assert_eq!((root.state, root.selector.as_str()), (RootState::Waiting, "app.Program.run"));
    let MethodsFileLine::Class(class) = &jvm.lines[2] else { panic!("{:?}", jvm.lines) };
    assert_eq!(
        (class.name.as_str(), class.source.as_deref()),
        ("app/Program", Some("Program.java"))
    );
    assert_eq!(class.how, InstrumentedAt::Load);
    let run = class.methods.iter().find(|method| method.name == "run").unwrap();
    assert!(run.root && !run.trivial && run.line.is_some() && run.digest.0 != 0);
    let getter = class.methods.iter().find(|method| method.name == "getField").unwrap();
    assert!(getter.trivial && !getter.root);
    // It calls nothing, and has nothing to tell.
    assert!(jvm.counted.contains(&getter.id) && !jvm.first.contains(&getter.id));
    assert!(getter.counted && !run.counted);
    let MethodsFileLine::Root(root) = &jvm.lines[3] else { panic!("{:?}", jvm.lines) };
    assert_eq!(
        (root.state, root.method.as_deref()),
        (RootState::Live, Some("app.Program::run(I)V"))
    );
}

#[test]
fn rules_have_stacks_walked_also_of_roots() {
    let rules = "probe=app.Program::run=off;app.Program::getField=count+stack/9;\
                 app.Program::run=time+stack/4;app.Program::own=time+stack/9";
    let mut jvm = Jvm::new(&format!("root=app.Program.run,{rules}"));
    jvm.load("app/Program");
    let getter = jvm.live.iter().find(|(name, _)| name.contains("getField")).map(|(_, id)| *id);
    let place = |at| StackIntervalIx::new(at).unwrap();
    let mut expected = vec![
        (jvm.id(RUN), place(1)),
        (jvm.id("app/Program.own(I)I"), place(0)),
        (getter.unwrap(), place(0)),
    ];
    expected.sort_unstable();
    jvm.walked.sort_unstable();
    assert_eq!(jvm.walked, expected);
    assert!(jvm.counted.contains(&getter.unwrap()) && !jvm.counted.contains(&jvm.id(RUN)));
}

#[test]
fn rules_have_methods_read_what_they_allocate() {
    let rules = "probe=app.Program::*=time+alloc;app.Program::own=time";
    let mut jvm = Jvm::new(&format!("root=app.Program.run,{rules}"));
    jvm.load("app/Program");
    let getter = jvm.live.iter().find(|(name, _)| name.contains("getField")).map(|(_, id)| *id);
    assert!(jvm.reading.contains(&getter.unwrap()));
    assert!(!jvm.reading.contains(&jvm.id("app/Program.own(I)I")));
    assert!(!jvm.counted.contains(&getter.unwrap()));
}

#[test]
fn eagerly_all_comes_at_once() {
    let mut jvm = Jvm::new("root=app.Program::run,scheme=eager");
    jvm.load("java/lang/Thread");
    for class in ALL {
        jvm.load(class);
    }
    for method in [RUN, "app/Helper.help(I)V", "app/Deep.down()V", "app/Task.run()V"] {
        assert!(jvm.has(method), "{method}");
    }
    assert!(!jvm.has("app/Program.unused()V") && !jvm.has("app/Helper.other()V"));
    assert!(jvm.first.is_empty());
}

#[test]
fn total_takes_the_program() {
    let mut jvm =
        Jvm::new("root=app.Program::run,scheme=total,include=!app.Deep;!app.Helper::other");
    jvm.loaded_before(&["java/lang/Thread"], LoaderKind::Jdk);
    jvm.loaded_before(&["app/Helper", "app/Deep"], LoaderKind::ClassPath);
    jvm.load("app/Program");
    jvm.load_by("java/util/ArrayList", LoaderKind::Jdk);
    assert!(jvm.has(RUN) && jvm.has("app/Program.unused()V") && jvm.has("app/Helper.help(I)V"));
    assert!(!jvm.has("app/Helper.other()V") && !jvm.has("app/Deep.down()V"));
    assert!(jvm.live.keys().all(|method| method.starts_with("app/")));
    assert!(jvm.first.is_empty() && !jvm.counted.is_empty());
    assert!(
        jvm.engine
            .plan(b"app/Program")
            .unwrap()
            .plan
            .methods
            .iter()
            .any(|method| method.kind == ProbeKind::Root)
    );
}

#[test]
fn roots_that_are_loaded_already() {
    for root in [
        "app.Program$Part::go",
        "app.Program.Part.go",
        "app.Program.Part",
        "app.Program$P*::g*",
        "**.Program$Part",
    ] {
        let mut jvm = Jvm::new(&format!("root={root}"));
        jvm.loaded_before(
            &["app/Program$Part", "app/Helper", "app/Program", "app/Deep"],
            LoaderKind::ClassPath,
        );
        assert!(jvm.has("app/Program$Part.go()V"), "{root}: {:?}", jvm.live.keys());
        assert!(!jvm.has(RUN), "{root}");
        assert_eq!(jvm.redefined.get("app/Program$Part"), Some(&1), "{root}");
        jvm.call("app/Program$Part.go()V");
        assert!(jvm.has("app/Helper.other()V"), "{root}");
    }
}

#[test]
fn several_roots_and_exclusions() {
    let mut jvm = Jvm::new("root=app.Program;!app.Program::unused,root=app.Helper::other");
    for class in ALL {
        jvm.load(class);
    }
    assert!(jvm.has(RUN) && jvm.has("app/Helper.other()V") && !jvm.has("app/Program.unused()V"));
}

#[test]
fn what_is_excluded_is_walked_through() {
    let mut jvm = Jvm::new("root=app.Program::run,include=!app.Helper");
    for class in ALL {
        jvm.load(class);
    }
    jvm.call(RUN);
    assert!(!jvm.has("app/Helper.help(I)V") && jvm.has("app/Deep.down()V"));
    assert!(jvm.engine.plan(b"app/Helper").is_none());
    let mut jvm = Jvm::new("root=app.Program::run,include=app.Deep");
    for class in ALL {
        jvm.load(class);
    }
    jvm.call(RUN);
    assert_eq!(jvm.live.keys().map(String::as_str).collect::<Vec<_>>(), ["app/Deep.down()V", RUN]);
}

#[test]
fn what_cannot_be_rewritten_is_walked_through() {
    let mut jvm = Jvm::new("root=app.Program::run");
    for class in ALL {
        jvm.load(class);
    }
    // Ids come in the order of what is chosen: whatever `help` gets, the rewriter leaves it alone.
    let mut ids = IdTable::default();
    let known = jvm.live.values().map(|id| id.get()).max().unwrap();
    for at in 0..=known {
        ids.id(&key(&at.to_string()));
    }
    jvm.unable = (known + 1..known + 64).filter_map(jfathom_plan::MethodId::new).collect();
    jvm.call(RUN);
    assert!(!jvm.has("app/Helper.help(I)V"));
    assert!(jvm.engine.plan(b"app/Helper").is_none(), "nothing is left of the plan");
    assert!(jvm.engine.skipped_methods() >= 1);
    jvm.unable.clear();
    assert!(!jvm.has("app/Deep.down()V"), "its id was among those that could not be done");
}

#[test]
fn a_class_that_fails_is_left_alone() {
    let mut jvm = Jvm::new("root=app.Program::run");
    for class in ALL {
        jvm.load(class);
    }
    jvm.call(RUN);
    let help = jvm.id("app/Helper.help(I)V");
    let step = jvm.engine.refused(&[help]);
    assert!(step.retransform.iter().any(|name| **name == *b"app/Deep"), "{step:?}");
    jvm.take(step, None);
    assert!(jvm.has("app/Deep.down()V"));
    assert!(jvm.engine.plan(b"app/Helper").is_none());
    // Nothing more is chosen of it.
    let step = jvm.engine.reflected(b"app/Helper", b"other", b"()V");
    assert!(step.retransform.is_empty());
}

#[test]
fn reflection_leads_to_methods() {
    let mut jvm = Jvm::new("root=app.Program::run");
    for class in ALL {
        jvm.load(class);
    }
    jvm.call(RUN);
    let step = jvm.engine.reflected(b"app/Helper", b"other", b"()V");
    jvm.take(step, None);
    assert!(jvm.has("app/Helper.other()V"));
    for (class, name, descriptor) in
        [("app/Gone", "other", "()V"), ("app/Helper", "gone", "()V"), ("[I", "clone", "()")]
    {
        let step = jvm.engine.reflected(class.as_bytes(), name.as_bytes(), descriptor.as_bytes());
        assert!(step.retransform.is_empty());
    }
}

#[test]
fn annotations_are_read_from_class_files() {
    let mut jvm = Jvm::new("root=@Timed");
    jvm.loaded_before(&["app/Marked", "app/Helper", "app/Deep"], LoaderKind::ClassPath);
    assert_eq!(jvm.needed, ["app/Deep", "app/Helper", "app/Marked"]);
    assert!(jvm.has("app/Marked.timed()V") && !jvm.has("app/Marked.plain()V"));
    let mut jvm = Jvm::new("root=app.Marked,include=!@app.Timed");
    jvm.load("app/Marked");
    assert!(!jvm.has("app/Marked.timed()V") && jvm.has("app/Marked.plain()V"));
}

/// A program whose method `own` calls a method of another class and one that its own class has not.
fn woven() -> Vec<u8> {
    let by = "Helper.other(); return extra(i); } int extra(int i) { return i;";
    Classes::woven("app/Program", "return i * 3;", by)
}

const OWN: &str = "app/Program.own(I)I";

#[test]
fn what_an_agent_adds_is_followed() {
    let added = ["app/Helper.other()V", "app/Program.extra(I)I"];
    let woven = woven();
    for scheme in ["lazy", "eager", "total"] {
        let options = format!("root=app.Program::run,scheme={scheme}");
        // As the class is loaded.
        let mut jvm = Jvm::new(&options);
        jvm.changed.insert("app/Program".to_owned(), woven.clone());
        ALL.iter().for_each(|class| jvm.load(class));
        if scheme == "lazy" {
            jvm.call(RUN);
            jvm.call(OWN);
        }
        assert!(added.iter().all(|method| jvm.has(method)), "{scheme}: {:?}", jvm.live.keys());
        // In a class that runs.
        let mut jvm = Jvm::new(&options);
        ALL.iter().for_each(|class| jvm.load(class));
        if scheme == "lazy" {
            jvm.call(RUN);
        }
        assert!(scheme == "total" || !jvm.has(added[0]), "{scheme}");
        jvm.change("app/Program", woven.clone());
        if scheme != "total" {
            // Whoever calls it waits until what it calls now has probes.
            jvm.call(OWN);
        }
        assert!(added.iter().all(|method| jvm.has(method)), "{scheme}: {:?}", jvm.live.keys());
        // The same class file again.
        jvm.first.clear();
        jvm.change("app/Program", woven.clone());
        assert!(jvm.first.is_empty(), "{scheme}");
    }
}

#[test]
fn the_boot_loader_has_classes_of_the_program() {
    let mut jvm = Jvm::without_class_path("root=app.Helper::help");
    jvm.load_by("app/Helper", LoaderKind::Jdk);
    assert!(jvm.has("app/Helper.help(I)V"));
    let mut jvm = Jvm::without_class_path("root=java.util.ArrayList::size");
    jvm.load_by("java/util/ArrayList", LoaderKind::Jdk);
    assert!(!jvm.has("java/util/ArrayList.size()I"));
}

#[test]
fn classes_of_other_loaders_come_and_go() {
    let mut jvm = Jvm::without_class_path("root=app.Program::run");
    jvm.load("java/lang/Thread");
    for class in ALL {
        jvm.load_by(class, LoaderKind::Other);
    }
    jvm.call(RUN);
    let id = jvm.id("app/Helper.help(I)V");
    assert!(jvm.first.contains(&id));
    // A second class of the name has the same plan.
    jvm.load_by("app/Helper", LoaderKind::Other);
    assert_eq!(jvm.id("app/Helper.help(I)V"), id);
    jvm.engine.unloaded(b"app/Helper");
    assert!(jvm.engine.plan(b"app/Helper").is_some());
    jvm.engine.unloaded(b"app/Helper");
    assert!(jvm.engine.plan(b"app/Helper").is_none());
    jvm.live.clear();
    jvm.first.clear();
    jvm.load_by("app/Helper", LoaderKind::Other);
    // It is known from before; its line was written, and it tells its first call again.
    assert!(
        jvm.engine.plan(b"app/Helper").unwrap().plan.methods.iter().any(|method| method.id == id)
    );
    assert!(!jvm.has("app/Helper.help(I)V") && jvm.first.contains(&id));
    for name in ["app/Gone", "app/Deep", "java/lang/Thread", "app/Deep"] {
        jvm.engine.unloaded(name.as_bytes());
    }
}

#[test]
fn further_classes_of_a_name_are_followed_up_to_a_bound() {
    for options in ["root=app.Program::run", "root=app.Program::run,scheme=total"] {
        let is_total = options.ends_with("total");
        let mut jvm = Jvm::without_class_path(options);
        jvm.load("java/lang/Thread");
        for class in ALL {
            jvm.load_by(class, LoaderKind::Other);
        }
        let helper = Classes::get().bytes("app/Helper").unwrap();
        let at = helper.windows(4).position(|name| name == b"help").unwrap();
        for version in 0..World::FILES {
            assert!(!jvm.notes().contains("versions"), "{version}: {}", jvm.notes());
            let mut other = helper.clone();
            other[at..at + 4].copy_from_slice(format!("he{version:02}").as_bytes());
            jvm.changed.insert("app/Helper".to_owned(), other);
            jvm.load_by("app/Helper", LoaderKind::Other);
        }
        assert_eq!(jvm.has("app/Helper.he07(I)V"), is_total);
        assert!(!jvm.has("app/Helper.he63(I)V"));
        // Nothing is planned in the class so far, but in total.
        if !is_total {
            assert!(!jvm.notes().contains("versions"));
            jvm.call(RUN);
        }
        jvm.load_by("app/Helper", LoaderKind::Other);
        let notes = jvm.notes();
        let told = notes.matches("app.Helper was loaded in more than 64 versions").count();
        assert_eq!(told, 1, "{notes}");
        jvm.end();
    }
}

#[test]
fn what_was_loaded_elsewhere_before_is_asked_for() {
    let mut jvm = Jvm::without_class_path("root=app.Program::run");
    jvm.loaded_before(&ALL, LoaderKind::Other);
    assert_eq!(jvm.needed.len(), 4);
    assert!(jvm.has(RUN));
    jvm.call(RUN);
    assert!(jvm.has("app/Helper.help(I)V"));
}

#[test]
fn a_root_that_another_root_reaches_is_a_root() {
    const ROOTS: [&str; 3] = ["app.Helper::help", "app.Program::own", "app.Program::run"];
    fn attached(how: &str, options: &str) -> Jvm {
        match how {
            "before, by the class path" => {
                let mut jvm = Jvm::new(options);
                jvm.loaded_before(&ALL, LoaderKind::ClassPath);
                jvm
            }
            "before, by another loader" => {
                let mut jvm = Jvm::without_class_path(options);
                jvm.loaded_before(&ALL, LoaderKind::Other);
                jvm
            }
            _ => {
                let mut jvm = Jvm::new(options);
                ALL.iter().for_each(|class| jvm.load(class));
                jvm
            }
        }
    }
    let ways = ["before, by the class path", "before, by another loader", "after"];
    for (how, scheme) in
        ways.iter().flat_map(|how| ["lazy", "eager", "total"].map(|scheme| (how, scheme)))
    {
        let jvm = attached(how, &format!("root={},scheme={scheme}", ROOTS.join(";")));
        let live = jvm.lines.iter().filter_map(|line| match line {
            MethodsFileLine::Root(root) if root.state == RootState::Live => root.method.clone(),
            _ => None,
        });
        let mut live: Vec<String> = live.collect();
        live.sort();
        assert_eq!(live.len(), ROOTS.len(), "{how}, {scheme}: {live:?}");
        assert!(live.iter().zip(ROOTS).all(|(live, root)| live.starts_with(root)), "{live:?}");
        let kinds = |class: &[u8]| jvm.engine.plan(class).unwrap().plan.methods.clone();
        let roots = [kinds(b"app/Program"), kinds(b"app/Helper")].concat();
        let roots = roots.iter().filter(|method| method.kind == ProbeKind::Root).count();
        assert_eq!(roots, ROOTS.len(), "{how}, {scheme}");
    }
}

#[test]
fn the_jdk_is_no_program() {
    let mut jvm = Jvm::new("root=java.util.ArrayList::add;java.lang.String::length");
    jvm.load("java/util/ArrayList");
    assert!(jvm.live.is_empty());
    assert!(
        jvm.notes().contains("java.util.ArrayList::add(Ljava/lang/Object;")
            || jvm.notes().contains("--scheme jdk")
    );
    let mut jvm = Jvm::new("root=java.util.ArrayList::add;java.lang.String::length,include-jdk");
    jvm.load("java/util/ArrayList");
    jvm.load("java/lang/String");
    assert!(jvm.has("java/util/ArrayList.add(Ljava/lang/Object;)Z"));
    assert!(!jvm.engine.plan(b"java/util/ArrayList").unwrap().plan.hand_offs);
    assert!(jvm.engine.plan(b"java/lang/String").is_none());
    assert!(jvm.notes().contains("is what the recording itself runs on"), "{}", jvm.notes());
}

#[test]
fn a_class_without_the_root_is_said_at_once() {
    let unmatched = |jvm: &Jvm| -> Vec<String> {
        let of = |line: &MethodsFileLine| {
            if let MethodsFileLine::Root(root) = line { root.unmatched.clone() } else { None }
        };
        jvm.lines.iter().filter_map(of).collect()
    };
    let options =
        "root=app.Program::rum;app.Program.nosuch;app.Task::run;app.**::nosuch;app.Program$Part";
    for is_before in [true, false] {
        let mut jvm = Jvm::new(options);
        match is_before {
            true => jvm.loaded_before(&["app/Program", "app/Helper"], LoaderKind::ClassPath),
            false => ["app/Program", "app/Helper", "app/Program"]
                .iter()
                .for_each(|class| jvm.load(class)),
        }
        let said = unmatched(&jvm);
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(
            said[0].starts_with(
                "--root app.Program::rum: app.Program is loaded and has no such method; \
                 did you mean app.Program::run"
            ),
            "{said:?}"
        );
        assert!(
            said[1].contains("--root app.Program.nosuch: ")
                && said[1].contains("no such method; it has getField, main, own, run"),
            "{said:?}"
        );
        jvm.end();
        assert!(
            !jvm.notes().contains("::rum") && jvm.notes().contains("app.Task::run"),
            "{}",
            jvm.notes()
        );
    }
    // Without a class path it may be a class.
    let mut jvm = Jvm::without_class_path("root=app.Program.Part,root=app.Shape::area");
    jvm.loaded_before(&["app/Program"], LoaderKind::Other);
    assert_eq!(unmatched(&jvm), [""; 0]);
}

#[test]
fn roots_that_never_came() {
    let mut jvm = Jvm::new("root=app.Progam::run;app.Task::run;app.Shape;@Tmied");
    jvm.load("app/Program");
    jvm.end();
    let notes = jvm.notes();
    assert!(
        notes.contains("app.Progam::run matches nothing; did you mean app.Program::run?"),
        "{notes}"
    );
    assert!(
        notes.contains("the root app.Task::run was not found: app.Task was not loaded"),
        "{notes}"
    );
    assert!(notes.contains("only abstract or native methods"), "{notes}");
    assert!(notes.contains("the root @Tmied was not found"), "{notes}");
    // What comes after the end has no effect.
    jvm.load("app/Task");
    assert!(jvm.engine.plan(b"app/Program").is_none());
    assert!(jvm.engine.end().lines.is_empty());
}

#[test]
fn ids_outlive_sessions() {
    let mut ids = IdTable::default();
    let mut before = None;
    for session in 0..10 {
        let mut jvm = Jvm::again("root=app.Program::run", ids);
        jvm.loaded_before(&["java/lang/Thread"], LoaderKind::Jdk);
        jvm.loaded_before(&ALL, LoaderKind::ClassPath);
        jvm.call(RUN);
        let live = jvm.live.clone();
        assert_eq!(before.get_or_insert_with(|| live.clone()), &live, "session {session}");
        jvm.end();
        ids = jvm.engine.into_ids();
        assert_eq!(ids.len(), live.len());
    }
}

#[test]
fn ids_come_to_an_end() {
    let mut ids = IdTable::default();
    for at in 0..IdTable::LIMIT {
        assert_eq!(ids.id(&key(&at.to_string())).unwrap().get(), at);
    }
    assert_eq!(ids.id(&key("more")), None);
    assert_eq!(ids.id(&key("7")).unwrap().get(), 7);
    let mut jvm = Jvm::again("root=app.Program::run", ids);
    jvm.load("app/Program");
    assert!(jvm.live.is_empty() && jvm.engine.skipped_methods() > 0);
    jvm.end();
    assert!(jvm.notes().contains("narrow --include"), "{}", jvm.notes());
}

fn key(name: &str) -> MethodKey {
    MethodKey { class: "a/B".to_owned(), name: name.to_owned(), descriptor: "()V".to_owned() }
}

#[test]
fn no_bytes_do_harm() {
    let bytes = Classes::get().bytes("app/Program").unwrap();
    for scheme in ["lazy", "eager", "total"] {
        for root in ["app.**", "@Timed"] {
            let mut jvm = Jvm::without_class_path(&format!("root={root},scheme={scheme}"));
            for end in (0..bytes.len()).step_by(7) {
                let mut damaged = bytes.clone();
                damaged[end] ^= 0x55;
                for (name, bytes) in
                    [("app/Program", &bytes[..end]), ("app/Program", &damaged), ("", &damaged)]
                {
                    let load =
                        LoadingClass { name: name.as_bytes(), origin: LoaderKind::Other, bytes };
                    jvm.engine.class_loading(&load);
                    jvm.engine.class_file(name.as_bytes(), Some(bytes), LoaderKind::Other);
                    jvm.engine.unloaded(name.as_bytes());
                }
            }
            let odd: [&[u8]; 5] =
                [b"\xff\xfe", b"[", b"a/B+0x12", b"$$Lambda/", b"java/lang/JfathomProbe"];
            for name in odd {
                jvm.engine.loaded_before(&[PreloadedClass {
                    name,
                    origin: LoaderKind::Other,
                    initialised: false,
                }]);
                jvm.engine.hidden_class(name);
                jvm.engine.reflected(name, name, name);
                assert!(jvm.engine.plan(name).is_none());
            }
        }
    }
}
