//! Questions to small profiles, and what goes wrong.

use crate::{args::Args, message, run};
use clap::Parser;
use jfathom_plan::Digest;
use jfathom_profile::{EventKind, EventName, EventSum, Frame, Labels, Profile, Ticks};
use jfathom_tables::{RunId, Table, partition_path, write_table};
use jfathom_testkit::{events::add_to_each_node, small_profile};
use jfathom_views::{Names, Scope, Shown, Sort};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// Three recordings of two builds, as profiles and as tables.
struct Place {
    folder: TempDir,
    profiles: Vec<Profile>,
}

impl Place {
    fn new() -> Self {
        let place = Self {
            folder: tempfile::tempdir().unwrap(),
            profiles: (0..3).map(recording).collect(),
        };
        for (at, profile) in place.profiles.iter().enumerate() {
            let mut bytes = Vec::new();
            profile.write(&mut bytes).unwrap();
            place.write(&format!("runs/{at}.jfp"), &bytes);
            let scope = Scope::default();
            let corrected = scope.corrected(profile);
            let shown = Shown::new(profile, corrected.as_ref(), &scope);
            for table in Table::ALL {
                let mut bytes = Vec::new();
                write_table(table, profile, &shown, &mut bytes).unwrap();
                let name = format!("{}.parquet", RunId::of(profile));
                place.write(&format!("tables/{}/{name}", table.name()), &bytes);
                let day = format!("day=2025-11-2{at}/branch=main");
                place.write(&format!("parts/{}/{day}/{name}", table.name()), &bytes);
            }
        }
        place
    }

    fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    fn write(&self, below: &str, bytes: &[u8]) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// What a query writes to a file of this name.
    fn asked(&self, words: &[&str], sources: &[&str], to: &str) -> Result<String, String> {
        let file = self.path(to);
        let sources: Vec<String> =
            sources.iter().map(|source| self.path(source).display().to_string()).collect();
        let words =
            ["query", "-o", file.to_str().unwrap()].into_iter().chain(words.iter().copied());
        let words = words.map(str::to_owned).chain(sources);
        run(&Args::try_parse_from(words).map_err(|error| error.to_string())?)
            .map_err(|error| format!("{error:#}"))?;
        Ok(String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned())
    }
}

/// The recording of a day. The last one is of another build, which calls more.
fn recording(day: u64) -> Profile {
    let mut profile = match day {
        0 => small_profile::calibrated(),
        1 => small_profile::counted_tick(7),
        _ => small_profile::counted_tick(70),
    };
    if day == 2 {
        profile.methods[0].info.digest = Digest(4711);
    }
    let name = EventName { kind: EventKind::Park, class: Some("a.Lock".into()) };
    add_to_each_node(&mut profile, &name, EventSum { count: 2, time: Ticks(7) });
    profile.meta.started_millis = 1_764_028_800_000 + day * 86_400_000;
    let label = format!("commit={day}").parse().unwrap();
    profile.meta.labels = Labels::new([label]).unwrap();
    profile
}

const SOURCES: [&str; 4] = ["runs", "runs/*.jfp", "tables", "parts"];

#[test]
fn sums_are_those_of_the_profiles_whatever_the_source() {
    let place = Place::new();
    let scope = Scope { is_raw: true, ..Scope::default() };
    let calls: u64 = place
        .profiles
        .iter()
        .flat_map(|profile| Shown::new(profile, None, &scope).hot_methods(Sort::Calls))
        .map(|sum| sum.calls)
        .sum();
    // Those on virtual threads are in no call path.
    let methods = place.profiles.iter().flat_map(|profile| &profile.methods);
    let all = calls + methods.map(|method| method.virtual_calls).sum::<u64>();
    assert!(all > calls);
    let nodes: usize = place.profiles.iter().map(|profile| profile.tree.len()).sum();
    for source in SOURCES {
        let sql = "SELECT (SELECT sum(calls) FROM totals) AS t, \
                   (SELECT sum(calls) FROM nodes WHERE kind = 'method') AS n, \
                   (SELECT sum(calls) FROM edges WHERE NOT to_task) AS e, \
                   (SELECT count(*) FROM nodes) AS nodes, (SELECT sum(calls) FROM runs) AS r";
        let csv = place.asked(&[sql], &[source], "a.csv").unwrap();
        assert_eq!(csv, format!("t,n,e,nodes,r\n{all},{calls},{calls},{nodes},{all}\n"));
    }
    let both =
        place.asked(&["SELECT count(*) AS c FROM runs"], &["runs/0.jfp", "runs/1.jfp"], "c.csv");
    assert_eq!(both.unwrap(), "c\n2\n");
}

