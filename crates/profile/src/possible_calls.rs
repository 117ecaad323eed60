//! Which method can call which without passing a method with probes, by the call sites of the class
//! files.
//!
//! Code without probes calls a method if it overrides one that is declared there, is a class
//! initialiser, or is found by a handle or by its name.

use std::collections::{HashMap, HashSet};

use jfathom_plan::{
    CallTraits, MethodCalls, MethodId, NamedMethod, Placement, class_hash, is_jdk, resumed_method,
    signature_hash,
};

use crate::MethodNames;

/// How one method can call another. A later one is less certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CallWay {
    /// By a call site of its own, or of a method without probes that one leads to.
    Site,
    /// Through code outside of what was rewritten, or by reflection.
    Outside,
}

/// What is known of the calls of a JVM's methods.
#[derive(Debug, Default)]
pub(crate) struct PossibleCalls<'a> {
    /// Names of superclass and interfaces, by [`class_hash`] of the known classes.
    types: HashMap<u32, Above>,
    /// By [`class_hash`]: the known classes below it, and itself.
    below: HashMap<u32, Vec<u32>>,
    codes: Vec<Code<'a>>,
    by_signature: HashMap<u32, Vec<u32>>,
    /// The code of each method with an id; of a region that of its method.
    by_id: HashMap<u32, u32>,
    regions: HashSet<u32>,
    resumptions: HashSet<u32>,
    is_live: bool,
    handles: Vec<NamedMethod>,
    /// The codes of roots: what is outside of the roots' call graph calls them.
    roots: Vec<u32>,
    /// By number of the code, of those that were asked for.
    reaches: HashMap<u32, Reach>,
    /// What code outside can enter, and what objects of lambdas can; none before it is needed.
    entered: Option<[Entered; 2]>,
}

#[derive(Debug, Default)]
struct Above {
    /// All types above the class, and the class.
    all: HashSet<u32>,
    /// Whether one of them, `java/lang/Object` excepted, is not known.
    has_unknown: bool,
}

/// A method's code.
#[derive(Debug)]
struct Code<'a> {
    class: u32,
    calls: &'a MethodCalls,
    /// Ids with which a call of it is recorded: its own, or those of its regions.
    ids: Vec<u32>,
}

/// What a method can call, through methods without probes as well.
#[derive(Clone, Debug, Default)]
struct Reach {
    ids: HashSet<u32>,
    /// Code that is not known.
    outside: bool,
    /// Methods of interfaces that lambdas implement.
    lambdas: bool,
    reflects: bool,
}

/// Ids that a kind of code without probes can enter.
type Entered = HashSet<u32>;

const OBJECT: &str = "java/lang/Object";
/// Methods of `java/lang/Object` that others override.
const OF_OBJECT: [(&str, &str); 5] = [
    ("equals", "(Ljava/lang/Object;)Z"),
    ("hashCode", "()I"),
    ("toString", "()Ljava/lang/String;"),
    ("clone", "()Ljava/lang/Object;"),
    ("finalize", "()V"),
];
/// Methods that the JVM or the JDK finds by their names.
const BY_NAME: [(&str, &str); 9] = [
    CLASS_INITIALISER,
    ("main", "([Ljava/lang/String;)V"),
    ("main", "()V"),
    ("readObject", "(Ljava/io/ObjectInputStream;)V"),
    ("writeObject", "(Ljava/io/ObjectOutputStream;)V"),
    ("readObjectNoData", "()V"),
    ("readResolve", "()Ljava/lang/Object;"),
    ("writeReplace", "()Ljava/lang/Object;"),
    ("premain", "(Ljava/lang/String;Ljava/lang/instrument/Instrumentation;)V"),
];
const CLASS_INITIALISER: (&str, &str) = ("<clinit>", "()V");

fn signature((name, descriptor): (&str, &str)) -> u32 {
    signature_hash(name.as_bytes(), descriptor.as_bytes())
}

