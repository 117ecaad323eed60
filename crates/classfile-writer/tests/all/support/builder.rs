//! Class files written by hand.

/// A class file in the making: pool entries by index, methods as bytes.
pub struct Builder {
    pub major: u16,
    pub minor: u16,
    pool: Vec<u8>,
    count: u16,
    methods: Vec<u8>,
    method_count: u16,
}

/// One `Code` attribute's parts.
#[derive(Default, Clone)]
pub struct CodeParts {
    pub max_stack: u16,
    pub max_locals: u16,
    pub code: Vec<u8>,
    /// start, end, handler, catch type
    pub exceptions: Vec<[u16; 4]>,
    /// name, content
    pub attributes: Vec<(&'static str, Vec<u8>)>,
}

impl Builder {
    pub fn new(major: u16) -> Builder {
        Builder {
            major,
            minor: 0,
            pool: Vec::new(),
            count: 1,
            methods: Vec::new(),
            method_count: 0,
        }
    }

    pub fn raw(&mut self, entry: &[u8], slots: u16) -> u16 {
        self.pool.extend_from_slice(entry);
        self.count += slots;
        self.count - slots
    }

    pub fn utf8(&mut self, text: &str) -> u16 {
        let mut entry = vec![1];
        entry.extend_from_slice(&(text.len() as u16).to_be_bytes());
        entry.extend_from_slice(text.as_bytes());
        self.raw(&entry, 1)
    }

    pub fn class(&mut self, name: &str) -> u16 {
        let [a, b] = self.utf8(name).to_be_bytes();
        self.raw(&[7, a, b], 1)
    }

    pub fn member(&mut self, tag: u8, class: &str, name: &str, descriptor: &str) -> u16 {
        let ([a, b], [c, d]) = (self.utf8(name).to_be_bytes(), self.utf8(descriptor).to_be_bytes());
        let [e, f] = self.raw(&[12, a, b, c, d], 1).to_be_bytes();
        let [g, h] = self.class(class).to_be_bytes();
        self.raw(&[tag, g, h, e, f], 1)
    }

    pub fn method(&mut self, access: u16, name: &str, descriptor: &str, code: &CodeParts) {
        let mut info = Vec::new();
        if (self.major, self.minor) <= (45, 2) && self.major == 45 {
            info.extend_from_slice(&[code.max_stack as u8, code.max_locals as u8]);
            push2(&mut info, code.code.len() as u16);
        } else {
            push2(&mut info, code.max_stack);
            push2(&mut info, code.max_locals);
            push4(&mut info, code.code.len());
        }
        info.extend_from_slice(&code.code);
        push2(&mut info, code.exceptions.len() as u16);
        code.exceptions.iter().flatten().for_each(|&value| push2(&mut info, value));
        push2(&mut info, code.attributes.len() as u16);
        for (name, content) in &code.attributes {
            push2(&mut info, self.utf8(name));
            push4(&mut info, content.len());
            info.extend_from_slice(content);
        }
        let (name, descriptor, attribute) =
            (self.utf8(name), self.utf8(descriptor), self.utf8("Code"));
        for value in [access, name, descriptor, 1, attribute] {
            push2(&mut self.methods, value);
        }
        push4(&mut self.methods, info.len());
        self.methods.extend_from_slice(&info);
        self.method_count += 1;
    }

    pub fn finish(mut self, name: &str) -> Vec<u8> {
        let (this, object) = (self.class(name), self.class("java/lang/Object"));
        let mut out = 0xCAFE_BABEu32.to_be_bytes().to_vec();
        push2(&mut out, self.minor);
        push2(&mut out, self.major);
        push2(&mut out, self.count);
        out.extend_from_slice(&self.pool);
        // Public and super; no interfaces, no fields.
        for value in [0x21, this, object, 0, 0, self.method_count] {
            push2(&mut out, value);
        }
        out.extend_from_slice(&self.methods);
        push2(&mut out, 0);
        out
    }
}

pub fn push2(out: &mut Vec<u8>, value: u16) {
    out.extend_from_slice(&value.to_be_bytes());
}

pub fn push4(out: &mut Vec<u8>, value: usize) {
    out.extend_from_slice(&(value as u32).to_be_bytes());
}