#[test]
fn partitions_are_columns() {
    let place = Place::new();
    let sql = "SELECT day, branch, count(*) AS runs FROM runs GROUP BY day, branch ORDER BY day";
    let csv = place.asked(&[sql], &["parts"], "a.csv").unwrap();
    assert_eq!(csv.lines().nth(1), Some("2025-11-20,main,1"));
    let sql = "SELECT count(*) AS runs FROM runs WHERE day = '2025-11-21' AND branch = 'main'";
    assert_eq!(place.asked(&[sql], &["parts"], "a.csv").unwrap(), "runs\n1\n");
    let other = recording(3);
    let scope = Scope { is_raw: true, ..Scope::default() };
    let shown = Shown::new(&other, None, &scope);
    for table in Table::ALL {
        let mut bytes = Vec::new();
        write_table(table, &other, &shown, &mut bytes).unwrap();
        place.write(&format!("other/{}/{}.parquet", table.name(), RunId::of(&other)), &bytes);
    }
    let mixed = place.asked(&["SELECT 1"], &["parts", "other"], "a.csv").unwrap_err();
    assert!(mixed.contains("different partitions"), "{mixed}");
}

#[test]
fn any_value_of_a_partition_is_found() {
    let place = Place::new();
    let mut profile = recording(0);
    let mut folder = Vec::new();
    for value in ["app:1.2", "a=b", "it's", "~wip", "x|y<z>`", "50%", "a/b?#", "ä ö", "[x]{y}^*"]
    {
        profile.meta.started_millis += 1;
        profile.meta.labels = Labels::new([format!("image={value}").parse().unwrap()]).unwrap();
        folder.push(value);
        let below = partition_path(&profile, &["image".to_owned()]);
        let scope = Scope { is_raw: true, ..Scope::default() };
        let shown = Shown::new(&profile, None, &scope);
        for table in Table::ALL {
            let mut bytes = Vec::new();
            write_table(table, &profile, &shown, &mut bytes).unwrap();
            let name = format!("{}.parquet", RunId::of(&profile));
            let path = format!("images/{}/{}/{name}", table.name(), below.display());
            place.write(&path, &bytes);
        }
    }
    for value in folder {
        let sql = format!("SELECT image FROM runs WHERE image = '{}'", value.replace('\'', "''"));
        let json = place.asked(&[&sql], &["images"], "a.json").unwrap();
        assert!(json.contains("image"), "{value}: {json}");
    }
}

#[test]
fn a_directory_may_have_any_name() {
    let place = Place::new();
    fs::rename(place.path("tables"), place.path("tables [old] *?")).unwrap();
    let sql = "SELECT count(*) AS c FROM runs";
    let source = place.path("tables [old] *?").display().to_string();
    let file = place.path("a.csv");
    let words = ["query", "-o", file.to_str().unwrap(), sql, &source];
    run(&Args::try_parse_from(words).unwrap()).unwrap();
    assert_eq!(fs::read_to_string(file).unwrap(), "c\n3\n");
}

#[test]
fn a_recording_counts_once() {
    let place = Place::new();
    fs::copy(place.path("runs/1.jfp"), place.path("runs/copy.jfp")).unwrap();
    let sql = "SELECT count(*) AS c FROM runs";
    for sources in [&["runs"][..], &["tables", "runs/1.jfp"], &["runs", "runs/*.jfp"]] {
        assert_eq!(place.asked(&[sql], sources, "a.csv").unwrap(), "c\n3\n", "{sources:?}");
    }
    let error = place.asked(&[sql], &["tables", "tables"], "a.csv").unwrap_err();
    assert!(error.contains("count twice"), "{error}");
}

