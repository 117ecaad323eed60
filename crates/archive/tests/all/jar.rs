//! Jar to jar, judged by the `zip` crate.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::raw::{Descriptor, Shape, build, deflated, stored};
use crate::common::*;
use jfathom_archive::{
    Additions, Destination, Input, ManifestEdit, NewEntry, Notice, Replace, Work, create_jar,
    rewrite,
};

fn sample() -> Vec<u8> {
    let mut entries: Vec<(String, zip::CompressionMethod, Vec<u8>)> = vec![
        ("META-INF/".into(), STORED, vec![]),
        (
            "META-INF/MANIFEST.MF".into(),
            DEFLATED,
            b"Manifest-Version: 1.0\r\nMain-Class: a.Main\r\n\r\n".to_vec(),
        ),
        ("a/".into(), STORED, vec![]),
        ("a/readme.txt".into(), DEFLATED, text(1, 3000)),
        ("a/Stored.class".into(), STORED, text(2, 500)),
        ("a/Empty.class".into(), STORED, vec![]),
    ];
    for i in 0..150u32 {
        entries.push((format!("a/C{i}.class"), DEFLATED, text(i + 10, (i as usize * 97) % 5000)));
    }
    let entries: Vec<_> = entries.iter().map(|(n, m, c)| (n.as_str(), *m, c.as_slice())).collect();
    make_zip(&entries)
}

#[test]
fn a_visit_sees_every_class_in_order() {
    let (dir, jar) = (Dir::new(), sample());
    let input = Input::open(dir.file("a.jar", &jar)).unwrap();
    let want: Vec<_> = read_zip(&jar)
        .into_iter()
        .filter(|e| e.name.ends_with(b".class"))
        .map(|e| (e.name, e.content))
        .collect();
    for n in [1, 2, 5] {
        let seen =
            input.visit(&threads(n), |e, b| (e.name().as_bytes().to_vec(), b.to_vec())).unwrap();
        assert_eq!(seen.values, want);
        assert_eq!(seen.notices, []);
    }
    assert_eq!(input.read("a/readme.txt").unwrap().unwrap(), text(1, 3000));
    assert_eq!(input.read("a/readme.tx").unwrap(), None);
    assert_eq!(input.manifest().unwrap().unwrap().main().get("main-class"), Some("a.Main"));
}

#[test]
fn an_entry_is_known_by_its_bytes() {
    let (dir, jar) = (Dir::new(), make_zip(&[("a/A.class", DEFLATED, b"one"), ("b", STORED, b"")]));
    dir.file("classes/a/A.class", b"one");
    for input in [dir.file("a.jar", &jar), dir.path("classes")] {
        let input = Input::open(input).unwrap();
        let at = input.names().position(|name| name.as_str() == Some("a/A.class")).unwrap();
        assert!(input.has_content(at, b"one"));
        assert!(!input.has_content(at, b"two") && !input.has_content(at, b"ones"));
        assert!(!input.has_content(at + 7, b"one"), "no such entry");
    }
}

#[test]
fn ids_are_the_same_in_a_visit_and_a_rewrite() {
    let (dir, jar) = (Dir::new(), sample());
    let input = Input::open(dir.file("a.jar", &jar)).unwrap();
    let seen =
        input.visit(&threads(2), |e, _| (e.id().clone(), e.location().to_string())).unwrap().values;
    assert!(seen.is_sorted_by(|a, b| a.0 < b.0));
    let rewritten = Mutex::new(BTreeMap::new());
    let note = |e: &jfathom_archive::Entry<'_>, _: &[u8]| {
        rewritten.lock().unwrap().insert(e.id().clone(), e.location().to_string());
        Replace::Keep
    };
    rewrite(&input, &Destination::whole(dir.path("o.jar")), &threads(2), note, |_| {
        Additions::none()
    })
    .unwrap();
    assert_eq!(rewritten.into_inner().unwrap().into_iter().collect::<Vec<_>>(), seen);
}

