//! Which method can call which without passing a method with probes, by the call sites of the class
//! files.
//!
//! Code without probes calls a method if it overrides one that is declared there, is a class
//! initialiser, or is found by a handle or by its name.

mod callers;
mod hierarchy;

pub(crate) use callers::{Callers, Few};

use jfathom_plan::{
    CallTraits, MethodCalls, MethodId, NamedMethod, Placement, class_hash, resumed_method,
    signature_hash,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::MethodNames;
use hierarchy::Hierarchy;

/// How one method can call another. A later one is less certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CallWay {
    /// By a call site of its own, or of a method without probes that one leads to.
    Site,
    /// Through code outside of what was rewritten, or by reflection.
    Outside,
}

/// What is known of the calls of a JVM's methods. A place is the number of a code.
#[derive(Debug, Default)]
pub(crate) struct PossibleCalls<'a> {
    hierarchy: Hierarchy,
    codes: Vec<Code<'a>>,
    by_signature: FxHashMap<u32, Vec<u32>>,
    /// The place of each method with an id; of a region that of its method.
    by_id: FxHashMap<u32, u32>,
    regions: FxHashSet<u32>,
    resumptions: FxHashSet<u32>,
    handles: Vec<NamedMethod>,
    /// The places of roots: what is outside of the roots' call graph calls them.
    roots: Vec<u32>,
    /// The [`signature_hash`] of class initialisers.
    initialiser: u32,
    /// What a call site can enter, of those that were asked for.
    resolved: FxHashMap<NamedMethod, Resolved>,
    /// By place, of those that were asked for.
    reaches: FxHashMap<u32, Reach>,
    /// What code outside can enter, and what objects of lambdas can, by place; none before it is
    /// needed.
    entered: Option<[Vec<bool>; 2]>,
}

/// A method's code.
#[derive(Debug)]
struct Code<'a> {
    class: u32,
    calls: &'a MethodCalls,
    /// Ids with which a call of it is recorded: its own, or those of its regions.
    ids: Vec<u32>,
}

/// What a call of a named method can enter.
#[derive(Clone, Debug, Default)]
struct Resolved {
    /// Places, each once.
    places: Vec<u32>,
    /// Code that is not known.
    outside: bool,
    /// An object of a lambda.
    lambdas: bool,
}

