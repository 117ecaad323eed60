//! A table of walked methods and their callers (RFC 4180).

use super::stacks::facts;
use crate::csv::field;
use jfathom_profile::{Frame, Profile, SampleFrame, SampleIx};
use jfathom_views::{Names, SampledShare, WalkedCallers};
use std::io::{self, Write};

const HEAD: &str = "node,parent,depth,name,class,method,descriptor,recorded,walks,outermost,\
                    share,share_bar,calls,interval,due,missing,unknown,truncated";

pub(super) fn write(
    profile: &Profile,
    methods: &[WalkedCallers],
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out, "{HEAD}")?;
    let names = Names::of(&profile.methods);
    let tree = &profile.stack_walks.tree;
    let mut number = 0_u64;
    for method in methods {
        let walked = SampleFrame::Recorded(Frame::Method(method.method.method));
        let Some(root) = profile.stack_walks.root(method.method.method) else {
            // Without a walk, and nevertheless with what was due.
            write!(out, "{number},,0{},0,0", name(profile, &names, walked))?;
            numbers(method, 0, 0, out)?;
            of_method(method, out)?;
            number += 1;
            continue;
        };
        let mut path: Vec<u64> = Vec::new();
        let mut open: Vec<SampleIx> = vec![root];
        while let Some(node) = open.pop() {
            let of = tree.node(node);
            path.truncate(of.depth as usize);
            let parent = path.last().map(u64::to_string).unwrap_or_default();
            path.push(number);
            let walks = tree.total(node).all();
            let name = name(profile, &names, of.frame);
            write!(out, "{number},{parent},{}{name},{walks},{}", of.depth, of.own.all())?;
            numbers(method, walks, of.depth, out)?;
            match of.depth {
                0 => of_method(method, out)?,
                _ => writeln!(out, ",,,,,")?,
            }
            number += 1;
            let callers: Vec<SampleIx> = tree.children(node).collect();
            open.extend(callers.into_iter().rev());
        }
    }
    Ok(())
}

/// Name, class, method, descriptor, and whether the frame has recorded calls, each behind a comma.
fn name(profile: &Profile, names: &Names, frame: SampleFrame) -> String {
    let facts = facts(profile, names, frame);
    let texts = [&facts.name, &facts.class, &facts.method, &facts.descriptor];
    let is_recorded = matches!(frame, SampleFrame::Recorded(_));
    format!(",{},{is_recorded}", texts.map(|text| field(text)).join(","))
}

/// The part of the method's walks with its error, and for how many calls they stand.
fn numbers(method: &WalkedCallers, walks: u64, depth: u32, out: &mut impl Write) -> io::Result<()> {
    match (method.walks, depth) {
        (0, _) => write!(out, ",,")?,
        // All walks are the method's: that is no estimate.
        (_, 0) => write!(out, ",1,0")?,
        _ => {
            let SampledShare { share, error } = method.share(walks);
            write!(out, ",{share:.6},{error:.6}")?;
        }
    }
    match method.calls(walks) {
        Some(calls) => write!(out, ",{calls}"),
        None => write!(out, ","),
    }
}

/// Which calls of the method were walked, and what the walks lack. Ends the line.
fn of_method(method: &WalkedCallers, out: &mut impl Write) -> io::Result<()> {
    let of = &method.method;
    match of.interval {
        0 => write!(out, ",")?,
        interval => write!(out, ",{interval}")?,
    }
    writeln!(out, ",{},{},{},{}", of.due, method.missing(), of.unknown, of.truncated)
}
