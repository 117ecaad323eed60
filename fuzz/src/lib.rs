//! What every input must survive: one function for each kind of bytes that comes from outside.
//!
//! A target panics where a room breaks its word: a panic of the room's own, an output that is worse
//! than the input, counts that do not add up. `cargo fuzz` drives them; `tests/` runs them on seeds
//! and seeded mutations in every test run.
#![forbid(unsafe_code)]

use classfile_writer::{Assembly, ClassFile, PoolTail};
use jfathom_archive::{Input, Jdk, Limits, Work};
use jfathom_check::{Contract, archive, class, listing};
use jfathom_plan::{
    ClassPlan, Digest, IdRange, InstrumentedMethod, LineRange, Manifest, ManifestClass, MethodId,
    MethodPlan, MethodSummary, Placement, ProbeKind, RegionPlan,
};
use jfathom_reachability::{
    ClassSource, Container, ContainerKind, INDEX_SEED, Index, IndexPart, Rows, World, checksum,
    encode_index,
};
use jfathom_rewriter::{Digests, Options, Rewriter, add_lines, summarize};
use jfathom_session::{AgentOptions, MethodsFileLine};
use std::fs;

mod profiles;

pub use profiles::{PROFILE_ENDS, RECORDS_HEAD, profile_file, records, session_file};

/// Runs a target on the files that are the arguments, such as an input on which it failed.
pub fn replay(target: fn(&[u8])) -> std::io::Result<()> {
    for path in std::env::args_os().skip(1) {
        target(&fs::read(path)?);
    }
    Ok(())
}

/// Reading a class file all the way down, and assembling it without edits.
pub fn class_file(data: &[u8]) {
    let _ = classfile_writer::check(data);
    let Ok(class) = ClassFile::parse(data) else { return };
    let mut out = Vec::new();
    let tail = PoolTail::new(class.pool());
    if Assembly::new().finish(&class, &tail, &mut out).is_ok() {
        assert!(out == data, "assembled without edits to other bytes");
    }
}

/// Surveying a class file and instrumenting all its methods; what was sound stays sound.
pub fn rewrite(data: &[u8]) {
    let Ok(seen) = summarize(data, Digests::Compute) else { return };
    let kind = match data.last().map_or(0, |byte| byte % 3) {
        0 => ProbeKind::Always,
        1 => ProbeKind::InRoot,
        _ => ProbeKind::Root,
    };
    let methods = (60_000..).filter_map(MethodId::new).zip(seen.methods).map(|(id, method)| {
        MethodPlan { name: method.name, descriptor: method.descriptor, id, kind }
    });
    let plan = ClassPlan {
        methods: methods.collect(),
        regions: regions(data, kind),
        hand_offs: kind != ProbeKind::Always,
        ..ClassPlan::default()
    };
    let mut rewriter = Rewriter::new(Options::default());
    let Ok(rewritten) = rewriter.rewrite(data, &plan) else { return };
    assert!(ClassFile::parse(rewritten.bytes).is_ok(), "the output cannot be read");
    if classfile_writer::check(data).is_ok() {
        let checked = classfile_writer::check(rewritten.bytes);
        assert!(checked.is_ok(), "the output is worse than the input: {checked:?}");
    }
}

/// A region in each method with lines: the middle third of them.
fn regions(data: &[u8], kind: ProbeKind) -> Vec<RegionPlan> {
    let mut seen = summarize(data, Digests::Omit).unwrap_or_default();
    add_lines(data, &mut seen);
    let region = |(id, method): (MethodId, MethodSummary)| {
        let third = method.lines.len() / 3;
        let (first, last) = (method.lines.get(third)?, method.lines.get(2 * third)?);
        let lines = LineRange::new(*first, *last)?;
        let MethodSummary { name, descriptor, .. } = method;
        Some(RegionPlan { method: name, descriptor, lines, id, kind })
    };
    (130_000..).filter_map(MethodId::new).zip(seen.methods).filter_map(region).collect()
}

/// Outputs read back. Behind 64 bytes of damage stands what is rewritten, a class or a jar: the
/// check survives what the rewriter makes of it, a damaged output, a damaged original, and both of
/// them as jars. That it accepts what is made of sound classes is another test's.
pub fn check(data: &[u8]) {
    let (original, head) = (data.get(64..).unwrap_or_default(), data.get(..64).unwrap_or_default());
    let flags = head.first().copied().unwrap_or(0);
    let (output, manifest) = checked_class(original, flags);
    let contract = Contract::new(&manifest);
    let _ = class(original, &output, &contract);
    let mut damaged = output.clone();
    // Four bytes each: where, and the new value; four zeros change nothing.
    for &[low, middle, high, value] in head.as_chunks::<4>().0 {
        let at = u32::from_le_bytes([low, middle, high, 0]) as usize % damaged.len().max(1);
        if let Some(byte) = damaged.get_mut(at).filter(|_| low | middle | high | value != 0) {
            *byte = value;
        }
    }
    let _ = class(original, &damaged, &contract);
    let _ = class(&damaged, &output, &contract);
    let _ = listing(original, &damaged, &contract, |_, _| true);
    if original.len() < 1 << 16 {
        let _ = archive(original, &damaged, &contract);
        let _ = archive(&damaged, original, &contract);
    }
}

