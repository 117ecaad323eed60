//! Damaged classes: every one is an error or a class, never a panic, and never a great deal of
//! memory.

use crate::support::Jvm;
use crate::support::stress::{Mode, Outcome, try_splice_all};
use classfile_writer::*;

/// A generator with a fixed seed (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

fn exercise(bytes: &[u8]) -> bool {
    let checked = check(bytes).is_ok();
    if let Ok(class) = ClassFile::parse(bytes) {
        for (ix, _) in class.pool().entries() {
            let pool = class.pool();
            let _ = (
                pool.utf8(ix),
                pool.class_name(ix),
                pool.member_names(ix),
                pool.dynamic(ix),
                pool.string(ix),
            );
            let _ = (
                pool.method_handle(ix),
                pool.method_type(ix),
                pool.long(ix),
                pool.double(ix),
                pool.integer(ix),
            );
            let _ = pool.utf8(ix).map(|text| mutf8::decode_lossy(text).len());
        }
    }
    for mode in [Mode::Rewrite, Mode::Nops, Mode::Probes, Mode::Grow { rarity: 3 }] {
        let spliced = try_splice_all(bytes, mode, &mut Outcome::default(), &mut |_| ());
        if let (Ok(spliced), true, Mode::Rewrite) = (&spliced, checked, mode) {
            assert!(spliced == bytes, "a class that can be read comes out as it went in");
        }
    }
    checked
}

#[test]
fn damage_is_an_error() {
    let classes = Jvm::new().shapes("-g");
    let mut random = Random(0x5EED);
    let (mut accepted, mut refused) = (0, 0);
    for (_, class) in &classes {
        assert!(exercise(class));
        for round in 0..60 {
            let mut damaged = class.clone();
            for _ in 0..1 + round % 4 {
                let at = random.below(damaged.len());
                match random.below(6) {
                    0 => damaged[at] = 0xFF,
                    1 => damaged[at] = 0,
                    2 => damaged[at] ^= 1 << random.below(8),
                    3 => drop(damaged.remove(at)),
                    4 => damaged.insert(at, random.below(256) as u8),
                    _ => damaged[at] = random.below(256) as u8,
                }
            }
            if exercise(&damaged) { accepted += 1 } else { refused += 1 }
        }
    }
    assert!(accepted > 20 && refused > 20, "accepted {accepted}, refused {refused}");
}

#[test]
fn every_prefix_is_an_error() {
    let classes = Jvm::new().shapes("-g");
    let (_, class) = classes.iter().min_by_key(|(_, class)| class.len()).expect("a class");
    for length in 0..class.len() {
        let error = ClassFile::parse(&class[..length]).expect_err("a prefix is no class");
        assert!(error.offset() <= class.len(), "{error} of {length}");
    }
    let mut longer = class.clone();
    longer.push(0);
    let error = ClassFile::parse(&longer).expect_err("a byte too many");
    assert_eq!((error.kind(), error.offset()), (ErrorKind::TrailingBytes, class.len()));
    assert_eq!(
        error.to_string(),
        format!("bytes after the end of the class at offset {:#x}", class.len())
    );
}

#[test]
fn versions_outside_the_range_are_named() {
    for major in [70, 99, u16::MAX] {
        let class = crate::support::builder::Builder::new(major).finish("New");
        let read = ClassFile::parse(&class).map(|class| class.major());
        assert_eq!(read.expect("the layout holds"), major);
        let mut preview = crate::support::builder::Builder::new(major);
        preview.minor = 0xFFFF;
        let error = ClassFile::parse(&preview.finish("New")).expect_err("unknown features");
        assert_eq!(error.kind(), ErrorKind::UnsupportedVersion { major, minor: 0xFFFF });
        assert!(error.to_string().contains("preview features of Java"), "{error}");
    }
    let old = crate::support::builder::Builder::new(44).finish("Old");
    let error = ClassFile::parse(&old).expect_err("a version before the first");
    assert_eq!(error.kind(), ErrorKind::UnsupportedVersion { major: 44, minor: 0 });
    let mut preview = crate::support::builder::Builder::new(69);
    preview.minor = 0xFFFF;
    let preview = preview.finish("Preview");
    assert_eq!(
        ClassFile::parse(&preview).map(|class| class.minor()).expect("a preview class"),
        0xFFFF
    );
    assert_eq!(
        ClassFile::parse(b"\xCA\xFE\xBA\xBF").expect_err("no class").kind(),
        ErrorKind::BadMagic
    );
}

#[test]
fn large_frames_do_not_take_large_memory() {
    use crate::support::builder::{Builder, CodeParts, push2};
    // 20,000 frames, each with three locals more than the one before it, over a method with few
    // variables.
    let mut table = Vec::new();
    push2(&mut table, 20_000);
    for _ in 0..20_000 {
        table.extend([254, 0, 0, 1, 1, 1]);
    }
    let mut code = vec![0; 20_000];
    code.push(177);
    let mut f = CodeParts {
        max_locals: 50_000,
        code,
        attributes: vec![("StackMapTable", table)],
        ..Default::default()
    };
    f.exceptions.push([0, 1, 19_999, 0]);
    let mut builder = Builder::new(52);
    builder.method(9, "f", "()V", &f);
    let bytes = builder.finish("Big");
    let mut errors = Vec::new();
    let spliced = try_splice_all(&bytes, Mode::Probes, &mut Outcome::default(), &mut |error| {
        errors.push(error)
    });
    assert!(spliced.is_ok());
    assert!(
        matches!(errors[..], [ref error] if matches!(error.kind(), ErrorKind::TooManyLocals(_))),
        "{errors:?}"
    );
}
