//! What each event leads to, on small programs.

use crate::support::{Disk, Memory};
use jfathom_plan::MethodKey;
use jfathom_reachability::{
    Answer, ClassLoad, ClassMethods, ClassSource, Event, Expander, ExpansionOptions, Lookahead,
    MethodIx, NewMethods, Scheme, World,
};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// `java.base`, and the compiled classes of `tests/java/grow`.
struct Program {
    jdk: Disk,
    classes: Memory,
}

static PROGRAM: LazyLock<Program> = LazyLock::new(|| {
    let temp = tempfile::tempdir().expect("a folder");
    crate::support::compile("grow", temp.path());
    let mut classes = BTreeMap::new();
    for entry in std::fs::read_dir(temp.path().join("grow")).expect("a folder").flatten() {
        let name = format!("grow/{}", entry.file_name().to_string_lossy());
        classes.insert(name, std::fs::read(entry.path()).expect("a class file"));
    }
    Program {
        jdk: Disk::default().module(&jfathom_testkit::jdk::main().home, "java.base"),
        classes: Memory(vec![classes]),
    }
});

impl ClassSource for Program {
    fn read(
        &self,
        container: usize,
        entry: usize,
        name: &str,
    ) -> Result<Cow<'_, [u8]>, jfathom_plan::Problem> {
        if container == 0 {
            self.jdk.read(0, entry, name)
        } else {
            self.classes.read(0, entry, name)
        }
    }
}

impl Program {
    fn bytes(&self, class: &str) -> &[u8] {
        &self.classes.0[0][&format!("grow/{class}.class")]
    }

    /// A world of `java.base` alone, or of all.
    fn world(&self, with_program: bool) -> World<'_> {
        let mut containers = self.jdk.containers.clone();
        containers.extend(with_program.then(|| self.classes.container(0, false)));
        World::new(self, containers, 17)
    }
}

/// An expander with a root in `Grow`, that has loaded the JDK's classes of these tests.
fn expander(expansion: &ExpansionOptions, root: (&str, &str)) -> Expander<'static> {
    let mut expander = Expander::new(PROGRAM.world(true), expansion);
    expander.add_root(&key(root));
    for class in ["Object", "Thread", "Runnable", "Comparable", "String"] {
        load(&mut expander, &format!("java/lang/{class}"));
    }
    expander
}

fn key(root: (&str, &str)) -> MethodKey {
    MethodKey { class: "grow/Grow".into(), name: root.0.into(), descriptor: root.1.into() }
}

const SUM: (&str, &str) = ("root", "(Lgrow/Shape;)I");

fn scheme(scheme: Scheme) -> ExpansionOptions {
    ExpansionOptions { scheme, ahead: Lookahead::NONE, ..ExpansionOptions::default() }
}

fn load(expander: &mut Expander<'_>, class: &str) -> Answer {
    expander.handle(Event::ClassLoaded(ClassLoad::named(class.as_bytes())))
}

fn names(expander: &Expander<'_>, methods: &[MethodIx]) -> Vec<String> {
    methods
        .iter()
        .map(|&method| expander.world().key(method))
        .map(|key| format!("{}.{}", key.class, key.name))
        .collect()
}

/// Methods that an answer instruments: in the class being loaded, and in other classes.
fn instrumented(expander: &Expander<'_>, answer: Answer) -> (Vec<String>, Vec<String>) {
    let Answer::Instrument(NewMethods { at_load, retransform }) = answer else {
        return (Vec::new(), Vec::new());
    };
    let of = |them: &[ClassMethods]| {
        them.iter().flat_map(|class| names(expander, &class.methods)).collect()
    };
    (of(at_load.as_slice()), of(&retransform))
}

fn loaded(expander: &mut Expander<'_>, class: &str) -> (Vec<String>, Vec<String>) {
    let answer = load(expander, class);
    instrumented(expander, answer)
}

fn find(expander: &Expander<'_>, class: &str, name: &str, descriptor: &str) -> MethodIx {
    expander.world().loaded_method(class, name, descriptor).expect("a method of a loaded class")
}

fn called(expander: &mut Expander<'_>, class: &str, name: &str, descriptor: &str) -> Vec<String> {
    let method = find(expander, class, name, descriptor);
    let answer = expander.handle(Event::FirstCall(method));
    let (at_load, retransform) = instrumented(expander, answer);
    assert!(at_load.is_empty());
    retransform
}

