//! The header pass: name, supertypes, flags and members of one class file.

use crate::mirror::access;
use crate::{Header, MethodHeader, Names};
use classfile_writer::{ClassFile, Error};

/// Reads the header of a parsed class file.
///
/// # Errors
/// Fails if a class name is malformed. A malformed superinterface is ignored.
pub fn header(class: &ClassFile<'_>, names: &mut Names) -> Result<Header, Error> {
    let pool = class.pool();
    let name = names.intern(class.name()?);
    let super_class = class.super_name()?.map(|name| names.intern(name));
    let interfaces = class
        .interfaces()
        .filter_map(|ix| pool.class_name(ix).ok())
        .map(|name| names.intern(name))
        .collect();
    let methods = class
        .methods()
        .map(|method| MethodHeader {
            sig: names.sig_of(method.name, method.descriptor),
            access: method.access,
        })
        .collect();
    let static_fields = class
        .fields()
        .filter(|field| field.access & access::STATIC != 0)
        .map(|field| names.sig_of(field.name, field.descriptor))
        .collect();
    Ok(Header {
        name,
        super_class,
        interfaces,
        access: class.access(),
        major: class.major(),
        methods,
        static_fields,
    })
}
