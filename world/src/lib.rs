//! The world of a program: its class path and its JDK, as reachability asks for them.
#![forbid(unsafe_code)]
