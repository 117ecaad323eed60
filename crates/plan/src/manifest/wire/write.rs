//! Manifest to JSON.

use super::calls::CallColumns;
use super::{ClassRow, InterfaceRow, SkipRow, Wire};
use crate::{KnownInterface, MANIFEST_VERSION, Manifest, Skip};
use std::borrow::Cow;

impl Manifest {
    /// The JSON text. Equal manifests have equal texts.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(&wire(self))
            .expect("strings, numbers and maps with string keys always serialize")
    }
}

fn wire(manifest: &Manifest) -> Wire<'_> {
    let mut wire = Wire {
        version: MANIFEST_VERSION,
        tool: Cow::Borrowed(&manifest.tool),
        plan: manifest.plan,
        placement: manifest.placement,
        module: manifest.module.as_deref().map(Cow::Borrowed),
        ids: (manifest.ids.start, manifest.ids.len),
        has_roots: manifest.has_roots,
        classes: Vec::with_capacity(manifest.classes.len()),
        names: Vec::new(),
        descriptors: Vec::new(),
        lines: Vec::new(),
        digests: Cow::Borrowed(""),
        unused: Vec::new(),
        root_ids: Vec::new(),
        trivial_ids: Vec::new(),
        waiting_ids: Vec::new(),
        resuming_ids: Vec::new(),
        counted_ids: Vec::new(),
        regions: Vec::new(),
        calls: CallColumns::of(manifest),
        interfaces: manifest.interfaces.iter().map(interface_row).collect(),
        root_selectors: manifest
            .roots
            .iter()
            .map(|selector| Cow::Borrowed(selector.as_str()))
            .collect(),
        scheme: manifest.scheme,
        call_graph: manifest.call_graph,
        skips: skip_rows(&manifest.skips),
        skip_counts: manifest.skip_counts.clone(),
        unfollowed: manifest.unfollowed.clone(),
    };
    push_methods(manifest, &mut wire);
    wire
}

/// Fills the rows of classes and the columns of methods.
fn push_methods<'a>(manifest: &'a Manifest, wire: &mut Wire<'a>) {
    let mut digests = String::new();
    let mut next_id = manifest.ids.start;
    let mut last_ids = [manifest.ids.start; 4];
    for class in &manifest.classes {
        let methods = u32::try_from(class.methods.len()).unwrap_or(u32::MAX);
        let source = class.source.as_deref().unwrap_or("");
        wire.classes.push(ClassRow(Cow::Borrowed(&class.name), Cow::Borrowed(source), methods));
        let mut last_line = 0;
        for method in &class.methods {
            let id = method.id.get();
            if id > next_id {
                wire.unused.push((next_id, id - next_id));
            }
            next_id = id.saturating_add(1);
            wire.names.push(Cow::Borrowed(&method.name));
            wire.descriptors.push(Cow::Borrowed(&method.descriptor));
            let line = i32::from(method.line.unwrap_or(0));
            wire.lines.push(line - last_line);
            last_line = line;
            digests.push_str(&method.digest.to_string());
            if method.root {
                wire.root_ids.push(id);
            }
            wire.regions.extend(method.region.map(|lines| (id, lines.first(), lines.last())));
            let columns = [
                (method.trivial, &mut wire.trivial_ids),
                (method.waits, &mut wire.waiting_ids),
                (method.resumes, &mut wire.resuming_ids),
                (method.counted, &mut wire.counted_ids),
            ];
            for ((is_in_column, column), last_id) in columns.into_iter().zip(&mut last_ids) {
                if is_in_column {
                    column.push(id.saturating_sub(*last_id));
                    *last_id = id;
                }
            }
        }
    }
    wire.digests = Cow::Owned(digests);
}

fn interface_row(of: &KnownInterface) -> InterfaceRow<'_> {
    let above = of.above.iter().map(|name| Cow::Borrowed(name.as_str()));
    InterfaceRow(Cow::Borrowed(&of.name), above.collect())
}

fn skip_rows(skips: &[Skip]) -> Vec<SkipRow<'_>> {
    let share_row = |a: &Skip, b: &Skip| {
        a.method.is_some()
            && b.method.is_some()
            && (a.reason, &a.class, &a.detail) == (b.reason, &b.class, &b.detail)
    };
    fn row(group: &[Skip]) -> Option<SkipRow<'_>> {
        let first = group.first()?;
        let detail = Cow::Borrowed(first.detail.as_deref().unwrap_or(""));
        let methods =
            group.iter().filter_map(|skip| skip.method.as_deref().map(Cow::Borrowed)).collect();
        Some(SkipRow(first.reason, Cow::Borrowed(&first.class), detail, methods))
    }
    skips.chunk_by(share_row).filter_map(row).collect()
}
