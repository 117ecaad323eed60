//! Damaged, hostile and oversized archives: an error or a notice with a place, never a panic, never
//! a large allocation.

use crate::common::raw::{Descriptor, RawEntry, Shape, build, deflated, stored};
use crate::common::*;
use jfathom_archive::{
    Additions, Destination, Error, ErrorKind, Input, Limit, Limits, Notice, open_class_path,
    rewrite,
};

/// An input in a folder that lasts as long: what it holds is read when it is asked for.
struct Opened {
    input: Input,
    _dir: Dir,
}

impl std::ops::Deref for Opened {
    type Target = Input;

    fn deref(&self) -> &Input {
        &self.input
    }
}

fn open(bytes: &[u8], limits: &Limits) -> Result<Opened, Error> {
    let dir = Dir::new();
    let input = Input::open_with(dir.file("app.jar", bytes), limits)?;
    Ok(Opened { input, _dir: dir })
}

fn damaged(bytes: &[u8], says: &str) {
    let e = open(bytes, &Limits::default()).map(|_| ()).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::Damaged(_)), "{e}");
    let text = e.to_string();
    assert!(text.contains("app.jar: damaged zip file: ") && text.contains(says), "{text}");
}

/// The JVM loads other classes of such a jar: it opens to be read, and is refused to be rewritten.
fn misplaced(bytes: &[u8], says: &str) {
    damaged(bytes, says);
    let dir = Dir::new();
    let path = dir.file("app.jar", bytes);
    let opened = open_class_path(std::slice::from_ref(&path), true, &Limits::default());
    let [input] = opened.inputs.as_slice() else { panic!("{:?}", opened.notices) };
    assert_eq!(input.read("A.class").unwrap().unwrap(), text(1, 300));
    assert!(input.read("b").is_err());
    let expected = says.split_once("b: ").map(|(_, reason)| reason);
    let reason = |notice: &Notice| match notice {
        Notice::EntryUnreadable { location, reason } if location.to_string().ends_with("!b") => {
            reason.clone()
        }
        other => panic!("{other}"),
    };
    let reasons: Vec<String> = input.notices().iter().map(reason).collect();
    assert_eq!(
        reasons.iter().map(|reason| &**reason).collect::<Vec<_>>(),
        Vec::from_iter(expected)
    );
    let to = Destination::whole(dir.path("out.jar"));
    let refused = rewrite(input, &to, &threads(1), change_all, |_| Additions::none());
    assert!(refused.unwrap_err().to_string().contains(says) && !dir.path("out.jar").exists());
}

/// The jar opens and is rewritten, but the class is kept with a notice.
fn unreadable(bad: RawEntry, says: &str) {
    let jar = build(&[bad, deflated("Good.class", &text(1, 300))], &Shape::default());
    let (new, outcome) = rewritten(&jar, change_all, Additions::none()).unwrap();
    assert_eq!((outcome.counts.classes, outcome.counts.changed), (1, 1));
    match outcome.notices.as_slice() {
        [Notice::EntryUnreadable { location, reason }] => {
            assert!(location.to_string().ends_with("in.jar!Bad.class"), "{location}");
            assert!(reason.contains(says), "{reason}");
        }
        other => panic!("{other:?}"),
    }
    let first = new.windows(10).position(|w| w == b"Good.class").unwrap() - 30;
    assert!(new[..first] == jar[..first], "the entry is copied as it is");
    let input = open(&new, &Limits::default()).unwrap();
    assert_eq!(input.read("Good.class").unwrap().unwrap(), changed(&text(1, 300)));
    assert!(input.read("Bad.class").unwrap_err().to_string().contains(says));
}

#[test]
fn damage_within_an_entry_is_a_notice() {
    let good = || deflated("Bad.class", &text(2, 500));
    unreadable(RawEntry { crc: 1, ..good() }, "CRC");
    unreadable(RawEntry { crc: 1, ..stored("Bad.class", b"x") }, "CRC");
    unreadable(RawEntry { size: 499, ..good() }, "more than the 499 bytes announced");
    unreadable(RawEntry { size: 501, ..good() }, "500 bytes instead of 501");
    unreadable(RawEntry { size: 3, ..stored("Bad.class", b"x") }, "announced with 3");
    unreadable(RawEntry { method: 12, ..good() }, "method 12");
    unreadable(RawEntry { size: 1 << 29, ..good() }, "compressed bytes can give");
    let mut bytes = good();
    bytes.data[0] = 0xff;
    unreadable(bytes, "compressed data is damaged");
}

