//! The callers of methods, by the stacks that were walked at their calls, and what keeps these from
//! showing a difference.

use crate::{
    Comparison, Names, SampledShare,
    number::{counted, grouped},
    sampled_name,
};
use jfathom_compare::{WalkedSide, WalksDiff};
use jfathom_profile::{Frame, MethodIx, Profile, SampleFrame, SampleIx, WalkedMethod};

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
    /// The method, if it has recorded calls. Else it has no probes, or is above the root.
    pub method: Option<MethodIx>,
    /// Walks that came this way.
    pub walks: u64,
    /// Of these, those whose outermost frame it is.
    pub outermost: u64,
}

impl WalkedCaller {
    /// Whether it has recorded calls.
    pub fn is_recorded(&self) -> bool {
        self.method.is_some()
    }

    /// Its name, with a mark before it if it has no recorded calls.
    pub fn marked_name(&self) -> String {
        format!("{}{}", if self.is_recorded() { "" } else { "~ " }, self.name)
    }
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

    /// Which calls were walked: `one in 101 calls`.
    pub fn interval(&self) -> String {
        walk_interval(self.method.interval)
    }

    /// Walks that are missing or not whole, by what is wrong with them.
    pub fn losses(&self) -> impl Iterator<Item = (u64, &'static str)> {
        let all = [
            (self.missing(), "were not made, or not kept by the JVM"),
            (self.method.unknown, "have no stack with the method"),
            (self.method.truncated, "lack their outermost frames: the stacks were too deep"),
        ];
        all.into_iter().filter(|(count, _)| *count > 0)
    }

    /// What the walks lack, as a sentence; none if nothing.
    pub fn lacks(&self) -> Option<String> {
        let parts: Vec<String> =
            self.losses().map(|(count, what)| format!("{} {what}", grouped(count))).collect();
        (!parts.is_empty()).then(|| {
            let due = counted(self.method.due, "walk", "walks");
            format!("{}: of {due} that its calls were due {}", self.name, parts.join(", "))
        })
    }

    /// A part of the walks in percent, with half of its 95 % interval; without one where every call
    /// was walked, and empty without walks.
    pub fn percent(&self, walks: u64) -> String {
        let SampledShare { share, error } = self.share(walks);
        match self.walks {
            0 => String::new(),
            all if all == walks => "100".to_owned(),
            _ if self.is_whole() => format!("{:.1}", share * 100.0),
            _ => format!("{:.0} ± {:.0}", share * 100.0, (error * 100.0).max(1.0)),
        }
    }

    /// For how many calls so many walks stand, `~1,400` if only about; empty if that is not known.
    pub fn calls_text(&self, walks: u64) -> String {
        match self.calls(walks) {
            None => String::new(),
            Some(calls) if self.is_whole() => grouped(calls),
            Some(calls) => format!("~{}", grouped(calls)),
        }
    }

    /// The levels of some of the callers, which are in their order and have with each the one that
    /// it calls: a level begins at a fork. Callers without one between them have the same.
    pub fn levels<'a>(&self, rows: impl Iterator<Item = &'a WalkedCaller>) -> Vec<u32> {
        caller_levels(self.walks, rows.map(|row| (row.depth, row.walks)))
    }

    /// Walks that were due, and that were not made or not kept.
    pub fn missing(&self) -> u64 {
        self.method.due.saturating_sub(self.walks.saturating_add(self.method.unknown))
    }
}

/// The levels of callers by their depths, from 1, and their walks, as [`WalkedCallers::levels`].
/// `all` are the walks of the method.
pub fn caller_levels<W: PartialEq>(all: W, callers: impl Iterator<Item = (u32, W)>) -> Vec<u32> {
    // By depth: the walks and the level of the frame that was called.
    let mut path: Vec<(W, u32)> = vec![(all, 0)];
    let level = |(depth, walks): (u32, W)| {
        path.truncate(depth.max(1) as usize);
        let level = match path.last() {
            Some((called, level)) if *called == walks => *level,
            called => called.map_or(0, |(_, level)| level + 1),
        };
        path.push((walks, level));
        level
    };
    callers.map(level).collect()
}

/// Which calls are walked, by the interval of a [`WalkedMethod`]: `one in 101 calls`.
pub fn walk_interval(interval: u32) -> String {
    match interval {
        0 => "intervals differ".to_owned(),
        1 => "every call".to_owned(),
        calls => format!("one in {} calls", grouped(u64::from(calls))),
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

/// The callers of a method of a profile; none if its stacks were not to be walked.
pub fn walked_callers_of(
    profile: &Profile,
    names: &Names,
    method: MethodIx,
) -> Option<WalkedCallers> {
    let methods = &profile.stack_walks.methods;
    let at = methods.binary_search_by_key(&method, |of| of.method).ok()?;
    methods.get(at).map(|of| callers(profile, names, *of))
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
        let (name, method) = match of.frame {
            SampleFrame::Recorded(Frame::Method(method)) => {
                (names.method(method).to_owned(), Some(method))
            }
            SampleFrame::Sampled(name) => {
                (walks.names.get(name as usize).map(sampled_name).unwrap_or_default(), None)
            }
            SampleFrame::Recorded(_) => (String::new(), None),
        };
        let walks = tree.total(node).all();
        let outermost = of.own.all();
        rows.push(WalkedCaller { depth: of.depth, name, method, walks, outermost });
        open.extend(below(node));
    }
    WalkedCallers {
        method,
        name: names.method(method.method).to_owned(),
        walks: walks.walks(method.method),
        rows,
    }
}

/// Why the walks of both sides do not show how often callers call, as a sentence behind the
/// method's name; none if nothing is in the way.
pub fn walks_doubt(compared: &Comparison<'_>, of: &WalksDiff) -> Option<String> {
    let calls = compared.diff.methods.get(of.method).map(|method| method.calls).unwrap_or_default();
    let knows_calls = |side: &WalkedSide| side.calls(side.walks).is_some();
    if !of.sides.iter().all(knows_calls) {
        return Some(
            "not all runs of a side have walked its stacks, or not at one interval; its callers do \
             not compare"
                .to_owned(),
        );
    }
    if calls.varies() {
        return Some(
            "its calls vary between equal runs; a difference of its callers shows nothing"
                .to_owned(),
        );
    }
    let lost = of.sides.map(|side| side.lost);
    lost.iter().any(|lost| *lost > 0).then(|| {
        let [base, new] = lost.map(grouped);
        format!(
            "{base} walks of the base and {new} new ones lack callers, and count against any \
             difference"
        )
    })
}
