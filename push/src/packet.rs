//! What is sent of a profile, and how it lies in the spool.

use std::io;

/// The body of a request, and what the server has to know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Where it is sent, with the query.
    pub url: String,
    /// The `Content-Type`.
    pub content_type: String,
    /// The `Content-Encoding`; empty for none.
    pub content_encoding: String,
    /// Whose it is there. What waits is sent for the same account only.
    pub account: Account,
    /// The body.
    pub body: Vec<u8>,
}

/// Whose profiles these are on the server; empty texts where nobody said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// `X-Scope-OrgID`.
    pub tenant: String,
    /// The user of Basic authentication.
    pub user: String,
}

/// How a packet in the spool begins.
const MAGIC: &str = "jfathom-push 1";

impl Packet {
    /// The packet as a file: a line for each of its texts, then the body.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Account { tenant, user } = &self.account;
        let lines =
            [MAGIC, &self.url, &self.content_type, &self.content_encoding, tenant, user, ""];
        [lines.join("\n").as_bytes(), &self.body].concat()
    }

    /// The packet of a file.
    ///
    /// # Errors
    /// `InvalidData` if it is none.
    pub fn from_bytes(bytes: &[u8]) -> io::Result<Self> {
        let mut rest = bytes;
        let mut line = || {
            let end = rest.iter().position(|byte| *byte == b'\n')?;
            let line = std::str::from_utf8(&rest[..end]).ok()?;
            rest = &rest[end + 1..];
            Some(line.to_owned())
        };
        let mut parts = || {
            let is_ours = line()? == MAGIC;
            let packet = Self {
                url: line()?,
                content_type: line()?,
                content_encoding: line()?,
                account: Account { tenant: line()?, user: line()? },
                body: Vec::new(),
            };
            is_ours.then_some(packet)
        };
        let Some(packet) = parts() else {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "no packet of this version"));
        };
        Ok(Self { body: rest.to_vec(), ..packet })
    }
}
