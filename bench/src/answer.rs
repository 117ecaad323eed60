//! `answer`: what a method can call, with times, memory and counts.

use anyhow::{Context, Result};
use jfathom_plan::CallGraph;
use jfathom_reachability::{ContainerKind, EntryPoints, Query, reach};
use jfathom_world::{Cache, open};
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Options {
    java_home: PathBuf,
    /// CLASS::NAME(DESCRIPTOR)
    root: String,
    jars: Vec<PathBuf>,
    /// Where indexes are kept, if not in the user's cache
    #[arg(long)]
    cache: Option<PathBuf>,
    /// Keep no indexes
    #[arg(long)]
    no_cache: bool,
    /// The root is what runs first
    #[arg(long)]
    main: bool,
    /// Class hierarchy analysis
    #[arg(long)]
    cha: bool,
    /// Load all classes of the world
    #[arg(long)]
    all: bool,
    /// Walk a second time in the same world
    #[arg(long)]
    again: bool,
    /// The program's methods
    #[arg(long)]
    list: bool,
    /// All methods
    #[arg(long)]
    list_all: bool,
    #[arg(long)]
    threads: Option<std::num::NonZero<usize>>,
}

/// Prints the answer.
pub fn run(options: Options) -> Result<()> {
    let start = Instant::now();
    let Options { main, cha, all, again, list, list_all, .. } = options;
    let cache = match options.cache {
        _ if options.no_cache => Cache::Off,
        Some(directory) => Cache::At(directory),
        None => Cache::User,
    };
    let (root, paths) = (options.root, options.jars);
    let options = jfathom_world::Options {
        jdk: Some(options.java_home),
        cache,
        threads: options.threads,
        ..Default::default()
    };
    let opened = open(&paths, &options)?;
    let opened_at = start.elapsed();
    let mut world = opened.world();
    let world_at = start.elapsed();
    let (class, method) = root.split_once("::").context("CLASS::NAME(DESCRIPTOR)")?;
    let (name, descriptor) = method.split_at(method.find('(').context("a descriptor")?);
    let root = world.method(&class.replace('.', "/"), name, descriptor).context("no such root")?;
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
