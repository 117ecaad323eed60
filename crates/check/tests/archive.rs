//! Jars that differ from their originals in one thing each. All are made by the `zip` crate.

use jfathom_check::{Contract, Outcome, archive};
use jfathom_plan::Placement;
use std::borrow::Cow;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

const STORED: CompressionMethod = CompressionMethod::Stored;
const DEFLATED: CompressionMethod = CompressionMethod::Deflated;

/// An entry: name, method, content.
type Row<'a> = (&'a str, CompressionMethod, &'a [u8]);

const MANIFEST: Row<'static> =
    ("META-INF/MANIFEST.MF", DEFLATED, b"Manifest-Version: 1.0\r\nMain-Class: a.B\r\n\r\n");
const TEXT: Row<'static> =
    ("a/text.txt", DEFLATED, b"a text that is long enough to be deflated, deflated, deflated");
const PICTURE: Row<'static> = ("a/picture.png", STORED, b"\x89PNG");
const ADDED: Row<'static> = ("x/Added", DEFLATED, b"added");

fn jar(rows: &[Row<'_>]) -> Vec<u8> {
    jar_of(2020, "", rows)
}

fn jar_of(year: u16, comment: &str, rows: &[Row<'_>]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.set_comment(comment).unwrap();
    let time = DateTime::from_date_and_time(year, 2, 3, 4, 5, 6).unwrap();
    for (name, method, content) in rows {
        let options =
            SimpleFileOptions::default().compression_method(*method).last_modified_time(time);
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn contract() -> Contract<'static> {
    let added = (ADDED.0.to_owned(), Some(Cow::from(ADDED.2)));
    Contract::nothing(Placement::Main).with_added([added])
}

fn check(original: &[u8], output: &[u8]) -> Outcome {
    archive(original, output, &contract())
}

#[track_caller]
fn finds(original: &[u8], output: &[u8], fault: &str) {
    let outcome = check(original, output);
    let told: Vec<String> = outcome.faults.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|told| told.contains(fault)), "{fault:?} is not in {told:?}");
}

#[test]
fn a_jar_with_what_was_asked_for_is_fine() {
    let original = jar(&[MANIFEST, TEXT, PICTURE]);
    let outcome = check(&original, &jar(&[MANIFEST, TEXT, PICTURE, ADDED]));
    assert_eq!(outcome, Outcome { entries: 4, ..Outcome::default() });
}

#[test]
fn each_difference_is_found() {
    let original = jar(&[MANIFEST, TEXT, PICTURE]);
    let with = |rows: &[Row<'_>]| jar(&[rows, &[ADDED]].concat());
    let other_text = (TEXT.0, DEFLATED, &b"another text"[..]);
    let stored_text = (TEXT.0, STORED, TEXT.2);
    let deflated_picture = (PICTURE.0, DEFLATED, PICTURE.2);
    let other_manifest =
        (MANIFEST.0, DEFLATED, &b"Manifest-Version: 1.0\r\nMain-Class: a.C\r\n\r\n"[..]);
    for (output, fault) in [
        (with(&[MANIFEST, TEXT]), "a/picture.png: is lost"),
        (with(&[MANIFEST, other_text, PICTURE]), "a/text.txt: is not what it was"),
        (
            with(&[MANIFEST, stored_text, PICTURE]),
            "a/text.txt: is compressed otherwise than it was",
        ),
        (
            with(&[MANIFEST, TEXT, deflated_picture]),
            "a/picture.png: is compressed otherwise than it was",
        ),
        (with(&[MANIFEST, PICTURE, TEXT]), "is not in its place"),
        (
            with(&[other_manifest, TEXT, PICTURE]),
            "META-INF/MANIFEST.MF: its main attributes are not what they were",
        ),
        (
            with(&[MANIFEST, TEXT, PICTURE, ("b", STORED, b"")]),
            "b: is new, and nobody asked for it",
        ),
        (jar(&[MANIFEST, TEXT, PICTURE]), "x/Added: was to be added, and is not there"),
        (
            jar(&[MANIFEST, TEXT, PICTURE, (ADDED.0, DEFLATED, b"b")]),
            "x/Added: was added, and with another content",
        ),
        (
            jar_of(2021, "", &[MANIFEST, TEXT, PICTURE, ADDED]),
            "a/text.txt: has another time than it had",
        ),
        (
            jar_of(2020, "by us", &[MANIFEST, TEXT, PICTURE, ADDED]),
            "its comment is not what it was",
        ),
        (
            [b"#!/bin/sh\n", with(&[MANIFEST, TEXT, PICTURE]).as_slice()].concat(),
            "what stands in front of it",
        ),
        (b"no jar at all".to_vec(), "reads the original and not the output"),
    ] {
        finds(&original, &output, fault);
    }
}

/// The reader recomputes the CRC of what is new, and compares the directory's with the original's
/// of what is not.
#[test]
fn a_wrong_crc_is_found() {
    let original = jar(&[TEXT]);
    let output = jar(&[TEXT, ADDED]);
    let crc_of = |name: &str| {
        // The last entry of this name in the file is that of the central directory; its CRC lies 30
        // bytes before (APPNOTE 4.3.12).
        let at = output.windows(name.len()).rposition(|window| window == name.as_bytes()).unwrap();
        at - 30
    };
    for name in [TEXT.0, ADDED.0] {
        let mut wrong = output.clone();
        wrong[crc_of(name)] ^= 1;
        assert!(!check(&original, &wrong).is_fine(), "{name}");
    }
    assert!(check(&original, &output).is_fine());
}

#[test]
fn signatures_go_and_nested_jars_stay_as_they_were_stored() {
    let inner = |rows: &[Row<'_>]| jar(rows);
    let (plain, changed) = (inner(&[TEXT]), inner(&[(TEXT.0, DEFLATED, b"changed")]));
    let signature: Row<'_> = ("META-INF/A.SF", DEFLATED, b"signed");
    let original = jar(&[MANIFEST, signature, ("lib/x.jar", STORED, &plain)]);
    let without = jar(&[MANIFEST, ("lib/x.jar", STORED, &plain), ADDED]);
    assert!(check(&original, &without).is_fine(), "{:?}", check(&original, &without));
    let with = jar(&[MANIFEST, signature, ("lib/x.jar", STORED, &plain), ADDED]);
    finds(&original, &with, "META-INF/A.SF: is the signature of a jar that is not what was signed");
    let deep = jar(&[MANIFEST, ("lib/x.jar", STORED, &changed), ADDED]);
    finds(&original, &deep, "lib/x.jar!a/text.txt: is not what it was");
}

/// What the reader refuses in the original is no fault.
#[test]
fn an_original_that_is_refused_is_not_checked() {
    let outcome = check(b"no jar at all", &jar(&[ADDED]));
    assert!(outcome.is_fine() && outcome.not_checked.len() == 1, "{outcome:?}");
}

/// A jar in a jar in a jar …: as deep as any that is rewritten it is looked into, and not without
/// end.
#[test]
fn what_is_nested_deeper_than_is_rewritten_stays_as_it_was() {
    let nested = |depth: usize, content: &[u8]| {
        (0..depth).fold(content.to_vec(), |inner, _| jar(&[("inner.jar", STORED, &inner)]))
    };
    for (depth, opened) in [(1, 1), (3, 3), (200, 9)] {
        let (one, two) = (nested(depth, b"one"), nested(depth, b"two"));
        let found = archive(&one, &two, &Contract::nothing(Placement::Main));
        let told: Vec<String> = found.faults.iter().map(ToString::to_string).collect();
        assert_eq!(told, [format!("{}: is not what it was", vec!["inner.jar"; opened].join("!"))]);
    }
}

/// The end record's place, and where the directory's length and the comment's length are in it.
fn end_of(jar: &[u8]) -> usize {
    jar.windows(4).rposition(|bytes| bytes == b"PK\x05\x06").expect("an end record")
}

#[test]
fn jars_are_read_as_the_jdk_reads_them() {
    let original = jar(&[MANIFEST, TEXT, PICTURE]);
    let output = jar(&[MANIFEST, TEXT, PICTURE, ADDED]);
    let fine = Outcome { entries: 4, ..Outcome::default() };
    let script = b"#!/bin/sh\nexec java -jar \"$0\"\n".as_slice();
    let behind_script = |jar: &[u8]| [script, jar].concat();
    assert_eq!(check(&behind_script(&original), &behind_script(&output)), fine);
    let mut adjusted = behind_script(&output);
    let end = end_of(&adjusted);
    let at = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let add = |bytes: &mut [u8], place: usize| {
        let sum = at(bytes, place) + script.len() as u32;
        bytes[place..place + 4].copy_from_slice(&sum.to_le_bytes());
    };
    let headers: Vec<usize> = adjusted
        .windows(4)
        .enumerate()
        .filter(|(_, bytes)| *bytes == b"PK\x01\x02")
        .map(|(at, _)| at)
        .collect();
    headers.iter().for_each(|&header| add(&mut adjusted, header + 42));
    add(&mut adjusted, end + 16);
    assert_eq!(check(&behind_script(&original), &adjusted), fine);
    let other = adjusted[1..].to_vec();
    assert!(!check(&behind_script(&original), &other).faults.is_empty(), "the script is cut");

    let mut uncounted = original.clone();
    let end = end_of(&uncounted);
    uncounted[end + 8..end + 12].fill(0);
    assert_eq!(check(&uncounted, &output), fine, "the count is 0");
    let lost = check(&uncounted, &jar(&[MANIFEST, TEXT, ADDED]));
    assert!(lost.faults.iter().any(|fault| fault.to_string().contains("picture.png: is lost")));

    let comment = "a comment with PK\u{5}\u{6} and what looks like an end record, but is none";
    let rows = [MANIFEST, TEXT, PICTURE, ADDED];
    let commented = [&rows[..3], &rows].map(|rows| jar_of(2020, comment, rows));
    assert_eq!(check(&commented[0], &commented[1]), fine);
    finds(&commented[0], &output, "its comment is not what it was");
}

#[test]
fn a_count_of_more_than_16_bits_is_wrapped() {
    let options = SimpleFileOptions::default().compression_method(STORED);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for number in 0..65_540 {
        writer.start_file(number.to_string(), options).unwrap();
    }
    let original = writer.finish().unwrap().into_inner();
    // Without the zip64 end record, as old tools leave it.
    let end = end_of(&original);
    let record = end - 76;
    assert_eq!(&original[record..record + 4], b"PK\x06\x06");
    let short = |range: std::ops::Range<usize>| original[range].to_vec();
    let (count, length, offset) = (
        short(record + 32..record + 34),
        short(record + 40..record + 44),
        short(record + 48..record + 52),
    );
    let end = [b"PK\x05\x06\0\0\0\0", &count[..], &count, &length, &offset, b"\0\0"].concat();
    let wrapped = [&original[..record], &end].concat();
    let outcome = archive(&wrapped, &original, &Contract::nothing(Placement::Main));
    assert_eq!(outcome.faults, []);
    assert_eq!(outcome.entries, 65_540);
}
