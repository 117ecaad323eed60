//! Replays the log of a run through an engine, with the rewriter: `replay JDK_HOME LOG JAR…`, with
//! `--eager` or `--total` for another scheme; `--attach` tells what was loaded before the root as
//! loaded before; `--elsewhere` gives the class path to another class loader than the JVM's own, so
//! that classes come with their bytes, and before their superclasses; `--sessions N` does it N
//! times on one table of ids; `--misses` lists methods that were called before they had probes.
//!
//! The log is that of `tests/jvmti/calls.c`. A method of the program counts as found in time when a
//! class file with its probes was made before its first call.

use jfathom::{
    Actions, ClassName, Engine, IdTable, LoaderKind, LoadingClass, Options, PreloadedClass,
    RewrittenClass, VersionedPlan,
};
use jfathom_archive::Input;
use jfathom_plan::{MethodId, MethodKey, Placement, Scheme, SkipReason};
use jfathom_rewriter::{Rewriter, is_used_by_runtime};
use jfathom_session::{InstrumentedAt, MethodsFileLine};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// `a/b/C.name(descriptor)` in its parts.
fn parse(text: &str) -> Option<MethodKey> {
    let (before, _) = text.split_once('(')?;
    let dot = before.rfind('.')?;
    Some(MethodKey {
        class: text[..dot].to_owned(),
        name: text[dot + 1..before.len()].to_owned(),
        descriptor: text[before.len()..].to_owned(),
    })
}

/// How long calls of one kind took.
#[derive(Default)]
struct Times(Vec<Duration>);

impl Times {
    fn show(&mut self, what: &str) {
        self.0.sort();
        let at = |share: usize| {
            self.0.get((self.0.len().max(1) - 1) * share / 100).copied().unwrap_or_default()
        };
        let sum: Duration = self.0.iter().sum();
        println!(
            "    {what}: {}, p50 {:?}, p90 {:?}, p99 {:?}, sum {sum:?}",
            self.0.len(),
            at(50),
            at(90),
            at(99)
        );
    }
}

/// A JVM of one session.
struct Jvm<'w, 'j> {
    engine: Engine<'w>,
    rewriter: Rewriter,
    jars: &'j [Input],
    /// The loader of what is in the jars.
    loader: LoaderKind,
    loaded: HashSet<String>,
    /// By class: the version whose probes it has.
    installed: HashMap<ClassName, u32>,
    live: HashMap<MethodKey, MethodId>,
    first: HashSet<MethodId>,
    skips: BTreeMap<SkipReason, usize>,
    called: HashSet<MethodKey>,
    late: Vec<MethodKey>,
    loading: Times,
    calls: Times,
    rewrites: Times,
    at_load: usize,
    batches: usize,
    /// Retransformations, by class.
    retransformations: HashMap<ClassName, usize>,
}

impl Jvm<'_, '_> {
    fn bytes(&self, name: &[u8]) -> Option<Vec<u8>> {
        let entry = format!("{}.class", std::str::from_utf8(name).ok()?);
        self.jars.iter().find_map(|jar| jar.read(&entry).ok().flatten())
    }

    fn load(&mut self, name: &str) {
        let bytes = self.bytes(name.as_bytes());
        let origin = if bytes.is_some() { self.loader } else { LoaderKind::Jdk };
        self.loaded.insert(name.to_owned());
        let bytes = bytes.unwrap_or_default();
        let start = Instant::now();
        let step = self.engine.class_loading(&LoadingClass {
            name: name.as_bytes(),
            origin,
            bytes: &bytes,
        });
        self.loading.0.push(start.elapsed());
        self.take(step, Some(name.as_bytes()));
    }

    fn take(&mut self, step: Actions, loading: Option<&[u8]>) {
        self.lines(&step);
        if let (Some(planned), Some(name)) = (&step.at_load, loading) {
            self.rewrite(name, planned, InstrumentedAt::Load);
        }
        self.batches += usize::from(!step.retransform.is_empty());
        for name in &step.retransform {
            if loading == Some(&**name) {
                continue;
            }
            let Some(planned) = self.engine.plan(name) else { continue };
            if self.installed.get(name) != Some(&planned.version) {
                self.rewrite(name, &planned, InstrumentedAt::Retransform);
            }
        }
        for name in &step.need {
            let text = String::from_utf8_lossy(name).into_owned();
            let bytes = if self.loaded.contains(&text) { self.bytes(name) } else { None };
            let step = self.engine.class_file(name, bytes.as_deref(), LoaderKind::Other);
            self.take(step, None);
        }
    }