#[test]
fn changed_classes_change_and_everything_else_is_copied() {
    let jar = sample();
    let half = |e: &jfathom_archive::Entry<'_>, b: &[u8]| match e.name().as_str().unwrap().len() % 2
    {
        0 => Replace::Keep,
        _ => Replace::Bytes(changed(b)),
    };
    let (new, outcome) = rewritten(&jar, half, Additions::none()).unwrap();
    let (old, new) = (read_zip(&jar), read_zip(&new));
    assert_eq!(old.len(), new.len());
    let mut count = 0;
    for (old, new) in old.into_iter().zip(new) {
        if old.name.ends_with(b".class") && old.name.len() % 2 == 1 {
            count += 1;
            assert_eq!(new.content, changed(&old.content));
            assert_eq!((new.name, new.method, new.time), (old.name, old.method, old.time));
        } else {
            assert_eq!(new, old, "with its compressed bytes");
        }
    }
    assert_eq!(outcome.counts.changed, count);
    assert_eq!(outcome.counts.classes, 152);
    assert_eq!(outcome.notices, []);
}

#[test]
fn nothing_changed_gives_the_same_bytes() {
    let shape =
        Shape { preamble: b"#!/bin/sh\n".to_vec(), gap: b"gap".to_vec(), ..Shape::default() };
    for jar in [sample(), build(&[deflated("A.class", &text(1, 99))], &shape)] {
        let (new, outcome) = rewritten(&jar, keep_all, Additions::none()).unwrap();
        assert!(new == jar);
        assert_eq!(outcome.counts.changed, 0);
    }
}

#[test]
fn the_number_of_threads_does_not_change_a_byte() {
    let dir = Dir::new();
    let nested = sample();
    let jar = make_zip(&[
        ("lib/x.jar", STORED, &nested),
        ("lib/y.jar", DEFLATED, &nested),
        ("A.class", DEFLATED, b"a"),
    ]);
    let input = Input::open(dir.file("a.jar", &jar)).unwrap();
    let additions = || Additions {
        entries: vec![NewEntry::new("x/Y.class", text(3, 1000))],
        manifest: vec![ManifestEdit::set("Enable-Native-Access", "ALL-UNNAMED")],
    };
    let outputs: Vec<Vec<u8>> = [1, 2, 3, 2]
        .iter()
        .map(|&n| {
            let to = Destination::whole(dir.path("o.jar")).force(true);
            rewrite(&input, &to, &threads(n), change_all, |_| additions()).unwrap();
            std::fs::read(&to.path).unwrap()
        })
        .collect();
    assert!(outputs.windows(2).all(|w| w[0] == w[1]));
}

