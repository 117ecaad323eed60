//! Session files as both sides see them.
#![cfg(not(loom))]

mod counters;
mod format_page;
mod hostile;
mod live;
mod offline;
mod support;
