//! `docs/trace-format.md` says what `layout.rs` and `names.rs` say.

use std::collections::HashMap;

use jfathom_session::names::SHARED_NAMES;
use jfathom_trace::layout::{CONSTANTS, LAYOUT_HASH};

const PAGE: &str = include_str!("../../../../docs/trace-format.md");

#[test]
fn tables_have_every_constant_with_its_value() {
    let rows = PAGE.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        Some((cells.next()?.strip_suffix('`')?, cells.next()?))
    });
    let rows: HashMap<&str, &str> = rows.collect();
    for constant in CONSTANTS {
        let cell = rows
            .get(constant.name)
            .unwrap_or_else(|| panic!("{} is not in the page", constant.name));
        let value = match cell.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).unwrap() as i64,
            None => cell.parse().unwrap_or(-1),
        };
        assert_eq!(value, constant.value, "{}", constant.name);
    }
    for shared in SHARED_NAMES {
        assert!(PAGE.contains(shared.name), "{}", shared.name);
        assert!(PAGE.contains(shared.value), "{}", shared.value);
    }
}

#[test]
fn the_page_names_the_hash() {
    let line = format!("layout hash: {LAYOUT_HASH:#018x}");
    assert!(PAGE.lines().any(|known| known == line), "the page should say {line}");
}

#[test]
fn names_are_unique_and_values_fit_their_java_type() {
    let names: HashMap<&str, i64> =
        CONSTANTS.iter().map(|constant| (constant.name, constant.value)).collect();
    assert_eq!(names.len(), CONSTANTS.len());
    for constant in CONSTANTS {
        assert!(
            constant.long || i32::try_from(constant.value).is_ok(),
            "{} is no int",
            constant.name
        );
    }
}
