//! Objects that reflection makes, as in dependency injection, test runners and event buses. Their
//! constructors get objects as arguments, and their annotated methods are called.

use super::analysis::Analysis;
use super::state::CurrentMethod;
use crate::descriptor::{Kind, kinds};
use crate::mirror::access;
use crate::{Body, ClassId, MethodIx, Reason};

impl Analysis<'_, '_> {
    /// Remembers a class that reflection instantiates, for `populate`.
    pub(super) fn populate_later(&mut self, class: ClassId) {
        // Reflection makes no objects of enums.
        let counts =
            self.world.is_program(class) && self.world.get(class).access & access::ENUM == 0;
        if counts && self.populated.insert(class) {
            self.unpopulated.push(class);
        }
    }

    pub(super) fn populate(&mut self) {
        while let Some(class) = self.unpopulated.pop() {
            let annotated = self.annotated_methods(class);
            for constructor in self.world.constructors_by_reflection(class) {
                let node = self.method(constructor);
                let here = CurrentMethod {
                    node,
                    method: constructor,
                    class,
                    body: Body::default(),
                    position: 0,
                };
                self.make_parameters(here, constructor);
                for &method in &annotated {
                    self.reflected(here, class, method);
                    self.make_parameters(here, method);
                }
            }
        }
    }

    /// Instantiates the parameter types of a method that are classes of the program.
    fn make_parameters(&mut self, here: CurrentMethod, method: MethodIx) {
        let descriptor = self.world.names().descriptor_of(self.world.row(method).sig).to_vec();
        for kind in kinds(crate::bootstrap::split(&descriptor).0) {
            let Kind::Class(name) = kind else { continue };
            let name = match name.iter().position(|&b| b != b'[') {
                None | Some(0) => name,
                Some(at) => {
                    match name[at..].strip_prefix(b"L").and_then(|name| name.strip_suffix(b";")) {
                        Some(element) => element,
                        None => continue,
                    }
                }
            };
            let Some(name) = self.world.names().find(name) else { continue };
            if self.world.in_program(name) {
                let class = self.world.class_of(name);
                if self.world.get(class).access & access::ENUM == 0 {
                    self.instantiate(here, class, Reason::Reflection);
                }
            }
        }
    }

    /// The methods, declared or inherited, that have an annotation type of the program.
    fn annotated_methods(&mut self, class: ClassId) -> Vec<MethodIx> {
        let mut found = Vec::new();
        for &above in self.world.supertypes(class).iter() {
            if !self.world.is_program(above) {
                continue;
            }
            let code = self.world.code(above);
            let of_class =
                self.world.methods_of(above).filter(|&method| !self.world.is_constructor(method));
            found.extend(of_class.filter(|&method| self.world.is_annotated(&code, method)));
        }
        found
    }
}
