//! Jars inside jars, opened as containers.

use std::path::PathBuf;

use crate::archive_bytes::ArchiveBytes;
use crate::input::Content;
use crate::limits::Budget;
use crate::zip::CentralDirectory;
use crate::{EntryName, Error, ErrorKind, Input, Notice};

impl Input {
    /// Opens the nested jars of this jar, and theirs, each before its own nested jars, in the order
    /// of the entries. Directories and modules have no nested jars, because no class loader reads
    /// them. A jar that cannot be opened, or is deeper than
    /// [`Limits::nesting`](crate::Limits::nesting), gives a notice.
    ///
    /// # Errors
    /// Fails if this input with all nested jars exceeds the limits.
    pub fn nested(&self) -> Result<(Vec<Input>, Vec<Notice>), Error> {
        let (mut inputs, mut notices) = (Vec::new(), Vec::new());
        if let Content::Archive { .. } = self.content {
            open_into(self, &self.budget(), &mut inputs, &mut notices)?;
        }
        Ok((inputs, notices))
    }
}

fn open_into(
    outer: &Input,
    budget: &Budget,
    inputs: &mut Vec<Input>,
    notices: &mut Vec<Notice>,
) -> Result<(), Error> {
    let is_jar = |name: &EntryName| name.is_nested_archive();
    for (position, name) in outer.names().enumerate().filter(|(_, name)| is_jar(name)) {
        let location = outer.location().join(name);
        if location.inside().len() as u64 > u64::from(budget.limits().nesting) {
            notices.push(Notice::NestedTooDeep { location });
            continue;
        }
        let bytes = match outer.read_at(position) {
            Ok(bytes) => bytes,
            Err(error) if matches!(error.kind(), ErrorKind::Limit { .. }) => return Err(error),
            Err(error) => {
                notices
                    .push(Notice::EntryUnreadable { location, reason: error.kind().to_string() });
                continue;
            }
        };
        let central = match CentralDirectory::read(&bytes, &location, budget) {
            Ok(central) => central,
            Err(error) if matches!(error.kind(), ErrorKind::Limit { .. }) => return Err(error),
            Err(error) => {
                notices
                    .push(Notice::NestedUnreadable { location, reason: error.kind().to_string() });
                continue;
            }
        };
        let noticed = central.notices(&location);
        let relative =
            PathBuf::from(name.relative_path().unwrap_or_default().file_name().unwrap_or_default());
        let input = Input::made(
            location,
            relative,
            Content::Archive { bytes: ArchiveBytes::Memory(bytes), central },
            budget,
            noticed,
        );
        let mut inside = Vec::new();
        open_into(&input, budget, &mut inside, notices)?;
        inputs.push(input);
        inputs.append(&mut inside);
    }
    Ok(())
}
