//! Messages on the socket: version 1 of the protocol, which all HotSpot JVMs speak.

use super::AttachError;
use std::path::PathBuf;

/// The longest argument that a JVM reads, in bytes with the zero at its end.
const ARGUMENT_LIMIT: usize = 1024;

/// The longest answer that is read, in bytes.
pub(super) const ANSWER_LIMIT: u64 = 64 << 10;

/// An answer: the JVM's code, zero where it knows the command, and what the command printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub code: i32,
    pub text: String,
}

/// The bytes of a command: version, name and exactly three arguments, each ended by a zero byte.
pub(super) fn request(command: &str, arguments: [&str; 3]) -> Result<Vec<u8>, AttachError> {
    let mut bytes = Vec::new();
    for word in ["1", command].into_iter().chain(arguments) {
        if word.len() >= ARGUMENT_LIMIT {
            return Err(AttachError::TooLong(word.len()));
        }
        if word.contains('\0') {
            return Err(AttachError::Library(
                PathBuf::from(command),
                "a zero byte in an argument".into(),
            ));
        }
        bytes.extend_from_slice(word.as_bytes());
        bytes.push(0);
    }
    Ok(bytes)
}

/// Reads an answer: a decimal number and a newline, then text.
pub(super) fn answer(pid: u32, bytes: &[u8]) -> Result<Answer, AttachError> {
    let text = String::from_utf8_lossy(bytes);
    let (code, rest) = text.split_once('\n').unwrap_or((&text, ""));
    match code.trim().parse() {
        Ok(code) => Ok(Answer { code, text: rest.trim_end().to_owned() }),
        Err(_) => Err(AttachError::Answer(pid, text.chars().take(200).collect())),
    }
}

/// Prefix of the result of `Agent_OnAttach` in the answer of a JVM (JDK 9 and later).
const RETURN_CODE: &str = "return code:";

/// Checks that the command `load` succeeded.
pub(super) fn loaded(pid: u32, answer: &Answer) -> Result<(), AttachError> {
    let text = &answer.text;
    if text.contains("Dynamic agent loading is not enabled") {
        return Err(AttachError::NoDynamicAgents(pid));
    }
    let returned = text.lines().find_map(|line| line.trim().strip_prefix(RETURN_CODE));
    match returned.map(|code| code.trim().parse::<i32>()) {
        Some(Ok(0)) if answer.code == 0 => Ok(()),
        Some(Ok(0)) => Err(AttachError::Agent { pid, code: answer.code }),
        Some(Ok(code)) => Err(AttachError::Agent { pid, code }),
        Some(Err(_)) => Err(AttachError::Answer(pid, text.clone())),
        None if text.is_empty() => {
            Err(AttachError::NotLoaded { pid, text: format!("code {}", answer.code) })
        }
        None => Err(AttachError::NotLoaded { pid, text: text.clone() }),
    }
}
