//! A JVM that is not there: it has the classes of `Program.java` and java.base, and does what an
//! engine says.

use jfathom::{
    Actions, ClassName, Engine, IdTable, LoaderKind, LoadingClass, Options, PreloadedClass,
    RewrittenClass, VersionedPlan,
};
use jfathom_archive::Input;
use jfathom_plan::{MethodId, Placement};
use jfathom_reachability::{ClassSource, Container, ContainerKind, World};
use jfathom_rewriter::Rewriter;
use jfathom_session::{InstrumentedAt, MethodsFileLine};
use jfathom_testkit::{Javac, jdk};
use jfathom_trace::StackIntervalIx;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::OnceLock;

pub struct Classes {
    program: BTreeMap<String, Vec<u8>>,
    base: Input,
}

impl Classes {
    /// Compiled once.
    pub fn get() -> &'static Self {
        static CLASSES: OnceLock<Classes> = OnceLock::new();
        CLASSES.get_or_init(|| {
            let out = tempfile::tempdir().expect("a directory");
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine/Program.java");
            Javac::release(17).compile(&[source], out.path());
            let files = std::fs::read_dir(out.path().join("app")).expect("classes").flatten();
            let class = |file: std::fs::DirEntry| {
                let name = format!("app/{}", file.file_name().to_string_lossy());
                (name, std::fs::read(file.path()).expect("a class file"))
            };
            let program = files.map(class).collect();
            let base = Input::open_module(&jdk::main().home, "java.base").expect("java.base");
            Self { program, base }
        })
    }

    /// A class file of the program as an agent makes it: with this in place of that in the source.
    pub fn woven(name: &str, from: &str, to: &str) -> Vec<u8> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine/Program.java");
        let text = std::fs::read_to_string(source).expect("the source");
        assert!(text.contains(from), "{from}");
        let out = tempfile::tempdir().expect("a directory");
        let changed = out.path().join("Program.java");
        std::fs::write(&changed, text.replace(from, to)).expect("a file");
        Javac::release(17).compile(&[changed], out.path());
        std::fs::read(out.path().join(format!("{name}.class"))).expect("a class file")
    }

    pub fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        let entry = format!("{name}.class");
        self.program
            .get(&entry)
            .cloned()
            .or_else(|| self.base.read(&entry).expect("java.base can be read"))
    }

    fn world(&'static self, with_program: bool) -> World<'static> {
        let container = |label: &str, kind, entries| Container {
            label: label.to_owned(),
            kind,
            multi_release: false,
            prefix: String::new(),
            entries,
        };
        let program =
            if with_program { self.program.keys().cloned().collect() } else { Vec::new() };
        let base = self
            .base
            .names()
            .map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned())
            .collect();
        let containers = vec![
            container("app.jar", ContainerKind::Program, program),
            container("jrt:/java.base", ContainerKind::Jdk, base),
        ];
        World::new(self, containers, 17)
    }
}

impl ClassSource for Classes {
    fn read(
        &self,
        container: usize,
        _: usize,
        name: &str,
    ) -> Result<Cow<'_, [u8]>, jfathom_plan::Problem> {
        match container {
            0 => self
                .program
                .get(name)
                .map(|bytes| Cow::Borrowed(bytes.as_slice()))
                .ok_or("no such entry".into()),
            _ => {
                let bytes = self.base.read(name).map_err(|error| error.to_string())?;
                bytes.map(Cow::Owned).ok_or_else(|| "no such entry".into())
            }
        }
    }
}

pub struct Jvm {
    pub engine: Engine<'static>,
    pub rewriter: Rewriter,
    /// What has probes: `app/Program.run(I)V`.
    pub live: BTreeMap<String, MethodId>,
    /// Methods with the flag of first calls.
    pub first: BTreeSet<MethodId>,
    pub counted: BTreeSet<MethodId>,
    /// Methods whose stacks are walked, with the place of their interval.
    pub walked: Vec<(MethodId, StackIntervalIx)>,
    /// Methods that read what they allocate.
    pub reading: BTreeSet<MethodId>,
    pub lines: Vec<MethodsFileLine>,
    pub versions: BTreeMap<ClassName, u32>,
    /// Classes that got probes as they were loaded.
    pub at_load: u32,
    /// Retransformations, by class.
    pub redefined: BTreeMap<String, u32>,
    /// Classes that were asked for.
    pub needed: Vec<String>,
    /// Class files that agents have changed.
    pub changed: BTreeMap<String, Vec<u8>>,
    /// Methods that the rewriter is to skip.
    pub unable: Vec<MethodId>,
}

impl Jvm {
    pub fn new(options: &str) -> Self {
        Self::again(options, IdTable::default())
    }

    pub fn again(options: &str, ids: IdTable) -> Self {
        Self::over(Classes::get().world(true), options, ids)
    }

    /// Whose class path is empty: other class loaders have the classes.
    pub fn without_class_path(options: &str) -> Self {
        Self::over(Classes::get().world(false), options, IdTable::default())
    }