#[test]
fn lazily_first_calls_lead_on() {
    let mut at = expander(&scheme(Scheme::Lazy), SUM);
    assert_eq!(loaded(&mut at, "grow/Grow"), (vec!["grow/Grow.root".into()], vec![]));
    assert_eq!(
        loaded(&mut at, "grow/Circle"),
        (vec!["grow/Circle.<init>".into()], vec![]),
        "nothing names it"
    );
    assert_eq!(
        called(&mut at, "grow/Grow", "root", SUM.1),
        ["grow/Grow.measure", "grow/Grow.later"]
    );
    assert_eq!(called(&mut at, "grow/Grow", "root", SUM.1), [""; 0], "once");
    assert_eq!(called(&mut at, "grow/Grow", "measure", SUM.1), ["grow/Circle.area"]);
    assert_eq!(loaded(&mut at, "grow/Disc").0, ["grow/Disc.<init>", "grow/Disc.area"]);
    assert_eq!(called(&mut at, "grow/Grow", "later", "()I"), [""; 0]);
    assert_eq!(loaded(&mut at, "grow/Other"), (vec!["grow/Other.make".into()], vec![]));
    assert_eq!(called(&mut at, "grow/Other", "make", "()Lgrow/Shape;"), [""; 0]);
    assert_eq!(
        loaded(&mut at, "grow/Square").0,
        ["grow/Square.<init>", "grow/Square.area", "grow/Square.<clinit>"]
    );
    assert_eq!(called(&mut at, "grow/Square", "<clinit>", "()V"), ["grow/Square.size"]);
    let totals = at.totals();
    assert_eq!(
        (totals.retransformations, totals.batches, totals.at_load, totals.most_retransformed),
        (3, 3, 5, 1)
    );
    assert_eq!(totals.chosen, at.chosen().count());
}

#[test]
fn eagerly_all_that_is_loaded_comes_at_once() {
    let mut at = expander(&scheme(Scheme::Eager), SUM);
    assert_eq!(loaded(&mut at, "grow/Circle"), (vec![], vec![]));
    let (at_load, retransform) = loaded(&mut at, "grow/Grow");
    assert_eq!(at_load, ["grow/Grow.root", "grow/Grow.measure", "grow/Grow.later"]);
    assert_eq!(retransform, ["grow/Circle.area", "grow/Circle.radius", "grow/Circle.twice"]);
    let (at_load, retransform) = loaded(&mut at, "grow/Square");
    assert_eq!(
        at_load,
        ["grow/Square.<init>", "grow/Square.size", "grow/Square.area", "grow/Square.<clinit>"],
        "nothing names it yet"
    );
    assert!(retransform.is_empty());
    assert_eq!(loaded(&mut at, "grow/Other"), (vec!["grow/Other.make".into()], vec![]));
    assert_eq!(called(&mut at, "grow/Other", "make", "()Lgrow/Shape;"), [""; 0]);
}

#[test]
fn ahead_of_calls_goes_what_the_class_calls_itself() {
    let ahead = Lookahead { own_class: true, ..Lookahead::NONE };
    let mut at = expander(&ExpansionOptions { ahead, ..ExpansionOptions::default() }, SUM);
    assert_eq!(
        loaded(&mut at, "grow/Grow").0,
        ["grow/Grow.root", "grow/Grow.measure", "grow/Grow.later"]
    );
    load(&mut at, "grow/Circle");
    called(&mut at, "grow/Grow", "root", SUM.1);
    let circle = ["grow/Circle.area", "grow/Circle.radius", "grow/Circle.twice"];
    assert_eq!(called(&mut at, "grow/Grow", "measure", SUM.1), circle);
}

