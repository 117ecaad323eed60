//! Who sends: the value of the `Authorization` header.

use crate::args::Usage;
use anyhow::{Context, Result};
use base64::{Engine, prelude::BASE64_STANDARD};
use std::{ffi::OsString, fmt, fs::File, io::Read, path::Path};

/// The variable with the token.
pub const VARIABLE: &str = "JFATHOM_PUSH_TOKEN";
/// A token is not longer.
const MOST_BYTES: u64 = 1 << 16;

/// A header's value that is shown to nobody.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The header of a token in a file, else in the environment, with or without a user; none
    /// without a token.
    ///
    /// # Errors
    /// The file cannot be read; [`Usage`] for a user without a token, for an empty token, and for
    /// what a header or Basic authentication cannot have.
    pub fn find(
        file: Option<&Path>,
        variable: Option<OsString>,
        user: Option<&str>,
    ) -> Result<Option<Self>> {
        let token = match file {
            Some(path) => {
                let mut token = String::new();
                File::open(path)
                    .and_then(|file| file.take(MOST_BYTES).read_to_string(&mut token))
                    .with_context(|| format!("{}: cannot read the token", path.display()))?;
                Some(token)
            }
            None => variable
                .map(OsString::into_string)
                .transpose()
                .map_err(|_| usage(format!("{VARIABLE}: this is no text")))?,
        };
        let source = || file.map_or_else(|| VARIABLE.to_owned(), |path| path.display().to_string());
        let Some(token) = token.as_deref().map(str::trim) else {
            return match user {
                Some(_) => Err(usage(format!("--user: {VARIABLE} or --token-file has no token"))),
                None => Ok(None),
            };
        };
        if token.is_empty() {
            return Err(usage(format!("{}: has no token", source())));
        }
        if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            let source = source();
            return Err(usage(format!("{source}: has a character that a header cannot have")));
        }
        // RFC 7617 §2: a user with a colon would be another one.
        if user.is_some_and(|user| user.contains(':') || user.chars().any(char::is_control)) {
            return Err(usage("--user: no colon and no control characters".to_owned()));
        }
        Ok(Some(Self(match user {
            Some(user) => format!("Basic {}", BASE64_STANDARD.encode(format!("{user}:{token}"))),
            None => format!("Bearer {token}"),
        })))
    }

    /// The header's value.
    pub fn header(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

fn usage(message: String) -> anyhow::Error {
    Usage(message).into()
}
