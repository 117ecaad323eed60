//! Text of what the manifests of rewritten files say.

use crate::{
    number::{counted, grouped},
    skips::reasons,
};
use jfathom_plan::{InspectedMethod, Inspection, shell_words};
use std::io::{self, Write};

/// Writes one paragraph per file.
pub fn inspection_text(files: &[Inspection], out: &mut dyn Write) -> io::Result<()> {
    if files.is_empty() {
        return writeln!(out, "nothing was instrumented");
    }
    for (at, file) in files.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        paragraph(file, out)?;
    }
    Ok(())
}

fn paragraph(file: &Inspection, out: &mut dyn Write) -> io::Result<()> {
    write_line!(out, "{}", file.path.display())?;
    let mut row = |name: &str, value: &str| write_line!(out, "  {name:<11}{value}");
    if let Some(source) = &file.source {
        row("from", &source.display().to_string())?;
    }
    row("rewritten", &format!("by {}, plan {}", file.tool, file.plan))?;
    let methods = grouped(file.method_count as u64);
    let classes = counted(file.class_count, "class", "classes");
    row("methods", &format!("{methods} in {classes}, ids {}", file.ids))?;
    if file.counted_only > 0 {
        let some = grouped(file.counted_only as u64);
        row("", &format!("{some} of them can only be counted, as they have an entry probe alone"))?;
    }
    match file.has_roots {
        false => row("roots", "none: each thread records from its first probe")?,
        true if file.roots.is_empty() => row("roots", "in other files of the same plan")?,
        true => file.roots.iter().try_for_each(|root| row("root", root))?,
    }
    if let Some(scheme) = file.scheme {
        let call_graph = file.call_graph.map_or(String::new(), |name| format!(" ({name})"));
        let from = file.root_selectors.join(", ");
        row("scheme", &format!("{scheme}{call_graph}, from {from}"))?;
    }
    let placement = serde_json::to_value(file.placement).ok();
    row("placement", placement.as_ref().and_then(|name| name.as_str()).unwrap_or(""))?;
    if let Some(module) = &file.module {
        row("module", module)?;
    }
    row("runtime", file.runtime.as_deref().unwrap_or("missing; rewrite the original again"))?;
    if !file.flags.is_empty() {
        row("flags", &shell_words(&file.flags))?;
    }
    let skipped = reasons(file.skipped.iter().map(|(reason, count)| (*reason, *count)));
    row("skipped", skipped.as_deref().unwrap_or("nothing"))?;
    for skip in &file.skips {
        write_line!(out, "    {skip}")?;
    }
    for method in &file.methods {
        write_line!(out, "    {}", method_line(method))?;
    }
    Ok(())
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
    if method.counted_only {
        line.push_str(" counted only");
    }
    line
}