#[test]
fn progress_comes_once_per_entry() {
    let (dir, jar) = (Dir::new(), sample());
    let input = Input::open(dir.file("a.jar", &jar)).unwrap();
    let (calls, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let tell = |p: jfathom_archive::Progress| {
        assert_eq!(p.total, 156);
        calls.fetch_add(1, Ordering::Relaxed);
        most.fetch_max(p.done, Ordering::Relaxed);
    };
    input.visit(&Work { progress: Some(&tell), ..Work::default() }, |_, _| ()).unwrap();
    assert_eq!((calls.into_inner(), most.into_inner()), (156, 156));
}

#[test]
fn nested_jars_are_entered_and_keep_their_method() {
    let inner = make_zip(&[("c/In.class", DEFLATED, &text(1, 800)), ("note.txt", STORED, b"note")]);
    let plain = make_zip(&[("note.txt", DEFLATED, b"no classes here")]);
    let middle = make_zip(&[("lib/inner.jar", STORED, &inner), ("M.class", DEFLATED, b"middle")]);
    let jar = make_zip(&[
        ("BOOT-INF/classes/B.class", DEFLATED, b"boot"),
        ("BOOT-INF/lib/stored.jar", STORED, &inner),
        ("BOOT-INF/lib/deflated.jar", DEFLATED, &inner),
        ("BOOT-INF/lib/plain.jar", DEFLATED, &plain),
        ("WEB-INF/lib/middle.war", STORED, &middle),
        ("broken.jar", STORED, b"this is no jar"),
    ]);
    let (new, outcome) = rewritten(&jar, change_all, Additions::none()).unwrap();
    let (old, new) = (read_zip(&jar), read_zip(&new));
    for (old, new) in old.iter().zip(&new) {
        assert_eq!((&old.name, old.method), (&new.name, new.method));
    }
    assert_eq!(outcome.counts.changed, 5);
    assert_eq!(content(&new, "BOOT-INF/classes/B.class"), changed(b"boot"));
    let middle = read_zip(&content(&new, "WEB-INF/lib/middle.war"));
    assert_eq!(content(&middle, "M.class"), changed(b"middle"));
    for inner in [
        content(&new, "BOOT-INF/lib/stored.jar"),
        content(&new, "BOOT-INF/lib/deflated.jar"),
        content(&middle, "lib/inner.jar"),
    ] {
        let inner = read_zip(&inner);
        assert_eq!(content(&inner, "c/In.class"), changed(&text(1, 800)));
        assert_eq!(content(&inner, "note.txt"), b"note");
    }
    let raw = |entries: &[Read1], name: &str| {
        entries.iter().find(|e| e.name == name.as_bytes()).unwrap().raw.clone()
    };
    assert_eq!(raw(&new, "BOOT-INF/lib/plain.jar"), raw(&old, "BOOT-INF/lib/plain.jar"));
    match outcome.notices.as_slice() {
        [Notice::NestedUnreadable { location, reason }] => {
            assert!(location.to_string().ends_with("in.jar!broken.jar"), "{location}");
            assert!(reason.contains("not a zip file"), "{reason}");
        }
        other => panic!("{other:?}"),
    }
}

/// Workers that wait for a nested jar take up another one meanwhile; that must not use up their
/// stacks.
#[test]
fn many_nested_jars_at_once() {
    let classes: Vec<_> = (0..40).map(|i| deflated(format!("C{i}.class"), &text(i, 200))).collect();
    let inner = build(&classes, &Shape::default());
    let middle: Vec<_> = (0..20).map(|i| stored(format!("{i}.jar"), &inner)).collect();
    let middle = build(&middle, &Shape::default());
    let outer: Vec<_> = (0..40).map(|i| deflated(format!("{i}.jar"), &middle)).collect();
    let (_, outcome) =
        rewritten(&build(&outer, &Shape::default()), change_all, Additions::none()).unwrap();
    assert_eq!(outcome.counts.changed, 40 * 20 * 40);
}

#[test]
fn places_name_every_jar_on_the_way() {
    let inner = make_zip(&[("c/In.class", DEFLATED, b"in")]);
    let dir = Dir::new();
    let path =
        dir.file("app.jar", &make_zip(&[("x", STORED, b""), ("lib/inner.jar", STORED, &inner)]));
    let seen = Input::open(&path).unwrap();
    let seen = seen.visit(&threads(1), |e, _| {
        (e.location().to_string(), e.id().positions().to_vec(), e.is_nested())
    });
    assert_eq!(
        seen.unwrap().values,
        [(format!("{}!lib/inner.jar!c/In.class", path.display()), vec![1, 0], true)]
    );
}

#[test]
fn data_descriptors_of_all_forms() {
    use Descriptor::*;
    for descriptor in [Signed, Bare, Signed64, Bare64, Missing] {
        let with = |mut e: crate::common::raw::RawEntry| {
            e.descriptor = descriptor;
            e
        };
        let entries = [
            with(deflated("A.class", &text(1, 700))),
            with(deflated("b.txt", &text(2, 700))),
            with(stored("c.txt", b"c")),
        ];
        let jar = build(&entries, &Shape::default());
        let (new, outcome) = rewritten(&jar, change_all, Additions::none()).unwrap();
        let new = read_zip(&new);
        assert_eq!(content(&new, "A.class"), changed(&text(1, 700)), "{descriptor:?}");
        assert_eq!(content(&new, "b.txt"), text(2, 700));
        assert_eq!(content(&new, "c.txt"), b"c");
        assert_eq!(outcome.notices, []);
    }
}

#[test]
fn described_entries_are_copied_with_their_descriptor() {
    let mut entry = deflated("b.txt", &text(2, 700));
    entry.descriptor = Descriptor::Signed;
    let jar = build(&[entry.clone(), stored("A.class", b"a")], &Shape::default());
    let (new, _) = rewritten(&jar, change_all, Additions::none()).unwrap();
    let span = 30 + entry.name.len() + entry.data.len() + 16;
    assert!(new[..span] == jar[..span]);
}

#[test]
fn a_preamble_stays_and_the_offsets_count_it() {
    let script = b"#!/bin/sh\nexec java -jar \"$0\" \"$@\"\n";
    for offsets_count_preamble in [false, true] {
        for zip64_end in [false, true] {
            let shape = Shape {
                preamble: script.to_vec(),
                offsets_count_preamble,
                zip64_end,
                ..Shape::default()
            };
            let jar = build(&[deflated("A.class", &text(1, 700)), stored("b", b"b")], &shape);
            let (new, _) = rewritten(&jar, change_all, Additions::none()).unwrap();
            assert!(new.starts_with(script));
            let first = u32::from_le_bytes(new[new.len() - 6..][..4].try_into().unwrap()) as usize;
            assert_eq!(
                &new[first..first + 4],
                b"PK\x01\x02",
                "the directory is where the end record says"
            );
            let entries = read_zip(&new);
            assert_eq!(content(&entries, "A.class"), changed(&text(1, 700)));
            assert_eq!(content(&entries, "b"), b"b");
        }
    }
}

#[test]
fn zip64_is_read_and_only_written_when_needed() {
    let mut entries =
        vec![deflated("A.class", &text(1, 700)), stored("B.class", b"b"), stored("c", b"c")];
    entries.iter_mut().for_each(|e| e.zip64 = true);
    let jar = build(&entries, &Shape { zip64_end: true, ..Shape::default() });
    let (new, _) = rewritten(&jar, change_all, Additions::none()).unwrap();
    assert!(!new.windows(4).any(|w| w == b"PK\x06\x06"));
    let new = read_zip(&new);
    assert_eq!(content(&new, "A.class"), changed(&text(1, 700)));
    assert_eq!(content(&new, "B.class"), changed(b"b"));
    assert_eq!(content(&new, "c"), b"c");
}

#[test]
fn more_than_65535_entries() {
    let mut entries: Vec<_> = (0..66_000).map(|i| stored(format!("{i}"), b"")).collect();
    entries.push(stored("A.class", b"a"));
    for wrap_count in [false, true] {
        let jar =
            build(&entries, &Shape { zip64_end: !wrap_count, wrap_count, ..Shape::default() });
        let (new, _) = rewritten(&jar, change_all, Additions::none()).unwrap();
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&new)).unwrap();
        assert_eq!(archive.len(), 66_001);
        assert_eq!(archive.by_index(66_000).unwrap().size(), changed(b"a").len() as u64);
    }
}

