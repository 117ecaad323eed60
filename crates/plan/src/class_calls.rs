//! What the code of a class can call, by the call sites of its class file.
//!
//! Names are hashes of 32 bits: profiles ask only whether a call is possible, and a rewritten jar
//! must stay small.

use crate::DigestHasher;
use serde::{Deserialize, Serialize};

/// What the methods of one class can call, and the types above the class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassCalls {
    /// Internal name of the superclass; none if it is `java/lang/Object`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub super_class: Option<String>,
    /// Internal names of the direct superinterfaces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interfaces: Vec<String>,
    /// Its methods that are not abstract, with probes or without, in class-file order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub methods: Vec<MethodCalls>,
    /// Methods whose handles stand in its constant pool: bodies of lambdas, method references.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub handles: Vec<NamedMethod>,
}

/// What the code of one method can call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodCalls {
    /// Its [`signature_hash`].
    pub signature: u32,
    /// Kinds of calls beside `sites`, and of the method.
    pub traits: CallTraits,
    /// The methods that its call sites name, each once, ascending.
    pub sites: Vec<NamedMethod>,
}

/// A method as a call site names it (JVMS 6.5): the method that is called may be that of a
/// superclass or a subclass. The [`class_hash`] is above the [`signature_hash`].
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct NamedMethod(pub u64);

/// Properties of a method beside its call sites.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallTraits(pub u8);

impl CallTraits {
    /// It calls code that is not among `sites`: by `invokedynamic`, natively, or by sites that were
    /// left out since they name methods of the JDK.
    pub const OUTSIDE: Self = Self(1);
    /// It calls what can enter any method: `Method.invoke` and the like.
    pub const REFLECTS: Self = Self(2);
    /// No other method's call can lead to it by overriding: it is private, static or a constructor.
    pub const FIXED: Self = Self(4);

    /// All bits that have a meaning.
    pub const ALL: Self = Self(7);

    /// Whether it has all of these.
    pub const fn has(self, traits: Self) -> bool {
        self.0 & traits.0 == traits.0
    }

    /// Adds these if `is` holds.
    pub const fn set(&mut self, traits: Self, is: bool) {
        if is {
            self.0 |= traits.0;
        }
    }
}

impl NamedMethod {
    /// A method of a class.
    pub const fn new(class: u32, signature: u32) -> Self {
        Self((class as u64) << 32 | signature as u64)
    }

    /// The [`class_hash`].
    pub const fn class(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The [`signature_hash`].
    pub const fn signature(self) -> u32 {
        self.0 as u32
    }

    /// Whether the class is the JDK's.
    pub const fn is_of_jdk(self) -> bool {
        is_jdk(self.class())
    }
}

impl ClassCalls {
    /// The same without sites that name methods of the JDK, unless `has_probes` says that a method
    /// with this signature has probes. They become calls outside.
    pub fn without_jdk(&self, has_probes: impl Fn(u32) -> bool) -> Self {
        let is_wanted = |site: &&NamedMethod| !site.is_of_jdk() || has_probes(site.signature());
        let method = |method: &MethodCalls| {
            let sites: Vec<NamedMethod> = method.sites.iter().filter(is_wanted).copied().collect();
            let mut traits = method.traits;
            traits.set(CallTraits::OUTSIDE, sites.len() < method.sites.len());
            MethodCalls { signature: method.signature, traits, sites }
        };
        Self {
            super_class: self.super_class.clone(),
            interfaces: self.interfaces.clone(),
            methods: self.methods.iter().map(method).collect(),
            handles: self.handles.iter().filter(is_wanted).copied().collect(),
        }
    }
}

/// The hash of an internal class name. The lowest bit tells whether it is the JDK's.
pub fn class_hash(name: &[u8]) -> u32 {
    let mut hasher = DigestHasher::default();
    hasher.bytes(name);
    (hasher.finish().0 as u32) & !1 | u32::from(is_jdk_name(name))
}

/// Whether the class with this [`class_hash`] is the JDK's.
pub const fn is_jdk(class_hash: u32) -> bool {
    class_hash & 1 != 0
}

/// The hash of a method's name and descriptor.
pub fn signature_hash(name: &[u8], descriptor: &[u8]) -> u32 {
    let mut hasher = DigestHasher::default();
    hasher.bytes(name);
    hasher.bytes(descriptor);
    hasher.finish().0 as u32
}

/// Whether a class of this internal name is the JDK's, as far as the name tells. Arrays have its
/// methods alone.
fn is_jdk_name(name: &[u8]) -> bool {
    const PACKAGES: [&[u8]; 5] = [b"java/", b"javax/", b"jdk/", b"sun/", b"com/sun/"];
    name.first() == Some(&b'[') || PACKAGES.iter().any(|package| name.starts_with(package))
}
