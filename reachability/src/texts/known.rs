//! Effects of JDK methods on texts and classes.

/// A method of the JDK whose result or use is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Loads a class. The first parameter is its name.
    ClassByName,
    /// `Class.getMethod` and the like: receiver, name.
    MethodByName,
    /// `Lookup.find…`: class, name.
    HandleByName,
    /// `Lookup.bind`: object, name.
    HandleOfObject,
    /// Lists all methods of a class.
    Methods,
    /// Lists the classes that a class declares.
    Classes,
    /// Lists the fields of a class.
    Fields,
    /// Opens a file of the class path: receiver or first parameter, name.
    Resource,
    /// `Object.getClass`.
    ClassOf,
    /// A superclass of the receiver. Members of the receiver count with its members.
    Superclass,
    /// The name of a class.
    ClassName,
    /// The simple name of a class.
    SimpleName,
    /// The name of a package or of a class's package.
    PackageName,
    /// The package of a class.
    Package,
    /// The text of the receiver or of the first parameter, unchanged.
    Same,
    /// `String.concat`.
    Concat,
    /// `String.replace` of a character.
    Replace,
    /// `String.format`, `formatted`.
    Format,
    /// `String.join` of an array.
    Join,
    /// A constructor of a string builder.
    NewBuilder,
    /// `append` of a builder.
    Append,
    /// Another method that changes a builder.
    Edit,
    /// `toString` of a builder.
    Build,
}

/// The effect of a method, by class, name and descriptor.
pub(super) fn known(class: &[u8], name: &[u8], descriptor: &[u8]) -> Option<Known> {
    let builder = matches!(class, b"java/lang/StringBuilder" | b"java/lang/StringBuffer");
    Some(match (class, name) {
        (_, name) if crate::code::asks_for_class(name, descriptor) => Known::ClassByName,
        (b"java/lang/Class", b"getMethod" | b"getDeclaredMethod") => Known::MethodByName,
        (b"java/lang/Class", b"getMethods" | b"getDeclaredMethods" | b"getRecordComponents") => {
            Known::Methods
        }
        (b"java/lang/Class", b"getClasses" | b"getDeclaredClasses") => Known::Classes,
        (b"java/lang/Class", b"getFields" | b"getDeclaredFields") => Known::Fields,
        (b"java/lang/Class", b"getResourceAsStream" | b"getResource") => Known::Resource,
        (
            b"java/lang/ClassLoader",
            b"getResourceAsStream" | b"getResource" | b"getResources" | b"resources",
        ) => Known::Resource,
        (
            b"java/lang/ClassLoader",
            b"getSystemResourceAsStream" | b"getSystemResource" | b"getSystemResources",
        ) => Known::Resource,
        (b"java/lang/Class", b"getName" | b"getTypeName" | b"getCanonicalName") => Known::ClassName,
        (b"java/lang/Class", b"getSimpleName") => Known::SimpleName,
        (b"java/lang/Class", b"getPackageName") | (b"java/lang/Package", b"getName") => {
            Known::PackageName
        }
        (b"java/lang/Class", b"getPackage") => Known::Package,
        (b"java/lang/Class", b"getSuperclass" | b"asSubclass") => Known::Superclass,
        (
            b"java/lang/invoke/MethodHandles$Lookup",
            b"findVirtual" | b"findStatic" | b"findSpecial",
        ) => Known::HandleByName,
        (b"java/lang/invoke/MethodHandles$Lookup", b"bind") => Known::HandleOfObject,
        (_, b"getClass") if descriptor == b"()Ljava/lang/Class;" => Known::ClassOf,
        (b"java/lang/String", b"concat") => Known::Concat,
        (b"java/lang/String", b"replace") if descriptor == b"(CC)Ljava/lang/String;" => {
            Known::Replace
        }
        (b"java/lang/String", b"format" | b"formatted") => Known::Format,
        (b"java/lang/String", b"join") => Known::Join,
        (
            b"java/lang/String",
            b"toString" | b"intern" | b"trim" | b"strip" | b"valueOf" | b"<init>",
        ) => Known::Same,
        (b"java/util/Objects", b"requireNonNull" | b"toString") => Known::Same,
        (_, b"<init>") if builder => Known::NewBuilder,
        (_, b"append") if builder => Known::Append,
        (_, b"toString") if builder => Known::Build,
        (
            _,
            b"insert" | b"delete" | b"deleteCharAt" | b"replace" | b"reverse" | b"setLength"
            | b"setCharAt",
        ) if builder => Known::Edit,
        _ => return None,
    })
}
