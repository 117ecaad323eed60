use super::format::HEAD;
use super::tables::SECTIONS;
use super::*;
use crate::mirror::{Fact, Handle, InvokeKind, MethodRef};
use crate::names::BaseNames;
use crate::{
    Body, ClassCode, ClassSource, Container, ContainerKind, Header, Lambda, MethodHeader, NameId,
    Names, SigId, World,
};
use std::borrow::Cow;

/// Sources of the sample's classes.
type Mirrors = Vec<(u32, Header, ClassCode)>;

fn sample() -> (IndexPart, Mirrors) {
    let mut part = IndexPart::default();
    let mut mirrors = Vec::new();
    for (name, row) in [("a/B", 0), ("a/C", 2)] {
        let names = &mut part.names;
        let (name, object) = (names.intern(name.as_bytes()), names.intern(b"Top"));
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
            Fact::Annotated(object),
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
            methods: vec![
                MethodHeader { sig: run, access: 1 },
                MethodHeader { sig: make, access: 0x0409 },
            ],
            static_fields: vec![make],
        };
        part.write(row, &header, &code);
        mirrors.push((row, header, code));
    }
    (part, mirrors)
}

fn encoded(key: &[u8]) -> Vec<u8> {
    let services = [("a/Service".to_owned(), "a/Provider".to_owned())];
    encode_index(key, Rows::Entries(3), &services, &[sample().0]).expect("an index")
}

#[test]
fn what_was_written_is_read() {
    let (part, mirrors) = sample();
    let index = Index::decode(encoded(b"key"), b"key").expect("an index");
    assert_eq!((index.len(), index.is_empty()), (3, false));
    assert_eq!(index.services(), [("a/Service".to_owned(), "a/Provider".to_owned())]);
    // A world that knows the same names with the same numbers gets equal mirrors.
    let (mut same, mut numbers) = (Names::default(), Numbers::default());
    for id in 0..part.names.len() as u32 {
        same.intern(part.names.text(NameId(id)));
    }
    for id in 0..part.names.sig_count() as u32 {
        let (name, descriptor) = part.names.parts(SigId(id));
        same.sig(name, descriptor);
    }
    for (row, header, code) in &mirrors {
        assert_eq!(index.header(*row, &mut numbers, &mut same).as_ref(), Some(header));
        assert_eq!(index.code(*row, &mut numbers, &mut same).as_ref(), Some(code));
    }
    // In another world, which asks in another order, the numbers differ and the names do not.
    let (mut other, mut numbers) = (Names::default(), Numbers::default());
    other.intern(b"something else");
    for (row, header, code) in mirrors.iter().rev() {
        let read = index.header(*row, &mut numbers, &mut other).expect("a header");
        assert_eq!(other.text(read.name), part.names.text(header.name));
        assert_ne!(read.name, header.name);
        let sigs = |methods: &[MethodHeader], names: &Names| -> Vec<(String, u16)> {
            let show = |method: &MethodHeader| {
                [names.name_of(method.sig), names.descriptor_of(method.sig)].concat()
            };
            methods
                .iter()
                .map(|method| (String::from_utf8_lossy(&show(method)).into_owned(), method.access))
                .collect()
        };
        assert_eq!(sigs(&read.methods, &other), sigs(&header.methods, &part.names));
        let again = index.code(*row, &mut numbers, &mut other).expect("code");
        assert_eq!(again.bodies, code.bodies);
    }
    // Entries without a record, and none.
    assert_eq!(index.header(1, &mut numbers, &mut other), None);
    assert_eq!(index.header(3, &mut numbers, &mut other), None);
}

