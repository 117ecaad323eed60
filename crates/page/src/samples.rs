//! Sampled frames below the nodes of a page.

use jfathom_views::{SampledShare, Shown};
use serde_json::{Map, Value, json};

/// Sampled frames that a node shows.
const MOST: usize = 6;

/// By place of the node among those that are shown: lines on the sampled frames directly below it,
/// the one with the most samples first. Null without samples.
pub(crate) fn sampled_lines(shown: &Shown) -> Value {
    let Some(samples) = &shown.samples else { return Value::Null };
    let mut nodes = Map::new();
    for (at, node) in shown.all_nodes().enumerate() {
        let within = samples.total(node);
        if within.is_zero() {
            continue;
        }
        let native = match within.native {
            0 => String::new(),
            native => format!(", {native} in native methods"),
        };
        let mut lines = vec![json!(format!("{} samples{native}", within.running))];
        let below = samples.below(node);
        lines.extend(below.iter().take(MOST).map(|of| {
            let counts = samples.sampled(*of);
            let share = match counts.running {
                0 => "native".to_owned(),
                running => {
                    let SampledShare { share, error } = SampledShare::new(running, within.running);
                    format!("{:.0} ± {:.0} %", share * 100.0, (error * 100.0).max(1.0))
                }
            };
            json!(format!("~ {}  {share}", samples.name(*of)))
        }));
        if let more @ 1.. = below.len().saturating_sub(MOST) {
            lines.push(json!(format!("~ {more} more")));
        }
        nodes.insert(at.to_string(), Value::Array(lines));
    }
    Value::Object(nodes)
}
