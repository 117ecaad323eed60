//! The input of the writers of tables.

use super::edits::Edits;
use super::layout::Layout;
use super::tables::Tables;
use crate::code::Code;
use crate::member::Member;

pub(super) struct Context<'s, 'c> {
    pub edits: &'s Edits,
    pub layout: &'s Layout,
    pub method: &'s Member<'c>,
    pub code: &'s Code<'c>,
    pub tables: &'s Tables<'c>,
}
