//! `cargo xtask dist`: what a release consists of, in `target/dist`.
//!
//! Every artefact has the licence and the notices of what the binary contains. Times and owners in
//! archives come from the commit, so that one binary always makes the same archives.
//! cargo-deb and cargo-about make less of it: the agent lies in the command as data, so that no
//! tool sees which glibc it needs, and notices need NOTICE files and the licences of C code, too.

mod binaries;
mod container;
mod crates;
mod deb;
mod elf;
mod licences;
mod notices;
mod pages;
mod release;
mod stage;

use crate::shell;
use anyhow::Result;
use binaries::Binaries;
use pages::Pages;
use release::Release;
use std::{fs, process::Command};

/// Builds the binaries and all artefacts of them.
pub fn run() -> Result<()> {
    let release = Release::of_the_commit()?;
    stage::fresh(&release.folder)?;
    let binaries = Binaries::build(&release)?;
    let crates = crates::in_the_programs(&release.target)?;
    let notices = notices::Notices::collect(&crates)?;
    for (_, program) in binaries.dynamic.named() {
        notices.check_binary(&fs::read(program)?)?;
    }
    let pages = Pages::generate(&release, &binaries.dynamic.command)?;
    let made = [
        stage::tarball(&release, &binaries.dynamic, &pages, &notices.of_dynamic()?, "gnu")?,
        stage::tarball(&release, &binaries.static_linked, &pages, &notices.of_static()?, "static")?,
        deb::package(&release, &binaries.dynamic, &pages, &notices.of_dynamic()?)?,
        container::context(&release, &binaries.static_linked, &notices.of_static()?)?,
    ];
    let sums = shell::output(Command::new("sha256sum").args(&made).current_dir(&release.folder))?;
    fs::write(release.folder.join("SHA256SUMS"), &sums)?;
    eprint!("{sums}");
    eprintln!("dist: {}", release.folder.display());
    Ok(())
}
