//! Reading classes for an index. Parts can be read in parallel.

use super::wire::Writer;
use crate::mirror::{Fact, Handle, InvokeKind, MethodRef};
use crate::{ClassCode, Header, NameId, Names, SigId};
use classfile_writer::{ClassFile, PoolStorage};

/// Classes of neighbouring rows, with names of its own.
#[derive(Debug, Default)]
pub struct IndexPart {
    pub(super) names: Names,
    /// Row, and where its record begins in `data`.
    pub(super) records: Vec<(u32, u32)>,
    pub(super) data: Writer,
    storage: PoolStorage,
    header: Writer,
}

impl IndexPart {
    /// Adds the class of a row. The last of a row counts. An unreadable class file is left out, so
    /// a world reads it again and reports the reason.
    pub fn add(&mut self, row: u32, bytes: &[u8]) {
        let Ok(class) = ClassFile::parse_with(bytes, std::mem::take(&mut self.storage)) else {
            return;
        };
        if let Ok(header) = crate::header(&class, &mut self.names) {
            let code = crate::code(&class, &mut self.names);
            // The reason lies in the bytes.
            if code.broken.is_empty() {
                self.write(row, &header, &code);
            }
        }
        self.storage = class.into_storage();
    }

    /// Number of classes.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether it has no class.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    pub(super) fn write(&mut self, row: u32, header: &Header, code: &ClassCode) {
        self.records.push((row, self.data.0.len() as u32));
        self.header.0.clear();
        write_header(&mut self.header, header);
        self.data.text(&self.header.0);
        write_code(&mut self.data, code);
    }
}

fn write_header(out: &mut Writer, header: &Header) {
    out.number(header.name.0);
    out.number(header.super_class.map_or(0, |name| name.0 + 1));
    out.number(header.interfaces.len() as u32);
    header.interfaces.iter().for_each(|name| out.number(name.0));
    out.number(u32::from(header.access));
    out.number(u32::from(header.major));
    out.number(header.methods.len() as u32);
    for method in &header.methods {
        out.number(method.sig.0);
        out.number(u32::from(method.access));
    }
    out.number(header.static_fields.len() as u32);
    header.static_fields.iter().for_each(|field| out.number(field.0));
}

fn write_code(out: &mut Writer, code: &ClassCode) {
    out.number(code.lambdas.len() as u32);
    for lambda in &code.lambdas {
        out.number(lambda.interfaces.len() as u32);
        lambda.interfaces.iter().for_each(|name| out.number(name.0));
        out.number(lambda.methods.len() as u32);
        lambda.methods.iter().for_each(|method| out.number(method.0));
        write_handle(out, lambda.target);
    }
    out.number(code.bodies.len() as u32);
    for (at, body) in code.bodies.iter().enumerate() {
        out.number(body.call_sites);
        out.number(u32::from(body.flags));
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
        Fact::Annotated(name) => write_name(out, 15, name),
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
