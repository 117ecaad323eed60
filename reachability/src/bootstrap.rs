//! Bootstrap methods (JVMS 4.7.23), and the calls of dynamic call sites and constants.

use crate::code::Reader;
use crate::{Fact, Lambda, NameId};
use classfile_writer::{ClassFile, Error, PoolIx, Tag, opcode};

/// Bound on the nesting of dynamic constants as arguments.
const MAX_DEPTH: u32 = 8;
/// Flags of `LambdaMetafactory.altMetafactory`.
const FLAG_SERIALIZABLE: i32 = 1;
const FLAG_MARKERS: i32 = 2;
const FLAG_BRIDGES: i32 = 4;

/// The user of a bootstrap method.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Site {
    /// `invokedynamic`.
    Call,
    /// A dynamically computed constant.
    Constant,
}

/// The rows of the `BootstrapMethods` attribute: method handle, then its static arguments.
pub(crate) struct Bootstraps<'c> {
    rows: Vec<(PoolIx, &'c [u8])>,
}

impl<'c> Bootstraps<'c> {
    /// The rows of a class, as far as they lie inside the attribute.
    pub(crate) fn of(class: &'c ClassFile<'c>) -> Self {
        let mut rows = Vec::new();
        if let Some(attribute) = class.attributes().find(b"BootstrapMethods") {
            let mut rest = attribute.info.get(2..).unwrap_or_default();
            while let Some((&[h, l, high, low], tail)) = rest.split_first_chunk() {
                let Some((arguments, tail)) =
                    tail.split_at_checked(2 * usize::from(u16::from_be_bytes([high, low])))
                else {
                    break;
                };
                rows.push((PoolIx(u16::from_be_bytes([h, l])), arguments));
                rest = tail;
            }
        }
        Self { rows }
    }

    /// The bootstrap method at this position, and its static arguments.
    pub(crate) fn row(&self, at: u16) -> Option<(PoolIx, impl Iterator<Item = PoolIx> + use<'c>)> {
        let &(bootstrap, arguments) = self.rows.get(usize::from(at))?;
        Some((bootstrap, indices(arguments)))
    }

    /// Lists the facts of a `Dynamic` or `InvokeDynamic` entry.
    pub(crate) fn list(
        &self,
        reader: &mut Reader<'_, '_>,
        ix: PoolIx,
        site: Site,
    ) -> Result<(), Error> {
        self.list_at(reader, ix, site, 0)
    }