#[test]
fn a_retransformed_class_gets_what_can_be_called() {
    for (ahead, expected) in [
        (Lookahead { possible_from: 1, ..Lookahead::NONE }, &["area", "radius", "twice"][..]),
        (Lookahead { possible_from: 2, ..Lookahead::NONE }, &["area"][..]),
        (Lookahead { whole_from: 1, ..Lookahead::NONE }, &["area", "radius", "twice"][..]),
    ] {
        let mut at = expander(&ExpansionOptions { ahead, ..ExpansionOptions::default() }, SUM);
        load(&mut at, "grow/Grow");
        load(&mut at, "grow/Circle");
        called(&mut at, "grow/Grow", "root", SUM.1);
        let expected: Vec<String> =
            expected.iter().map(|name| format!("grow/Circle.{name}")).collect();
        let mut got = called(&mut at, "grow/Grow", "measure", SUM.1);
        got.retain(|name| name.starts_with("grow/Circle"));
        assert_eq!(got, expected, "{ahead:?}");
        assert_eq!(called(&mut at, "grow/Circle", "area", "()I").is_empty(), got.len() > 1);
    }
}

#[test]
fn initialisers_that_have_run_are_left_alone() {
    let mut at = expander(&scheme(Scheme::Eager), SUM);
    load(&mut at, "grow/Grow");
    load(&mut at, "grow/Other");
    let answer = at.handle(Event::ClassLoaded(ClassLoad {
        initialised: true,
        ..ClassLoad::named(b"grow/Square")
    }));
    assert_eq!(instrumented(&at, answer).0, ["grow/Square.<init>", "grow/Square.area"]);
}

#[test]
fn lambdas_lead_to_their_targets_when_their_interface_is_called() {
    let mut at = expander(&scheme(Scheme::Lazy), ("lambda", "()I"));
    load(&mut at, "grow/Grow");
    assert_eq!(called(&mut at, "grow/Grow", "lambda", "()I"), ["grow/Grow.use"]);
    let answer = load(&mut at, "java/util/function/IntSupplier");
    assert_eq!(answer, Answer::Idle);
    let use_ = ("use", "(Ljava/util/function/IntSupplier;)I");
    let target = called(&mut at, "grow/Grow", use_.0, use_.1);
    assert_eq!(target.len(), 1);
    assert!(target[0].starts_with("grow/Grow.lambda$lambda$"), "{target:?}");
}

#[test]
fn lambdas_that_were_made_before_count_when_the_jvm_shows_them() {
    let use_ = ("use", "(Ljava/util/function/IntSupplier;)I");
    let mut at = expander(&scheme(Scheme::Lazy), use_);
    load(&mut at, "java/util/function/IntSupplier");
    load(&mut at, "grow/Grow");
    assert_eq!(called(&mut at, "grow/Grow", use_.0, use_.1), [""; 0]);
    for name in [
        &b"grow/Grow$$Lambda$14+0x0000000800c03000"[..],
        b"java/lang/invoke/LambdaForm$MH+0x1",
        b"x$$Lambda",
    ] {
        let answer = at.handle(Event::HiddenClass(name));
        let (_, retransform) = instrumented(&at, answer);
        assert_eq!(retransform.len(), usize::from(name.starts_with(b"grow")), "{retransform:?}");
    }
}

#[test]
fn code_of_the_jdk_is_walked_through() {
    let mut at = expander(&scheme(Scheme::Lazy), ("sort", "(Ljava/util/List;)V"));
    for class in [
        "java/util/ArrayList",
        "java/util/Arrays",
        "java/util/ComparableTimSort",
        "grow/Item",
        "grow/Grow",
    ] {
        load(&mut at, class);
    }
    let got = called(&mut at, "grow/Grow", "sort", "(Ljava/util/List;)V");
    // The bridge, which the JDK calls.
    assert_eq!(got, ["grow/Item.compareTo"]);
    assert_eq!(
        called(&mut at, "grow/Item", "compareTo", "(Ljava/lang/Object;)I"),
        ["grow/Item.compareTo"]
    );
}

#[test]
fn methods_of_the_jdk_are_chosen_where_asked() {
    let expansion = ExpansionOptions { jdk_methods: true, ..scheme(Scheme::Lazy) };
    let mut at = expander(&expansion, ("sort", "(Ljava/util/List;)V"));
    for class in ["java/util/ArrayList", "grow/Item", "grow/Grow"] {
        load(&mut at, class);
    }
    let got = called(&mut at, "grow/Grow", "sort", "(Ljava/util/List;)V");
    assert_eq!(got, ["java/util/ArrayList.sort"]);
}

