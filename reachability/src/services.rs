//! Services and their providers, as containers declare them.

use classfile_writer::mutf8::decode_lossy;
use classfile_writer::{ClassFile, Error, PoolIx};

/// The services and providers in a `META-INF/services` file, as internal names, for
/// [`Query::services`](crate::Query). `entry` is the whole entry name. Empty for other entries.
pub fn provider_file(entry: &str, content: &[u8]) -> Vec<(String, String)> {
    let Some(service) = entry
        .strip_prefix("META-INF/services/")
        .filter(|service| !service.is_empty() && !service.contains('/'))
    else {
        return Vec::new();
    };
    let lines = content.split(|&b| b == b'\n' || b == b'\r').map(String::from_utf8_lossy);
    lines
        .filter_map(|line| {
            let provider = line.split('#').next().unwrap_or_default().trim();
            (!provider.is_empty()).then(|| (service.replace('.', "/"), provider.replace('.', "/")))
        })
        .collect()
}

/// The services and providers that a `module-info.class` declares by `provides` (JVMS 4.7.25), as
/// internal names.
///
/// # Errors
/// Fails if the class file is malformed. If the Module attribute ends too early, its beginning
/// counts.
pub fn module_provides(bytes: &[u8]) -> Result<Vec<(String, String)>, Error> {
    let class = ClassFile::parse(bytes)?;
    let mut found = Vec::new();
    if let Some(attribute) = class.attributes().find(b"Module") {
        let mut words =
            attribute.info.as_chunks::<2>().0.iter().map(|&word| u16::from_be_bytes(word));
        let _cut_off = provides(&class, &mut words, &mut found);
    }
    Ok(found)
}

fn provides(
    class: &ClassFile<'_>,
    words: &mut dyn Iterator<Item = u16>,
    found: &mut Vec<(String, String)>,
) -> Option<()> {
    let skip = |words: &mut dyn Iterator<Item = u16>, count: u32| {
        (0..count).try_for_each(|_| words.next().map(drop))
    };
    // First name, flags and version of the module, then three words per required module.
    skip(words, 3)?;
    let requires = words.next()?;
    skip(words, 3 * u32::from(requires))?;
    for _exports_then_opens in 0..2 {
        for _ in 0..words.next()? {
            skip(words, 2)?;
            let to = words.next()?;
            skip(words, u32::from(to))?;
        }
    }
    let uses = words.next()?;
    skip(words, u32::from(uses))?;
    let name =
        |ix| class.pool().class_name(PoolIx(ix)).ok().map(|name| decode_lossy(name).into_owned());
    for _ in 0..words.next()? {
        let service = name(words.next()?);
        for _ in 0..words.next()? {
            let provider = name(words.next()?);
            found.extend(service.clone().zip(provider));
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn provider_files_have_comments_blanks_and_a_place() {
        let text = b"# a comment\n\n  a.b.First  # the first\r\nSecond\n";
        let both = [
            ("x/Service".to_owned(), "a/b/First".to_owned()),
            ("x/Service".to_owned(), "Second".to_owned()),
        ];
        assert_eq!(provider_file("META-INF/services/x.Service", text), both);
        assert!(provider_file("META-INF/services/sub/x.Service", text).is_empty());
        assert!(provider_file("META-INF/MANIFEST.MF", text).is_empty());
    }
}
