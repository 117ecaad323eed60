//! The callers of methods, by the stacks that were walked at their calls.

use crate::{Names, SampledShare, sampled_name};
use jfathom_profile::{Frame, Profile, SampleFrame, SampleIx, WalkedMethod};

/// A method and its callers, by walked stacks.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkedCallers {
    /// The method, with what its calls were due.
    pub method: WalkedMethod,
    /// The method's name.
    pub name: String,
    /// Walks whose callers are known.
    pub walks: u64,
    /// Its callers, and theirs, each after the one that it calls; those with the most walks first.
    pub rows: Vec<WalkedCaller>,
}

/// A caller of a method, or of another caller.
#[derive(Clone, Debug, PartialEq)]
pub struct WalkedCaller {
    /// Calls between it and the method; from 1.
    pub depth: u32,
    /// Its name: `com.acme.Shop::order`.
    pub name: String,
    /// Whether it has recorded calls. Else it has no probes, or is above the root.
    pub is_recorded: bool,
    /// Walks that came this way.
    pub walks: u64,
    /// Of these, those whose outermost frame it is.
    pub outermost: u64,
}

impl WalkedCallers {
    /// The part of so many walks, with its error: none where every call was walked.
    pub fn share(&self, walks: u64) -> SampledShare {
        let share = SampledShare::new(walks, self.walks);
        match self.is_whole() {
            true => SampledShare { error: 0.0, ..share },
            false => share,
        }
    }

    /// For about how many calls so many walks stand; none if that is not known.
    pub fn calls(&self, walks: u64) -> Option<u64> {
        let interval = u64::from(self.method.interval);
        (interval > 0).then(|| walks.saturating_mul(interval))
    }

    /// Whether the walks are those of all calls.
    pub fn is_whole(&self) -> bool {
        self.method.interval == 1 && self.walks == self.method.due
    }

    /// Walks that were due, and that were not made or not kept.
    pub fn missing(&self) -> u64 {
        self.method.due.saturating_sub(self.walks.saturating_add(self.method.unknown))
    }
}

/// The methods of a profile whose stacks were walked, those with the most walks first.
pub fn walked_callers(profile: &Profile) -> Vec<WalkedCallers> {
    let names = Names::of(&profile.methods);
    let mut all: Vec<WalkedCallers> = profile
        .stack_walks
        .methods
        .iter()
        .map(|method| callers(profile, &names, *method))
        .collect();
    all.sort_by(|one, other| other.walks.cmp(&one.walks).then_with(|| one.name.cmp(&other.name)));
    all
}

fn callers(profile: &Profile, names: &Names, method: WalkedMethod) -> WalkedCallers {
    let walks = &profile.stack_walks;
    let tree = &walks.tree;
    let below = |of: SampleIx| tree.children(of).collect::<Vec<_>>().into_iter().rev();
    let root = walks.root(method.method);
    let mut rows = Vec::new();
    let mut open: Vec<SampleIx> = root.into_iter().flat_map(below).collect();
    while let Some(node) = open.pop() {
        let of = tree.node(node);
        let (name, is_recorded) = match of.frame {
            SampleFrame::Recorded(Frame::Method(method)) => (names.method(method).to_owned(), true),
            SampleFrame::Sampled(name) => {
                (walks.names.get(name as usize).map(sampled_name).unwrap_or_default(), false)
            }
            SampleFrame::Recorded(_) => (String::new(), false),
        };
        let walks = tree.total(node).all();
        let outermost = of.own.all();
        rows.push(WalkedCaller { depth: of.depth, name, is_recorded, walks, outermost });
        open.extend(below(node));
    }
    WalkedCallers {
        method,
        name: names.method(method.method).to_owned(),
        walks: walks.walks(method.method),
        rows,
    }
}
