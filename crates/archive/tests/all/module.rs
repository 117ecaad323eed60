//! The modules of real JDKs, and images with one damage each.

use std::collections::BTreeSet;
use std::fs;

use crate::common::jdk::{default_home, homes};
use crate::common::raw::{Shape, build, deflated};
use crate::common::*;
use jfathom_archive::{
    Additions, Destination, ErrorKind, Input, InputKind, Jdk, NewEntry, Replace, modules, rewrite,
};

#[test]
fn java_base_is_read_whole() {
    for home in homes() {
        let names = modules(&home).unwrap();
        assert!(names.is_sorted() && names.iter().any(|n| n == "java.base"), "{names:?}");
        let input = Input::open_module(&home, "java.base").unwrap();
        assert_eq!(
            (input.kind(), input.relative_path()),
            (InputKind::Module, "java.base".as_ref())
        );
        let seen = input
            .visit(&threads(2), |e, b| (e.name().to_string(), b.starts_with(b"\xca\xfe\xba\xbe")))
            .unwrap();
        assert!(seen.values.len() > 5000 && seen.values.iter().all(|(_, is_class)| *is_class));
        assert_eq!(seen.notices, []);
        let set: BTreeSet<_> = seen.values.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(set.len(), seen.values.len());
        for name in
            ["module-info.class", "java/lang/Object.class", "jdk/internal/misc/Unsafe.class"]
        {
            assert!(set.contains(name), "{name}");
            assert!(input.read(name).unwrap().unwrap().starts_with(b"\xca\xfe\xba\xbe"));
        }
        assert_eq!(
            seen.values,
            input.visit(&threads(1), |e, _| (e.name().to_string(), true)).unwrap().values
        );
    }
}

/// `jlink` makes the image from the jmods; its plug-ins regenerate some classes of java.base and
/// leave other modules alone.
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
            let all = input
                .visit(&threads(2), |e, b| (e.name().clone(), e.location().to_string(), b.to_vec()))
                .unwrap();
            all.values
                .into_iter()
                .filter(|c| c.0.as_bytes() != b"module-info.class")
                .collect::<BTreeSet<_>>()
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
    let to =
        jfathom_archive::destinations(std::slice::from_ref(&input), &dir.path("out"), |_| false)
            .unwrap()
            .remove(0);
    rewrite(&input, &to, &threads(2), one, |_| additions).unwrap();
    assert_eq!(
        list(&dir.path("out")),
        ["java.logging/java/util/logging/Logger.class", "java.logging/r/R.class"]
    );
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

const STRINGS: &[u8] =
    b"\0m\0p\0A\0class\0module-info\0zip\0compact-cp\0lzma\0(L;I)L;\0java/lang\0String\0run\0";

fn at(string: &str) -> u64 {
    if string.is_empty() {
        return 0;
    }
    let string = [b"\0", string.as_bytes(), b"\0"].concat();
    STRINGS.windows(string.len()).position(|w| w == string).unwrap() as u64 + 1
}

/// An image with one resource, `/m/p/A.class`, and a module descriptor. The resource is stored as
/// `stored`, and has `size` bytes; compressed or not.
fn image(stored: &[u8], compressed: bool, size: usize, big_endian: bool) -> Vec<u8> {
    let location = |parent: u64, base: u64, offset: usize, compressed: usize, size: usize| {
        let numbers = [offset, compressed, size].map(|number| number as u64);
        let fields = [at("m"), parent, base, at("class")].into_iter().chain(numbers);
        let mut bytes = Vec::new();
        for (kind, value) in (1u8..).zip(fields) {
            bytes.push(kind << 3 | 3);
            bytes.extend_from_slice(&(value as u32).to_be_bytes());
        }
        bytes.push(0);
        bytes
    };
    let first = location(at("p"), at("A"), 0, if compressed { stored.len() } else { 0 }, size);
    let second = location(0, at("module-info"), stored.len(), 0, 3);
    let mut locations = first.clone();
    locations.extend(&second);
    let mut image = Vec::new();
    let mut put = |v: u32| image.extend(if big_endian { v.to_be_bytes() } else { v.to_le_bytes() });
    for field in [0xcafe_dada, 1 << 16, 0, 2, 2, locations.len() as u32, STRINGS.len() as u32] {
        put(field);
    }
    // Whatever is looked up is in the first slot, if anywhere.
    for slot in [u32::MAX, u32::MAX, 0, first.len() as u32] {
        put(slot);
    }
    image.extend(locations);
    image.extend(STRINGS);
    image.extend(stored);
    image.extend(b"inf");
    image
}

