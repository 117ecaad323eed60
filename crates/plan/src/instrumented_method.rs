//! Instrumented methods.

use crate::{Digest, DigestHasher, LineRange, MethodId};
use serde::{Deserialize, Serialize};

/// A method or region with probes, as manifests and methods files describe it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstrumentedMethod {
    /// The id that its probes pass.
    pub id: MethodId,
    /// Unqualified name. Of a region [`LineRange::region_name`]: `run:12-20`. Of the resumptions of
    /// a method [`crate::resumption_name`]: `run:resumed`.
    pub name: String,
    /// Method descriptor.
    pub descriptor: String,
    /// The lowest line in the LineNumberTable. Of a region its first line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u16>,
    /// Code digest of the original method. Of a region [`InstrumentedMethod::region_digest`].
    pub digest: Digest,
    /// Whether the method is a root.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub root: bool,
    /// Whether the method is trivial: its time is below resolution.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trivial: bool,
    /// Whether the method calls something that waits for other threads.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub waits: bool,
    /// Whether Kotlin's coroutines enter the method again to resume it: its calls include that.
    /// Also of the row that counts this.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resumes: bool,
    /// Whether it has an entry probe alone, and is only counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub counted: bool,
    /// The lines, if it is a region.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region: Option<LineRange>,
}

impl InstrumentedMethod {
    /// The name of the method; of a region or of resumptions that of the method that it is in.
    pub fn method_name(&self) -> &str {
        if let Some(method) = self.resumed_method() {
            return method;
        }
        match self.region.and_then(|_| self.name.rsplit_once(':')) {
            Some((method, _)) => method,
            None => &self.name,
        }
    }

    /// The name of the method whose resumptions it stands for, if it does.
    pub fn resumed_method(&self) -> Option<&str> {
        crate::resumed_method(&self.name).filter(|_| self.resumes)
    }

    /// The row of the resumptions of this method.
    pub fn resumptions(&self, id: MethodId) -> Self {
        Self {
            id,
            name: crate::resumption_name(&self.name),
            root: false,
            trivial: false,
            waits: false,
            resumes: true,
            counted: true,
            region: None,
            ..self.clone()
        }
    }

    /// The digest of a region of a method: equal if the code is, and the lines lie alike in it.
    pub fn region_digest(method: Digest, first_line: Option<u16>, lines: LineRange) -> Digest {
        let base = i32::from(first_line.unwrap_or(0));
        let mut hasher = DigestHasher::default();
        hasher.word(method.0);
        for line in [lines.first(), lines.last()] {
            hasher.bytes(&(i32::from(line) - base).to_be_bytes());
        }
        hasher.finish()
    }
}
