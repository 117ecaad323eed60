//! Tests across rooms, with real JVMs.

mod identity;
mod truth;
mod verify;

use jfathom_tests::tool::Tool;

/// The command under test.
const JFATHOM: Tool = Tool(env!("CARGO_BIN_EXE_jfathom-under-test"));
