//! `cargo xtask book`: `docs/` as a book.

use crate::shell;
use anyhow::{Result, bail};
use std::process::Command;

/// Builds the book into `target/book`. `cargo xtask tidy` checks the links, so that CI needs no
/// mdBook.
pub fn build() -> Result<()> {
    if Command::new("mdbook").arg("--version").output().is_err() {
        bail!("mdbook is not installed: cargo install mdbook --locked");
    }
    let book = shell::target().join("book");
    shell::run(
        Command::new("mdbook").arg("build").arg(shell::root().join("docs")).arg("-d").arg(&book),
    )?;
    eprintln!("book: {}", book.join("index.html").display());
    Ok(())
}
