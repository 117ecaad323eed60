//! The JDK as judge: its readers find in our jars what we meant to write.

use std::fmt::Write;
use std::fs;

use crate::common::jdk::{homes, run, run_in};
use crate::common::raw::{Descriptor, Shape, build, deflated, stored};
use crate::common::*;
use jfathom_archive::{Additions, Destination, Input, ManifestEdit, NewEntry, create_jar, rewrite};
use jfathom_testkit::{Javac, jdk};

/// Prints, for each jar: its main attributes, then name, size and CRC of each entry as `JarFile`
/// and as `JarInputStream` see them. Reading an entry through `JarFile` with verification on also
/// checks signatures, and its end checks the CRC in the stream.
const READER: &str = r#"
import java.io.*;
import java.util.*;
import java.util.jar.*;
import java.util.zip.*;

class Reader {
    public static void main(String[] args) throws IOException {
        PrintStream out = new PrintStream(System.out, false, "UTF-8");
        for (String name : args) {
            out.println("== " + name);
            try (JarFile jar = new JarFile(new File(name), true)) {
                Manifest manifest = jar.getManifest();
                if (manifest != null) {
                    TreeMap<String, String> all = new TreeMap<>();
                    manifest.getMainAttributes()
                        .forEach((k, v) -> all.put(k.toString(), v.toString()));
                    out.println(all);
                }
                for (JarEntry entry : Collections.list(jar.entries())) {
                    print(out, entry, jar.getInputStream(entry));
                }
            }
            out.println("-- stream");
            try (JarInputStream jar = new JarInputStream(new FileInputStream(name))) {
                for (JarEntry entry; (entry = jar.getNextJarEntry()) != null;) {
                    print(out, entry, jar);
                }
            }
        }
        out.flush();
    }

    static void print(PrintStream out, JarEntry entry, InputStream in) throws IOException {
        CRC32 crc = new CRC32();
        byte[] bytes = in.readAllBytes();
        crc.update(bytes);
        out.printf("%s %d %08x%n", entry.getName(), bytes.length, crc.getValue());
    }
}
"#;

fn line(name: &str, content: &[u8]) -> String {
    format!("{name} {} {:08x}\n", content.len(), libdeflater::crc32(content))
}

#[test]
fn the_jdk_reads_what_we_write() {
    let dir = Dir::new();
    let long = format!("a.jar {}", "lib/very-long-name-ü.jar ".repeat(20)).trim_end().to_owned();
    let additions = || Additions {
        entries: vec![NewEntry::new("r/Rü.class", text(9, 5000))],
        manifest: vec![
            ManifestEdit::set("Class-Path", &long),
            ManifestEdit::set("Enable-Native-Access", "ALL-UNNAMED"),
        ],
    };
    let (a, b, c) = (text(1, 3000), text(2, 30), text(3, 700));
    let with = |descriptor, zip64| {
        let described = |mut entry: crate::common::raw::RawEntry| {
            entry.descriptor = descriptor;
            entry.zip64 = zip64;
            entry
        };
        [
            described(deflated("A.class", &a)),
            stored("b/B.class", &b),
            described(deflated("c.txt", &c)),
        ]
    };
    let shapes = [
        ("plain", with(Descriptor::None, false), Shape::default()),
        ("described", with(Descriptor::Signed, false), Shape::default()),
        ("bare", with(Descriptor::Bare, false), Shape::default()),
        ("zip64", with(Descriptor::None, true), Shape { zip64_end: true, ..Shape::default() }),
        (
            "script",
            with(Descriptor::None, false),
            Shape { preamble: b"#!/bin/sh\n".to_vec(), ..Shape::default() },
        ),
        (
            "commented",
            with(Descriptor::None, false),
            Shape { comment: b"a comment".to_vec(), ..Shape::default() },
        ),
    ];
    let attributes =
        format!("{{Class-Path={long}, Enable-Native-Access=ALL-UNNAMED, Manifest-Version=1.0}}\n");
    let entries = [
        line("A.class", &changed(&a)),
        line("b/B.class", &changed(&b)),
        line("c.txt", &c),
        line("r/Rü.class", &text(9, 5000)),
    ]
    .concat();
    // `JarInputStream` keeps the manifest to itself.
    let mut want = String::new();
    let mut names = Vec::new();
    for (name, entries_in, shape) in shapes {
        let input =
            Input::open(dir.file(&format!("in/{name}.jar"), &build(&entries_in, &shape))).unwrap();
        let to = Destination::whole(dir.path(&format!("{name}.jar")));
        rewrite(&input, &to, &threads(2), change_all, |_| additions()).unwrap();
        let manifest =
            Input::open(&to.path).unwrap().read("META-INF/MANIFEST.MF").unwrap().unwrap();
        let manifest = line("META-INF/MANIFEST.MF", &manifest);
        writeln!(want, "== {name}.jar").unwrap();
        // A stream cannot pass over what stands in front.
        let streamed = if name == "script" { "" } else { &entries };
        write!(want, "{attributes}{manifest}{entries}-- stream\n{streamed}").unwrap();
        names.push(format!("{name}.jar"));
    }
    let made =
        create_jar(&[NewEntry::new("x/X.class", a.clone()), NewEntry::new("empty", "")]).unwrap();
    dir.file("made.jar", &made);
    names.push("made.jar".to_owned());
    let entries = [line("x/X.class", &a), line("empty", b"")].concat();
    write!(want, "== made.jar\n{entries}-- stream\n{entries}").unwrap();

    let source = dir.file("Reader.java", READER.as_bytes());
    Javac::release(11).compile(&[source], dir.dir.path());
    let mut args = vec!["-Dfile.encoding=UTF-8", "-cp", ".", "Reader"];
    args.extend(names.iter().map(String::as_str));
    for home in homes() {
        assert_eq!(run_in(&home, "java", &args, dir.dir.path()), want, "{}", home.display());
    }
}

