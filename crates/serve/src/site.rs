//! What a server shows.

use std::sync::Arc;

/// The pages of a server. Connections ask from threads of their own.
pub trait Site: Sync {
    /// The `Content-Security-Policy` of all answers.
    fn policy(&self) -> &str;

    /// What is at a path, as `/` or `/data`; none if nothing is there.
    fn get(&self, path: &str) -> Option<Content>;
}

/// What is at a path.
#[derive(Clone, Debug)]
pub struct Content {
    /// The type of `bytes`.
    pub kind: ContentKind,
    /// The body. An answer without one has the status 204.
    pub bytes: Arc<Vec<u8>>,
    /// Names this state of the content, in letters and digits. Who has it is told so (304) instead
    /// of getting it again.
    pub tag: Option<String>,
    /// Further headers. Values are percent-encoded where they are not plain ASCII.
    pub headers: Vec<(&'static str, String)>,
}

/// The type of a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentKind {
    /// HTML in UTF-8.
    Html,
    /// Bytes, which no browser may take for anything else.
    Bytes,
}

impl ContentKind {
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::Html => "text/html; charset=utf-8",
            Self::Bytes => "application/octet-stream",
        }
    }
}
