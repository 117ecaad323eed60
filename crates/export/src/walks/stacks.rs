//! Walked stacks, each whole.

use crate::frame::FrameFacts;
use jfathom_plan::printable;
use jfathom_profile::{Frame, Profile, SampleFrame, SampleIx, SampledName};
use jfathom_views::{Names, WalkedCallers};
use std::collections::HashMap;

/// The stacks of all methods that were walked, those of the method with the most walks first.
pub(super) struct Stacks {
    pub methods: Vec<MethodStacks>,
    /// What [`Stack::frames`] refers to.
    pub frames: Vec<FrameFacts>,
}

/// The stacks at the calls of a method.
pub(super) struct MethodStacks {
    /// Its name, and which calls were walked.
    pub title: String,
    /// A walk stands for so many calls; none if that is not known.
    pub interval: Option<u64>,
    pub stacks: Vec<Stack>,
}

/// A stack, at one call or several.
pub(super) struct Stack {
    /// From the method outward.
    pub frames: Vec<u32>,
    pub walks: u64,
}

impl Stacks {
    pub fn of(profile: &Profile, methods: &[WalkedCallers]) -> Self {
        let mut places =
            Places { profile, names: Names::of(&profile.methods), all: HashMap::new() };
        let mut frames = Vec::new();
        let methods = methods.iter().map(|method| MethodStacks {
            title: format!("{} ({})", method.name, method.interval()),
            interval: Some(u64::from(method.method.interval)).filter(|interval| *interval > 0),
            stacks: stacks(profile, method, |frame| places.of(frame, &mut frames)),
        });
        let methods = methods.collect();
        Self { methods, frames }
    }
}

fn stacks(
    profile: &Profile,
    method: &WalkedCallers,
    mut place: impl FnMut(SampleFrame) -> u32,
) -> Vec<Stack> {
    let tree = &profile.stack_walks.tree;
    let mut stacks = Vec::new();
    let mut path: Vec<u32> = Vec::new();
    let mut open: Vec<SampleIx> =
        profile.stack_walks.root(method.method.method).into_iter().collect();
    while let Some(node) = open.pop() {
        let of = tree.node(node);
        path.truncate(of.depth as usize);
        path.push(place(of.frame));
        if !of.own.is_zero() {
            stacks.push(Stack { frames: path.clone(), walks: of.own.all() });
        }
        let callers: Vec<SampleIx> = tree.children(node).collect();
        open.extend(callers.into_iter().rev());
    }
    stacks
}

struct Places<'a> {
    profile: &'a Profile,
    names: Names,
    all: HashMap<SampleFrame, u32>,
}

impl Places<'_> {
    fn of(&mut self, frame: SampleFrame, frames: &mut Vec<FrameFacts>) -> u32 {
        *self.all.entry(frame).or_insert_with(|| {
            frames.push(facts(self.profile, &self.names, frame));
            frames.len() as u32 - 1
        })
    }
}

/// Names and location of a frame.
pub(super) fn facts(profile: &Profile, names: &Names, frame: SampleFrame) -> FrameFacts {
    match frame {
        SampleFrame::Recorded(Frame::Method(method)) => {
            let name = printable(names.method(method)).into_owned();
            FrameFacts::of_method(name, &profile.method(method).info)
        }
        SampleFrame::Sampled(name) => {
            let name = profile.stack_walks.names.get(name as usize);
            name.map_or_else(unknown, FrameFacts::of_sampled)
        }
        SampleFrame::Recorded(_) => unknown(),
    }
}

/// A frame that no profile has: those that are read are checked.
fn unknown() -> FrameFacts {
    FrameFacts::of_sampled(&SampledName { class: String::new(), name: "?".to_owned() })
}
