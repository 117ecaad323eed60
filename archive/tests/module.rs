//! The modules of real JDKs, and images with one damage each.

mod common;

use std::collections::BTreeSet;
use std::fs;

use common::jdk::{default_home, homes};
use common::raw::{Shape, build, deflated};
use common::*;
use jfathom_archive::{Additions, Destination, ErrorKind, Input, Kind, NewEntry, Replace, modules, rewrite};

#[test]
fn java_base_is_read_whole() {
    for home in homes() {
        let names = modules(&home).unwrap();
        assert!(names.is_sorted() && names.iter().any(|n| n == "java.base"), "{names:?}");
        let input = Input::open_module(&home, "java.base").unwrap();
        assert_eq!((input.kind(), input.relative_path()), (Kind::Module, "java.base".as_ref()));
        let seen = input.visit(&threads(2), |e, b| (e.name().to_string(), b.starts_with(b"\xca\xfe\xba\xbe"))).unwrap();
        assert!(seen.values.len() > 5000 && seen.values.iter().all(|(_, is_class)| *is_class));
        assert_eq!(seen.notices, []);
        let set: BTreeSet<_> = seen.values.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(set.len(), seen.values.len());
        for name in ["module-info.class", "java/lang/Object.class", "jdk/internal/misc/Unsafe.class"] {
            assert!(set.contains(name), "{name}");
            assert!(input.read(name).unwrap().unwrap().starts_with(b"\xca\xfe\xba\xbe"));
        }
        assert_eq!(seen.values, input.visit(&threads(1), |e, _| (e.name().to_string(), true)).unwrap().values);
    }
}

/// `jlink` makes the image from the jmods; its plug-ins regenerate some classes of java.base and leave other modules alone.
#[test]
fn the_image_holds_what_the_jmod_holds() {
    let home = default_home();
    if !home.join("jmods/java.logging.jmod").is_file() {
        println!("skipped: this JDK has no jmods");
        return;
    }
    let dir = Dir::new();
    fs::create_dir(dir.path("jmods")).unwrap();
    for module in ["java.logging", "java.sql"] {
        let jmod = format!("jmods/{module}.jmod");
        fs::copy(home.join(&jmod), dir.path(&jmod)).unwrap();
        let image = Input::open_module(&home, module).unwrap();
        let packed = Input::open_module(dir.dir.path(), module).unwrap();
        let classes = |input: &Input| {
            let all = input.visit(&threads(2), |e, b| (e.name().clone(), e.place().to_string(), b.to_vec())).unwrap();
            all.values.into_iter().filter(|c| c.0.as_bytes() != b"module-info.class").collect::<BTreeSet<_>>()
        };
        assert!(classes(&image).len() > 50);
        assert!(classes(&image) == classes(&packed), "{module}");
    }
    assert_eq!(modules(dir.dir.path()).unwrap(), ["java.logging", "java.sql"]);
    let e = Input::open_module(dir.dir.path(), "java.base").map(|_| ()).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::NoModule(_)), "{e}");
}

#[test]
fn a_module_becomes_a_patch_directory() {
    let dir = Dir::new();
    let input = Input::open_module(default_home(), "java.logging").unwrap();
    let whole = Destination::whole(dir.path("out"));
    let e = rewrite(&input, &whole, &threads(2), keep_all, |_| Additions::none()).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::NeedsPatch), "{e}");
    let one = |e: &jfathom_archive::Entry<'_>, b: &[u8]| match e.name().class_name() {
        Some("java/util/logging/Logger") => Replace::Bytes(changed(b)),
        _ => Replace::Keep,
    };
    let additions = Additions { entries: vec![NewEntry::new("r/R.class", "r")], manifest: vec![] };
    let to = jfathom_archive::destinations(std::slice::from_ref(&input), &dir.path("out"), false).unwrap().remove(0);
    rewrite(&input, &to, &threads(2), one, |_| additions).unwrap();
    assert_eq!(list(&dir.path("out")), ["java.logging/java/util/logging/Logger.class", "java.logging/r/R.class"]);
}