/// A jar that the JDK's own tools made and signed, rewritten, is unsigned and loads.
#[test]
fn a_signed_jar_runs_again_when_its_signature_is_dropped() {
    let dir = Dir::new();
    let here = dir.dir.path();
    if !jdk::main().tool("jarsigner").is_file() {
        println!("skipped: this JDK has no jarsigner");
        return;
    }
    let source = "public class Hello { public static void main(String[] a) { \
        System.out.println(\"hello 1\"); } }";
    let source = dir.file("Hello.java", source.as_bytes());
    Javac::release(11).compile(&[source], &here.join("classes"));
    run("jar", &["cfe", "hello.jar", "Hello", "-C", "classes", "."], here);
    let key = [
        "-genkeypair",
        "-keystore",
        "keys",
        "-storepass",
        "secret",
        "-alias",
        "k",
        "-keyalg",
        "EC",
        "-dname",
        "CN=k",
    ];
    run("keytool", &key, here);
    run("jarsigner", &["-keystore", "keys", "-storepass", "secret", "hello.jar", "k"], here);
    assert!(run("jarsigner", &["-verify", "hello.jar"], here).contains("jar verified"));

    let input = Input::open(dir.path("hello.jar")).unwrap();
    let to = Destination::whole(dir.path("out/hello.jar"));
    let other = |_: &jfathom_archive::Entry<'_>, bytes: &[u8]| {
        let at = bytes.windows(7).position(|w| w == b"hello 1").unwrap();
        let mut new = bytes.to_vec();
        new[at + 6] = b'2';
        jfathom_archive::Replace::Bytes(new)
    };
    let outcome = rewrite(&input, &to, &threads(2), other, |_| Additions::none()).unwrap();
    assert!(matches!(
        outcome.notices.as_slice(),
        [jfathom_archive::Notice::SignaturesDropped { files: 2, .. }]
    ));
    assert!(run("jarsigner", &["-verify", "out/hello.jar"], here).contains("unsigned"));
    assert_eq!(run("java", &["-jar", "out/hello.jar"], here).trim_end(), "hello 2");
    let manifest = String::from_utf8(
        Input::open(&to.path).unwrap().read("META-INF/MANIFEST.MF").unwrap().unwrap(),
    )
    .unwrap();
    assert!(!manifest.contains("Digest"), "{manifest}");
    fs::remove_dir_all(dir.path("out")).unwrap();
}