/// A compressed resource: header and content.
fn packed(name: u64, content: &[u8], size: usize, big_endian: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut put = |number: u64, len: usize| match big_endian {
        true => bytes.extend(&number.to_be_bytes()[8 - len..]),
        false => bytes.extend(&number.to_le_bytes()[..len]),
    };
    for (number, len) in [
        (0xcafe_fafa, 4),
        (content.len() as u64, 8),
        (size as u64, 8),
        (name, 4),
        (u64::from(u32::MAX), 4),
        (1, 1),
    ] {
        put(number, len);
    }
    bytes.extend(content);
    bytes
}

fn zipped(content: &[u8], big_endian: bool) -> Vec<u8> {
    let mut compressor = libdeflater::Compressor::new(libdeflater::CompressionLvl::default());
    let mut data = vec![0; compressor.zlib_compress_bound(content.len())];
    let len = compressor.zlib_compress(content, &mut data).unwrap();
    packed(at("zip"), &data[..len], content.len(), big_endian)
}

/// A class file up to its constant pool's end and two bytes more, with its strings in the image;
/// and as it is.
fn shared(big_endian: bool) -> (Vec<u8>, Vec<u8>) {
    let head = b"\xca\xfe\xba\xbe\0\0\0\x37\0\x07";
    let number = |string: &str| match at(string) {
        small @ ..32 => vec![0xa0 | small as u8],
        large => vec![0xc0, large as u8],
    };
    let names: Vec<u8> =
        ["java/lang", "String", "", "A"].iter().flat_map(|text| number(text)).collect();
    let mut small = head.to_vec();
    small.extend(b"\x01\0\x02hi");
    small.extend([&[23][..], &[0, 0, 0, at("run") as u8]].concat());
    small.extend(b"\x05\0\0\0\0\0\0\0\x09");
    small.extend([&[25][..], &number("(L;I)L;"), &[0xa0 | names.len() as u8], &names].concat());
    small.extend(b"\x07\0\x01\0\x21");
    let mut class = head.to_vec();
    class.extend(b"\x01\0\x02hi\x01\0\x03run\x05\0\0\0\0\0\0\0\x09");
    let descriptor = b"(Ljava/lang/String;I)LA;";
    class.extend([&[1, 0, descriptor.len() as u8], &descriptor[..], b"\x07\0\x01\0\x21"].concat());
    (packed(at("compact-cp"), &small, class.len(), big_endian), class)
}

fn opened(image: &[u8]) -> (Dir, Input) {
    let dir = Dir::new();
    dir.file("lib/modules", image);
    let input = Input::open_module(dir.dir.path(), "m").unwrap();
    (dir, input)
}

