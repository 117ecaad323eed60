//! Tables read back by the row reader of the `parquet` crate.

use super::*;
use jfathom_compare::COLUMNS;
use jfathom_plan::printable;
use jfathom_profile::{
    AllocationSource, EventKind, EventName, EventSum, Frame, Labels, MethodIx, NodeIx, Profile,
    SampleTreeBuilder, StackWalks, Ticks, WalkedMethod,
};
use jfathom_testkit::{
    between, events::add_to_each_node, profiles::*, records::*, small_profile, walks::walked,
};
use jfathom_views::{Edges, Scope, Shown, Sort};
use parquet::{
    file::reader::{FileReader, SerializedFileReader},
    record::{Field, Row},
    schema::parser::parse_message_type,
};
use std::collections::HashMap;

fn profiles() -> Vec<Profile> {
    let mut all = vec![small_profile::profile(), small_profile::calibrated()];
    all.push(small_profile::counted_tick(70));
    all.push(between::profile(2));
    all.extend((0..6).map(small_profile::drawn));
    all
}

/// The rows of a table, with their column names.
fn rows(table: Table, profile: &Profile) -> Vec<Row> {
    let scope = Scope::default();
    let corrected = scope.corrected(profile);
    let shown = Shown::new(profile, corrected.as_ref(), &scope);
    let mut file = tempfile::tempfile().unwrap();
    write_table(table, profile, &shown, &mut file).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let facts = reader.metadata().file_metadata().key_value_metadata().unwrap();
    assert!(facts.iter().any(|fact| fact.key == "jfathom.schema"));
    reader.get_row_iter(None).unwrap().map(Result::unwrap).collect()
}

fn field<'a>(row: &'a Row, name: &str) -> &'a Field {
    row.get_column_iter().find(|(column, _)| *column == name).expect(name).1
}

fn int64(row: &Row, name: &str) -> Option<i64> {
    match field(row, name) {
        Field::Long(value) => Some(*value),
        Field::Int(value) => Some(i64::from(*value)),
        Field::Null => None,
        other => panic!("{name} is {other}"),
    }
}

fn text<'a>(row: &'a Row, name: &str) -> &'a str {
    match field(row, name) {
        Field::Str(value) => value,
        other => panic!("{name} is {other}"),
    }
}

#[test]
fn each_column_is_described() {
    let page = include_str!("../../../docs/reference/tables.md");
    for table in Table::ALL {
        let (_, rest) = page.split_once(&format!("## `{}`", table.name())).unwrap();
        let section = rest.split("\n## ").next().unwrap();
        // What profiles may have stands on the page of exports, each once.
        let shared = COLUMNS.iter().flat_map(|of| {
            ["self", "total"].map(|which| format!("{}_{which}{}", of.key, of.unit.suffix()))
        });
        let named = |line: &str| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_owned());
        let columns: Vec<String> = section
            .lines()
            .flat_map(|line| match line.starts_with("| the [columns]") {
                true => shared.clone().collect(),
                false => Vec::from_iter(named(line)),
            })
            .collect();
        let schema = parse_message_type(&table.schema()).unwrap();
        assert_eq!(columns, schema.get_fields().iter().map(|f| f.name()).collect::<Vec<_>>());
    }
    let exports = include_str!("../../../docs/reference/exports.md");
    for column in &COLUMNS {
        assert!(exports.contains(&format!("`{}_…", column.key)), "{}", column.key);
    }
}

#[test]
fn totals_are_those_of_the_report() {
    for profile in profiles() {
        let scope = Scope::default();
        let corrected = scope.corrected(&profile);
        let shown = Shown::new(&profile, corrected.as_ref(), &scope);
        let all: HashMap<i64, Row> = rows(Table::Totals, &profile)
            .into_iter()
            .map(|row| (int64(&row, "method").unwrap(), row))
            .collect();
        let calls: i64 = all.values().filter_map(|row| int64(row, "calls")).sum();
        assert_eq!(int64(&rows(Table::Runs, &profile)[0], "calls"), Some(calls));
        let hot = shown.hot_methods(Sort::SelfTime);
        assert!(all.len() >= hot.len());
        for hot in hot {
            let method = profile.method(hot.method);
            let row = &all[&method_key(&method.info.key)];
            assert_eq!(int64(row, "run"), Some(RunId::of(&profile).0));
            assert_eq!(int64(row, "calls"), Some((hot.calls() + method.virtual_calls) as i64));
            assert_eq!(int64(row, "virtual_calls"), Some(method.virtual_calls as i64));
            assert_eq!(int64(row, "timed"), Some(hot.timed() as i64));
            let timed = |nanos: f64| (hot.timed() > 0).then_some(nanos.round() as i64);
            assert_eq!(int64(row, "self_ns"), timed(hot.times.self_nanos));
            assert_eq!(int64(row, "total_ns"), timed(hot.times.total_nanos));
            let bar = timed(hot.times.self_error_nanos).filter(|_| corrected.is_some());
            assert_eq!(int64(row, "self_bar_ns"), bar);
        }
    }
}

