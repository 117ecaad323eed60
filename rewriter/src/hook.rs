//! Hooks in the JDK's reflective methods. Through them a live session follows reflective calls
//! beneath a root. They record nothing.

use crate::skips::{class_skip, text};
use classfile_writer::{
    Assembly, Bci, ClassFile, Error, Landing, Member, PoolTail, Scan, Splice, opcode,
};
use jfathom_plan::{Skip, SkipReason, probe};

/// A method that gets a hook as its first instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hook {
    /// Internal name of its class.
    pub class: &'static str,
    /// Unqualified name.
    pub method: &'static str,
    /// The method descriptor's part up to the closing parenthesis.
    pub parameters: &'static str,
    /// What the hook passes on.
    pub kind: HookKind,
}

/// What a hook passes on: always the method's own arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookKind {
    /// `this`: a Method or Constructor that is called.
    Invoked,
    /// The first argument: a Method or Constructor that becomes a method handle.
    Unreflected,
    /// Class, name and method type: the first three arguments.
    LookedUp,
    /// Class and method type of a constructor: the first two arguments.
    ConstructorLookedUp,
    /// Receiver, name and method type: the first three arguments.
    Bound,
}

const METHOD: &str = "java/lang/reflect/Method";
const CONSTRUCTOR: &str = "java/lang/reflect/Constructor";
const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";

const fn hook(
    class: &'static str,
    method: &'static str,
    parameters: &'static str,
    kind: HookKind,
) -> Hook {
    Hook { class, method, parameters, kind }
}

const NAMED: &str = "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;";

/// The hooked methods of JDK 11, 17, 21 and 25, by class. Not every JDK has all of them. From JDK
/// 12 on `Constructor.newInstance` calls `newInstanceWithCaller`; other methods call that one
/// directly.
pub const HOOKS: &[Hook] = &[
    hook(METHOD, "invoke", "(Ljava/lang/Object;[Ljava/lang/Object;", HookKind::Invoked),
    hook(CONSTRUCTOR, "newInstance", "([Ljava/lang/Object;", HookKind::Invoked),
    hook(
        CONSTRUCTOR,
        "newInstanceWithCaller",
        "([Ljava/lang/Object;ZLjava/lang/Class;",
        HookKind::Invoked,
    ),
    hook(LOOKUP, "findVirtual", NAMED, HookKind::LookedUp),
    hook(LOOKUP, "findStatic", NAMED, HookKind::LookedUp),
    hook(
        LOOKUP,
        "findSpecial",
        "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/Class;",
        HookKind::LookedUp,
    ),
    hook(
        LOOKUP,
        "findConstructor",
        "(Ljava/lang/Class;Ljava/lang/invoke/MethodType;",
        HookKind::ConstructorLookedUp,
    ),
    hook(
        LOOKUP,
        "bind",
        "(Ljava/lang/Object;Ljava/lang/String;Ljava/lang/invoke/MethodType;",
        HookKind::Bound,
    ),
    hook(LOOKUP, "unreflect", "(Ljava/lang/reflect/Method;", HookKind::Unreflected),
    hook(
        LOOKUP,
        "unreflectSpecial",
        "(Ljava/lang/reflect/Method;Ljava/lang/Class;",
        HookKind::Unreflected,
    ),
    hook(LOOKUP, "unreflectConstructor", "(Ljava/lang/reflect/Constructor;", HookKind::Unreflected),
];

impl HookKind {
    /// Method and descriptor of [`probe::HOOKS_CLASS`], and the local variables that are passed.
    fn call(self) -> (&'static str, &'static str, &'static [u8]) {
        match self {
            Self::Invoked => (probe::INVOKED, probe::MEMBER_DESCRIPTOR, &[opcode::ALOAD_0]),
            Self::Unreflected => (probe::UNREFLECTED, probe::MEMBER_DESCRIPTOR, &[opcode::ALOAD_1]),
            Self::LookedUp => (probe::LOOKED_UP, probe::LOOKED_UP_DESCRIPTOR, THREE),
            Self::ConstructorLookedUp => (
                probe::CONSTRUCTOR_LOOKED_UP,
                probe::CONSTRUCTOR_LOOKED_UP_DESCRIPTOR,
                &[opcode::ALOAD_1, opcode::ALOAD_2],
            ),
            Self::Bound => (probe::BOUND, probe::BOUND_DESCRIPTOR, THREE),
        }
    }
}

const THREE: &[u8] = &[opcode::ALOAD_1, opcode::ALOAD_2, opcode::ALOAD_3];

/// The class with a call of [`probe::HOOKS_CLASS`] first in each method that `hooks` names for it.
/// Nothing else changes. The class need not have all of the methods; [`installed_hooks`] tells
/// which it has.
///
/// `class_file` may have probes already. `hooks` is usually [`HOOKS`].
///
/// # Errors
/// The class has none of the methods, or cannot be read or written.
pub fn add_hooks(class_file: &[u8], hooks: &[Hook]) -> Result<Vec<u8>, Skip> {
    let class = ClassFile::parse(class_file).map_err(|error| class_skip(class_file, &error))?;
    let mut out = Vec::new();
    let found = splice(&class, hooks, &mut out).map_err(|error| class_skip(class_file, &error))?;
    if found == 0 {
        let class = class.name().map(text).unwrap_or_default();
        let detail = Some("none of its methods is to be hooked".to_owned());
        return Err(Skip { class, method: None, reason: SkipReason::Malformed, detail });
    }
    Ok(out)
}

/// The methods of the class that `hooks` names, each with its descriptor, in class-file order.
pub fn installed_hooks(class_file: &[u8], hooks: &[Hook]) -> Vec<String> {
    let Ok(class) = ClassFile::parse(class_file) else { return Vec::new() };
    let found = class.methods().filter(|member| find(&class, member, hooks).is_some());
    found.map(|member| format!("{}{}", text(member.name), text(member.descriptor))).collect()
}

fn find<'h>(class: &ClassFile<'_>, member: &Member<'_>, hooks: &'h [Hook]) -> Option<&'h Hook> {
    let name = class.name().ok()?;
    hooks.iter().find(|hook| {
        let parameters = member.descriptor.strip_prefix(hook.parameters.as_bytes());
        hook.class.as_bytes() == name
            && hook.method.as_bytes() == member.name
            && parameters.is_some_and(|rest| rest.starts_with(b")"))
    })
}

fn splice(class: &ClassFile<'_>, hooks: &[Hook], out: &mut Vec<u8>) -> Result<usize, Error> {
    let mut pool = PoolTail::new(class.pool());
    let mut assembly = Assembly::new();
    let (mut splice, mut scan) = (Splice::new(), Scan::new());
    let mut found = 0;
    for member in class.methods() {
        let Some(hook) = find(class, &member, hooks) else { continue };
        let Some(code) = member.code()? else { continue };
        let (name, descriptor, arguments) = hook.kind.call();
        let callee =
            pool.methodref(probe::HOOKS_CLASS.as_bytes(), name.as_bytes(), descriptor.as_bytes())?;
        let [high, low] = callee.0.to_be_bytes();
        let call = [arguments, &[opcode::INVOKESTATIC, high, low]].concat();
        splice.clear();
        splice.insert(Bci(0), &call, Landing::After);
        splice.need_stack(arguments.len() as u16);
        scan.run(&code, false)?;
        assembly.replace_with(code.range(), |out| {
            splice.apply(&member, &code, &scan, &mut pool, out)
        })?;
        found += 1;
    }
    assembly.finish(class, &pool, out)?;
    Ok(found)
}
