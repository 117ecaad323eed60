//! Words for the shell of another machine.

use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
};

/// The command line that runs a script with these words, for a login shell: it has nothing but
/// plain words and single quotes.
pub(super) fn command(script: &str, words: &[&OsStr]) -> OsString {
    let mut command = b"exec sh -c ".to_vec();
    push_quoted(&mut command, script.as_bytes());
    command.extend(b" jfathom");
    for word in words {
        command.push(b' ');
        push_quoted(&mut command, word.as_bytes());
    }
    OsString::from_vec(command)
}

/// Adds a word in single quotes, between which only the quote itself means something.
fn push_quoted(command: &mut Vec<u8>, word: &[u8]) {
    command.push(b'\'');
    for byte in word {
        match byte {
            b'\'' => command.extend(br"'\''"),
            byte => command.push(*byte),
        }
    }
    command.push(b'\'');
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn words_are_quoted() {
        let command = command("a 'b'", &["".as_ref(), "-x".as_ref(), "it's $HOME".as_ref()]);
        assert_eq!(command, r"exec sh -c 'a '\''b'\''' jfathom '' '-x' 'it'\''s $HOME'");
    }

    #[test]
    fn a_shell_reads_what_was_quoted() {
        let all = (1..=255).collect::<Vec<u8>>();
        let words = ["", "-n", "a'b''", "\n", " x\t", "$(x)`y`", "*", "\\", "!!", "#", "ü\u{202e}"];
        let mut words: Vec<OsString> = words.map(OsString::from).to_vec();
        words.push(OsString::from_vec(all));
        let given: Vec<&OsStr> = words.iter().map(|word| &**word).collect();
        let line = command(r#"printf '%s\0' "$@""#, &given);
        let output = Command::new("sh").arg("-c").arg(line).output().unwrap();
        let expected: Vec<Vec<u8>> =
            words.iter().map(|word| [word.as_bytes(), b"\0"].concat()).collect();
        assert_eq!(output.stdout, expected.concat());
    }
}
