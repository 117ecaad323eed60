//! The folder from which a container image is built: a file for the builder, and an archive of the
//! image's only layer.

use super::{
    binaries::Programs,
    notices::Notice,
    release::Release,
    stage::{Stage, tar},
};
use crate::shell;
use anyhow::Result;
use std::fs;

/// How the image is built.
const CONTAINERFILE: &str = include_str!("texts/Containerfile");
/// The archive that it names.
const LAYER: &str = "layer.tar";

/// Makes the folder `container`, and returns the name of the layer below `target/dist`.
pub fn context(release: &Release, programs: &Programs, notices: &[Notice]) -> Result<String> {
    let stage = Stage::new(release, "container")?;
    for (name, program) in programs.named() {
        stage.program(&format!("usr/bin/{name}"), program)?;
    }
    stage.copy("usr/share/doc/jfathom/LICENSE", &shell::root().join("LICENSE"))?;
    for notice in notices {
        stage.write(&format!("usr/share/doc/jfathom/{}", notice.name), &notice.text)?;
    }
    // An image of nothing else has no place for temporary files.
    stage.shared_folder("tmp")?;
    stage.shared_folder("work")?;
    let folder = release.folder.join("container");
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("Containerfile"), CONTAINERFILE)?;
    let mut tar = tar(release);
    tar.arg("-cf").arg(folder.join(LAYER)).arg("-C").arg(stage.path()).args(["tmp", "usr", "work"]);
    shell::run(&mut tar)?;
    Ok(format!("container/{LAYER}"))
}
