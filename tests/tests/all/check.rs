//! What the rewriter writes is read back by readers that are not ours, and planted faults are
//! found.

use jfathom_archive::{Input, Work};
use jfathom_check::{Contract, Verdict, class};
use jfathom_plan::{
    ClassPlan, Digest, EntryAlone, HugeMethods, IdRange, InstrumentedMethod, Manifest,
    ManifestClass, MethodId, MethodPlan, Placement, ProbeKind, ResumptionPlan,
};
use jfathom_rewriter::{Digests, Options, Rewriter, summarize};
use jfathom_tests::{jdk, samples};
use std::collections::BTreeMap;

/// How all methods of a class are rewritten.
#[derive(Clone, Copy, Debug)]
struct Manner {
    kind: ProbeKind,
    hand_offs: bool,
    huge: HugeMethods,
    entry_alone: EntryAlone,
}

const ALWAYS: Manner = Manner {
    kind: ProbeKind::Always,
    hand_offs: false,
    huge: HugeMethods::Skip,
    entry_alone: EntryAlone::None,
};

const MANNERS: [Manner; 6] = [
    ALWAYS,
    Manner { entry_alone: EntryAlone::Small, ..ALWAYS },
    Manner { entry_alone: EntryAlone::Leaves, ..ALWAYS },
    Manner { kind: ProbeKind::InRoot, hand_offs: true, huge: HugeMethods::Allow, ..ALWAYS },
    Manner { kind: ProbeKind::Root, hand_offs: true, huge: HugeMethods::Allow, ..ALWAYS },
    Manner { kind: ProbeKind::InRoot, hand_offs: true, entry_alone: EntryAlone::All, ..ALWAYS },
];

/// A rewritten class, and what its manifest says; nothing where it stays as it is.
fn rewritten(bytes: &[u8], manner: Manner, first_id: u32) -> Option<(Vec<u8>, Manifest)> {
    let seen = summarize(bytes, Digests::Omit).ok()?;
    let mut ids = (first_id..).filter_map(MethodId::new);
    let methods = ids.by_ref().zip(seen.methods.iter()).map(|(id, method)| {
        let (name, descriptor) = (method.name.clone(), method.descriptor.clone());
        MethodPlan { name, descriptor, id, kind: manner.kind }
    });
    let methods = methods.collect();
    let resumed = seen.methods.iter().filter(|method| method.resumes);
    let resumptions = ids.zip(resumed).map(|(id, method)| {
        let (method, descriptor) = (method.name.clone(), method.descriptor.clone());
        ResumptionPlan { method, descriptor, id }
    });
    let plan = ClassPlan {
        methods,
        resumptions: resumptions.collect(),
        hand_offs: manner.hand_offs,
        huge: manner.huge,
        entry_alone: manner.entry_alone,
        ..ClassPlan::default()
    };
    let mut rewriter = Rewriter::new(Options::default());
    let rewritten = rewriter.rewrite(bytes, &plan).ok()?;
    let mut methods: Vec<_> = rewritten
        .done
        .iter()
        .filter_map(|done| {
            let row = plan.methods.iter().find(|row| row.id == done.id)?;
            Some(InstrumentedMethod {
                id: row.id,
                name: row.name.clone(),
                descriptor: row.descriptor.clone(),
                line: None,
                digest: Digest(0),
                root: row.kind == ProbeKind::Root,
                trivial: false,
                waits: false,
                resumes: false,
                counted: done.counted,
                region: None,
            })
        })
        .collect();
    for resumed in &plan.resumptions {
        let of = |row: &&InstrumentedMethod| {
            (&row.name, &row.descriptor) == (&resumed.method, &resumed.descriptor)
        };
        let row = methods.iter().find(of).map(|of| of.resumptions(resumed.id));
        methods.extend(row.filter(|row| rewritten.done.iter().any(|done| done.id == row.id)));
    }
    let manifest = Manifest {
        tool: String::new(),
        plan: Digest(0),
        placement: Placement::Main,
        module: None,
        ids: IdRange { start: 0, len: 0 },
        has_roots: manner.hand_offs,
        roots: Vec::new(),
        scheme: None,
        call_graph: None,
        classes: vec![ManifestClass { name: seen.name, source: None, methods, calls: seen.calls }],
        skips: rewritten.skips,
        skip_counts: Default::default(),
        interfaces: Vec::new(),
        unfollowed: Default::default(),
    };
    Some((rewritten.bytes.to_vec(), manifest))
}

