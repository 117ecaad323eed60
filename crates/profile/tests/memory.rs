//! What the memory of a builder follows. One test in a file, and so in a process, of its own: it
//! looks at the process's peak.

use jfathom_plan::MethodId;
use jfathom_profile::{Builder, Context, Meta, MethodNames, TickRate};
use jfathom_trace::{ThreadInfo, record::Record};

/// The most memory that this process has had, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn one_record_of_the_largest_id_takes_no_memory_for_the_ids_below_it() {
    let id = MethodId::new((1 << MethodId::BITS) - 1).unwrap();
    let before = peak();
    let mut builder = Builder::new();
    let thread = builder.thread(&ThreadInfo {
        sequence: 1,
        thread_id: 1,
        kernel_id: 0,
        name: "main".to_owned(),
    });
    builder.feed(
        thread,
        &[Record::Entry { id, time: 5 }.encode(), Record::Return { id, time: 7 }.encode()],
    );
    assert_eq!(builder.method_costs().count(), 1);
    let checkpoint = builder.checkpoint(Vec::new());
    let names = MethodNames::default();
    let rate = TickRate::new(1_000_000_000).unwrap();
    let profile =
        builder.finish(Context { meta: Meta::default(), rate, names: &names, virtual_calls: &[] });
    assert_eq!(
        profile.methods.iter().map(|method| (method.id, method.returns)).collect::<Vec<_>>(),
        [(id, 1)]
    );
    let grown = peak() - before;
    assert!(grown < 8 << 10, "{grown} KiB for two records");
    drop(checkpoint);
}
