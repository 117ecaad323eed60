//! Damaged class files: an error or a result, never a panic, and never more memory than the input
//! asks for.

use crate::support::{java, made};
use jfathom_plan::{ClassPlan, LineRange, MethodId, MethodPlan, ProbeKind, RegionPlan};
use jfathom_rewriter::{Digests, Options, Rewriter, module_name, summarize};
use jfathom_testkit::{class_files, java_files};

/// A small generator with a fixed seed (xorshift): the cases are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

fn plan(bytes: &[u8]) -> ClassPlan {
    let mut class = summarize(bytes, Digests::Omit).unwrap_or_default();
    jfathom_rewriter::add_lines(bytes, &mut class);
    let methods = class.methods;
    let region = |(i, method): (usize, &jfathom_plan::MethodSummary)| {
        let lines = method.lines.get(method.lines.len() / 3..).unwrap_or_default();
        Some(RegionPlan {
            method: method.name.clone(),
            descriptor: method.descriptor.clone(),
            lines: LineRange::new(*lines.first()?, *lines.get(lines.len() / 2)?)?,
            id: MethodId::new(i as u32 * 20_000 + 1).unwrap_or(MethodId::MAX),
            kind: [ProbeKind::Root, ProbeKind::Always, ProbeKind::InRoot][i % 3],
        })
    };
    let regions = methods.iter().enumerate().filter_map(region).collect();
    let row = |(i, method): (usize, jfathom_plan::MethodSummary)| MethodPlan {
        name: method.name,
        descriptor: method.descriptor,
        id: MethodId::new(i as u32 * 20_000).unwrap_or(MethodId::MAX),
        kind: [ProbeKind::Always, ProbeKind::InRoot, ProbeKind::Root][i % 3],
    };
    ClassPlan {
        methods: methods.into_iter().enumerate().map(row).collect(),
        regions,
        hand_offs: true,
        ..ClassPlan::default()
    }
}

/// What frames may grow by that name many unused local variables.
const MOST_PADDING: usize = 1 << 20;

fn try_everything(rewriter: &mut Rewriter, bytes: &[u8], plan: &ClassPlan) {
    let _ = summarize(bytes, Digests::Compute);
    let _ = module_name(bytes);
    if let Ok(done) = rewriter.rewrite(bytes, plan) {
        assert!(done.bytes.len() <= 8 * bytes.len() + 100_000 + MOST_PADDING);
    }
}

#[test]
fn damaged_bytes_never_panic() {
    let temp = tempfile::tempdir().expect("a folder");
    let sources: Vec<_> =
        ["cases", "handoffs"].iter().flat_map(|f| java_files(&java::sources(f))).collect();
    java::javac(17, &sources, temp.path());
    let mut classes: Vec<Vec<u8>> =
        class_files(temp.path()).into_iter().map(|(_, bytes)| bytes).collect();
    classes.extend(
        made::all().into_iter().map(|made| made.bytes).filter(|bytes| bytes.len() < 10_000),
    );
    let mut rewriter = Rewriter::new(Options::default());
    let mut dice = Dice(0x5eed_cafe);
    for bytes in &classes {
        let plan = plan(bytes);
        for _ in 0..150 {
            let mut damaged = bytes.clone();
            for _ in 0..1 + dice.below(3) {
                let at = dice.below(damaged.len());
                damaged[at] = match dice.below(4) {
                    0 => 0,
                    1 => 0xff,
                    2 => damaged[at].wrapping_add(1),
                    _ => dice.below(256) as u8,
                };
            }
            try_everything(&mut rewriter, &damaged, &plan);
        }
        for _ in 0..10 {
            let end = dice.below(bytes.len());
            try_everything(&mut rewriter, &bytes[..end], &plan);
        }
    }
}
