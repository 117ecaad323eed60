//! The JSON form of a manifest. Every rewritten jar carries one, so the form deflates well.
//! Equal things stand side by side in columns. Line numbers and ids are stored as differences. All
//! digests share one string of hexadecimal digits, because digits between names deflate badly.
//!
//! The runtime looks for `plan`, `ids` and `has_roots` in the first 4,096 bytes, without a JSON
//! reader. So they precede the columns, and the text has no blanks.

mod calls;
mod read;
mod write;

use calls::CallColumns;

use crate::{CallGraph, Digest, Placement, Scheme, SkipReason, UnfollowedCounts};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, collections::BTreeMap};

/// A manifest in columns. Columns of methods are in the order of ids.
#[derive(Serialize, Deserialize)]
struct Wire<'a> {
    /// First, for readers that know other versions only.
    version: u32,
    #[serde(borrow)]
    tool: Cow<'a, str>,
    plan: Digest,
    placement: Placement,
    /// First id and number of ids.
    ids: (u32, u32),
    has_roots: bool,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    module: Option<Cow<'a, str>>,
    #[serde(borrow)]
    classes: Vec<ClassRow<'a>>,
    #[serde(borrow)]
    names: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    descriptors: Vec<Cow<'a, str>>,
    /// First line (0 for none), minus that of the previous method of the class.
    lines: Vec<i32>,
    /// 16 digits per method.
    #[serde(borrow)]
    digests: Cow<'a, str>,
    /// Ids without a method, as runs: first id and number of ids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    unused: Vec<(u32, u32)>,
    /// Ids of the roots, ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    root_ids: Vec<u32>,
    /// Ids of trivial methods, ascending. Each is stored minus the one before it, and the first one
    /// minus the first id of `ids`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    trivial_ids: Vec<u32>,
    /// Ids of methods that wait for other threads, stored like `trivial_ids`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    waiting_ids: Vec<u32>,
    /// Ids of methods that coroutines enter again, stored like `trivial_ids`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    resuming_ids: Vec<u32>,
    /// Ids of methods that are only counted, stored like `trivial_ids`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    counted_ids: Vec<u32>,
    /// Regions, ascending by id: id, first and last line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    regions: Vec<(u32, u16, u16)>,
    #[serde(borrow, default, skip_serializing_if = "CallColumns::is_empty")]
    calls: CallColumns<'a>,
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    interfaces: Vec<InterfaceRow<'a>>,
    /// Root selectors of the whole plan.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    root_selectors: Vec<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scheme: Option<Scheme>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call_graph: Option<CallGraph>,
    /// Neighbours with the same reason, class and detail share a row.
    #[serde(borrow, default, skip_serializing_if = "Vec::is_empty")]
    skips: Vec<SkipRow<'a>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    skip_counts: BTreeMap<SkipReason, u32>,
    #[serde(default, skip_serializing_if = "UnfollowedCounts::is_empty")]
    unfollowed: UnfollowedCounts,
}

/// A text that is empty if it is missing.
fn non_empty(text: Cow<str>) -> Option<String> {
    if text.is_empty() { None } else { Some(text.into_owned()) }
}

/// Name, source (empty for none), number of methods.
#[derive(Serialize, Deserialize)]
struct ClassRow<'a>(#[serde(borrow)] Cow<'a, str>, #[serde(borrow)] Cow<'a, str>, u32);

/// Name, and those of its direct superinterfaces.
#[derive(Serialize, Deserialize)]
struct InterfaceRow<'a>(#[serde(borrow)] Cow<'a, str>, #[serde(borrow)] Vec<Cow<'a, str>>);

/// Reason, class, detail (empty for none), methods (none if the whole class was skipped).
#[derive(Serialize, Deserialize)]
struct SkipRow<'a>(
    SkipReason,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Cow<'a, str>,
    #[serde(borrow)] Vec<Cow<'a, str>>,
);
