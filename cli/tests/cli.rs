//! The command from outside: what it writes, what it says, what it refuses, and with which exit
//! code.

mod cli {
    mod algebra;
    mod alone;
    mod calibrate;
    mod check;

    mod inspect;
    mod live;
    mod plan;
    mod record;
    mod refusals;
    mod rewrite;
    pub mod support;
    mod together;
    mod unprintable;
    mod verify;
    mod ways;
}
