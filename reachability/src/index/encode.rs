//! Building and writing an index.

use super::wire::Writer;
use super::{Fact, HEAD, Handle, InvokeKind, MAGIC, MethodRef, Mirror, NameId, Names, SigId, VERSION};
use crate::{ClassCode, Header};
use classfile_writer::ClassFile;
use jfathom_plan::DigestHasher;

/// Collects the classes of a container.
#[derive(Default)]
pub struct IndexBuilder {
    pub(super) names: Names,
    pub(super) classes: Vec<Mirror>,
}

impl IndexBuilder {
    /// Adds an entry. A class file that cannot be read is left out: worlds then ask for its bytes, and give the reason.
    pub fn add(&mut self, entry: &str, bytes: &[u8]) {
        let Ok(class) = ClassFile::parse(bytes) else { return };
        let Ok(header) = crate::header(&class, &mut self.names) else { return };
        let code = crate::code(&class, &mut self.names);
        // The reason lies in the bytes.
        if code.broken.is_empty() {
            self.classes.push(Mirror { entry: entry.to_owned(), header, code });
        }
    }

    /// The index as bytes. `key` says which content it is of, such as a digest of the container; of equal entries the
    /// last counts.
    pub fn encode(&self, key: &[u8]) -> Vec<u8> {
        let mut out = Writer::default();
        out.text(key);
        out.number(self.names.len() as u32);
        for id in 0..self.names.len() as u32 {
            out.text(self.names.text(NameId(id)));
        }
        let sigs = self.names.sig_count() as u32;
        out.number(sigs);
        for id in 0..sigs {
            let (name, descriptor) = self.names.parts(SigId(id));
            out.number(name.0);
            out.number(descriptor.0);
        }
        out.number(self.classes.len() as u32);
        let mut records = Vec::new();
        for class in &self.classes {
            let (mut header, mut code) = (Writer::default(), Writer::default());
            write_header(&mut header, &class.header);
            write_code(&mut code, &class.code);
            out.text(class.entry.as_bytes());
            out.number(header.0.len() as u32);
            out.number(code.0.len() as u32);
            records.extend([header.0, code.0].concat());
        }
        out.0.extend(records);
        let mut bytes = Vec::with_capacity(HEAD + out.0.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(checksum(&out.0).to_le_bytes());
        bytes.extend(out.0);
        bytes
    }
}

/// The checksum of what comes after it.
pub(super) fn checksum(rest: &[u8]) -> u64 {
    let mut hasher = DigestHasher::default();
    hasher.bytes(rest);
    hasher.finish().0
}

fn write_header(out: &mut Writer, header: &Header) {
    out.number(header.name.0);
    out.number(header.super_class.map_or(0, |it| it.0 + 1));
    out.number(header.interfaces.len() as u32);
    header.interfaces.iter().for_each(|it| out.number(it.0));
    out.number(u32::from(header.access));
    out.number(u32::from(header.major));
    out.number(header.methods.len() as u32);
    for method in &header.methods {
        out.number(method.sig.0);
        out.number(u32::from(method.access));
    }
    out.number(header.static_fields.len() as u32);
    header.static_fields.iter().for_each(|it| out.number(it.0));
}

fn write_code(out: &mut Writer, code: &ClassCode) {
    out.number(code.lambdas.len() as u32);
    for lambda in &code.lambdas {
        out.number(lambda.interfaces.len() as u32);
        lambda.interfaces.iter().for_each(|it| out.number(it.0));
        out.number(lambda.methods.len() as u32);
        lambda.methods.iter().for_each(|it| out.number(it.0));
        write_handle(out, lambda.target);
    }
    out.number(code.bodies.len() as u32);
    for (at, body) in code.bodies.iter().enumerate() {
        out.number(body.call_sites);
        out.0.push(body.flags);
        out.number(body.len);
        code.facts(at).iter().for_each(|&fact| write_fact(out, fact));
    }
}

fn write_reference(out: &mut Writer, reference: MethodRef) {
    out.number(reference.owner.0);
    out.number(reference.sig.0);
    out.0.push(u8::from(reference.interface));
}

fn write_handle(out: &mut Writer, handle: Handle) {
    out.0.push(handle.kind);
    write_reference(out, handle.member);
}

fn write_fact(out: &mut Writer, fact: Fact) {
    match fact {
        Fact::Invoke(kind, reference) => {
            out.0.push(match kind {
                InvokeKind::Virtual => 0,
                InvokeKind::Special => 1,
                InvokeKind::Static => 2,
                InvokeKind::Interface => 3,
            });
            write_reference(out, reference);
        }
        Fact::Generated(name, SigId(sig)) => write_two(out, 4, name, sig),
        Fact::New(name) => write_name(out, 5, name),
        Fact::StaticField { owner, field: SigId(sig) } => write_two(out, 6, owner, sig),
        Fact::Handle(handle) => {
            out.0.push(7);
            write_handle(out, handle);
        }
        Fact::Lambda(number) => write_name(out, 8, NameId(number)),
        Fact::ClassConstant(name) => write_name(out, 9, name),
        Fact::ForName(name) => write_name(out, 10, name),
        Fact::NameLike(name) => write_name(out, 11, name),
        Fact::MemberName(name) => write_name(out, 12, name),
        Fact::Service(Some(name)) => write_name(out, 13, name),
        Fact::Service(None) => out.0.push(14),
    }
}

fn write_name(out: &mut Writer, tag: u8, name: NameId) {
    out.0.push(tag);
    out.number(name.0);
}

fn write_two(out: &mut Writer, tag: u8, name: NameId, second: u32) {
    write_name(out, tag, name);
    out.number(second);
}
