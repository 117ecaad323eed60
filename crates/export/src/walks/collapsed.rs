//! Collapsed stacks with their walks.

use super::stacks::Stacks;
use crate::collapsed::frame_text;
use std::io::{self, Write};

pub(super) fn write(stacks: &Stacks, out: &mut impl Write) -> io::Result<()> {
    let texts: Vec<String> = stacks.frames.iter().map(|of| frame_text(&of.name)).collect();
    for stack in stacks.methods.iter().flat_map(|method| &method.stacks) {
        let texts = stack.frames.iter().rev().filter_map(|frame| texts.get(*frame as usize));
        let texts: Vec<&str> = texts.map(String::as_str).collect();
        writeln!(out, "{} {}", texts.join(";"), stack.walks)?;
    }
    Ok(())
}