#[test]
fn threads_run_what_they_are_started_for() {
    let mut at = expander(&scheme(Scheme::Lazy), ("spawn", "()V"));
    load(&mut at, "grow/Grow");
    called(&mut at, "grow/Grow", "spawn", "()V");
    assert_eq!(loaded(&mut at, "grow/Worker").0, ["grow/Worker.<init>", "grow/Worker.run"]);
}

#[test]
fn a_class_that_nothing_names_is_made_by_its_name() {
    let mut at = expander(&scheme(Scheme::Lazy), SUM);
    assert_eq!(loaded(&mut at, "grow/Plugin").0, [""; 0], "before the root is there");
    let mut at = expander(&scheme(Scheme::Lazy), SUM);
    load(&mut at, "grow/Grow");
    assert_eq!(loaded(&mut at, "grow/Plugin").0, ["grow/Plugin.<init>", "grow/Plugin.<clinit>"]);
}

#[test]
fn what_hooks_report_is_reached() {
    let mut at = expander(&scheme(Scheme::Lazy), SUM);
    load(&mut at, "grow/Grow");
    load(&mut at, "grow/Disc");
    let (static_one, virtual_one) =
        (find(&at, "grow/Grow", "reflected", "()V"), find(&at, "grow/Shape", "area", "()I"));
    let answer = at.handle(Event::Reflected(static_one));
    assert_eq!(instrumented(&at, answer).1, ["grow/Grow.reflected"]);
    let answer = at.handle(Event::Reflected(virtual_one));
    // `Circle` is loaded with `Disc`. Its method waits until its own load is reported.
    assert_eq!(instrumented(&at, answer).1, ["grow/Disc.area"]);
    assert!(loaded(&mut at, "grow/Circle").0.contains(&"grow/Circle.area".to_owned()));
}

#[test]
fn what_is_refused_is_walked_through() {
    let mut at = expander(&scheme(Scheme::Lazy), SUM);
    load(&mut at, "grow/Grow");
    let root = find(&at, "grow/Grow", "root", SUM.1);
    let answer = at.handle(Event::Refused(root));
    assert_eq!(instrumented(&at, answer).1, ["grow/Grow.measure", "grow/Grow.later"]);
    // Refused before it is reached.
    load(&mut at, "grow/Other");
    let make = find(&at, "grow/Other", "make", "()Lgrow/Shape;");
    assert_eq!(at.handle(Event::Refused(make)), Answer::Idle);
    assert_eq!(called(&mut at, "grow/Grow", "later", "()I"), [""; 0]);
    assert_eq!(
        loaded(&mut at, "grow/Square").0,
        ["grow/Square.<init>", "grow/Square.area", "grow/Square.<clinit>"]
    );
    assert!(!at.is_chosen(make));
}

#[test]
fn copies_of_a_class_share_what_is_chosen_until_the_last_is_gone() {
    let mut at = expander(&scheme(Scheme::Lazy), SUM);
    load(&mut at, "grow/Grow");
    assert_eq!(loaded(&mut at, "grow/Grow").0, ["grow/Grow.root"], "a second loader's");
    assert_eq!(at.handle(Event::ClassUnloaded(b"grow/Grow")), Answer::Idle);
    assert_eq!(called(&mut at, "grow/Grow", "root", SUM.1).len(), 2, "one is left");
    at.handle(Event::ClassUnloaded(b"grow/Grow"));
    assert_eq!(at.handle(Event::ClassUnloaded(b"grow/Grow")), Answer::Idle, "once too often");
    assert_eq!(loaded(&mut at, "grow/Grow").0.len(), 3, "all that was chosen, at once");
}

