//! What `CLASS::NAME(DESCRIPTOR)` can call, with times, memory and counts: `answer JDK_HOME
//! CLASS::NAME(DESCRIPTOR) JAR…`.
//!
//! `--cache DIR` keeps indexes there (`--no-cache` nowhere, else in the user's cache); `--main`:
//! the root is what runs first; `--cha`: class hierarchy analysis; `--all`: all classes of the
//! world are loaded; `--again`: a second walk in the same world; `--list`: the program's methods;
//! `--list-all`: all methods; `--threads N`.

use jfathom_plan::CallGraph;
use jfathom_reachability::{ContainerKind, EntryPoints, Query, reach};
use jfathom_world::{Cache, Options, open};
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut flag = |name: &str| {
        let before = args.len();
        args.retain(|arg| arg != name);
        args.len() < before
    };
    let (main, cha, all, again) = (flag("--main"), flag("--cha"), flag("--all"), flag("--again"));
    let (list, list_all, no_cache) = (flag("--list"), flag("--list-all"), flag("--no-cache"));
    let mut value = |name: &str| {
        let at = args.iter().position(|arg| arg == name)?;
        (at + 1 < args.len()).then(|| args.drain(at..at + 2).nth(1)).flatten()
    };
    let (cache, threads) = (value("--cache"), value("--threads"));
    let [home, root, jars @ ..] = args.as_slice() else {
        return Err("answer JDK_HOME CLASS::NAME(DESCRIPTOR) JAR...".into());
    };
    let cache = match cache {
        _ if no_cache => Cache::Off,
        Some(directory) => Cache::At(PathBuf::from(directory)),
        None => Cache::User,
    };
    let options = Options {
        jdk: Some(PathBuf::from(home)),
        cache,
        threads: threads.and_then(|threads| threads.parse().ok()),
        ..Options::default()
    };
    let paths: Vec<PathBuf> = jars.iter().map(PathBuf::from).collect();
    let opened = open(&paths, &options)?;
    let opened_at = start.elapsed();
    let mut world = opened.world();
    let world_at = start.elapsed();
    let (class, method) = root.split_once("::").ok_or("CLASS::NAME(DESCRIPTOR)")?;
    let (name, descriptor) = method.split_at(method.find('(').ok_or("a descriptor")?);
    let root = world.method(&class.replace('.', "/"), name, descriptor).ok_or("no such root")?;
    let question = Query {
        roots: vec![root],
        call_graph: if cha { CallGraph::Cha } else { CallGraph::Rta },
        entry_points: if main { EntryPoints::Methods(vec![root]) } else { EntryPoints::AnyMethod },
        services: opened.services().to_vec(),
        ..Query::default()
    };
    let reached = reach(&mut world, &question);
    let answer_at = start.elapsed();
    let statistics = opened.statistics();
    println!(
        "open {} world {} walk {} answer {} ms; {} containers, {} classes, {} indexed, {} from \
         cache, index {} B",
        ms(opened_at),
        ms(world_at - opened_at),
        ms(answer_at - world_at),
        ms(answer_at),
        statistics.containers,
        statistics.classes,
        statistics.indexed,
        statistics.from_cache,
        statistics.index_bytes
    );
    println!(
        "{} classes loaded, {} B each; {} methods reached, {} of the program; peak {} KB; {} \
         services, JDK {}",
        world.class_count(),
        world.memory() / world.class_count().max(1),
        reached.methods().count(),
        reached.program_methods(&world).count(),
        peak(),
        opened.services().len(),
        opened.jdk().version
    );
    for notice in opened.notices() {
        println!("{notice}");
    }
    world.notices().iter().take(20).for_each(|notice| println!("{notice}"));
    if again {
        let begin = Instant::now();
        let count = reach(&mut world, &question).methods().count();
        println!("again {} ms; {count} methods", ms(begin.elapsed()));
    }
    if all {
        let begin = Instant::now();
        for kind in [ContainerKind::Program, ContainerKind::Jdk] {
            for name in world.all_classes(kind) {
                let class = world.class_of(name);
                world.code(class);
            }
        }
        println!(
            "all {} ms; {} classes, {} B",
            ms(begin.elapsed()),
            world.class_count(),
            world.memory()
        );
    }
    let begin = Instant::now();
    let unkept = opened.finish_cache();
    println!(
        "finish {} ms, {:?}; all in all {} ms",
        ms(begin.elapsed()),
        unkept,
        ms(start.elapsed())
    );
    if list || list_all {
        let wanted = reached
            .methods()
            .filter(|&method| list_all || world.is_program(world.class_of_method(method)));
        let mut keys: Vec<String> = wanted.map(|method| world.key(method).to_string()).collect();
        keys.sort();
        keys.iter().for_each(|key| println!("M {key}"));
    }
    Ok(())
}

fn ms(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1000.0)
}

/// The most memory that the process had, in KB.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.unwrap_or("?").trim().trim_end_matches(" kB").to_owned()
}