impl<'a> PossibleCalls<'a> {
    /// What the manifests of a JVM say; none if they say nothing. The probes of methods that are
    /// off record nothing, as if there were none.
    pub fn new(names: &'a MethodNames, is_off: impl Fn(u32) -> bool) -> Option<Self> {
        let mut all = Self::default();
        let classes = || names.manifests().flat_map(|manifest| &manifest.classes);
        let mut direct: HashMap<u32, Vec<u32>> = HashMap::new();
        // In a live session the lines of one class are several.
        let mut places: HashMap<NamedMethod, u32> = HashMap::new();
        for class in classes() {
            let calls = &class.calls;
            let name = class_hash(class.name.as_bytes());
            if calls.methods.is_empty() {
                continue;
            }
            let above = calls.super_class.iter().chain(&calls.interfaces);
            direct.entry(name).or_default().extend(above.map(|above| class_hash(above.as_bytes())));
            all.handles.extend(&calls.handles);
            for calls in &calls.methods {
                let place = all.codes.len() as u32;
                let method = NamedMethod::new(name, calls.signature);
                if *places.entry(method).or_insert(place) == place {
                    all.by_signature.entry(calls.signature).or_default().push(place);
                    all.codes.push(Code { class: name, calls, ids: Vec::new() });
                }
            }
        }
        if all.codes.is_empty() {
            return None;
        }
        for class in classes() {
            let name = class_hash(class.name.as_bytes());
            for method in &class.methods {
                let id = method.id.get();
                let is_region = method.region.is_some();
                let of = (method.method_name(), method.descriptor.as_str());
                let place = places.get(&NamedMethod::new(name, signature(of))).copied();
                let Some(place) = place else { continue };
                all.by_id.insert(id, place);
                all.roots.extend(method.root.then_some(place));
                if is_region {
                    all.regions.insert(id);
                } else if method.resumes && resumed_method(&method.name).is_some() {
                    all.resumptions.insert(id);
                } else if let Some(code) = all.codes.get_mut(place as usize).filter(|_| !is_off(id))
                {
                    code.ids.push(id);
                }
            }
        }
        for region in &all.regions {
            let place = all.by_id.get(region).copied().unwrap_or(u32::MAX);
            let Some(code) = all.codes.get_mut(place as usize) else { continue };
            if code.ids.iter().all(|id| all.regions.contains(id)) {
                code.ids.push(*region);
            }
        }
        for interface in names.manifests().flat_map(|manifest| &manifest.interfaces) {
            let above = interface.above.iter().map(|name| class_hash(name.as_bytes()));
            direct.entry(class_hash(interface.name.as_bytes())).or_insert_with(|| above.collect());
        }
        all.is_live = names.manifests().any(|manifest| manifest.placement == Placement::Live);
        all.find_types(&direct);
        Some(all)
    }

    fn find_types(&mut self, direct: &HashMap<u32, Vec<u32>>) {
        for name in direct.keys() {
            let mut above = Above::default();
            let mut open = vec![*name];
            while let Some(of) = open.pop() {
                if above.all.insert(of) {
                    match direct.get(&of) {
                        Some(more) => open.extend(more),
                        None => above.has_unknown |= self.is_outside(of),
                    }
                }
            }
            for of in &above.all {
                self.below.entry(*of).or_default().push(*name);
            }
            self.types.insert(*name, above);
        }
    }

    /// Whether a type that is not known may be called by code without probes. In a live session
    /// all code that can be reached has probes, but the JDK's.
    fn is_outside(&self, unknown: u32) -> bool {
        !self.is_live || is_jdk(unknown)
    }

    /// Whether a call of a method as `owner` has it can be one of the method that `class` declares.
    fn is_related(&self, owner: u32, class: u32) -> bool {
        let is_below = |of: u32, above: u32| {
            let types = self.types.get(&of);
            types.is_some_and(|types| {
                types.all.contains(&above) || types.has_unknown && !self.types.contains_key(&above)
            })
        };
        owner == class_hash(OBJECT.as_bytes())
            || is_below(class, owner)
            || self.types.get(&owner).is_some_and(|types| types.all.contains(&class))
            || self.below.get(&class).is_some_and(|all| all.iter().any(|of| is_below(*of, owner)))
    }

    /// Calls `each` for the codes that a call of `method` can enter. Returns whether it can enter
    /// code that is not known, and whether that can be by an object of a lambda alone.
    fn resolve(&self, method: NamedMethod, mut each: impl FnMut(u32)) -> (bool, bool) {
        let (owner, signature) = (method.class(), method.signature());
        let types = self.types.get(&owner);
        let mut is_declared = false;
        for place in self.by_signature.get(&signature).into_iter().flatten() {
            let Some(code) = self.codes.get(*place as usize) else { continue };
            if self.is_related(owner, code.class) {
                is_declared |= types.is_some_and(|types| types.all.contains(&code.class));
                each(*place);
            }
        }
        match types {
            _ if is_declared => (false, false),
            Some(types) => (types.has_unknown, true),
            None => (self.is_outside(owner), true),
        }
    }

