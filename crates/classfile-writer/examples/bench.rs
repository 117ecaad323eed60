//! CPU speed over a stream of classes (name, length, bytes; `tests/java/Link.java dump FILE
//! MODULE` makes one): MB of class bytes per second for reading the layout, scanning all code, and
//! splicing probes into every method.
//!
//! `cargo run --release --example bench FILE...`

#[path = "../tests/all/support/mod.rs"]
#[allow(dead_code, reason = "an example uses its part")]
mod support;

use std::hint::black_box;
use std::time::Instant;

use classfile_writer::opcode::{ATHROW, ICONST_0, POP};
use classfile_writer::*;

const ROUNDS: usize = 7;

fn main() {
    for file in std::env::args().skip(1) {
        let classes = support::read(&file);
        let megabytes = classes.iter().map(|(_, class)| class.len()).sum::<usize>() as f64 / 1e6;
        let mut bench = Bench::default();
        if std::env::var_os("BENCH_SPLICE_ONLY").is_some() {
            // For profilers.
            let splice = best(|| {
                classes.iter().for_each(|(_, class)| {
                    black_box(bench.splice(class, true));
                });
            });
            println!("{file}: splice {:.0}", megabytes / splice);
            continue;
        }
        let parse = best(|| classes.iter().for_each(|(_, class)| bench.layout(class)));
        let scan = best(|| classes.iter().for_each(|(_, class)| bench.scan(class)));
        let mut size = 0;
        let calls =
            best(|| size = classes.iter().map(|(_, class)| bench.splice(class, false)).sum());
        let calls_size = size;
        let splice =
            best(|| size = classes.iter().map(|(_, class)| bench.splice(class, true)).sum());
        println!(
            "{file}: {} classes, {megabytes:.1} MB; MB/s: layout {:.0}, and scan {:.0}, and \
             splice calls {:.0} (growth {:.1} %), and handlers {:.0} ({:.1} %)",
            classes.len(),
            megabytes / parse,
            megabytes / scan,
            megabytes / calls,
            (calls_size as f64 / 1e6 / megabytes - 1.0) * 100.0,
            megabytes / splice,
            (size as f64 / 1e6 / megabytes - 1.0) * 100.0
        );
    }
}

/// Seconds of the fastest round, in CPU time of this thread where Linux tells it, else by the
/// clock.
fn best(mut run: impl FnMut()) -> f64 {
    let cpu = || -> Option<f64> {
        let times = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        times.split(' ').next()?.parse::<f64>().ok().map(|ns| ns / 1e9)
    };
    let mut time = || {
        let (start, cpu_start) = (Instant::now(), cpu());
        run();
        match (cpu_start, cpu()) {
            (Some(start), Some(end)) => end - start,
            _ => start.elapsed().as_secs_f64(),
        }
    };
    (0..ROUNDS).map(|_| time()).fold(f64::INFINITY, f64::min)
}

#[derive(Default)]
struct Bench {
    offsets: PoolStorage,
    tail: TailStorage,
    scan: Scan,
    splice: Splice,
    assembly: Assembly,
    out: Vec<u8>,
}

impl Bench {
    fn layout(&mut self, bytes: &[u8]) {
        let class =
            ClassFile::parse_with(bytes, std::mem::take(&mut self.offsets)).expect("a class");
        self.offsets = black_box(class).into_storage();
    }

    fn scan(&mut self, bytes: &[u8]) {
        let class =
            ClassFile::parse_with(bytes, std::mem::take(&mut self.offsets)).expect("a class");
        for method in class.methods() {
            if let Some(code) = method.code().expect("code") {
                self.scan.run(&code, method.name == b"<init>").expect("instructions");
                black_box(&self.scan);
            }
        }
        self.offsets = class.into_storage();
    }

    /// Entry and exit probes with a number per method; with `handlers`, a catch-all and a stub at
    /// every typed handler too, without, one more probe in front of every handler.
    fn splice(&mut self, bytes: &[u8], handlers: bool) -> usize {
        let class =
            ClassFile::parse_with(bytes, std::mem::take(&mut self.offsets)).expect("a class");
        let mut pool = PoolTail::with(class.pool(), std::mem::take(&mut self.tail));
        let (scan, splice) = (&mut self.scan, &mut self.splice);
        let mut probes = None;
        for (number, method) in class.methods().enumerate() {
            let Some(code) = method.code().expect("code") else { continue };
            scan.run(&code, method.name == b"<init>").expect("instructions");
            let (entry_probe, exit, throwable) = *probes.get_or_insert_with(|| {
                let mut probe =
                    |name: &[u8]| pool.methodref(b"x/Runtime", name, b"(I)V").expect("room").0;
                let (entry, exit) = (probe(b"methodEntry"), probe(b"methodExit"));
                (
                    entry,
                    exit,
                    VerificationType::Object(pool.class(b"java/lang/Throwable").expect("room")),
                )
            });
            let call = |probe: u16| {
                let ([a, b], [c, d]) = ((number as u16).to_be_bytes(), probe.to_be_bytes());
                [opcode::SIPUSH, a, b, opcode::INVOKESTATIC, c, d]
            };
            splice.clear();
            splice.deepen_stack(1);
            splice.need_stack(2);
            splice.insert(Bci(0), &call(entry_probe), Landing::After);
            for &at in &scan.returns {
                splice.insert(at, &call(exit), Landing::Before);
            }
            if !handlers {
                let mut seen = Bci(u32::MAX);
                for entry in code.exceptions().filter(|entry| entry.catch_type.0 != 0) {
                    if entry.handler != seen {
                        splice.insert(entry.handler, &call(entry_probe), Landing::Before);
                    }
                    seen = entry.handler;
                }
                let range = code.range();
                let _ = self
                    .assembly
                    .replace_with(range, |out| splice.apply(&method, &code, scan, &mut pool, out));
                continue;
            }
            for (number, handler) in
                code.exceptions().enumerate().filter(|(_, entry)| entry.catch_type.0 != 0)
            {
                let stub = splice.stub(handler.handler, &[ICONST_0, POP]);
                splice.retarget(number, stub);
            }
            let mut start = Bci(0);
            if let Some(call) = scan.super_call {
                start = Bci(call.0 + 3);
            }
            let [a, b, c, d, e, f] = call(exit);
            let catch_all = splice.block(&[a, b, c, d, e, f, ATHROW], &[], &[throwable]);
            for &at in &scan.returns {
                if at >= start {
                    splice.cover(start..at, catch_all);
                    start = Bci(at.0 + 1);
                }
            }
            splice.cover(start..Bci(code.bytes().len() as u32), catch_all);
            let _ = self.assembly.replace_with(code.range(), |out| {
                splice.apply(&method, &code, scan, &mut pool, out)
            });
        }
        self.out.clear();
        self.assembly.finish(&class, &pool, &mut self.out).expect("edits");
        self.assembly.clear();
        self.tail = pool.into_storage();
        self.offsets = class.into_storage();
        self.out.len()
    }
}
