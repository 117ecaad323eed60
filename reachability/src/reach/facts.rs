//! Edges from a method's facts.

use super::analysis::Analysis;
use super::query::ClassNames;
use super::state::CurrentMethod;
use crate::facts::{FactTarget, interpret, upcalls};
use crate::reached::MissingReference;
use crate::{Body, ClassId, Fact, MethodIx, MethodRef, NameId, Reason, Unresolved, World, access};

impl Analysis<'_, '_> {
    /// Follows all facts of a method.
    pub(super) fn look_at(&mut self, node: u32, method: MethodIx) {
        let row = self.world.row(method);
        let (class, position) = (row.class, self.world.position(method));
        let here = CurrentMethod { node, method, class, body: Body::default(), position };
        if !self.world.is_program(class) {
            upcalls(self, here, method);
        }
        if row.is(access::ABSTRACT | access::NATIVE) {
            return;
        }
        let code = self.world.code(class);
        let Some(&body) = code.bodies.get(position) else { return };
        let here = CurrentMethod { body, ..here };
        let facts = code.facts(position);
        for &fact in facts {
            interpret(self, here, fact);
        }
        self.chosen_from(here);
        if body.has(Body::LOOKS_UP_MEMBERS) {
            self.looked_up(here, facts);
        }
    }

    /// Calls every constructor of the class: the code looks one up by its parameters.
    fn choose(&mut self, here: CurrentMethod, class: ClassId) {
        for constructor in self.world.constructors_to_choose(class) {
            self.call(here.node, constructor, Reason::Reflection);
        }
    }

    /// If this program method looks up constructors by their parameters, the classes that other
    /// methods name count too.
    fn chosen_from(&mut self, here: CurrentMethod) {
        if here.body.has(Body::CHOOSES_CONSTRUCTORS)
            && self.world.is_program(here.class)
            && !self.chooses
        {
            self.chooses = true;
            for (here, class) in std::mem::take(&mut self.choosable) {
                self.choose(here, class);
            }
        }
    }

    /// Instantiates the default values of an annotation's methods: code that reads the annotation
    /// gets them.
    fn annotation_defaults(&mut self, here: CurrentMethod, annotation: ClassId) {
        let code = self.world.code(annotation);
        for position in 0..code.bodies.len() {
            for &fact in code.facts(position) {
                if let Fact::ClassConstant(name) = fact
                    && self.world.in_program(name)
                {
                    let class = self.world.class_of(name);
                    self.instantiate(here, class, Reason::Reflection);
                }
            }
        }
    }

    /// Initialises and instantiates a class that is loaded by name.
    pub(super) fn named(&mut self, here: CurrentMethod, name: NameId) {
        if self.world.has(name) {
            let class = self.world.class_of(name);
            self.init(here.node, class, Reason::ClassName);
            self.instantiate(here, class, Reason::ClassName);
            match here.body.has(Body::CHOOSES_CONSTRUCTORS) || self.chooses {
                true => self.choose(here, class),
                false => self.choosable.push((here, class)),
            }
        }
    }

    /// Instantiates a class by reflection, with the constructors that reflection may call.
    pub(super) fn instantiate(&mut self, here: CurrentMethod, class: ClassId, reason: Reason) {
        if !self.world.is_concrete(class) {
            return;
        }
        self.init(here.node, class, reason);
        self.allocate(class, Some(here.method));
        for constructor in self.world.constructors_by_reflection(class) {
            self.call(here.node, constructor, reason);
        }
        self.populate_later(class);
    }

    /// Handles a class constant. It may be a service that other code loads.
    fn mention(&mut self, class: ClassId) {
        if self.providers.contains_key(&class) && !self.mentioned.contains(&class) {
            self.mentioned.push(class);
            for here in self.loaders.clone() {
                self.provide(here, class);
            }
        }
    }

    /// Instantiates all providers of a service.
    fn provide(&mut self, here: CurrentMethod, service: ClassId) {
        for provider in self.providers.get(&service).cloned().unwrap_or_default() {
            if self.world.is_missing(provider) {
                let why = Unresolved::NoClass(provider);
                self.unresolved.push(MissingReference {
                    from: here.method,
                    owner: provider,
                    sig: None,
                    why,
                });
                continue;
            }
            self.instantiate(here, provider, Reason::Service);
            let all: Vec<MethodIx> = self.world.methods_of(provider).collect();
            for method in all {
                let row = self.world.row(method);
                let names = self.world.names();
                let makes = names.name_of(row.sig) == b"provider"
                    && names.descriptor_of(row.sig).starts_with(b"()");
                if makes && row.is(access::STATIC) && row.is(access::PUBLIC) {
                    self.init(here.node, provider, Reason::Service);
                    self.call(here.node, method, Reason::Service);
                }
            }
        }
    }

    /// Reaches methods that are looked up by reflection. Their names are constants here, and their
    /// classes are class constants here or the method's own.
    fn looked_up(&mut self, here: CurrentMethod, facts: &[Fact]) {
        let mut wanted: Vec<NameId> = facts
            .iter()
            .filter_map(|fact| if let Fact::MemberName(name) = fact { Some(*name) } else { None })
            .collect();
        wanted.sort_unstable();
        let mut classes = vec![here.class];
        for fact in facts {
            if let Fact::ClassConstant(name) = fact
                && self.world.has(*name)
            {
                classes.push(self.world.class_of(*name));
            }
        }
        for class in classes {
            let all: Vec<MethodIx> = self.world.methods_of(class).collect();
            for method in all {
                let row = self.world.row(method);
                if wanted.binary_search(&self.world.names().parts(row.sig).0).is_ok() {
                    self.reflected(here, class, method);
                }
            }
        }
    }

