//! Command lines for people to copy.

/// The words, quoted for a POSIX shell where they need it.
pub fn shell_words(words: &[impl AsRef<str>]) -> String {
    let is_plain = |word: &str| {
        !word.is_empty()
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c))
    };
    let quote = |word: &str| match is_plain(word) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    words.iter().map(|word| quote(word.as_ref())).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::shell_words;

    #[test]
    fn words_that_a_shell_would_change_are_quoted() {
        let words = ["-cp", "old build/app.jar", "a$b", "it's", ""];
        assert_eq!(shell_words(&words), r"-cp 'old build/app.jar' 'a$b' 'it'\''s' ''");
    }
}