    fn rewrite(&mut self, name: &[u8], planned: &VersionedPlan, how: InstrumentedAt) {
        let Some(original) = self.bytes(name) else { return };
        let rewritten = match self.rewriter.rewrite(&original, &planned.plan) {
            Ok(rewritten) => rewritten,
            Err(skip) => {
                *self.skips.entry(skip.reason).or_default() += 1;
                let methods: Vec<MethodId> =
                    planned.plan.methods.iter().map(|method| method.id).collect();
                let step = self.engine.refused(&methods);
                return self.take(step, None);
            }
        };
        for skip in &rewritten.skips {
            *self.skips.entry(skip.reason).or_default() += 1;
        }
        let done = rewritten.done.to_vec();
        let (version, skips) = (planned.version, rewritten.skips);
        self.installed.insert(name.into(), version);
        match how {
            InstrumentedAt::Load => self.at_load += 1,
            InstrumentedAt::Retransform => {
                *self.retransformations.entry(name.into()).or_default() += 1;
            }
        }
        let start = Instant::now();
        let rewrote =
            RewrittenClass { name, original: &original, version, how, done: &done, skips: &skips };
        let step = self.engine.rewritten(&rewrote);
        self.rewrites.0.push(start.elapsed());
        self.take(step, None);
    }

    fn lines(&mut self, step: &Actions) {
        self.first.extend(&step.first);
        for line in &step.lines {
            match line {
                MethodsFileLine::Class(class) => {
                    for method in &class.methods {
                        let (class, name) = (class.name.clone(), method.name.clone());
                        self.live.insert(
                            MethodKey { class, name, descriptor: method.descriptor.clone() },
                            method.id,
                        );
                    }
                }
                MethodsFileLine::Note(text) => println!("    note: {text}"),
                _ => {}
            }
        }
    }

    fn call(&mut self, key: MethodKey) {
        if !self.called.insert(key.clone()) {
            return;
        }
        match self.live.get(&key).copied() {
            Some(id) if self.first.remove(&id) => {
                let start = Instant::now();
                let step = self.engine.first_call(id);
                self.calls.0.push(start.elapsed());
                assert_eq!(step.timed, [id], "the flag of {key} goes");
                self.take(step, None);
            }
            Some(_) => {}
            None => self.late.push(key),
        }
    }