/// Every class of java.base, rewritten in each manner, is the original without its probes; cafebabe
/// says so.
#[test]
fn every_class_of_java_base_is_itself_without_its_probes() {
    let input =
        Input::open_module(&jdk::main().home, "java.base").expect("every JDK has java.base");
    for (manner, first_id) in MANNERS.into_iter().zip([0, 9, 100, 40_000, 7]) {
        let check = |place: String, bytes: &[u8]| {
            let Some((output, manifest)) = rewritten(bytes, manner, first_id) else { return Ok(0) };
            if output == bytes {
                return Ok(0);
            }
            match class(bytes, &output, &Contract::new(&manifest)) {
                Verdict::Equal(ids) => {
                    let wanted: Vec<u32> =
                        manifest.methods().map(|(_, method)| method.id.get()).collect();
                    assert_eq!(ids.into_iter().collect::<Vec<_>>(), wanted, "{place}");
                    Ok(1)
                }
                Verdict::Fault(fault) => Err(format!("{place}: {fault}")),
                Verdict::NotChecked(why) => Err(format!("{place}: not checked: {why}")),
            }
        };
        let visited = input
            .visit(&Work::default(), |entry, bytes| check(entry.location().to_string(), bytes))
            .unwrap();
        let (fine, wrong): (Vec<_>, Vec<Result<usize, String>>) =
            visited.values.into_iter().partition(Result::is_ok);
        let equal: usize = fine.into_iter().flatten().sum();
        assert!(
            wrong.is_empty(),
            "{manner:?}: {} of {equal}: {:#?}",
            wrong.len(),
            wrong.iter().take(12).collect::<Vec<_>>()
        );
        assert!(equal > 4_000, "{manner:?}: only {equal} classes were rewritten");
    }
}

/// Resumptions of coroutines are counted where the manifest says so, and nowhere else.
#[test]
fn resumptions_are_counted_as_the_manifest_says() {
    let folder = samples::temp_dir();
    samples::javac(&["--release", "11"], &samples::sources().join("coroutines"), folder.path());
    let mut resumed = Vec::new();
    for (name, bytes) in jfathom_testkit::class_files(folder.path()) {
        for manner in MANNERS {
            let Some((output, mut manifest)) = rewritten(&bytes, manner, 7) else { continue };
            let verdict = |manifest: &Manifest| class(&bytes, &output, &Contract::new(manifest));
            let rows = manifest.methods().map(|(_, method)| method.id.get()).collect();
            match verdict(&manifest) {
                Verdict::Equal(ids) => assert_eq!(ids, rows, "{name}"),
                other => panic!("{name}: {other:?}"),
            }
            let found = manifest.methods().filter_map(|(_, row)| row.resumed_method());
            let found: Vec<String> = found.map(str::to_owned).collect();
            if found.is_empty() {
                continue;
            }
            resumed.extend(found);
            let methods = &mut manifest.classes[0].methods;
            methods.retain(|row| row.resumed_method().is_none());
            let Verdict::Fault(fault) = verdict(&manifest) else {
                panic!("{name}: a probe that nothing names is fine");
            };
            assert!(fault.to_string().contains("counts resumptions"), "{fault}");
        }
    }
    resumed.sort();
    assert_eq!(
        resumed,
        [["invokeSuspend"; MANNERS.len()], ["resumesThrice"; MANNERS.len()]].concat()
    );
}

