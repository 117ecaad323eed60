//! The callers of methods by the walked stacks of both sides, in one tree each.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use jfathom_profile::{Frame, MethodIx, Profile, SampleFrame};

use super::differences::MethodDiff;
use super::significance::adjust;
use super::walks::{Caller, CallerDiff, WalkedSide, WalksDiff, test};

/// The methods whose stacks were walked on both sides, those with the most walks first.
pub(super) fn walks(profiles: [&Profile; 2], methods: &[MethodDiff]) -> Vec<WalksDiff> {
    let walked = |side: usize, at: Option<MethodIx>| {
        let walks = &profiles[side].stack_walks;
        let place = walks.methods.binary_search_by_key(&at?, |of| of.method).ok()?;
        Some(WalkedSide::new(profiles[side], walks.methods[place]))
    };
    if !profiles.iter().all(|profile| profile.stack_walks.is_recorded()) {
        return Vec::new();
    }
    let names = MethodNames::new(profiles, methods);
    let callers = [0, 1].map(|side: usize| Callers::new(profiles[side], methods, side, &names));
    let mut all = Vec::new();
    for (method, of) in methods.iter().enumerate() {
        let (Some(base), Some(new)) = (walked(0, of.base), walked(1, of.new)) else { continue };
        let sides = [base, new];
        let mut merged = MergedCallers::default();
        for (side, at) in [of.base, of.new].into_iter().enumerate() {
            merged.add(profiles[side], at, side, &callers[side]);
        }
        let callers = merged.in_order(|walks| test(sides, walks, of.calls.varies()));
        all.push(WalksDiff { method, sides, callers });
    }
    let p_values =
        all.iter().flat_map(|of| of.callers.iter().map(|caller| caller.p_value)).collect();
    let adjusted = adjust(p_values);
    let each = all.iter_mut().flat_map(|of| &mut of.callers);
    for (caller, p_value) in each.zip(adjusted) {
        caller.p_value = p_value;
    }
    let walks = |of: &WalksDiff| of.sides[0].walks.saturating_add(of.sides[1].walks);
    all.sort_by_key(|of| (Reverse(walks(of)), of.method));
    all
}

/// The methods of both sides by class and name. Frames without recorded calls have nothing else:
/// overloads are one there.
struct MethodNames<'p> {
    /// By side: the index in the difference of the first method with a name.
    places: [HashMap<Name<'p>, usize>; 2],
    /// The names of frames without recorded calls, on either side.
    unrecorded: HashSet<Name<'p>>,
}

/// Class and name.
type Name<'p> = (&'p str, &'p str);

impl<'p> MethodNames<'p> {
    fn new(profiles: [&'p Profile; 2], methods: &[MethodDiff]) -> Self {
        let places = [0, 1].map(|side: usize| {
            let mut places = HashMap::new();
            for (place, method) in methods.iter().enumerate() {
                let Some(at) = [method.base, method.new][side] else { continue };
                let key = &profiles[side].method(at).info.key;
                places.entry((&*key.class, &*key.name)).or_insert(place);
            }
            places
        });
        let names = profiles.iter().flat_map(|profile| &profile.stack_walks.names);
        let unrecorded = names.map(|name| (&*name.class, &*name.name)).collect();
        Self { places, unrecorded }
    }

    /// The method with a name, of the side's own table first.
    fn place(&self, side: usize, name: Name<'p>) -> Option<usize> {
        let [own, other] = [side, 1 - side].map(|side| self.places[side].get(&name));
        own.or(other).copied()
    }
}

/// Turns the frames of a side's walks into callers.
struct Callers<'p> {
    profile: &'p Profile,
    side: usize,
    /// By method of the side's table: its index in the difference.
    places: HashMap<MethodIx, usize>,
    names: &'p MethodNames<'p>,
}

impl<'p> Callers<'p> {
    fn new(
        profile: &'p Profile,
        methods: &[MethodDiff],
        side: usize,
        names: &'p MethodNames<'p>,
    ) -> Self {
        let on = |method: &MethodDiff| [method.base, method.new][side];
        let places = methods.iter().enumerate();
        let places = places.filter_map(|(place, of)| Some((on(of)?, place))).collect();
        Self { profile, side, places, names }
    }