    /// Shares in hundredths of a percent that were found in time.
    fn report(&mut self, jars: &HashSet<String>, misses: bool) -> f64 {
        // What has no code, and what the program does not declare, is no miss.
        self.late.retain(|key| jars.contains(&key.class) && !is_used_by_runtime(&key.class));
        self.called.retain(|key| jars.contains(&key.class));
        let called = self.called.len().max(1) as f64;
        let share = 100.0 * (1.0 - self.late.len() as f64 / called);
        let retransformations: usize = self.retransformations.values().sum();
        println!(
            "    {called} called, {share:.2} % in time; {:.2} x the called have probes",
            self.live.len() as f64 / called
        );
        println!(
            "    {retransformations} retransformations of {} classes in {} batches, {:.2} for each \
             of {} classes with probes, at most {}; {} at load",
            self.retransformations.len(),
            self.batches,
            retransformations as f64 / self.installed.len().max(1) as f64,
            self.installed.len(),
            self.retransformations.values().max().copied().unwrap_or_default(),
            self.at_load
        );
        println!(
            "    {} first calls, {} refused, skips {:?}",
            self.calls.0.len(),
            self.engine.skipped_methods(),
            self.skips
        );
        self.loading.show("class_loading");
        self.calls.show("first_call");
        self.rewrites.show("rewritten");
        for key in self.late.iter().filter(|_| misses) {
            println!("    missed {key}");
        }
        share
    }
}

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut flag = |name: &str| {
        let before = args.len();
        args.retain(|arg| arg != name);
        args.len() < before
    };
    let (eager, total, attach, misses) =
        (flag("--eager"), flag("--total"), flag("--attach"), flag("--misses"));
    let elsewhere = flag("--elsewhere");
    let mut sessions = 1;
    if let Some(at) = args.iter().position(|arg| arg == "--sessions") {
        sessions = args.remove(at + 1).parse().expect("a number after --sessions");
        args.remove(at);
    }
    let [home, log, paths @ ..] = args.as_slice() else {
        eprintln!(
            "replay JDK_HOME LOG JAR... [--eager|--total] [--attach] [--elsewhere] [--sessions N] \
             [--misses]"
        );
        return;
    };
    let jars: Vec<Input> = paths.iter().map(|path| Input::open(path).expect("a jar")).collect();
    let class_of = |name: &str| name.strip_suffix(".class").map(str::to_owned);
    let names = jars.iter().flat_map(|jar| jar.names());
    let names: HashSet<String> =
        names.filter_map(|name| class_of(&String::from_utf8_lossy(name.as_bytes()))).collect();
    let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
    let options = jfathom_world::Options {
        jdk: Some(Path::new(home).into()),
        ..jfathom_world::Options::default()
    };
    let (class_path, loader) =
        if elsewhere { (&[][..], LoaderKind::Other) } else { (&paths[..], LoaderKind::ClassPath) };
    let opened = jfathom_world::open(class_path, &options).expect("a world");
    let log = std::fs::read_to_string(log).expect("a log");
    let root = log.lines().find_map(|line| line.strip_prefix("R ")).expect("a root in the log");
    let key = parse(root).expect("a method");
    let scheme = if total {
        Scheme::Total
    } else if eager {
        Scheme::Eager
    } else {
        Scheme::Lazy
    };
    let options = Options {
        roots: vec![key.selector().parse().expect("a selector")],
        scheme,
        ..Options::default()
    };
    let mut ids = IdTable::default();
    let mut before: Option<(usize, HashMap<MethodKey, MethodId>)> = None;
    for session in 0..sessions {
        let start = Instant::now();
        let engine =
            Engine::new(opened.world(), opened.services(), &options, std::mem::take(&mut ids));
        println!("{root}, {scheme}, session {session}: made in {:?}", start.elapsed());
        let mut jvm = Jvm {
            engine,
            rewriter: Rewriter::new(jfathom_rewriter::Options { placement: Placement::Live }),
            jars: &jars,
            loader,
            loaded: HashSet::new(),
            installed: HashMap::new(),
            live: HashMap::new(),
            first: HashSet::new(),
            skips: BTreeMap::new(),
            called: HashSet::new(),
            late: Vec::new(),
            loading: Times::default(),
            calls: Times::default(),
            rewrites: Times::default(),
            at_load: 0,
            batches: 0,
            retransformations: HashMap::new(),
        };
        let begin = jvm.engine.begin();
        jvm.take(begin, None);
        let mut lines = log.lines().peekable();
        if attach {
            let mut loaded = Vec::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("R ")) {
                if let Some(name) = line.strip_prefix("L ").or_else(|| line.strip_prefix("L! ")) {
                    let origin = if names.contains(name) { loader } else { LoaderKind::Jdk };
                    jvm.loaded.insert(name.to_owned());
                    loaded.push(PreloadedClass {
                        name: name.as_bytes(),
                        origin,
                        initialised: true,
                    });
                }
            }
            let start = Instant::now();
            let step = jvm.engine.loaded_before(&loaded);
            println!("    {} loaded before, told in {:?}", loaded.len(), start.elapsed());
            jvm.take(step, None);
        }
        let mut lines: Vec<&str> = lines.collect();
        if elsewhere {
            // The log has classes as they were prepared, superclasses first; hooks come the other
            // way round.
            lines
                .chunk_by_mut(|one, next| one.starts_with("L ") && next.starts_with("L "))
                .for_each(<[_]>::reverse);
        }
        for line in lines {
            let Some((kind, rest)) = line.split_once(' ') else { continue };
            match kind {
                "L" => jvm.load(rest),
                "L!" => {
                    let step = jvm.engine.hidden_class(rest.as_bytes());
                    jvm.take(step, None);
                }
                "R" | "C" | "c" => {
                    if let Some(key) = rest.split(' ').next_back().and_then(parse) {
                        jvm.call(key);
                    }
                }
                _ => {}
            }
        }
        let share = jvm.report(&names, misses);
        let end = jvm.engine.end();
        jvm.take(end, None);
        assert!(total || share >= 99.9, "{share} % is too little");
        ids = jvm.engine.into_ids();
        match &before {
            Some((len, live)) => {
                assert_eq!(ids.len(), *len, "no id comes new");
                assert_eq!(&jvm.live, live, "the same methods have the same ids");
            }
            None => before = Some((ids.len(), jvm.live)),
        }
    }
}
