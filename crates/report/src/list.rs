//! Methods with their callees at the lines of their source.

mod excerpt;
pub(crate) mod json;

pub use json::{LIST_JSON_VERSION, list_json};

use crate::{
    between::Watched,
    number::{grouped, time_format},
    quality,
    table::Table,
    unfollowed,
    view::View,
};
use excerpt::{Row, excerpt};
use jfathom_compare::HotMethod;
use jfathom_plan::{ClassHierarchy, MethodLines, printable};
use jfathom_profile::{Frame, MethodIx, Profile};
use jfathom_views::{CallPosition, Edges, ListedCallee, Shown, fit, listed_callees};
use std::{
    collections::HashMap,
    io::{self, Write},
};

/// What is known of methods besides the profile.
#[derive(Debug, Default)]
pub struct Listed {
    /// The methods that are listed, in the order of the profile's table.
    pub methods: Vec<ListedMethod>,
    /// The superclasses of the classes that are known.
    pub hierarchy: ClassHierarchy,
}

/// A method's code and source, as far as they were found.
#[derive(Debug)]
pub struct ListedMethod {
    /// The method.
    pub method: MethodIx,
    /// Its code, if it is the recorded one.
    pub code: Option<ListedCode>,
    /// Its source file.
    pub source: Option<ListedSource>,
    /// Why the one or the other is missing or may be wrong: sentences.
    pub remarks: Vec<String>,
}

/// A method's code.
#[derive(Debug)]
pub struct ListedCode {
    /// The class file, for people.
    pub place: String,
    /// Its lines and calls.
    pub lines: MethodLines,
}

/// A source file.
#[derive(Debug)]
pub struct ListedSource {
    /// The file, for people.
    pub place: String,
    /// All of its lines.
    pub lines: Vec<String>,
}

/// A listed method with its numbers in what is shown.
pub(crate) struct Listing<'a> {
    listed: &'a ListedMethod,
    hot: &'a HotMethod,
    callees: Vec<ListedCallee>,
    /// Why its source is not shown as it should be.
    remarks: Vec<String>,
}

impl Listing<'_> {
    /// The calls of the line.
    fn at(&self, line: u32) -> impl Iterator<Item = &ListedCallee> {
        self.callees.iter().filter(move |callee| line_of(callee) == Some(line))
    }

    /// The lines that the code or the position of a callee names, ascending.
    fn known_lines(&self) -> Vec<u32> {
        let code = self.listed.code.iter().flat_map(|code| &code.lines.lines);
        code.map(|line| u32::from(*line)).collect()
    }
}

/// The line of all calls of a callee, if that is certain.
fn line_of(callee: &ListedCallee) -> Option<u32> {
    match callee.position {
        CallPosition::Line(line) => Some(u32::from(line)),
        _ => None,
    }
}

/// The methods of `listed` that were called in what is shown, in the view's order, and how many
/// more there are than its limit.
fn with_listings<T>(
    profile: &Profile,
    listed: &Listed,
    view: &View,
    take: impl FnOnce(&Shown<'_>, Vec<Listing<'_>>, usize) -> T,
) -> T {
    let corrected = view.scope.corrected(profile);
    let shown = Shown::new(profile, corrected.as_ref(), &view.scope);
    let edges = Edges::of(&shown);
    let by_method: HashMap<MethodIx, &ListedMethod> =
        listed.methods.iter().map(|listed| (listed.method, listed)).collect();
    let hot = shown.hot_methods(view.sort);
    let called: Vec<(&ListedMethod, &HotMethod)> =
        hot.iter().filter_map(|hot| Some((*by_method.get(&hot.method)?, hot))).collect();
    let more = called.len().saturating_sub(view.limit);
    let listings = called.into_iter().take(view.limit).map(|(listed_method, hot)| {
        let lines = listed_method.code.as_ref().map(|code| &code.lines);
        let callees = listed_callees(profile, &edges, hot.method, lines, &listed.hierarchy);
        let remarks = source_remarks(listed_method);
        Listing { listed: listed_method, hot, callees, remarks }
    });
    let listings = listings.collect();
    take(&shown, listings, more)
}

fn source_remarks(listed: &ListedMethod) -> Vec<String> {
    let mut remarks = listed.remarks.clone();
    let Some(code) = &listed.code else { return remarks };
    if code.lines.lines.is_empty() {
        remarks.push("its class file has no line numbers (javac -g)".to_owned());
    }
    if let (Some(source), Some(last)) = (&listed.source, code.lines.lines.last())
        && source.lines.len() < usize::from(*last)
    {
        let count = source.lines.len();
        remarks.push(format!(
            "{} has {} line{}, and the code names line {last}: it is not the source that was \
             compiled",
            source.place,
            grouped(count as u64),
            if count == 1 { "" } else { "s" }
        ));
    }
    remarks
}