    fn of(&self, frame: SampleFrame) -> Option<Caller> {
        match frame {
            SampleFrame::Recorded(Frame::Method(method)) => {
                let key = &self.profile.method(method).info.key;
                let name = (&*key.class, &*key.name);
                // Elsewhere only the name of such a frame may be known.
                let place = match self.names.unrecorded.contains(&name) {
                    true => self.names.place(self.side, name),
                    false => self.places.get(&method).copied(),
                };
                place.map(Caller::Method)
            }
            SampleFrame::Recorded(Frame::Thread(_) | Frame::Task(_)) => None,
            SampleFrame::Sampled(name) => {
                let name = self.profile.stack_walks.names.get(name as usize)?;
                let place = self.names.place(self.side, (&name.class, &name.name));
                Some(place.map_or_else(|| Caller::Named(name.clone()), Caller::Method))
            }
        }
    }
}

/// The callers of a method on both sides as one tree.
#[derive(Default)]
struct MergedCallers {
    nodes: Vec<MergedCaller>,
    /// By the place of what is called, none for the method itself, and caller.
    places: HashMap<(Option<usize>, Caller), usize>,
}

struct MergedCaller {
    depth: u32,
    caller: Caller,
    walks: [u64; 2],
    callers: Vec<usize>,
}

impl MergedCallers {
    fn add(&mut self, profile: &Profile, method: Option<MethodIx>, side: usize, of: &Callers<'_>) {
        let walks = &profile.stack_walks;
        let Some(root) = method.and_then(|method| walks.root(method)) else { return };
        let tree = &walks.tree;
        let mut open: Vec<_> = tree.children(root).map(|child| (None, 1, child)).collect();
        while let Some((called, depth, node)) = open.pop() {
            let Some(caller) = of.of(tree.node(node).frame) else { continue };
            let place = self.place(called, depth, caller);
            let sum = &mut self.nodes[place].walks[side];
            *sum = sum.saturating_add(tree.total(node).all());
            open.extend(tree.children(node).map(|child| (Some(place), depth + 1, child)));
        }
    }

    fn place(&mut self, called: Option<usize>, depth: u32, caller: Caller) -> usize {
        let next = self.nodes.len();
        let place = *self.places.entry((called, caller.clone())).or_insert(next);
        if place == next {
            self.nodes.push(MergedCaller { depth, caller, walks: [0; 2], callers: Vec::new() });
            if let Some(called) = called {
                self.nodes[called].callers.push(place);
            }
        }
        place
    }

    /// Each after the one that it calls, with what `test` finds.
    fn in_order(mut self, test: impl Fn([u64; 2]) -> (Option<f64>, bool)) -> Vec<CallerDiff> {
        let mut open: Vec<usize> =
            (0..self.nodes.len()).filter(|place| self.nodes[*place].depth == 1).collect();
        self.sort(&mut open);
        let mut rows = Vec::with_capacity(self.nodes.len());
        while let Some(place) = open.pop() {
            let mut callers = std::mem::take(&mut self.nodes[place].callers);
            self.sort(&mut callers);
            open.extend(callers);
            let MergedCaller { depth, caller, walks, .. } = &self.nodes[place];
            let (p_value, is_exact) = test(*walks);
            let (caller, walks) = (caller.clone(), *walks);
            rows.push(CallerDiff { depth: *depth, caller, walks, p_value, is_exact });
        }
        rows
    }

    /// Those with the most walks last.
    fn sort(&self, places: &mut [usize]) {
        let walks = |of: &MergedCaller| of.walks[0].saturating_add(of.walks[1]);
        places.sort_by(|one, other| {
            let [one, other] = [one, other].map(|place| &self.nodes[*place]);
            walks(one).cmp(&walks(other)).then_with(|| other.caller.cmp(&one.caller))
        });
    }
}