#[test]
fn damage_of_the_structure_is_an_error() {
    let entries = [deflated("A.class", &text(1, 300)), stored("b", b"b")];
    let plain = build(&entries, &Shape::default());
    let with = |change: &dyn Fn(&mut Vec<RawEntry>)| {
        let mut entries = entries.to_vec();
        change(&mut entries);
        build(&entries, &Shape::default())
    };
    for offset in [7, 0xffff_0000] {
        misplaced(
            &with(&|e| e[1].offset = Some(offset)),
            "entry 1 of the directory: b: there is no entry where the directory says",
        );
    }
    misplaced(&with(&|e| e[1].offset = Some(0)), "overlaps the entry behind it");

    let end = plain.len() - 22;
    let directory = end - 2 * 46 - 8;
    let patched = |at: usize, bytes: &[u8]| {
        let mut new = plain.clone();
        new[at..at + bytes.len()].copy_from_slice(bytes);
        new
    };
    damaged(&patched(directory, b"XX"), "there is no directory");
    damaged(&patched(directory + 46 + 7, b"XX"), "entry 1 of the directory: no directory header");
    damaged(&patched(directory + 28, &[255, 255]), "entry 0 of the directory: it is cut off");
    damaged(&patched(directory + 20, &[255, 255, 255, 0]), "A.class: its data is outside the file");
    damaged(&patched(end + 12, &[255, 255, 255, 0]), "is outside the file");
    damaged(&patched(end + 16, &[255, 255, 255, 0]), "there is no directory");
    damaged(&patched(end + 4, &[1, 0]), "split archive");
    damaged(&patched(26, &[255, 255]), "A.class: its data is outside the file");
}

#[test]
fn one_local_entry_behind_many_names_is_refused() {
    let mut entries = vec![deflated("A.class", &vec![0; 100_000])];
    entries.extend((0..50).map(|i| RawEntry {
        offset: Some(0),
        data: vec![],
        ..deflated(format!("{i}"), b"")
    }));
    damaged(&build(&entries, &Shape::default()), "overlaps");
}

#[test]
fn what_is_no_zip_is_said_to_be_none() {
    let dir = Dir::new();
    for bytes in [&b""[..], b"PK", b"\xca\xfe\xba\xbe and so on and so on", &[0; 100_000]] {
        let e = Input::open(dir.file("x", bytes)).map(|_| ()).unwrap_err();
        assert!(matches!(e.kind(), ErrorKind::NotAZip), "{e}");
    }
    let e = Input::open(dir.path("missing.jar")).map(|_| ()).unwrap_err();
    assert!(
        matches!(e.kind(), ErrorKind::Io { .. })
            && e.to_string().contains("missing.jar: cannot open"),
        "{e}"
    );
    let e = Input::open("/dev/zero").map(|_| ()).unwrap_err();
    assert!(e.to_string().contains("not a regular file"), "{e}");
}

#[test]
fn encrypted_entries_are_refused_by_name() {
    let jar = build(
        &[stored("b", b"b"), RawEntry { flags: 1, ..stored("A.class", b"a") }],
        &Shape::default(),
    );
    let e = open(&jar, &Limits::default()).map(|_| ()).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::Encrypted(name) if name.as_bytes() == b"A.class"), "{e}");
}

#[test]
fn every_prefix_of_an_archive_is_refused() {
    let shape = Shape { comment: b"comment".to_vec(), zip64_end: true, ..Shape::default() };
    let inner = build(&[deflated("A.class", &text(1, 80))], &Shape::default());
    let entries = [deflated("A.class", &text(1, 80)), stored("lib/i.jar", &inner)];
    for preamble in ["", "#!/bin/sh"] {
        for offsets_count_preamble in [false, true] {
            let shape =
                Shape { preamble: preamble.into(), offsets_count_preamble, ..shape.clone() };
            let jar = build(&entries, &shape);
            for end in 0..jar.len() {
                // In particular the inner archive must not be taken for the whole.
                assert!(open(&jar[..end], &Limits::default()).is_err(), "{end}");
            }
            assert!(open(&jar, &Limits::default()).is_ok());
        }
    }
}