#[test]
fn each_named_query_has_an_answer() {
    let place = Place::new();
    let method = "com.acme.Engine::run";
    for (words, least) in [
        (&["--top"][..], 2),
        (&["--top-calls"], 2),
        (&["--callers", "com.acme.Engine::step"], 1),
        (&["--callees", method], 1),
        (&["--history", method], 3),
        (&["--regressions"], 1),
        (&["--never-called"], 0),
        (&["--new"], 0),
        (&["--edited"], 1),
        (&["--exceptions"], 1),
        (&["--why"], 1),
        (&["--paths"], 2),
        (&["--threads"], 1),
        (&["--runs"], 3),
        (&["--unclean"], 1),
    ] {
        for source in SOURCES {
            let text = place.asked(words, &[source], "a.txt").unwrap();
            // A line above, one below, and one under the names.
            let rows = text.lines().count() - 4;
            assert!(rows >= least, "{words:?} of {source}: {text}");
        }
    }
    let sql = place.asked(&["--top", "-n", "1"], &["tables"], "a.json").unwrap();
    assert_eq!(sql.matches("\"name\"").count(), 1, "{sql}");
    let shown = Args::try_parse_from(["query", "--show", "never-called"]).unwrap().shown();
    assert!(shown.unwrap().contains("FROM totals"));
}

/// Two waits of 7 ns in each method and task of each recording, by method and class.
#[test]
fn why_sums_events_by_method_and_class() {
    let place = Place::new();
    let mut expected: BTreeMap<String, (u64, u64, BTreeSet<usize>)> = BTreeMap::new();
    for (at, profile) in place.profiles.iter().enumerate() {
        for event in profile.tree.all_events() {
            let (Frame::Method(method) | Frame::Task(method)) = profile.tree.frame(event.node)
            else {
                panic!("an event of a thread")
            };
            let name = Names::of(&profile.methods).method(method).to_owned();
            let (count, ticks, runs) = expected.entry(name).or_default();
            *count += event.sum.count;
            *ticks += event.sum.time.0;
            runs.insert(at);
        }
    }
    for source in SOURCES {
        let csv = place.asked(&["--why"], &[source], "why.csv").unwrap();
        let mut lines = csv.lines();
        assert_eq!(lines.next(), Some("name,kind,class,count,time_s,runs"));
        let mut found = BTreeMap::new();
        let mut last = f64::INFINITY;
        for line in lines {
            // Names may have commas between parameters; the cells behind them have none.
            let mut cells = line.rsplitn(6, ',');
            let mut cell = || cells.next().unwrap();
            let (runs, time, count, class, kind) = (cell(), cell(), cell(), cell(), cell());
            let time: f64 = time.parse().unwrap();
            assert!(kind == "park" && class == "a.Lock" && time <= last, "{csv}");
            last = time;
            let name = cell().trim_matches('"').to_owned();
            let nanos = (time * 1e9).round() as u64;
            found.insert(name, (count.parse::<u64>().unwrap(), nanos, runs.parse().unwrap()));
        }
        let expected = expected.iter().map(|(name, (count, ticks, runs))| {
            // The profiles' ticks are nanoseconds.
            (name.clone(), (*count, *ticks, runs.len()))
        });
        assert_eq!(found, expected.collect(), "{source}");
    }
}

/// An event outside of recorded calls has no method.
#[test]
fn why_has_what_was_outside_of_calls() {
    let place = Place::new();
    let mut profile = recording(3);
    let sleep = EventName::of(EventKind::Sleep);
    profile.events.outside.insert(sleep, EventSum { count: 5, time: Ticks(9_000_000) });
    let mut bytes = Vec::new();
    profile.write(&mut bytes).unwrap();
    place.write("one.jfp", &bytes);
    let csv = place.asked(&["--why", "-n", "1"], &["one.jfp"], "why.csv").unwrap();
    let row = csv.lines().nth(1).unwrap();
    assert_eq!(row, "(outside of recorded calls),sleep,,5,0.009,1", "{csv}");
}

#[test]
fn a_directory_of_an_older_version_has_no_events() {
    let place = Place::new();
    fs::remove_dir_all(place.path("tables/events")).unwrap();
    fs::remove_dir_all(place.path("tables/walks")).unwrap();
    let of = |sql: &str| place.asked(&[sql], &["tables"], "a.csv").unwrap();
    assert_eq!(of("SELECT count(*) AS rows FROM events"), "rows\n0\n");
    assert_eq!(of("SELECT count(*) AS rows FROM walks"), "rows\n0\n");
    assert_eq!(of("SELECT count(*) AS rows FROM runs"), "rows\n3\n");
    fs::remove_dir_all(place.path("tables/edges")).unwrap();
    let error = place.asked(&["SELECT 1"], &["tables"], "a.csv").unwrap_err();
    assert!(error.contains("the table edges is missing"), "{error}");
}

