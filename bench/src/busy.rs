//! Processes that keep processors busy beside what is measured.

use anyhow::Result;
use std::process::{Child, Command};

/// Busy loops that end with this value.
pub struct Load(Vec<Child>);

impl Load {
    /// Starts so many.
    pub fn start(loops: usize) -> Result<Self> {
        let mut load = Self(Vec::new());
        for _ in 0..loops {
            load.0.push(Command::new("sh").args(["-c", "while :; do :; done"]).spawn()?);
        }
        Ok(load)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
