//! Callgrind's profile: self time of each method, and exact calls with their time for each edge of
//! the call graph. A thread calls the methods at the bottom of its stack.

use crate::{frame::FrameFacts, notes::Notes};
use jfathom_profile::Frame;
use jfathom_views::{Edge, Edges, Shown};
use std::{
    collections::{BTreeMap, HashMap},
    io::{self, Write},
};

pub(crate) fn write(shown: &Shown, out: &mut impl Write) -> io::Result<()> {
    let edges = Edges::of(shown);
    let graph = Graph::of(&edges);
    let notes = Notes::of(shown);
    writeln!(out, "# callgrind format\nversion: 1\ncreator: {}", notes.tool)?;
    if let [jvm] = &shown.profile.meta.jvms[..] {
        writeln!(out, "pid: {}", jvm.pid)?;
    }
    writeln!(out, "cmd: {}\npart: 1", notes.command)?;
    for line in notes.lines() {
        writeln!(out, "desc: Note: {line}")?;
    }
    writeln!(out, "positions: line\nevent: ns : Wall time in ns\nevents: ns")?;
    writeln!(out, "summary: {}", graph.sum())?;
    let mut names = Names::default();
    for (caller, facts) in graph.functions(shown) {
        writeln!(out)?;
        names.write(out, "f", &facts)?;
        let own = caller.and_then(|frame| graph.self_nanos.get(&frame)).copied();
        writeln!(out, "{} {}", facts.line, whole(own.unwrap_or(0.0)))?;
        for (callee, edge) in graph.callees.get(&caller).into_iter().flatten() {
            let called = FrameFacts::of(shown, *callee);
            names.write(out, "cf", &called)?;
            // Without a call its time would be one of the caller itself. `⋯` has none.
            writeln!(out, "calls={} {}", edge.calls.max(1), called.line)?;
            writeln!(out, "{} {}", facts.line, whole(edge.in_caller.total_nanos))?;
        }
    }
    Ok(())
}

fn whole(nanos: f64) -> u64 {
    nanos.round() as u64
}

/// Self times and callees by frame; callees without a caller are at the bottom of merged threads.
#[derive(Default)]
struct Graph<'a> {
    /// In the order of the profile's tables.
    order: Vec<Frame>,
    self_nanos: HashMap<Frame, f64>,
    callees: HashMap<Option<Frame>, Vec<(Frame, &'a Edge)>>,
}

impl<'a> Graph<'a> {
    fn of(edges: &'a Edges) -> Self {
        let mut graph = Self::default();
        for (caller, callee, edge) in edges.all() {
            let known = graph.self_nanos.len();
            *graph.self_nanos.entry(callee).or_default() += edge.of_callee.self_nanos;
            if graph.self_nanos.len() > known {
                graph.order.push(callee);
            }
            // A thread is the bottom itself.
            if caller.is_some() || !matches!(callee, Frame::Thread(_)) {
                graph.callees.entry(caller).or_default().push((callee, edge));
            }
        }
        graph
    }

    /// All functions that call or have time, with what is known of them.
    fn functions(&self, shown: &Shown) -> Vec<(Option<Frame>, FrameFacts)> {
        let bottom = self.callees.contains_key(&None).then(|| {
            let facts = FrameFacts {
                name: "all threads".to_owned(),
                class: String::new(),
                method: String::new(),
                descriptor: String::new(),
                file: None,
                line: 0,
            };
            (None, facts)
        });
        let frames = self.order.iter().map(|frame| (Some(*frame), FrameFacts::of(shown, *frame)));
        bottom.into_iter().chain(frames).collect()
    }

    fn sum(&self) -> u64 {
        self.self_nanos.values().map(|nanos| whole(*nanos)).fold(0, u64::saturating_add)
    }
}

/// Names that were written: later a number stands for each.
#[derive(Default)]
struct Names {
    files: BTreeMap<String, usize>,
    functions: BTreeMap<String, usize>,
}

impl Names {
    /// Writes file and function of `fl=` and `fn=` lines, or of `cfl=` and `cfn=` lines.
    fn write(&mut self, out: &mut impl Write, prefix: &str, facts: &FrameFacts) -> io::Result<()> {
        let file = compressed(&mut self.files, facts.file.as_deref().unwrap_or("???"));
        let function = compressed(&mut self.functions, &facts.name);
        writeln!(out, "{prefix}l={file}\n{prefix}n={function}")
    }
}

/// `(7) name` where a name comes first, then `(7)`.
fn compressed(known: &mut BTreeMap<String, usize>, name: &str) -> String {
    if let Some(number) = known.get(name) {
        return format!("({number})");
    }
    let number = known.len() + 1;
    known.insert(name.to_owned(), number);
    format!("({number}) {name}")
}
