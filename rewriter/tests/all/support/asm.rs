//! A small assembler for class files that javac does not make. It shares no code with the reader
//! under test.

use std::collections::HashMap;

/// A class under construction.
pub struct Class {
    major: u16,
    minor: u16,
    access: u16,
    pool: Vec<u8>,
    next: u16,
    known: HashMap<Vec<u8>, u16>,
    this: u16,
    parent: u16,
    methods: Vec<u8>,
    method_count: u16,
    attributes: Vec<u8>,
    attribute_count: u16,
}

/// What a method's Code attribute holds besides the code.
#[derive(Default)]
pub struct Body {
    pub max_stack: u16,
    pub max_locals: u16,
    pub code: Vec<u8>,
    /// start, end, handler, catch type.
    pub handlers: Vec<(u16, u16, u16, u16)>,
    /// Frames as bytes with their count; none for no StackMapTable.
    pub frames: Option<(u16, Vec<u8>)>,
    /// Further attributes: name and content.
    pub attributes: Vec<(&'static str, Vec<u8>)>,
}

pub const PUBLIC_STATIC: u16 = 9;
pub const PUBLIC: u16 = 1;

impl Class {
    pub fn new(major: u16, name: &str) -> Self {
        Self::extending(major, name, "java/lang/Object")
    }

    pub fn extending(major: u16, name: &str, parent: &str) -> Self {
        let mut class = Self {
            major,
            minor: if major == 45 { 3 } else { 0 },
            access: 0x21,
            pool: Vec::new(),
            next: 1,
            known: HashMap::new(),
            this: 0,
            parent: 0,
            methods: Vec::new(),
            method_count: 0,
            attributes: Vec::new(),
            attribute_count: 0,
        };
        class.this = class.class(name);
        class.parent = class.class(parent);
        class
    }

    fn entry(&mut self, bytes: Vec<u8>) -> u16 {
        if let Some(&ix) = self.known.get(&bytes) {
            return ix;
        }
        let ix = self.next;
        self.next += if matches!(bytes[0], 5 | 6) { 2 } else { 1 };
        self.pool.extend_from_slice(&bytes);
        self.known.insert(bytes, ix);
        ix
    }

    fn pair(&mut self, tag: u8, a: u16, b: u16) -> u16 {
        let mut bytes = vec![tag];
        bytes.extend(a.to_be_bytes());
        bytes.extend(b.to_be_bytes());
        self.entry(bytes)
    }

    fn one(&mut self, tag: u8, a: u16) -> u16 {
        let mut bytes = vec![tag];
        bytes.extend(a.to_be_bytes());
        self.entry(bytes)
    }

    pub fn pool_count(&self) -> u16 {
        self.next
    }

    pub fn utf8(&mut self, text: &str) -> u16 {
        let mut bytes = vec![1];
        bytes.extend((text.len() as u16).to_be_bytes());
        bytes.extend(text.as_bytes());
        self.entry(bytes)
    }

    pub fn integer(&mut self, value: i32) -> u16 {
        let mut bytes = vec![3];
        bytes.extend(value.to_be_bytes());
        self.entry(bytes)
    }

    pub fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.one(7, name)
    }

    pub fn string(&mut self, text: &str) -> u16 {
        let text = self.utf8(text);
        self.one(8, text)
    }

    fn name_and_type(&mut self, name: &str, descriptor: &str) -> u16 {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        self.pair(12, name, descriptor)
    }

    pub fn method_ref(&mut self, class: &str, name: &str, descriptor: &str) -> u16 {
        let (class, both) = (self.class(class), self.name_and_type(name, descriptor));
        self.pair(10, class, both)
    }

    /// A `CONSTANT_Dynamic` whose bootstrap method is a `static` one; the BootstrapMethods
    /// attribute is added with it.
    pub fn dynamic(&mut self, bootstrap: (&str, &str, &str), name: &str, descriptor: &str) -> u16 {
        self.cyclic_dynamic(bootstrap, name, descriptor, 0)
    }

    /// [`Class::dynamic`] with so many static arguments, each of them the constant itself.
    pub fn cyclic_dynamic(
        &mut self,
        bootstrap: (&str, &str, &str),
        name: &str,
        descriptor: &str,
        arguments: u16,
    ) -> u16 {
        let method = self.method_ref(bootstrap.0, bootstrap.1, bootstrap.2);
        let mut handle = vec![15, 6];
        handle.extend(method.to_be_bytes());
        let handle = self.entry(handle);
        let both = self.name_and_type(name, descriptor);
        let constant = self.pair(17, 0, both);
        let mut info = vec![0, 1];
        info.extend(handle.to_be_bytes());
        info.extend(arguments.to_be_bytes());
        info.extend(constant.to_be_bytes().repeat(usize::from(arguments)));
        self.attribute("BootstrapMethods", &info);
        constant
    }

    pub fn attribute(&mut self, name: &str, info: &[u8]) {
        let name = self.utf8(name);
        self.attributes.extend(name.to_be_bytes());
        self.attributes.extend((info.len() as u32).to_be_bytes());
        self.attributes.extend(info);
        self.attribute_count += 1;
    }