/// What cafebabe sees of a class, but for the depth of operand stacks, which may be any that
/// suffices.
fn seen(bytes: &[u8]) -> Option<String> {
    let text = format!("{:?}", cafebabe::parse_class(bytes).ok()?);
    let mut parts = text.split("max_stack: ");
    let first = parts.next()?.to_owned();
    Some(parts.fold(first, |all, part| all + part.trim_start_matches(|c: char| c.is_ascii_digit())))
}

/// One bit after another is turned in rewritten classes. The check finds each of these faults that
/// its reader can see at all: what passes is a class of which cafebabe reads the very same.
#[test]
fn every_bit_that_the_reader_sees_is_compared() {
    let input = Input::open(&samples::compiled().java).unwrap();
    let classes = input
        .visit(&Work::default(), |entry, bytes| (entry.location().to_string(), bytes.to_vec()))
        .unwrap();
    let mut faults = [0_usize; 2];
    // The larger ones hold little that the smaller do not, and each bit costs a reading of its
    // class.
    for (number, (place, bytes)) in
        classes.values.iter().filter(|(_, bytes)| bytes.len() < 1_700).enumerate()
    {
        let Some((output, manifest)) = rewritten(bytes, MANNERS[number % MANNERS.len()], 300)
        else {
            continue;
        };
        let contract = Contract::new(&manifest);
        assert!(matches!(class(bytes, &output, &contract), Verdict::Equal(_)), "{place}");
        let whole = seen(&output).expect("cafebabe reads what it has compared");
        for at in 0..output.len() {
            let mut wrong = output.clone();
            wrong[at] ^= 1 << ((at + number) % 8);
            let found = !matches!(class(bytes, &wrong, &contract), Verdict::Equal(_));
            faults[usize::from(found)] += 1;
            let told = || {
                let now = seen(&wrong).unwrap_or_default();
                let same = now.bytes().zip(whole.bytes()).take_while(|(a, b)| a == b).count();
                let part = |text: &str| {
                    text.chars().skip(same.saturating_sub(60)).take(120).collect::<String>()
                };
                format!("{place}: byte {at} of {}: {} → {}", output.len(), part(&whole), part(&now))
            };
            assert!(found || seen(&wrong).as_ref() == Some(&whole), "{}", told());
        }
    }
    let [passed, found] = faults;
    assert!(found > 20_000 && passed * 50 < found, "{found} faults were found, {passed} passed");
}

/// A class whose code, tables and constants the planted faults are put into, and where they lie in
/// its output.
struct Target {
    original: Vec<u8>,
    output: Vec<u8>,
    manifest: Manifest,
    /// Where the code of its one interesting method begins, and where it ends.
    code: std::ops::Range<usize>,
}

impl Target {
    fn new() -> Self {
        let source = "public class Target {
            int field = 7;
            int work(int[] values, int k) {
                try {
                    for (int i = 0; i < values.length; i++) { if (values[i] == k) return 1234567; }
                    return field;
                } catch (NullPointerException e) { return -1; }
            }
        }";
        let folder = samples::temp_dir();
        let [sources, classes] = ["source", "classes"].map(|name| folder.path().join(name));
        std::fs::create_dir(&sources).unwrap();
        std::fs::write(sources.join("Target.java"), source).unwrap();
        samples::javac(&["-g"], &sources, &classes);
        let original = std::fs::read(classes.join("Target.class")).unwrap();
        let (output, manifest) = rewritten(&original, MANNERS[0], 60).unwrap();
        let class = cafebabe::parse_class(&output).unwrap();
        let work = class.methods.iter().find(|method| method.name == "work").unwrap();
        let code = work.attributes.iter().find_map(|attribute| match &attribute.data {
            cafebabe::attributes::AttributeData::Code(data) => Some(data.code.as_ptr_range()),
            _ => None,
        });
        let base = output.as_ptr() as usize;
        let code = code.map(|code| code.start as usize - base..code.end as usize - base).unwrap();
        Self { original, output, manifest, code }
    }

    /// Where some bytes are in the method's code.
    fn find(&self, code: &[u8]) -> usize {
        let range = &self.output[self.code.clone()];
        self.code.start
            + range
                .windows(code.len())
                .position(|window| window == code)
                .expect("the code is there")
    }

    #[track_caller]
    fn finds(&self, output: &[u8], fault: &str) {
        match class(&self.original, output, &Contract::new(&self.manifest)) {
            Verdict::Fault(found) => {
                assert!(found.to_string().contains(fault), "{fault:?} is not in {found}")
            }
            other => panic!("{fault:?} is not found: {other:?}"),
        }
    }

    /// The output with a byte that is another by so much.
    fn with(&self, at: usize, more: u8) -> Vec<u8> {
        let mut output = self.output.clone();
        output[at] = output[at].wrapping_add(more);
        output
    }
}

