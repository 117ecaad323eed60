//! What makes a profile: from the records of threads to a calling context tree, with events and
//! counted calls put into it, and sums of finished trees. Values of `model` come out. Only
//! checkpoints go through `store`.

pub(crate) mod builder;
pub(crate) mod builder_sink;
pub(crate) mod count_table;
pub(crate) mod excluded_times;
pub(crate) mod id_table;
pub(crate) mod moved_events;
pub(crate) mod pair_table;
pub(crate) mod placement;
pub(crate) mod possible_calls;
pub(crate) mod tree_builder;
pub(crate) mod tree_sum;
