//! Worlds of folders and modules on disk, and of classes in memory.

use jfathom_archive::Input;
use jfathom_reachability::{
    ClassSource, Container, ContainerKind, Index, IndexPart, Rows, encode_index,
};
use jfathom_testkit::{Javac, java_files};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

/// Compiles all sources below `tests/java/FOLDER` into `out`.
pub fn compile(folder: &str, out: &Path) {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(folder);
    Javac::release(17).compile(&java_files(&sources), out);
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
            label: input.location().to_string(),
            kind,
            multi_release: flag.is_some_and(|flag| flag.eq_ignore_ascii_case("true")),
            prefix: String::new(),
            entries,
        });
        self.inputs.push(input);
    }
}

impl ClassSource for Disk {
    fn read(
        &self,
        container: usize,
        _: usize,
        name: &str,
    ) -> Result<Cow<'_, [u8]>, jfathom_plan::Problem> {
        if !self.indexes.is_empty() {
            return Err("it is in the index".into());
        }
        let read = self.inputs[container].read(name).map_err(|error| error.to_string())?;
        read.map(Cow::Owned).ok_or_else(|| "no such entry".into())
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
    fn read(
        &self,
        container: usize,
        _: usize,
        name: &str,
    ) -> Result<Cow<'_, [u8]>, jfathom_plan::Problem> {
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
