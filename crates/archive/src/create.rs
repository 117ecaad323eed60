//! Creation of jars.

use crate::codec::{Storage, pack};
use crate::zip::Writer;
use crate::{Error, NewEntry};

/// A jar of `entries` in this order, deflated, each with the timestamp 1980-01-01 00:00. The
/// manifest must be first.
///
/// # Errors
/// Fails if a name is longer than 65,535 bytes.
pub fn create_jar(entries: &[NewEntry]) -> Result<Vec<u8>, Error> {
    let write = || {
        let mut writer = Writer::new(Vec::new(), &[])?;
        for entry in entries {
            writer.add(&entry.name, &pack(&entry.bytes[..], Storage::Deflated))?;
        }
        writer.finish(&[], &[])
    };
    match write() {
        Ok((jar, _)) => Ok(jar),
        Err(e) => Err(Error::io("new jar", "cannot write", e)),
    }
}
