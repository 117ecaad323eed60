//! The table of methods.

use crate::{
    cells::{Cells, Rows},
    key::{RunId, method_key},
};
use jfathom_profile::{MethodIx, Profile};
use jfathom_views::Names;
use std::ops::Range;

/// The methods of a profile, by key.
pub(crate) struct MethodRows<'a> {
    run: RunId,
    profile: &'a Profile,
    names: Names,
    /// Each method with its key.
    order: Vec<(i64, MethodIx)>,
}

impl<'a> MethodRows<'a> {
    pub fn new(profile: &'a Profile) -> Self {
        let order = by_key(profile);
        Self { run: RunId::of(profile), profile, names: Names::of(&profile.methods), order }
    }
}

/// A profile's methods with their keys, by key: so a key is in few row groups of a table. Of
/// several methods with one key, which a profile of several builds has, the first one.
pub(crate) fn by_key(profile: &Profile) -> Vec<(i64, MethodIx)> {
    let methods = (0..).map(MethodIx).zip(&profile.methods);
    let keyed = methods.map(|(at, method)| (method_key(&method.info.key), at));
    let mut order: Vec<(i64, MethodIx)> = keyed.collect();
    order.sort_unstable();
    order.dedup_by_key(|(key, _)| *key);
    order
}

impl Rows for MethodRows<'_> {
    fn len(&self) -> usize {
        self.order.len()
    }

    fn columns(&self, rows: Range<usize>) -> Vec<Cells> {
        let order = || self.order[rows.clone()].iter();
        let infos = || order().map(|(_, at)| &self.profile.method(*at).info);
        vec![
            Cells::int64s(order().map(|_| self.run.0)),
            Cells::int64s(order().map(|(key, _)| *key)),
            Cells::texts(order().map(|(_, at)| self.names.method(*at))),
            Cells::texts(infos().map(|info| &*info.key.class)),
            Cells::texts(infos().map(|info| &*info.key.name)),
            Cells::texts(infos().map(|info| &*info.key.descriptor)),
            Cells::optional_texts(infos().map(|info| info.source.as_deref())),
            Cells::optional_int32s(infos().map(|info| i32::try_from(info.line?).ok())),
            Cells::int64s(infos().map(|info| info.digest.0 as i64)),
            Cells::bools(infos().map(|info| info.root)),
        ]
    }
}
