//! Tests across rooms, with real JVMs.

/// The command under test.
const JFATHOM: &str = env!("CARGO_BIN_EXE_jfathom-under-test");