#[test]
fn planted_faults_are_found_with_their_places() {
    const IF_ICMPNE: u8 = 0xa0;
    const BIPUSH: u8 = 0x10;
    const DUP: u8 = 0x59;
    const IFEQ: u8 = 0x99;
    const ILOAD: u8 = 0x15;
    const ISTORE: u8 = 0x36;
    // Behind this, both parameters, and the variable of loop and handler.
    const TOKEN: u8 = 4;
    const INVOKESTATIC: u8 = 0xb8;
    let target = Target::new();
    let contract = Contract::new(&target.manifest);
    let verdict = class(&target.original, &target.output, &contract);
    assert!(matches!(verdict, Verdict::Equal(ids) if !ids.is_empty()));

    // A wrong branch: past the iinc that it leads to.
    let branch = target.find(&[IF_ICMPNE]);
    target.finds(&target.with(branch + 2, 3), "and its original to what is now bci ");
    // A shifted handler, a shifted range.
    let table = target.code.end + 2;
    target.finds(&target.with(table + 5, 1), "has handler ");
    target.finds(&target.with(table + 1, 2), "entry 0 of the exception table covers ");
    // A changed constant: in the pool, and another number that is pushed.
    let constant = target
        .output
        .windows(5)
        .position(|bytes| bytes == [3, 0, 0x12, 0xd6, 0x87])
        .expect("1234567");
    target.finds(&target.with(constant + 4, 1), "of its pool, texts left out, is another");
    // A probe with another method's id, and an entry in place of an exit.
    let entry = target.find(&[BIPUSH, 61, INVOKESTATIC]);
    target.finds(&target.with(entry + 1, 1), "which the manifest does not give it");
    let exit = target.find(&[ILOAD, TOKEN, INVOKESTATIC]);
    let mut other = target.output.clone();
    other.copy_within(entry + 2..entry + 5, exit + 2);
    target.finds(&other, "lacks ");
    // A token that is kept in another variable, and one that is taken from another.
    let store = target.find(&[ISTORE, TOKEN]);
    target.finds(&target.with(store + 1, 1), "the store of that token");
    // One that is not 0 where the entry is jumped over.
    target.finds(&target.with(store - 1, 1), "the token of a call that is not timed");
    // A branch past the entry's end, and one that is turned around.
    target.finds(&target.with(target.find(&[IFEQ]) + 2, 2), "leads elsewhere");
    target.finds(&target.with(target.find(&[IFEQ]), 1), "lacks ifeq");
    target.finds(&target.with(exit + 1, 1), "its token for ");
    // A probe that is gone.
    let mut gone = target.output.clone();
    gone[exit..exit + 5].fill(0);
    target.finds(&gone, "; there is nop");
    // The exception is not handed over.
    let copied = target.find(&[DUP, ILOAD, TOKEN, INVOKESTATIC]);
    target.finds(&target.with(copied, 1), "; there is dup_x1");
    // A lost attribute: the class's last one, SourceFile, is cut off.
    let end = target.output.len() - 8;
    let mut lost = target.output[..end].to_vec();
    assert_eq!(lost[end - 2..], [0, 1], "one attribute is left");
    lost[end - 1] = 0;
    target.finds(&lost, "has lost its SourceFile");
    // What the reader cannot read, although it reads the original.
    target.finds(&target.output[..end], "reads the original and not the output");
}

