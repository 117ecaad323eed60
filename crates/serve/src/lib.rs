//! A server for one reader: the owner of the browser on this machine. The only crate with a socket.
//!
//! It listens on 127.0.0.1 alone, answers `GET` alone, and changes nothing. Whoever asks must have
//! the [`Token`] of the printed address (`gate.rs`): other users, and other pages in the browser,
//! reach loopback, too. What it shows is a [`Site`], which is handed in.
//!
//! The crate uses no other crate. Every request passes `gate.rs` before its path is looked at, and
//! nothing of a request is in its answer.
#![forbid(unsafe_code)]

mod answer;
mod gate;
mod request;
mod server;
mod site;
mod token;

pub use server::{BindError, Server};
pub use site::{Content, ContentKind, Site};
pub use token::Token;

#[cfg(test)]
mod tests;
