//! Images that jlink has compressed: what is read is what a JVM of the image has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::jdk::{default_home, run_in};
use crate::common::{Dir, threads};
use jfathom_archive::{Input, Jdk, JdkModule};
use jfathom_testkit::{Javac, jdk};

const SUMS: &str = include_str!("../java/Sums.java");

/// An image of java.base alone, or none where the JDK has nothing to link it from.
fn linked(home: &Path, how: &str, dir: &Path) -> Option<PathBuf> {
    let image = dir.join(how);
    let mut jlink = Command::new(home.join("bin/jlink"));
    let output = jlink
        .args(["--add-modules", "java.base", "--compress", how, "--output"])
        .arg(&image)
        .output();
    let skip = |why: &str| println!("skipped for --compress {how} of {}: {why}", home.display());
    match output {
        Ok(output) if output.status.success() => Some(image),
        Ok(output) => {
            let said = [output.stdout, output.stderr].concat();
            skip(&String::from_utf8_lossy(&said));
            None
        }
        Err(error) => {
            skip(&error.to_string());
            None
        }
    }
}

/// The homes that are to be looked at: images made here, and runtimes that this machine may have.
fn compressed(dir: &Path) -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> =
        ["1", "2"].iter().filter_map(|how| linked(&default_home(), how, dir)).collect();
    let test = "compressed images";
    homes.extend(jdk::jdk25(test).and_then(|jdk| linked(&jdk.home, "zip-9", dir)));
    let runtimes = [jdk::jre11(test), jdk::jre21(test)];
    homes.extend(runtimes.into_iter().flatten().map(|jdk| jdk.home.clone()));
    homes
}

#[test]
fn what_is_read_is_what_the_jvm_has() {
    let dir = Dir::new();
    let source = dir.file("Sums.java", SUMS.as_bytes());
    Javac::release(11).compile(&[source], dir.dir.path());
    for home in compressed(dir.dir.path()) {
        let printed = run_in(&home, "java", &["-Xshare:auto", "-cp", ".", "Sums"], dir.dir.path());
        let split = |line: &str| {
            line.split_once(' ').map(|(sum, name)| (name.to_owned(), sum.parse().unwrap()))
        };
        let expected: BTreeMap<String, u32> = printed.lines().filter_map(split).collect();
        assert!(expected.len() > 5000, "{}", expected.len());
        let classes: BTreeMap<String, u32> = expected
            .iter()
            .filter(|(name, _)| name.ends_with(".class"))
            .map(|(name, &sum)| (name.clone(), sum))
            .collect();

        let input = Input::open_module(&home, "java.base").unwrap();
        let one = |name| {
            (
                format!("{name}"),
                libdeflater::crc32(&input.read(&format!("{name}")).unwrap().unwrap()),
            )
        };
        let read: BTreeMap<String, u32> = input.names().map(one).collect();
        assert!(read == expected, "{}: {:?}", home.display(), first_difference(&read, &expected));

        let show = |entry: &jfathom_archive::Entry<'_>, bytes: &[u8]| {
            (entry.name().to_string(), libdeflater::crc32(bytes))
        };
        let visited = input.visit(&threads(2), show).unwrap();
        assert_eq!(visited.notices, []);
        let visited: BTreeMap<String, u32> = visited.values.into_iter().collect();
        assert!(
            visited == classes,
            "{}: {:?}",
            home.display(),
            first_difference(&visited, &classes)
        );

        let jdk = Jdk::open(&home).unwrap();
        let modules = jdk.modules().unwrap();
        let base = modules.iter().find(|module| module.name == "java.base").unwrap();
        let mut each = BTreeMap::new();
        jdk.each("java.base", &base.classes, &mut |at, bytes| {
            assert_eq!(base.classes[at].size, bytes.len() as u64);
            each.insert(base.classes[at].name.to_string(), libdeflater::crc32(bytes));
        })
        .unwrap();
        each.insert("module-info.class".to_owned(), classes["module-info.class"]);
        assert!(each == classes, "{}: {:?}", home.display(), first_difference(&each, &classes));
        by_name(&jdk, base, &classes);
    }
}

fn by_name(jdk: &Jdk, base: &JdkModule, sums: &BTreeMap<String, u32>) {
    for class in base.classes.iter().step_by(97) {
        let name = class.name.to_string();
        assert_eq!(
            jdk.read("java.base", &name).unwrap().map(|bytes| libdeflater::crc32(&bytes)),
            sums.get(&name).copied()
        );
    }
}

fn first_difference<'m>(
    a: &'m BTreeMap<String, u32>,
    b: &'m BTreeMap<String, u32>,
) -> Option<(&'m String, usize, usize)> {
    let of = |(one, other): (&'m BTreeMap<String, u32>, &BTreeMap<String, u32>)| {
        one.iter().find(|(name, sum)| other.get(*name) != Some(sum)).map(|(name, _)| name)
    };
    of((a, b)).or_else(|| of((b, a))).map(|name| (name, a.len(), b.len()))
}