/// What cafebabe refuses in an original is told, and is no fault.
#[test]
fn what_the_reader_refuses_is_not_checked() {
    let target = Target::new();
    let mut old = target.original.clone();
    old[4..8].copy_from_slice(&[0, 0, 0, 45]);
    for (original, why) in
        [(old.as_slice(), "older than the reader"), (b"no class", "refuses the original")]
    {
        match class(original, original, &Contract::new(&target.manifest)) {
            Verdict::NotChecked(told) => assert!(told.contains(why), "{told}"),
            other => panic!("{why}: {other:?}"),
        }
    }
}

/// Branches that no longer reach go through trampolines, or are turned around where the class has
/// no frames. Both are told from the original's own jumps.
#[test]
fn branches_that_no_longer_reach_are_followed() {
    const GOTO_W: u8 = 0xc8;
    // A step has 8 bytes: with the returns, the condition jumps over 32,766 bytes, and the exit
    // probes push its target out of reach.
    let steps = "x++; ".repeat(2_046);
    let source = format!(
        "public class Far {{ static int x; static int far(int k) {{
            if (k == 0) {{ {steps} if (x == 1) return 1; if (x == 2) return 2; {steps} if (x == 3) return 3; }}
            {} return x; }} }}",
        "x++; ".repeat(40)
    );
    let folder = samples::temp_dir();
    let [sources, classes] = ["source", "classes"].map(|name| folder.path().join(name));
    std::fs::create_dir(&sources).unwrap();
    std::fs::write(sources.join("Far.java"), source).unwrap();
    samples::javac(&[], &sources, &classes);
    let with_frames = std::fs::read(classes.join("Far.class")).unwrap();
    let mut without = with_frames.clone();
    without[6..8].copy_from_slice(&[0, 49]);
    let far_jumps = |bytes: &[u8]| {
        let class = cafebabe::parse_class(bytes).unwrap();
        let codes = class.methods.iter().flat_map(|method| &method.attributes);
        let jumps = codes.filter_map(|attribute| match &attribute.data {
            cafebabe::attributes::AttributeData::Code(data) => {
                let ops = &data.bytecode.as_ref()?.opcodes;
                Some(ops.iter().filter(|(bci, _)| data.code[*bci] == GOTO_W).count())
            }
            _ => None,
        });
        jumps.sum::<usize>()
    };
    for original in [with_frames, without] {
        // An entry alone moves no target away from its branch.
        for manner in MANNERS.into_iter().filter(|manner| manner.entry_alone != EntryAlone::All) {
            let manner = Manner { huge: HugeMethods::Allow, ..manner };
            let (output, manifest) = rewritten(&original, manner, 40_000).unwrap();
            assert!(
                far_jumps(&original) == 0 && far_jumps(&output) > 0,
                "{manner:?}: no branch had to be widened"
            );
            let contract = Contract::new(&manifest);
            let verdict = class(&original, &output, &contract);
            assert!(
                matches!(verdict, Verdict::Equal(ref ids) if ids.len() == 2),
                "{manner:?}: {verdict:?}"
            );
            // A trampoline, or the jump over it, that leads elsewhere.
            let at = (0..output.len() - 5)
                .rev()
                .find(|&at| output[at] == GOTO_W && output[at + 1..at + 3] == [0, 0]);
            let at = at.or_else(|| {
                (0..output.len() - 5)
                    .rev()
                    .find(|&at| output[at..].starts_with(&[GOTO_W, 0xff, 0xff]))
            });
            let mut wrong = output.clone();
            wrong[at.expect("one far jump") + 4] ^= 8;
            assert!(matches!(class(&original, &wrong, &contract), Verdict::Fault(_)), "{manner:?}");
        }
    }
}

