//! Methods that the JVM or reflection calls for a class: initialisers, and constructors.

use crate::{
    Body, ClassCode, ClassId, Fact, Header, Lambda, MethodHeader, MethodIx, World, access,
};

impl World<'_> {
    /// The initialisers that run when a class is initialised (JVMS 5.5): its own, those of its
    /// superclasses, and those of superinterfaces with a non-static method that has code.
    pub(crate) fn initialisers(&mut self, class: ClassId) -> Vec<MethodIx> {
        let sig = self.names.sig_of(b"<clinit>", b"()V");
        if self.is_interface(class) {
            return self.declared(class, sig).into_iter().collect();
        }
        let mut found = Vec::new();
        for &above in self.supertypes(class).iter() {
            let Some(method) = self.declared(above, sig) else { continue };
            let counts = above == class || !self.is_interface(above) || self.has_default(above);
            found.extend(counts.then_some(method));
        }
        found
    }

    fn has_default(&self, interface: ClassId) -> bool {
        let mut methods = self.methods_of(interface);
        methods.any(|method| !self.row(method).is(access::ABSTRACT | access::STATIC))
    }

    pub(crate) fn is_constructor(&self, method: MethodIx) -> bool {
        self.names().name_of(self.row(method).sig) == b"<init>"
    }

    /// The constructors that reflection may call: the one without parameters and those with an
    /// annotation type of the program, or else all.
    pub(crate) fn constructors_by_reflection(&mut self, class: ClassId) -> Vec<MethodIx> {
        let plain = self.names.sig_of(b"<init>", b"()V");
        let all: Vec<MethodIx> =
            self.methods_of(class).filter(|&method| self.is_constructor(method)).collect();
        let Some(plain) = self.declared(class, plain) else { return all };
        if all.len() == 1 || !self.is_program(class) {
            return vec![plain];
        }
        let code = self.code(class);
        let counts = |&method: &MethodIx| method == plain || self.is_annotated(&code, method);
        all.into_iter().filter(counts).collect()
    }

    /// All constructors of a program class, for code that looks them up by parameters. Empty for
    /// other classes.
    pub(crate) fn constructors_to_choose(&self, class: ClassId) -> Vec<MethodIx> {
        let counts = self.is_program(class) && self.is_concrete(class);
        let all = self.methods_of(class).filter(|&method| self.is_constructor(method));
        if counts { all.collect() } else { Vec::new() }
    }

    /// Whether a method of the class with this code has an annotation type of the program. A JVM
    /// hides annotations whose type is missing.
    pub(crate) fn is_annotated(&self, code: &ClassCode, method: MethodIx) -> bool {
        let of_program =
            |fact: &Fact| matches!(*fact, Fact::Annotated(name) if self.in_program(name));
        code.facts(self.position(method)).iter().any(of_program)
    }

    /// `values()` of an enum, which `valueOf` and `EnumSet` call by reflection.
    pub(crate) fn enum_values(&mut self, class: ClassId) -> Option<MethodIx> {
        let mirror = self.get(class);
        if mirror.access & access::ENUM == 0 {
            return None;
        }
        let descriptor = [b"()[L", self.names.text(mirror.name), b";"].concat();
        let sig = self.names.sig_of(b"values", &descriptor);
        self.declared(class, sig)
    }

    /// The class of a lambda object: it has the interfaces, and its methods call the target.
    /// `position` is that of the method in `host`, and `number` that of the lambda in the class.
    pub(crate) fn lambda_class(
        &mut self,
        host: ClassId,
        position: usize,
        number: u32,
        lambda: &Lambda,
    ) -> ClassId {
        let host = self.names.text(self.get(host).name);
        let name = [host, format!("$$Lambda/{position}/{number}").as_bytes()].concat();
        let object = self.names.intern(b"java/lang/Object");
        let header = Header {
            name: object,
            super_class: Some(object),
            interfaces: lambda.interfaces.clone(),
            access: access::FINAL,
            major: 0,
            methods: lambda
                .methods
                .iter()
                .map(|&sig| MethodHeader { sig, access: access::PUBLIC })
                .collect(),
            static_fields: Vec::new(),
        };
        let body = Body { len: 1, call_sites: 1, ..Body::default() };
        let code = ClassCode {
            bodies: vec![body; lambda.methods.len()],
            facts: vec![Fact::Handle(lambda.target)],
            ..ClassCode::default()
        };
        self.make(&name, header, code)
    }
}
