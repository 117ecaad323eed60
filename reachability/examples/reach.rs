//! Measures a walk: `reach JDK_HOME RELEASE CLASS::NAME(DESCRIPTOR) JAR…`, with `--cha` for class hierarchy analysis and
//! `--main` where the root is what runs first, `--anywhere` for all constants, `--index` through indexes, `--list` for the
//! program's methods.

use jfathom_archive::{Input, modules};
use jfathom_reachability::{
    ClassNames, ClassSource, Container, ContainerKind, Index, IndexBuilder, Policy, Question, Seeds, World,
    module_provides, provider_file, reach,
};
use std::borrow::Cow;
use std::path::Path;
use std::time::Instant;

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

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut flag = |name: &str| {
        let before = args.len();
        args.retain(|arg| arg != name);
        args.len() < before
    };
    let (cha, main, list) = (flag("--cha"), flag("--main"), flag("--list"));
    let (index, anywhere) = (flag("--index"), flag("--anywhere"));
    let [home, release, root, jars @ ..] = args.as_slice() else {
        eprintln!("reach JDK_HOME RELEASE CLASS::NAME(DESCRIPTOR) JAR...");
        return;
    };
    let home = Path::new(home);
    let start = Instant::now();
    let mut disk = Disk(Vec::new(), Vec::new());
    let mut containers = Vec::new();
    let jdk = modules(home).expect("a JDK").into_iter().map(|name| Input::open_module(home, &name));
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
    if index {
        let (mut bytes, mut decoding) = (0, std::time::Duration::ZERO);
        for (input, container) in disk.0.iter().zip(&containers) {
            let mut builder = IndexBuilder::default();
            for entry in container.entries.iter().filter(|entry| entry.ends_with(".class")) {
                builder.add(entry, &input.read(entry).expect("bytes").expect("an entry"));
            }
            let encoded = builder.encode(b"key");
            bytes += encoded.len();
            let start = Instant::now();
            disk.1.push(Index::decode(encoded, b"key").expect("an index"));
            decoding += start.elapsed();
        }
        eprintln!("index: {bytes} bytes, decoded in {decoding:?}");
    }
    eprintln!("open {:?}, {} services", start.elapsed(), services.len());
    let mut world = World::new(&disk, containers, release.parse().expect("a release"));
    eprintln!("world {:?}", start.elapsed());
    let (class, method) = root.split_once("::").expect("CLASS::NAME(DESCRIPTOR)");
    let (name, descriptor) = method.split_at(method.find('(').expect("a descriptor"));
    let root = world.method(&class.replace('.', "/"), name, descriptor).expect("the root");
    let question = Question {
        roots: vec![root],
        policy: if cha { Policy::Cha } else { Policy::Static },
        seeds: if main { Seeds::Methods(vec![root]) } else { Seeds::Program },
        class_names: if anywhere { ClassNames::Anywhere } else { ClassNames::NearUse },
        services,
    };
    for run in ["cold", "warm"] {
        let walk = Instant::now();
        let reached = reach(&mut world, &question);
        let took = walk.elapsed();
        let memory = world.memory();
        let statistics = reached.statistics(&mut world);
        println!(
            "{run}: {took:?}; {} classes of {}, {} B each; {} methods reached, {} of the program in {} classes, {} allocated, {} missing",
            world.class_count(),
            world.all_classes(ContainerKind::Program).len() + world.all_classes(ContainerKind::Jdk).len(),
            memory / world.class_count().max(1),
            reached.methods().count(),
            statistics.methods,
            statistics.classes,
            reached.allocated_count(),
            reached.missing(&world).len()
        );
        if run == "warm" {
            println!(
                "{:?} {} cycles, largest {}",
                statistics.by_reason,
                reached.cycles().len(),
                reached.cycles()[0].len()
            );
        }
        if list && run == "warm" {
            for method in reached.program_methods(&world) {
                println!("M {}", world.key(method));
            }
        }
    }
    for notice in world.notices().iter().take(20) {
        println!("{notice}");
    }
    eprintln!("all {:?}", start.elapsed());
}
