//! The columns of the tables, as Parquet's message types.

use jfathom_compare::COLUMNS;

/// Raised with every change that queries of older files must know of. It is in the metadata of each
/// file as `jfathom.schema`, and in the table `runs`.
pub const SCHEMA_VERSION: u32 = 2;

pub(crate) const RUNS: &str = "message runs {
    REQUIRED INT64 run;
    REQUIRED INT32 schema;
    REQUIRED INT64 started (TIMESTAMP(MILLIS, true));
    REQUIRED INT64 duration_ms;
    REQUIRED GROUP labels (MAP) {
        REPEATED GROUP key_value {
            REQUIRED BYTE_ARRAY key (UTF8);
            REQUIRED BYTE_ARRAY value (UTF8);
        }
    }
    REQUIRED BYTE_ARRAY tool (UTF8);
    REQUIRED BYTE_ARRAY command (UTF8);
    REQUIRED BYTE_ARRAY os (UTF8);
    REQUIRED BYTE_ARRAY arch (UTF8);
    REQUIRED BYTE_ARRAY cpu (UTF8);
    REQUIRED INT32 cpus;
    REQUIRED INT32 jvms;
    OPTIONAL BYTE_ARRAY java_version (UTF8);
    OPTIONAL BYTE_ARRAY vm_name (UTF8);
    OPTIONAL BYTE_ARRAY vm_version (UTF8);
    OPTIONAL BYTE_ARRAY vendor (UTF8);
    OPTIONAL BYTE_ARRAY clock (UTF8);
    REQUIRED BOOLEAN roots_only;
    REQUIRED INT32 repetitions;
    OPTIONAL INT64 size;
    REQUIRED BOOLEAN clean;
    REQUIRED BYTE_ARRAY quality (UTF8);
    REQUIRED BOOLEAN corrected;
    REQUIRED INT64 records;
    REQUIRED INT64 calls;
    REQUIRED INT64 total_ns;
    OPTIONAL INT64 total_bar_ns;
    REQUIRED INT32 methods;
    REQUIRED INT32 threads;
    REQUIRED INT64 nodes;
}";

pub(crate) const METHODS: &str = "message methods {
    REQUIRED INT64 run;
    REQUIRED INT64 method;
    REQUIRED BYTE_ARRAY name (UTF8);
    REQUIRED BYTE_ARRAY class (UTF8);
    REQUIRED BYTE_ARRAY member (UTF8);
    REQUIRED BYTE_ARRAY descriptor (UTF8);
    OPTIONAL BYTE_ARRAY source (UTF8);
    OPTIONAL INT32 line;
    REQUIRED INT64 code;
    REQUIRED BOOLEAN root;
}";

pub(crate) const TOTALS: &str = "message totals {
    REQUIRED INT64 run;
    REQUIRED INT64 method;
    REQUIRED INT64 calls;
    REQUIRED INT64 timed;
    OPTIONAL INT64 self_ns;
    OPTIONAL INT64 self_bar_ns;
    OPTIONAL INT64 total_ns;
    OPTIONAL INT64 total_bar_ns;
    OPTIONAL INT64 virtual_calls;
}";

pub(crate) const NODES: &str = "message nodes {
    REQUIRED INT64 run;
    REQUIRED INT32 node;
    OPTIONAL INT32 parent;
    REQUIRED INT32 last;
    REQUIRED INT32 depth;
    REQUIRED BYTE_ARRAY kind (UTF8);
    OPTIONAL INT64 method;
    REQUIRED INT32 thread;
    REQUIRED INT64 calls;
    REQUIRED INT64 timed;
    REQUIRED INT64 throws;
    OPTIONAL INT64 self_ns;
    OPTIONAL INT64 self_bar_ns;
    OPTIONAL INT64 total_ns;
    OPTIONAL INT64 total_bar_ns;
}";

pub(crate) const EDGES: &str = "message edges {
    REQUIRED INT64 run;
    OPTIONAL INT64 caller;
    REQUIRED BOOLEAN from_task;
    REQUIRED INT64 callee;
    REQUIRED BOOLEAN to_task;
    REQUIRED INT64 calls;
    REQUIRED INT64 timed;
    OPTIONAL INT64 total_ns;
    OPTIONAL INT64 total_bar_ns;
}";

pub(crate) const THREADS: &str = "message threads {
    REQUIRED INT64 run;
    REQUIRED INT32 thread;
    REQUIRED BYTE_ARRAY name (UTF8);
    REQUIRED INT64 sequence;
    REQUIRED INT64 java_id;
    REQUIRED INT64 pid;
    REQUIRED INT32 node;
    REQUIRED BOOLEAN ended;
    REQUIRED INT64 total_ns;
    OPTIONAL INT64 total_bar_ns;
    OPTIONAL INT64 ran_ns;
    OPTIONAL INT64 queued_ns;
}";

pub(crate) const EVENTS: &str = "message events {
    REQUIRED INT64 run;
    OPTIONAL INT32 node;
    OPTIONAL INT64 method;
    REQUIRED BYTE_ARRAY kind (UTF8);
    OPTIONAL BYTE_ARRAY class (UTF8);
    REQUIRED INT64 count;
    OPTIONAL INT64 time_ns;
}";

pub(crate) const WALKS: &str = "message walks {
    REQUIRED INT64 run;
    REQUIRED INT64 method;
    REQUIRED INT32 node;
    OPTIONAL INT32 parent;
    REQUIRED INT32 last;
    REQUIRED INT32 depth;
    OPTIONAL INT64 frame;
    REQUIRED BYTE_ARRAY class (UTF8);
    REQUIRED BYTE_ARRAY member (UTF8);
    OPTIONAL INT32 interval;
    REQUIRED INT64 walks;
    REQUIRED INT64 outermost;
    OPTIONAL INT64 due;
    OPTIONAL INT64 unknown;
    OPTIONAL INT64 truncated;
}";

/// A message type with two columns more for each column that a profile may have: a method's own
/// values, and those with all callees.
pub(crate) fn with_columns(message: &str) -> String {
    let mut text = message.trim_end_matches('}').to_owned();
    for column in &COLUMNS {
        for of in ["self", "total"] {
            let (key, suffix) = (column.key, column.unit.suffix());
            text.push_str(&format!("    OPTIONAL INT64 {key}_{of}{suffix};\n"));
        }
    }
    text + "}"
}