    fn list_at(
        &self,
        reader: &mut Reader<'_, '_>,
        ix: PoolIx,
        site: Site,
        depth: u32,
    ) -> Result<(), Error> {
        let pool = reader.class.pool();
        let dynamic = pool.dynamic(ix)?;
        let Some(&(bootstrap, arguments)) = self.rows.get(usize::from(dynamic.bootstrap)) else {
            return Ok(());
        };
        if depth > MAX_DEPTH {
            return Ok(());
        }
        let name_and_type = pool.name_and_type(dynamic.name_and_type)?;
        let (name, descriptor) =
            (pool.utf8(name_and_type.name)?, pool.utf8(name_and_type.descriptor)?);
        let method = pool.member_names(pool.method_handle(bootstrap)?.reference)?;
        match (method.class, method.name) {
            (b"java/lang/invoke/LambdaMetafactory", b"metafactory" | b"altMetafactory")
                if site == Site::Call =>
            {
                return lambda(reader, name, descriptor, arguments);
            }
            (b"java/lang/invoke/StringConcatFactory", _) => {
                for class in classes(split(descriptor).0) {
                    converted(reader, class, b"toString", b"()Ljava/lang/String;");
                }
            }
            (b"java/lang/runtime/ObjectMethods", b"bootstrap") => {
                let called: Option<(&[u8], &[u8])> = match name {
                    b"toString" => Some((b"toString", b"()Ljava/lang/String;")),
                    b"hashCode" => Some((b"hashCode", b"()I")),
                    b"equals" => Some((b"equals", b"(Ljava/lang/Object;)Z")),
                    _ => None,
                };
                for ix in indices(arguments).filter(|&ix| pool.tag(ix) == Some(Tag::MethodHandle)) {
                    let getter = pool.member_names(pool.method_handle(ix)?.reference)?;
                    if let (Some((name, descriptor)), Some(class)) =
                        (called, classes(getter.descriptor).next())
                    {
                        converted(reader, class, name, descriptor);
                    }
                }
                return Ok(());
            }
            (b"java/lang/runtime/SwitchBootstraps", _) => {}
            _ => {
                let handle = reader.handle(bootstrap)?;
                reader.out.facts.push(Fact::Handle(handle));
            }
        }
        for ix in indices(arguments) {
            match pool.tag(ix) {
                Some(Tag::MethodHandle) => {
                    let handle = reader.handle(ix)?;
                    reader.out.facts.push(Fact::Handle(handle));
                }
                // Once per method, or constants that share constants would take exponential time.
                Some(Tag::Dynamic) if reader.first(ix, opcode::LDC) => {
                    self.list_at(reader, ix, Site::Constant, depth + 1)?;
                }
                Some(Tag::Class) => {
                    let name = reader.names.intern(pool.class_name(ix)?);
                    reader.out.facts.push(Fact::ClassConstant(name));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Lists a call by generated code of the JDK on a value of class `class`.
fn converted(reader: &mut Reader<'_, '_>, class: &[u8], name: &[u8], descriptor: &[u8]) {
    let owner = reader.names.intern(class);
    let sig = reader.names.sig_of(name, descriptor);
    reader.out.facts.push(Fact::Generated(owner, sig));
}

fn lambda(
    reader: &mut Reader<'_, '_>,
    name: &[u8],
    descriptor: &[u8],
    arguments: &[u8],
) -> Result<(), Error> {
    let pool = reader.class.pool();
    let mut rest = indices(arguments);
    let (Some(erased), Some(target)) = (rest.next(), rest.next()) else { return Ok(()) };
    let target = reader.handle(target)?;
    let erased = pool.method_type(erased)?;
    let interface = classes(split(descriptor).1).next().unwrap_or_default();
    let mut interfaces: Vec<NameId> = vec![reader.names.intern(interface)];
    let mut methods = vec![reader.names.sig_of(name, erased)];
    let _instantiated = rest.next();
    if let Some(flags) = rest.next() {
        let flags = pool.integer(flags)?;
        let counted = |rest: &mut dyn Iterator<Item = PoolIx>| -> Result<Vec<PoolIx>, Error> {
            let Some(count) = rest.next() else { return Ok(Vec::new()) };
            let count = usize::try_from(pool.integer(count)?).unwrap_or(0);
            Ok(rest.take(count).collect())
        };
        if flags & FLAG_SERIALIZABLE != 0 {
            interfaces.push(reader.names.intern(b"java/io/Serializable"));
        }
        if flags & FLAG_MARKERS != 0 {
            for ix in counted(&mut rest)? {
                interfaces.push(reader.names.intern(pool.class_name(ix)?));
            }
        }
        if flags & FLAG_BRIDGES != 0 {
            for ix in counted(&mut rest)? {
                methods.push(reader.names.sig_of(name, pool.method_type(ix)?));
            }
        }
    }
    let number = reader.out.lambdas.len() as u32;
    reader.out.lambdas.push(Lambda { interfaces, methods, target });
    reader.out.facts.push(Fact::Lambda(number));
    Ok(())
}

fn indices(arguments: &[u8]) -> impl Iterator<Item = PoolIx> + '_ {
    arguments.as_chunks::<2>().0.iter().map(|&pair| PoolIx(u16::from_be_bytes(pair)))
}

/// Parameters and result of a method descriptor.
pub(crate) fn split(descriptor: &[u8]) -> (&[u8], &[u8]) {
    match descriptor.iter().position(|&b| b == b')') {
        Some(at) => (
            descriptor.get(1..at).unwrap_or_default(),
            descriptor.get(at + 1..).unwrap_or_default(),
        ),
        None => (&[], &[]),
    }
}

/// The classes among consecutive field descriptors, without arrays.
fn classes(descriptors: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = descriptors;
    std::iter::from_fn(move || {
        loop {
            let dimensions = rest.iter().take_while(|&&b| b == b'[').count();
            let tail = rest.get(dimensions..)?;
            let (&first, after) = tail.split_first()?;
            if first != b'L' {
                rest = after;
                continue;
            }
            let end = after.iter().position(|&b| b == b';')?;
            rest = after.get(end + 1..).unwrap_or_default();
            if dimensions == 0 {
                return after.get(..end);
            }
        }
    })
}
