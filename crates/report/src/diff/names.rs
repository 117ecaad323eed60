//! The names of the methods of two profiles.

use jfathom_compare::{ContextFrame, MatchKind};
use jfathom_views::Comparison;

/// Names by place in `Diff::methods`, on each side.
pub(super) struct Names {
    sides: Vec<[Option<String>; 2]>,
    notes: Vec<String>,
}

impl Names {
    pub(super) fn of(compared: &Comparison<'_>) -> Self {
        let of = [
            jfathom_views::Names::of(&compared.base.methods),
            jfathom_views::Names::of(&compared.new.methods),
        ];
        let mut sides = Vec::with_capacity(compared.diff.methods.len());
        let mut notes = Vec::with_capacity(sides.capacity());
        for method in &compared.diff.methods {
            let name = |side: usize, at: Option<_>| at.map(|at| of[side].method(at).to_owned());
            let (base, new) = (name(0, method.base), name(1, method.new));
            notes.push(match (&base, &new, method.pair) {
                (Some(base), Some(_), Some(pair))
                    if matches!(pair.how, MatchKind::Renamed | MatchKind::Moved) =>
                {
                    format!(" (was {base})")
                }
                (Some(_), Some(_), Some(pair)) if pair.changed => " (edited)".to_owned(),
                _ if method.is_sign => String::new(),
                (Some(_), None, _) => " (gone)".to_owned(),
                (None, Some(_), _) => " (new)".to_owned(),
                _ => String::new(),
            });
            sides.push([base, new]);
        }
        Self { sides, notes }
    }

    /// The name on one side; on the other where the method is only there.
    pub(super) fn on(&self, side: usize, place: usize) -> &str {
        let Some(names) = self.sides.get(place) else { return "?" };
        names[side].as_deref().or(names[1 - side].as_deref()).unwrap_or("?")
    }

    /// The name on the new side, and what became of the method.
    pub(super) fn with_note(&self, place: usize) -> String {
        format!("{}{}", self.on(1, place), self.notes.get(place).map_or("", String::as_str))
    }

    pub(super) fn frame(&self, frame: ContextFrame) -> String {
        match frame {
            ContextFrame::Method(place) => self.with_note(place),
            ContextFrame::Task(place) => format!("spawned from {}", self.on(1, place)),
        }
    }
}
