//! pprof's profile of walked stacks: a sample for each stack, with its walks, and the calls that
//! these stand for.

use super::stacks::Stacks;
use crate::{
    pprof::{add_frames, field, mapping, value_type},
    protobuf::Message,
    strings::Strings,
};
use flate2::{Compression, write::GzEncoder};
use jfathom_profile::Profile;
use std::io::{self, Write};

pub(super) fn write(
    profile: &Profile,
    stacks: &Stacks,
    notes: &[String],
    out: &mut impl Write,
) -> io::Result<()> {
    let mut out = GzEncoder::new(out, Compression::fast());
    let mut strings = Strings::default();
    let mut message = Message::new();
    // Each sample has a value of each type. Where one is not known there is no such type.
    let has_calls = stacks.methods.iter().all(|method| method.interval.is_some());
    message.message(field::SAMPLE_TYPE, &value_type(&mut strings, "walks", "count"));
    let calls = value_type(&mut strings, "calls", "count");
    if has_calls {
        message.message(field::SAMPLE_TYPE, &calls);
    }
    let mut intervals = stacks.methods.iter().map(|method| method.interval);
    if let Some(Some(interval)) = intervals.next()
        && intervals.all(|other| other == Some(interval))
    {
        message.message(field::PERIOD_TYPE, &calls).uint(field::PERIOD, interval);
    }
    message
        .uint(field::TIME_NANOS, profile.meta.started_millis.saturating_mul(1_000_000))
        .uint(field::DURATION_NANOS, profile.meta.duration_millis.saturating_mul(1_000_000))
        .uint(field::DEFAULT_SAMPLE_TYPE, strings.place(if has_calls { "calls" } else { "walks" }));
    let comments: Vec<u64> = notes.iter().map(|line| strings.place(line)).collect();
    message.packed(field::COMMENT, comments.iter().copied());
    message.message(field::MAPPING, &mapping(&mut strings, profile));
    add_frames(&mut message, &mut strings, &stacks.frames);
    let mut sample = Message::new();
    for method in &stacks.methods {
        for stack in &method.stacks {
            let calls = method.interval.map(|interval| stack.walks.saturating_mul(interval));
            let values = [Some(stack.walks), calls.filter(|_| has_calls)].into_iter().flatten();
            sample.clear();
            sample.packed(1, stack.frames.iter().map(|frame| u64::from(*frame) + 1));
            sample.packed(2, values.map(|value| value.min(i64::MAX as u64)));
            message.message(field::SAMPLE, &sample);
            if message.bytes().len() > 1 << 16 {
                out.write_all(message.bytes())?;
                message.clear();
            }
        }
    }
    strings.texts().iter().for_each(|text| {
        message.text(field::STRING_TABLE, text);
    });
    out.write_all(message.bytes())?;
    out.finish()?;
    Ok(())
}