    pub fn method(&mut self, access: u16, name: &str, descriptor: &str, body: Body) {
        let (name, descriptor, code) = (self.utf8(name), self.utf8(descriptor), self.utf8("Code"));
        let mut info = Vec::new();
        if (self.major, self.minor) == (45, 0) {
            info.extend([body.max_stack as u8, body.max_locals as u8]);
            info.extend((body.code.len() as u16).to_be_bytes());
        } else {
            info.extend(body.max_stack.to_be_bytes());
            info.extend(body.max_locals.to_be_bytes());
            info.extend((body.code.len() as u32).to_be_bytes());
        }
        info.extend(&body.code);
        info.extend((body.handlers.len() as u16).to_be_bytes());
        for (start, end, handler, catch) in body.handlers {
            info.extend([start, end, handler, catch].iter().flat_map(|v| v.to_be_bytes()));
        }
        let mut attributes: Vec<(&str, Vec<u8>)> = body.attributes;
        if let Some((count, frames)) = body.frames {
            attributes.push(("StackMapTable", [&count.to_be_bytes()[..], &frames].concat()));
        }
        info.extend((attributes.len() as u16).to_be_bytes());
        for (name, content) in attributes {
            info.extend(self.utf8(name).to_be_bytes());
            info.extend((content.len() as u32).to_be_bytes());
            info.extend(content);
        }
        self.methods
            .extend([access, name, descriptor, 1, code].iter().flat_map(|v| v.to_be_bytes()));
        self.methods.extend((info.len() as u32).to_be_bytes());
        self.methods.extend(info);
        self.method_count += 1;
    }

    /// A method without attributes.
    pub fn bare_method(&mut self, access: u16, name: &str, descriptor: &str) {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        self.methods.extend([access, name, descriptor, 0].iter().flat_map(|v| v.to_be_bytes()));
        self.method_count += 1;
    }

    /// Makes the class one of version 45.0, whose Code attributes have narrower fields. Before the
    /// first method.
    pub fn oldest(mut self) -> Self {
        (self.major, self.minor) = (45, 0);
        self
    }

    /// `public static String run()` that returns a constant after calling `name()V` of this class,
    /// or after nothing.
    pub fn run_calling(&mut self, own: &str, name: Option<&str>) {
        let text = self.string("done");
        let mut code = Vec::new();
        if let Some(name) = name {
            let callee = self.method_ref(own, name, "()V");
            code.push(0xb8);
            code.extend(callee.to_be_bytes());
        }
        code.push(0x13);
        code.extend(text.to_be_bytes());
        code.push(0xb0);
        let body = Body { max_stack: 1, code, ..Body::default() };
        self.method(PUBLIC_STATIC, "run", "()Ljava/lang/String;", body);
    }

    pub fn bytes(self) -> Vec<u8> {
        let mut out = vec![0xca, 0xfe, 0xba, 0xbe];
        out.extend([self.minor, self.major, self.next].iter().flat_map(|v| v.to_be_bytes()));
        out.extend(&self.pool);
        out.extend(
            [self.access, self.this, self.parent, 0, 0, self.method_count]
                .iter()
                .flat_map(|v| v.to_be_bytes()),
        );
        out.extend(&self.methods);
        out.extend(self.attribute_count.to_be_bytes());
        out.extend(&self.attributes);
        out
    }
}

/// Code with named positions; branches are patched at the end. Wide branches take four bytes.
#[derive(Default)]
pub struct Asm {
    code: Vec<u8>,
    labels: HashMap<&'static str, usize>,
    /// Instruction, where its offset lies, how wide it is, label.
    fixes: Vec<(usize, usize, usize, &'static str)>,
}

impl Asm {
    pub fn op(mut self, bytes: &[u8]) -> Self {
        self.code.extend_from_slice(bytes);
        self
    }

    /// An opcode and a two-byte operand.
    pub fn ix(mut self, opcode: u8, index: u16) -> Self {
        self.code.push(opcode);
        self.code.extend(index.to_be_bytes());
        self
    }

    pub fn jump(mut self, opcode: u8, label: &'static str) -> Self {
        let width = if matches!(opcode, 0xc8 | 0xc9) { 4 } else { 2 };
        let at = self.code.len();
        self.fixes.push((at, at + 1, width, label));
        self.code.push(opcode);
        self.code.resize(at + 1 + width, 0);
        self
    }

    pub fn label(mut self, name: &'static str) -> Self {
        self.labels.insert(name, self.code.len());
        self
    }

    pub fn nops(mut self, count: usize) -> Self {
        self.code.resize(self.code.len() + count, 0);
        self
    }

    /// A `tableswitch` from 0 on.
    pub fn table_switch(mut self, default: &'static str, cases: &[&'static str]) -> Self {
        let from = self.code.len();
        self.code.push(0xaa);
        self.code.resize(self.code.len().next_multiple_of(4), 0);
        self.fixes.push((from, self.code.len(), 4, default));
        self.code.extend([0; 8]);
        self.code.extend((cases.len() as u32 - 1).to_be_bytes());
        for case in cases {
            self.fixes.push((from, self.code.len(), 4, case));
            self.code.extend([0; 4]);
        }
        self
    }

    pub fn at(&self, label: &str) -> u16 {
        self.labels[label] as u16
    }

    pub fn length(&self) -> usize {
        self.code.len()
    }

    pub fn finish(mut self) -> Vec<u8> {
        for (from, at, width, label) in self.fixes {
            let offset = self.labels[label] as i64 - from as i64;
            if width == 2 {
                let offset = i16::try_from(offset).expect("a near label");
                self.code[at..at + 2].copy_from_slice(&offset.to_be_bytes());
            } else {
                self.code[at..at + 4].copy_from_slice(&(offset as i32).to_be_bytes());
            }
        }
        self.code
    }
}