#[test]
fn parts_have_names_of_their_own_and_worlds_lie_over_an_index() {
    // The same classes twice, under other rows, with names that were met in another order.
    let mut second = IndexPart::default();
    second.names.intern(b"met first");
    let (first, mirrors) = sample();
    let mut renamed = Vec::new();
    for (row, header, code) in &mirrors {
        let name = |id: NameId, names: &mut Names| names.intern(first.names.text(id));
        let sig = |id: SigId, names: &mut Names| {
            names.sig_of(first.names.name_of(id), first.names.descriptor_of(id))
        };
        let names = &mut second.names;
        let own = names.intern(format!("b/{row}").as_bytes());
        let header = Header {
            name: own,
            super_class: header.super_class.map(|id| name(id, names)),
            interfaces: header.interfaces.iter().map(|&id| name(id, names)).collect(),
            methods: header
                .methods
                .iter()
                .map(|method| MethodHeader { sig: sig(method.sig, names), ..*method })
                .collect(),
            static_fields: header.static_fields.iter().map(|&id| sig(id, names)).collect(),
            ..header.clone()
        };
        let code = ClassCode {
            facts: vec![Fact::New(own)],
            bodies: vec![Body { len: 1, ..code.bodies[0] }],
            ..ClassCode::default()
        };
        second.write(row + 3, &header, &code);
        renamed.push((row + 3, header, code));
    }
    let classes = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let groups = [
        ("jrt:/first".to_owned(), classes(&["a/B", "a/Unread", "a/C"])),
        ("jrt:/empty".to_owned(), Vec::new()),
        ("jrt:/second".to_owned(), classes(&["b/0", "b/None", "b/2"])),
    ];
    let bytes = encode_index(b"", Rows::Classes(&groups), &[], &[first, second]).expect("an index");
    let index = Index::decode(bytes, b"").expect("an index");
    let mut names = Names::over(index.tables().clone());
    let mut none = Numbers::default();
    for (row, class) in [(0, "a/B"), (2, "a/C"), (3, "b/0"), (5, "b/2")] {
        let header = index.header(row, &mut none, &mut names).expect("a header");
        assert_eq!((header.name, names.show(header.name)), (NameId(row), class.to_owned()));
        assert_eq!(names.show(header.super_class.expect("a superclass")), "Top");
        assert_eq!(names.name_of(header.methods[1].sig), b"make");
        let code = index.code(row, &mut none, &mut names).expect("code");
        assert!(!code.facts(0).is_empty());
    }
    assert!(none.names.is_empty(), "the numbers are those of the index");
    let (known, new) = (names.find(b"Top").expect("a name of the index"), names.intern(b"new"));
    assert_eq!(
        (names.intern(b"Top"), names.intern(b"new"), names.text(new)),
        (known, new, &b"new"[..])
    );
    let make = names.sig_of(b"make", b"(I)V");
    let own = names.sig_of(b"make", b"()Lnew;");
    assert!(
        (make.0 as usize) < index.tables().sig_count() as usize
            && own.0 >= index.tables().sig_count()
    );
    assert_eq!(
        (names.parts(own).0, names.descriptor_of(own)),
        (names.parts(make).0, &b"()Lnew;"[..])
    );

    struct Unread;
    impl ClassSource for Unread {
        fn read(
            &self,
            container: usize,
            row: usize,
            name: &str,
        ) -> Result<Cow<'_, [u8]>, jfathom_plan::Problem> {
            Err(format!("{container} {row} {name}").into())
        }
    }
    let list = vec![Container {
        label: "app.jar".to_owned(),
        kind: ContainerKind::Program,
        multi_release: false,
        prefix: String::new(),
        entries: vec!["b/0.class".to_owned(), "c/D.class".to_owned()],
    }];
    let mut world = World::over(&Unread, &index, list, 17);
    let (there, unread) = (world.class(b"b/0"), world.class(b"b/None"));
    assert_eq!(world.container_of(there), Some("jrt:/second"));
    assert!(!world.is_program(there) && world.is_missing(unread));
    let notices: Vec<String> = world.notices().iter().map(ToString::to_string).collect();
    assert_eq!(notices[0], "b/0 is in jrt:/second and in app.jar; the first counts");
    assert!(
        notices
            .contains(&"jrt:/second!b/None.class: 3 4 b/None.class; treated as missing".to_owned()),
        "{notices:?}"
    );
    let all = |kind| {
        world.all_classes(kind).into_iter().map(|id| world.names().show(id)).collect::<Vec<_>>()
    };
    assert_eq!(all(ContainerKind::Program), ["c/D"]);
    assert_eq!(all(ContainerKind::Jdk), ["a/B", "a/Unread", "a/C", "b/0", "b/None", "b/2"]);
    let twice = [("jrt:/first".to_owned(), classes(&["a/B", "a/B"]))];
    assert_eq!(encode_index(b"", Rows::Classes(&twice), &[], &[]), None);
}

#[test]
fn no_changed_byte_is_believed() {
    let sound = encoded(b"key");
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
    let sound = encoded(b"key");
    let (mut refused, mut unread) = (0, 0);
    for at in HEAD..sound.len() {
        for value in [0, 1, 0x7f, 0xff] {
            let mut bytes = sound.clone();
            bytes[at] = value;
            encode::seal(&mut bytes);
            let Ok(index) = Index::decode(bytes, b"key") else {
                refused += 1;
                continue;
            };
            let (mut names, mut numbers) = (Names::default(), Numbers::default());
            let _ = index.services();
            for row in 0..4 {
                let header = index.header(row, &mut numbers, &mut names);
                let code = index.code(row, &mut numbers, &mut names);
                unread += usize::from(row % 2 == 0 && (header.is_none() || code.is_none()));
            }
            let mut over = Names::over(index.tables().clone());
            assert!(over.intern(b"x").ix() < over.len());
            let run = over.sig_of(b"run", b"()V");
            let _ = over.parts(run);
            for row in 0..3 {
                let _ =
                    index.header(row, &mut numbers, &mut over).map(|header| over.show(header.name));
                let _ = index.code(row, &mut numbers, &mut over);
            }
        }
    }
    assert!(refused > 4 * SECTIONS && unread > 100, "{refused} {unread}");
}

struct OnlyIndex(Index);

impl ClassSource for OnlyIndex {
    fn read(&self, _: usize, _: usize, name: &str) -> Result<Cow<'_, [u8]>, jfathom_plan::Problem> {
        Err(format!("nobody may read {name}").into())
    }

    fn index(&self, _: usize) -> Option<&Index> {
        Some(&self.0)
    }
}

#[test]
fn a_world_takes_classes_from_an_index() {
    let source = OnlyIndex(Index::decode(encoded(b"key"), b"key").expect("an index"));
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
    assert_eq!(world.code(class).facts(0).len(), 16);
    assert!(world.notices().is_empty());
    let unread = world.class(b"a/Unread");
    assert!(world.is_missing(unread));
    assert_eq!(world.notices().len(), 1);
}