    pub(super) fn reflected(&mut self, here: CurrentMethod, class: ClassId, method: MethodIx) {
        if self.world.row(method).is(access::STATIC) {
            self.init(here.node, class, Reason::Reflection);
            self.call(here.node, method, Reason::Reflection);
        } else {
            self.call_virtually(here.node, class, method, Reason::Reflection);
        }
    }
}

impl<'s> FactTarget<'s> for Analysis<'_, 's> {
    type Method = CurrentMethod;

    fn world(&mut self) -> &mut World<'s> {
        self.world
    }

    fn declaring_class(&self, here: CurrentMethod) -> ClassId {
        here.class
    }

    /// Lists the class if it is missing.
    fn used_class(&mut self, here: CurrentMethod, _: Fact, name: NameId) -> Option<ClassId> {
        let class = self.world.class_of(name);
        if self.world.is_missing(class) {
            let why = Unresolved::NoClass(class);
            let (from, owner) = (here.method, class);
            self.unresolved.push(MissingReference { from, owner, sig: None, why });
            return None;
        }
        Some(class)
    }

    fn owner(&mut self, _: CurrentMethod, _: Fact, name: NameId) -> Option<ClassId> {
        Some(self.world.class_of(name))
    }

    fn unresolved(
        &mut self,
        here: CurrentMethod,
        _: Fact,
        owner: ClassId,
        reference: MethodRef,
        why: Unresolved,
    ) {
        let (from, sig) = (here.method, Some(reference.sig));
        self.unresolved.push(MissingReference { from, owner, sig, why });
    }

    fn initialise(&mut self, here: CurrentMethod, class: ClassId) {
        self.init(here.node, class, Reason::Init);
    }

    fn allocate(&mut self, here: CurrentMethod, class: ClassId) {
        Analysis::allocate(self, class, Some(here.method));
    }

    fn call(&mut self, here: CurrentMethod, method: MethodIx, reason: Reason) {
        Analysis::call(self, here.node, method, reason);
    }

    fn call_virtually(
        &mut self,
        here: CurrentMethod,
        owner: ClassId,
        method: MethodIx,
        reason: Reason,
    ) {
        Analysis::call_virtually(self, here.node, owner, method, reason);
    }

    /// Adds an object with the lambda's interfaces. Its methods call the target.
    fn lambda(&mut self, here: CurrentMethod, number: u32) {
        let code = self.world.code(here.class);
        let Some(lambda) = code.lambdas.get(number as usize) else { return };
        let class = self.world.lambda_class(here.class, here.position, number, lambda);
        Analysis::allocate(self, class, Some(here.method));
    }

    fn class_constant(&mut self, here: CurrentMethod, _: Fact, name: NameId) {
        if self.world.names().text(name).starts_with(b"[") {
            return;
        }
        let class = self.world.class_of(name);
        self.mention(class);
        // A class's own constant is usually for loggers and locks.
        let anywhere = self.query.class_names == ClassNames::Anywhere
            && class != here.class
            && self.world.is_program(here.class)
            && self.world.is_program(class);
        if anywhere || here.body.has(Body::LOOKS_UP_CONSTRUCTORS) {
            self.instantiate(here, class, Reason::Reflection);
        }
        if here.body.has(Body::CHOOSES_CONSTRUCTORS) || anywhere && self.chooses {
            self.choose(here, class);
        } else if anywhere {
            self.choosable.push((here, class));
        }
        if self.world.is_program(class) && self.world.get(class).access & access::ANNOTATION != 0 {
            self.annotation_defaults(here, class);
        }
        // `valueOf` and `EnumSet` call `values()` by reflection.
        if let Some(values) = self.world.enum_values(class) {
            self.init(here.node, class, Reason::Reflection);
            Analysis::call(self, here.node, values, Reason::Reflection);
        }
    }

    fn class_for_name(&mut self, here: CurrentMethod, _: Fact, name: NameId) {
        self.named(here, name);
    }

    fn name_like(&mut self, here: CurrentMethod, _: Fact, name: NameId) {
        let near = here.body.has(Body::TAKES_CLASS_NAMES);
        let anywhere = self.query.class_names == ClassNames::Anywhere
            && self.world.is_program(here.class)
            && self.world.in_program(name);
        if near || anywhere {
            self.named(here, name);
        }
    }

    /// `ServiceLoader.load` of a constant class instantiates its providers. If the class is
    /// unknown, it instantiates those of each service that is a class constant in a reached method.
    fn service(&mut self, here: CurrentMethod, service: Option<NameId>) {
        match service {
            Some(service) => {
                let service = self.world.class_of(service);
                self.provide(here, service);
            }
            None => {
                for service in self.mentioned.clone() {
                    self.provide(here, service);
                }
                self.loaders.push(here);
            }
        }
    }
}
