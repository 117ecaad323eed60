//! Folders that are not part of the repository.

use anyhow::{Context, Result};
use std::path::PathBuf;

/// A folder named by an environment variable that a job needs.
pub fn folder(variable: &str, what: &str) -> Result<PathBuf> {
    let path = PathBuf::from(
        std::env::var_os(variable).with_context(|| format!("set {variable} to {what}"))?,
    );
    path.canonicalize().with_context(|| format!("{variable}={}", path.display()))
}