#[test]
fn what_nobody_tells_apart_is_null_and_one_part() {
    let records = [e(0, 1_000), r(0, 61_000)];
    let parts = [(1_000, 51_000)];
    let blocked = [(1_000, 51_000, OffCpuKind::Blocked)];
    for (profile, apart) in [
        (one_split_thread(&records, &blocked), [Some(0), Some(50_000)]),
        (one_clocked_thread(&records, &parts), [None, None]),
    ] {
        for table in [Table::Totals, Table::Nodes] {
            for row in rows(table, &profile) {
                let of = |name| int64(&row, name);
                if of("cpu_self_ns") == Some(10_000) {
                    assert_eq!([of("preempted_total_ns"), of("blocked_total_ns")], apart);
                    assert_eq!(of("not_running_total_ns"), Some(50_000));
                    assert_eq!([of("preempted_self_ns"), of("blocked_self_ns")], apart);
                    assert_eq!(of("not_running_self_ns"), Some(50_000));
                }
            }
            let cpu: Vec<_> =
                rows(table, &profile).iter().map(|row| int64(row, "cpu_total_ns")).collect();
            assert!(cpu.contains(&Some(10_000)), "{cpu:?}");
        }
    }
}

#[test]
fn events_have_a_row_for_each_call_path_kind_and_class() {
    let mut profile = small_profile::profile();
    assert!(rows(Table::Events, &profile).is_empty());
    let name = |kind, class: Option<&str>| EventName { kind, class: class.map(Into::into) };
    let park = name(EventKind::Park, None);
    let failure = name(EventKind::Exception, Some("a.Failure"));
    add_to_each_node(&mut profile, &park, EventSum { count: 2, time: Ticks(7) });
    add_to_each_node(&mut profile, &failure, EventSum { count: 3, time: Ticks(0) });
    let caught = name(EventKind::Caught, Some("a.Failure"));
    add_to_each_node(&mut profile, &caught, EventSum { count: 4, time: Ticks(0) });
    profile.events.outside.insert(park, EventSum { count: 1, time: Ticks(5) });
    let tick = 1e9 / profile.rate.hz() as f64;
    let ticks = |ticks: f64| Some((ticks * tick).round() as i64);
    let all = rows(Table::Events, &profile);
    let nodes: HashMap<_, _> = rows(Table::Nodes, &profile)
        .into_iter()
        .map(|row| (int64(&row, "node"), int64(&row, "method")))
        .collect();
    let in_calls = nodes.values().filter(|method| method.is_some()).count();
    assert_eq!(all.len(), 3 * in_calls + 1);
    for row in &all {
        assert_eq!(int64(row, "run"), Some(RunId::of(&profile).0));
        let (count, time) = (int64(row, "count"), int64(row, "time_ns"));
        match (int64(row, "node"), text(row, "kind")) {
            (None, "park") => assert_eq!((count, time), (Some(1), ticks(5.0))),
            (node, "park") => {
                assert_eq!((count, time), (Some(2), ticks(7.0)));
                assert!(matches!(field(row, "class"), Field::Null));
                assert_eq!(int64(row, "method"), nodes[&node]);
            }
            (_, "exception") => {
                assert_eq!((count, time, text(row, "class")), (Some(3), None, "a.Failure"));
            }
            (_, "caught") => {
                assert_eq!((count, time, text(row, "class")), (Some(4), None, "a.Failure"));
            }
            (_, kind) => panic!("{kind}"),
        }
    }
}

#[test]
fn walks_have_a_row_for_each_caller() {
    assert!(rows(Table::Walks, &small_profile::profile()).is_empty());
    let profile = walked(small_profile::profile());
    let key = |at: usize| Some(method_key(&profile.methods[at].info.key));
    let (method, caller) = (key(1), key(0));
    let all = rows(Table::Walks, &profile);
    let ints = |row: &Row| {
        ["node", "parent", "last", "depth", "walks", "outermost"].map(|name| int64(row, name))
    };
    let expected = [
        ([Some(0), None, Some(4), Some(0), Some(9), Some(1)], method),
        ([Some(1), Some(0), Some(3), Some(1), Some(6), Some(0)], caller),
        ([Some(2), Some(1), Some(3), Some(2), Some(6), Some(0)], None),
        ([Some(3), Some(2), Some(3), Some(3), Some(6), Some(6)], None),
        ([Some(4), Some(0), Some(4), Some(1), Some(2), Some(2)], None),
    ];
    assert_eq!(
        all.iter().map(|row| (ints(row), int64(row, "frame"))).collect::<Vec<_>>(),
        expected
    );
    for row in &all {
        assert_eq!(int64(row, "run"), Some(RunId::of(&profile).0));
        assert_eq!((int64(row, "method"), int64(row, "interval")), (method, Some(10)));
        let of = ["due", "unknown", "truncated"].map(|name| int64(row, name));
        match int64(row, "depth") {
            Some(0) => assert_eq!(of, [Some(12), Some(2), Some(1)]),
            _ => assert_eq!(of, [None; 3]),
        }
    }
    assert_eq!((text(&all[3], "class"), text(&all[3], "member")), ("app/Main", "main"));
    let outermost: i64 = all.iter().filter_map(|row| int64(row, "outermost")).sum();
    assert_eq!(Some(outermost), int64(&all[0], "walks"));
}