#[test]
fn results_are_written_in_four_formats() {
    let place = Place::new();
    let sql = "SELECT 1 AS a, 'x,\"y' AS b";
    let of = |name: &str| place.asked(&[sql], &["tables"], name).unwrap();
    assert_eq!(of("a.csv"), "a,b\n1,\"x,\"\"y\"\n");
    assert_eq!(of("a.json"), "[{\"a\":1,\"b\":\"x,\\\"y\"}]\n");
    assert!(of("a.txt").contains("| 1 | x,\"y |"));
    assert!(of("a.parquet").starts_with("PAR1"));
    let none = place.asked(&["SELECT 1 AS a WHERE false"], &["tables"], "none.csv").unwrap();
    assert_eq!(none, "a\n");
    let bytes = Args::try_parse_from(["query", "--format", "parquet", "SELECT 1", "x"]).unwrap();
    assert!(bytes.format().unwrap_err().to_string().contains("-o"));
}

#[test]
fn queries_only_read() {
    let place = Place::new();
    for sql in [
        "CREATE TABLE t AS SELECT 1",
        "DROP VIEW names",
        "INSERT INTO runs SELECT * FROM runs",
        "COPY (SELECT 1) TO 'stolen.csv'",
        "SET datafusion.execution.batch_size = 1",
    ] {
        let error = place.asked(&[sql], &["tables"], "a.txt").unwrap_err();
        assert!(error.contains("not supported") || error.contains("not allowed"), "{sql}: {error}");
    }
}

#[test]
fn what_is_wrong_is_named() {
    let place = Place::new();
    let error = |source: &str| {
        place.asked(&["SELECT count(*) FROM totals"], &[source], "a.txt").unwrap_err()
    };
    assert!(error("nothing").contains("there is no such file"));
    place.write("empty/x", b"");
    assert!(error("empty").contains("no tables and no profiles"));
    place.write("broken.jfp", b"JFPROF");
    assert!(error("broken.jfp").contains("broken.jfp"));
    // A file that was cut, at its end and in its middle.
    let file = first_file(&place.path("tables/totals"));
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let cut = error("tables");
    assert!(cut.contains("no whole Parquet file") && cut.contains("totals"), "{cut}");
    fs::write(&file, [&bytes[..40], &bytes[bytes.len() - 40..]].concat()).unwrap();
    assert!(error("tables").contains("no whole Parquet file"));
    fs::write(&file, bytes).unwrap();
    fs::remove_dir_all(place.path("tables/edges")).unwrap();
    assert!(error("tables").contains("the table edges is missing"));
    let sql = place.asked(&["SELEC 1"], &["runs"], "a.txt").unwrap_err();
    assert!(sql.contains("SELEC"), "{sql}");
    let file = place.path("runs").display().to_string();
    let args = Args::try_parse_from(["query", "SELECT nope FROM runs", &file]).unwrap();
    assert!(run(&args).unwrap_err().is::<crate::args::Usage>());
    let error = run(&Args::try_parse_from([
        "query",
        "SELECT nope FROM runs",
        place.path("runs").to_str().unwrap(),
    ])
    .unwrap())
    .unwrap_err();
    let said = message(&error);
    assert_eq!(said.matches("nope").count(), 1, "{said}");
    assert!(said.lines().count() == 2 && said.contains("Valid fields"), "{said}");
    assert!(
        place
            .asked(&["SELECT 1"], &["runs"], "no/such/a.txt")
            .unwrap_err()
            .contains("cannot write")
    );
    assert!(!place.path("a.txt").exists());
}

#[test]
fn tables_of_a_later_schema_are_refused() {
    let place = Place::new();
    // The same rows, but for the schema.
    let later = place.path("later.parquet").display().to_string();
    let sql = "SELECT * REPLACE (CAST(7 AS INT) AS schema) FROM runs LIMIT 1";
    place.asked(&[sql], &["tables"], "later.parquet").unwrap();
    fs::copy(later, place.path("tables/runs/later.parquet")).unwrap();
    let error = place.asked(&["SELECT 1"], &["tables"], "a.txt").unwrap_err();
    assert!(error.contains("schema 7, of a later jfathom"), "{error}");
}

fn first_file(folder: &Path) -> PathBuf {
    fs::read_dir(folder).unwrap().next().unwrap().unwrap().path()
}
