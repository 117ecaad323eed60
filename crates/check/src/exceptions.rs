//! The exception table (JVMS 4.7.3): the original's entries first and in their order, then those of
//! stubs, then the covers.

use crate::alignment::{Alignment, Block};
use crate::cursor::CatchProbe;
use crate::finding::{Fault, Problem};
use crate::instruction::{ends_flow, jump, switch};
use crate::read::Body;
use cafebabe::attributes::ExceptionTableEntry;
use std::collections::BTreeSet;

/// What the table came to.
#[derive(Debug, Default)]
pub(crate) struct Handlers {
    /// The output's number of each entry of the original.
    pub(crate) moved: Vec<usize>,
    /// The ranges that blocks cover which throw on: start, end and block.
    pub(crate) covers: Vec<(usize, usize, Block)>,
}

/// Compares the tables.
pub(crate) fn compare(
    before: Body<'_>,
    after: Body<'_>,
    alignment: &Alignment,
) -> Result<Handlers, Problem> {
    let mut table = Table { entries: after.exceptions(), next: 0 };
    let mut found = Handlers::default();
    let place = |bci: u16| {
        let index = before.index_at(usize::from(bci));
        let unknown = || Problem::NotChecked("an exception table names no instruction".to_owned());
        index.and_then(|index| Some((index, alignment.position(index)?))).ok_or_else(unknown)
    };
    let stub_at = |bci: usize| {
        alignment.blocks.iter().find(|block| block.start == bci && block.handler.is_some())
    };
    let mut is_marked = None;
    for (number, entry) in before.exceptions().iter().enumerate() {
        let ((_, start), (_, end)) = (place(entry.start_pc)?, place(entry.end_pc)?);
        let (handler_index, handler) = place(entry.handler_pc)?;
        let start = if entry.start_pc < entry.end_pc { start.target } else { start.base };
        found.moved.push(table.next);
        for (start, end) in without_islands(alignment, start, end.base) {
            let at = table.next;
            let new = table.take(start, end, entry).map_err(|fault| number_of(fault, number))?;
            let to = usize::from(new.handler_pc);
            let stub = stub_at(to);
            if stub.map_or(to, |stub| stub.handler.unwrap_or(to)) != handler.target {
                let what = format!(
                    "entry {at} of the exception table has handler {to}, not {}",
                    handler.target
                );
                return Err(Fault::new(what).into());
            }
            let marks = stub.is_some() || alignment.marked.contains_key(&handler_index);
            if *is_marked.get_or_insert(marks) != marks {
                return Err(Fault::at(to, "only some of the handlers have a probe").into());
            }
            let probe = stub.map_or(alignment.marked.get(&handler_index).copied(), |of| of.probe);
            let is_any = is_any(before, entry.handler_pc);
            if probe.is_some_and(|probe| !fits(probe, is_any)) {
                let what = "has the probe of another kind of handler";
                return Err(Fault::at(to, what).into());
            }
        }
    }
    let handlers = |target: usize| {
        before.exceptions().iter().find_map(|entry| {
            place(entry.handler_pc)
                .ok()
                .filter(|(_, place)| place.target == target)
                .map(|(index, _)| index)
        })
    };
    for stub in alignment.blocks.iter() {
        let Some(target) = stub.handler else { continue };
        let Some(handler) = handlers(target) else {
            return Err(Fault::at(stub.start, "a stub leads to what is no handler").into());
        };
        for entry in before.exceptions() {
            let ((start, _), (end, _)) = (place(entry.start_pc)?, place(entry.end_pc)?);
            if (start..end).contains(&handler) {
                let new = table.take(stub.start, stub.end, entry)?;
                if usize::from(new.handler_pc) != place(entry.handler_pc)?.1.target {
                    return Err(Fault::at(
                        stub.start,
                        "a stub has other handlers than what it leads to",
                    )
                    .into());
                }
            }
        }
        while let Some(entry) = table.peek().filter(|entry| {
            (usize::from(entry.start_pc), usize::from(entry.end_pc)) == (stub.start, stub.end)
                && entry.catch_type.is_none()
        }) && let Some(block) = throw_at(alignment, entry.handler_pc)
        {
            found.covers.push((stub.start, stub.end, block));
            table.next += 1;
        }
    }
    covers_to_the_end(&mut table, alignment, &mut found)?;
    if !alignment.marked.is_empty() {
        entered_by_exceptions_only(before, alignment)?;
    }
    Ok(found)
}

