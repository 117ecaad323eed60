//! Room `runtime-java`.