#[test]
fn class_files_come_before_or_after_their_supertypes() {
    let mut at = Expander::new(PROGRAM.world(false), &scheme(Scheme::Lazy));
    at.add_root(&key(SUM));
    let files = ["Disc", "Circle", "Shape", "Grow"]
        .map(|name| (format!("grow/{name}"), PROGRAM.bytes(name)));
    let hook = |at: &mut Expander<'_>, which: usize| {
        let (name, bytes) = &files[which];
        let load = ClassLoad { bytes: Some(bytes), ..ClassLoad::named(name.as_bytes()) };
        at.handle(Event::ClassLoaded(load))
    };
    hook(&mut at, 3);
    let root = find(&at, "grow/Grow", SUM.0, SUM.1);
    at.handle(Event::FirstCall(root));
    let measure = find(&at, "grow/Grow", "measure", SUM.1);
    assert_eq!(at.handle(Event::FirstCall(measure)), Answer::Idle);
    // A JVM's load hook reports the subclass first. Nothing names it, and its supertypes are not
    // known.
    let answer = hook(&mut at, 0);
    assert_eq!(instrumented(&at, answer).0, ["grow/Disc.<init>"]);
    assert_eq!(at.poll(), Answer::NeedClass(b"grow/Circle".to_vec()));
    assert_eq!(at.handle(Event::ClassMissing(b"grow/Circle")), Answer::Idle);
    let answer = hook(&mut at, 1);
    assert_eq!(instrumented(&at, answer).0, ["grow/Circle.<init>"]);
    assert_eq!(at.poll(), Answer::NeedClass(b"grow/Shape".to_vec()));
    let answer = at.handle(Event::ClassFile { bytes: files[2].1, program: true });
    assert_eq!(answer, Answer::Idle, "its load was not reported");
    let answer = hook(&mut at, 2);
    assert_eq!(
        instrumented(&at, answer),
        (vec![], vec!["grow/Disc.area".to_owned(), "grow/Circle.area".to_owned()])
    );
    // Gone and loaded again, as another loader's: what waited for it is there again.
    for class in ["grow/Disc", "grow/Circle", "grow/Shape"] {
        at.handle(Event::ClassUnloaded(class.as_bytes()));
    }
    hook(&mut at, 2);
    let answer = hook(&mut at, 1);
    assert!(instrumented(&at, answer).0.contains(&"grow/Circle.area".to_owned()));
    let answer = hook(&mut at, 0);
    assert!(instrumented(&at, answer).0.contains(&"grow/Disc.area".to_owned()));
}

#[test]
fn a_class_that_was_told_by_name_alone_is_asked_for() {
    let mut at = Expander::new(PROGRAM.world(false), &scheme(Scheme::Lazy));
    at.add_root(&key(SUM));
    assert_eq!(load(&mut at, "grow/Grow"), Answer::NeedClass(b"grow/Grow".to_vec()));
    assert_eq!(load(&mut at, "grow/Grow"), Answer::Idle, "asked once");
    let answer = at.handle(Event::ClassFile { bytes: PROGRAM.bytes("Grow"), program: true });
    assert_eq!(instrumented(&at, answer).0, ["grow/Grow.root"]);
}

#[test]
fn what_cannot_be_used_is_counted() {
    let mut at = expander(&scheme(Scheme::Lazy), SUM);
    load(&mut at, "grow/Grow");
    let load = |bytes| {
        Event::ClassLoaded(ClassLoad { bytes: Some(bytes), ..ClassLoad::named(b"grow/Grow") })
    };
    assert_eq!(at.handle(load(b"no class file")), Answer::Idle);
    let other = crate::support::bare_class(0x21, "grow/Grow", "java/lang/Object", &[]);
    let answer = at.handle(load(&other));
    assert_eq!(instrumented(&at, answer).0, ["grow/Grow.root"], "nothing is taken away");
    let circle = crate::support::bare_class(0x21, "grow/Self", "grow/Self", &[]);
    at.handle(load(&circle));
    assert_eq!((at.totals().unreadable, at.totals().versions.grown), (1, 0));
    assert_eq!(at.world().notices().len(), 1, "{:?}", at.world().notices());
}

#[test]
fn a_class_has_a_bounded_number_of_class_files() {
    let mut at = expander(&scheme(Scheme::Lazy), SUM);
    let most = World::FILES;
    for version in 0..most + 3 {
        let interface = format!("grow/Version{version}");
        let bytes =
            crate::support::bare_class(0x21, "grow/Many", "java/lang/Object", &[&interface]);
        for _ in 0..2 {
            let load = ClassLoad { bytes: Some(&bytes), ..ClassLoad::named(b"grow/Many") };
            at.handle(Event::ClassLoaded(load));
        }
    }
    let versions = at.totals().versions;
    assert_eq!((versions.grown, versions.left_out), (most - 1, 6));
}

#[test]
fn an_expander_can_go_from_thread_to_thread() {
    fn is_send<T: Send>() {}
    is_send::<Expander<'_>>();
}