/// What a method can call, through methods without probes as well.
#[derive(Debug, Default)]
struct Reach {
    /// Places with ids, ascending.
    places: Vec<u32>,
    /// Code that is not known.
    outside: bool,
    /// Methods of interfaces that lambdas implement.
    lambdas: bool,
    reflects: bool,
}

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
        let mut all = Self { initialiser: signature(CLASS_INITIALISER), ..Self::default() };
        let classes = || names.manifests().flat_map(|manifest| &manifest.classes);
        let mut direct: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        // In a live session the lines of one class are several.
        let mut places: FxHashMap<NamedMethod, u32> = FxHashMap::default();
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
        let is_live = names.manifests().any(|manifest| manifest.placement == Placement::Live);
        all.hierarchy = Hierarchy::new(&direct, class_hash(OBJECT.as_bytes()), is_live);
        Some(all)
    }

    /// What a call of `method` can enter.
    fn resolve(&mut self, method: NamedMethod) -> &Resolved {
        let Self { hierarchy, codes, by_signature, resolved, .. } = self;
        resolved.entry(method).or_insert_with(|| {
            let owner = method.class();
            let (mut places, mut is_declared) = (Vec::new(), false);
            for place in by_signature.get(&method.signature()).into_iter().flatten() {
                let Some(code) = codes.get(*place as usize) else { continue };
                if hierarchy.is_related(owner, code.class) {
                    is_declared |= hierarchy.is_below(owner, code.class);
                    places.push(*place);
                }
            }
            let outside = !is_declared && hierarchy.has_unknown(owner);
            Resolved { places, outside, lambdas: !is_declared }
        })
    }

    /// What the code of `first` can call.
    fn reach_of(&mut self, first: Vec<u32>) -> Reach {
        let mut reach = Reach::default();
        let mut seen: FxHashSet<u32> = first.iter().copied().collect();
        let mut open = first;
        while let Some(place) = open.pop() {
            let Some(calls) = self.codes.get(place as usize).map(|code| code.calls) else {
                continue;
            };
            reach.outside |= calls.traits.has(CallTraits::OUTSIDE);
            reach.reflects |= calls.traits.has(CallTraits::REFLECTS);
            for site in &calls.sites {
                let Resolved { places, outside, lambdas } = self.resolve(*site);
                reach.outside |= outside;
                reach.lambdas |= lambdas;
                let places = places.clone();
                places.iter().for_each(|to| self.enter(*to, &mut reach, &mut seen, &mut open));
            }
        }
        reach.places.sort_unstable();
        reach.places.dedup();
        reach
    }

    /// A call of some code: one with an id, or code without probes from which calls go on.
    fn enter(&self, place: u32, reach: &mut Reach, seen: &mut FxHashSet<u32>, open: &mut Vec<u32>) {
        let Some(code) = self.codes.get(place as usize) else { return };
        if !code.ids.is_empty() {
            reach.places.push(place);
        }
        let has_probes = code.ids.iter().any(|id| !self.regions.contains(id));
        if !has_probes && seen.insert(place) {
            open.push(place);
        }
    }

    /// What code outside can enter, and what objects of lambdas can.
    fn find_entered(&mut self) -> [Vec<bool>; 2] {
        let of_object = OF_OBJECT.map(signature);
        let by_name = BY_NAME.map(signature);
        let may_enter = |code: &Code| {
            let signature = code.calls.signature;
            let is_open = !code.calls.traits.has(CallTraits::FIXED);
            by_name.contains(&signature)
                || is_open
                    && (self.hierarchy.has_unknown(code.class) || of_object.contains(&signature))
        };
        let outside = (0..).zip(&self.codes).filter(|(_, code)| may_enter(code));
        let outside: Vec<u32> =
            outside.map(|(place, _)| place).chain(self.roots.iter().copied()).collect();
        let mut lambdas = Vec::new();
        for handle in self.handles.clone() {
            lambdas.extend(&self.resolve(handle).places);
        }
        let [mut outside, lambdas] = [outside, lambdas].map(|first| {
            let (mut entered, mut seen, mut open) =
                (Reach::default(), FxHashSet::default(), Vec::new());
            first.iter().for_each(|to| self.enter(*to, &mut entered, &mut seen, &mut open));
            let mut is_entered = vec![false; self.codes.len()];
            for place in entered.places.iter().chain(&self.reach_of(open).places) {
                is_entered[*place as usize] = true;
            }
            is_entered
        });
        outside.iter_mut().zip(&lambdas).for_each(|(outside, lambda)| *outside |= lambda);
        [outside, lambdas]
    }

    fn is_initialiser(&self, place: u32) -> bool {
        let code = self.codes.get(place as usize);
        code.is_some_and(|code| code.calls.signature == self.initialiser)
    }

    /// Whether a call that enters the code at `place` is recorded as one of `id`.
    fn is_entered_as(&self, place: u32, id: u32) -> bool {
        self.codes.get(place as usize).is_some_and(|code| code.ids.contains(&id))
    }

    /// Whether a method counts how often another one is resumed. That is no call.
    pub fn is_resumption(&self, id: u32) -> bool {
        self.resumptions.contains(&id)
    }

    fn reach(&mut self, place: u32) -> &Reach {
        if !self.reaches.contains_key(&place) {
            let reach = self.reach_of(vec![place]);
            self.reaches.insert(place, reach);
        }
        &self.reaches[&place]
    }

    fn entered(&mut self) -> &[Vec<bool>; 2] {
        if self.entered.is_none() {
            self.entered = Some(self.find_entered());
        }
        self.entered.get_or_insert_default()
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
        if self.is_initialiser(target)
            || place == target && from != to && self.regions.contains(&to)
        {
            return Some(CallWay::Site);
        }
        let is_target = self.is_entered_as(target, to);
        let reach = self.reach(place);
        if is_target && reach.places.binary_search(&target).is_ok() {
            return Some(CallWay::Site);
        }
        if reach.reflects {
            return Some(CallWay::Outside);
        }
        let (outside, lambdas) = (reach.outside, reach.lambdas);
        if !is_target || !outside && !lambdas {
            return None;
        }
        let [by_outside, by_lambdas] = self.entered();
        let can = outside && by_outside[target as usize] || lambdas && by_lambdas[target as usize];
        can.then_some(CallWay::Outside)
    }
}

#[cfg(test)]
pub(crate) mod tests;
