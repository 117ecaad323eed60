//! The columns of methods, taken row by row. Nothing in them is trusted.

use crate::manifest::wire::{ClassRow, Wire, non_empty};
use crate::{
    ClassCalls, Digest, IdRange, InstrumentedMethod, LineRange, ManifestClass, ManifestError,
    MethodId,
};
use std::borrow::Cow;
use std::iter::{Peekable, Zip};
use std::vec::IntoIter;

/// Name and descriptor, then line.
type Rows<'a> = Zip<Zip<IntoIter<Cow<'a, str>>, IntoIter<Cow<'a, str>>>, IntoIter<i32>>;

/// Hexadecimal digits of one digest.
const DIGITS: usize = 16;

/// What is left of the columns.
pub struct Columns<'a> {
    ids: Ids,
    rows: Rows<'a>,
    digits: Cow<'a, str>,
    /// Where the next digest begins.
    digits_at: usize,
    roots: Peekable<IntoIter<u32>>,
    /// Id, first and last line.
    regions: Peekable<IntoIter<(u32, u16, u16)>>,
    /// Trivial, waiting, resuming and counted methods.
    traits: [(&'static str, Peekable<IntoIter<u32>>); 4],
}

impl<'a> Columns<'a> {
    /// Takes the columns out of `wire`.
    pub fn new(ids: IdRange, wire: &mut Wire<'a>) -> Result<Self, ManifestError> {
        use std::mem::take;
        let methods = wire.names.len();
        if [wire.descriptors.len(), wire.lines.len()].iter().any(|&length| length != methods)
            || wire.digests.len() != DIGITS * methods
        {
            return Err(content("its columns have different lengths".to_owned()));
        }
        let traits = [
            ("trivial", take(&mut wire.trivial_ids)),
            ("waiting", take(&mut wire.waiting_ids)),
            ("resuming", take(&mut wire.resuming_ids)),
            ("counted", take(&mut wire.counted_ids)),
        ];
        Ok(Self {
            ids: Ids {
                range: ids,
                next: ids.start,
                unused: take(&mut wire.unused).into_iter().peekable(),
            },
            rows: take(&mut wire.names)
                .into_iter()
                .zip(take(&mut wire.descriptors))
                .zip(take(&mut wire.lines)),
            digits: take(&mut wire.digests),
            digits_at: 0,
            roots: take(&mut wire.root_ids).into_iter().peekable(),
            regions: take(&mut wire.regions).into_iter().peekable(),
            traits: traits.map(|(name, differences)| {
                (name, running_sums(ids.start, differences).into_iter().peekable())
            }),
        })
    }

    /// The next class with its methods.
    pub fn class(
        &mut self,
        ClassRow(name, source, count): ClassRow,
    ) -> Result<ManifestClass, ManifestError> {
        let mut methods = Vec::new();
        let mut line = 0_i32;
        for _ in 0..count {
            let Some(((method, descriptor), difference)) = self.rows.next() else {
                return Err(content(format!("class {name} has more methods than there are")));
            };
            line = line.saturating_add(difference);
            let first_line = u16::try_from(line)
                .map_err(|_| content(format!("{name}.{method} starts at line {line}")))?;
            let id = self.ids.next()?;
            let root = self.roots.next_if_eq(&id.get()).is_some();
            let [trivial, waits, resumes, counted] =
                self.traits.each_mut().map(|(_, ids)| ids.next_if_eq(&id.get()).is_some());
            let region = match self.regions.next_if(|&(region, _, _)| region == id.get()) {
                Some((_, first, last)) => Some(region_lines(first, last, &method)?),
                None => None,
            };
            methods.push(InstrumentedMethod {
                id,
                name: method.into_owned(),
                descriptor: descriptor.into_owned(),
                line: (first_line != 0).then_some(first_line),
                digest: self.digest()?,
                root,
                trivial,
                waits,
                resumes,
                counted,
                region,
            });
        }
        let (name, source) = (name.into_owned(), non_empty(source));
        Ok(ManifestClass { name, source, methods, calls: ClassCalls::default() })
    }

    fn digest(&mut self) -> Result<Digest, ManifestError> {
        let end = self.digits_at + DIGITS;
        let digits = self
            .digits
            .get(self.digits_at..end)
            // `from_str_radix` would also take a sign.
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let digest = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        self.digits_at = end;
        digest.map(Digest).ok_or_else(|| content("its digests are no digits".to_owned()))
    }

    /// Refuses columns that have more than the classes took.
    pub fn end(&mut self) -> Result<(), ManifestError> {
        if self.rows.next().is_some() {
            return Err(content("it has methods without a class".to_owned()));
        }
        let traits = self.traits.iter_mut().map(|(name, ids)| (*name, ids.next()));
        match [("root", self.roots.next()), ("region", self.regions.next().map(|region| region.0))]
            .into_iter()
            .chain(traits)
            .find_map(|(name, id)| Some((name, id?)))
        {
            Some((name, id)) => Err(content(format!("no method has its {name} id {id}"))),
            None => Ok(()),
        }
    }
}

/// The lines of a region, which its name ends with.
fn region_lines(first: u16, last: u16, name: &str) -> Result<LineRange, ManifestError> {
    LineRange::new(first, last)
        .filter(|lines| name.rsplit_once(':').is_some_and(|(_, end)| end == lines.to_string()))
        .ok_or_else(|| content(format!("{name} is no region of the lines {first} to {last}")))
}

/// The ids that are left.
struct Ids {
    range: IdRange,
    next: u32,
    /// First id and number of ids, as runs.
    unused: Peekable<IntoIter<(u32, u32)>>,
}

impl Ids {
    fn next(&mut self) -> Result<MethodId, ManifestError> {
        while let Some((_, ids)) = self.unused.next_if(|&(first, _)| first == self.next) {
            self.next = self.next.saturating_add(ids.max(1));
        }
        let id =
            MethodId::new(self.next).filter(|&id| self.range.contains(id)).ok_or_else(|| {
                content(format!(
                    "it has a method with id {}, outside of its range {}",
                    self.next, self.range
                ))
            })?;
        self.next += 1;
        Ok(id)
    }
}

/// Differences to the numbers that they stand for.
fn running_sums(start: u32, mut differences: Vec<u32>) -> Vec<u32> {
    let mut sum = start;
    for difference in &mut differences {
        sum = sum.saturating_add(*difference);
        *difference = sum;
    }
    differences
}

fn content(contradiction: String) -> ManifestError {
    ManifestError::Content(contradiction.into())
}
