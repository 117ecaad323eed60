//! Call sites as class summaries have them: what each method of a class can call.

use classfile_writer::{ACC_PRIVATE, ACC_STATIC, ClassFile, MemberNames, PoolIx, Tag};
use jfathom_plan::{CallTraits, MethodCalls, NamedMethod, class_hash, signature_hash};

/// The calls of one class's methods, collected while their digests are made.
#[derive(Debug, Default)]
pub(crate) struct CallCollector {
    /// What each pool entry names; made when a call first uses it.
    named: Vec<Named>,
    /// Calls of the method so far.
    sites: Vec<NamedMethod>,
    traits: CallTraits,
}

/// What a pool entry means as the operand of a call.
#[derive(Clone, Copy, Debug, Default)]
enum Named {
    #[default]
    Unknown,
    /// A method of the JDK that calls no code of others.
    Leaf,
    Reflection,
    Method(NamedMethod),
}

/// Kinds of method handles that call something (JVMS 4.4.8).
const CALLING_KINDS: std::ops::RangeInclusive<u8> = 5..=9;

impl CallCollector {
    /// Begins with another class.
    pub(crate) fn begin(&mut self, class: &ClassFile<'_>) {
        self.named.clear();
        self.named.resize(usize::from(class.pool().count()), Named::Unknown);
        self.sites.clear();
        self.traits = CallTraits::default();
    }

    /// Adds a call by an invoke instruction with a method reference.
    #[inline]
    pub(crate) fn invoke(&mut self, class: &ClassFile<'_>, ix: PoolIx) {
        let named = match self.named.get(usize::from(ix.0)) {
            Some(Named::Unknown) => self.look_up(class, ix),
            Some(known) => *known,
            None => return,
        };
        match named {
            Named::Method(method) if self.sites.last() != Some(&method) => self.sites.push(method),
            Named::Method(_) | Named::Leaf | Named::Unknown => {}
            Named::Reflection => self.traits.set(CallTraits::REFLECTS, true),
        }
    }

    /// Adds a call by `invokedynamic`.
    #[inline]
    pub(crate) fn invoke_dynamic(&mut self) {
        self.traits.set(CallTraits::OUTSIDE, true);
    }

    #[inline(never)]
    fn look_up(&mut self, class: &ClassFile<'_>, ix: PoolIx) -> Named {
        let named = match class.pool().member_names(ix) {
            Ok(names) if is_leaf(&names) => Named::Leaf,
            Ok(names) if is_reflection(&names) => Named::Reflection,
            Ok(names) => Named::Method(named(&names)),
            Err(_) => Named::Leaf,
        };
        if let Some(entry) = self.named.get_mut(usize::from(ix.0)) {
            *entry = named;
        }
        named
    }

    /// Ends a method: its calls, each once.
    pub(crate) fn end_method(
        &mut self,
        name: &[u8],
        descriptor: &[u8],
        access: u16,
    ) -> MethodCalls {
        self.sites.sort_unstable();
        self.sites.dedup();
        let mut traits = std::mem::take(&mut self.traits);
        traits
            .set(CallTraits::FIXED, access & (ACC_PRIVATE | ACC_STATIC) != 0 || name == b"<init>");
        let calls = MethodCalls {
            signature: signature_hash(name, descriptor),
            traits,
            sites: self.sites.clone(),
        };
        self.sites.clear();
        calls
    }
}

/// The methods whose handles stand in a class's pool, each once.
pub(crate) fn handles(class: &ClassFile<'_>) -> Vec<NamedMethod> {
    let pool = class.pool();
    let handles = pool.entries().filter(|(_, tag)| *tag == Tag::MethodHandle);
    let methods = handles.filter_map(|(ix, _)| {
        let handle = pool.method_handle(ix).ok()?;
        let is_call = CALLING_KINDS.contains(&handle.kind);
        let names = is_call.then(|| pool.member_names(handle.reference).ok()).flatten()?;
        (!names.class.starts_with(b"java/lang/invoke/")).then(|| named(&names))
    });
    let mut methods: Vec<NamedMethod> = methods.collect();
    methods.sort_unstable();
    methods.dedup();
    methods
}

fn named(names: &MemberNames<'_>) -> NamedMethod {
    NamedMethod::new(class_hash(names.class), signature_hash(names.name, names.descriptor))
}

/// Whether a call can enter any method.
fn is_reflection(names: &MemberNames<'_>) -> bool {
    match names.class {
        b"java/lang/reflect/Method" => names.name == b"invoke",
        b"java/lang/reflect/Constructor" | b"java/lang/Class" => names.name == b"newInstance",
        b"java/lang/invoke/MethodHandle" => names.name.starts_with(b"invoke"),
        _ => false,
    }
}

/// Whether a call enters no code but the JDK's, whatever its arguments are: methods of final
/// classes that get numbers and texts alone. They are too many to be kept.
fn is_leaf(names: &MemberNames<'_>) -> bool {
    let Some(class) = names.class.strip_prefix(b"java/lang/") else { return false };
    match class {
        b"Object" => {
            matches!(names.name, b"<init>" | b"getClass" | b"notify" | b"notifyAll" | b"wait")
        }
        b"String" | b"StringBuilder" | b"StringBuffer" | b"Math" | b"StrictMath" | b"Integer"
        | b"Long" | b"Short" | b"Byte" | b"Character" | b"Boolean" | b"Float" | b"Double" => {
            names.name == b"equals" || takes_no_objects(names.descriptor)
        }
        b"System" => matches!(
            names.name,
            b"arraycopy" | b"nanoTime" | b"currentTimeMillis" | b"identityHashCode"
        ),
        b"Enum" => matches!(names.name, b"ordinal" | b"name"),
        _ => false,
    }
}

/// Whether the parameters are primitive, text, or arrays of them.
fn takes_no_objects(descriptor: &[u8]) -> bool {
    const FINAL: [&[u8]; 3] =
        [b"java/lang/String;", b"java/lang/Integer;", b"java/lang/StringBuilder;"];
    let mut rest = descriptor.strip_prefix(b"(").unwrap_or(descriptor);
    loop {
        match rest {
            [] | [b')', ..] => return true,
            [b'L', class @ ..] => {
                let known = FINAL.iter().find(|name| class.starts_with(name));
                let Some(name) = known else { return false };
                rest = class.get(name.len()..).unwrap_or_default();
            }
            [_, others @ ..] => rest = others,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_get_no_object_that_could_be_called() {
        let cases = [
            ("java/lang/Object", "<init>", "()V", true),
            ("java/lang/Object", "toString", "()Ljava/lang/String;", false),
            ("java/lang/StringBuilder", "append", "(I)Ljava/lang/StringBuilder;", true),
            ("java/lang/StringBuilder", "append", "([CII)Ljava/lang/StringBuilder;", true),
            (
                "java/lang/StringBuilder",
                "append",
                "(Ljava/lang/Object;)Ljava/lang/StringBuilder;",
                false,
            ),
            ("java/lang/String", "valueOf", "(Ljava/lang/Object;)Ljava/lang/String;", false),
            ("java/lang/String", "equals", "(Ljava/lang/Object;)Z", true),
            ("java/lang/String", "indexOf", "(Ljava/lang/String;I)I", true),
            ("java/lang/Throwable", "<init>", "()V", false),
            ("com/acme/Object", "<init>", "()V", false),
        ];
        for (class, name, descriptor, expected) in cases {
            let [class, name, descriptor] = [class, name, descriptor].map(str::as_bytes);
            let names = MemberNames { class, name, descriptor };
            assert_eq!(is_leaf(&names), expected, "{names:?}");
        }
    }
}