#[test]
fn duplicates_are_all_kept_and_noticed() {
    let jar = build(
        &[stored("A.class", b"one"), stored("b", b"b"), stored("A.class", b"two")],
        &Shape::default(),
    );
    let dir = Dir::new();
    let input = Input::open(dir.file("a.jar", &jar)).unwrap();
    assert!(matches!(input.notices(), [Notice::DuplicateName { count: 2, .. }]));
    assert_eq!(
        input.read("A.class").unwrap().unwrap(),
        b"two",
        "the last one counts, as in the JVM"
    );
    let (new, outcome) = rewritten(&jar, change_all, Additions::none()).unwrap();
    assert_eq!(outcome.counts.changed, 2);
    let want = build(
        &[
            stored("A.class", &changed(b"one")),
            stored("b", b"b"),
            stored("A.class", &changed(b"two")),
        ],
        &Shape::default(),
    );
    assert!(new == want, "the zip crate merges duplicates, so the bytes are compared");
}

#[test]
fn names_extra_fields_and_comments_are_kept_as_bytes() {
    let names: [&[u8]; 8] = [
        b"/abs.class",
        b"../up.class",
        b"a\\b.class",
        b"nul\0.class",
        b"\x84\x94\x81.class",
        "ü.class".as_bytes(),
        b".class",
        b"x",
    ];
    let mut entries: Vec<_> = names.iter().map(|n| deflated(*n, &text(5, 300))).collect();
    for entry in &mut entries {
        entry.local_extra = b"\xfe\xca\0\0".to_vec();
        entry.central_extra = b"\xfe\xca\x02\0zz".to_vec();
        entry.comment = b"a comment".to_vec();
    }
    entries[5].flags = 1 << 11;
    let shape = Shape { comment: b"the archive's comment".to_vec(), ..Shape::default() };
    let (new, outcome) =
        rewritten(&build(&entries, &shape), change_all, Additions::none()).unwrap();
    assert_eq!(outcome.counts.changed, 7);
    let want: Vec<_> = entries
        .iter()
        .map(|e| if e.name == b"x" { e.clone() } else { redone(e, &changed(&text(5, 300))) })
        .collect();
    assert!(new == build(&want, &shape));
}

