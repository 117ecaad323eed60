//! The mirrors of java.base against another reader.

use cafebabe::attributes::AttributeData;
use cafebabe::bytecode::Opcode;
use cafebabe::constant_pool::MemberRef;
use classfile_writer::ClassFile;
use jfathom_archive::Input;
use jfathom_reachability::{Body, Fact, InvokeKind, Names, code, header, module_provides};
use std::collections::BTreeSet;

/// What a method does, as text.
fn ours(names: &Names, facts: &[Fact]) -> BTreeSet<String> {
    let member = |owner, sig| {
        let (name, descriptor) = names.parts(sig);
        format!("{}.{}{}", names.show(owner), names.show(name), names.show(descriptor))
    };
    let text = |fact: &Fact| match *fact {
        Fact::Invoke(kind, to) => {
            let kind = match kind {
                InvokeKind::Virtual => "virtual",
                InvokeKind::Special => "special",
                InvokeKind::Static => "static",
                InvokeKind::Interface => "interface",
            };
            Some(format!("{kind} {}", member(to.owner, to.sig)))
        }
        Fact::New(class) => Some(format!("new {}", names.show(class))),
        Fact::StaticField { owner, field } => Some(format!("field {}", member(owner, field))),
        _ => None,
    };
    facts.iter().filter_map(text).collect()
}

fn theirs(opcodes: &[(usize, Opcode<'_>)]) -> BTreeSet<String> {
    let member = |kind: &str, member: &MemberRef<'_>| {
        Some(format!(
            "{kind} {}.{}{}",
            member.class_name, member.name_and_type.name, member.name_and_type.descriptor
        ))
    };
    let text = |opcode: &Opcode<'_>| match opcode {
        Opcode::Invokevirtual(callee) => member("virtual", callee),
        Opcode::Invokespecial(callee) => member("special", callee),
        Opcode::Invokestatic(callee) => member("static", callee),
        Opcode::Invokeinterface(callee, _) => member("interface", callee),
        Opcode::Getstatic(field) | Opcode::Putstatic(field) => member("field", field),
        Opcode::New(class) => Some(format!("new {class}")),
        _ => None,
    };
    opcodes.iter().filter_map(|(_, opcode)| text(opcode)).collect()
}

fn is_call(opcode: &Opcode<'_>) -> bool {
    use Opcode::{Invokedynamic, Invokeinterface, Invokespecial, Invokestatic, Invokevirtual};
    matches!(
        opcode,
        Invokedynamic(_)
            | Invokeinterface(..)
            | Invokespecial(_)
            | Invokestatic(_)
            | Invokevirtual(_)
    )
}

#[test]
fn mirrors_say_what_cafebabe_says() {
    let module =
        Input::open_module(&jfathom_testkit::jdk::main().home, "java.base").expect("java.base");
    let wanted = ["java/lang/", "java/util/", "java/time/"];
    let (mut classes, mut lambdas) = (0, 0);
    let entries: Vec<String> =
        module.names().map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned()).collect();
    for entry in entries.iter().filter(|name| {
        name.ends_with(".class") && wanted.iter().any(|folder| name.starts_with(folder))
    }) {
        let bytes = module.read(entry).expect("bytes").expect("an entry");
        let oracle = cafebabe::parse_class(&bytes).expect("a class");
        let class = ClassFile::parse(&bytes).expect("a class");
        let mut names = Names::default();
        let header = header(&class, &mut names).expect("a header");
        let code = code(&class, &mut names);
        assert_eq!(names.show(header.name), oracle.this_class.to_string());
        assert_eq!(
            header.super_class.map(|name| names.show(name)),
            oracle.super_class.as_ref().map(|name| name.to_string())
        );
        let interfaces: Vec<String> =
            header.interfaces.iter().map(|&name| names.show(name)).collect();
        assert_eq!(
            interfaces,
            oracle.interfaces.iter().map(|name| name.to_string()).collect::<Vec<_>>()
        );
        assert_eq!(header.methods.len(), oracle.methods.len());
        assert!(code.broken.is_empty(), "{entry}: {:?}", code.broken);
        for (at, (method, expected)) in header.methods.iter().zip(&oracle.methods).enumerate() {
            let (name, descriptor) = names.parts(method.sig);
            assert_eq!(names.show(name), expected.name);
            assert_eq!(names.show(descriptor), expected.descriptor.to_string());
            assert_eq!(method.access, expected.access_flags.bits());
            let bytecode = expected.attributes.iter().find_map(|attribute| match &attribute.data {
                AttributeData::Code(code) => code.bytecode.as_ref(),
                _ => None,
            });
            let opcodes = bytecode.map_or(&[][..], |code| &code.opcodes);
            assert_eq!(ours(&names, code.facts(at)), theirs(opcodes), "{entry} {}", expected.name);
            let calls = opcodes.iter().filter(|row| is_call(&row.1)).count();
            assert_eq!(code.bodies[at].call_sites as usize, calls, "{entry} {}", expected.name);
            let allocated =
                code.facts(at).iter().filter(|fact| matches!(fact, Fact::New(_))).count();
            let once: BTreeSet<String> =
                theirs(opcodes).into_iter().filter(|line| line.starts_with("new ")).collect();
            assert_eq!(allocated, once.len(), "each is listed once");
        }
        classes += 1;
        lambdas += code.lambdas.len();
    }
    assert!(classes > 1000 && lambdas > 500, "{classes} classes, {lambdas} lambdas");
}

#[test]
fn damaged_classes_end_in_errors_and_notes_only() {
    let module =
        Input::open_module(&jfathom_testkit::jdk::main().home, "java.base").expect("java.base");
    let sound = module.read("java/util/Collections.class").expect("bytes").expect("an entry");
    let (mut unreadable, mut broken) = (0, 0);
    for at in (8..sound.len()).step_by(61) {
        let mut bytes = sound.clone();
        bytes[at] ^= 0xa5;
        let mut names = Names::default();
        match ClassFile::parse(&bytes)
            .and_then(|class| Ok((header(&class, &mut names)?, code(&class, &mut names))))
        {
            Ok((_, code)) => {
                broken += code.broken.len();
                assert!(code.bodies.iter().all(|body| !body.has(Body::INVOKES)));
            }
            Err(_) => unreadable += 1,
        }
    }
    assert!(unreadable > 10 && broken > 10, "{unreadable} {broken}");
}

#[test]
fn modules_say_what_they_provide() {
    let module =
        Input::open_module(&jfathom_testkit::jdk::main().home, "jdk.zipfs").expect("jdk.zipfs");
    let bytes = module.read("module-info.class").expect("bytes").expect("an entry");
    let expected = [(
        "java/nio/file/spi/FileSystemProvider".to_owned(),
        "jdk/nio/zipfs/ZipFileSystemProvider".to_owned(),
    )];
    assert_eq!(module_provides(&bytes).expect("a module"), expected);
}