/// The block at this place that throws on.
fn throw_at(alignment: &Alignment, bci: u16) -> Option<Block> {
    let is_there = |block: &&Block| block.start == usize::from(bci) && block.handler.is_none();
    alignment.blocks.iter().find(is_there).copied()
}

/// What is left of the table covers blocks that throw on.
fn covers_to_the_end(
    table: &mut Table<'_>,
    alignment: &Alignment,
    found: &mut Handlers,
) -> Result<(), Fault> {
    while let Some(entry) = table.peek() {
        let block = throw_at(alignment, entry.handler_pc).filter(|_| entry.catch_type.is_none());
        let unknown =
            || Fault::new(format!("entry {} of the exception table is nobody's", table.next));
        let block = block.ok_or_else(unknown)?;
        found.covers.push((usize::from(entry.start_pc), usize::from(entry.end_pc), block));
        table.next += 1;
    }
    Ok(())
}

/// Whether all entries of a handler are of any exception.
fn is_any(before: Body<'_>, handler: u16) -> bool {
    let mut entries = before.exceptions().iter().filter(|entry| entry.handler_pc == handler);
    entries.all(|entry| entry.catch_type.is_none())
}

fn fits(probe: CatchProbe, is_any: bool) -> bool {
    match probe {
        CatchProbe::Exception => !is_any,
        CatchProbe::Any => is_any,
    }
}

fn number_of(fault: Fault, number: usize) -> Fault {
    Fault { what: format!("{}, for entry {number} of the original", fault.what), ..fault }
}

/// The parts of a range outside of trampolines, whose frames are others.
pub(crate) fn without_islands(
    alignment: &Alignment,
    mut start: usize,
    end: usize,
) -> Vec<(usize, usize)> {
    let holes = alignment.islands.iter().filter_map(|island| Some((island.head?, island.end)));
    let mut parts = Vec::new();
    let mut any = false;
    for (from, to) in holes {
        any = true;
        if start <= from && to <= end && from < end {
            if start < from {
                parts.push((start, from));
            }
            start = to;
        }
    }
    if !any || start < end {
        parts.push((start, end));
    }
    parts
}

/// Where normal control leads to a handler, a probe in front of it would tell of catches that are
/// none.
fn entered_by_exceptions_only(before: Body<'_>, alignment: &Alignment) -> Result<(), Fault> {
    let mut led_to: BTreeSet<usize> = BTreeSet::from([0]);
    for (index, (_, op)) in before.instructions.iter().enumerate() {
        let offsets =
            jump(op).into_iter().chain(switch(op).map(|(_, offsets)| offsets).unwrap_or_default());
        led_to.extend(offsets.filter_map(|offset| before.target(index, offset)));
        if !ends_flow(op) {
            led_to.insert(index + 1);
        }
    }
    match alignment.marked.keys().find(|index| led_to.contains(index)) {
        Some(&index) => {
            let at = alignment.position(index).map_or(0, |place| place.target);
            Err(Fault::at(at, "has a catch probe where control also comes without an exception"))
        }
        None => Ok(()),
    }
}

/// The output's table, entry by entry.
struct Table<'c> {
    entries: &'c [ExceptionTableEntry<'c>],
    next: usize,
}

impl<'c> Table<'c> {
    fn peek(&self) -> Option<&'c ExceptionTableEntry<'c>> {
        self.entries.get(self.next)
    }

    /// Passes an entry for this range that catches what `like` catches.
    fn take(
        &mut self,
        start: usize,
        end: usize,
        like: &ExceptionTableEntry<'_>,
    ) -> Result<&'c ExceptionTableEntry<'c>, Fault> {
        let number = self.next;
        let Some(entry) = self.peek() else {
            return Err(Fault::new(format!("the exception table lacks {start}..{end}")));
        };
        let range = (usize::from(entry.start_pc), usize::from(entry.end_pc));
        if range != (start, end) {
            let what = format!(
                "entry {number} of the exception table covers {}..{}, not {start}..{end}",
                range.0, range.1
            );
            return Err(Fault::new(what));
        }
        if entry.catch_type != like.catch_type {
            return Err(Fault::new(format!(
                "entry {number} of the exception table catches something else"
            )));
        }
        self.next += 1;
        Ok(entry)
    }
}
