//! One `key=value` and its escapes.

use super::OptionsError;
use jfathom_plan::SelectorError;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// A key and its value as it was written.
pub(super) struct Pair<'t> {
    pub(super) key: &'t str,
    value: Option<&'t str>,
}

impl<'t> Pair<'t> {
    /// The pairs of an option text.
    pub(super) fn all(text: &'t str) -> impl Iterator<Item = Self> {
        text.split(',').map(str::trim).filter(|pair| !pair.is_empty()).map(Self::new)
    }

    fn new(text: &'t str) -> Self {
        match text.split_once('=') {
            Some((key, value)) => Self { key: key.trim(), value: Some(value.trim()) },
            None => Self { key: text, value: None },
        }
    }

    /// The pair as it was written, but for blanks.
    fn written(&self) -> String {
        format!("{}={}", self.key, self.value.unwrap_or_default())
    }

    /// The error for a value that is not one of `wanted`.
    pub(super) fn wrong(&self, wanted: &'static str) -> OptionsError {
        OptionsError::Value { pair: self.written(), wanted }
    }

    fn raw(&self) -> Result<&'t str, OptionsError> {
        self.value
            .filter(|value| !value.is_empty())
            .ok_or_else(|| OptionsError::NoValue(self.key.to_owned()))
    }

    fn malformed(&self) -> OptionsError {
        OptionsError::Escape { pair: self.written() }
    }

    /// The bytes that a text with escapes stands for. None of them is zero: no path and no name has
    /// such a byte.
    fn unescape(&self, text: &str) -> Result<Vec<u8>, OptionsError> {
        let problem = || self.malformed();
        let mut bytes = Vec::with_capacity(text.len());
        let mut parts = text.split('%');
        bytes.extend_from_slice(parts.next().unwrap_or_default().as_bytes());
        for part in parts {
            let (digits, rest) = part.split_at_checked(2).ok_or_else(problem)?;
            // `from_str_radix` takes a sign, too.
            let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            let byte =
                u8::from_str_radix(digits, 16).ok().filter(|_| is_hex).ok_or_else(problem)?;
            bytes.push(byte);
            bytes.extend_from_slice(rest.as_bytes());
        }
        if bytes.contains(&0) { Err(problem()) } else { Ok(bytes) }
    }

    fn decode(&self, text: &str) -> Result<String, OptionsError> {
        String::from_utf8(self.unescape(text)?).map_err(|_| self.malformed())
    }

    pub(super) fn text(&self) -> Result<String, OptionsError> {
        self.decode(self.raw()?)
    }

    pub(super) fn path(&self) -> Result<PathBuf, OptionsError> {
        self.unescape(self.raw()?).map(|bytes| PathBuf::from(OsString::from_vec(bytes)))
    }

    pub(super) fn list(&self) -> Result<Vec<String>, OptionsError> {
        self.raw()?
            .split(';')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| self.decode(part))
            .collect()
    }

    pub(super) fn selectors<S>(&self) -> Result<Vec<S>, OptionsError>
    where
        S: std::str::FromStr<Err = SelectorError>,
    {
        let parse = |text: String| {
            text.parse().map_err(|cause| OptionsError::Selector {
                key: self.key.to_owned(),
                text: text.clone(),
                cause,
            })
        };
        self.list()?.into_iter().map(parse).collect()
    }

    pub(super) fn yes(&self) -> Result<bool, OptionsError> {
        match self.value {
            None | Some("true" | "yes") => Ok(true),
            Some("false" | "no") => Ok(false),
            Some(_) => Err(self.wrong("true or false")),
        }
    }
}

/// A value as an option text holds it: bytes that separate pairs and lists, `%`, and all that is
/// not printable ASCII as `%` and two hex digits.
pub(super) fn escape(value: &[u8]) -> String {
    let mut text = String::with_capacity(value.len());
    for &byte in value {
        match byte {
            b'!'..=b'~' if !matches!(byte, b',' | b';' | b'%') => text.push(byte as char),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}
