//! Expansion of generated programs, whose calls are known: whatever the order of events, nothing
//! that is called is missed.

use crate::support::{Disk, Memory};
use jfathom_plan::MethodKey;
use jfathom_reachability::{
    Answer, ClassLoad, ClassSource, Event, Expander, ExpansionOptions, Lookahead, MethodIx, Scheme,
    World,
};
use jfathom_testkit::Javac;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const CLASSES: usize = 14;
const METHODS: usize = 4;
const PROGRAMS: u64 = 6;
const RUNS: u64 = 12;

/// Numbers by a seed (Steele, Lea and Flood, OOPSLA 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % bound as u64) as usize
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Method {
    Static(usize, usize),
    Virtual(usize, usize),
    Constructor(usize),
    Initialiser(usize),
}

enum Call {
    Static(usize, usize),
    /// On a new object of the first class, by the second, which is above it or it.
    Virtual(usize, usize, usize),
}

/// A program: classes `C0` to `C13` of package `pN`, each with static methods `s0` to `s3`, some of
/// the virtual methods `v0` to `v3`, all of which `C0` has, and perhaps an initialiser.
struct Program {
    package: String,
    above: Vec<Option<usize>>,
    calls: BTreeMap<Method, Vec<Call>>,
}

impl Program {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let mut above = vec![None];
        above.extend((1..CLASSES).map(|class| (random.below(3) > 0).then(|| random.below(class))));
        let mut program = Self { package: format!("p{seed}"), above, calls: BTreeMap::new() };
        let mut declared = Vec::new();
        for class in 0..CLASSES {
            for number in 0..METHODS {
                declared.push(Method::Static(class, number));
                if program.above[class].is_none() || random.below(3) == 0 {
                    declared.push(Method::Virtual(class, number));
                }
            }
            declared.push(Method::Constructor(class));
            if random.below(2) == 0 {
                declared.push(Method::Initialiser(class));
            }
        }
        for method in declared {
            let count = if let Method::Static(..) | Method::Virtual(..) = method {
                random.below(4)
            } else {
                0
            };
            let mut calls = Vec::new();
            for _ in 0..count {
                let (class, number) = (random.below(CLASSES), random.below(METHODS));
                let line = program.line(class);
                calls.push(match random.below(2) {
                    0 => Call::Static(class, number),
                    _ => Call::Virtual(class, line[random.below(line.len())], number),
                });
            }
            program.calls.insert(method, calls);
        }
        // So that every class is made by somebody.
        let all = (0..CLASSES).map(|class| Call::Virtual(class, class, class % METHODS));
        program.calls.entry(Method::Static(0, 0)).or_default().extend(all);
        program
    }

    /// A class and those above it.
    fn line(&self, class: usize) -> Vec<usize> {
        std::iter::successors(Some(class), |&class| self.above[class]).collect()
    }

    fn source(&self) -> String {
        let mut text = format!("package {};\n", self.package);
        for class in 0..CLASSES {
            let above =
                self.above[class].map_or_else(|| "Object".to_owned(), |above| format!("C{above}"));
            writeln!(text, "class C{class} extends {above} {{").expect("a string takes all");
            for (method, calls) in &self.calls {
                let head = match *method {
                    Method::Static(of, number) if of == class => format!("static void s{number}()"),
                    Method::Virtual(of, number) if of == class => format!("void v{number}()"),
                    Method::Initialiser(of) if of == class => "static int made; static".to_owned(),
                    _ => continue,
                };
                let body: String = calls
                    .iter()
                    .map(|call| match call {
                        Call::Static(of, number) => format!("C{of}.s{number}(); "),
                        Call::Virtual(of, by, number) => {
                            format!("((C{by}) new C{of}()).v{number}(); ")
                        }
                    })
                    .collect();
                let set = if head.ends_with("static") { "made = 1;" } else { "" };
                writeln!(text, "{head} {{ {set}{body}}}").expect("a string takes all");
            }
            text.push_str("}\n");
        }
        text
    }

    fn class(&self, class: usize) -> String {
        format!("{}/C{class}", self.package)
    }

    fn key(&self, method: Method) -> MethodKey {
        let (class, name) = match method {
            Method::Static(class, number) => (class, format!("s{number}")),
            Method::Virtual(class, number) => (class, format!("v{number}")),
            Method::Constructor(class) => (class, "<init>".to_owned()),
            Method::Initialiser(class) => (class, "<clinit>".to_owned()),
        };
        MethodKey { class: self.class(class), name, descriptor: "()V".to_owned() }
    }
}

struct Programs {
    jdk: Disk,
    classes: Memory,
    programs: Vec<Program>,
}

