//! The frame table of a page: each name once.

use crate::stack_walks::walked;
use jfathom_profile::{DemotionReason, Frame, Method, MethodIx, Mode};
use jfathom_views::WalkedCallers;
use serde_json::{Value, json};
use std::collections::HashMap;

/// Frames in the order in which they were met.
#[derive(Debug, Default)]
pub(crate) struct FrameTable {
    frames: Vec<Frame>,
    places: HashMap<Frame, u32>,
}

impl FrameTable {
    /// The index of a frame, which is added if it is new.
    pub(crate) fn place(&mut self, frame: Frame) -> u32 {
        *self.places.entry(frame).or_insert_with(|| {
            self.frames.push(frame);
            self.frames.len() as u32 - 1
        })
    }

    /// Number of frames.
    pub(crate) fn len(&self) -> u32 {
        self.frames.len() as u32
    }

    /// The methods in their order.
    pub(crate) fn methods(&self) -> impl Iterator<Item = MethodIx> {
        self.frames.iter().filter_map(|frame| match frame {
            Frame::Method(method) => Some(*method),
            Frame::Thread(_) | Frame::Task(_) => None,
        })
    }

    /// Names, kinds (`m`, `t` for a thread, `h` for a task that was handed off), and facts of
    /// methods.
    pub(crate) fn json(
        &self,
        name: impl Fn(Frame) -> String,
        facts: impl Fn(Frame) -> Option<Value>,
    ) -> Value {
        let kind = |frame: &Frame| match frame {
            Frame::Method(_) => 'm',
            Frame::Thread(_) => 't',
            Frame::Task(_) => 'h',
        };
        json!({
            "names": self.frames.iter().map(|frame| name(*frame)).collect::<Vec<_>>(),
            "kinds": self.frames.iter().map(kind).collect::<String>(),
            "facts": self.frames.iter().map(|frame| facts(*frame)).collect::<Vec<_>>(),
        })
    }
}

/// What a page says of a method beside its name: only what not all methods have. `uncertain` says
/// which of its columns are not exact. `verdict` is what samples of uninstrumented runs say of its
/// self time, `callers` who calls it by walked stacks.
pub(crate) fn method_facts(
    method: &Method,
    uncertain: Option<&Value>,
    verdict: Option<&str>,
    callers: Option<&WalkedCallers>,
) -> Value {
    let mut facts = serde_json::Map::new();
    let mut add = |name: &str, fact: Value| facts.insert(name.to_owned(), fact);
    let info = &method.info;
    if let Some(source) = &info.source {
        add("source", json!(info.line.map_or(source.clone(), |line| format!("{source}:{line}"))));
    }
    if info.root {
        add("root", json!(true));
    }
    if info.resumes && !info.is_resumption() {
        add("resumes", json!(true));
    }
    if let Some(uncertain) = uncertain {
        add("uncertain", uncertain.clone());
    }
    if let Some(verdict) = verdict {
        add("trust", json!(verdict));
    }
    if let Some(callers) = callers {
        add("walked", walked(callers));
    }
    for (name, count) in [("throws", method.throws), ("virtual", method.virtual_calls)] {
        if count > 0 {
            add(name, json!(count));
        }
    }
    match method.demotion {
        Some(demotion) => {
            add("why", json!(reason(demotion.reason)));
            add("after", json!(demotion.millis));
        }
        None if method.mode == Mode::Count => {
            add("why", json!("counted from the start"));
        }
        None => {}
    }
    Value::Object(facts)
}

/// Why a method is counted.
fn reason(reason: DemotionReason) -> &'static str {
    match reason {
        DemotionReason::Unknown => "the reason is unknown",
        DemotionReason::Selected => "it was selected",
        DemotionReason::Budget => "its probes cost more than the budget allows",
    }
}
