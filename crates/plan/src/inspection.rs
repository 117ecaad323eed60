//! Rewritten files, as their manifests describe them.

use crate::{CallGraph, IdRange, Placement, Scheme, Skip, SkipReason};
use serde::Serialize;
use std::{collections::BTreeMap, path::PathBuf};

/// One rewritten file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// The file.
    pub path: PathBuf,
    /// Its original, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<PathBuf>,
    /// The program that rewrote it, with its version.
    pub tool: String,
    /// The digest of the plan.
    pub plan: String,
    /// Where the runtime is put.
    pub placement: Placement,
    /// Its module, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The ids of its methods.
    pub ids: IdRange,
    /// Its classes with instrumented methods.
    pub class_count: usize,
    /// Its instrumented methods.
    pub method_count: usize,
    /// Those of them that have an entry probe alone: they can only be counted.
    pub counted_only: usize,
    /// Whether probes record only inside roots.
    pub has_roots: bool,
    /// Its roots.
    pub roots: Vec<String>,
    /// The selectors of the roots of the whole plan.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub root_selectors: Vec<String>,
    /// Which methods have probes: `static` for the roots' call subgraph, `total` for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<Scheme>,
    /// The call-graph algorithm: `rta` or `cha`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_graph: Option<CallGraph>,
    /// Where the runtime is, unless it is missing.
    pub runtime: Option<String>,
    /// The JVM flags that a program needs to run with the file.
    pub flags: Vec<String>,
    /// How many classes and methods were skipped, by reason.
    pub skipped: BTreeMap<SkipReason, usize>,
    /// The skipped classes and methods, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skips: Vec<Skip>,
    /// The instrumented methods, if requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub methods: Vec<InspectedMethod>,
}

/// One instrumented method.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InspectedMethod {
    /// Its id.
    pub id: u32,
    /// `com.acme.Engine::run(I)V`.
    pub name: String,
    /// `Engine.java`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Its first line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u16>,
    /// Its code digest.
    pub digest: String,
    /// Whether it is a root.
    pub root: bool,
    /// Whether it has an entry probe alone, as small methods have and those of `--probe **=count`:
    /// it can only be counted.
    pub counted_only: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_testkit::reference::{Documents, hold_reference};

    #[test]
    fn the_reference_says_what_is_written() {
        hold_reference(&[Documents::of::<Vec<Inspection>>("inspect")]);
    }
}