impl ClassSource for Programs {
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

impl Programs {
    fn new() -> Self {
        let programs: Vec<Program> = (0..PROGRAMS).map(Program::new).collect();
        let temp = tempfile::tempdir().expect("a folder");
        let source = |program: &Program| {
            let file = temp.path().join(format!("{}.java", program.package));
            std::fs::write(&file, program.source()).expect("a file");
            file
        };
        let sources: Vec<_> = programs.iter().map(source).collect();
        Javac::release(17).compile(&sources, temp.path());
        let mut classes = BTreeMap::new();
        for program in &programs {
            for class in 0..CLASSES {
                let name = format!("{}.class", program.class(class));
                let bytes = std::fs::read(temp.path().join(&name)).expect("a class file");
                classes.insert(name, bytes);
            }
        }
        let jdk = Disk::default().module(&jfathom_testkit::jdk::main().home, "java.base");
        Self { jdk, classes: Memory(vec![classes]), programs }
    }

    fn expander(&self, expansion: &ExpansionOptions, program: &Program) -> Expander<'_> {
        let containers = vec![self.jdk.containers[0].clone(), self.classes.container(0, false)];
        let mut expander = Expander::new(World::new(self, containers, 17), expansion);
        expander.add_root(&program.key(Method::Static(0, 0)));
        expander
    }
}

const SCHEMES: [(Scheme, Lookahead); 4] = [
    (Scheme::Eager, Lookahead::NONE),
    (Scheme::Lazy, Lookahead::NONE),
    (
        Scheme::Lazy,
        Lookahead { own_class: true, possible_from: 2, whole_from: 0, possible_at_load: true },
    ),
    (
        Scheme::Lazy,
        Lookahead { own_class: false, possible_from: 1, whole_from: 3, possible_at_load: false },
    ),
];

fn expansion((scheme, ahead): (Scheme, Lookahead)) -> ExpansionOptions {
    ExpansionOptions { scheme, ahead, ..ExpansionOptions::default() }
}

/// What a driver has made of the answers.
#[derive(Default)]
struct Live(BTreeSet<MethodIx>);

impl Live {
    fn take(&mut self, answer: Answer) {
        let Answer::Instrument(delta) = answer else { return };
        for class in delta.at_load.into_iter().chain(delta.retransform) {
            self.0.extend(class.methods);
        }
    }
}

/// A run of a program in which each method does its calls the first time it is called.
struct Run<'p, 'e> {
    program: &'p Program,
    expander: &'e mut Expander<'p>,
    live: Live,
    loaded: BTreeSet<usize>,
    called: BTreeSet<Method>,
    random: Random,
}

impl Run<'_, '_> {
    fn load(&mut self, class: usize) {
        for class in self.program.line(class) {
            if self.loaded.insert(class) {
                let name = self.program.class(class);
                let answer =
                    self.expander.handle(Event::ClassLoaded(ClassLoad::named(name.as_bytes())));
                self.live.take(answer);
            }
        }
    }

    /// A class that somebody else loads.
    fn load_any(&mut self) {
        let class = self.random.below(4 * CLASSES);
        if class < CLASSES {
            self.load(class);
        }
    }

    fn initialise(&mut self, class: usize) {
        self.load(class);
        for class in self.program.line(class).into_iter().rev() {
            self.call(Method::Initialiser(class));
        }
    }

    fn call(&mut self, method: Method) {
        if !self.program.calls.contains_key(&method) || !self.called.insert(method) {
            return;
        }
        let key = self.program.key(method);
        let found = self.expander.world().loaded_method(&key.class, &key.name, &key.descriptor);
        let found = found.expect("a method of a loaded class");
        assert!(self.live.0.contains(&found), "{key} is called and not instrumented");
        assert!(self.expander.is_chosen(found));
        let answer = self.expander.handle(Event::FirstCall(found));
        self.live.take(answer);
        self.load_any();
        for call in &self.program.calls[&method] {
            match *call {
                Call::Static(class, number) => {
                    self.initialise(class);
                    self.call(Method::Static(class, number));
                }
                Call::Virtual(class, _, number) => {
                    self.initialise(class);
                    for class in self.program.line(class) {
                        self.call(Method::Constructor(class));
                    }
                    let line = self
                        .program
                        .line(class)
                        .into_iter()
                        .map(|class| Method::Virtual(class, number));
                    let target =
                        line.into_iter().find(|method| self.program.calls.contains_key(method));
                    self.call(target.expect("the topmost class has them all"));
                }
            }
        }
    }
}

