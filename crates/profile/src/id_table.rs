//! What is kept by method id. An id has 22 bits, and one record can hold any: the memory of a table
//! follows the ids that were met, and not the largest of them.

/// Ids of one page.
const PAGE: usize = 1024;

/// A number for each id; 0 where none was set. A page of 4 KiB is there once an id of it was set,
/// so that the pages take 16 MiB at most, and with one id 36 KiB.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdNumbers {
    pages: Vec<Option<Box<[u32; PAGE]>>>,
}

impl IdNumbers {
    /// The number of an id. What is no id has none.
    #[inline]
    pub fn get(&self, id: u32) -> u32 {
        match self.pages.get(id as usize / PAGE) {
            Some(Some(page)) => page[id as usize % PAGE],
            _ => 0,
        }
    }

    /// [`IdNumbers::get`], to be changed.
    pub fn get_mut(&mut self, id: u32) -> &mut u32 {
        let page = id as usize / PAGE;
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, || None);
        }
        &mut self.pages[page].get_or_insert_with(|| Box::new([0; PAGE]))[id as usize % PAGE]
    }

    /// The ids that have a number, in their order.
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

/// A row for each id that was met.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdTable<T> {
    /// The place of an id's row, plus one.
    places: IdNumbers,
    rows: Vec<T>,
}

impl<T> IdTable<T> {
    /// The row of an id, if it was met.
    pub fn get(&self, id: u32) -> Option<&T> {
        self.rows.get((self.places.get(id) as usize).checked_sub(1)?)
    }

    /// The rows, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.places.iter().map(|(id, place)| (id, &self.rows[place as usize - 1]))
    }

    /// A table with rows made of these.
    pub fn map<U>(&self, of: impl Fn(&T) -> U) -> IdTable<U> {
        IdTable { places: self.places.clone(), rows: self.rows.iter().map(of).collect() }
    }
}

impl<T: Default> IdTable<T> {
    /// The row of an id; made where there is none.
    #[inline]
    pub fn row(&mut self, id: u32) -> &mut T {
        match self.places.get(id) {
            0 => self.add(id),
            place => &mut self.rows[place as usize - 1],
        }
    }

    #[cold]
    fn add(&mut self, id: u32) -> &mut T {
        let place = self.rows.len();
        *self.places.get_mut(id) = place as u32 + 1;
        self.rows.push(T::default());
        &mut self.rows[place]
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
        assert_eq!(table.places.pages.iter().flatten().count(), 1);
        assert_eq!(table.places.get(u32::MAX), 0);
    }
}
