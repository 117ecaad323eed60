//! The command from outside: its outputs, messages, refusals and exit codes.

mod cli {
    mod algebra;
    mod archives;
    mod builds;
    mod calibrate;
    mod check;
    mod export;
    mod growth;
    mod images;
    mod inspect;
    mod list;
    mod live;
    mod on;
    mod plan;
    mod record;
    mod recording_options;
    mod refusals;
    mod rewrite;
    mod roots_at_start;
    mod roots_only;
    mod serve;
    mod shell;
    pub mod support;
    mod together;
    mod unprintable;
    mod verify;
}
