//! Runtime-visible annotations (JVMS 4.7.16). Code that reads an annotation can instantiate the
//! classes among its values. Frameworks find methods to call by annotation types.

use classfile_writer::{Attributes, ClassFile, PoolIx};

/// Bound on the nesting of annotations and arrays.
const MAX_DEPTH: u32 = 16;

/// Internal names, each once, of the classes and enums among the values of runtime-visible
/// annotations on the class, its fields and its methods. A malformed annotation is ignored.
pub(crate) fn values<'c>(class: &'c ClassFile<'c>) -> Vec<&'c [u8]> {
    let mut reader = Values { class, rest: &[], found: Vec::new() };
    reader.attributes(class.attributes());
    class.fields().chain(class.methods()).for_each(|member| reader.attributes(member.attributes()));
    reader.found
}

/// Internal names, each once, of the types of a method's runtime-visible annotations, without those
/// of the packages `java` and `jdk`. Annotations after a malformed one are ignored.
pub(crate) fn types<'c>(class: &'c ClassFile<'c>, attributes: Attributes<'c>) -> Vec<&'c [u8]> {
    let mut types: Vec<&[u8]> = Vec::new();
    for attribute in attributes.filter(|attribute| attribute.name == b"RuntimeVisibleAnnotations") {
        let mut reader = Values { class, rest: attribute.info, found: Vec::new() };
        for _ in 0..reader.u2().unwrap_or_default() {
            let at = reader.rest;
            if reader.annotation(0).is_none() {
                break;
            }
            reader.rest = at;
            reader.found.clear();
            let Some(ix) = reader.u2() else { break };
            reader.class_of(ix);
            let of_jdk = |name: &[u8]| name.starts_with(b"java/") || name.starts_with(b"jdk/");
            types.extend(
                reader.found.first().filter(|name| !of_jdk(name) && !types.contains(name)).copied(),
            );
            reader.rest = at;
            reader.annotation(0);
        }
    }
    types
}

/// Internal names, each once, of the classes among the default value of an annotation's method
/// (JVMS 4.7.22).
pub(crate) fn defaults<'c>(class: &'c ClassFile<'c>, attributes: Attributes<'c>) -> Vec<&'c [u8]> {
    let mut reader = Values { class, rest: &[], found: Vec::new() };
    for attribute in attributes.filter(|attribute| attribute.name == b"AnnotationDefault") {
        reader.rest = attribute.info;
        reader.value(0);
    }
    reader.found
}

struct Values<'c> {
    class: &'c ClassFile<'c>,
    rest: &'c [u8],
    found: Vec<&'c [u8]>,
}

impl<'c> Values<'c> {
    fn attributes(&mut self, attributes: Attributes<'c>) {
        for attribute in attributes {
            if attribute.name == b"RuntimeVisibleAnnotations" {
                self.rest = attribute.info;
                self.annotations();
            } else if attribute.name == b"RuntimeVisibleParameterAnnotations" {
                self.rest = attribute.info.get(1..).unwrap_or_default();
                while !self.rest.is_empty() && self.annotations().is_some() {}
            }
        }
    }

    fn annotations(&mut self) -> Option<()> {
        (0..self.u2()?).try_for_each(|_| self.annotation(0))
    }

    fn annotation(&mut self, depth: u32) -> Option<()> {
        self.u2()?;
        for _ in 0..self.u2()? {
            self.u2()?;
            self.value(depth)?;
        }
        Some(())
    }

    /// An `element_value` (JVMS 4.7.16.1).
    fn value(&mut self, depth: u32) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        let (&tag, rest) = self.rest.split_first()?;
        self.rest = rest;
        match tag {
            b'c' => {
                let class = self.u2()?;
                self.class_of(class);
            }
            b'e' => {
                let class = self.u2()?;
                self.class_of(class);
                self.u2()?;
            }
            b'@' => self.annotation(depth + 1)?,
            b'[' => (0..self.u2()?).try_for_each(|_| self.value(depth + 1))?,
            _ => {
                self.u2()?;
            }
        }
        Some(())
    }

    /// Adds the class of a descriptor. Primitive types and arrays have no constructors.
    fn class_of(&mut self, descriptor: u16) {
        let Ok(text) = self.class.pool().utf8(PoolIx(descriptor)) else { return };
        if let Some(name) = text.strip_prefix(b"L").and_then(|text| text.strip_suffix(b";"))
            && !self.found.contains(&name)
        {
            self.found.push(name);
        }
    }

    fn u2(&mut self) -> Option<u16> {
        let (&bytes, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(u16::from_be_bytes(bytes))
    }
}
