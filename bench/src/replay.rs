//! `replay`: replays the log of a run through an expander.
//!
//! The log is that of `tests/jvmti/calls.c`: classes as they are prepared, first calls as they
//! happen, on the root's thread and on others. A method of the program counts as found in time when
//! it was chosen before its first call: in the load of its class, or in the batch of an earlier
//! event; as found in the end when it was chosen at all. The expander gets the calls of chosen
//! methods only.

use jfathom_archive::{Input, modules};
use jfathom_plan::MethodKey;
use jfathom_reachability::{
    Answer, ClassLoad, ClassSource, Container, ContainerKind, Event, Expander, ExpansionOptions,
    Lookahead, MethodIx, Scheme, World, module_provides, provider_file,
};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

struct Disk {
    inputs: Vec<Input>,
    containers: Vec<Container>,
    services: Vec<(String, String)>,
}

impl ClassSource for Disk {
    fn read(
        &self,
        container: usize,
        _: usize,
        name: &str,
    ) -> Result<Cow<'_, [u8]>, jfathom_plan::Problem> {
        let read = self.inputs[container].read(name).map_err(|error| error.to_string())?;
        read.map(Cow::Owned).ok_or_else(|| "no such entry".into())
    }
}

impl Disk {
    fn open(home: &Path, jars: &[String]) -> Self {
        let mut disk = Self { inputs: Vec::new(), containers: Vec::new(), services: Vec::new() };
        for module in modules(home).expect("a JDK") {
            disk.add(Input::open_module(home, &module).expect("a module"), ContainerKind::Jdk);
        }
        for jar in jars {
            disk.add(Input::open(jar).expect("a jar"), ContainerKind::Program);
        }
        disk
    }

    fn add(&mut self, input: Input, kind: ContainerKind) {
        let entries: Vec<String> = input
            .names()
            .map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned())
            .collect();
        for entry in &entries {
            if entry.starts_with("META-INF/services/") {
                let text = input.read(entry).expect("a file").unwrap_or_default();
                self.services.extend(provider_file(entry, &text));
            } else if entry == "module-info.class" {
                let bytes = input.read(entry).expect("a file").unwrap_or_default();
                self.services.extend(module_provides(&bytes).unwrap_or_default());
            }
        }
        let (label, prefix) = (input.location().to_string(), String::new());
        self.containers.push(Container { label, kind, multi_release: true, prefix, entries });
        self.inputs.push(input);
    }
}

/// `a/b/C.name(descriptor)` in its parts.
fn parse(text: &str) -> Option<(&str, &str, &str)> {
    let (before, _) = text.split_once('(')?;
    let dot = before.rfind('.')?;
    Some((&text[..dot], &text[dot + 1..before.len()], &text[before.len()..]))
}

/// A log as it is replayed.
struct Replay<'l, 's> {
    expander: Expander<'s>,
    /// Whether methods of the JDK count.
    jdk_methods: bool,
    print: bool,
    /// By event: how long it took, and its line.
    times: Vec<(Duration, &'l str)>,
    called: BTreeSet<MethodIx>,
    /// Called before they were chosen.
    late: Vec<MethodIx>,
}

impl<'l> Replay<'l, '_> {
    fn run(&mut self, log: &'l str) {
        for line in log.lines() {
            let Some((kind, rest)) = line.split_once(' ') else { continue };
            match kind {
                "L" => self.event(Event::ClassLoaded(ClassLoad::named(rest.as_bytes())), line),
                "L!" => self.event(Event::HiddenClass(rest.as_bytes()), line),
                "R" | "C" | "c" => self.call(rest, line),
                _ => {}
            }
        }
    }

    fn call(&mut self, text: &str, line: &'l str) {
        let world = self.expander.world();
        let Some((class, name, descriptor)) = text.split(' ').next_back().and_then(parse) else {
            return;
        };
        let Some(method) = world.loaded_method(class, name, descriptor) else { return };
        let counts = self.jdk_methods || world.is_program(world.class_of_method(method));
        if !counts || !world.has_code(method) || !self.called.insert(method) {
            return;
        }
        if self.expander.is_chosen(method) {
            self.event(Event::FirstCall(method), line);
        } else {
            self.late.push(method);
        }
    }

    fn event(&mut self, event: Event<'_>, line: &'l str) {
        let start = Instant::now();
        let mut answer = self.expander.handle(event);
        self.times.push((start.elapsed(), line));
        if self.print && answer != Answer::Idle {
            println!("{line}");
        }
        loop {
            match answer {
                Answer::Idle => return,
                Answer::NeedClass(name) => {
                    answer = self.expander.handle(Event::ClassMissing(&name))
                }
                Answer::Instrument(delta) => {
                    let at_load = delta.at_load.iter().map(|class| ("at load", class));
                    let loaded = delta.retransform.iter().map(|class| ("retransform", class));
                    for (when, class) in at_load.chain(loaded) {
                        for &method in class.methods.iter().filter(|_| self.print) {
                            println!("    {when} {}", self.expander.world().key(method));
                        }
                    }
                    answer = self.expander.poll();
                }
            }
        }
    }

