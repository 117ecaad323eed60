//! What a reachability analysis took as given, and what it left open, for `plan` and `rewrite`.

use crate::number::{counted, grouped};
use jfathom_plan::{ObjectSource, Unnamed, quoted_class, quoted_name};

/// Options that add calls which the analysis cannot find.
pub const REMEDIES: &str = "--assume-called, --profile-use, --scheme total";

/// Entry points that are named.
const ENTRY_POINTS: usize = 3;

/// The methods whose instantiations virtual calls consider, after "classes instantiated in".
pub fn entry_points(objects: &ObjectSource) -> String {
    match objects {
        ObjectSource::Roots => "the root itself".to_owned(),
        ObjectSource::Program => "any method of the program".to_owned(),
        ObjectSource::Mains(entries) | ObjectSource::Entries(entries) => {
            let names: Vec<String> =
                entries.iter().take(ENTRY_POINTS).map(ToString::to_string).collect();
            let more = entries.len().checked_sub(ENTRY_POINTS).filter(|&more| more > 0);
            let more = more.map_or(String::new(), |more| format!(" and {more} more"));
            format!("{}{more} and the root", names.join(", "))
        }
    }
}

/// A warning about methods that load classes by names that are not in the inputs, one line per
/// element; empty if there are none.
pub fn unnamed_lines(unnamed: &Unnamed) -> Vec<String> {
    let Some(first) = unnamed.methods.first() else { return Vec::new() };
    let more = match unnamed.methods.len() {
        1 => String::new(),
        many => format!(" and {}", counted(many - 1, "other method", "other methods")),
    };
    vec![
        format!(
            "{}::{}{more} may load any of {} by a name that is not in the inputs: their calls may be missing here",
            quoted_class(&first.class),
            quoted_name(&first.name),
            counted(unnamed.classes, "class", "classes"),
        ),
        "  (--profile-use PROFILE adds what a recording of everything saw, --assume-called SELECTOR what you name, --scheme cha all that fits)"
            .to_owned(),
    ]
}

/// The first `most` names, and how many more there are.
pub fn names_and_more<T: ToString>(names: &[T], most: usize) -> String {
    let mut text = names.iter().take(most).map(T::to_string).collect::<Vec<_>>().join(", ");
    if let Some(more) = names.len().checked_sub(most).filter(|&more| more > 0) {
        text.push_str(&format!(" and {} more", grouped(more as u64)));
    }
    text
}