/// The names of all that was chosen, after a run in an order that depends on the seed.
fn run(
    programs: &Programs,
    program: &Program,
    with: (Scheme, Lookahead),
    seed: u64,
) -> BTreeSet<String> {
    let mut expander = programs.expander(&expansion(with), program);
    let random = Random(seed);
    let (live, loaded, called) = (Live::default(), BTreeSet::new(), BTreeSet::new());
    let mut run = Run { program, expander: &mut expander, live, loaded, called, random };
    run.load_any();
    run.load(0);
    // It has run when the root is called.
    run.called.insert(Method::Initialiser(0));
    run.call(Method::Static(0, 0));
    for class in 0..CLASSES {
        run.load(class);
    }
    let live = run.live.0;
    let chosen: BTreeSet<MethodIx> = expander.chosen().collect();
    assert_eq!(live, chosen, "all classes are loaded, so the answers had all that is chosen");
    chosen.into_iter().map(|method| expander.world().key(method).to_string()).collect()
}

#[test]
fn whatever_the_order_what_is_called_is_live_and_eager_has_all_of_lazy() {
    let programs = Programs::new();
    for program in &programs.programs {
        let eager = run(&programs, program, SCHEMES[0], 0);
        for seed in 0..RUNS {
            assert_eq!(
                run(&programs, program, SCHEMES[0], seed),
                eager,
                "{} {seed}",
                program.package
            );
            for with in &SCHEMES[1..3] {
                let lazy = run(&programs, program, *with, seed);
                assert!(lazy.is_subset(&eager), "{with:?}: {:?}", lazy.difference(&eager));
            }
            run(&programs, program, SCHEMES[3], seed);
        }
        let asked = run(&programs, program, SCHEMES[1], 1).len();
        assert!(
            asked <= eager.len() && eager.len() < program.calls.len(),
            "some methods nobody calls"
        );
    }
}

/// Events in any order, of which some make no sense.
fn chaos(programs: &Programs, with: (Scheme, Lookahead), seed: u64) -> Vec<Answer> {
    let mut random = Random(seed);
    let program = &programs.programs[0];
    let mut expander = programs.expander(&expansion(with), program);
    let mut far = programs.expander(&expansion(with), program);
    for class in ["java/lang/Thread", "java/util/HashMap", "java/util/ArrayList"] {
        far.handle(Event::ClassLoaded(ClassLoad::named(class.as_bytes())));
    }
    // Also methods that the first world does not have, or not yet.
    let object = far.world().object();
    let known: Vec<MethodIx> =
        far.world().classes().flat_map(|class| far.world().methods_of(class)).collect();
    assert!(far.world().methods_of(object).count() < known.len());
    let mut answers = Vec::new();
    for _ in 0..400 {
        let name = match random.below(8) {
            0 => "java/lang/Runnable".to_owned(),
            1 => "no/Such".to_owned(),
            2 => String::new(),
            3 => "[I".to_owned(),
            _ => program.class(random.below(CLASSES)),
        };
        let method = known[random.below(known.len())];
        let method = match random.below(3) {
            0 => expander.chosen().nth(random.below(20)).unwrap_or(method),
            _ => method,
        };
        let mut bytes =
            programs.classes.0[0].get(&format!("{name}.class")).cloned().unwrap_or_default();
        if random.below(4) == 0 && !bytes.is_empty() {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        let name = name.as_bytes();
        let file = (random.below(2) == 0).then_some(bytes.as_slice());
        let program = random.below(4) > 0;
        answers.push(match random.below(9) {
            0..=2 => {
                let initialised = random.below(4) == 0;
                expander.handle(Event::ClassLoaded(ClassLoad {
                    name,
                    bytes: file,
                    in_containers: random.below(2) == 0,
                    program,
                    initialised,
                }))
            }
            3 => expander.handle(Event::ClassUnloaded(name)),
            4 => expander.handle(Event::ClassMissing(name)),
            5 => expander.handle(Event::ClassFile { bytes: &bytes, program }),
            6 => expander.handle(Event::HiddenClass(&[name, b"$$Lambda$1/0x1"].concat())),
            7 => expander.handle(Event::Reflected(method)),
            _ if random.below(4) == 0 => expander.handle(Event::Refused(method)),
            _ => expander.handle(Event::FirstCall(method)),
        });
        answers.push(expander.poll());
    }
    answers
}

#[test]
fn no_order_of_events_does_harm_and_the_same_gives_the_same() {
    let programs = Programs::new();
    let mut grown = 0;
    for with in SCHEMES {
        for seed in 0..10 {
            let answers = chaos(&programs, with, seed);
            grown +=
                answers.iter().filter(|answer| matches!(answer, Answer::Instrument(_))).count();
            assert!(answers == chaos(&programs, with, seed), "{with:?} {seed}");
        }
    }
    assert!(grown > 100, "{grown}");
}