/// The class files of some sources, by the name of the class. One start of `javac` compiles all.
fn compiled(sources: impl IntoIterator<Item = (String, String)>) -> BTreeMap<String, Vec<u8>> {
    let folder = samples::temp_dir();
    let [java, classes] = ["source", "classes"].map(|name| folder.path().join(name));
    std::fs::create_dir(&java).unwrap();
    let mut names = Vec::new();
    for (class, source) in sources {
        std::fs::write(java.join(format!("{class}.java")), source).unwrap();
        names.push(class);
    }
    samples::javac(&["-g:none"], &java, &classes);
    let read = |name: String| {
        let class = std::fs::read(classes.join(format!("{name}.class"))).unwrap();
        (name, class)
    };
    names.into_iter().map(read).collect()
}

/// A row of an exception table (JVMS 4.7.3): start, end, handler, type.
type Row = [u16; 4];

/// The class with other code in the method of that name, and with no attributes of the code: for
/// versions before 50, which need no frames.
fn with_code(
    class: &[u8],
    method: &str,
    change: impl FnOnce(&mut Vec<u8>, &mut Vec<Row>),
) -> Vec<u8> {
    let parsed = cafebabe::parse_class(class).unwrap();
    let method = parsed.methods.iter().find(|row| row.name == method).unwrap();
    let code = method.attributes.iter().find_map(|attribute| match &attribute.data {
        cafebabe::attributes::AttributeData::Code(data) => Some(data.code.as_ptr_range()),
        _ => None,
    });
    let base = class.as_ptr() as usize;
    let (start, end) =
        code.map(|code| (code.start as usize - base, code.end as usize - base)).unwrap();
    let number = |at: usize| u16::from_be_bytes([class[at], class[at + 1]]);
    let length = |at: usize| u32::from_be_bytes(class[at..at + 4].try_into().unwrap()) as usize;
    let rows = usize::from(number(end));
    let mut table: Vec<Row> =
        (0..rows).map(|row| [0, 2, 4, 6].map(|at| number(end + 2 + 8 * row + at))).collect();
    let mut code = class[start..end].to_vec();
    change(&mut code, &mut table);
    let attribute = start - 8;
    let behind = attribute + length(attribute - 4);
    let mut new = class[..attribute - 4].to_vec();
    new.extend((12 + code.len() as u32 + 8 * table.len() as u32).to_be_bytes());
    new.extend_from_slice(&class[attribute..attribute + 4]);
    new.extend((code.len() as u32).to_be_bytes());
    new.extend(code);
    new.extend((table.len() as u16).to_be_bytes());
    new.extend(table.iter().flatten().flat_map(|number| number.to_be_bytes()));
    new.extend([0, 0]);
    new.extend_from_slice(&class[behind..]);
    new
}

/// The class in version 49, which needs no frames.
fn without_frames(class: &[u8], method: &str) -> Vec<u8> {
    let mut class = with_code(class, method, |_, _| {});
    class[4..8].copy_from_slice(&[0, 0, 0, 49]);
    class
}

#[track_caller]
fn fault(original: &[u8], output: &[u8], manifest: &Manifest) -> String {
    match class(original, output, &Contract::new(manifest)) {
        Verdict::Fault(fault) => fault.to_string(),
        other => panic!("nothing is found: {other:?}"),
    }
}

#[track_caller]
fn assert_equal(original: &[u8], output: &[u8], manifest: &Manifest) {
    let verdict = class(original, output, &Contract::new(manifest));
    assert!(matches!(verdict, Verdict::Equal(_)), "{verdict:?}");
}

