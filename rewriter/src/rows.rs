//! The rows of a plan, by method.

use classfile_writer::mutf8;
use jfathom_plan::MethodPlan;

/// The number of rows that linear searches look at before the rows are sorted. A plan usually has
/// a row for nearly every method of its class, but need not.
const FEW: usize = 4096;

/// The rows of one plan. Plans are mostly in class-file order, so a search tries the next row
/// first.
#[derive(Debug)]
pub(crate) struct MethodPlans<'p> {
    rows: &'p [MethodPlan],
    next: usize,
    found: Vec<bool>,
    /// Rows that linear searches have looked at.
    seen: usize,
    /// Row numbers by name and descriptor; made after [`FEW`] rows.
    sorted: Option<Vec<usize>>,
}

impl<'p> MethodPlans<'p> {
    pub(crate) fn new(rows: &'p [MethodPlan]) -> Self {
        Self { rows, next: 0, found: vec![false; rows.len()], seen: 0, sorted: None }
    }

    /// The row of a method; names are in modified UTF-8.
    pub(crate) fn find(&mut self, name: &[u8], descriptor: &[u8]) -> Option<&'p MethodPlan> {
        let is = |row: &MethodPlan| same(&row.name, name) && same(&row.descriptor, descriptor);
        let number = match self.rows.get(self.next) {
            Some(row) if is(row) => self.next,
            _ if self.seen < FEW => {
                self.seen += self.rows.len();
                self.rows.iter().position(is)?
            }
            _ => {
                let rows = self.rows;
                let key = |i: &usize| {
                    rows.get(*i)
                        .map(|row| (mutf8::encode(&row.name), mutf8::encode(&row.descriptor)))
                        .unwrap_or_default()
                };
                let sorted = self.sorted.get_or_insert_with(|| {
                    let mut all: Vec<usize> = (0..rows.len()).collect();
                    all.sort_by(|a, b| key(a).cmp(&key(b)));
                    all
                });
                let at = sorted.binary_search_by(|i| {
                    let (row_name, row_descriptor) = key(i);
                    (&*row_name, &*row_descriptor).cmp(&(name, descriptor))
                });
                *sorted.get(at.ok()?)?
            }
        };
        self.next = number + 1;
        *self.found.get_mut(number)? = true;
        self.rows.get(number)
    }

    /// The rows of which no method was found.
    pub(crate) fn missing(&self) -> impl Iterator<Item = &'p MethodPlan> + '_ {
        self.rows.iter().zip(&self.found).filter(|(_, found)| !**found).map(|(row, _)| row)
    }
}

/// Whether a name of the plan is this one in modified UTF-8. Equal bytes are equal text: modified
/// UTF-8 differs from UTF-8 only in forms that UTF-8 does not have.
pub(crate) fn same(planned: &str, name: &[u8]) -> bool {
    *mutf8::encode(planned) == *name
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_plan::{MethodId, ProbeKind};

    #[test]
    fn any_order_finds_each_row_once() {
        let row = |name: &str, id| MethodPlan {
            name: name.into(),
            descriptor: "()V".into(),
            id: MethodId::new(id).unwrap(),
            kind: ProbeKind::Always,
        };
        let plan = [row("c", 0), row("a", 1), row("b", 2), row("\u{1F600}", 3), row("gone", 4)];
        let long: Vec<_> =
            (5..5000).map(|i| row(&format!("m{i}"), i)).chain(plan.clone()).collect();
        for plan in [&plan[..], &long] {
            find_all(plan);
        }
    }

    fn find_all(plan: &[MethodPlan]) {
        let mut rows = MethodPlans::new(plan);
        for (name, id) in [(&b"c"[..], 0), (b"a", 1), (b"b", 2), (b"\xed\xa0\xbd\xed\xb8\x80", 3)] {
            assert_eq!(rows.find(name, b"()V").unwrap().id.get(), id);
        }
        assert!(rows.find(b"a", b"(I)V").is_none() && rows.find(b"x", b"()V").is_none());
        assert!(
            rows.missing().all(|row| row.id.get() > 3) && rows.missing().count() == plan.len() - 4
        );
    }
}
