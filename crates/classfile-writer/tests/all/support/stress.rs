//! Ways to splice every method of a class without changing what it does.

use classfile_writer::opcode::{ATHROW, ICONST_0, NOP, POP};
use classfile_writer::*;

/// What is done to each method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Nothing, but its code is written anew.
    Rewrite,
    /// A `nop` in front of every instruction.
    Nops,
    /// Entry and exit code, catch-all handlers around, stubs in front of every handler.
    Probes,
    /// Long runs of `nop` at a few places, so that branches must be widened. Of the methods with
    /// branches, one in `1 << rarity` is changed, every other of them with probes as well.
    Grow { rarity: u32 },
}

/// What happened.
#[derive(Debug, Default, Clone, Copy)]
pub struct Outcome {
    pub spliced: usize,
    pub refused: usize,
    pub widened: usize,
}

/// Splices every method of a class. The one error that a well-formed class may meet is a limit of
/// the format.
pub fn splice_all(bytes: &[u8], mode: Mode, outcome: &mut Outcome) -> Vec<u8> {
    try_splice_all(bytes, mode, outcome, &mut |error| match error.kind() {
        ErrorKind::CodeTooLarge(_) | ErrorKind::BranchTooFar { .. } => {}
        other => panic!("{other}"),
    })
    .expect("a well-formed class")
}

/// Splices every method whose splice succeeds; `refused` hears of the others.
pub fn try_splice_all(
    bytes: &[u8],
    mode: Mode,
    outcome: &mut Outcome,
    refused: &mut dyn FnMut(Error),
) -> Result<Vec<u8>> {
    let class = ClassFile::parse(bytes)?;
    let mut pool = PoolTail::new(class.pool());
    let mut assembly = Assembly::new();
    let (mut scan, mut splice) = (Scan::new(), Splice::new());
    for method in class.methods() {
        let code = match method.code() {
            Ok(Some(code)) => code,
            Ok(None) => continue,
            Err(error) => {
                refused(error);
                continue;
            }
        };
        splice.clear();
        let constructor = method.name == b"<init>";
        let done = scan.run(&code, constructor).and_then(|()| {
            if !edit(&mut splice, &class, &method, &code, &scan, &mut pool, mode)? {
                return Ok(false);
            }
            let range = code.range();
            assembly
                .replace_with(range, |out| splice.apply(&method, &code, &scan, &mut pool, out))?;
            Ok(true)
        });
        match done {
            Ok(done) => {
                outcome.spliced += usize::from(done);
                outcome.widened += usize::from(done && splice.is_widened());
            }
            Err(error) => {
                outcome.refused += 1;
                eprintln!("{mode:?}: {}: {error}", String::from_utf8_lossy(method.name));
                refused(error);
            }
        }
    }
    let mut out = Vec::new();
    assembly.finish(&class, &pool, &mut out)?;
    Ok(out)
}

fn edit(
    splice: &mut Splice,
    class: &ClassFile<'_>,
    method: &Member<'_>,
    code: &Code<'_>,
    scan: &Scan,
    pool: &mut PoolTail<'_>,
    mode: Mode,
) -> Result<bool> {
    match mode {
        Mode::Rewrite => {}
        Mode::Nops => {
            for instruction in code.instructions() {
                let bci = instruction?.bci;
                splice.insert(
                    bci,
                    &[NOP],
                    if bci.0 == 0 { Landing::After } else { Landing::Before },
                );
            }
        }
        Mode::Probes => probes(splice, class, method, code, scan, pool)?,
        Mode::Grow { rarity } => {
            let hash = code.bytes().iter().fold(method.range().len() as u32, |h, &b| {
                (h ^ u32::from(b)).wrapping_mul(16777619)
            });
            if scan.branches.is_empty() || hash >> 8 & ((1 << rarity) - 1) != 0 {
                return Ok(false);
            }
            let starts: Vec<Bci> =
                code.instructions().map(|i| i.map(|i| i.bci)).collect::<Result<_>>()?;
            let room = 60_000usize.saturating_sub(code.bytes().len() * 3);
            let places = 2 + hash as usize % 3;
            if hash & 0x80 != 0 {
                probes(splice, class, method, code, scan, pool)?;
            }
            for place in 0..places {
                let at = starts[(hash as usize >> place).wrapping_mul(31) % starts.len()];
                splice.insert(at, &vec![NOP; room / places], Landing::Before);
            }
        }
    }
    Ok(true)
}

fn probes(
    splice: &mut Splice,
    class: &ClassFile<'_>,
    method: &Member<'_>,
    code: &Code<'_>,
    scan: &Scan,
    pool: &mut PoolTail<'_>,
) -> Result<()> {
    let probe = [ICONST_0, POP];
    splice.deepen_stack(1);
    splice.need_stack(2);
    splice.insert(Bci(0), &probe, Landing::After);
    for &at in &scan.returns {
        splice.insert(at, &probe, Landing::Before);
    }
    for (number, entry) in code.exceptions().enumerate() {
        let stub = splice.stub(entry.handler, &probe);
        splice.retarget(number, stub);
    }
    let throwable = VerificationType::Object(pool.class(b"java/lang/Throwable")?);
    let handler = [ICONST_0, POP, ATHROW];
    let constructor = method.name == b"<init>" && class.super_class() != PoolIx(0);
    let mut start = Bci(0);
    if constructor {
        // Without a call of super() the constructor never returns, and its handler would need the
        // flag all over. With several, no position divides the code into before and after.
        let (Some(call), 1) = (scan.super_call, scan.super_calls) else { return Ok(()) };
        let prologue = splice.block(&handler, &[VerificationType::UninitializedThis], &[throwable]);
        splice.cover(Bci(0)..call, prologue);
        start = Bci(call.0 + 3);
    }
    let catch_all = splice.block(&handler, &[], &[throwable]);
    let body = start;
    for &at in scan.returns.iter().filter(|&&at| at >= body) {
        splice.cover(start..at, catch_all);
        start = Bci(at.0 + 1);
    }
    splice.cover(start..Bci(code.bytes().len() as u32), catch_all);
    Ok(())
}
