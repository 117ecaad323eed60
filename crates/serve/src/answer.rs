//! An answer, and how it is written.

use crate::site::Content;
use std::io::{self, Write};

/// An answer to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    status: Status,
    headers: Vec<(&'static str, String)>,
    content: Option<Content>,
    /// What a person reads instead of a content.
    text: &'static str,
}

/// Code and phrase (RFC 9110).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Status(pub u16, pub &'static str);

impl Answer {
    /// An answer in words.
    pub(crate) fn of_text(status: Status, text: &'static str) -> Self {
        Self { status, headers: Vec::new(), content: None, text }
    }

    /// The request is not a request.
    pub(crate) fn broken(why: &'static str) -> Self {
        Self::of_text(Status(400, "Bad Request"), why)
    }

    /// Who asks may not see anything.
    pub(crate) fn forbidden(why: &'static str) -> Self {
        Self::of_text(Status(403, "Forbidden"), why)
    }

    /// Nothing is there.
    pub(crate) fn missing() -> Self {
        Self::of_text(Status(404, "Not Found"), "nothing is here")
    }

    /// Leads to another path of this server.
    pub(crate) fn redirect(path: &str, cookie: String) -> Self {
        Self::of_text(Status(303, "See Other"), "")
            .with("Location", path.to_owned())
            .with("Set-Cookie", cookie)
    }

    /// A content, or word that it is the one with the tag `known`.
    pub(crate) fn of(content: Content, known: Option<&str>) -> Self {
        let tag = content.tag.as_ref().map(|tag| format!("\"{tag}\""));
        let is_known = tag.is_some() && tag.as_deref() == known;
        let status = match (is_known, content.bytes.is_empty()) {
            (true, _) => Status(304, "Not Modified"),
            (false, true) => Status(204, "No Content"),
            (false, false) => Status(200, "OK"),
        };
        let headers = content.headers.clone();
        let content = (status.0 == 200).then_some(content);
        let answer = Self { status, headers, content, text: "" };
        match tag {
            Some(tag) => answer.with("ETag", tag),
            None => answer,
        }
    }

    /// The answer with one more header.
    pub(crate) fn with(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Writes the answer, after which the connection ends.
    pub(crate) fn write(&self, policy: &str, out: &mut dyn Write) -> io::Result<()> {
        let Status(code, phrase) = self.status;
        let (media_type, body) = match &self.content {
            Some(content) => (content.kind.media_type(), content.bytes.as_slice()),
            None => ("text/plain; charset=utf-8", self.text.as_bytes()),
        };
        let mut head = format!("HTTP/1.1 {code} {phrase}\r\n");
        let mut add = |name: &str, value: &str| {
            head.push_str(&format!("{name}: {}\r\n", plain(value)));
        };
        // These two never have a body (RFC 9110, sections 15.3.5 and 15.4.5).
        if ![204, 304].contains(&code) {
            add("Content-Type", media_type);
            add("Content-Length", &body.len().to_string());
        }
        add("Connection", "close");
        add("Content-Security-Policy", policy);
        add("Cross-Origin-Opener-Policy", "same-origin");
        add("Cross-Origin-Resource-Policy", "same-origin");
        add("Referrer-Policy", "no-referrer");
        add("X-Content-Type-Options", "nosniff");
        add("Cache-Control", "no-store");
        self.headers.iter().for_each(|(name, value)| add(name, value));
        head.push_str("\r\n");
        out.write_all(head.as_bytes())?;
        out.write_all(body)?;
        out.flush()
    }
}

/// A header's value, of which what is not printable ASCII is percent-encoded: it can begin no other
/// header.
fn plain(value: &str) -> String {
    let mut plain = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b' '..=b'~' => plain.push(char::from(byte)),
            _ => plain.push_str(&format!("%{byte:02X}")),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_begins_no_other_header() {
        assert_eq!(plain("a\r\nSet-Cookie: ü"), "a%0D%0ASet-Cookie: %C3%BC");
    }
}
