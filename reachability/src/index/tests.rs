use super::*;
use crate::{Body, ClassSource, Container, ContainerKind, Lambda, MethodHeader, World};
use std::borrow::Cow;

fn sample() -> IndexBuilder {
    let mut builder = IndexBuilder::default();
    for entry in ["a/B.class", "a/C.class"] {
        let names = &mut builder.names;
        let (name, object) =
            (names.intern(entry.strip_suffix(".class").expect("a class").as_bytes()), names.intern(b"Top"));
        let (run, make) = (names.sig_of(b"run", b"()V"), names.sig_of(b"make", b"(I)V"));
        let member = MethodRef { owner: object, sig: make, interface: true };
        let target = Handle { kind: 6, member };
        let facts = vec![
            Fact::Invoke(InvokeKind::Virtual, member),
            Fact::Invoke(InvokeKind::Special, member),
            Fact::Invoke(InvokeKind::Static, member),
            Fact::Invoke(InvokeKind::Interface, MethodRef { interface: false, ..member }),
            Fact::Generated(name, run),
            Fact::New(object),
            Fact::StaticField { owner: name, field: make },
            Fact::Handle(target),
            Fact::Lambda(0),
            Fact::ClassConstant(name),
            Fact::ForName(object),
            Fact::NameLike(name),
            Fact::MemberName(object),
            Fact::Service(Some(name)),
            Fact::Service(None),
        ];
        let len = facts.len() as u32;
        let body = Body { start: 0, len, call_sites: 300, flags: Body::LOOKS_UP_MEMBERS };
        let code = ClassCode {
            bodies: vec![body, Body { start: len, ..Body::default() }],
            facts,
            lambdas: vec![Lambda { interfaces: vec![object, name], methods: vec![run], target }],
            broken: Vec::new(),
        };
        let header = Header {
            name,
            super_class: Some(object),
            interfaces: vec![object],
            access: 0x21,
            major: 61,
            methods: vec![MethodHeader { sig: run, access: 1 }, MethodHeader { sig: make, access: 0x0409 }],
            static_fields: vec![make],
        };
        builder.classes.push(Mirror { entry: entry.to_owned(), header, code });
    }
    builder
}

#[test]
fn what_was_written_is_read() {
    let builder = sample();
    let index = Index::decode(builder.encode(b"key"), b"key").expect("an index");
    assert_eq!((index.len(), index.is_empty()), (2, false));
    // In an order of its own, as a world asks: the numbers differ, the names do not.
    let (mut names, mut numbers) = (Names::default(), Numbers::default());
    names.intern(b"something else");
    for class in builder.classes.iter().rev() {
        let header = index.header(&class.entry, &mut numbers, &mut names).expect("a header");
        let code = index.code(&class.entry, &mut numbers, &mut names).expect("code");
        assert_eq!(names.text(header.name), builder.names.text(class.header.name));
        let mut again = IndexBuilder { names: std::mem::take(&mut names), classes: Vec::new() };
        again.classes.push(Mirror { entry: class.entry.clone(), header, code });
        let index = Index::decode(again.encode(b""), b"").expect("an index");
        names = again.names;
        let (mut theirs, mut fresh) = (Names::default(), Numbers::default());
        for id in 0..builder.names.len() as u32 {
            theirs.intern(builder.names.text(NameId(id)));
        }
        for id in 0..builder.names.sig_count() as u32 {
            let (name, descriptor) = builder.names.parts(SigId(id));
            theirs.sig(name, descriptor);
        }
        assert_eq!(index.header(&class.entry, &mut fresh, &mut theirs).as_ref(), Some(&class.header));
        assert_eq!(index.code(&class.entry, &mut fresh, &mut theirs).as_ref(), Some(&class.code));
    }
    assert_eq!(index.header("a/None.class", &mut numbers, &mut names), None);
}

#[test]
fn no_changed_byte_is_believed() {
    let sound = sample().encode(b"key");
    for at in 0..sound.len() {
        for bit in [1, 0x80] {
            let mut bytes = sound.clone();
            bytes[at] ^= bit;
            let error = Index::decode(bytes, b"key").expect_err("a changed byte");
            let expected = match at {
                0..4 => error == IndexError::NoIndex,
                4..8 => matches!(error, IndexError::Version(_)),
                _ => error == IndexError::Damaged,
            };
            assert!(expected, "byte {at}: {error:?}");
        }
    }
    for len in 0..sound.len() {
        assert!(Index::decode(sound[..len].to_vec(), b"key").is_err(), "{len} bytes");
    }
    assert_eq!(Index::decode(sound, b"other").expect_err("another key"), IndexError::OtherContent);
}

#[test]
fn damage_below_a_right_checksum_ends_in_nothing() {
    let sound = sample().encode(b"key");
    let (mut refused, mut unread) = (0, 0);
    for at in HEAD..sound.len() {
        for value in [0, 0x7f, 0xff] {
            let mut bytes = sound.clone();
            bytes[at] = value;
            let sum = encode::checksum(&bytes[HEAD..]).to_le_bytes();
            bytes[8..HEAD].copy_from_slice(&sum);
            let Ok(index) = Index::decode(bytes, b"key") else {
                refused += 1;
                continue;
            };
            let (mut names, mut numbers) = (Names::default(), Numbers::default());
            for entry in ["a/B.class", "a/C.class"] {
                let header = index.header(entry, &mut numbers, &mut names);
                let code = index.code(entry, &mut numbers, &mut names);
                unread += usize::from(header.is_none() || code.is_none());
            }
        }
    }
    assert!(refused > 20 && unread > 20, "{refused} {unread}");
}

struct OnlyIndex(Index);

impl ClassSource for OnlyIndex {
    fn read(&self, _: usize, _: usize, name: &str) -> Result<Cow<'_, [u8]>, String> {
        Err(format!("nobody may read {name}"))
    }

    fn index(&self, _: usize) -> Option<&Index> {
        Some(&self.0)
    }
}

#[test]
fn a_world_takes_classes_from_an_index() {
    let source = OnlyIndex(Index::decode(sample().encode(b"key"), b"key").expect("an index"));
    let container = Container {
        label: "a.jar".to_owned(),
        kind: ContainerKind::Program,
        multi_release: false,
        prefix: String::new(),
        entries: vec!["a/B.class".to_owned(), "a/Unread.class".to_owned()],
    };
    let mut world = World::new(&source, vec![container], 17);
    let class = world.class(b"a/B");
    let method = world.method("a/B", "run", "()V").expect("a method");
    assert_eq!(world.key(method).to_string(), "a.B::run()V");
    assert_eq!(world.code(class).facts(0).len(), 15);
    assert!(world.notices().is_empty());
    let unread = world.class(b"a/Unread");
    assert!(world.is_missing(unread));
    assert_eq!(world.notices().len(), 1);
}
