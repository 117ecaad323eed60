//! Profiles as tables in Parquet files, for SQL engines. `docs/reference/tables.md` describes them.
//!
//! One profile becomes one file in each [`Table`]. Rows have the [`RunId`] of their recording, and
//! methods have a key that stays the same across builds ([`method_key`]). So the files of any
//! number of profiles are one table.
//!
//! Nothing here opens a file: rows are written to a [`std::io::Write`] that is handed in.
//!
//! Columns are made for one row group at a time, so memory does not hold the tree twice.
#![forbid(unsafe_code)]

mod cells;
mod edges;
mod events;
mod key;
mod methods;
mod nodes;
mod partition;
mod runs;
mod schema;
mod table;
mod threads;
mod totals;
mod walks;
mod write;

pub use key::{RunId, method_key};
pub use partition::partition_path;
pub use schema::SCHEMA_VERSION;
pub use table::Table;
pub use write::write_table;

#[cfg(test)]
mod tests;