#[test]
fn unknown_modules_and_homes_are_named() {
    let home = default_home();
    for name in ["no.such.module", "", "..", "a/b", "packages/java.lang"] {
        let e = Input::open_module(&home, name).map(|_| ()).unwrap_err();
        assert!(matches!(e.kind(), ErrorKind::NoModule(n) if n == name), "{name}: {e}");
    }
    let dir = Dir::new();
    let e = Input::open_module(dir.dir.path(), "java.base").map(|_| ()).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::NoImage), "{e}");
    assert!(matches!(modules(dir.dir.path()).unwrap_err().kind(), ErrorKind::NoImage));
}

/// An image with one resource, `/m/p/A.class`, and a module descriptor.
fn image(compressed: u64, big_endian: bool) -> Vec<u8> {
    let strings = b"\0m\0p\0A\0class\0module-info\0";
    let at = |s: &[u8]| strings.windows(s.len()).position(|w| w == s).unwrap() as u64;
    let location = |parent: u64, base: u64, offset: u64, size: u64| {
        let fields =
            [(1, at(b"m\0")), (2, parent), (3, base), (4, at(b"class\0")), (5, offset), (6, compressed), (7, size)];
        let mut bytes = Vec::new();
        for (kind, value) in fields {
            bytes.push(kind << 3 | 1);
            bytes.extend_from_slice(&(value as u16).to_be_bytes());
        }
        bytes.push(0);
        bytes
    };
    let first = location(at(b"p\0"), at(b"A\0"), 0, 4);
    let second = location(0, at(b"module-info\0"), 4, 3);
    let mut locations = first.clone();
    locations.extend(&second);
    let mut image = Vec::new();
    let mut put = |v: u32| image.extend(if big_endian { v.to_be_bytes() } else { v.to_le_bytes() });
    for field in
        [0xcafe_dada, 1 << 16, 0, 2, 2, locations.len() as u32, strings.len() as u32, 0, 0, 0, first.len() as u32]
    {
        put(field);
    }
    image.extend(locations);
    image.extend(strings);
    image.extend(b"codeinf");
    image
}

#[test]
fn made_images_are_read_in_both_byte_orders() {
    for big_endian in [false, true] {
        let dir = Dir::new();
        dir.file("lib/modules", &image(0, big_endian));
        assert_eq!(modules(dir.dir.path()).unwrap(), ["m"]);
        let input = Input::open_module(dir.dir.path(), "m").unwrap();
        let seen = input.visit(&threads(2), |e, b| (e.place().to_string(), b.to_vec())).unwrap().values;
        assert_eq!(
            seen,
            [
                ("jrt:/m!p/A.class".to_owned(), b"code".to_vec()),
                ("jrt:/m!module-info.class".to_owned(), b"inf".to_vec())
            ]
        );
    }
}

#[test]
fn compressed_images_are_refused_unless_there_are_jmods() {
    let dir = Dir::new();
    dir.file("lib/modules", &image(2, false));
    let e = Input::open_module(dir.dir.path(), "m").map(|_| ()).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::CompressedImage(_)), "{e}");
    let shape = Shape { preamble: b"JM\x01\0".to_vec(), ..Shape::default() };
    let entries = [deflated("classes/p/A.class", b"jmod"), deflated("lib/p/B.class", b"no"), deflated("classes/", b"")];
    dir.file("jmods/m.jmod", &build(&entries, &shape));
    let input = Input::open_module(dir.dir.path(), "m").unwrap();
    let seen = input.visit(&threads(2), |e, b| (e.place().to_string(), b.to_vec())).unwrap().values;
    assert_eq!(seen, [("jrt:/m!p/A.class".to_owned(), b"jmod".to_vec())]);
}

#[test]
fn no_single_byte_of_an_image_makes_it_panic() {
    let good = image(0, false);
    let dir = Dir::new();
    let mut read = 0;
    for at in 0..good.len() {
        for value in [0, 0x7f, 0xff, good[at] ^ 1] {
            let mut bad = good.clone();
            bad[at] = value;
            dir.file("lib/modules", &bad);
            let _ = modules(dir.dir.path());
            if let Ok(input) = Input::open_module(dir.dir.path(), "m") {
                read += 1;
                let _ = input.visit(&Default::default(), |_, b| b.len());
                let _ = input.read("p/A.class");
            }
        }
        dir.file("lib/modules", &good[..at]);
        assert!(modules(dir.dir.path()).map_or(true, |m| m.len() <= 1));
    }
    assert!(read > 100, "{read}");
}
