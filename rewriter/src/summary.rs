//! Class summaries, from which methods are selected.

use crate::blocking_calls::BlockingCallRefs;
use crate::digest::Digester;
use crate::skips::{class_skip, text};
use crate::{annotations, call_sites, calls, resumable, trivial};
use classfile_writer::{ACC_NATIVE, Attributes, ClassFile, PoolIx};
use jfathom_plan::{ClassCalls, ClassSummary, Digest, MethodSummary, Skip};
use std::cell::RefCell;

/// Whether a summary has code digests. They cost about as much as everything else in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digests {
    /// The summary has them.
    Compute,
    /// They stay zero.
    Omit,
}

/// The summary of one class file: names, flags, annotations, lines, and digests if asked for.
///
/// A method whose code cannot be read is listed like an abstract one. If a plan names it, the
/// rewriter gives the reason.
///
/// # Errors
/// The class file is malformed or of an unknown version; the skip names the class where the name
/// could be read.
pub fn summarize(bytes: &[u8], digests: Digests) -> Result<ClassSummary, Skip> {
    match digests {
        Digests::Compute => {
            DIGESTER.with_borrow_mut(|digester| summarize_with(bytes, Some(digester)))
        }
        Digests::Omit => summarize_with(bytes, None),
    }
}

thread_local! {
    /// Buffers that the classes of a thread share.
    static DIGESTER: RefCell<Digester> = RefCell::default();
}

fn summarize_with(bytes: &[u8], mut digester: Option<&mut Digester>) -> Result<ClassSummary, Skip> {
    let class = ClassFile::parse(bytes).map_err(|error| class_skip(bytes, &error))?;
    let pool = class.pool();
    let name = class.name().map_err(|error| class_skip(bytes, &error))?;
    if let Some(digester) = &mut digester {
        digester.begin(&class);
    }
    let mut summary = ClassSummary {
        name: text(name),
        access: class.access(),
        major: class.major(),
        super_class: class.super_name().ok().flatten().map(text),
        interfaces: class
            .interfaces()
            .filter_map(|ix| pool.class_name(ix).ok())
            .map(text)
            .collect(),
        source: source(&class),
        annotations: Vec::new(),
        methods: Vec::with_capacity(
            class.methods().size_hint().1.unwrap_or(0).min(bytes.len() / 8),
        ),
        calls: ClassCalls::default(),
    };
    if digester.is_some() {
        let super_class = summary.super_class.clone();
        summary.calls.super_class = super_class.filter(|name| name != "java/lang/Object");
        summary.calls.interfaces = summary.interfaces.clone();
        summary.calls.handles = calls::handles(&class);
    }
    read_annotations(&class, class.attributes(), &mut summary.annotations);
    // Digests find blocking calls on their way.
    let blocking = match digester {
        Some(_) => BlockingCallRefs::default(),
        None => BlockingCallRefs::of(&class),
    };
    for method in class.methods() {
        let mut row = MethodSummary {
            name: text(method.name),
            descriptor: text(method.descriptor),
            access: method.access,
            ..MethodSummary::default()
        };
        read_annotations(&class, method.attributes(), &mut row.annotations);
        if let Ok(Some(code)) = method.code() {
            row.code_length = Some(code.bytes().len() as u32);
            row.first_line = call_sites::first_line(&code);
            row.trivial = trivial::is_trivial(code.bytes());
            row.resumes = resumable::label_switch(&class, &method, &code).is_some();
            (row.digest, row.waits) = match &mut digester {
                Some(digester) => digester.digest(&class, &code),
                None => (Digest::default(), blocking.in_code(&code)),
            };
        }
        if let Some(digester) = &mut digester
            && (row.code_length.is_some() || method.access & ACC_NATIVE != 0)
        {
            if method.access & ACC_NATIVE != 0 {
                // Native code may call anything.
                digester.calls.invoke_dynamic();
            }
            let (name, descriptor) = (method.name, method.descriptor);
            let of_method = digester.calls.end_method(name, descriptor, method.access);
            summary.calls.methods.push(of_method);
        }
        summary.methods.push(row);
    }
    Ok(summary)
}

fn source(class: &ClassFile<'_>) -> Option<String> {
    let info = class.attributes().find(b"SourceFile")?.info;
    class.pool().utf8(PoolIx(u16::from_be_bytes(info.try_into().ok()?))).ok().map(text)
}

fn read_annotations(class: &ClassFile<'_>, attributes: Attributes<'_>, types: &mut Vec<String>) {
    for attribute in attributes {
        if matches!(attribute.name, b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations") {
            annotations::read(attribute.info, |ix| class.pool().utf8(PoolIx(ix)).ok(), types);
        }
    }
}

/// Fills in [`MethodSummary::lines`] of a summary of the same class file. A table that cannot be
/// read gives none.
pub fn add_lines(bytes: &[u8], summary: &mut ClassSummary) {
    let Ok(class) = ClassFile::parse(bytes) else { return };
    for (method, row) in class.methods().zip(&mut summary.methods) {
        if let Ok(Some(code)) = method.code() {
            row.lines = call_sites::line_rows(&code).iter().map(|row| row.line).collect();
            row.lines.sort_unstable();
            row.lines.dedup();
        }
    }
}

/// The module's name in a `module-info.class` (JVMS 4.7.25). `None` for a class file without a
/// Module attribute.
///
/// # Errors
/// As [`summarize`].
pub fn module_name(bytes: &[u8]) -> Result<Option<String>, Skip> {
    let class = ClassFile::parse(bytes).map_err(|error| class_skip(bytes, &error))?;
    let Some(module) = class.attributes().find(b"Module") else { return Ok(None) };
    let Some(&[high, low]) = module.info.first_chunk() else { return Ok(None) };
    let name = class.pool().module_name(PoolIx(u16::from_be_bytes([high, low])));
    name.map(|name| Some(text(name))).map_err(|error| class_skip(bytes, &error))
}
