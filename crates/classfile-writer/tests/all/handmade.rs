//! Classes that no compiler makes, each for one hard case.

use crate::support::Jvm;
use crate::support::builder::{Builder, CodeParts, push2};
use classfile_writer::opcode::*;
use classfile_writer::*;

/// Splices the method `f` of a class.
fn splice_f(bytes: &[u8], edit: impl FnOnce(&mut Splice, &mut PoolTail<'_>)) -> Result<Vec<u8>> {
    let class = ClassFile::parse(bytes)?;
    let method = class.methods().find(|method| method.name == b"f").expect("a method f");
    let code = method.code()?.expect("code");
    let mut scan = Scan::new();
    scan.run(&code, false)?;
    let mut pool = PoolTail::new(class.pool());
    let mut splice = Splice::new();
    edit(&mut splice, &mut pool);
    let mut assembly = Assembly::new();
    assembly
        .replace_with(code.range(), |out| splice.apply(&method, &code, &scan, &mut pool, out))?;
    let mut out = Vec::new();
    assembly.finish(&class, &pool, &mut out)?;
    check(&out)?;
    Ok(out)
}

/// A class with `static int f(int)`, and `run()` that gives `f(0) f(1) … f(9)`.
fn with_f(name: &str, major: u16, f: &CodeParts) -> Vec<u8> {
    let mut builder = Builder::new(major);
    let [f_hi, f_lo] = builder.member(10, name, "f", "(I)I").to_be_bytes();
    let [v_hi, v_lo] =
        builder.member(10, "java/lang/String", "valueOf", "(I)Ljava/lang/String;").to_be_bytes();
    let [c_hi, c_lo] = builder
        .member(10, "java/lang/String", "concat", "(Ljava/lang/String;)Ljava/lang/String;")
        .to_be_bytes();
    let [s_hi, s_lo] = {
        let [a, b] = builder.utf8(" ").to_be_bytes();
        builder.raw(&[8, a, b], 1).to_be_bytes()
    };
    let mut code = vec![LDC_W, s_hi, s_lo];
    for argument in 0..10 {
        code.extend([
            BIPUSH,
            argument,
            INVOKESTATIC,
            f_hi,
            f_lo,
            INVOKESTATIC,
            v_hi,
            v_lo,
            INVOKEVIRTUAL,
            c_hi,
            c_lo,
        ]);
        code.extend([LDC_W, s_hi, s_lo, INVOKEVIRTUAL, c_hi, c_lo]);
    }
    code.push(ARETURN);
    builder.method(
        9,
        "run",
        "()Ljava/lang/String;",
        &CodeParts { max_stack: 2, code, ..Default::default() },
    );
    builder.method(9, "f", "(I)I", f);
    builder.finish(name)
}

fn f_code(bytes: &[u8], look: impl FnOnce(&Code<'_>)) {
    let class = ClassFile::parse(bytes).expect("a class");
    let method = class.methods().find(|method| method.name == b"f").expect("a method f");
    look(&method.code().expect("code").expect("code"));
}

/// Content of a `StackMapTable` or CLDC `StackMap`.
fn frames(frames: &[&[u8]]) -> Vec<u8> {
    let mut out = Vec::new();
    push2(&mut out, frames.len() as u16);
    frames.iter().for_each(|frame| out.extend_from_slice(frame));
    out
}

/// Links and runs each class and gives the values of `f(0)` to `f(9)`.
fn run_all(classes: &[(&str, Vec<u8>)]) -> Vec<Vec<i32>> {
    let jvm = Jvm::new();
    let set: Vec<_> =
        classes.iter().map(|(name, class)| (name.to_string(), class.clone())).collect();
    assert_eq!(jvm.link(&[&set]), set.len());
    let names: Vec<&str> = classes.iter().map(|&(name, _)| name).collect();
    jvm.run_each(&names, &set)
        .iter()
        .map(|line| line.split_whitespace().map(|n| n.parse().expect("a number")).collect())
        .collect()
}

/// f(n) = 0: counts its argument down in a loop whose head is at bci 0.
fn loop_at_start() -> CodeParts {
    // 0: iload_0, 1: ifeq 14, 4: iinc 0 -1, 7: nop…, 11: goto 0, 14: iload_0, 15: ireturn
    let code = vec![
        ILOAD_0, IFEQ, 0, 13, IINC, 0, 255, NOP, NOP, NOP, NOP, GOTO, 255, 245, ILOAD_0, IRETURN,
    ];
    let attributes = vec![("StackMapTable", frames(&[&[0], &[13]]))];
    CodeParts { max_stack: 1, max_locals: 1, code, attributes, ..Default::default() }
}

#[test]
fn code_runs_for_the_branches_it_should() {
    let plain = with_f("Loop", 52, &loop_at_start());
    // Entry code adds 3 to the argument once; run again by the branch back it would never end.
    let entry = splice_f(&plain, |splice, _| splice.insert(Bci(0), &[IINC, 0, 3], Landing::After))
        .expect("entry");
    // 20 is added where the loop's exit lands, by a branch only.
    let exit =
        splice_f(&plain, |splice, _| splice.insert(Bci(14), &[IINC, 0, 20], Landing::Before))
            .expect("exit");
    // Both at one position: the branch back runs the second alone. 1 + 1 - 1: the loop ends only
    // because of the nop.
    let both = splice_f(&plain, |splice, _| {
        splice.insert(Bci(0), &[NOP], Landing::Before);
        splice.insert(Bci(0), &[IINC, 0, 2], Landing::After);
        splice.insert(Bci(14), &[IINC, 0, 7], Landing::Before);
    })
    .expect("both");
    f_code(&both, |code| assert_eq!(code.bytes()[..4], [IINC, 0, 2, NOP], "After comes first"));
    let rename = |name: &str, class: &[u8]| rename("Loop", name, class);
    let results = run_all(&[
        ("Loop", plain.clone()),
        ("Entr", rename("Entr", &entry)),
        ("Exit", rename("Exit", &exit)),
        ("Both", rename("Both", &both)),
    ]);
    assert_eq!(results, [vec![0; 10], vec![0; 10], vec![20; 10], vec![7; 10]]);
}

/// Replaces a class name by one of equal length.
fn rename(from: &str, to: &str, class: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut out = class.to_vec();
    let hits: Vec<usize> =
        (0..out.len() - from.len()).filter(|&at| out[at..].starts_with(from.as_bytes())).collect();
    for at in hits {
        out[at..at + to.len()].copy_from_slice(to.as_bytes());
    }
    out
}

/// f(n) = n < 5 ? 1 : 2, with `filler` bytes of nop between the condition and its target.
fn far_condition(filler: usize, with_frames: bool) -> CodeParts {
    // 0: iload_0, 1: iconst_5, 2: if_icmpge far, 5: nop…, iconst_1, ireturn, far: iconst_2, ireturn
    let far = 5 + filler + 2;
    let mut code = vec![ILOAD_0, ICONST_5, IF_ICMPGE];
    push2(&mut code, (far - 2) as u16);
    code.resize(5 + filler, NOP);
    code.extend([ICONST_1, IRETURN, ICONST_2, IRETURN]);
    let mut same = vec![251];
    push2(&mut same, far as u16);
    let attributes = if with_frames { vec![("StackMapTable", frames(&[&same]))] } else { vec![] };
    CodeParts { max_stack: 2, max_locals: 1, code, attributes, ..Default::default() }
}

/// f(n) = n == 0 ? 7 : n, through a goto over `filler` bytes, and a way back over them.
fn far_goto(filler: usize) -> CodeParts {
    // 0: goto end; 3: bipush 7, ireturn (frame); 6: nop… (dead, frame); end: iload_0, ifne +6 →
    // end+7, goto 3, iload_0, ireturn
    let end = 6 + filler + 1;
    let mut code = vec![GOTO];
    push2(&mut code, end as u16);
    code.extend([BIPUSH, 7, IRETURN]);
    code.resize(6 + filler, NOP);
    code.push(ATHROW);
    code[6] = ACONST_NULL;
    code.extend([ILOAD_0, IFNE, 0, 6, GOTO]);
    push2(&mut code, (3i32 - (end as i32 + 4)) as u16);
    code.extend([ILOAD_0, IRETURN]);
    let mut table = vec![vec![3u8], vec![2]];
    let mut at_end = vec![251];
    push2(&mut at_end, (end - 6 - 1) as u16);
    table.push(at_end);
    table.push(vec![6]);
    let table: Vec<&[u8]> = table.iter().map(|frame| &frame[..]).collect();
    CodeParts {
        max_stack: 1,
        max_locals: 1,
        code,
        attributes: vec![("StackMapTable", frames(&table))],
        ..Default::default()
    }
}

#[test]
fn branches_are_widened() {
    let grow = |class: &[u8], at: u32| {
        splice_f(class, |splice, _| splice.insert(Bci(at), &[NOP; 9_000], Landing::Before))
            .expect("room")
    };
    let insert_all = |class: &[u8]| {
        splice_f(class, |splice, _| {
            splice.insert(Bci(0), &[NOP; 5], Landing::After);
            splice.insert(Bci(30), &[NOP; 9_000], Landing::Before);
        })
        .expect("room")
    };
    // Old verifier: inverted condition over a goto_w. Frames: nothing between, but the target is
    // near the code's end, so that the end is no place either: refused by name.
    let old = with_f("Old1", 49, &far_condition(30_000, false));
    let widened = insert_all(&old);
    f_code(&widened, |code| {
        let ops: Vec<u8> = code.instructions().map(|i| i.expect("an instruction").opcode).collect();
        assert!(ops.contains(&IF_ICMPLT) && ops.contains(&GOTO_W) && !ops.contains(&IF_ICMPGE));
    });
    let goto = with_f("Goto", 52, &far_goto(30_000));
    let wide_goto = grow(&goto, 20);
    f_code(&wide_goto, |code| {
        let wide = code
            .instructions()
            .filter(|i| i.as_ref().expect("an instruction").opcode == GOTO_W)
            .count();
        assert_eq!(wide, 2);
    });
    let refused = with_f("Refu", 52, &far_condition(30_000, true));
    let error =
        splice_f(&refused, |splice, _| splice.insert(Bci(30), &[NOP; 9_000], Landing::Before))
            .expect_err("no place");
    assert_eq!(error.kind(), ErrorKind::BranchTooFar { bci: 2 });
    let results = run_all(&[
        ("Old1", old.clone()),
        ("Old2", rename("Old1", "Old2", &widened)),
        ("Goto", goto.clone()),
        ("Got2", rename("Goto", "Got2", &wide_goto)),
    ]);
    assert_eq!(results[0], [1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
    assert_eq!(results[1], results[0]);
    assert_eq!(results[2], [7, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(results[3], results[2]);
}

/// f(n) with a switch whose opcode is at `at`: 0 → 10, 1 → 11, else → 12.
fn switch_at(at: usize, lookup: bool, major: u16) -> Vec<u8> {
    let mut code = vec![NOP; at - 1];
    code.push(ILOAD_0);
    code.push(if lookup { LOOKUPSWITCH } else { TABLESWITCH });
    code.resize(code.len() + 3 - at % 4, 0);
    let body = if lookup { 8 + 16 } else { 12 + 8 };
    let end = code.len() + body;
    let word = |value: usize| (value as u32).to_be_bytes();
    let case = |n: usize| word(end + 3 * n - at);
    code.extend(case(2));
    if lookup {
        code.extend([word(2), word(0), case(0), word(1), case(1)].concat());
    } else {
        code.extend([word(0), word(1), case(0), case(1)].concat());
    }
    for value in [10, 11, 12] {
        code.extend([BIPUSH, value, IRETURN]);
    }
    let table = frames(&[&[end as u8], &[2], &[2]]);
    let f = CodeParts {
        max_stack: 1,
        max_locals: 1,
        code,
        attributes: vec![("StackMapTable", table)],
        ..Default::default()
    };
    with_f("Switch__", major, &f)
}

#[test]
fn switches_keep_their_cases_at_every_padding() {
    let mut classes = Vec::new();
    let mut names = Vec::new();
    for lookup in [false, true] {
        for at in 1..5 {
            let class = switch_at(at, lookup, 52);
            for inserted in 0..5 {
                let spliced = splice_f(&class, |splice, _| {
                    splice.insert(Bci(0), &vec![NOP; inserted], Landing::After);
                    let first_case = (class_f_length(&class) - 9) as u32;
                    splice.insert(Bci(first_case), &vec![NOP; inserted], Landing::Before);
                    splice.insert(Bci(at as u32), &vec![NOP; at], Landing::Before);
                })
                .expect("a switch");
                let name = format!(
                    "Switch{}{}",
                    if lookup { 'L' } else { 'T' },
                    (b'A' + (at * 5 + inserted) as u8) as char
                );
                classes.push(rename("Switch__", &name, &spliced));
                names.push(name);
            }
        }
    }
    let named: Vec<(&str, Vec<u8>)> = names.iter().map(|name| &name[..]).zip(classes).collect();
    for result in run_all(&named) {
        assert_eq!(result, [10, 11, 12, 12, 12, 12, 12, 12, 12, 12]);
    }
}

fn class_f_length(class: &[u8]) -> usize {
    let mut length = 0;
    f_code(class, |code| length = code.bytes().len());
    length
}

#[test]
fn subroutines_of_old_classes_work() {
    // 0: jsr 12, 3: jsr_w 12, 8: iload_0, 9: ireturn, 10: nop, 11: nop, 12: astore_1, 13: iinc 0 5,
    // 16: wide ret 1
    let code = vec![
        JSR, 0, 12, JSR_W, 0, 0, 0, 9, ILOAD_0, IRETURN, NOP, NOP, ASTORE_1, IINC, 0, 5, WIDE, RET,
        0, 1,
    ];
    let class =
        with_f("Jsr1", 48, &CodeParts { max_stack: 1, max_locals: 2, code, ..Default::default() });
    let spliced = splice_f(&class, |splice, pool| {
        splice.need_stack(2);
        splice.insert(Bci(0), &[IINC, 0, 1], Landing::After);
        splice.insert(Bci(12), &[NOP; 3], Landing::Before);
        splice.insert(Bci(8), &[NOP], Landing::Before);
        let throwable = VerificationType::Object(pool.class(b"java/lang/Throwable").expect("room"));
        let handler = splice.block(&[ATHROW], &[], &[throwable]);
        splice.cover(Bci(0)..Bci(9), handler);
        splice.cover(Bci(10)..Bci(20), handler);
    })
    .expect("a subroutine");
    f_code(&spliced, |code| {
        assert!(code.stack_map_table().expect("a table").is_none(), "no frames in an old class")
    });
    let results = run_all(&[("Jsr1", class.clone()), ("Jsr2", rename("Jsr1", "Jsr2", &spliced))]);
    assert_eq!(results[0], (10..20).collect::<Vec<_>>());
    assert_eq!(results[1], (11..21).collect::<Vec<_>>());
}

#[test]
fn stubs_run_for_exceptions_only() {
    // f(n): n < 5 jumps into the handler with null on the stack, else n / 0 throws into it; the
    // handler returns n. 0 iload_0, 1 iconst_5, 2 if_icmpge 9, 5 aconst_null, 6 goto 14, 9
    // iload_0, 10 iconst_0, 11 idiv, 12 pop, 13 aconst_null, 14 pop, 15 iload_0, 16 ireturn
    let code = vec![
        ILOAD_0,
        ICONST_5,
        IF_ICMPGE,
        0,
        7,
        ACONST_NULL,
        GOTO,
        0,
        8,
        ILOAD_0,
        ICONST_0,
        IDIV,
        POP,
        ACONST_NULL,
        POP,
        ILOAD_0,
        IRETURN,
    ];
    let class = with_handler("Stub", &code, 14, (9, 13));
    let spliced = splice_f(&class, |splice, _| {
        let stub = splice.stub(Bci(14), &[IINC, 0, 50]);
        splice.retarget(0, stub);
    })
    .expect("a stub");
    f_code(&spliced, |code| {
        let entries: Vec<_> = code.exceptions().collect();
        assert_eq!((entries.len(), entries[0].handler), (1, Bci(17)));
    });
    let results = run_all(&[("Stub", class.clone()), ("Stu2", rename("Stub", "Stu2", &spliced))]);
    assert_eq!(results[0], (0..10).collect::<Vec<_>>());
    assert_eq!(results[1], [0, 1, 2, 3, 4, 55, 56, 57, 58, 59]);
}

/// A class whose `f` has a catch-all handler at `handler` for `range`, with the frames of
/// [`stubs_run_for_exceptions_only`].
fn with_handler(name: &str, code: &[u8], handler: u16, range: (u16, u16)) -> Vec<u8> {
    let mut parts =
        CodeParts { max_stack: 2, max_locals: 1, code: code.to_vec(), ..Default::default() };
    parts.exceptions.push([range.0, range.1, handler, 0]);
    // Bci 9: the same locals. Bci 14: one java/lang/Throwable; its index is found by building
    // twice.
    let table = |class: u16| {
        let [a, b] = class.to_be_bytes();
        vec![("StackMapTable", frames(&[&[9], &[64 + 4, 7, a, b]]))]
    };
    let build = |class: u16| {
        let mut parts = parts.clone();
        parts.attributes = table(class);
        with_f(name, 52, &parts)
    };
    let throwable = |class: &[u8], out: &mut Vec<u8>| {
        let class = ClassFile::parse(class).expect("a class");
        let mut pool = PoolTail::new(class.pool());
        let index = pool.class(b"java/lang/Throwable").expect("room");
        Assembly::new().finish(&class, &pool, out).expect("no edits");
        index.0
    };
    let index = throwable(&build(0), &mut Vec::new());
    let mut out = Vec::new();
    assert_eq!(throwable(&build(index), &mut out), index);
    out
}

#[test]
fn short_frames_grow_into_extended_ones() {
    // Conditional branches to positions whose deltas are 63 and 62: one byte more before each needs
    // the long form.
    let mut code = vec![ILOAD_0, IFEQ, 0, 62];
    code.resize(63, NOP);
    code.extend([ILOAD_0, IFEQ, 0, 60]);
    code.resize(63 + 61, NOP);
    code.extend([ILOAD_0, IRETURN]);
    let f = CodeParts {
        max_stack: 1,
        max_locals: 1,
        code,
        attributes: vec![("StackMapTable", frames(&[&[63], &[60]]))],
        ..Default::default()
    };
    let class = with_f("Del1", 52, &f);
    for (inserted, tags) in [(0, [63u8, 60]), (1, [251, 61]), (3, [251, 63]), (4, [251, 251])] {
        let spliced = splice_f(&class, |splice, _| {
            splice.insert(Bci(5), &vec![NOP; inserted], Landing::Before);
            splice.insert(Bci(70), &vec![NOP; inserted], Landing::Before);
        })
        .expect("room");
        f_code(&spliced, |code| {
            let table = code.stack_map_table().expect("a table").expect("a table");
            let bcis: Vec<u32> =
                table.frames().map(|frame| frame.expect("a frame").bci.0).collect();
            assert_eq!(bcis, [63 + inserted as u32, 124 + 2 * inserted as u32]);
            let attribute = code.attributes().find(b"StackMapTable").expect("a table");
            assert_eq!(attribute.info[2], tags[0]);
            assert_eq!(attribute.info[if tags[0] == 251 { 5 } else { 3 }], tags[1]);
        });
    }
}

#[test]
fn every_table_follows() {
    let mut f = loop_at_start();
    f.attributes.push(("LineNumberTable", frames(&[&[0, 14, 0, 3], &[0, 0, 0, 1]])));
    f.attributes.push(("LineNumberTable", frames(&[&[0, 4, 0, 2]])));
    f.attributes.push((
        "LocalVariableTable",
        frames(&[&[0, 0, 0, 16, 0, 1, 0, 1, 0, 0], &[0, 4, 0, 10, 0, 1, 0, 1, 0, 0]]),
    ));
    f.attributes.push(("Unknown", vec![0, 4, 0, 14]));
    // Two annotations: on an instruction at bci 4 (a cast, with a type argument index), on a
    // variable's range 4..14.
    let annotations =
        frames(&[&[0x47, 0, 4, 0, 0, 0, 1, 0, 0], &[0x40, 0, 1, 0, 4, 0, 10, 0, 0, 0, 0, 1, 0, 0]]);
    f.attributes.push(("RuntimeVisibleTypeAnnotations", annotations));
    let class = with_f("Tabl", 52, &f);
    let spliced = splice_f(&class, |splice, _| {
        splice.insert(Bci(0), &[NOP; 6], Landing::After);
        splice.insert(Bci(4), &[NOP; 2], Landing::Before);
        splice.insert(Bci(14), &[NOP; 6], Landing::Before);
    })
    .expect("tables");
    f_code(&spliced, |code| {
        let class = code.class();
        let mut lines = Vec::new();
        for attribute in code.attributes().filter(|attribute| attribute.name == b"LineNumberTable")
        {
            lines.extend(
                line_numbers(class, &attribute).expect("lines").map(|row| (row.start.0, row.line)),
            );
        }
        assert_eq!(lines, [(28, 3), (6, 1), (12, 2)]);
        let variables = code.attributes().find(b"LocalVariableTable").expect("variables");
        let rows: Vec<_> = local_variables(class, &variables)
            .expect("rows")
            .map(|row| (row.start.0, row.length))
            .collect();
        assert_eq!(rows, [(6, 24), (12, 10)]);
        assert_eq!(code.attributes().find(b"Unknown").expect("copied").info, [0, 4, 0, 14]);
        let mut targets = Vec::new();
        let attribute =
            code.attributes().find(b"RuntimeVisibleTypeAnnotations").expect("annotations");
        code_targets(&attribute, |target| targets.push(target)).expect("annotations");
        assert!(matches!(targets[0], CodeTarget::Instruction { bci: Bci(12), .. }), "{targets:?}");
        assert!(
            matches!(targets[1], CodeTarget::LocalVariable { start: Bci(12), length: 10, .. }),
            "{targets:?}"
        );
    });
}

#[test]
fn cldc_frames_are_moved_and_made() {
    let mut f = loop_at_start();
    // Position, one local of type int, empty stack.
    f.attributes = vec![("StackMap", frames(&[&[0, 0, 0, 1, 1, 0, 0], &[0, 14, 0, 1, 1, 0, 0]]))];
    let class = with_f("Cldc", 48, &f);
    let spliced = splice_f(&class, |splice, pool| {
        splice.insert(Bci(0), &[NOP; 6], Landing::After);
        let throwable = VerificationType::Object(pool.class(b"java/lang/Throwable").expect("room"));
        let handler = splice.block(&[ATHROW], &[], &[throwable]);
        splice.cover(Bci(0)..Bci(14), handler);
    })
    .expect("frames");
    f_code(&spliced, |code| {
        let table = code.cldc_stack_map().expect("a table").expect("a table");
        let bcis: Vec<u32> = table.frames().map(|frame| frame.expect("a frame").bci.0).collect();
        assert_eq!(bcis, [6, 20, 22]);
        let entry = code.exceptions().next().expect("an entry");
        assert_eq!((entry.start, entry.end, entry.handler), (Bci(6), Bci(20), Bci(22)));
    });
}

#[test]
fn version_50_gets_a_frame_only_where_frames_are_used() {
    let handler = |splice: &mut Splice, pool: &mut PoolTail<'_>| {
        let throwable = VerificationType::Object(pool.class(b"java/lang/Throwable").expect("room"));
        let handler = splice.block(&[ATHROW], &[], &[throwable]);
        splice.need_stack(1);
        splice.cover(Bci(0)..Bci(1), handler);
    };
    let straight = CodeParts {
        max_stack: 1,
        max_locals: 1,
        code: vec![ILOAD_0, IRETURN],
        ..Default::default()
    };
    let mut branching = loop_at_start();
    branching.attributes.clear();
    let made = splice_f(&with_f("Six1", 50, &straight), handler).expect("a handler");
    let none = splice_f(&with_f("Six2", 50, &branching), handler).expect("a handler");
    let old = splice_f(&with_f("Six3", 49, &straight), handler).expect("a handler");
    for (class, frames) in [(&made, 1), (&none, 0), (&old, 0)] {
        f_code(class, |code| {
            let table = code.stack_map_table().expect("a table");
            assert_eq!(table.map_or(0, |table| table.frames().count()), frames);
        });
    }
    let results = run_all(&[("Six1", made), ("Six2", none), ("Six3", old)]);
    assert_eq!(results, [(0..10).collect::<Vec<_>>(), vec![0; 10], (0..10).collect()]);
}

#[test]
fn handler_at_the_start_lands_after_entry_code() {
    // No verifier accepts it (the handler's stack is not the method's), but its positions must be
    // right.
    let mut f = CodeParts {
        max_stack: 1,
        max_locals: 1,
        code: vec![POP, ILOAD_0, IRETURN],
        ..Default::default()
    };
    f.exceptions.push([0, 3, 0, 0]);
    f.exceptions.push([1, 1, 0, 0]);
    let class = with_f("Hand", 49, &f);
    let spliced = splice_f(&class, |splice, _| splice.insert(Bci(0), &[NOP; 4], Landing::After))
        .expect("a handler");
    f_code(&spliced, |code| {
        let entries: Vec<_> =
            code.exceptions().map(|e| (e.start.0, e.end.0, e.handler.0)).collect();
        assert_eq!(entries, [(4, 7, 4), (5, 5, 4)]);
    });
}

#[test]
fn stubs_are_covered_like_their_handlers() {
    let mut f = CodeParts {
        max_stack: 1,
        max_locals: 1,
        code: vec![NOP, ILOAD_0, IRETURN, POP, NOP, ILOAD_0, IRETURN],
        ..Default::default()
    };
    f.exceptions = vec![[0, 1, 3, 1], [0, 5, 3, 0]];
    let class = with_f("Cove", 49, &f);
    let spliced = splice_f(&class, |splice, _| {
        let stub = splice.stub(Bci(3), &[NOP]);
        splice.retarget(0, stub);
        let all = splice.block(&[ATHROW], &[], &[]);
        splice.cover(Bci(0)..Bci(2), all);
        splice.cover(Bci(3)..Bci(7), all);
    })
    .expect("a stub");
    f_code(&spliced, |code| {
        let entries: Vec<_> =
            code.exceptions().map(|e| (e.start.0, e.end.0, e.handler.0, e.catch_type.0)).collect();
        // The original two; the stub by the second, which includes its handler; the stub by the
        // cover; the covers.
        assert_eq!(
            entries,
            [
                (0, 1, 7, 1),
                (0, 5, 3, 0),
                (7, 11, 3, 0),
                (7, 11, 11, 0),
                (0, 2, 11, 0),
                (3, 7, 11, 0)
            ]
        );
    });
}

#[test]
fn limits_are_errors() {
    let class = with_f("Lim1", 52, &loop_at_start());
    let kind = |edit: &dyn Fn(&mut Splice)| {
        splice_f(&class, |splice, _| edit(splice)).expect_err("a limit").kind()
    };
    assert_eq!(
        kind(&|s| s.insert(Bci(2), &[NOP], Landing::Before)),
        ErrorKind::NotAnInstruction { bci: 2 }
    );
    assert_eq!(
        kind(&|s| s.insert(Bci(16), &[NOP], Landing::Before)),
        ErrorKind::NotAnInstruction { bci: 16 }
    );
    assert_eq!(kind(&|s| s.deepen_stack(u16::MAX)), ErrorKind::StackTooDeep(65_536));
    assert_eq!(
        kind(&|s| s.insert(Bci(0), &[NOP; 65_520], Landing::After)),
        ErrorKind::CodeTooLarge(65_536)
    );
    assert_eq!(
        kind(&|s| s.insert(Bci(0), &vec![NOP; 2_000_000], Landing::After)),
        ErrorKind::CodeTooLarge(2_000_016)
    );
    assert_eq!(
        kind(&|s| {
            let stub = s.stub(Bci(7), &[NOP]);
            s.cover(Bci(0)..Bci(1), stub);
        }),
        ErrorKind::MissingFrame { bci: 7 }
    );
    assert_eq!(
        kind(&|s| {
            let block = s.block(&[ATHROW], &[], &[]);
            s.retarget(0, block);
        }),
        ErrorKind::NoSuchHandler
    );
    assert_eq!(
        kind(&|s| {
            let block = s.block(&[ATHROW], &[], &[]);
            (0..65_536).for_each(|_| s.cover(Bci(0)..Bci(1), block));
        }),
        ErrorKind::ExceptionTableTooLong(65_536)
    );
    // Exactly as much as fits.
    splice_f(&class, |s, _| s.insert(Bci(0), &[NOP; 65_519], Landing::After))
        .map(drop)
        .expect("65,535 bytes");
}

#[test]
fn a_failed_splice_leaves_no_trace() {
    let bytes = with_f("Fail", 52, &loop_at_start());
    let class = ClassFile::parse(&bytes).expect("a class");
    let method = class.methods().find(|method| method.name == b"f").expect("f");
    let other = class.methods().find(|method| method.name == b"run").expect("run");
    let (code, mut scan, mut splice) =
        (method.code().expect("code").expect("code"), Scan::new(), Splice::new());
    let mut pool = PoolTail::new(class.pool());
    scan.run(&other.code().expect("code").expect("code"), false).expect("a scan");
    let mut out = vec![1, 2, 3];
    let error = splice
        .apply(&method, &code, &scan, &mut pool, &mut out)
        .expect_err("the scan is of other code");
    assert_eq!((error.kind(), &out[..]), (ErrorKind::ScanOfOtherCode, &[1, 2, 3][..]));
    scan.run(&code, false).expect("a scan");
    splice.deepen_stack(u16::MAX);
    splice.apply(&method, &code, &scan, &mut pool, &mut out).expect_err("a limit");
    assert_eq!(out, [1, 2, 3]);
}

#[test]
fn the_first_code_form_is_kept() {
    let mut f = CodeParts {
        max_stack: 1,
        max_locals: 1,
        code: vec![ILOAD_0, IRETURN],
        ..Default::default()
    };
    f.exceptions.push([0, 1, 1, 0]);
    let mut builder = Builder::new(45);
    builder.method(9, "f", "(I)I", &f);
    let class = builder.finish("First");
    let spliced = splice_f(&class, |splice, _| {
        splice.insert(Bci(0), &[NOP], Landing::After);
        splice.deepen_stack(3);
    })
    .expect("short form");
    f_code(&spliced, |code| {
        assert_eq!(
            (code.max_stack(), code.max_locals(), code.bytes()),
            (4, 1, &[NOP, ILOAD_0, IRETURN][..])
        );
    });
    let error =
        splice_f(&class, |splice, _| splice.need_stack(256)).expect_err("one byte for max_stack");
    assert_eq!(error.kind(), ErrorKind::StackTooDeep(256));
}