/// A class with a method of `steps` times eight bytes, each of which may throw.
fn long_method(steps: usize, catches: bool) -> (String, String) {
    let class = long_name(steps, catches);
    let steps = "x++; ".repeat(steps);
    let body = match catches {
        true => format!("try {{ {steps} return x; }} catch (RuntimeException e) {{ return -1; }}"),
        false => format!("{steps} return x;"),
    };
    let source = format!("public class {class} {{ static int x; static int work() {{ {body} }} }}");
    (class, source)
}

fn long_name(steps: usize, catches: bool) -> String {
    format!("{}{steps}", if catches { "Catches" } else { "Long" })
}

/// The smaller forms of probes are for methods for which the larger do not fit, and for no others.
#[test]
fn what_is_left_out_must_not_have_fitted() {
    const MADE: &str = "public class Made { int x; Made(int[] all) { super(); x = all[0]; } }";
    let plain = [300, 900, 995, 997].map(|steps| long_method(steps, false));
    let catching = [1, 300].into_iter().chain(979..999).map(|steps| long_method(steps, true));
    let made = ("Made".to_owned(), MADE.to_owned());
    let classes = compiled(plain.into_iter().chain(catching).chain([made]));
    let long =
        |steps: usize, catches: bool| without_frames(&classes[&long_name(steps, catches)], "work");
    // The block that throws on is cut off, with the rows that lead to it.
    let without_throw = |output: &[u8], method: &str| {
        with_code(output, method, |code, rows| {
            let block = rows.last().expect("it has a catch-all")[2];
            code.truncate(usize::from(block));
            rows.retain(|row| row[2] != block);
        })
    };
    for steps in [300, 900, 995] {
        let original = long(steps, false);
        let (output, manifest) = rewritten(&original, MANNERS[0], 60).unwrap();
        assert_equal(&original, &output, &manifest);
        let found = fault(&original, &without_throw(&output, "work"), &manifest);
        assert!(
            found.contains("method work()I: ")
                && found.contains("may throw, and no handler records it"),
            "{found}"
        );
    }
    // A constructor, on both sides of its call of super().
    let original = without_frames(&classes["Made"], "<init>");
    let (output, manifest) = rewritten(&original, MANNERS[0], 60).unwrap();
    assert_equal(&original, &output, &manifest);
    let found = fault(&original, &without_throw(&output, "<init>"), &manifest);
    assert!(
        found.contains("method <init>([I)V: ") && found.contains("no handler records it"),
        "{found}"
    );
    // A handler that covers the call leaves its parts uncertain: there is no block.
    let covered = with_code(&original, "<init>", |_, rows| rows.push([0, 4, 0, 0]));
    let (output, manifest) = rewritten(&covered, MANNERS[0], 60).unwrap();
    assert_equal(&covered, &output, &manifest);
    // With the block it has more than 8,000 bytes, which HotSpot does not compile.
    let original = long(997, false);
    let (output, manifest) = rewritten(&original, MANNERS[0], 60).unwrap();
    assert_equal(&original, &output, &manifest);
    assert_eq!(
        output,
        with_code(&output, "work", |_, rows| assert_eq!(rows.len(), 0, "it has no block"))
    );

    // The probe of the one handler is taken out.
    let without_catch = |output: &[u8]| {
        with_code(output, "work", |code, rows| {
            let handler = rows[0][2];
            drop(code.drain(usize::from(handler)..usize::from(handler) + 5));
            rows.iter_mut()
                .flat_map(|row| &mut row[..3])
                .filter(|pc| **pc > handler)
                .for_each(|pc| *pc -= 5);
        })
    };
    for steps in [1, 300, 989] {
        let original = long(steps, true);
        let (output, manifest) = rewritten(&original, MANNERS[0], 60).unwrap();
        assert_equal(&original, &output, &manifest);
        let found = fault(&original, &without_catch(&output), &manifest);
        assert!(found.contains("an exception handler has no catch probe"), "{steps}: {found}");
    }
    // Where all would not fit, they are left out at all handlers; where they fit, they are there.
    let left_out = (979..999).filter(|&steps| {
        let original = long(steps, true);
        let (output, manifest) = rewritten(&original, MANNERS[0], 60).unwrap();
        assert_equal(&original, &output, &manifest);
        output
            != rewritten(&original, Manner { huge: HugeMethods::Allow, ..MANNERS[0] }, 60)
                .unwrap()
                .0
    });
    assert!((1..15).contains(&left_out.count()));
}