/// Nothing is known of how many calls a walk stands for where intervals differ, and a method
/// without a walk has what was due.
#[test]
fn walks_that_are_not_known_are_null() {
    let mut profile = walked(small_profile::profile());
    profile.stack_walks.methods[0].interval = 0;
    assert_eq!(int64(&rows(Table::Walks, &profile)[0], "interval"), None);
    let of = WalkedMethod { interval: 7, due: 3, truncated: 0, unknown: 0, method: MethodIx(0) };
    let more = StackWalks::new(vec![of], SampleTreeBuilder::default(), 0);
    profile.stack_walks.add(&more, |frame| frame);
    let all = rows(Table::Walks, &profile);
    let first = ["node", "last", "walks", "due"].map(|name| int64(&all[0], name));
    assert_eq!((all.len(), first), (6, [Some(0), Some(0), Some(0), Some(3)]));
    let second = ["node", "last", "depth"].map(|name| int64(&all[1], name));
    assert_eq!(second, [Some(1), Some(5), Some(0)]);
}

#[test]
fn calls_on_virtual_threads_are_in_the_totals() {
    let mut profile = small_profile::profile();
    let before: i64 = int64(&rows(Table::Runs, &profile)[0], "calls").unwrap();
    profile.methods[0].virtual_calls += 41;
    let key = method_key(&profile.methods[0].info.key);
    let totals = rows(Table::Totals, &profile);
    let row = totals.iter().find(|row| int64(row, "method") == Some(key)).unwrap();
    assert!(int64(row, "virtual_calls").unwrap() >= 41);
    assert_eq!(int64(&rows(Table::Runs, &profile)[0], "calls"), Some(before + 41));
}

#[test]
fn methods_with_one_key_are_one_row() {
    let mut profile = small_profile::profile();
    let key = profile.methods[0].info.key.clone();
    profile.methods[1].info.key = key.clone();
    profile.methods[1].info.digest = jfathom_plan::Digest(4711);
    let key = method_key(&key);
    let rows_of = |table| {
        let all = rows(table, &profile);
        all.into_iter().filter(|row| int64(row, "method") == Some(key)).collect::<Vec<_>>()
    };
    assert_eq!(rows_of(Table::Methods).len(), 1);
    let totals = rows_of(Table::Totals);
    assert_eq!(totals.len(), 1);
    let nodes: i64 = rows(Table::Nodes, &profile)
        .iter()
        .filter(|row| int64(row, "method") == Some(key) && text(row, "kind") == "method")
        .filter_map(|row| int64(row, "calls"))
        .sum();
    let of = |name| int64(&totals[0], name).unwrap();
    assert_eq!(of("calls") - of("virtual_calls"), nodes);
}

#[test]
fn nodes_are_the_tree() {
    for profile in profiles() {
        let tree = &profile.tree;
        let rows = rows(Table::Nodes, &profile);
        assert_eq!(rows.len(), tree.len());
        for (row, node) in rows.iter().zip((0..).map(NodeIx)) {
            let int = |name| int64(row, name);
            assert_eq!(int("node"), Some(i64::from(node.0)));
            assert_eq!(int("last"), Some(i64::from(tree.subtree(node).end) - 1));
            assert_eq!(int("depth"), Some(i64::from(tree.depth(node))));
            assert_eq!(int("calls"), Some(tree.calls(node) as i64));
            let parent = int("parent").map(|parent| NodeIx(parent as u32));
            match parent {
                Some(parent) => assert!(tree.children(parent).any(|child| child == node)),
                None => assert_eq!(tree.depth(node), 0),
            }
            let (kind, method) = match tree.frame(node) {
                Frame::Thread(_) => ("thread", None),
                Frame::Task(at) => ("task", Some(at)),
                Frame::Method(at) => ("method", Some(at)),
            };
            assert_eq!(text(row, "kind"), kind);
            let key = method.map(|at| method_key(&profile.method(at).info.key));
            assert_eq!(int("method"), key);
            assert_eq!(int("self_ns").is_some(), tree.timed(node) > 0);
        }
    }
}