    fn reach_of(&self, first: Vec<u32>) -> Reach {
        let mut reach = Reach::default();
        let mut seen: HashSet<u32> = first.iter().copied().collect();
        let mut open = first;
        while let Some(place) = open.pop() {
            let Some(code) = self.codes.get(place as usize) else { continue };
            let traits = code.calls.traits;
            reach.outside |= traits.has(CallTraits::OUTSIDE);
            reach.reflects |= traits.has(CallTraits::REFLECTS);
            for site in &code.calls.sites {
                let (outside, lambdas) = self.resolve(*site, |place| {
                    self.enter(place, &mut reach.ids, &mut seen, &mut open)
                });
                reach.outside |= outside;
                reach.lambdas |= lambdas;
            }
        }
        reach
    }

    /// A call of some code: one with an id, or code without probes from which calls go on.
    fn enter(
        &self,
        place: u32,
        ids: &mut HashSet<u32>,
        seen: &mut HashSet<u32>,
        open: &mut Vec<u32>,
    ) {
        let Some(code) = self.codes.get(place as usize) else { return };
        ids.extend(&code.ids);
        let has_probes = code.ids.iter().any(|id| !self.regions.contains(id));
        if !has_probes && seen.insert(place) {
            open.push(place);
        }
    }

    /// What code outside can enter, and what objects of lambdas can.
    fn find_entered(&self) -> [Entered; 2] {
        let of_object = OF_OBJECT.map(signature);
        let by_name = BY_NAME.map(signature);
        let may_enter = |code: &Code| {
            let signature = code.calls.signature;
            let has_unknown = self.types.get(&code.class).is_none_or(|of| of.has_unknown);
            let is_open = !code.calls.traits.has(CallTraits::FIXED);
            by_name.contains(&signature)
                || is_open && (has_unknown || of_object.contains(&signature))
        };
        let outside = (0..).zip(&self.codes).filter(|(_, code)| may_enter(code));
        let outside: Vec<u32> =
            outside.map(|(place, _)| place).chain(self.roots.iter().copied()).collect();
        let mut lambdas = Vec::new();
        for handle in &self.handles {
            self.resolve(*handle, |place| lambdas.push(place));
        }
        let closed = |first: &[u32]| {
            let (mut ids, mut seen, mut open) = (HashSet::new(), HashSet::new(), Vec::new());
            first.iter().for_each(|place| self.enter(*place, &mut ids, &mut seen, &mut open));
            ids.extend(self.reach_of(open).ids);
            ids
        };
        let lambdas = closed(&lambdas);
        let mut outside = closed(&outside);
        outside.extend(&lambdas);
        [outside, lambdas]
    }

    fn is_initialiser(&self, id: u32) -> bool {
        let code = self.by_id.get(&id).and_then(|place| self.codes.get(*place as usize));
        code.is_some_and(|code| code.calls.signature == signature(CLASS_INITIALISER))
    }

    /// Whether a method counts how often another one is resumed. That is no call.
    pub fn is_resumption(&self, id: u32) -> bool {
        self.resumptions.contains(&id)
    }

    /// How `caller` can call `callee`, if it can. Anything is possible for a method that is not
    /// known.
    pub fn way(&mut self, caller: MethodId, callee: MethodId) -> Option<CallWay> {
        let (from, to) = (caller.get(), callee.get());
        let (Some(place), Some(target)) =
            (self.by_id.get(&from).copied(), self.by_id.get(&to).copied())
        else {
            return Some(CallWay::Site);
        };
        // A region is entered by its method, and by regions around it.
        if self.is_initialiser(to) || place == target && from != to && self.regions.contains(&to) {
            return Some(CallWay::Site);
        }
        if !self.reaches.contains_key(&place) {
            let reach = self.reach_of(vec![place]);
            self.reaches.insert(place, reach);
        }
        let reach = self.reaches.get(&place)?;
        if reach.ids.contains(&to) {
            return Some(CallWay::Site);
        }
        if reach.reflects {
            return Some(CallWay::Outside);
        }
        if !reach.outside && !reach.lambdas {
            return None;
        }
        let (outside, lambdas) = (reach.outside, reach.lambdas);
        if self.entered.is_none() {
            self.entered = Some(self.find_entered());
        }
        let [by_outside, by_lambdas] = self.entered.as_ref()?;
        let can = outside && by_outside.contains(&to) || lambdas && by_lambdas.contains(&to);
        can.then_some(CallWay::Outside)
    }
}

#[cfg(test)]
pub(crate) mod tests;
