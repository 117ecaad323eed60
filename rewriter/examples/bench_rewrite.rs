//! Speed and effect of rewriting, with all methods instrumented.
//!
//! ```text
//! bench_rewrite bench PATH...      MB/s of class bytes, one thread, CPU time, steady state
//! bench_rewrite work PATH...       the first line of that, for a profiler (ROUNDS: how often)
//! bench_rewrite rewrite PATH...    the second line
//! bench_rewrite identity PATH...   every class with an empty plan, and reassembled without edits
//! bench_rewrite write IN OUT       rewritten classes of IN as a directory
//! ```
//! A PATH is a jar, a jmod, a class file or a directory of class files.

use jfathom_plan::{ClassPlan, MethodId, MethodPlan, ProbeKind};
use jfathom_rewriter::{Digests, Options, Rewriter, summarize};
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::Path;

type Anyhow = Result<(), Box<dyn std::error::Error>>;

struct Class {
    name: String,
    bytes: Vec<u8>,
}

fn load(path: &Path, name: &str, classes: &mut Vec<Class>) -> Anyhow {
    if path.is_dir() {
        for entry in std::fs::read_dir(path)? {
            let entry = entry?;
            let name = format!("{name}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                load(&entry.path(), &format!("{name}/"), classes)?;
            } else if name.ends_with(".class") {
                classes.push(Class { name, bytes: std::fs::read(entry.path())? });
            }
        }
        return Ok(());
    }
    let bytes = std::fs::read(path)?;
    if bytes.starts_with(&[0xca, 0xfe, 0xba, 0xbe]) {
        classes.push(Class { name: "A.class".to_owned(), bytes });
        return Ok(());
    }
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes))?;
    for i in 0..zip.len() {
        let mut entry = zip.by_index(i)?;
        let name = entry.name()?.into_owned();
        if name.ends_with(".class") {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes)?;
            classes.push(Class {
                name: name.strip_prefix("classes/").unwrap_or(&name).to_owned(),
                bytes,
            });
        }
    }
    Ok(())
}

/// A plan for all methods of each class, with ids that go on from class to class.
fn plans(classes: &[Class]) -> Vec<ClassPlan> {
    let mut next = 0;
    classes.iter().map(|class| plan(&class.bytes, &mut next)).collect()
}

fn plan(bytes: &[u8], next: &mut u32) -> ClassPlan {
    let Ok(class) = summarize(bytes, Digests::Omit) else { return ClassPlan::default() };
    let methods =
        class.methods.into_iter().filter(|method| method.code_length.is_some()).map(|method| {
            let id = MethodId::new(*next).unwrap_or(MethodId::MAX);
            *next += 1;
            MethodPlan {
                name: method.name,
                descriptor: method.descriptor,
                id,
                kind: ProbeKind::Always,
            }
        });
    ClassPlan {
        methods: methods.collect(),
        hand_offs: std::env::var_os("HAND_OFFS").is_some(),
        ..ClassPlan::default()
    }
}

/// CPU time of this thread in nanoseconds (Linux).
fn cpu() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|ns| ns.parse().ok()).unwrap_or(0)
}

/// Without the classes that are skipped as a whole: copying them would flatter the speed.
fn rewritable(mut classes: Vec<Class>) -> Vec<Class> {
    let mut rewriter = Rewriter::new(Options::default());
    let before = classes.len();
    classes.retain(|class| rewriter.rewrite(&class.bytes, &plan(&class.bytes, &mut 0)).is_ok());
    eprintln!("{} of {before} classes are skipped and not measured", before - classes.len());
    classes
}

/// Which lines [`bench`] prints.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    All,
    Work,
    Rewriting,
}

