//! Classes that are rewritten in this process, all methods instrumented.

use crate::clock::thread_cpu;
use anyhow::Result;
use classfile_writer::{Assembly, ClassFile, PoolTail};
use jfathom_archive::Input;
use jfathom_plan::{ClassPlan, MethodId, MethodPlan, ProbeKind};
use jfathom_rewriter::{Digests, Options, Rewriter, summarize};
use std::{fs, path::Path, time::Duration};

/// Class files with their names.
pub struct Classes(Vec<(String, Vec<u8>)>);

/// What a job came to.
pub struct Speed {
    /// Class bytes read, in MB per second of CPU time; the best round.
    pub megabytes_per_second: f64,
    /// Bytes out by bytes in.
    pub growth: f64,
}

impl Classes {
    /// All classes of an input.
    pub fn read(input: &Input) -> Result<Self> {
        let mut classes = Vec::new();
        for name in input.names() {
            let name = String::from_utf8_lossy(name.as_bytes()).into_owned();
            if name.ends_with(".class")
                && let Some(bytes) = input.read(&name)?
            {
                classes.push((name, bytes));
            }
        }
        Ok(Self(classes))
    }

    /// Writes them below a folder.
    pub fn write(&self, folder: &Path) -> Result<()> {
        for (name, bytes) in &self.0 {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, bytes)?;
        }
        Ok(())
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Without the classes that are skipped as a whole: copying them would flatter the speed.
    pub fn rewritable(mut self) -> Self {
        let mut rewriter = Rewriter::new(Options::default());
        self.0.retain(|(_, bytes)| rewriter.rewrite(bytes, &plan(bytes, &mut 0)).is_ok());
        self
    }

    /// Summary with digests, search for hand-offs, and rewriting.
    pub fn all_work(&self) -> Speed {
        let plans = self.plans(true);
        self.speed(&plans, |bytes| {
            let summary = summarize(bytes, Digests::Compute);
            std::hint::black_box(summary.map_or(0, |class| class.methods.len()));
        })
    }

    /// Rewriting by plans that are there.
    pub fn rewriting_alone(&self) -> Speed {
        self.speed(&self.plans(false), |_| {})
    }

    fn speed(&self, plans: &[ClassPlan], before: impl Fn(&[u8])) -> Speed {
        let bytes: usize = self.0.iter().map(|(_, bytes)| bytes.len()).sum();
        let megabytes = bytes as f64 / 1e6;
        let rounds = (600.0 / megabytes).ceil().clamp(5.0, 200.0) as u32;
        let mut rewriter = Rewriter::new(Options::default());
        let (mut best, mut written) = (Duration::MAX, 0);
        for _ in 0..rounds {
            let start = thread_cpu();
            let one = |((_, bytes), plan): (&(String, Vec<u8>), &ClassPlan)| {
                before(bytes);
                rewriter.rewrite(bytes, plan).map_or(0, |done| done.bytes.len())
            };
            written = self.0.iter().zip(plans).map(one).sum();
            best = best.min(thread_cpu() - start);
        }
        Speed {
            megabytes_per_second: megabytes / best.as_secs_f64(),
            growth: written as f64 / bytes as f64,
        }
    }

    /// Plans for all methods, with ids that go on from class to class.
    fn plans(&self, hand_offs: bool) -> Vec<ClassPlan> {
        let mut next = 0;
        let plan =
            |(_, bytes): &(String, Vec<u8>)| ClassPlan { hand_offs, ..plan(bytes, &mut next) };
        self.0.iter().map(plan).collect()
    }

    /// The names of those that an empty plan, or reassembling without edits, changes.
    pub fn differing(&self) -> Vec<String> {
        let mut rewriter = Rewriter::new(Options::default());
        let mut is_same = |bytes: &[u8]| {
            let done = rewriter.rewrite(bytes, &ClassPlan::default());
            done.is_ok_and(|done| done.bytes == bytes) && is_reassembled(bytes)
        };
        let classes = self.0.iter().filter(|(_, bytes)| !is_same(bytes));
        classes.map(|(name, _)| name.clone()).collect()
    }
}

fn is_reassembled(bytes: &[u8]) -> bool {
    ClassFile::parse(bytes).is_ok_and(|parsed| {
        let mut out = Vec::new();
        let tail = PoolTail::new(parsed.pool());
        Assembly::new().finish(&parsed, &tail, &mut out).is_ok() && out == bytes
    })
}

fn plan(bytes: &[u8], next: &mut u32) -> ClassPlan {
    let Ok(class) = summarize(bytes, Digests::Omit) else { return ClassPlan::default() };
    let methods = class.methods.into_iter().filter(|method| method.code_length.is_some());
    let plans = methods.map(|method| {
        let id = MethodId::new(*next).unwrap_or(MethodId::MAX);
        *next += 1;
        let kind = ProbeKind::Always;
        MethodPlan { name: method.name, descriptor: method.descriptor, id, kind }
    });
    ClassPlan { methods: plans.collect(), ..ClassPlan::default() }
}