/// The entry with other content.
fn redone(entry: &crate::common::raw::RawEntry, content: &[u8]) -> crate::common::raw::RawEntry {
    let new = deflated(entry.name.clone(), content);
    crate::common::raw::RawEntry { data: new.data, crc: new.crc, size: new.size, ..entry.clone() }
}

#[test]
fn odd_extra_fields_do_not_disturb() {
    let mut entry = deflated("A.class", b"a");
    entry.local_extra = b"\x01".to_vec();
    entry.central_extra = b"\x01\0\xff\xff\x01".to_vec();
    let (new, _) =
        rewritten(&build(&[entry], &Shape::default()), change_all, Additions::none()).unwrap();
    let input = Dir::new();
    let input = Input::open(input.file("a.jar", &new)).unwrap();
    assert_eq!(input.read("A.class").unwrap().unwrap(), changed(b"a"));
}

#[test]
fn additions_go_to_the_end_and_a_new_manifest_to_the_front() {
    let jar = make_zip(&[("A.class", DEFLATED, b"a")]);
    let additions = Additions {
        entries: vec![
            NewEntry::new("r/R.class", text(1, 400)),
            NewEntry::new("META-INF/j/m.json", "{}"),
        ],
        manifest: vec![ManifestEdit::set("Enable-Native-Access", "ALL-UNNAMED")],
    };
    let (new, outcome) = rewritten(&jar, keep_all, additions.clone()).unwrap();
    let new = read_zip(&new);
    let names: Vec<_> = new.iter().map(|e| String::from_utf8(e.name.clone()).unwrap()).collect();
    assert_eq!(names, ["META-INF/MANIFEST.MF", "A.class", "r/R.class", "META-INF/j/m.json"]);
    assert_eq!(
        new[0].content,
        b"Manifest-Version: 1.0\r\nEnable-Native-Access: ALL-UNNAMED\r\n\r\n"
    );
    assert_eq!(new[2].content, text(1, 400));
    assert_eq!(new[2].time, Some(zip::DateTime::default()), "1980-01-01");
    assert_eq!(outcome.counts.changed, 0);

    let taken = Additions { entries: vec![NewEntry::new("A.class", "")], manifest: vec![] };
    let e = rewritten(&jar, keep_all, taken).unwrap_err();
    assert!(e.to_string().contains("already holds A.class"), "{e}");
    let twice = Additions {
        entries: vec![additions.entries[0].clone(), additions.entries[0].clone()],
        manifest: vec![],
    };
    assert!(rewritten(&jar, keep_all, twice).is_err());
}

#[test]
fn an_edited_manifest_keeps_its_place_and_what_is_not_edited() {
    let old =
        b"Manifest-Version: 1.0\nClass-Path: a.jar\n  b.jar\nX: y\n\nName: a/b\nSealed: true\n";
    let jar = make_zip(&[
        ("x", STORED, b""),
        ("meta-inf/Manifest.mf", STORED, old),
        ("A.class", DEFLATED, b"a"),
    ]);
    let edits = vec![
        ManifestEdit::add_word("class-path", "c.jar"),
        ManifestEdit::add_word("Class-Path", "b.jar"),
        ManifestEdit::Remove { name: "X".into() },
    ];
    let (new, _) =
        rewritten(&jar, keep_all, Additions { entries: vec![], manifest: edits }).unwrap();
    let new = read_zip(&new);
    assert_eq!(new[1].method, STORED);
    assert_eq!(
        String::from_utf8(new[1].content.clone()).unwrap(),
        "Manifest-Version: 1.0\nclass-path: a.jar b.jar c.jar\r\n\nName: a/b\nSealed: true\n"
    );
}

fn signed() -> Vec<u8> {
    let manifest = b"Manifest-Version: 1.0\r\nMain-Class: A\r\n\r\n\
        Name: A.class\r\nSHA-256-Digest: xyz\r\n\r\n\
        Name: b\r\nSHA1-Digest: abc\r\nSealed: true\r\n\r\n";
    make_zip(&[
        ("META-INF/MANIFEST.MF", DEFLATED, manifest),
        ("META-INF/KEY.SF", DEFLATED, b"sf"),
        ("META-INF/KEY.RSA", DEFLATED, b"rsa"),
        ("A.class", DEFLATED, b"a"),
    ])
}

