//! The callers of a method by walked stacks, for a page.

use jfathom_views::{SampledShare, WalkedCaller, WalkedCallers};
use serde_json::{Value, json};

/// Callers that a page shows of a method.
const MOST: usize = 60;

/// The walks of a method: a line that says what they are, and a row for each caller: its level, its
/// share of the walks, for about how many calls they stand, and its name. Callers without a fork
/// between them have one level. Callers that are too many are left out, those with the fewest walks
/// first.
pub(crate) fn walked(callers: &WalkedCallers) -> Value {
    let mut most: Vec<usize> = (0..callers.rows.len()).collect();
    // No caller has more walks than the one that it calls, which stands before it.
    most.sort_by_key(|at| std::cmp::Reverse(callers.rows[*at].walks));
    most.truncate(MOST);
    most.sort_unstable();
    let most = most.iter().filter_map(|at| callers.rows.get(*at));
    let most: Vec<&WalkedCaller> = most.collect();
    let levels = callers.levels(most.iter().copied());
    let rows = most.iter().zip(levels).map(|(row, level)| cells(callers, row, level));
    let rows: Vec<Value> = rows.collect();
    json!({
        "text": text(callers),
        "rows": rows,
        "more": callers.rows.len() - most.len(),
    })
}

fn cells(callers: &WalkedCallers, row: &WalkedCaller, level: u32) -> Value {
    let SampledShare { share, error } = callers.share(row.walks);
    let share = match row.walks == callers.walks || callers.is_whole() {
        true => format!("{:.1} %", share * 100.0),
        false => format!("{:.0} ± {:.0} %", share * 100.0, (error * 100.0).max(1.0)),
    };
    json!([level, share, callers.calls(row.walks), row.marked_name()])
}

fn text(callers: &WalkedCallers) -> String {
    let how = match callers.method.interval {
        0 => "at intervals that differ".to_owned(),
        1 => "at every call".to_owned(),
        calls => format!("at one in {calls} calls"),
    };
    let missing = match callers.missing() {
        0 => String::new(),
        missing => format!("; {missing} were not made or not kept"),
    };
    format!("{} walks {how}{missing}; ~ a frame without recorded calls", callers.walks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_profile::{MethodIx, WalkedMethod};

    fn caller(depth: u32, name: &str, walks: u64) -> WalkedCaller {
        let method = name.starts_with("app").then_some(MethodIx(0));
        WalkedCaller { depth, name: name.to_owned(), method, walks, outermost: 0 }
    }

    fn callers(interval: u32, rows: Vec<WalkedCaller>) -> WalkedCallers {
        let method =
            WalkedMethod { method: MethodIx(0), interval, due: 12, truncated: 0, unknown: 1 };
        WalkedCallers { method, name: "app::leaf".to_owned(), walks: 10, rows }
    }

    #[test]
    fn a_level_begins_at_a_fork() {
        let rows = vec![
            caller(1, "app::a", 10),
            caller(2, "app::b", 10),
            caller(3, "jdk::c", 7),
            caller(4, "jdk::d", 7),
            caller(3, "app::e", 3),
        ];
        let found = walked(&callers(5, rows));
        let rows = found["rows"].as_array().unwrap();
        let levels: Vec<u64> = rows.iter().map(|row| row[0].as_u64().unwrap()).collect();
        assert_eq!(levels, [0, 0, 1, 1, 1]);
        assert_eq!((&rows[0][1], &rows[0][2]), (&json!("100.0 %"), &json!(50)));
        assert_eq!(rows[3][3], "~ jdk::d");
        assert!(rows[4][1].as_str().unwrap().starts_with("30 ± "), "{rows:?}");
        let text = found["text"].as_str().unwrap();
        assert!(text.starts_with("10 walks at one in 5 calls; 1 were not made"), "{text}");
    }

    #[test]
    fn callers_that_are_too_many_are_left_out() {
        let rows: Vec<WalkedCaller> = (0..100).map(|at| caller(1, "app::a", at % 5)).collect();
        let found = walked(&callers(0, rows));
        assert_eq!(found["rows"].as_array().unwrap().len(), MOST);
        assert_eq!((&found["more"], &found["rows"][0][2]), (&json!(40), &json!(null)));
    }
}