#[test]
fn edges_have_all_calls() {
    for profile in profiles() {
        let shown = Shown::new(&profile, None, &Scope { is_raw: true, ..Scope::default() });
        let mut expected: HashMap<i64, u64> = HashMap::new();
        for (_, callee, edge) in Edges::of(&shown).all() {
            if let Frame::Method(at) = callee {
                *expected.entry(method_key(&profile.method(at).info.key)).or_default() +=
                    edge.calls;
            }
        }
        let mut found: HashMap<i64, u64> = HashMap::new();
        for row in rows(Table::Edges, &profile) {
            if *field(&row, "to_task") == Field::Bool(false) {
                *found.entry(int64(&row, "callee").unwrap()).or_default() +=
                    int64(&row, "calls").unwrap() as u64;
            }
        }
        assert_eq!(found, expected);
    }
}

#[test]
fn a_run_has_its_labels_and_a_number_that_they_do_not_change() {
    let mut profile = small_profile::profile();
    let labels = |profile: &Profile| {
        let rows = rows(Table::Runs, profile);
        assert_eq!(rows.len(), 1);
        assert_eq!(int64(&rows[0], "schema"), Some(i64::from(SCHEMA_VERSION)));
        field(&rows[0], "labels").to_string()
    };
    assert_eq!(labels(&profile), "{}");
    let run = RunId::of(&profile);
    let two = ["branch=main", "commit=1"].map(|label| label.parse().unwrap());
    profile.meta.labels = Labels::new(two).unwrap();
    assert_eq!(labels(&profile), r#"{"branch" -> "main", "commit" -> "1"}"#);
    assert_eq!(RunId::of(&profile), run);
    let others: Vec<RunId> = profiles().iter().map(RunId::of).collect();
    let mut distinct = others.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), others.len());
}

#[test]
fn methods_and_threads_have_names() {
    let profile = small_profile::profile();
    let methods = rows(Table::Methods, &profile);
    assert_eq!(methods.len(), profile.methods.len());
    for row in &methods {
        let [class, member, name] = ["class", "member", "name"].map(|column| text(row, column));
        match class {
            // A method that no manifest explains.
            "" => assert!(name.starts_with('?'), "{name}"),
            class => {
                let plain = format!("{}::{member}", class.replace('/', "."));
                assert!(name.starts_with(&plain), "{name}");
            }
        }
    }
    let threads = rows(Table::Threads, &profile);
    let names: Vec<&str> = threads.iter().map(|row| text(row, "name")).collect();
    let expected: Vec<_> = profile.threads.iter().map(|thread| printable(&thread.name)).collect();
    assert_eq!(names, expected);
}

#[test]
fn bytes_that_were_not_read_are_null() {
    let allocated = alloc(5_000);
    let mut profile = one_thread(&[e(0, 10), e(1, 20), allocated, r(1, 30), r(0, 40)]);
    profile.allocation.source = AllocationSource::Fields;
    profile.set_alloc_reading(|_| false);
    for table in [Table::Nodes, Table::Totals] {
        let bytes = |name: &str| {
            let rows = rows(table, &profile);
            let mut bytes: Vec<_> = rows.iter().map(|row| int64(row, name)).collect();
            bytes.sort_unstable();
            bytes
        };
        let own = bytes("alloc_self_bytes");
        assert!(own.contains(&None) && own.contains(&Some(5_000)), "{own:?}");
        assert_eq!(bytes("alloc_total_bytes").iter().filter(|of| of.is_none()).count(), 1);
    }
}

#[test]
fn what_lies_between_is_a_node_and_no_method_with_sums() {
    let profile = between::profile(2);
    let methods = rows(Table::Methods, &profile);
    let sign = methods.iter().find(|row| text(row, "name") == "⋯").unwrap();
    let key = int64(sign, "method");
    let nodes = rows(Table::Nodes, &profile);
    let nodes: Vec<_> = nodes.iter().filter(|row| int64(row, "method") == key).collect();
    let [node] = &nodes[..] else { panic!("{nodes:?}") };
    assert_eq!((int64(node, "calls"), int64(node, "timed")), (Some(0), Some(0)));
    assert_eq!((int64(node, "self_ns"), int64(node, "total_ns")), (None, Some(5_000_000)));
    let edges = rows(Table::Edges, &profile);
    let edge = edges.iter().find(|row| int64(row, "callee") == key).unwrap();
    assert_eq!((int64(edge, "calls"), int64(edge, "total_ns")), (Some(0), Some(5_000_000)));
    let totals = rows(Table::Totals, &profile);
    assert_eq!(totals.len(), 5);
    assert!(totals.iter().all(|row| int64(row, "method") != key));
}
