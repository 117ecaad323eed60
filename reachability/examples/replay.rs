//! Replays the log of a run through an expander: `replay JDK_HOME LOG JAR… [--eager|--lazy] [--misses] [--index]`.
//!
//! The log is that of `tests/jvmti/calls.c`: classes as they are prepared, first calls as they happen. A method of the
//! program counts as found in time when it was chosen before its first call, in the load hook of its class or in a batch of an
//! earlier event; as found in the end when it was chosen at all. Only calls of chosen methods are told to the expander.

use jfathom_archive::{Input, modules};
use jfathom_plan::MethodKey;
use jfathom_reachability::{
    Ahead, Answer, ClassLoad, ClassSource, Container, ContainerKind, Event, Expander, Expansion, Index, MethodIx,
    Scheme, World, module_provides, provider_file,
};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

struct Disk(Vec<Input>, Vec<Index>);

impl ClassSource for Disk {
    fn read(&self, container: usize, _: usize, name: &str) -> Result<Cow<'_, [u8]>, String> {
        let read = self.0[container].read(name).map_err(|error| error.to_string())?;
        read.map(Cow::Owned).ok_or_else(|| "no such entry".to_owned())
    }

    fn index(&self, container: usize) -> Option<&Index> {
        self.1.get(container)
    }
}

/// `a/b/C.name(descriptor)` in its parts.
fn parse(text: &str) -> Option<(&str, &str, &str)> {
    let (before, _) = text.split_once('(')?;
    let dot = before.rfind('.')?;
    Some((&text[..dot], &text[dot + 1..before.len()], &text[before.len()..]))
}

struct Run<'s> {
    expander: Expander<'s>,
    times: Vec<(Duration, String)>,
}

impl Run<'_> {
    fn event(&mut self, event: Event<'_>, told: &str) {
        let start = Instant::now();
        let mut answer = self.expander.handle(event);
        let took = start.elapsed();
        loop {
            match answer {
                Answer::Idle => break,
                Answer::NeedClass(name) => answer = self.expander.handle(Event::ClassMissing(&name)),
                Answer::Grow(_) => answer = self.expander.poll(),
            }
        }
        self.times.push((took, told.to_owned()));
    }

    fn program(&self, method: MethodIx) -> bool {
        let world = self.expander.world();
        world.is_program(world.class_of_method(method)) && world.has_code(method)
    }
}

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut flag = |name: &str| {
        let before = args.len();
        args.retain(|arg| arg != name);
        args.len() < before
    };
    let (eager, _lazy, misses, surplus) = (flag("--eager"), flag("--lazy"), flag("--misses"), flag("--surplus"));
    let jdk_methods = flag("--jdk");
    let [home, log, jars @ ..] = args.as_slice() else {
        eprintln!("replay JDK_HOME LOG JAR... [--eager|--lazy] [--misses] [--surplus]");
        return;
    };
    let mut disk = Disk(Vec::new(), Vec::new());
    let mut containers = Vec::new();
    let jdk =
        modules(Path::new(home)).expect("a JDK").into_iter().map(|name| Input::open_module(Path::new(home), &name));
    let jdk = jdk.map(|input| (input.expect("a module"), ContainerKind::Jdk));
    let program = jars.iter().map(|jar| (Input::open(jar).expect("a jar"), ContainerKind::Program));
    for (input, kind) in jdk.chain(program) {
        containers.push(Container {
            label: input.place().to_string(),
            kind,
            multi_release: true,
            prefix: String::new(),
            entries: input.names().map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned()).collect(),
        });
        disk.0.push(input);
    }
    let mut services = Vec::new();
    for (input, container) in disk.0.iter().zip(&containers) {
        for entry in &container.entries {
            if entry.starts_with("META-INF/services/") {
                let text = input.read(entry).expect("a file").unwrap_or_default();
                services.extend(provider_file(entry, &text));
            } else if entry == "module-info.class" {
                let bytes = input.read(entry).expect("a file").unwrap_or_default();
                services.extend(module_provides(&bytes).unwrap_or_default());
            }
        }
    }
    let text = std::fs::read_to_string(log).expect("a log");
    let world = World::new(&disk, containers, 17);
    let scheme = if eager { Scheme::Eager } else { Scheme::Lazy };
    let number = |name: &str, default| std::env::var(name).map_or(default, |it| it.parse().expect("a number"));
    let ahead = Ahead {
        own_class: number("OWN", 1) > 0,
        whole_from: number("WHOLE", Ahead::default().whole_from),
        possible_from: number("POSSIBLE", Ahead::default().possible_from),
    };
    let mut expander = Expander::new(world, &Expansion { scheme, services, jdk_methods, ahead });
    let root = text.lines().find_map(|line| line.strip_prefix("R ")).expect("a root in the log");
    let (class, name, descriptor) = parse(root).expect("a method");
    expander.add_root(&MethodKey { class: class.into(), name: name.into(), descriptor: descriptor.into() });
    let mut run = Run { expander, times: Vec::new() };
    let (mut called, mut late): (BTreeSet<MethodIx>, Vec<MethodIx>) = (BTreeSet::new(), Vec::new());
    for line in text.lines() {
        let Some((kind, rest)) = line.split_once(' ') else { continue };
        match kind {
            "L" => run.event(Event::ClassLoaded(ClassLoad::named(rest.as_bytes())), line),
            "L!" => run.event(Event::HiddenClass(rest.as_bytes()), line),
            "R" | "C" | "c" => {
                let Some(method) = rest.split(' ').next_back().and_then(parse) else { continue };
                let Some(method) = run.expander.world().loaded_method(method.0, method.1, method.2) else { continue };
                if !(jdk_methods || run.program(method)) || !called.insert(method) {
                    continue;
                }
                if run.expander.is_chosen(method) {
                    run.event(Event::FirstCall(method), line);
                } else {
                    late.push(method);
                }
            }
            _ => {}
        }
    }
    let expander = &run.expander;
    let chosen: Vec<MethodIx> = expander.chosen().collect();
    let never = late.iter().filter(|&&method| !expander.is_chosen(method)).count();
    let share = |missed: usize| 100.0 * (1.0 - missed as f64 / called.len().max(1) as f64);
    let totals = expander.totals();
    println!(
        "{scheme:?} {root}: {} called, in time {:.2} %, in the end {:.2} %; {} chosen, x{:.2}; {} at load, {} redefinitions in {} batches, {:.2} a class, most {}",
        called.len(),
        share(late.len()),
        share(never),
        chosen.len(),
        chosen.len() as f64 / called.len().max(1) as f64,
        totals.at_load,
        totals.redefinitions,
        totals.batches,
        totals.redefinitions as f64
            / chosen.iter().map(|&it| expander.world().class_of_method(it)).collect::<BTreeSet<_>>().len().max(1)
                as f64,
        totals.most_redefined,
    );
    let mut times = run.times.clone();
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].0;
    println!(
        "{} events: p50 {:?}, p90 {:?}, p99 {:?}, sum {:?}",
        times.len(),
        at(0.5),
        at(0.9),
        at(0.99),
        times.iter().map(|it| it.0).sum::<Duration>()
    );
    for (took, told) in times.iter().rev().take(5) {
        println!("    {took:?} {told}");
    }
    let world = expander.world();
    if misses {
        for &method in &late {
            println!("{} {}", if expander.is_chosen(method) { "late " } else { "never" }, world.key(method));
        }
    }
    if surplus {
        for &method in chosen.iter().filter(|it| !called.contains(it)) {
            println!("surplus {}", world.key(method));
        }
    }
}
