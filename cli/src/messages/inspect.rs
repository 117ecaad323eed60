//! What `inspect` says.

use super::{shell, skip_line};
use crate::inspect::{InspectedMethod, Inspection};
use jfathom_report::number::{counted, grouped};

/// One paragraph for each file.
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

fn paragraph(text: &mut String, it: &Inspection) {
    put_line!(text, "{}", it.path.display());
    let mut row = |name: &str, value: &str| {
        put_line!(text, "  {name:<11}{value}");
    };
    if let Some(source) = &it.source {
        row("from", &source.display().to_string());
    }
    row("rewritten", &format!("by {}, plan {}", it.tool, it.plan));
    row(
        "methods",
        &format!(
            "{} in {}, ids {}",
            grouped(it.method_count as u64),
            counted(it.class_count, "class", "classes"),
            it.ids
        ),
    );
    match it.rooted {
        false => row("roots", "none: each thread records from its first probe"),
        true if it.roots.is_empty() => row("roots", "in other files of the same plan"),
        true => it.roots.iter().for_each(|root| row("root", root)),
    }
    if let Some(policy) = &it.policy {
        row("policy", &format!("{policy}, from {}", it.root_selectors.join(", ")));
    }
    let placement = serde_json::to_value(it.placement).ok();
    let placement = placement.as_ref().and_then(|name| name.as_str()).unwrap_or("");
    row("placement", placement);
    if let Some(module) = &it.module {
        row("module", module);
    }
    row("runtime", it.runtime.as_deref().unwrap_or("missing; rewrite the original again"));
    if !it.flags.is_empty() {
        row("flags", &shell(&it.flags));
    }
    let left: Vec<String> = it
        .left_alone
        .iter()
        .map(|(reason, count)| format!("{} {reason}", grouped(*count as u64)))
        .collect();
    row("left alone", &if left.is_empty() { "nothing".to_owned() } else { left.join(", ") });
    for skip in &it.skips {
        put_line!(text, "    {}", skip_line(skip));
    }
    for method in &it.methods {
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
