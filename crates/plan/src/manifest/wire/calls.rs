//! What classes can call, as columns of a manifest.
//!
//! Most call sites name a method of the manifest, so they are numbers of its rows. Other names are
//! pairs of two numbers. Only names that nothing else has are hashes.

use crate::{
    CallTraits, ClassCalls, Manifest, ManifestClass, MethodCalls, NamedMethod, Problem, class_hash,
    signature_hash,
};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::vec::IntoIter;

/// The calls of all classes.
///
/// A *type number* is that of a class of the manifest, then of a name of `types`, then of a hash of
/// `owners`. A *signature number* is that of a method of the manifest, then of a hash of
/// `signatures`. A *method number* is that of a method of the manifest, then of a pair of `others`.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CallColumns<'a> {
    /// Names of supertypes outside of the manifest.
    #[serde(borrow)]
    types: Vec<Cow<'a, str>>,
    owners: Vec<u32>,
    signatures: Vec<u32>,
    /// Type number and signature number; the first as a difference.
    others: Vec<(u32, u32)>,
    /// For each class: one plus the type number of its superclass, or zero; the number of its
    /// interfaces, and their type numbers; the number of its methods; the number of its handles,
    /// and these as method numbers.
    classes: Vec<u32>,
    /// For each method: its number of sites times 8, plus its [`CallTraits`].
    methods: Vec<u32>,
    /// For each method that is not the next one of the class's in the manifest: the distance from
    /// the one before it in this column, and its signature number. The methods of all classes are
    /// counted through.
    unlisted: Vec<(u32, u32)>,
    /// For each method, its method numbers, ascending. The first is the distance from the class's
    /// first method, even above it and odd below; each other one that from the one before.
    sites: Vec<u32>,
}

impl CallColumns<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }
}

/// What the numbers stand for, as far as a manifest's classes say.
struct Numbers {
    classes: Vec<u32>,
    /// The method of each row, and its signature.
    rows: Vec<(NamedMethod, u32)>,
}

impl Numbers {
    fn of(classes: &[ManifestClass]) -> Self {
        let hashes: Vec<u32> =
            classes.iter().map(|class| class_hash(class.name.as_bytes())).collect();
        let rows = classes.iter().zip(&hashes).flat_map(|(class, hash)| {
            class.methods.iter().map(|method| {
                let name = method.name.as_bytes();
                let signature = signature_hash(name, method.descriptor.as_bytes());
                (NamedMethod::new(*hash, signature), signature)
            })
        });
        Self { rows: rows.collect(), classes: hashes }
    }
}

/// Gives things numbers in the order in which they are met.
struct Numbering<T> {
    known: FxHashMap<T, u32>,
    next: u32,
}

impl<T: std::hash::Hash + Eq + Copy> Numbering<T> {
    fn new(first: impl Iterator<Item = T>) -> Self {
        let mut known = FxHashMap::default();
        known.reserve(first.size_hint().0);
        let mut next = 0;
        for of in first {
            known.entry(of).or_insert(next);
            next += 1;
        }
        Self { known, next }
    }

    /// The number, and whether it is new.
    fn get(&mut self, of: T) -> (u32, bool) {
        let next = self.next;
        let number = *self.known.entry(of).or_insert(next);
        self.next += u32::from(number == next);
        (number, number == next)
    }
}

