//! Method matching: pairs of methods of two builds.
//!
//! The first step matches by key: class, name and descriptor. Numbers that a compiler assigns
//! (`lambda$run$3`, `access$100`, anonymous classes `Engine$2`) are no part of a key. Code digests
//! decide among methods that differ only in them. The second step matches by code digest, if one
//! method on each side has it: the method was renamed in its class, moved, or both. In the third
//! step, the methods of a vanished class follow those that the second step matched. Nothing is
//! guessed: if several methods fit, none is matched, and the result lists them.

mod normalized_key;

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use jfathom_plan::{Digest, MethodKey};

use self::normalized_key::normalized_key;
use jfathom_profile::{Method, MethodIx};

/// Kind of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MatchKind {
    /// The same key and the same code.
    Same,
    /// The same key. The code has changed, or a digest is unknown.
    Changed,
    /// The same key except for the compiler's numbers. The code may have changed.
    Renumbered,
    /// The same code under another name in the same class.
    Renamed,
    /// The same code, or the same name and descriptor, in another class.
    Moved,
}

impl MatchKind {
    /// The name in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Renumbered => "renumbered",
            Self::Renamed => "renamed",
            Self::Moved => "moved",
        }
    }
}

/// A pair of matching methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodMatch {
    /// The method in the baseline.
    pub base: MethodIx,
    /// The method in the candidate.
    pub new: MethodIx,
    /// How they match.
    pub how: MatchKind,
    /// Whether the code is known to differ.
    pub changed: bool,
}

/// The matches of two method tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matching {
    /// Matched methods, in the order of the baseline's table.
    pub pairs: Vec<MethodMatch>,
    /// Methods without a partner in the base.
    pub only_base: Vec<MethodIx>,
    /// Methods without a partner in the new profile.
    pub only_new: Vec<MethodIx>,
    /// What is no method and stands for something in the tree, on each side that has it.
    pub signs: Vec<[Option<MethodIx>; 2]>,
    /// Methods, among those without a partner, whose code is that of several others: base and new
    /// ones of each code.
    pub ambiguous: Vec<(Vec<MethodIx>, Vec<MethodIx>)>,
}

/// Matches the methods of two tables.
pub fn match_methods(base: &[Method], new: &[Method]) -> Matching {
    let mut search = Search { sides: [Side::new(base), Side::new(new)], pairs: Vec::new() };
    search.by_exact_key();
    search.by_neutral_key();
    search.by_key();
    search.by_digest(|key| (key.class.clone(), String::new()), MatchKind::Renamed);
    search.by_digest(|key| (String::new(), key.name.clone()), MatchKind::Moved);
    search.by_digest(|_| (String::new(), String::new()), MatchKind::Moved);
    search.by_class();
    search.finish()
}

/// One table, and its methods without a match so far.
struct Side<'a> {
    methods: &'a [Method],
    free: Vec<bool>,
}

impl<'a> Side<'a> {
    fn new(methods: &'a [Method]) -> Self {
        // Without a manifest there is no name that another recording would share.
        let is_free = |method: &Method| !method.info.key.class.is_empty() && !method.info.is_sign();
        Self { methods, free: methods.iter().map(is_free).collect() }
    }

    /// The places of what is no method.
    fn signs(&self) -> impl Iterator<Item = usize> {
        (0..self.methods.len()).filter(|at| self.methods[*at].info.is_sign())
    }

    fn key(&self, at: usize) -> &'a MethodKey {
        &self.methods[at].info.key
    }

    fn digest(&self, at: usize) -> Digest {
        self.methods[at].info.digest
    }

    /// The free methods by what `of` says of them, in their order.
    fn grouped<K: Eq + Hash>(&self, of: impl Fn(usize) -> Option<K>) -> HashMap<K, Vec<usize>> {
        let mut groups: HashMap<K, Vec<usize>> = HashMap::new();
        for at in (0..self.methods.len()).filter(|at| self.free[*at]) {
            if let Some(key) = of(at) {
                groups.entry(key).or_default().push(at);
            }
        }
        groups
    }
}