    fn over(world: World<'static>, options: &str, ids: IdTable) -> Self {
        let options = options.parse::<Options>().expect("options");
        let mut jvm = Self {
            engine: Engine::new(world, &[], &options, ids),
            rewriter: Rewriter::new(jfathom_rewriter::Options { placement: Placement::Live }),
            live: BTreeMap::new(),
            first: BTreeSet::new(),
            counted: BTreeSet::new(),
            walked: Vec::new(),
            reading: BTreeSet::new(),
            lines: Vec::new(),
            versions: BTreeMap::new(),
            at_load: 0,
            redefined: BTreeMap::new(),
            needed: Vec::new(),
            changed: BTreeMap::new(),
            unable: Vec::new(),
        };
        let step = jvm.engine.begin();
        jvm.take(step, None);
        jvm
    }

    pub fn load(&mut self, name: &str) {
        let origin =
            if name.starts_with("java/") { LoaderKind::Jdk } else { LoaderKind::ClassPath };
        self.load_by(name, origin);
    }

    pub fn load_by(&mut self, name: &str, origin: LoaderKind) {
        let bytes = self.bytes(name).expect("a class");
        self.load_bytes(name, &bytes, origin);
    }

    fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        self.changed.get(name).cloned().or_else(|| Classes::get().bytes(name))
    }

    /// An agent changes a loaded class.
    pub fn change(&mut self, name: &str, bytes: Vec<u8>) {
        self.changed.insert(name.to_owned(), bytes.clone());
        let step = self.engine.class_seen(name.as_bytes(), &bytes, LoaderKind::ClassPath);
        self.take(step, Some(name));
    }

    pub fn load_bytes(&mut self, name: &str, bytes: &[u8], origin: LoaderKind) {
        let step =
            self.engine.class_loading(&LoadingClass { name: name.as_bytes(), origin, bytes });
        self.take(step, Some(name));
    }

    pub fn loaded_before(&mut self, names: &[&str], origin: LoaderKind) {
        let loaded = |name: &&'static str| PreloadedClass {
            name: name.as_bytes(),
            origin,
            initialised: true,
        };
        let names: Vec<&'static str> = names.iter().map(|name| &*name.to_string().leak()).collect();
        let loaded: Vec<PreloadedClass<'_>> = names.iter().map(loaded).collect();
        let step = self.engine.loaded_before(&loaded);
        self.take(step, None);
    }

    /// The first call of a method that is live.
    pub fn call(&mut self, method: &str) {
        let id = self.id(method);
        assert!(self.first.remove(&id), "{method} tells its first call");
        let step = self.engine.first_call(id);
        assert_eq!(step.timed, [id]);
        self.take(step, None);
    }

    pub fn id(&self, method: &str) -> MethodId {
        *self
            .live
            .get(method)
            .unwrap_or_else(|| panic!("{method} is not among {:?}", self.live.keys()))
    }

    pub fn has(&self, method: &str) -> bool {
        self.live.contains_key(method)
    }

    pub fn take(&mut self, step: Actions, loading: Option<&str>) {
        for line in &step.lines {
            if let MethodsFileLine::Class(class) = line {
                for method in &class.methods {
                    self.live.insert(
                        format!("{}.{}{}", class.name, method.name, method.descriptor),
                        method.id,
                    );
                }
            }
        }
        self.lines.extend(step.lines);
        self.first.extend(step.first);
        self.counted.extend(step.counted);
        self.walked.extend(step.walked);
        self.reading.extend(step.reading);
        if let (Some(planned), Some(name)) = (&step.at_load, loading) {
            self.at_load += 1;
            self.rewrite(name, planned, InstrumentedAt::Load);
        }
        for name in &step.retransform {
            let text = String::from_utf8_lossy(name).into_owned();
            if let Some(planned) =
                self.engine.plan(name).filter(|plan| self.versions.get(name) != Some(&plan.version))
            {
                *self.redefined.entry(text.clone()).or_default() += 1;
                self.rewrite(&text, &planned, InstrumentedAt::Retransform);
            }
        }
        for name in &step.need {
            let text = String::from_utf8_lossy(name).into_owned();
            let bytes = self.bytes(&text);
            // The load hook sees what the JVM hands out.
            if let Some(bytes) = &bytes {
                let step = self.engine.class_seen(name, bytes, LoaderKind::Other);
                self.take(step, Some(&text));
            }
            self.needed.push(text);
            let step = self.engine.class_file(name, bytes.as_deref(), LoaderKind::Other);
            self.take(step, None);
        }
    }

    fn rewrite(&mut self, name: &str, planned: &VersionedPlan, how: InstrumentedAt) {
        let original = self.bytes(name).expect("a class");
        let mut plan = (*planned.plan).clone();
        plan.methods.retain(|method| !self.unable.contains(&method.id));
        let rewritten = self.rewriter.rewrite(&original, &plan).expect("it can be rewritten");
        let done = rewritten.done.to_vec();
        let (name, version, skips) = (name.as_bytes(), planned.version, rewritten.skips);
        self.versions.insert(name.into(), version);
        let step = self.engine.rewritten(&RewrittenClass {
            name,
            original: &original,
            version,
            how,
            done: &done,
            skips: &skips,
        });
        self.take(step, None);
    }

    pub fn notes(&self) -> String {
        let note = |line: &MethodsFileLine| match line {
            MethodsFileLine::Note(text) | MethodsFileLine::Loss(text) => Some(text.clone()),
            _ => None,
        };
        self.lines.iter().filter_map(note).collect::<Vec<_>>().join("\n")
    }

    pub fn end(&mut self) {
        let step = self.engine.end();
        self.take(step, None);
    }
}
