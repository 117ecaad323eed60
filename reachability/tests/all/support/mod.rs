//! What the tests share: JDK, javac, and worlds of directories and modules.
#![allow(dead_code)]

use jfathom_archive::Input;
use jfathom_reachability::{
    ClassSource, Container, ContainerKind, Index, IndexPart, Rows, encode_index,
};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The home of a JDK 17 or later: `JAVA_HOME`, or that of the `javac` on the path.
pub fn jdk() -> PathBuf {
    if let Some(home) = std::env::var_os("JAVA_HOME") {
        return PathBuf::from(home);
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut found = std::env::split_paths(&folders)
        .filter_map(|folder| folder.join("javac").canonicalize().ok());
    let javac = found.next().expect("javac of a JDK 17 or later is on the path");
    javac.ancestors().nth(2).expect("javac lies in a JDK's bin").to_owned()
}

/// A JDK 25, by `JFATHOM_JDK25` or among the machine's; none, and a line that says so, without one.
pub fn jdk25() -> Option<PathBuf> {
    if let Some(home) = std::env::var_os("JFATHOM_JDK25") {
        return Some(PathBuf::from(home));
    }
    let homes =
        std::fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten().map(|entry| entry.path());
    let is_25 = |home: &PathBuf| {
        std::fs::read_to_string(home.join("release"))
            .is_ok_and(|text| text.contains("JAVA_VERSION=\"25"))
    };
    let found = homes.into_iter().find(is_25);
    if found.is_none() {
        eprintln!("skipped on JDK 25: none found (set JFATHOM_JDK25)");
    }
    found
}

/// Compiles all sources below `tests/java/FOLDER` into `out`.
pub fn compile(folder: &str, out: &Path) {
    let mut sources = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder of sources").flatten() {
            if entry.path().is_dir() {
                folders.push(entry.path())
            } else {
                sources.push(entry.path())
            }
        }
    }
    sources.sort();
    let output = Command::new(jdk().join("bin/javac"))
        .args(["-nowarn", "-Xlint:-options", "-proc:none", "--release", "17", "-d"])
        .arg(out)
        .args(sources)
        .output()
        .expect("javac runs");
    assert!(output.status.success(), "javac: {}", String::from_utf8_lossy(&output.stderr));
}

/// Containers on disk.
#[derive(Default)]
pub struct Disk {
    inputs: Vec<Input>,
    pub containers: Vec<Container>,
    indexes: Vec<Index>,
}

impl Disk {
    /// Makes an index of each container, through bytes; class files are then refused.
    pub fn indexed(mut self) -> Self {
        for (input, container) in self.inputs.iter().zip(&self.containers) {
            let mut part = IndexPart::default();
            for (entry, row) in
                container.entries.iter().zip(0..).filter(|entry| entry.0.ends_with(".class"))
            {
                part.add(row, &input.read(entry).expect("bytes").expect("an entry"));
            }
            let key = container.label.as_bytes();
            let rows = Rows::Entries(container.entries.len() as u32);
            let bytes = encode_index(key, rows, &[], &[part]).expect("an index");
            self.indexes.push(Index::decode(bytes, key).expect("an index"));
        }
        self
    }

    pub fn module(mut self, home: &Path, module: &str) -> Self {
        self.add(Input::open_module(home, module).expect("a module"), ContainerKind::Jdk);
        self
    }

    pub fn program(mut self, path: &Path) -> Self {
        self.add(Input::open(path).expect("a jar or folder"), ContainerKind::Program);
        self
    }

    fn add(&mut self, input: Input, kind: ContainerKind) {
        let entries = input
            .names()
            .map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned())
            .collect();
        let manifest = input.manifest().expect("a manifest that can be read");
        let flag = manifest.as_ref().and_then(|manifest| manifest.main().get("Multi-Release"));
        self.containers.push(Container {
            label: input.place().to_string(),
            kind,
            multi_release: flag.is_some_and(|flag| flag.eq_ignore_ascii_case("true")),
            prefix: String::new(),
            entries,
        });
        self.inputs.push(input);
    }
}

impl ClassSource for Disk {
    fn read(&self, container: usize, _: usize, name: &str) -> Result<Cow<'_, [u8]>, String> {
        if !self.indexes.is_empty() {
            return Err("it is in the index".to_owned());
        }
        let read = self.inputs[container].read(name).map_err(|error| error.to_string())?;
        read.map(Cow::Owned).ok_or_else(|| "no such entry".to_owned())
    }

    fn index(&self, container: usize) -> Option<&Index> {
        self.indexes.get(container)
    }
}

/// Classes in memory.
#[derive(Default)]
pub struct Memory(pub Vec<BTreeMap<String, Vec<u8>>>);

impl Memory {
    pub fn container(&self, at: usize, multi_release: bool) -> Container {
        Container {
            label: format!("container{at}.jar"),
            kind: ContainerKind::Program,
            multi_release,
            prefix: String::new(),
            entries: self.0[at].keys().cloned().collect(),
        }
    }
}

impl ClassSource for Memory {
    fn read(&self, container: usize, _: usize, name: &str) -> Result<Cow<'_, [u8]>, String> {
        Ok(Cow::Borrowed(&self.0[container][name]))
    }
}

/// A class file without members: flags, name, superclass, superinterfaces.
pub fn bare_class(access: u16, name: &str, super_class: &str, interfaces: &[&str]) -> Vec<u8> {
    let mut out = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61];
    let names: Vec<&str> =
        [name, super_class].into_iter().chain(interfaces.iter().copied()).collect();
    out.extend((2 * names.len() as u16 + 1).to_be_bytes());
    for (name, at) in names.iter().zip(1u16..) {
        out.push(1);
        out.extend((name.len() as u16).to_be_bytes());
        out.extend(name.as_bytes());
        out.push(7);
        out.extend((2 * at - 1).to_be_bytes());
    }
    for word in [access, 2, 4, interfaces.len() as u16] {
        out.extend(word.to_be_bytes());
    }
    for at in 0..interfaces.len() as u16 {
        out.extend((6 + 2 * at).to_be_bytes());
    }
    out.extend([0; 6]);
    out
}
