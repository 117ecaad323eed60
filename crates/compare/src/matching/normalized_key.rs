//! Method keys without numbers that a compiler assigns.

use jfathom_plan::MethodKey;

/// The key with `#` for its numbers. None if it has no such number.
pub(super) fn normalized_key(key: &MethodKey) -> Option<MethodKey> {
    let class = class(&key.class);
    let name = name(&key.name);
    if class.is_none() && name.is_none() {
        return None;
    }
    Some(MethodKey {
        class: class.unwrap_or_else(|| key.class.clone()),
        name: name.unwrap_or_else(|| key.name.clone()),
        descriptor: key.descriptor.clone(),
    })
}

/// The numbers of a key, by which methods with equal code are sorted.
pub(super) fn number_of(key: &MethodKey) -> Vec<u64> {
    let text = [&*key.class, &*key.name].join("$");
    text.split('$').filter_map(|part| part.parse().ok()).collect()
}

/// `Engine$2` and `Engine$2Local` as `Engine$#` and `Engine$#Local`.
fn class(class: &str) -> Option<String> {
    let (outer, nested) = class.split_once('$')?;
    let part = |part: &str| {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() < part.len() { format!("#{rest}") } else { part.to_owned() }
    };
    let neutral = format!("{outer}${}", nested.split('$').map(part).collect::<Vec<_>>().join("$"));
    (neutral != class).then_some(neutral)
}

/// `lambda$run$3` as `lambda$run$#` (serializable ones have a hash before the number), `access$100`
/// as `access$#`.
fn name(name: &str) -> Option<String> {
    if let Some(number) = name.strip_prefix("access$") {
        return is_number(number).then(|| "access$#".to_owned());
    }
    let (of, number) = name.strip_prefix("lambda$")?.rsplit_once('$')?;
    let is_hash =
        |hash: &str| !hash.is_empty() && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let of = of.rsplit_once('$').filter(|(_, hash)| is_hash(hash)).map_or(of, |(of, _)| of);
    is_number(number).then(|| format!("lambda${of}$#"))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
