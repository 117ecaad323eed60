//! The hot methods as text.

use crate::{
    names::Names,
    number::{duration, grouped, percent, share},
    table::Table,
    view::{Sort, View},
};
use jfathom_profile::{Nanos, Profile, ThreadIx, hot_methods};
use std::{
    cmp::Reverse,
    collections::HashSet,
    io::{self, Write},
};

/// Writes the methods that cost most, over all threads that are shown. Totals are those of outermost calls, so recursion counts once.
pub(crate) fn write(profile: &Profile, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let threads: HashSet<ThreadIx> = view.threads(profile).into_iter().collect();
    let mut hot = hot_methods(profile, |thread| threads.contains(&thread));
    match view.sort {
        Sort::SelfTime => hot.sort_by_key(|hot| (Reverse(hot.self_time), hot.method)),
        Sort::TotalTime => hot.sort_by_key(|hot| (Reverse(hot.total_time), hot.method)),
        Sort::Calls => hot.sort_by_key(|hot| (Reverse(hot.calls), hot.method)),
    }
    let nanos = |ticks| profile.rate.nanos(ticks);
    let whole = Nanos(hot.iter().map(|hot| nanos(hot.self_time).0).sum());
    let names = Names::of(&profile.methods);
    let mut table = Table::new(&["self %", "self", "self/call", "total %", "total", "calls"], "method");
    for hot in hot.iter().take(view.limit) {
        let (own, total) = (nanos(hot.self_time), nanos(hot.total_time));
        table.row(
            vec![
                percent(own.0, whole.0),
                duration(own),
                own.0.checked_div(hot.calls).map_or("-".to_owned(), |each| duration(Nanos(each))),
                percent(total.0, whole.0),
                duration(total),
                grouped(hot.calls),
            ],
            0,
            names.method(hot.method).to_owned(),
        );
    }
    let by = match view.sort {
        Sort::SelfTime => "self time",
        Sort::TotalTime => "total time",
        Sort::Calls => "calls",
    };
    writeln!(out, "hot methods, by {by}")?;
    table.write(view.width, out)?;
    let rest = hot.get(view.limit..).unwrap_or_default();
    if !rest.is_empty() {
        let own = rest.iter().map(|hot| nanos(hot.self_time).0).fold(0, u64::saturating_add);
        writeln!(
            out,
            "{} more methods with {:.1} % of the time (--limit shows more)",
            grouped(rest.len() as u64),
            share(own, whole.0)
        )?;
    }
    Ok(())
}
