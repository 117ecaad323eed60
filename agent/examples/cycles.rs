//! `cargo run -p jfathom-agent --example cycles`: sessions one after another in one JVM, and what
//! that has of memory meanwhile. How many: JFATHOM_CYCLES; flags of the JVM: JFATHOM_FLAGS. Build
//! the library before, with the same profile.

#[path = "../tests/support/mod.rs"]
mod support;

use support::{Collector, Program, jvms};

fn main() {
    let cycles: u32 =
        std::env::var("JFATHOM_CYCLES").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
    for java in jvms() {
        let mut flags = vec![
            "-XX:+EnableDynamicAgentLoading".to_owned(),
            "-XX:NativeMemoryTracking=summary".to_owned(),
        ];
        flags.extend(
            std::env::var("JFATHOM_FLAGS")
                .unwrap_or_default()
                .split_whitespace()
                .map(str::to_owned),
        );
        let mut program = Program::start(&java, &flags, "Desk");
        assert_eq!(program.ask("hello"), "hello");
        for cycle in 1..=cycles {
            let mut collector = Collector::new();
            let answer = program.attach(&collector.options("root=Desk::root"));
            assert_eq!(collector.failure(), None, "{answer}");
            collector.until_live();
            collector.ask(&mut program, "threads 3 20");
            collector.restore();
            assert_eq!(collector.calls().get("Desk::root"), Some(&60), "cycle {cycle}");
            if cycle == 1 || cycle % (cycles / 10).max(1) == 0 {
                let process = format!("/proc/{}", program.pid());
                let of = |name: &str, what: &str| {
                    let text =
                        std::fs::read_to_string(format!("{process}/{name}")).unwrap_or_default();
                    text.lines()
                        .filter(|line| line.contains(what))
                        .map(|line| line.to_owned())
                        .collect::<Vec<_>>()
                };
                let descriptors =
                    std::fs::read_dir(format!("{process}/fd")).map_or(0, Iterator::count);
                let memory = std::process::Command::new("jcmd")
                    .args([&program.pid().to_string(), "VM.native_memory", "summary"])
                    .output()
                    .expect("jcmd runs");
                let memory = String::from_utf8_lossy(&memory.stdout).into_owned();
                let metaspace: Vec<_> = memory
                    .lines()
                    .filter(|line| {
                        line.contains("Class (")
                            || line.contains("Metaspace (")
                            || line.contains("Symbol (")
                            || line.contains("Internal (")
                            || line.contains("Serviceability (")
                    })
                    .collect();
                let objects = std::process::Command::new("jcmd")
                    .args([&program.pid().to_string(), "GC.class_histogram"])
                    .output()
                    .expect("jcmd runs");
                let objects = String::from_utf8_lossy(&objects.stdout)
                    .lines()
                    .filter(|line| line.contains("Jfathom"))
                    .count();
                println!(
                    "{cycle}: {:?}, {} mappings, {descriptors} descriptors, {objects} kinds of objects of \
                     ours, {metaspace:?}",
                    of("status", "VmRSS"),
                    of("maps", "").len()
                );
            }
        }
        program.end();
    }
}
