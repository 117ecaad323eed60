//! The methods of both sides.

use super::numbers::{Calls, ColumnOfMethod, Columns, EventRow, Time, columns, events};
use jfathom_compare::MethodDiff;
use jfathom_plan::MethodKey;
use jfathom_profile::{Method, MethodIx};
use jfathom_views::Comparison;

object! {
    /// A method's names.
    Key<'a>(key: &'a MethodKey) {
        class: &'a str = &key.class,
        descriptor: &'a str = &key.descriptor,
        name: &'a str = &key.name,
    }
}

object! {
    /// A method on both sides; null where it is absent.
    Keys<'a>(compared: &'a Comparison<'_>, found: &MethodDiff) {
        base: Option<Key<'a>> = found.base.map(|at| Key::of(&compared.base.method(at).info.key)),
        new: Option<Key<'a>> = found.new.map(|at| Key::of(&compared.new.method(at).info.key)),
    }
}

object! {
    Ambiguous<'a>(compared: &'a Comparison<'_>, base: &[MethodIx], new: &[MethodIx]) {
        base: Vec<Key<'a>> = keys(base, &compared.base.methods),
        new: Vec<Key<'a>> = keys(new, &compared.new.methods),
    }
}

fn keys<'a>(places: &[MethodIx], methods: &'a [Method]) -> Vec<Key<'a>> {
    let key = |at: &MethodIx| Some(Key::of(&methods.get(at.0 as usize)?.info.key));
    places.iter().filter_map(key).collect()
}

object! {
    ComparedMethod<'a>(compared: &'a Comparison<'_>, found: &'a MethodDiff) {
        base: Option<Key<'a>> = Keys::of(compared, found).base,
        /// timed, counted, on virtual threads
        calls: Calls = Calls::of(&found.calls),
        columns: Columns<ColumnOfMethod> =
            columns(compared.diff, &found.columns, ColumnOfMethod::of),
        /// code known to differ
        edited: Option<bool> = found.pair.map(|pair| pair.changed),
        /// in the method itself; null unless both sides know any
        events: Option<Vec<EventRow<'a>>> = events(&compared.diff.events, &found.events),
        /// `same`, `changed`, `renumbered`, `renamed`, `moved`
        r#match: Option<&'a str> = found.pair.map(|pair| pair.how.as_str()),
        /// timed on one side, counted on the other; call paths do not compare
        modes_differ: bool = found.modes_differ,
        new: Option<Key<'a>> = Keys::of(compared, found).new,
        /// self time
        #[serde(rename = "self")]
        own: Time = Time::of(&found.self_time),
        /// timed calls; the times are theirs
        timed: Timed = Timed::of(found.timed),
        /// recursive calls counted once
        total: Time = Time::of(&found.total_time),
    }
}

object! {
    Timed(timed: [Option<f64>; 2]) {
        base: Option<f64> = timed[0],
        new: Option<f64> = timed[1],
    }
}