fn bench(classes: &[Class], lines: Lines) {
    let plans = plans(classes);
    let with_hand_offs = |plan: &ClassPlan| ClassPlan { hand_offs: true, ..plan.clone() };
    let searching: Vec<ClassPlan> = plans.iter().map(with_hand_offs).collect();
    let megabytes = classes.iter().map(|class| class.bytes.len()).sum::<usize>() as f64 / 1e6;
    let asked = std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    let rounds = asked.unwrap_or((600.0 / megabytes).ceil().clamp(5.0, 200.0) as u32);
    let mut rewriter = Rewriter::new(Options::default());
    let mut report = |what: &str, work: &mut dyn FnMut(&mut Rewriter) -> usize| {
        let mut best = u64::MAX;
        let mut result = 0;
        for _ in 0..rounds {
            let start = cpu();
            result = work(&mut rewriter);
            best = best.min(cpu() - start);
        }
        println!(
            "{what:<28} {:>7.0} MB/s   ({result} bytes out or counted)",
            megabytes / (best as f64 / 1e9)
        );
    };
    println!("{} classes, {megabytes:.1} MB, best of {rounds}", classes.len());
    if lines != Lines::Rewriting {
        report("all work", &mut |rewriter| {
            let work = |(class, plan): (&Class, &ClassPlan)| {
                let methods = summarize(&class.bytes, Digests::Compute)
                    .map_or(0, |class| class.methods.len());
                std::hint::black_box(methods);
                rewriter.rewrite(&class.bytes, plan).map_or(0, |done| done.bytes.len())
            };
            classes.iter().zip(&searching).map(work).sum()
        });
    }
    if lines == Lines::Work {
        return;
    }
    report("rewrite all methods", &mut |rewriter| {
        let pairs = classes.iter().zip(&plans);
        pairs
            .map(|(c, plan)| rewriter.rewrite(&c.bytes, plan).map_or(0, |done| done.bytes.len()))
            .sum()
    });
    if lines == Lines::Rewriting {
        return;
    }
    report("summary, then rewrite", &mut |rewriter| {
        let mut next = 0;
        let one = |c: &Class| {
            let plan = plan(&c.bytes, &mut next);
            rewriter.rewrite(&c.bytes, &plan).map_or(0, |done| done.bytes.len())
        };
        classes.iter().map(one).sum()
    });
    report("summary without digests", &mut |_| {
        classes
            .iter()
            .map(|c| summarize(&c.bytes, Digests::Omit).map_or(0, |class| class.methods.len()))
            .sum()
    });
    report("summary with digests", &mut |_| {
        classes
            .iter()
            .map(|c| summarize(&c.bytes, Digests::Compute).map_or(0, |class| class.methods.len()))
            .sum()
    });
}

fn identity(classes: &[Class]) {
    let mut rewriter = Rewriter::new(Options::default());
    let mut differ = 0;
    for class in classes {
        let same = rewriter
            .rewrite(&class.bytes, &ClassPlan::default())
            .is_ok_and(|done| done.bytes == class.bytes);
        let parsed = classfile_writer::ClassFile::parse(&class.bytes);
        let again = parsed.is_ok_and(|parsed| {
            let mut out = Vec::new();
            let tail = classfile_writer::PoolTail::new(parsed.pool());
            classfile_writer::Assembly::new().finish(&parsed, &tail, &mut out).is_ok()
                && out == class.bytes
        });
        if !same || !again {
            differ += 1;
            println!("differs: {}", class.name);
        }
    }
    println!("{} classes, {differ} differ", classes.len());
}

fn write(classes: &[Class], out: &Path) -> Anyhow {
    let mut rewriter = Rewriter::new(Options::default());
    let mut reasons: BTreeMap<&str, u32> = BTreeMap::new();
    let (mut before, mut after, mut done, mut unmarked, mut inferred, mut hand_offs, mut tasks) =
        (0, 0, 0, 0, 0, 0, 0);
    for (class, plan) in classes.iter().zip(plans(classes)) {
        let path = out.join(&class.name);
        std::fs::create_dir_all(path.parent().unwrap_or(out))?;
        before += class.bytes.len();
        match rewriter.rewrite(&class.bytes, &plan) {
            Ok(rewritten) => {
                std::fs::write(path, rewritten.bytes)?;
                after += rewritten.bytes.len();
                done += rewritten.done.len();
                unmarked += rewritten.unmarked_catches;
                inferred += rewritten.inferred_throws;
                hand_offs += rewritten.hand_offs;
                tasks += rewritten.tasks;
                for skip in rewritten.skips {
                    *reasons.entry(skip.reason.name()).or_default() += 1;
                    eprintln!("{} {:?} {} {:?}", skip.class, skip.method, skip.reason, skip.detail);
                }
            }
            Err(skip) => {
                after += class.bytes.len();
                std::fs::write(path, &class.bytes)?;
                *reasons.entry(skip.reason.name()).or_default() += 1;
            }
        }
    }
    println!(
        "{} classes, {done} methods, {before} -> {after} bytes, skips {reasons:?}",
        classes.len()
    );
    println!(
        "unmarked catches {unmarked}, inferred throws {inferred}, hand-offs {hand_offs}, tasks \
         {tasks}"
    );
    Ok(())
}

fn main() -> Anyhow {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (Some(command), Some(paths)) = (args.first(), args.get(1..)) else {
        return Err(
            "usage: bench_rewrite bench|work|rewrite|identity PATH... | write IN OUT".into()
        );
    };
    let mut classes = Vec::new();
    let inputs = if command == "write" { paths.get(..1).unwrap_or_default() } else { paths };
    for path in inputs {
        load(Path::new(path), "", &mut classes)?;
    }
    match (command.as_str(), paths.get(1)) {
        ("bench", _) => bench(&rewritable(classes), Lines::All),
        ("work", _) => bench(&rewritable(classes), Lines::Work),
        ("rewrite", _) => bench(&rewritable(classes), Lines::Rewriting),
        ("identity", _) => identity(&classes),
        ("write", Some(out)) => write(&classes, Path::new(out))?,
        _ => {
            return Err(
                "usage: bench_rewrite bench|work|rewrite|identity PATH... | write IN OUT".into()
            );
        }
    }
    Ok(())
}
