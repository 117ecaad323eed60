//! `cargo xtask pictures`: the pictures of README.md, from a real recording of the demo.

mod terminal;

use crate::{java, shell};
use anyhow::{Context, Result, bail};
use std::{ffi::OsString, path::Path, process::Command};

/// What a drawing may weigh: README.md is fetched with all of them.
const MAX_BYTES: usize = 40_000;

/// What the screenshot may weigh.
const MAX_SCREENSHOT: usize = 150_000;

/// Pixels of the screenshot.
const WINDOW: &str = "--window-size=1200,720";

/// The command that the picture of the tree shows.
const TREE: [&str; 5] = ["report", "market.jfp", "--view=tree", "--threshold", "2"];

/// Records the demo and writes `docs/pictures/tree.svg`, `flame.svg` and `page.png`. The last one
/// needs `chromium` on the path.
pub fn run() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let work = folder.path();
    let jfathom = Jfathom::in_folder(work)?;
    jfathom.run(["demo", "."])?;
    // Recorded again by relative names, so that no path of this machine stands in a picture.
    jfathom.run(["record", "-f", "-o", "market.jfp", "--", "java", "-jar", "out/market.jar"])?;
    let tree = jfathom.run(TREE)?;
    jfathom.run(["report", "market.jfp", "-o", "flame.svg"])?;

    let shown = format!("$ jfathom {}\n{tree}", TREE.join(" "));
    save("tree.svg", terminal::svg(&shown).as_bytes(), MAX_BYTES)?;
    let flame = std::fs::read_to_string(work.join("flame.svg")).context("flame.svg")?;
    save("flame.svg", flame.as_bytes(), MAX_BYTES)?;
    jfathom.run(["report", "market.jfp", "-o", "page.html"])?;
    save("page.png", &screenshot(work)?, MAX_SCREENSHOT)
}

/// A picture of `page.html` in this folder, by a browser without a window.
fn screenshot(folder: &Path) -> Result<Vec<u8>> {
    let mut browser = Command::new("chromium");
    browser.args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", WINDOW]);
    browser.args(["--virtual-time-budget=4000", "--screenshot=page.png", "page.html"]);
    shell::output(browser.current_dir(folder)).context("chromium")?;
    std::fs::read(folder.join("page.png")).context("page.png")
}

/// The release binary, run in one folder with one JDK in front of the path.
struct Jfathom<'a> {
    program: std::path::PathBuf,
    path: OsString,
    folder: &'a Path,
}

impl<'a> Jfathom<'a> {
    fn in_folder(folder: &'a Path) -> Result<Self> {
        let mut path = java::main()?.home.join("bin").into_os_string();
        if let Some(rest) = std::env::var_os("PATH") {
            path.push(":");
            path.push(rest);
        }
        Ok(Self { program: shell::jfathom()?, path, folder })
    }

    /// What the command prints to its standard output.
    fn run<const N: usize>(&self, words: [&str; N]) -> Result<String> {
        let mut command = Command::new(&self.program);
        shell::output(command.args(words).env("PATH", &self.path).current_dir(self.folder))
    }
}

fn save(name: &str, picture: &[u8], most: usize) -> Result<()> {
    if picture.len() > most {
        bail!("{name} has {} bytes, more than {most}", picture.len());
    }
    let path = shell::root().join("docs/pictures").join(name);
    std::fs::create_dir_all(path.with_file_name(""))?;
    std::fs::write(&path, picture).with_context(|| path.display().to_string())?;
    eprintln!("{}: {} bytes", path.display(), picture.len());
    Ok(())
}
