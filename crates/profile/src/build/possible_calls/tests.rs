use super::*;
use jfathom_plan::{
    ClassCalls, Digest, IdRange, InstrumentedMethod, LineRange, Manifest, ManifestClass, Placement,
};

/// A drawn program: what its classes call.
#[derive(Default)]
pub(crate) struct Program {
    classes: Vec<ManifestClass>,
    next_id: u32,
}

impl Program {
    /// Adds a class below others.
    pub(crate) fn class(&mut self, name: &str, super_class: Option<&str>, interfaces: &[&str]) {
        let calls = ClassCalls {
            super_class: super_class.map(str::to_owned),
            interfaces: interfaces.iter().map(|name| (*name).to_owned()).collect(),
            ..ClassCalls::default()
        };
        let name = name.to_owned();
        self.classes.push(ManifestClass { name, source: None, methods: Vec::new(), calls });
    }

    /// Adds a method of the last class that calls those of `sites`, as `class.name`.
    pub(crate) fn hidden(&mut self, name: &str, traits: CallTraits, sites: &[&str]) {
        let mut sites: Vec<NamedMethod> = sites.iter().map(|site| named(site)).collect();
        sites.sort_unstable();
        let class = self.classes.last_mut().expect("a class");
        class.calls.methods.push(MethodCalls {
            signature: signature((name, "()V")),
            traits,
            sites,
        });
    }

    /// The same with probes; returns its id.
    pub(crate) fn method(&mut self, name: &str, traits: CallTraits, sites: &[&str]) -> u32 {
        self.hidden(name, traits, sites);
        self.row(name, None)
    }

    fn row(&mut self, name: &str, region: Option<LineRange>) -> u32 {
        self.next_id += 1;
        let method = InstrumentedMethod {
            id: MethodId::new(self.next_id).expect("few ids"),
            name: name.to_owned(),
            descriptor: "()V".to_owned(),
            line: None,
            digest: Digest::default(),
            root: false,
            trivial: false,
            waits: false,
            resumes: false,
            counted: false,
            region,
        };
        self.classes.last_mut().expect("a class").methods.push(method);
        self.next_id
    }

    /// A handle of a method stands in the last class.
    fn handle(&mut self, site: &str) {
        self.classes.last_mut().expect("a class").calls.handles.push(named(site));
    }

    pub(crate) fn names(&self) -> MethodNames {
        let manifest = Manifest {
            tool: String::new(),
            plan: Digest::default(),
            placement: Placement::default(),
            module: None,
            ids: IdRange { start: 0, len: 1_000 },
            has_roots: false,
            roots: Vec::new(),
            scheme: None,
            call_graph: None,
            classes: self.classes.clone(),
            skips: Vec::new(),
            skip_counts: Default::default(),
            interfaces: Vec::new(),
            unfollowed: Default::default(),
        };
        let mut names = MethodNames::default();
        names.add_manifest(&manifest);
        names
    }
}

fn named(site: &str) -> NamedMethod {
    let (class, name) = site.split_once('.').expect("class.name");
    NamedMethod::new(class_hash(class.as_bytes()), signature((name, "()V")))
}

const PLAIN: CallTraits = CallTraits(0);

fn way(names: &MethodNames, from: u32, to: u32) -> Option<CallWay> {
    let mut possible = PossibleCalls::new(names, |_| false).expect("there are calls");
    possible.way(MethodId::new(from).unwrap(), MethodId::new(to).unwrap())
}

#[test]
fn call_sites_lead_through_methods_without_probes() {
    let mut program = Program::default();
    program.class("A", None, &[]);
    let a = program.method("a", PLAIN, &["B.hidden"]);
    let b = program.method("b", PLAIN, &[]);
    program.class("B", None, &[]);
    program.hidden("hidden", PLAIN, &["B.hidden", "B.deep"]);
    program.hidden("deep", PLAIN, &["B.c"]);
    let c = program.method("c", PLAIN, &["A.b"]);
    let names = program.names();
    assert_eq!(way(&names, a, c), Some(CallWay::Site));
    assert_eq!(way(&names, c, b), Some(CallWay::Site));
    assert_eq!(way(&names, a, b), None, "c has probes");
    assert_eq!(way(&names, c, a), None);
    let mut off = PossibleCalls::new(&names, |id| id == c).unwrap();
    let through_c = off.way(MethodId::new(a).unwrap(), MethodId::new(b).unwrap());
    assert_eq!(through_c, Some(CallWay::Site));
    callers_are_those_with_a_way(&names, program.next_id);
    assert_eq!(way(&names, a, 99), Some(CallWay::Site), "nothing is known of it");
}

