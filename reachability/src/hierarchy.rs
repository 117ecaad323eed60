//! Queries on supertypes. The supertype edges of a world have no cycle.

use crate::{ClassId, MethodIx, SigId, World, access};
use std::sync::Arc;

impl World<'_> {
    /// The class itself and all its superclasses, from the bottom up.
    pub fn superclasses(&self, class: ClassId) -> impl Iterator<Item = ClassId> + '_ {
        std::iter::successors(Some(class), |&class| self.get(class).super_class)
    }

    /// The direct superinterfaces, in their order.
    pub fn interfaces(&self, class: ClassId) -> &[ClassId] {
        &self.get(class).interfaces
    }

    /// The class itself and all its supertypes, each once.
    pub fn supertypes(&mut self, class: ClassId) -> Arc<[ClassId]> {
        if let Some(known) = &self.get(class).supertypes {
            return known.clone();
        }
        let mut all = vec![class];
        let mut next = 0;
        while let Some(&at) = all.get(next) {
            next += 1;
            let mirror = self.get(at);
            for &above in mirror.super_class.iter().chain(&mirror.interfaces) {
                if !all.contains(&above) {
                    all.push(above);
                }
            }
        }
        let all: Arc<[ClassId]> = all.into();
        self.get_mut(class).supertypes = Some(all.clone());
        all
    }

    /// Whether the first is the second or one of its subtypes.
    pub fn is_subtype(&mut self, class: ClassId, of: ClassId) -> bool {
        class == of || self.supertypes(class).contains(&of)
    }

    /// The maximally-specific superinterface methods of a class for a name and descriptor (JVMS
    /// 5.4.3.3).
    pub(crate) fn maximally_specific(&mut self, class: ClassId, sig: SigId) -> Vec<MethodIx> {
        let supertypes = self.supertypes(class);
        let mut found: Vec<MethodIx> = Vec::new();
        for &interface in
            supertypes.iter().filter(|&&above| above != class && self.is_interface(above))
        {
            if let Some(method) = self.declared(interface, sig)
                && !self.row(method).is(access::PRIVATE | access::STATIC)
            {
                found.push(method);
            }
        }
        if found.len() > 1 {
            let all = found.clone();
            found.retain(|&method| {
                let interface = self.row(method).class;
                !all.iter().any(|&other| {
                    let other = self.row(other).class;
                    other != interface && self.is_subtype(other, interface)
                })
            });
        }
        found
    }
}
