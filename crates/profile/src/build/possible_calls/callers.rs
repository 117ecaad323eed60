//! Which of several methods can call another one.

use jfathom_plan::MethodId;

use super::{CallWay, PossibleCalls};

/// No method, one, or several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Few {
    #[default]
    None,
    One(MethodId),
    Several,
}

impl Few {
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (few, Self::None) | (Self::None, few) => few,
            (Self::One(one), Self::One(other)) if one == other => self,
            _ => Self::Several,
        }
    }

    pub fn add(&mut self, method: MethodId) {
        *self = self.and(Self::One(method));
    }
}

/// The possible callers among some methods. To find them for many methods takes time for what the
/// callers can reach, not for each pair. Made once for many sets of methods: it is large.
#[derive(Debug, Default)]
pub(crate) struct Callers {
    all: Vec<MethodId>,
    any: Few,
    /// By the place that their call sites can enter; of this set of methods where the number is
    /// [`Callers::set`].
    by_site: Vec<(u32, Few)>,
    set: u32,
    /// Those of which nothing is known.
    unknown: Few,
    reflect: Few,
    outside: Few,
    lambdas: Few,
}

impl Callers {
    /// Takes these methods in place of those before. Methods that count how often another one is
    /// resumed call nothing.
    pub fn choose(
        &mut self,
        possible: &mut PossibleCalls,
        callers: impl Iterator<Item = MethodId>,
    ) {
        let mut by_site = std::mem::take(&mut self.by_site);
        by_site.resize(possible.codes.len(), (0, Few::None));
        let mut all = std::mem::take(&mut self.all);
        all.clear();
        // Sets are as many as nodes, of which there are less than 2³².
        *self = Self { all, set: self.set.wrapping_add(1), ..Self::default() };
        for caller in callers {
            if possible.is_resumption(caller.get()) {
                continue;
            }
            self.all.push(caller);
            self.any.add(caller);
            let Some(place) = possible.by_id.get(&caller.get()).copied() else {
                self.unknown.add(caller);
                continue;
            };
            let reach = possible.reach(place);
            for to in &reach.places {
                let Some((set, few)) = by_site.get_mut(*to as usize) else { continue };
                if *set != self.set {
                    (*set, *few) = (self.set, Few::None);
                }
                few.add(caller);
            }
            for (is, kind) in [
                (reach.reflects, &mut self.reflect),
                (reach.outside, &mut self.outside),
                (reach.lambdas, &mut self.lambdas),
            ] {
                if is {
                    kind.add(caller);
                }
            }
        }
        self.by_site = by_site;
    }

    fn by_site(&self, target: u32) -> Few {
        let known = self.by_site.get(target as usize).filter(|(set, _)| *set == self.set);
        known.map_or(Few::None, |(_, few)| *few)
    }

    /// Those that can call `callee`, and whether one can by a call site.
    pub fn of(&self, possible: &mut PossibleCalls, callee: MethodId) -> (Few, bool) {
        let id = callee.get();
        let Some(target) = possible.by_id.get(&id).copied() else {
            return (self.any, self.any != Few::None);
        };
        if possible.is_initialiser(target) {
            return (self.any, self.any != Few::None);
        }
        // Few are regions, and their methods are among those that enter them.
        if possible.regions.contains(&id) {
            let (mut few, mut by_site) = (Few::None, false);
            for caller in &self.all {
                let Some(way) = possible.way(*caller, callee) else { continue };
                few.add(*caller);
                by_site |= way == CallWay::Site;
            }
            return (few, by_site);
        }
        let is_target = possible.is_entered_as(target, id);
        let by_site = if is_target { self.by_site(target) } else { Few::None };
        let by_site = by_site.and(self.unknown);
        let mut few = by_site.and(self.reflect);
        if is_target && (self.outside != Few::None || self.lambdas != Few::None) {
            let [by_outside, by_lambdas] = possible.entered();
            if by_outside[target as usize] {
                few = few.and(self.outside);
            }
            if by_lambdas[target as usize] {
                few = few.and(self.lambdas);
            }
        }
        (few, by_site != Few::None)
    }
}