/// A class with all its methods rewritten, and what its manifest says; any other bytes as they are.
fn checked_class(original: &[u8], flags: u8) -> (Vec<u8>, Manifest) {
    let kind = [ProbeKind::Always, ProbeKind::InRoot, ProbeKind::Root][usize::from(flags % 3)];
    let mut manifest = Manifest {
        tool: String::new(),
        plan: Digest(0),
        placement: Placement::Main,
        module: None,
        ids: IdRange { start: 0, len: 0 },
        has_roots: kind != ProbeKind::Always,
        roots: Vec::new(),
        scheme: None,
        call_graph: None,
        classes: Vec::new(),
        skips: Vec::new(),
        skip_counts: Default::default(),
        interfaces: Vec::new(),
        unfollowed: Default::default(),
    };
    let Ok(seen) = summarize(original, Digests::Omit) else { return (original.to_vec(), manifest) };
    let methods = (60..).filter_map(MethodId::new).zip(seen.methods).map(|(id, method)| {
        MethodPlan { name: method.name, descriptor: method.descriptor, id, kind }
    });
    let plan = ClassPlan {
        methods: methods.collect(),
        hand_offs: manifest.has_roots,
        ..ClassPlan::default()
    };
    let mut rewriter = Rewriter::new(Options::default());
    let Ok(rewritten) = rewriter.rewrite(original, &plan) else {
        return (original.to_vec(), manifest);
    };
    let is_done = |row: &&MethodPlan| rewritten.done.iter().any(|done| done.id == row.id);
    let methods = plan.methods.iter().filter(is_done).map(|row| InstrumentedMethod {
        id: row.id,
        name: row.name.clone(),
        descriptor: row.descriptor.clone(),
        line: None,
        digest: Digest(0),
        root: row.kind == ProbeKind::Root,
        trivial: false,
        waits: false,
        resumes: false,
        counted: false,
        region: None,
    });
    let methods = methods.collect();
    manifest.classes.push(ManifestClass {
        name: seen.name,
        source: None,
        methods,
        calls: seen.calls,
    });
    manifest.skips = rewritten.skips;
    (rewritten.bytes.to_vec(), manifest)
}

/// A jar with all that is nested in it.
pub fn jar(data: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("a.jar");
    fs::write(&path, data).expect("the folder can be written");
    let limits =
        Limits { entry_bytes: 1 << 24, total_bytes: 1 << 26, entries: 10_000, ..Limits::default() };
    let Ok(input) = Input::open_with(&path, &limits) else { return };
    let _ = input.manifest();
    let _ = input.visit(&Work::default(), |_, bytes| bytes.len());
}

/// The runtime image of a JDK, its compressed resources included.
pub fn image(data: &[u8]) {
    let home = tempfile::tempdir().expect("a temporary folder can be made");
    fs::create_dir(home.path().join("lib")).expect("the folder can be written");
    fs::write(home.path().join("lib/modules"), data).expect("the folder can be written");
    let Ok(jdk) = Jdk::open(home.path()) else { return };
    for module in jdk.modules().unwrap_or_default() {
        // One class at a time, so that all are read although one cannot be.
        for class in module.classes.chunks(1) {
            let _ = jdk.each(&module.name, class, &mut |_, bytes| {
                assert_eq!(bytes.len() as u64, class[0].size)
            });
        }
        for name in module.classes.iter().map(|class| &class.name).chain(&module.declarations) {
            let _ = name.as_str().map(|name| jdk.read(&module.name, name));
        }
    }
}

/// A manifest: what is read can be written and read again.
pub fn manifest(data: &[u8]) {
    let Ok(manifest) = Manifest::from_json(data) else { return };
    let again = Manifest::from_json(&manifest.to_json()).expect("what was written can be read");
    assert!(again == manifest, "read back as another manifest");
}

/// The agent's options: what is read can be written and read again.
pub fn options(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(options) = text.parse::<AgentOptions>() else { return };
    let again: AgentOptions = options.to_string().parse().expect("what was written can be read");
    assert!(again == options, "read back as other options");
}

/// Lines of a methods file: what is read can be written and read again.
pub fn live_lines(data: &[u8]) {
    for line in data.split(|&byte| byte == b'\n') {
        let Ok(line) = MethodsFileLine::from_json(line) else { continue };
        let again =
            MethodsFileLine::from_json(&line.to_json()).expect("what was written can be read");
        assert!(again == line, "read back as another line");
    }
}