#[test]
fn made_images_are_read_in_both_byte_orders() {
    for big_endian in [false, true] {
        let dir = Dir::new();
        dir.file("lib/modules", &image(b"code", false, 4, big_endian));
        assert_eq!(modules(dir.dir.path()).unwrap(), ["m"]);
        let input = Input::open_module(dir.dir.path(), "m").unwrap();
        let seen =
            input.visit(&threads(2), |e, b| (e.location().to_string(), b.to_vec())).unwrap().values;
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
fn compressed_resources_are_read_in_both_byte_orders() {
    for big_endian in [false, true] {
        let (shared, class) = shared(big_endian);
        let both = zipped(&shared, big_endian);
        let code = zipped(b"code", big_endian);
        for (stored, expected) in [
            (shared, &class),
            (both, &class),
            (code, &b"code".to_vec()),
            (b"as is".to_vec(), &b"as is".to_vec()),
        ] {
            let (dir, input) = opened(&image(&stored, true, expected.len(), big_endian));
            assert_eq!(input.read("p/A.class").unwrap().as_ref(), Some(expected));
            let seen = input.visit(&threads(2), |_, b| b.to_vec()).unwrap();
            assert_eq!(
                (seen.values, seen.notices),
                (vec![expected.clone(), b"inf".to_vec()], vec![])
            );
            let jdk = Jdk::open(dir.dir.path()).unwrap();
            let modules = jdk.modules().unwrap();
            let mut each = Vec::new();
            jdk.each("m", &modules[0].classes, &mut |_, bytes| each.push(bytes.to_vec())).unwrap();
            assert_eq!(each, std::slice::from_ref(expected));
            let by_name = jdk.read("m", "p/A.class").unwrap();
            assert_eq!(by_name.as_ref(), Some(expected));
        }
    }
}

#[test]
fn what_cannot_be_decompressed_has_its_place() {
    let (shared, class) = shared(false);
    let cut = |len: usize| packed(at("compact-cp"), &shared[29..29 + len], class.len(), false);
    let many = (0..9).fold(b"code".to_vec(), |content, _| zipped(&content, false));
    let mut odd_tag = shared.clone();
    odd_tag[29 + 10] = 21;
    let cases = [
        (packed(at("lzma"), b"code", 4, false), 4, "compressed in a way that is not known (lzma)"),
        (packed(at("zip"), b"no zlib stream", 4, false), 4, "compressed data is damaged"),
        (
            packed(at("zip"), b"code", 1 << 20, false),
            4,
            "announced with 1048576 bytes, more than 4 compressed",
        ),
        (packed(at("zip"), b"code", 1 << 40, false), 4, "1099511627776 uncompressed bytes"),
        (packed(1 << 20, b"code", 4, false), 4, "outside the image's strings"),
        (
            packed(at("compact-cp"), &shared[29..], 20, false),
            20,
            "more than the 20 bytes announced",
        ),
        (packed(at("compact-cp"), &shared[29..], 100, false), 100, "instead of 100"),
        (cut(5), class.len(), "is cut off"),
        (cut(30), class.len(), "is cut off"),
        (odd_tag, class.len(), "constant 1 has the tag 21"),
        (zipped(b"code", false), 5, "decompressed to 4 bytes instead of 5"),
        (many, 4, "more than 8 times"),
        (zipped(b"code", false)[..30].to_vec(), 4, "its header announces"),
    ];
    for (stored, size, expected) in cases {
        let (dir, input) = opened(&image(&stored, true, size, false));
        let error = input.read("p/A.class").unwrap_err().to_string();
        assert!(error.starts_with("jrt:/m!p/A.class: ") && error.contains(expected), "{error}");
        let error = Jdk::open(dir.dir.path()).unwrap().each_error();
        assert!(error.contains("lib/modules!p/A.class: ") && error.contains(expected), "{error}");
        let seen = input.visit(&threads(2), |_, b| b.to_vec()).unwrap();
        assert_eq!((seen.values, seen.notices.len()), (vec![b"inf".to_vec()], 1));
    }
}

trait EachError {
    fn each_error(&self) -> String;
}

impl EachError for Jdk {
    fn each_error(&self) -> String {
        let modules = self.modules().unwrap();
        self.each("m", &modules[0].classes, &mut |_, _| {}).unwrap_err().to_string()
    }
}

#[test]
fn without_an_image_jmods_are_read() {
    let dir = Dir::new();
    let shape = Shape { preamble: b"JM\x01\0".to_vec(), ..Shape::default() };
    let entries = [
        deflated("classes/p/A.class", b"jmod"),
        deflated("lib/p/B.class", b"no"),
        deflated("classes/", b""),
    ];
    dir.file("jmods/m.jmod", &build(&entries, &shape));
    let input = Input::open_module(dir.dir.path(), "m").unwrap();
    let seen =
        input.visit(&threads(2), |e, b| (e.location().to_string(), b.to_vec())).unwrap().values;
    assert_eq!(seen, [("jrt:/m!p/A.class".to_owned(), b"jmod".to_vec())]);
}

#[test]
fn no_single_byte_of_an_image_makes_it_panic() {
    let (shared, class) = shared(false);
    let zipped = zipped(&shared, false);
    for good in [
        image(b"code", false, 4, false),
        image(&shared, true, class.len(), false),
        image(&zipped, true, class.len(), false),
    ] {
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
}