/// A call that hands off a task and is not marked, and a task's method that opens no tree.
#[test]
fn hand_offs_that_are_not_followed_are_found() {
    let source = |class: &str, body: &str| {
        format!(
            "import java.util.*; import java.util.concurrent.*; import java.util.stream.*; public abstract class {class} {{
                static void work(ExecutorService pool, Runnable task, Callable<String> call, Timer timer, TimerTask tick,
                    ForkJoinTask<String> part, List<Callable<String>> all, CompletableFuture<String> stage,
                    Stream<String> stream) throws Exception {{ {body} }}
            }}"
        )
    };
    let bodies = [
        "pool.execute(task);",
        "pool.submit(task, null);",
        "pool.submit(call);",
        "pool.invokeAll(all, 1, TimeUnit.DAYS);",
        "timer.schedule(tick, 3);",
        "timer.schedule(tick, new Date(), 4);",
        "timer.scheduleAtFixedRate(tick, 3, 4);",
        "new Thread(task).start();",
        "part.fork();",
        "ForkJoinTask.invokeAll(part, part);",
        "stage.thenAcceptAsync(s -> {}, pool);",
        "CompletableFuture.runAsync(task);",
        "stream.map(String::trim).reduce(\"\", (a, b) -> a, (a, b) -> b);",
        "Arrays.parallelSetAll(new int[3], i -> i);",
    ];
    // They look alike, and hand nothing over.
    let others = ["task.run();", "stream.count();", "call.call();", "stage.get();", "part.join();"];
    const TASK: &str =
        "public class Task implements Runnable { int x; public void run() { x++; } }";
    let numbered = bodies.iter().chain(&others).enumerate().map(|(number, body)| {
        let class = format!("Hands{number:02}");
        let source = source(&class, body);
        (class, source)
    });
    let classes = compiled(numbered.chain([("Task".to_owned(), TASK.to_owned())]));
    let mut originals = classes.values();
    let manner = Manner { kind: ProbeKind::InRoot, hand_offs: true, ..MANNERS[0] };
    for (body, original) in bodies.iter().zip(&mut originals) {
        let (output, manifest) = rewritten(original, manner, 60).unwrap();
        assert_equal(original, &output, &manifest);
        let (unmarked, _) = rewritten(original, Manner { hand_offs: false, ..manner }, 60).unwrap();
        let found = fault(original, &unmarked, &manifest);
        let named = found.contains("method work(") && found.contains("hands off a task");
        assert!(named, "{body}: {found}");
    }
    for original in originals.by_ref().take(others.len()) {
        let (output, _) = rewritten(original, Manner { hand_offs: false, ..manner }, 60).unwrap();
        let (_, manifest) = rewritten(original, manner, 60).unwrap();
        assert_equal(original, &output, &manifest);
    }
    let original = &classes["Task"];
    let (output, manifest) = rewritten(original, manner, 60).unwrap();
    assert_equal(original, &output, &manifest);
    let (unopened, _) = rewritten(original, Manner { hand_offs: false, ..manner }, 60).unwrap();
    let found = fault(original, &unopened, &manifest);
    assert!(found.contains("method run()V: ") && found.contains("opens no tree for it"), "{found}");
    // What the manifest says was skipped is not asked for.
    let mut left_alone = manifest.clone();
    left_alone.skips.push(jfathom_plan::Skip {
        class: "Task".to_owned(),
        method: Some("run()V".to_owned()),
        reason: jfathom_plan::SkipReason::TableFull,
        detail: None,
    });
    assert_equal(original, &unopened, &left_alone);
}