/// Writes each method with its callees: calls, and the time that the method spent in them. A
/// callee is below the source line that calls it if that is certain, else above all lines.
pub fn list_text(
    profile: &Profile,
    listed: &Listed,
    view: &View,
    out: &mut dyn Write,
) -> io::Result<()> {
    let out = &mut Watched::new(out);
    quality::write(profile, out)?;
    unfollowed::write(&profile.meta.unfollowed, out)?;
    with_listings(profile, listed, view, |shown, listings, more| {
        if listings.is_empty() {
            return write_line!(out, "the methods of --list have no calls in what is shown");
        }
        for listing in &listings {
            write_method(shown, listing, view, out)?;
        }
        if more > 0 {
            write_line!(out, "{} more methods (--limit)", grouped(more as u64))?;
        }
        out.tell()?;
        write_line!(
            out,
            "time: what the method spent in the callee, recursive calls counted once; a call without a time was counted"
        )?;
        write_line!(
            out,
            "calls through methods without probes count as calls of the callee by the method itself"
        )
    })
}

fn write_method(
    shown: &Shown<'_>,
    listing: &Listing<'_>,
    view: &View,
    out: &mut dyn Write,
) -> io::Result<()> {
    let time = time_format(view.width);
    let times = listing.hot.times;
    write_line!(out, "{}", shown.names.method(listing.hot.method))?;
    let calls = crate::number::counted(listing.hot.calls(), "call", "calls");
    match listing.hot.timed() {
        0 => write_line!(out, "  {calls}, counted without times")?,
        _ => write_line!(
            out,
            "  {calls}, total {}, self {}",
            time(times.total_nanos, times.total_error_nanos).trim_end(),
            time(times.self_nanos, times.self_error_nanos).trim_end()
        )?,
    }
    if let Some(source) = &listing.listed.source {
        write_line!(out, "  source: {}", source.place)?;
    }
    if let Some(code) = &listing.listed.code {
        write_line!(out, "  code: {}", code.place)?;
    }
    for remark in &listing.remarks {
        write_line!(out, "  note: {remark}")?;
    }
    let rows = excerpt(shown.profile, listing);
    let mut table = Table::new(&["time", "calls", "line"], "source / → callee");
    for callee in listing.callees.iter().filter(|callee| line_of(callee).is_none()) {
        push_callee(&mut table, shown, callee, time);
    }
    for row in &rows {
        match row {
            Row::Gap => {
                table.row(vec![String::new(), String::new(), "⋮".to_owned()], 0, String::new())
            }
            Row::Line { line, text } => {
                let text = shown_text(text);
                let cells = vec![String::new(), String::new(), line.to_string()];
                table.row_of(cells, 0, move |width| cut(&text, width));
                listing.at(*line).for_each(|callee| push_callee(&mut table, shown, callee, time));
            }
        }
    }
    if listing.callees.is_empty() {
        write_line!(out, "  it called no method that was recorded")?;
    }
    if !listing.callees.is_empty() || !rows.is_empty() {
        table.write(view.width, out)?;
    }
    writeln!(out)
}

fn push_callee(
    table: &mut Table<'_>,
    shown: &Shown<'_>,
    callee: &ListedCallee,
    time: fn(f64, f64) -> String,
) {
    let spent = callee.edge.in_caller;
    let cells = vec![
        match callee.edge.has_time() {
            false => String::new(),
            true => time(spent.total_nanos, spent.total_error_nanos),
        },
        callee.edge.calls_text(),
        String::new(),
    ];
    let name = shown.frame_name(callee.callee);
    let after = position_text(shown.profile, callee);
    table.row_of(cells, 1, move |width| {
        let room =
            width.map_or(usize::MAX, |width| width.saturating_sub(after.chars().count() + 2));
        format!("→ {}{after}", fit(&name, room.max(MIN_NAME)))
    });
}

/// Columns that a callee's name has at least.
const MIN_NAME: usize = 16;

/// Lines that a text names.
const LINES: usize = 8;

/// What follows the name of a callee that has no line of its own.
fn position_text(profile: &Profile, callee: &ListedCallee) -> String {
    match &callee.position {
        CallPosition::Line(_) | CallPosition::Unknown => String::new(),
        CallPosition::NoLines => ", line not known".to_owned(),
        CallPosition::NoSite => match callee.callee {
            Frame::Method(method)
                if profile
                    .methods
                    .get(method.0 as usize)
                    .is_some_and(|method| method.info.key.name == "<clinit>") =>
            {
                ", by the JVM at the first use of the class".to_owned()
            }
            _ => ", through methods without probes".to_owned(),
        },
        CallPosition::OneOf(lines) => {
            let named: Vec<String> = lines.iter().take(LINES).map(u16::to_string).collect();
            let more = match lines.len().saturating_sub(LINES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!(", one of lines {}{more}", named.join(", "))
        }
    }
}

/// A source line for people: tabs become blanks, and all else shows itself.
fn shown_text(text: &str) -> String {
    let mut columns = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => {
                let to = TAB - columns.chars().count() % TAB;
                columns.extend(std::iter::repeat_n(' ', to));
            }
            c => columns.push(c),
        }
    }
    printable(columns.trim_end()).into_owned()
}

/// Columns of a tab.
const TAB: usize = 4;

fn cut(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return text.to_owned() };
    match text.chars().count() > width {
        true => text.chars().take(width.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
