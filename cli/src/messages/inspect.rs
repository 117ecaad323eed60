//! User messages of `inspect`.

use super::{shell, skip_line};
use jfathom_check::{Listing, Row};
use jfathom_instrument::{CodeListing, InspectedMethod, Inspection};
use jfathom_report::number::{counted, grouped};

/// One paragraph per file.
pub(crate) fn text(shown: &[Inspection]) -> String {
    let mut text = String::new();
    for (at, inspection) in shown.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        paragraph(&mut text, inspection);
    }
    if shown.is_empty() {
        text.push_str("nothing was instrumented\n");
    }
    text
}

fn paragraph(text: &mut String, file: &Inspection) {
    put_line!(text, "{}", file.path.display());
    let mut row = |name: &str, value: &str| {
        put_line!(text, "  {name:<11}{value}");
    };
    if let Some(source) = &file.source {
        row("from", &source.display().to_string());
    }
    row("rewritten", &format!("by {}, plan {}", file.tool, file.plan));
    row(
        "methods",
        &format!(
            "{} in {}, ids {}",
            grouped(file.method_count as u64),
            counted(file.class_count, "class", "classes"),
            file.ids
        ),
    );
    match file.has_roots {
        false => row("roots", "none: each thread records from its first probe"),
        true if file.roots.is_empty() => row("roots", "in other files of the same plan"),
        true => file.roots.iter().for_each(|root| row("root", root)),
    }
    if let Some(scheme) = file.scheme {
        let call_graph = file.call_graph.map_or(String::new(), |name| format!(" ({name})"));
        let from = file.root_selectors.join(", ");
        row("scheme", &format!("{scheme}{call_graph}, from {from}"));
    }
    let placement = serde_json::to_value(file.placement).ok();
    let placement = placement.as_ref().and_then(|name| name.as_str()).unwrap_or("");
    row("placement", placement);
    if let Some(module) = &file.module {
        row("module", module);
    }
    row("runtime", file.runtime.as_deref().unwrap_or("missing; rewrite the original again"));
    if !file.flags.is_empty() {
        row("flags", &shell(&file.flags));
    }
    let skipped: Vec<String> = file
        .skipped
        .iter()
        .map(|(reason, count)| format!("{} {reason}", grouped(*count as u64)))
        .collect();
    row("skipped", &if skipped.is_empty() { "nothing".to_owned() } else { skipped.join(", ") });
    for skip in &file.skips {
        put_line!(text, "    {}", skip_line(skip));
    }
    for method in &file.methods {
        put_line!(text, "    {}", method_line(method));
    }
}

fn method_line(method: &InspectedMethod) -> String {
    let mut line = format!("{:>7} {}", method.id, method.name);
    match (&method.source, method.line) {
        (Some(source), Some(number)) => line.push_str(&format!(" ({source}:{number})")),
        (Some(source), None) => line.push_str(&format!(" ({source})")),
        _ => {}
    }
    if method.root {
        line.push_str(" root");
    }
    line
}

/// The bytecode of methods, before and after.
pub(crate) fn code(listings: &[CodeListing]) -> String {
    let mut text = String::new();
    for CodeListing { place, listing } in listings {
        let Listing { method, before, after, fault } = listing;
        put_line!(text, "{place}: {method}");
        for (title, rows) in [("before", before), ("after", after)] {
            put_line!(text, "  {title}");
            for row in rows {
                put_line!(text, "{}", code_line(row));
            }
        }
        if let Some(fault) = fault {
            put_line!(text, "  the probes cannot be separated from the rest: {fault}");
        }
    }
    text
}

fn code_line(row: &Row) -> String {
    let bci = row.bci.map_or_else(|| " catch".to_owned(), |bci| format!("{bci:>6}"));
    format!("{:>10} {bci} {}", row.probe.unwrap_or(""), row.text)
}