struct Search<'a> {
    sides: [Side<'a>; 2],
    pairs: Vec<MethodMatch>,
}

impl Search<'_> {
    /// Groups both sides alike and goes through the groups that both have.
    fn groups<K: Eq + Hash + Ord>(
        &self,
        of: impl Fn(&Side<'_>, usize) -> Option<K>,
    ) -> Vec<[Vec<usize>; 2]> {
        let [base, new] = &self.sides;
        let mut of_new = new.grouped(|at| of(new, at));
        let mut both: Vec<(K, [Vec<usize>; 2])> = base
            .grouped(|at| of(base, at))
            .into_iter()
            .filter_map(|(key, of_base)| of_new.remove(&key).map(|of_new| (key, [of_base, of_new])))
            .collect();
        both.sort_by(|a, b| a.0.cmp(&b.0));
        both.into_iter().map(|(_, groups)| groups).collect()
    }

    fn pair(&mut self, base: usize, new: usize, how: MatchKind) {
        let [of_base, of_new] = &mut self.sides;
        (of_base.free[base], of_new.free[new]) = (false, false);
        let (one, other) = (of_base.digest(base), of_new.digest(new));
        let changed = one != other && one != Digest::default() && other != Digest::default();
        let how = match how {
            MatchKind::Same if of_base.key(base) != of_new.key(new) => MatchKind::Renumbered,
            MatchKind::Same if one != other || one == Digest::default() => MatchKind::Changed,
            how => how,
        };
        self.pairs.push(MethodMatch {
            base: MethodIx(base as u32),
            new: MethodIx(new as u32),
            how,
            changed,
        });
    }

    /// Pairs the groups that have one method on each side.
    fn single(&mut self, groups: Vec<[Vec<usize>; 2]>, how: MatchKind) {
        for [base, new] in groups {
            if let ([base], [new]) = (&base[..], &new[..]) {
                self.pair(*base, *new, how);
            }
        }
    }

    /// The same key and code, whose numbers, if any, mean something: those of the compiler's are
    /// left for later.
    fn by_exact_key(&mut self) {
        let exact = |side: &Side<'_>, at: usize| {
            normalized_key(side.key(at)).is_none().then(|| (side.key(at).clone(), side.digest(at)))
        };
        self.single(self.groups(exact), MatchKind::Same);
    }

    /// Among what differs in the compiler's numbers alone: by code, then by number as well, then
    /// what is left if it is one.
    fn by_neutral_key(&mut self) {
        let with_digest = |side: &Side<'_>, at: usize| {
            normalized_key(side.key(at)).map(|neutral| (neutral, side.digest(at)))
        };
        for [mut base, mut new] in self.groups(with_digest) {
            if base.len() != new.len() {
                continue;
            }
            // As many on each side with one code: they keep their order.
            base.sort_by_key(|at| normalized_key::number_of(self.sides[0].key(*at)));
            new.sort_by_key(|at| normalized_key::number_of(self.sides[1].key(*at)));
            for (base, new) in base.into_iter().zip(new) {
                self.pair(base, new, MatchKind::Same);
            }
        }
        let exact = |side: &Side<'_>, at: usize| {
            normalized_key(side.key(at)).is_some().then(|| (side.key(at).clone(), side.digest(at)))
        };
        self.single(self.groups(exact), MatchKind::Same);
        self.single(self.groups(|side, at| normalized_key(side.key(at))), MatchKind::Same);
    }

    fn by_key(&mut self) {
        let key = |side: &Side<'_>, at: usize| {
            normalized_key(side.key(at)).is_none().then(|| side.key(at).clone())
        };
        self.single(self.groups(key), MatchKind::Same);
    }

    /// The same code, descriptor, and what `with` takes of the key.
    fn by_digest(&mut self, with: impl Fn(&MethodKey) -> (String, String), how: MatchKind) {
        let code = |side: &Side<'_>, at: usize| {
            let (key, digest) = (side.key(at), side.digest(at));
            (digest != Digest::default()).then(|| (with(key), key.descriptor.clone(), digest))
        };
        self.single(self.groups(code), how);
    }

    /// What is left of classes that are gone, in the classes that are new, where the others went.
    fn by_class(&mut self) {
        let classes = |side: &Side<'_>| -> HashSet<String> {
            side.methods.iter().map(|method| method.info.key.class.clone()).collect()
        };
        let (before, after) = (classes(&self.sides[0]), classes(&self.sides[1]));
        let mut went: HashMap<String, HashMap<String, u32>> = HashMap::new();
        for pair in self.pairs.iter().filter(|pair| pair.how == MatchKind::Moved) {
            let from = &self.sides[0].key(pair.base.0 as usize).class;
            let to = &self.sides[1].key(pair.new.0 as usize).class;
            if !after.contains(from) && !before.contains(to) {
                *went.entry(from.clone()).or_default().entry(to.clone()).or_default() += 1;
            }
        }
        let only = |to: HashMap<String, u32>| {
            let (most, times) = to.iter().max_by_key(|(_, times)| **times)?;
            (2 * times > to.values().sum()).then(|| most.clone())
        };
        let went: HashMap<String, String> =
            went.into_iter().filter_map(|(from, to)| Some((from, only(to)?))).collect();
        let [base, new] = &self.sides;
        let of_base = base.grouped(|at| {
            let key = base.key(at);
            Some((went.get(&key.class)?.clone(), key.name.clone(), key.descriptor.clone()))
        });
        let mut of_new = new.grouped(|at| {
            let key = new.key(at);
            Some((key.class.clone(), key.name.clone(), key.descriptor.clone()))
        });
        let mut both: Vec<[Vec<usize>; 2]> = of_base
            .into_iter()
            .filter_map(|(key, base)| Some([base, of_new.remove(&key)?]))
            .collect();
        both.sort();
        self.single(both, MatchKind::Moved);
    }

    fn finish(mut self) -> Matching {
        let groups = self.groups(|side, at| {
            (side.digest(at) != Digest::default())
                .then(|| (side.key(at).descriptor.clone(), side.digest(at)))
        });
        let places =
            |group: Vec<usize>| group.into_iter().map(|at| MethodIx(at as u32)).collect::<Vec<_>>();
        let ambiguous = groups.into_iter().map(|[base, new]| (places(base), places(new))).collect();
        self.pairs.sort_by_key(|pair| pair.base);
        // Those that have no name cannot be matched and are free no longer: they go with what has
        // no partner.
        let without = |side: usize| {
            let paired: HashSet<u32> = self
                .pairs
                .iter()
                .map(|pair| if side == 0 { pair.base.0 } else { pair.new.0 })
                .collect();
            let methods = self.sides[side].methods;
            let all = (0..).zip(methods).filter(|(_, method)| !method.info.is_sign());
            let all = all.map(|(at, _)| at).filter(|at| !paired.contains(at));
            all.map(MethodIx).collect::<Vec<_>>()
        };
        let (only_base, only_new) = (without(0), without(1));
        let signs = self.signs();
        Matching { pairs: self.pairs, only_base, only_new, signs, ambiguous }
    }

    /// What is no method, by key.
    fn signs(&self) -> Vec<[Option<MethodIx>; 2]> {
        let [base, new] = &self.sides;
        let mut signs: Vec<(&MethodKey, [Option<MethodIx>; 2])> = Vec::new();
        for (side, of) in [base, new].into_iter().enumerate() {
            for at in of.signs() {
                let place = Some(MethodIx(at as u32));
                match signs.iter_mut().find(|(key, _)| *key == of.key(at)) {
                    Some((_, places)) => places[side] = places[side].or(place),
                    None => {
                        let mut places = [None; 2];
                        places[side] = place;
                        signs.push((of.key(at), places));
                    }
                }
            }
        }
        signs.into_iter().map(|(_, places)| places).collect()
    }
}

#[cfg(test)]
mod tests;
