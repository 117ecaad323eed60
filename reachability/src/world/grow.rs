//! Classes of several class files: one of the class path, and what an agent or another class loader
//! has made of it.

use super::{ClassId, Method, MethodIx, State, World};
use crate::{Body, ClassCode, DefineOutcome, Fact, Header, checksum};
use classfile_writer::ClassFile;
use std::sync::Arc;

/// Seed of the checksums of class files.
const SEED: u64 = 0x6a66_6772;

impl World<'_> {
    /// Whether the class has the code of this class file.
    pub(super) fn has_file(&self, class: ClassId, bytes: &[u8]) -> bool {
        let known = self.get(class);
        let is_found = match known.state {
            State::Loaded(location) => self.containers.has(self.source, location, bytes),
            State::Defined { .. } | State::Array | State::Made | State::Missing => false,
        };
        is_found || known.files.contains(&Self::file_sum(bytes))
    }

    pub(super) fn file_sum(bytes: &[u8]) -> u64 {
        checksum(SEED, bytes)
    }

    /// Adds to a known class what a further class file has: methods, calls and supertypes. Nothing
    /// is taken away, so that every method keeps its number.
    pub(super) fn grow(
        &mut self,
        class: ClassId,
        header: Header,
        file: &ClassFile<'_>,
        bytes: &[u8],
    ) -> DefineOutcome {
        let before = self.code(class);
        let has_new_methods = self.add_further(class, &header);
        let has_new_supertypes = self.add_supertypes(class, &header);
        let new = crate::code(file, &mut self.names);
        let count = self.methods_of(class).count();
        let mut positions = vec![None; count];
        for (at, method) in header.methods.iter().enumerate() {
            if let Some(method) = self.declared(class, method.sig)
                && let Some(place) = positions.get_mut(self.position(method))
            {
                *place = Some(at);
            }
        }
        let joined = join(&before, &new, &positions);
        let has_new_code = joined.facts.len() > before.facts.len()
            || joined.bodies.iter().zip(&before.bodies).any(|(now, old)| now.flags != old.flags);
        let known = self.get_mut(class);
        known.files.push(Self::file_sum(bytes));
        known.static_fields.extend(header.static_fields);
        known.static_fields.sort_unstable();
        known.static_fields.dedup();
        if has_new_code || has_new_methods {
            known.code = Some(Arc::new(joined));
        }
        let members = has_new_methods || has_new_supertypes;
        match members || has_new_code {
            true => DefineOutcome::Grown { class, members },
            false => DefineOutcome::Known(class),
        }
    }

    /// Adds rows for the methods that the class lacks. Returns whether there are any.
    fn add_further(&mut self, class: ClassId, header: &Header) -> bool {
        let mut is_new = false;
        for method in &header.methods {
            if self.declared(class, method.sig).is_some() {
                continue;
            }
            let further = MethodIx(self.methods.len() as u32);
            self.methods.push(Method { class, sig: method.sig, access: method.access });
            // Row for row beside `methods`.
            self.by_sig.push((method.sig, further));
            self.get_mut(class).further.push(further);
            is_new = true;
        }
        is_new
    }

    /// Adds the supertypes that the class lacks; another superclass takes the place of the first.
    /// Returns whether there are any.
    fn add_supertypes(&mut self, class: ClassId, header: &Header) -> bool {
        let (super_class, interfaces) = self.supertypes_in(class, header);
        let known = self.get_mut(class);
        let count = known.interfaces.len();
        for interface in interfaces {
            if !known.interfaces.contains(&interface) {
                known.interfaces.push(interface);
            }
        }
        let has_other = super_class.is_some() && super_class != known.super_class;
        let is_new = has_other || known.interfaces.len() > count;
        if has_other {
            known.super_class = super_class;
        }
        if is_new {
            self.forget_supertypes(class);
        }
        is_new
    }
}

/// The code of two class files as one. `positions` has for each method of the class its place in
/// `new`, if it is there.
fn join(old: &ClassCode, new: &ClassCode, positions: &[Option<usize>]) -> ClassCode {
    let mut joined = ClassCode { lambdas: old.lambdas.clone(), ..ClassCode::default() };
    let mut numbers = Vec::with_capacity(new.lambdas.len());
    for lambda in &new.lambdas {
        let known = joined.lambdas.iter().position(|known| known == lambda);
        numbers.push(known.unwrap_or(joined.lambdas.len()) as u32);
        if known.is_none() {
            joined.lambdas.push(lambda.clone());
        }
    }
    for (at, &position) in positions.iter().enumerate() {
        let start = joined.facts.len();
        let mut body = old.bodies.get(at).copied().unwrap_or_default();
        joined.facts.extend_from_slice(old.facts(at));
        if let Some(position) = position {
            let other: Body = new.bodies.get(position).copied().unwrap_or_default();
            body.flags |= other.flags;
            body.call_sites = body.call_sites.max(other.call_sites);
            for &fact in new.facts(position) {
                let fact = match fact {
                    Fact::Lambda(number) => {
                        Fact::Lambda(numbers.get(number as usize).copied().unwrap_or(number))
                    }
                    fact => fact,
                };
                if joined.facts.get(start..).is_none_or(|facts| !facts.contains(&fact)) {
                    joined.facts.push(fact);
                }
            }
        }
        body.start = start as u32;
        body.len = (joined.facts.len() - start) as u32;
        joined.bodies.push(body);
    }
    joined
}
