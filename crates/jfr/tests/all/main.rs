//! The reader on files of real JVMs, judged by the JDK's own `jfr`, on files made here, and on
//! damaged ones.

mod chunks;
mod damaged;
mod encoder;
mod jvms;
mod thread_events;
