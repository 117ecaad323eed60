//! The callers of methods by the walked stacks of both sides, in one tree each.

use std::cmp::Reverse;
use std::collections::HashMap;

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
    let tables = profiles.map(|profile| profile.stack_walks.is_recorded());
    if tables != [true; 2] {
        return Vec::new();
    }
    let callers = [0, 1].map(|side: usize| Callers::new(profiles, methods, side));
    let mut all = Vec::new();
    for (method, of) in methods.iter().enumerate() {
        let (Some(base), Some(new)) = (walked(0, of.base), walked(1, of.new)) else { continue };
        let sides = [base, new];
        let mut merged = MergedCallers::default();
        for (side, at) in [of.base, of.new].into_iter().enumerate() {
            merged.add(profiles[side], at, side, &callers[side]);
        }
        let varies = of.calls.varies() || of.calls.is_unknown;
        let callers = merged.in_order(|walks| test(sides, walks, varies));
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

/// Turns the frames of a side's walks into callers.
struct Callers<'p> {
    profile: &'p Profile,
    /// By method of the side's table: its index in the difference.
    places: HashMap<MethodIx, usize>,
    /// By class and name, the side's own table first. None if several have them.
    by_name: [HashMap<(&'p str, &'p str), Option<usize>>; 2],
}

impl<'p> Callers<'p> {
    fn new(profiles: [&'p Profile; 2], methods: &[MethodDiff], side: usize) -> Self {
        let on = |method: &MethodDiff, side: usize| [method.base, method.new][side];
        let named = |side: usize| {
            let mut table: HashMap<(&str, &str), Option<usize>> = HashMap::new();
            for (place, method) in methods.iter().enumerate() {
                let Some(at) = on(method, side) else { continue };
                let key = &profiles[side].method(at).info.key;
                let of_name = table.entry((&key.class, &key.name));
                of_name.and_modify(|place| *place = None).or_insert(Some(place));
            }
            table
        };
        let places = methods.iter().enumerate();
        let places = places.filter_map(|(place, of)| Some((on(of, side)?, place))).collect();
        Self { profile: profiles[side], places, by_name: [named(side), named(1 - side)] }
    }

    fn of(&self, frame: SampleFrame) -> Option<Caller> {
        match frame {
            SampleFrame::Recorded(Frame::Method(method)) => {
                self.places.get(&method).copied().map(Caller::Method)
            }
            SampleFrame::Recorded(Frame::Thread(_) | Frame::Task(_)) => None,
            SampleFrame::Sampled(name) => {
                let name = self.profile.stack_walks.names.get(name as usize)?;
                let key = (&*name.class, &*name.name);
                let [own, other] = &self.by_name;
                let place = own.get(&key).or_else(|| other.get(&key)).copied().flatten();
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