#[test]
fn a_signature_goes_only_if_something_changes() {
    let jar = signed();
    assert!(rewritten(&jar, keep_all, Additions::none()).unwrap().0 == jar);

    let outer = make_zip(&[("lib/signed.jar", STORED, &jar), ("B.class", DEFLATED, b"b")]);
    let (new, outcome) = rewritten(&outer, change_all, Additions::none()).unwrap();
    let nested = content(&read_zip(&new), "lib/signed.jar");
    let location = match outcome.notices.as_slice() {
        [Notice::SignaturesDropped { location, files: 2 }] => location.to_string(),
        other => panic!("{other:?}"),
    };
    assert!(location.ends_with("in.jar!lib/signed.jar"), "{location}");
    let (direct, outcome) = rewritten(&jar, change_all, Additions::none()).unwrap();
    assert!(matches!(outcome.notices.as_slice(), [Notice::SignaturesDropped { files: 2, .. }]));
    assert!(direct == nested);
    let entries = read_zip(&direct);
    let names: Vec<_> = entries.iter().map(|e| e.name.as_slice()).collect();
    assert_eq!(names, [&b"META-INF/MANIFEST.MF"[..], b"A.class"]);
    assert_eq!(
        String::from_utf8(content(&entries, "META-INF/MANIFEST.MF")).unwrap(),
        "Manifest-Version: 1.0\r\nMain-Class: A\r\n\r\nName: b\r\nSealed: true\r\n\r\n"
    );
}

#[test]
fn an_index_goes_only_if_entries_come_that_it_would_hide() {
    let jar = |class_path: &str| {
        make_zip(&[
            ("META-INF/INDEX.LIST", STORED, b"JarIndex-Version: 1.0\n\nin.jar\na\n\nb.jar\nb\n\n"),
            ("META-INF/MANIFEST.MF", DEFLATED, format!("Class-Path: {class_path}\n").as_bytes()),
            ("A.class", DEFLATED, b"a"),
        ])
    };
    let added = || Additions { entries: vec![NewEntry::new("x/y", "z")], ..Additions::none() };
    let index = |class_path: &str, added: Additions| {
        let (new, outcome) = rewritten(&jar(class_path), change_all, added).unwrap();
        let kept = read_zip(&new).iter().any(|entry| entry.name == b"META-INF/INDEX.LIST");
        let noticed = outcome.notices.iter().find_map(|notice| match notice {
            Notice::Index { dropped, .. } => Some(*dropped),
            _ => None,
        });
        (kept, noticed)
    };
    assert_eq!(index("b.jar", added()), (false, Some(true)));
    assert_eq!(index("c.jar", added()), (true, Some(false)));
    assert_eq!(index("b.jar", Additions::none()), (true, None));
}

#[test]
fn releases_are_shown_and_noticed() {
    let jar = make_zip(&[
        ("A.class", DEFLATED, b"8"),
        ("META-INF/versions/11/A.class", DEFLATED, b"11"),
        ("META-INF/versions/9/A.class", DEFLATED, b"9"),
    ]);
    let dir = Dir::new();
    let input = Input::open(dir.file("a.jar", &jar)).unwrap();
    let seen = input
        .visit(&threads(1), |e, _| (e.name().class_name().map(str::to_owned), e.name().release()))
        .unwrap();
    assert_eq!(
        seen.values,
        [(Some("A".into()), None), (Some("A".into()), Some(11)), (Some("A".into()), Some(9))]
    );
    assert!(
        matches!(input.notices(), [Notice::MultiRelease { releases, .. }] if releases == &[9, 11])
    );
}

#[test]
fn made_jars_are_read_by_others() {
    let long = "n".repeat(65_536);
    let entries = [
        NewEntry::new("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n\r\n"),
        NewEntry::new("ü/A.class", text(1, 999)),
    ];
    let jar = create_jar(&entries).unwrap();
    let read = read_zip(&jar);
    assert_eq!(content(&read, "ü/A.class"), text(1, 999));
    assert_eq!(read.len(), 2);
    assert!(create_jar(&[NewEntry::new(long, "")]).is_err());
    assert_eq!(read_zip(&create_jar(&[]).unwrap()), []);
}
