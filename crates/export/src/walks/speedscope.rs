//! speedscope's JSON of walked stacks: for each method a profile of its stacks, weighted by walks.

use super::stacks::{MethodStacks, Stack, Stacks};
use crate::{
    json,
    speedscope::{SCHEMA, add_frames},
};
use std::io::{self, Write};

pub(super) fn write(stacks: &Stacks, notes: &[String], out: &mut impl Write) -> io::Result<()> {
    write!(out, "{{\"$schema\":\"{SCHEMA}\",\"exporter\":")?;
    json::text(out, concat!("jfathom ", env!("CARGO_PKG_VERSION")))?;
    out.write_all(b",\"name\":")?;
    json::text(out, &notes.join("; "))?;
    out.write_all(b",\"activeProfileIndex\":0,\"shared\":{\"frames\":")?;
    add_frames(&stacks.frames, out)?;
    out.write_all(b"},\"profiles\":")?;
    json::list(out, stacks.methods.iter(), sampled)?;
    out.write_all(b"}\n")
}

fn sampled<W: Write>(out: &mut W, method: &MethodStacks) -> io::Result<()> {
    out.write_all(b"{\"type\":\"sampled\",\"name\":")?;
    json::text(out, &method.title)?;
    let all = method.stacks.iter().map(|stack| stack.walks).fold(0, u64::saturating_add);
    write!(out, ",\"unit\":\"none\",\"startValue\":0,\"endValue\":{all},\"samples\":")?;
    json::list(out, method.stacks.iter(), |out, stack: &Stack| {
        json::list(out, stack.frames.iter().rev(), |out, frame| {
            json::integer(out, u64::from(*frame))
        })
    })?;
    out.write_all(b",\"weights\":")?;
    json::list(out, method.stacks.iter(), |out, stack| json::integer(out, stack.walks))?;
    out.write_all(b"}")
}
