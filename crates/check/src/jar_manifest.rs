//! A jar's manifest (JAR specification, "JAR Manifest"): what it says, not how its lines are
//! folded.

/// A section's attributes: names and values.
type Section = Vec<(String, Vec<u8>)>;

/// Attributes and the words that they get where the runtime asks for access: to native code, and to
/// the packages of the JDK that know the carriers of virtual threads.
const ACCESS: [(&str, &[&[u8]]); 2] = [
    ("enable-native-access", &[b"ALL-UNNAMED"]),
    ("add-exports", &[b"java.base/jdk.internal.access", b"java.base/jdk.internal.vm"]),
];

/// Whether the entry is a jar's manifest.
pub(crate) fn is_manifest(name: &str) -> bool {
    name.eq_ignore_ascii_case("META-INF/MANIFEST.MF")
}

/// What differs that was not asked for: the words of [`ACCESS`] with `access`, and the digests of a
/// signer where the jar is `unsigned` now.
pub(crate) fn differs(old: &[u8], new: &[u8], access: bool, unsigned: bool) -> Option<String> {
    let (mut olds, mut news) = (sections(old), sections(new));
    let take = |sections: &mut Vec<Section>| match sections.is_empty() {
        true => Section::new(),
        false => sections.remove(0),
    };
    let (mut old_main, mut new_main) = (take(&mut olds), take(&mut news));
    // A manifest that is made anew says its version.
    if old.is_empty() {
        new_main.retain(|(name, _)| name != "manifest-version");
    }
    for (attribute, words) in ACCESS.iter().filter(|_| access) {
        let (old, new) = (pull(&mut old_main, attribute), pull(&mut new_main, attribute));
        let mut wanted = old.unwrap_or_default();
        for word in *words {
            if wanted.split(u8::is_ascii_whitespace).any(|known| known == *word) {
                continue;
            }
            let end = wanted.trim_ascii_end().len();
            wanted.truncate(end);
            if !wanted.is_empty() {
                wanted.push(b' ');
            }
            wanted.extend_from_slice(word);
        }
        if new.as_ref() != Some(&wanted) {
            return Some(format!("its {attribute} is not what was asked for"));
        }
    }
    if old_main != new_main {
        return Some("its main attributes are not what they were".to_owned());
    }
    if unsigned {
        olds.iter_mut().for_each(|section| section.retain(|(name, _)| !is_digest(name)));
        olds.retain(|section| section.iter().any(|(name, _)| name != "name"));
        news.retain(|section| section.iter().any(|(name, _)| name != "name"));
    }
    (olds != news).then(|| "its sections are not what they were".to_owned())
}

fn is_digest(name: &str) -> bool {
    name.ends_with("-digest") || name.contains("-digest-")
}

/// Takes an attribute out of a section.
fn pull(section: &mut Section, attribute: &str) -> Option<Vec<u8>> {
    let at = section.iter().position(|(name, _)| name == attribute)?;
    Some(section.remove(at).1)
}

/// The sections that hold anything; names of attributes in small letters, for they are the same in
/// all.
fn sections(manifest: &[u8]) -> Vec<Section> {
    let mut sections = vec![Section::new()];
    let mut rest = manifest;
    while !rest.is_empty() {
        let end = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(rest.len());
        let (line, behind) = rest.split_at(end);
        rest = behind.strip_prefix(b"\r\n").or_else(|| behind.get(1..)).unwrap_or_default();
        let Some(section) = sections.last_mut() else { break };
        match (line, line.strip_prefix(b" ")) {
            ([], _) if !section.is_empty() => sections.push(Section::new()),
            ([], _) => {}
            (_, Some(more)) => {
                if let Some((_, value)) = section.last_mut() {
                    value.extend_from_slice(more);
                }
            }
            (line, None) => {
                let colon = line.iter().position(|&byte| byte == b':').unwrap_or(line.len());
                let (name, value) = line.split_at(colon);
                let value = value
                    .strip_prefix(b": ")
                    .or_else(|| value.strip_prefix(b":"))
                    .unwrap_or_default();
                section.push((String::from_utf8_lossy(name).to_ascii_lowercase(), value.to_vec()));
            }
        }
    }
    sections.retain(|section| !section.is_empty());
    sections
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_asked_for_may_differ() {
        let plain: &[u8] = b"Manifest-Version: 1.0\r\nMain-Class: a.very.long.na\r\n \
            me\r\n\r\nName: a\r\nX: 1\r\n";
        let folded_otherwise: &[u8] =
            b"Manifest-Version: 1.0\nMain-Class: a.very.long.name\n\nName: a\nX: 1\n";
        let with_access: &[u8] =
            b"Manifest-Version: 1.0\nMain-Class: a.very.long.name\nEnable-Native-Access: \
             ALL-UNNAMED\nAdd-Exports: java.base/jdk.internal.access \
             java.base/jdk.internal.vm\n\nName: a\nX: 1\n";
        assert_eq!(differs(plain, folded_otherwise, false, false), None);
        assert_eq!(differs(plain, with_access, true, false), None);
        assert!(differs(plain, with_access, false, false).is_some());
        assert!(differs(plain, folded_otherwise, true, false).is_some(), "the word is missing");
        assert!(
            differs(
                plain,
                b"Manifest-Version: 1.0\nMain-Class: b\n\nName: a\nX: 1\n",
                false,
                false
            )
            .is_some()
        );
        assert!(
            differs(plain, b"Manifest-Version: 1.0\nMain-Class: a.very.long.name\n", false, false)
                .is_some()
        );
        let signed: &[u8] = b"Manifest-Version: 1.0\n\nName: a\nSHA-256-Digest: xx\n\nName: b\nX: \
             1\nSHA-256-Digest: xx\n";
        let unsigned: &[u8] = b"Manifest-Version: 1.0\n\nName: b\nX: 1\n";
        assert_eq!(differs(signed, unsigned, false, true), None);
        assert!(differs(signed, unsigned, false, false).is_some());
        assert_eq!(
            differs(
                b"",
                b"Manifest-Version: 1.0\nEnable-Native-Access: ALL-UNNAMED\nAdd-Exports: \
                  java.base/jdk.internal.access java.base/jdk.internal.vm\n",
                true,
                false
            ),
            None
        );
    }
}