#[test]
fn the_hierarchy_tells_equal_signatures_apart() {
    let mut program = Program::default();
    program.class("Shape", None, &[]);
    let area = program.method("area", PLAIN, &[]);
    program.class("Circle", Some("Shape"), &[]);
    let of_circle = program.method("area", PLAIN, &[]);
    program.class("Land", None, &[]);
    let of_land = program.method("area", PLAIN, &[]);
    program.class("Measured", None, &["Sized"]);
    program.class("Plot", Some("Land"), &["Sized"]);
    program.hidden("other", PLAIN, &[]);
    program.class("Sized", None, &[]);
    program.hidden("filler", PLAIN, &[]);
    program.class("Main", None, &[]);
    let by_shape = program.method("byShape", PLAIN, &["Shape.area"]);
    let by_circle = program.method("byCircle", PLAIN, &["Circle.area"]);
    let by_sized = program.method("bySized", PLAIN, &["Sized.area"]);
    let names = program.names();
    let is = |from, to| way(&names, from, to).is_some();
    assert_eq!([area, of_circle, of_land].map(|to| is(by_shape, to)), [true, true, false]);
    assert_eq!([area, of_circle, of_land].map(|to| is(by_circle, to)), [true, true, false]);
    // A plot is both sized and land.
    assert_eq!([area, of_circle, of_land].map(|to| is(by_sized, to)), [false, false, true]);
}

#[test]
fn code_outside_enters_what_it_can_know() {
    let mut program = Program::default();
    program.class("Task", None, &["java/lang/Runnable"]);
    let run = program.method("run", PLAIN, &[]);
    let helper = program.method("helper", CallTraits::FIXED, &[]);
    program.class("Plain", None, &[]);
    let own = program.method("own", PLAIN, &[]);
    let initialiser = program.method("<clinit>", CallTraits::FIXED, &[]);
    let main = program.method("main", CallTraits::FIXED, &[]);
    let body = program.method("body", CallTraits::FIXED, &[]);
    program.handle("Plain.body");
    program.row("body:3-4", LineRange::new(3, 4));
    let outside = program.method("outside", CallTraits::OUTSIDE, &[]);
    let library = program.method("library", PLAIN, &["org/lib/Pool.submit"]);
    let reflects = program.method("reflects", CallTraits::REFLECTS, &[]);
    let closed = program.method("closed", PLAIN, &[]);
    let lambda = program.method("lambda", PLAIN, &["Shapes.visit"]);
    program.class("Shapes", None, &[]);
    program.hidden("filler", PLAIN, &[]);
    let names = program.names();
    let entered = |from| {
        [run, helper, own, initialiser, main, body].map(|to| way(&names, from, to).is_some())
    };
    assert_eq!(entered(outside), [true, false, false, true, true, true]);
    assert_eq!(entered(library), [true, false, false, true, true, true]);
    assert_eq!(entered(reflects), [true; 6]);
    assert_eq!(entered(closed), [false, false, false, true, false, false]);
    assert_eq!(entered(lambda), [false, false, false, true, false, true]);
    assert_eq!(way(&names, outside, run), Some(CallWay::Outside));
    callers_are_those_with_a_way(&names, program.next_id);
}

/// Callers among each three methods, some not known, beside the ways of each pair.
fn callers_are_those_with_a_way(names: &MethodNames, last: u32) {
    let mut possible = PossibleCalls::new(names, |_| false).unwrap();
    let id = |id| MethodId::new(id).unwrap();
    for first in 1..=last {
        let among = [first, first % last + 1, (first + 3) % (last + 2) + 1].map(id);
        let mut callers = Callers::default();
        callers.choose(&mut possible, among.into_iter());
        for callee in (1..=last + 1).map(id) {
            let mut expected = (Few::None, false);
            for caller in among {
                let Some(way) = possible.way(caller, callee) else { continue };
                expected.0.add(caller);
                expected.1 |= way == CallWay::Site;
            }
            assert_eq!(callers.of(&mut possible, callee), expected, "{among:?} {callee:?}");
        }
    }
}

#[test]
fn methods_of_objects_are_entered_by_code_outside() {
    let mut program = Program::default();
    program.class("A", None, &[]);
    let outside = program.method("a", CallTraits::OUTSIDE, &[]);
    let clone = program.method("finalize", PLAIN, &[]);
    let other = program.method("other", PLAIN, &["java/lang/Object.finalize"]);
    let names = program.names();
    assert_eq!(way(&names, outside, clone), Some(CallWay::Outside));
    assert_eq!(way(&names, other, clone), Some(CallWay::Site));
}

#[test]
fn a_region_is_entered_from_its_method() {
    let mut program = Program::default();
    program.class("A", None, &[]);
    let run = program.method("run", PLAIN, &["A.callee"]);
    let region = program.row("run:3-4", LineRange::new(3, 4));
    let callee = program.method("callee", PLAIN, &["A.run"]);
    program.hidden("bare", PLAIN, &["A.callee"]);
    let of_bare = program.row("bare:7-8", LineRange::new(7, 8));
    let calls_bare = program.method("callsBare", PLAIN, &["A.bare"]);
    let names = program.names();
    let is = |from, to| way(&names, from, to).is_some();
    assert!(is(run, region) && is(region, callee) && !is(callee, region));
    assert!(is(calls_bare, of_bare) && is(calls_bare, callee) && is(of_bare, callee));
    assert!(!is(run, of_bare));
    callers_are_those_with_a_way(&names, program.next_id);
}