/// A class file as it is told to the agent's engine, loaded and redefined, in a world without a
/// JDK.
pub fn engine(data: &[u8]) {
    struct Nothing;
    impl ClassSource for Nothing {
        fn read(
            &self,
            _: usize,
            _: usize,
            _: &str,
        ) -> Result<std::borrow::Cow<'_, [u8]>, jfathom_plan::Problem> {
            Err("there is nothing".into())
        }
    }
    let name = ClassFile::parse(data)
        .ok()
        .and_then(|class| Some(class.name().ok()?.to_vec()))
        .unwrap_or_default();
    let scheme = ["lazy", "eager", "total"][data.last().map_or(0, |byte| usize::from(byte % 3))];
    let options: AgentOptions =
        format!("root=**,scheme={scheme},include-jdk").parse().expect("options");
    let mut engine = jfathom::Engine::new(
        World::new(&Nothing, Vec::new(), 17),
        &[],
        &options,
        jfathom::IdTable::default(),
    );
    let step = engine.class_loading(&jfathom::LoadingClass {
        name: &name,
        origin: jfathom::LoaderKind::Other,
        bytes: data,
    });
    let Some(planned) = step.at_load else { return };
    let done = |id| jfathom_rewriter::Instrumented { id, code_length: 0, counted: false };
    let done: Vec<_> = planned.plan.methods.iter().map(|method| done(method.id)).collect();
    let (version, how) = (planned.version, jfathom_session::InstrumentedAt::Load);
    engine.rewritten(&jfathom::RewrittenClass {
        name: &name,
        original: data,
        version,
        how,
        done: &done,
        skips: &[],
    });
    for id in done.iter().map(|method| method.id) {
        engine.first_call(id);
    }
    engine.unloaded(&name);
    engine.end();
}

/// A recording of the JDK's JFR: what is read names only what is there, and can be added
/// to itself.
pub fn jfr(mut data: &[u8]) {
    let Ok(recording) = jfathom_jfr::Recording::read(&mut data) else { return };
    let clock = jfathom_jfr::SessionClock::new(&recording.clock);
    let samples = recording.samples;
    for sample in &samples.samples {
        assert!((sample.thread.0 as usize) < recording.threads.all().len());
        if let Some(clock) = &clock {
            let _ = clock.at(sample.at);
        }
    }
    for sample in &samples.samples {
        let stack = &samples.stacks[sample.stack as usize];
        assert!(stack.frames.iter().all(|frame| (*frame as usize) < samples.methods.len()));
    }
    let walked = recording.stack_walks.iter().filter_map(|walk| walk.stack);
    walked.for_each(|stack| assert!((stack as usize) < samples.stacks.len()));
    let mut twice = samples.clone();
    twice.append(&samples);
    assert_eq!(twice.samples.len(), 2 * samples.samples.len(), "added to other samples");
    assert_eq!(twice.stacks, samples.stacks, "the same stacks are other ones");
}

/// Any bytes at all as an index, and the same with a right checksum and key: classes and names are
/// read without a panic.
pub fn index(data: &[u8]) {
    let _ = Index::decode(data.to_vec(), b"key");
    let (class, head) = (data.get(64..).unwrap_or_default(), data.get(..64).unwrap_or_default());
    let mut part = IndexPart::default();
    part.add(0, class);
    let Some(mut bytes) = encode_index(b"key", Rows::Entries(2), &[], &[part]) else { return };
    let sound = Index::decode(bytes.clone(), b"key");
    assert!(sound.is_ok(), "what was encoded is not read: {sound:?}");
    // Four bytes each: where, and the new value; four zeros change nothing.
    for &[low, middle, high, value] in head.as_chunks::<4>().0 {
        let at = 16 + u32::from_le_bytes([low, middle, high, 0]) as usize % (bytes.len() - 16);
        if low | middle | high | value != 0 {
            bytes[at] = value;
        }
    }
    let sum = checksum(INDEX_SEED, &bytes[16..]).to_le_bytes();
    bytes[8..16].copy_from_slice(&sum);
    let Ok(index) = Index::decode(bytes, b"key") else { return };
    struct Only(Index);
    impl ClassSource for Only {
        fn read(
            &self,
            _: usize,
            _: usize,
            _: &str,
        ) -> Result<std::borrow::Cow<'_, [u8]>, jfathom_plan::Problem> {
            Err("only the index".into())
        }

        fn index(&self, _: usize) -> Option<&Index> {
            Some(&self.0)
        }
    }
    let name = ClassFile::parse(class)
        .ok()
        .and_then(|class| Some(String::from_utf8_lossy(class.name().ok()?).into_owned()));
    let name = name.unwrap_or_default();
    let container = Container {
        label: String::new(),
        kind: ContainerKind::Program,
        multi_release: false,
        prefix: String::new(),
        entries: vec![format!("{name}.class"), "x/Other.class".to_owned()],
    };
    let over = index.clone();
    let source = Only(index);
    for mut world in [
        World::new(&source, vec![container.clone()], 17),
        World::over(&source, &over, vec![container], 17),
    ] {
        for class in [name.as_bytes(), b"x/Other"] {
            let class = world.class(class);
            world.code(class);
            world.methods_of(class).for_each(|method| drop(world.key(method)));
        }
    }
}