    fn report(&self, root: &str, at_load_counts: bool) {
        let (world, totals) = (self.expander.world(), self.expander.totals());
        let (called, late) = (self.called.len().max(1) as f64, self.late.len());
        let never = self.late.iter().filter(|&&method| !self.expander.is_chosen(method)).count();
        let share = |missed: usize| 100.0 * (1.0 - missed as f64 / called);
        let classes: BTreeSet<_> =
            self.expander.chosen().map(|method| world.class_of_method(method)).collect();
        println!(
            "{root}: {called} called, {:.2} % in time, {:.2} % in the end",
            share(late),
            share(never)
        );
        println!("    {} chosen, {:.2} x the called", totals.chosen, totals.chosen as f64 / called);
        let retransformed =
            totals.retransformations + if at_load_counts { totals.at_load } else { 0 };
        println!(
            "    {retransformed} retransformations, {:.2} for each of {} classes, at most {}; {} batches; \
             {} classes at load",
            retransformed as f64 / classes.len().max(1) as f64,
            classes.len(),
            totals.most_retransformed,
            totals.batches,
            totals.at_load
        );
    }
}

#[derive(clap::Args)]
pub struct Options {
    java_home: PathBuf,
    log: PathBuf,
    jars: Vec<String>,
    /// Scheme A
    #[arg(long)]
    eager: bool,
    /// Scheme B without going ahead of first calls
    #[arg(long)]
    plain: bool,
    /// Scheme B with methods of the JDK and nothing done at load
    #[arg(long)]
    published: bool,
    /// List methods that were not found in time
    #[arg(long)]
    misses: bool,
    /// List methods that were not called
    #[arg(long)]
    surplus: bool,
    /// Print what each event instruments
    #[arg(long)]
    events: bool,
    /// The least time of so many replays for each event
    #[arg(long, default_value_t = 1)]
    times: usize,
}

/// Prints what was found in time, and how long events take.
pub fn run(options: &Options) {
    let &Options { eager, plain, published: jdk_methods, misses, surplus, .. } = options;
    let (home, print, times) = (&options.java_home, options.events, options.times);
    let disk = Disk::open(home, &options.jars);
    let release = std::fs::read_to_string(home.join("release")).expect("the JDK's release file");
    let version =
        release.split("JAVA_VERSION=\"").nth(1).and_then(|rest| rest.split(['.', '"']).next());
    let version = version.and_then(|number| number.parse().ok()).expect("a version");
    let log = std::fs::read_to_string(&options.log).expect("a log");
    let root = log.lines().find_map(|line| line.strip_prefix("R ")).expect("a root in the log");
    let (class, name, descriptor) = parse(root).expect("a method");
    let key = MethodKey { class: class.into(), name: name.into(), descriptor: descriptor.into() };
    let expansion = ExpansionOptions {
        scheme: if eager { Scheme::Eager } else { Scheme::Lazy },
        jdk_methods,
        services: disk.services.clone(),
        ahead: if plain || jdk_methods { Lookahead::NONE } else { Lookahead::default() },
    };
    let replay = || {
        let world = World::new(&disk, disk.containers.clone(), version);
        let mut expander = Expander::new(world, &expansion);
        expander.add_root(&key);
        let (called, late) = (BTreeSet::new(), Vec::new());
        let mut replay = Replay { expander, jdk_methods, print, times: Vec::new(), called, late };
        replay.run(&log);
        replay
    };
    let mut done = replay();
    for _ in 1..times {
        for (least, again) in done.times.iter_mut().zip(replay().times) {
            least.0 = least.0.min(again.0);
        }
    }
    done.report(root, jdk_methods);
    let mut took = done.times.clone();
    took.sort();
    let at = |share: usize| took[(took.len() - 1) * share / 100].0;
    let sum: Duration = took.iter().map(|row| row.0).sum();
    println!(
        "    {} events: p50 {:?}, p90 {:?}, p99 {:?}, sum {sum:?}",
        took.len(),
        at(50),
        at(90),
        at(99)
    );
    for (time, line) in took.iter().rev().take(3) {
        println!("        {time:?} {line}");
    }
    let world = done.expander.world();
    for &method in done.late.iter().filter(|_| misses) {
        let when = if done.expander.is_chosen(method) { "late" } else { "never" };
        println!("{when} {}", world.key(method));
    }
    for method in done.expander.chosen().filter(|method| surplus && !done.called.contains(method)) {
        println!("surplus {}", world.key(method));
    }
}