impl<'a> CallColumns<'a> {
    pub(super) fn of(manifest: &'a Manifest) -> Self {
        let mut columns = Self::default();
        if manifest.classes.iter().all(|class| class.calls == ClassCalls::default()) {
            return columns;
        }
        let Numbers { classes, rows } = Numbers::of(&manifest.classes);
        let mut types = Numbering::new(classes.iter().copied());
        for class in &manifest.classes {
            for name in class.calls.super_class.iter().chain(&class.calls.interfaces) {
                if types.get(class_hash(name.as_bytes())).1 {
                    columns.types.push(Cow::Borrowed(name));
                }
            }
        }
        let mut signatures = Numbering::new(rows.iter().map(|(_, signature)| *signature));
        let known = Numbering::new(rows.iter().map(|(method, _)| *method)).known;
        let all = manifest.classes.iter().flat_map(|class| {
            let sites = class.calls.methods.iter().flat_map(|method| &method.sites);
            sites.chain(&class.calls.handles)
        });
        let mut others: Vec<NamedMethod> =
            all.filter(|method| !known.contains_key(method)).copied().collect();
        others.sort_unstable();
        others.dedup();
        let mut pairs: Vec<(u32, u32, NamedMethod)> = Vec::with_capacity(others.len());
        for method in others {
            let (owner, is_new) = types.get(method.class());
            columns.owners.extend(is_new.then_some(method.class()));
            let (signature, is_new) = signatures.get(method.signature());
            columns.signatures.extend(is_new.then_some(method.signature()));
            pairs.push((owner, signature, method));
        }
        pairs.sort_unstable();
        let mut numbers = known;
        let mut last = 0;
        for ((owner, signature, method), number) in pairs.into_iter().zip(rows.len() as u32..) {
            columns.others.push((owner - last, signature));
            last = owner;
            numbers.insert(method, number);
        }
        let mut first_row = 0;
        let mut last_unlisted = 0;
        for class in &manifest.classes {
            columns.push_class(class, &mut types);
            let calls = &class.calls;
            let number = |method: &NamedMethod| numbers.get(method).copied().unwrap_or(u32::MAX);
            columns.classes.push(calls.handles.len() as u32);
            columns.classes.extend(calls.handles.iter().map(number));
            let mut of_class = first_row..first_row + class.methods.len();
            for method in &calls.methods {
                let row = of_class.clone().next().and_then(|row| rows.get(row));
                if row.is_some_and(|(_, signature)| *signature == method.signature) {
                    of_class.next();
                } else {
                    let (signature, is_new) = signatures.get(method.signature);
                    columns.signatures.extend(is_new.then_some(method.signature));
                    let at = columns.methods.len() as u32;
                    columns.unlisted.push((at - last_unlisted, signature));
                    last_unlisted = at;
                }
                let sites = method.sites.len() as u32;
                columns.methods.push(sites << 3 | u32::from(method.traits.0 & 7));
                let mut sites: Vec<u32> = method.sites.iter().map(number).collect();
                sites.sort_unstable();
                let mut last = None;
                for site in sites {
                    columns.sites.push(match last {
                        Some(last) => site - last,
                        None => zigzag(first_row as u32, site),
                    });
                    last = Some(site);
                }
            }
            first_row += class.methods.len();
        }
        columns
    }

    fn push_class(&mut self, class: &ManifestClass, types: &mut Numbering<u32>) {
        let calls = &class.calls;
        let mut number = |name: &String| types.get(class_hash(name.as_bytes())).0;
        self.classes.push(calls.super_class.as_ref().map_or(0, |name| number(name) + 1));
        self.classes.push(calls.interfaces.len() as u32);
        self.classes.extend(calls.interfaces.iter().map(number));
        self.classes.push(calls.methods.len() as u32);
    }

    /// Gives the classes of a manifest what they can call. An error names a contradiction.
    pub(super) fn add_to(self, classes: &mut [ManifestClass]) -> Result<(), Problem> {
        if self == Self::default() {
            return Ok(());
        }
        let Numbers { classes: hashes, rows } = Numbers::of(classes);
        let mut names: Vec<String> = classes.iter().map(|class| class.name.clone()).collect();
        let types = self.types.into_iter().map(Cow::into_owned);
        let own = names.len();
        names.extend(types);
        let owners: Vec<u32> = (hashes.into_iter())
            .chain(names.iter().skip(own).map(|name| class_hash(name.as_bytes())))
            .chain(self.owners)
            .collect();
        let signatures: Vec<u32> =
            rows.iter().map(|(_, signature)| *signature).chain(self.signatures).collect();
        let mut methods: Vec<NamedMethod> = rows.iter().map(|(method, _)| *method).collect();
        let mut owner = 0_u32;
        for (difference, signature) in self.others {
            owner = owner.saturating_add(difference);
            let owner = owners.get(owner as usize);
            let signature = signatures.get(signature as usize);
            let (Some(owner), Some(signature)) = (owner, signature) else {
                return Err("a call site names nothing".into());
            };
            methods.push(NamedMethod::new(*owner, *signature));
        }
        let mut reader = Reader {
            names,
            signatures,
            methods,
            classes: self.classes.into_iter(),
            rows: self.methods.into_iter(),
            unlisted: self.unlisted.into_iter(),
            next_unlisted: None,
            sites: self.sites.into_iter(),
            row: 0,
        };
        reader.advance_unlisted(0);
        let mut first_row = 0;
        for class in classes {
            let of_class = first_row..first_row + class.methods.len();
            class.calls = reader
                .class(of_class, &rows)
                .ok_or_else(|| format!("the calls of class {} are damaged", class.name))?;
            first_row += class.methods.len();
        }
        match reader.is_empty() {
            true => Ok(()),
            false => Err("it has calls without a class".into()),
        }
    }
}

