//! Tables by method id. A record can have any id of 22 bits, so memory grows with the number of ids
//! that were met, not with the largest one.

/// Ids of one page.
const PAGE: usize = 1024;

/// A number per id, 0 if none was set. A page takes 4 KiB and exists once one of its ids was set.
/// All pages take 16 MiB, and one id takes 36 KiB.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdNumbers {
    pages: Vec<Option<Box<[u32; PAGE]>>>,
}

impl IdNumbers {
    /// The number of an id; 0 for a larger number than any id.
    #[inline]
    pub fn get(&self, id: u32) -> u32 {
        match self.pages.get(id as usize / PAGE) {
            Some(Some(page)) => page[id as usize % PAGE],
            _ => 0,
        }
    }

    /// The number of an id, for changing it.
    pub fn get_mut(&mut self, id: u32) -> &mut u32 {
        let page = id as usize / PAGE;
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, || None);
        }
        &mut self.pages[page].get_or_insert_with(|| Box::new([0; PAGE]))[id as usize % PAGE]
    }

    /// The ids that have a number, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        let pages = (0..)
            .step_by(PAGE)
            .zip(&self.pages)
            .filter_map(|(first, page)| Some((first, page.as_ref()?)));
        pages
            .flat_map(|(first, page)| (first..).zip(page.iter().copied()))
            .filter(|(_, number)| *number != 0)
    }
}

/// A row per id that was met.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdTable<T> {
    /// By id, one plus the index of its row.
    row_numbers: IdNumbers,
    rows: Vec<T>,
}

impl<T> IdTable<T> {
    /// The rows, ascending by id.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.row_numbers.iter().map(|(id, number)| (id, &self.rows[number as usize - 1]))
    }

    /// The row of an id, if there is one.
    pub fn get(&self, id: u32) -> Option<&T> {
        let row = self.row_numbers.get(id).checked_sub(1)?;
        self.rows.get(row as usize)
    }

    /// A table of the same ids, with each row mapped.
    pub fn map<U>(&self, map: impl Fn(&T) -> U) -> IdTable<U> {
        IdTable { row_numbers: self.row_numbers.clone(), rows: self.rows.iter().map(map).collect() }
    }
}

impl<T: Default> IdTable<T> {
    /// The row of an id, added if there is none.
    #[inline]
    pub fn row(&mut self, id: u32) -> &mut T {
        match self.row_numbers.get(id) {
            0 => self.add(id),
            number => &mut self.rows[number as usize - 1],
        }
    }

    #[cold]
    fn add(&mut self, id: u32) -> &mut T {
        let index = self.rows.len();
        *self.row_numbers.get_mut(id) = index as u32 + 1;
        self.rows.push(T::default());
        &mut self.rows[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_again_and_come_in_order() {
        let mut table = IdTable::<u64>::default();
        let ids = [(1 << 22) - 1, 0, 1023, 1024, 7, 1 << 21];
        ids.iter().for_each(|id| *table.row(*id) += u64::from(*id) + 1);
        *table.row(7) += 1;
        let rows: Vec<(u32, u64)> = table.iter().map(|(id, row)| (id, *row)).collect();
        assert_eq!(
            rows,
            [
                (0, 1),
                (7, 9),
                (1023, 1024),
                (1024, 1025),
                (1 << 21, (1 << 21) + 1),
                ((1 << 22) - 1, 1 << 22)
            ]
        );
        assert_eq!(table.map(|row| row * 2).row(7), &18);
    }

    #[test]
    fn one_large_id_takes_one_page() {
        let mut table = IdTable::<[u64; 6]>::default();
        table.row((1 << 22) - 1);
        assert!(table.rows.capacity() <= 8);
        assert_eq!(table.row_numbers.pages.iter().flatten().count(), 1);
        assert_eq!(table.row_numbers.get(u32::MAX), 0);
    }
}