#[test]
fn no_single_byte_makes_it_panic() {
    let mut described = deflated("A.class", &text(1, 60));
    described.descriptor = Descriptor::Signed;
    let inner = build(&[deflated("I.class", &text(1, 40))], &Shape::default());
    let mut wide = stored("c", b"c");
    wide.zip64 = true;
    let manifest = stored("META-INF/MANIFEST.MF", b"A: b\n\nName: x\nSHA-Digest: y\n");
    let entries =
        [described, stored("lib/i.jar", &inner), wide, manifest, stored("META-INF/A.SF", b"")];
    let shape = Shape { zip64_end: true, preamble: b"#!\n".to_vec(), ..Shape::default() };
    let jar = build(&entries, &shape);
    let limits = Limits { entry_bytes: 1 << 16, total_bytes: 1 << 18, ..Limits::default() };
    let dir = Dir::new();
    let (mut refused, mut read) = (0, 0);
    for at in 0..jar.len() {
        for value in [0xff, jar[at] ^ 1] {
            let mut bad = jar.clone();
            bad[at] = value;
            let input = match Input::open_with(dir.file("bad.jar", &bad), &limits) {
                Ok(input) => input,
                Err(_) => {
                    refused += 1;
                    continue;
                }
            };
            read += 1;
            let _ = input.manifest();
            let _ = input.visit(&Default::default(), |_, b| b.len());
            let to = jfathom_archive::Destination::whole(dir.path("out.jar")).force(true);
            let work = Default::default();
            if jfathom_archive::rewrite(&input, &to, &work, change_all, |_| Additions::none())
                .is_ok()
            {
                assert!(
                    Input::open_with(&to.path, &limits).is_ok(),
                    "what was written can be read: {at} {value}"
                );
            }
        }
    }
    assert!(refused > 100 && read > 400, "{refused} {read}");
}

fn limit(result: Result<impl Sized, Error>) -> Limit {
    let Err(e) = result else { panic!("within the limits") };
    match e.kind() {
        ErrorKind::Limit { limit, found, allowed } => {
            assert!(found > allowed);
            assert!(e.to_string().contains("raise the limit"), "{e}");
            *limit
        }
        _ => panic!("{e}"),
    }
}

#[test]
fn limits_hold_in_nested_jars_too() {
    let inner =
        build(&[deflated("A.class", &vec![0; 10_000]), stored("b", b"")], &Shape::default());
    let jar = build(&[stored("lib/i.jar", &inner)], &Shape::default());
    let all = Limits::default();
    let size = inner.len() as u64 + 10_000;
    let visit = |limits: Limits| open(&jar, &limits).unwrap().visit(&threads(2), |_, b| b.len());
    assert_eq!(
        visit(Limits { entries: 3, total_bytes: size, entry_bytes: 10_000, ..all }).unwrap().values,
        [10_000]
    );
    assert_eq!(limit(visit(Limits { entries: 2, ..all })), Limit::Entries);
    assert_eq!(limit(visit(Limits { total_bytes: size - 1, ..all })), Limit::TotalBytes);
    assert_eq!(limit(visit(Limits { entry_bytes: 9_999, ..all })), Limit::EntryBytes);
    assert_eq!(limit(open(&jar, &Limits { entries: 0, ..all })), Limit::Entries);
    assert_eq!(limit(open(&jar, &Limits { total_bytes: 99, ..all })), Limit::TotalBytes);
    assert_eq!(limit(open(&jar, &Limits { file_bytes: 99, ..all })), Limit::FileBytes);
    let shallow = visit(Limits { nesting: 0, ..all }).unwrap();
    assert_eq!(shallow.values, [0usize; 0]);
    assert!(matches!(shallow.notices.as_slice(), [Notice::NestedTooDeep { .. }]));
}

#[test]
fn a_bomb_is_refused_before_it_is_inflated() {
    let bomb = RawEntry { size: 1 << 40, zip64: true, ..deflated("A.class", &vec![0; 100_000]) };
    assert_eq!(
        limit(open(&build(&[bomb], &Shape::default()), &Limits::default())),
        Limit::TotalBytes
    );
    let many: Vec<_> =
        (0..5).map(|i| RawEntry { size: 1 << 30, ..deflated(format!("{i}"), b"") }).collect();
    assert_eq!(
        limit(open(&build(&many, &Shape::default()), &Limits::default())),
        Limit::TotalBytes
    );
}

#[test]
fn a_directory_is_limited_too() {
    let dir = Dir::new();
    dir.file("c/A.class", &[0; 100]);
    dir.file("c/B.class", &[0; 100]);
    let open = |limits: Limits| Input::open_with(dir.path("c"), &limits);
    let all = Limits::default();
    assert_eq!(limit(open(Limits { entries: 1, ..all })), Limit::Entries);
    assert_eq!(limit(open(Limits { total_bytes: 199, ..all })), Limit::TotalBytes);
    let input = open(Limits { entry_bytes: 99, ..all }).unwrap();
    assert_eq!(limit(input.visit(&threads(1), |_, _| ())), Limit::EntryBytes);
}
