//! JSON to manifest.

mod columns;

use super::{InterfaceRow, SkipRow, Wire, non_empty};
use crate::{
    IdRange, KnownInterface, MANIFEST_LIMIT, MANIFEST_VERSION, Manifest, ManifestError, MethodId,
    Skip,
};
use columns::Columns;
use serde::Deserialize;
use std::borrow::Cow;

/// Read where the rest cannot be, so that another version is not mistaken for damage.
#[derive(Deserialize)]
struct Head {
    version: u64,
}

impl Manifest {
    /// Reads what [`Self::to_json`] wrote. Checks ids, order and lengths.
    pub fn from_json(json: &[u8]) -> Result<Self, ManifestError> {
        read(json)
    }
}

fn read(json: &[u8]) -> Result<Manifest, ManifestError> {
    if json.len() > MANIFEST_LIMIT {
        return Err(ManifestError::TooLong(json.len()));
    }
    let mut wire: Wire = match serde_json::from_slice(json) {
        Ok(wire) => wire,
        // Another version need not have the fields of this one.
        Err(error) => match serde_json::from_slice(json) {
            Ok(Head { version }) if version != u64::from(MANIFEST_VERSION) => {
                return Err(ManifestError::Version(version));
            }
            _ => return Err(ManifestError::Syntax(error)),
        },
    };
    if wire.version != MANIFEST_VERSION {
        return Err(ManifestError::Version(wire.version.into()));
    }
    let ids = IdRange { start: wire.ids.0, len: wire.ids.1 };
    if ids.start.checked_add(ids.len).is_none_or(|end| end > MethodId::MAX.get() + 1) {
        return Err(ManifestError::Content(
            format!("its ids {} + {} have more than 22 bits", ids.start, ids.len).into(),
        ));
    }
    let rows = std::mem::take(&mut wire.classes);
    let mut columns = Columns::new(ids, &mut wire)?;
    let mut classes =
        rows.into_iter().map(|row| columns.class(row)).collect::<Result<Vec<_>, _>>()?;
    columns.end()?;
    let calls = std::mem::take(&mut wire.calls);
    calls.add_to(&mut classes).map_err(ManifestError::Content)?;
    let interface = |InterfaceRow(name, above): InterfaceRow| KnownInterface {
        name: name.into_owned(),
        above: above.into_iter().map(Cow::into_owned).collect(),
    };
    Ok(Manifest {
        interfaces: wire.interfaces.into_iter().map(interface).collect(),
        tool: wire.tool.into_owned(),
        plan: wire.plan,
        placement: wire.placement,
        module: wire.module.map(Cow::into_owned),
        ids,
        has_roots: wire.has_roots,
        roots: wire.root_selectors.into_iter().map(Cow::into_owned).collect(),
        scheme: wire.scheme,
        call_graph: wire.call_graph,
        classes,
        skips: wire.skips.into_iter().flat_map(skips).collect(),
        skip_counts: wire.skip_counts,
        unfollowed: wire.unfollowed,
    })
}

fn skips(SkipRow(reason, class, detail, methods): SkipRow) -> Vec<Skip> {
    let detail = non_empty(detail);
    let skip = |method: Option<String>| Skip {
        class: class.to_string(),
        method,
        reason,
        detail: detail.clone(),
    };
    if methods.is_empty() {
        return vec![skip(None)];
    }
    methods.into_iter().map(|method| skip(Some(method.into_owned()))).collect()
}
