//! The crates of others whose code is in the programs.

use crate::shell;
use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};
use std::{collections::BTreeSet, path::PathBuf};

/// A crate of others.
#[derive(Clone, Debug)]
pub struct Crate {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its SPDX expression.
    pub licence: Option<String>,
    /// Where its source can be had.
    pub repository: Option<String>,
    /// Its authors, if it names them.
    pub authors: Vec<String>,
    /// Its unpacked source.
    pub folder: PathBuf,
    /// Whether its build compiles C.
    pub compiles_c: bool,
}

/// The crates that cargo links into the two programs: those of `cargo tree`, which knows the
/// features of that build. `cargo metadata` would add those of all other packages.
pub fn in_the_programs(target: &str) -> Result<Vec<Crate>> {
    let tree = shell::output(shell::cargo().args([
        "tree",
        "--locked",
        "-p",
        "jfathom-cli",
        "-p",
        "jfathom-push",
        "--edges",
        "normal,no-proc-macro",
        "--prefix",
        "none",
        "--format",
        "{p}",
        "--target",
        target,
    ]))?;
    let metadata = metadata(target)?;
    let mut crates = Vec::new();
    for (name, version) in packages(&tree) {
        let package = metadata
            .packages
            .iter()
            .find(|package| package.name == name && package.version.to_string() == version);
        let package = package.with_context(|| format!("{name} {version}: not in the metadata"))?;
        if package.source.is_some() {
            crates.push(of_package(package));
        }
    }
    Ok(crates)
}

/// What cargo knows of all packages that this target needs.
pub fn metadata(target: &str) -> Result<Metadata> {
    MetadataCommand::new()
        .manifest_path(shell::root().join("Cargo.toml"))
        .other_options(["--locked", "--filter-platform", target].map(str::to_owned))
        .exec()
        .context("cargo metadata")
}

/// Names and versions in the output of `cargo tree`, each once.
fn packages(tree: &str) -> BTreeSet<(String, String)> {
    let lines = tree.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
        Some((name.to_owned(), version.to_owned()))
    });
    lines.collect()
}

fn of_package(package: &Package) -> Crate {
    let folder = package.manifest_path.parent().unwrap_or(&package.manifest_path);
    let is_cc = |name: &str| name == "cc" || name == "cmake";
    let mut dependencies = package.dependencies.iter();
    Crate {
        name: package.name.to_string(),
        version: package.version.to_string(),
        licence: package.license.clone(),
        repository: package.repository.clone(),
        authors: package.authors.clone(),
        folder: folder.into(),
        compiles_c: dependencies.any(|dependency| {
            let is_for_build = dependency.kind == DependencyKind::Build;
            is_for_build && !dependency.optional && is_cc(&dependency.name)
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::release::host;
    use std::collections::BTreeMap;

    #[test]
    fn lines_of_the_tree_are_names_and_versions() {
        let tree = "jfathom-cli v0.1.0 (/a b/cli)\nanyhow v1.0.104\n\nclap v4.6.7 (*)\n";
        let found: Vec<_> = packages(tree).into_iter().map(|(name, _)| name).collect();
        assert_eq!(found, ["anyhow", "clap", "jfathom-cli"]);
    }

    /// By the manifests of our crates, without the tree.
    #[test]
    fn every_dependency_of_the_products_manifests_is_there() {
        let target = host().unwrap();
        let metadata = metadata(&target).unwrap();
        let crates = in_the_programs(&target).unwrap();
        let names: BTreeSet<&str> = crates.iter().map(|found| found.name.as_str()).collect();
        let packages: BTreeMap<&str, &Package> =
            metadata.packages.iter().map(|package| (package.name.as_str(), package)).collect();
        let (mut open, mut seen, mut count) =
            (vec!["jfathom-cli", "jfathom-push"], BTreeSet::new(), 0);
        while let Some(name) = open.pop() {
            if !seen.insert(name) {
                continue;
            }
            for dependency in &packages[name].dependencies {
                let is_normal = dependency.kind == DependencyKind::Normal;
                if !is_normal || dependency.optional || dependency.target.is_some() {
                    continue;
                }
                if dependency.path.is_some() {
                    open.push(&dependency.name);
                } else {
                    count += 1;
                    let name = dependency.name.as_str();
                    assert!(names.contains(name), "{name} is missing");
                }
            }
        }
        assert!(count > 30 && seen.len() > 20, "{count} dependencies of {}", seen.len());
        assert!(crates.iter().all(|found| !found.name.starts_with("jfathom")));
        assert!(!names.contains("syn") && !names.contains("clap_derive"), "{names:?}");
    }
}