fn zigzag(base: u32, number: u32) -> u32 {
    match number.checked_sub(base) {
        Some(above) => above << 1,
        None => (base - number) << 1 | 1,
    }
}

fn unzigzag(base: u32, number: u32) -> Option<u32> {
    match number & 1 {
        0 => base.checked_add(number >> 1),
        _ => base.checked_sub(number >> 1),
    }
}

/// What is left of the columns. Nothing in them is trusted.
struct Reader {
    /// By type number, of those with a name.
    names: Vec<String>,
    /// By signature number.
    signatures: Vec<u32>,
    /// By method number.
    methods: Vec<NamedMethod>,
    classes: IntoIter<u32>,
    rows: IntoIter<u32>,
    unlisted: IntoIter<(u32, u32)>,
    /// The next method in `unlisted`, and its signature number.
    next_unlisted: Option<(u32, u32)>,
    sites: IntoIter<u32>,
    /// Methods of `rows` so far.
    row: u32,
}

impl Reader {
    fn advance_unlisted(&mut self, from: u32) {
        let next = self.unlisted.next();
        self.next_unlisted =
            next.and_then(|(distance, of)| Some((from.checked_add(distance)?, of)));
    }

    fn is_empty(&self) -> bool {
        let Self { classes, rows, unlisted, next_unlisted, sites, .. } = self;
        [classes, rows, sites].iter().all(|left| left.len() == 0)
            && unlisted.len() == 0
            && next_unlisted.is_none()
    }

    fn name(&self, number: u32) -> Option<String> {
        self.names.get(number as usize).cloned()
    }

    fn class(
        &mut self,
        mut listed: std::ops::Range<usize>,
        rows: &[(NamedMethod, u32)],
    ) -> Option<ClassCalls> {
        let first_row = listed.start as u32;
        let super_class = match self.classes.next()? {
            0 => None,
            number => Some(self.name(number - 1)?),
        };
        let interfaces = self.classes.next()?;
        let interfaces: Option<Vec<String>> = (0..interfaces)
            .map(|_| {
                let number = self.classes.next()?;
                self.name(number)
            })
            .collect();
        let count = self.classes.next()?;
        let handles = self.classes.next()?;
        let handles: Option<Vec<NamedMethod>> = (0..handles)
            .map(|_| {
                let number = self.classes.next()?;
                self.methods.get(number as usize).copied()
            })
            .collect();
        let mut handles = handles?;
        handles.sort_unstable();
        let methods: Option<Vec<MethodCalls>> = (0..count)
            .map(|_| {
                let signature = match self.next_unlisted {
                    Some((at, signature)) if at == self.row => {
                        self.advance_unlisted(at);
                        *self.signatures.get(signature as usize)?
                    }
                    _ => rows.get(listed.next()?)?.1,
                };
                self.row += 1;
                self.method(signature, first_row)
            })
            .collect();
        Some(ClassCalls { super_class, interfaces: interfaces?, methods: methods?, handles })
    }

    fn method(&mut self, signature: u32, first_row: u32) -> Option<MethodCalls> {
        let row = self.rows.next()?;
        let mut last: Option<u32> = None;
        let sites: Option<Vec<NamedMethod>> = (0..row >> 3)
            .map(|_| {
                let number = self.sites.next()?;
                let site = match last {
                    Some(last) => last.checked_add(number)?,
                    None => unzigzag(first_row, number)?,
                };
                last = Some(site);
                self.methods.get(site as usize).copied()
            })
            .collect();
        let mut sites = sites?;
        sites.sort_unstable();
        Some(MethodCalls { signature, traits: CallTraits((row & 7) as u8), sites })
    }
}
