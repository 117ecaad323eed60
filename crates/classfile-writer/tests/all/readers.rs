//! What the readers see, beside what `javap` sees.

use std::process::Command;

use crate::support::Jvm;
use classfile_writer::*;

/// Instructions (`bci name`), lines (`line N: bci`) and frames (`frame bci kind`) of all methods in
/// file order.
fn ours(bytes: &[u8]) -> Vec<String> {
    let class = ClassFile::parse(bytes).expect("a class");
    let mut seen = Vec::new();
    for method in class.methods() {
        let Some(code) = method.code().expect("code") else { continue };
        seen.push(format!("stack={}, locals={}", code.max_stack(), code.max_locals()));
        for instruction in code.instructions() {
            let instruction = instruction.expect("an instruction");
            seen.push(format!("{} {}", instruction.bci.0, mnemonic(&instruction)));
        }
        seen.extend(
            code.exceptions().map(|e| format!("catch {} {} {}", e.start.0, e.end.0, e.handler.0)),
        );
        for attribute in code.attributes() {
            match attribute.name {
                b"LineNumberTable" => {
                    let rows = line_numbers(&class, &attribute).expect("lines");
                    seen.extend(rows.map(|row| format!("line {}: {}", row.line, row.start.0)));
                }
                b"StackMapTable" => {
                    let table = StackMapTable::parse(&class, &attribute).expect("frames");
                    let mut last = None;
                    for frame in table.frames() {
                        let frame = frame.expect("a frame");
                        let delta = last.map_or(frame.bci.0, |last| frame.bci.0 - last - 1);
                        last = Some(frame.bci.0);
                        seen.push(format!("frame {} {delta}", kind(&frame.kind)));
                    }
                }
                _ => {}
            }
        }
    }
    seen
}

/// `javap` joins `wide` with the instruction that it widens.
fn mnemonic(instruction: &Instruction<'_>) -> String {
    match instruction.widened().and_then(opcode::info) {
        Some(widened) => format!("{}_w", widened.name),
        None => instruction.name().to_string(),
    }
}

fn kind(kind: &FrameKind<'_>) -> &'static str {
    match kind {
        FrameKind::Same => "same",
        FrameKind::SameLocalsOneStack(_) => "same_locals_1_stack_item",
        FrameKind::Chop(_) => "chop",
        FrameKind::Append(_) => "append",
        FrameKind::Full { .. } => "full_frame",
    }
}

/// The same from the text of `javap -v -p`.
fn javaps(text: &str) -> Vec<String> {
    let mut seen = Vec::new();
    let mut frame = None;
    let mut switch = false;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            // A switch lists its cases as numbers with colons, up to a brace.
            _ if switch => switch = line.trim() != "}",
            [bci, name @ ("tableswitch" | "lookupswitch"), ..] if bci.ends_with(':') => {
                switch = true;
                seen.push(format!("{} {name}", bci.trim_end_matches(':')));
            }
            ["line", number, bci] if number.ends_with(':') => {
                seen.push(format!("line {number} {bci}"))
            }
            ["stack", ..] | ["frame_type"] => {}
            [stack, locals, ..] if stack.starts_with("stack=") => {
                seen.push(format!("{stack} {}", locals.trim_end_matches(',')))
            }
            ["frame_type", "=", tag, "/*", name, "*/"] => {
                let name = name.trim_end_matches("_frame_extended").trim_end_matches("_frame");
                frame =
                    Some(if name == "full" { "full_frame".to_string() } else { name.to_string() });
                let tag: u32 = tag.parse().expect("a number");
                let short = if tag < 64 {
                    Some(tag)
                } else if tag < 128 {
                    Some(tag - 64)
                } else {
                    None
                };
                if let Some(delta) = short {
                    seen.push(format!("frame {} {delta}", frame.take().expect("the frame's kind")));
                }
            }
            ["offset_delta", "=", delta] => {
                seen.push(format!("frame {} {delta}", frame.take().expect("the frame's kind")));
            }
            [from, to, target, kind, ..]
                if from.parse::<u32>().is_ok() && (kind == "Class" || kind == "any") =>
            {
                seen.push(format!("catch {from} {to} {target}"));
            }
            [bci, name, ..]
                if bci.trim_end_matches(':').parse::<u32>().is_ok() && bci.ends_with(':') =>
            {
                let known = opcode::OPCODES
                    .iter()
                    .flatten()
                    .any(|info| info.name == name.trim_end_matches("_w"))
                    || opcode::OPCODES.iter().flatten().any(|info| info.name == name);
                if known {
                    seen.push(format!("{} {name}", bci.trim_end_matches(':')));
                }
            }
            _ => {}
        }
    }
    seen
}

#[test]
fn readers_agree_with_javap() {
    let jvm = Jvm::new();
    let mut total = 0;
    let classes = jvm.shapes("-g");
    for (name, class) in &classes {
        std::fs::write(jvm.path(&format!("{name}.class")), class).expect("a class file");
    }
    let files: Vec<String> =
        classes.iter().map(|(name, _)| jvm.path(&format!("{name}.class"))).collect();
    let output = Command::new("javap")
        .args(["-v", "-p"])
        .args(&files)
        .output()
        .expect("javap on the path (it comes with the JDK)");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let parts: Vec<&str> = text.split("Classfile ").skip(1).collect();
    assert_eq!(parts.len(), classes.len());
    for ((name, class), part) in classes.iter().zip(parts) {
        let (ours, theirs) = (ours(class), javaps(part));
        for (index, pair) in ours.iter().zip(&theirs).enumerate() {
            assert_eq!(pair.0, pair.1, "{name}, item {index}");
        }
        assert_eq!(ours.len(), theirs.len(), "{name}");
        total += ours.len();
    }
    assert!(total > 1500, "{total}");
}
