//! The growth of calls with the size of the input, and its gate.

mod gate;
pub(crate) mod json;

pub use gate::{growth_gate_text, judged_growth};
pub use json::{GROWTH_JSON_VERSION, growth_json};

use crate::{
    number::{counted, grouped},
    table::Table,
    wrapped::Wrapped,
};
use jfathom_compare::{Growth, MethodGrowth, Trend};
use jfathom_views::Names;
use std::io::{self, Write};

/// What part of a growth is shown.
#[derive(Clone, Copy, Debug)]
pub struct GrowthView {
    /// Methods in a list.
    pub limit: usize,
    /// Columns of the terminal; names are not shortened where none is given.
    pub width: Option<usize>,
}

/// Sizes that have a column each; of more sizes only the ends have.
const COLUMNS: usize = 4;

/// Methods with calls at some sizes only that are named.
const PARTIAL: usize = 10;

/// Writes the exponents of the methods, the largest first.
pub fn growth_text(growth: &Growth, view: GrowthView, out: &mut dyn Write) -> io::Result<()> {
    let names = Names::of(&growth.table);
    write_line!(out, "growth of calls over the sizes {}", sizes(growth))?;
    let shown: Vec<usize> = places(growth.sizes.len());
    let mut titles =
        vec!["exponent".to_owned(), "from".to_owned(), "to".to_owned(), "R²".to_owned()];
    titles.extend(shown.iter().map(|at| format!("at {}", grouped(growth.sizes[*at]))));
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let mut table = Table::new(&titles, "method");
    let all = by_exponent(growth);
    for (method, fit) in all.iter().take(view.limit) {
        let mut cells = vec![
            power(fit.exponent),
            power(fit.lowest),
            power(fit.highest),
            r_squared(fit.r_squared),
        ];
        let calls = &growth.methods[*method].calls;
        cells.extend(shown.iter().map(|at| grouped(calls[*at])));
        table.row(cells, 0, names.method(index(*method)).to_owned());
    }
    table.write(view.width, out)?;
    if let more @ 1.. = all.len().saturating_sub(view.limit) {
        write_line!(out, "{} more methods (--limit)", grouped(more as u64))?;
    }
    write_others(growth, &names, view, &shown, out)?;
    let mut out = Wrapped::new(out, view.width);
    write_line!(
        out,
        "exponent: calls grow as size^exponent, by least squares of the logarithms; from and to: \
         between neighbouring sizes"
    )?;
    out.flush()
}

/// Methods that have no exponent.
fn write_others(
    growth: &Growth,
    names: &Names,
    view: GrowthView,
    shown: &[usize],
    out: &mut dyn Write,
) -> io::Result<()> {
    let methods: Vec<(usize, &MethodGrowth)> = growth
        .methods
        .iter()
        .enumerate()
        .filter(|(_, method)| method.trend == Trend::Partial)
        .collect();
    if methods.is_empty() {
        return Ok(());
    }
    write_line!(
        out,
        "{} called at some sizes only, so without an exponent",
        counted(methods.len() as u64, "method", "methods")
    )?;
    let titles: Vec<String> =
        shown.iter().map(|at| format!("at {}", grouped(growth.sizes[*at]))).collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let mut table = Table::new(&titles, "method");
    for (at, method) in methods.iter().take(PARTIAL) {
        let cells = shown.iter().map(|size| grouped(method.calls[*size])).collect();
        table.row(cells, 0, names.method(index(*at)).to_owned());
    }
    table.write(view.width, out)?;
    if let more @ 1.. = methods.len().saturating_sub(PARTIAL) {
        write_line!(out, "{} more (--json has all)", grouped(more as u64))?;
    }
    Ok(())
}

/// The methods with an exponent, the largest first; of equal ones those with more calls.
fn by_exponent(growth: &Growth) -> Vec<(usize, jfathom_compare::PowerFit)> {
    let mut all: Vec<_> = growth
        .methods
        .iter()
        .enumerate()
        .filter_map(|(at, method)| match method.trend {
            Trend::Power(fit) => Some((at, fit)),
            Trend::Partial => None,
        })
        .collect();
    // Exponents that are printed alike are equal: rounding makes no order.
    let rounded = |exponent: f64| (exponent * 1e6).round();
    all.sort_by(|(a, of_a), (b, of_b)| {
        let calls = |at: usize| growth.methods[at].calls.last().copied();
        rounded(of_b.exponent)
            .total_cmp(&rounded(of_a.exponent))
            .then(calls(*b).cmp(&calls(*a)))
            .then(a.cmp(b))
    });
    all
}

/// The places of the sizes that have a column.
fn places(sizes: usize) -> Vec<usize> {
    match sizes {
        0..=COLUMNS => (0..sizes).collect(),
        _ => vec![0, sizes - 1],
    }
}

fn sizes(growth: &Growth) -> String {
    let sizes: Vec<String> = growth.sizes.iter().map(|size| grouped(*size)).collect();
    sizes.join(", ")
}

fn index(method: usize) -> jfathom_profile::MethodIx {
    jfathom_profile::MethodIx(u32::try_from(method).unwrap_or(u32::MAX))
}

/// An exponent with two decimals; never `-0.00`.
fn power(exponent: f64) -> String {
    let text = format!("{exponent:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

/// A coefficient of determination, rounded down: 1 only if the fit is exact.
fn r_squared(value: f64) -> String {
    format!("{:.3}", ((value + 1e-9) * 1e3).floor() / 1e3)
}

#[cfg(test)]
mod tests;
