//! Profiles and differences as a page: one HTML file that needs nothing else, and no network.
//!
//! The page's data are columns of numbers (`columns.rs`) and a JSON document, together compressed
//! and written as base64. So nothing of a profile, names least of all, is ever read as HTML. The
//! scripts in `web/` read them; a security policy in the file allows these scripts alone.
//!
//! A live page has no data in it. It asks its own server for them, again and again.
//!
//! Nothing here opens a file: the page is written to a [`std::io::Write`] that is handed in.
//!
//! `script.rs` joins the modules of `web/`. Their numbers are those of `views`, which tests compare
//! in a headless browser. The lines at the top come from `report`, handed in by `cli`.
#![forbid(unsafe_code)]

mod changed_callers;
mod columns;
mod difference;
mod events;
mod facts;
mod frames;
mod html;
mod latency;
mod metrics;
mod profile;
mod runs;
mod samples;
mod script;
mod stack_walks;
mod threads;
mod tree;

pub use difference::difference_page;
pub use html::{live_page, live_policy, page_policy};
pub use profile::{profile_data, profile_page};

#[cfg(test)]
mod tests;
