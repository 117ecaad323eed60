//! The JVM's own recorder, JFR, by its Java API (package `jdk.jfr`).

use crate::ffi::{Jni, JniError, Local, Value};
use jfathom_session::JfrStart;
use std::ffi::CStr;
use std::path::Path;

/// Why JFR does not record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecorderError {
    /// The JVM has no such class or method: it is without JFR.
    Lacks(&'static CStr),
    /// The Java heap is full.
    OutOfMemory,
    /// JFR refuses.
    Call(JniError),
}

impl std::fmt::Display for RecorderError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Lacks(name) => write!(f, "the JVM has no {}", name.to_string_lossy()),
            Self::OutOfMemory => f.write_str("no memory in the Java heap"),
            Self::Call(error) => error.fmt(f),
        }
    }
}

/// Starts a recording, whose file is written when the JVM ends.
///
/// # Errors
/// Fails if the JVM has no JFR, or JFR does not take the settings or the file.
pub fn start(jni: Jni<'_>, start: &JfrStart, pid: u32) -> Result<(), RecorderError> {
    if let Some(depth) = start.stack_depth {
        set_stack_depth(jni, depth)?;
    }
    let settings = path(jni, &start.settings)?;
    let file = path(jni, &start.file(pid))?;
    let configuration = static_object(
        jni,
        c"jdk/jfr/Configuration",
        c"create",
        c"(Ljava/nio/file/Path;)Ljdk/jfr/Configuration;",
        &[object(&settings)],
    )?;
    let class = class(jni, c"jdk/jfr/Recording")?;
    let constructor = jni.method(class.get(), c"<init>", c"(Ljdk/jfr/Configuration;)V");
    let constructor = constructor.ok_or(RecorderError::Lacks(c"constructor of Recording"))?;
    let recording = jni
        .new_object(class.get(), constructor, &[object(&configuration)])
        .map_err(RecorderError::Call)?;
    let call = |name: &'static CStr, descriptor: &'static CStr, values: &[Value<'_>]| {
        let method = jni.method(class.get(), name, descriptor);
        let method = method.ok_or(RecorderError::Lacks(name))?;
        jni.call(recording.get(), method, values).map_err(RecorderError::Call)
    };
    if let Some(name) = &start.name {
        let name = jni.string(name).ok_or(RecorderError::OutOfMemory)?;
        call(c"setName", c"(Ljava/lang/String;)V", &[object(&name)])?;
    }
    call(c"setToDisk", c"(Z)V", &[Value::Bool(true)])?;
    if let Some(bytes) = start.max_bytes {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        call(c"setMaxSize", c"(J)V", &[Value::Long(bytes)])?;
    }
    call(c"setDumpOnExit", c"(Z)V", &[Value::Bool(true)])?;
    call(c"setDestination", c"(Ljava/nio/file/Path;)V", &[object(&file)])?;
    call(c"start", c"()V", &[])
}

/// Has JFR take stacks of so many frames. It must not have begun to record.
fn set_stack_depth(jni: Jni<'_>, frames: u32) -> Result<(), RecorderError> {
    let frames = i32::try_from(frames).unwrap_or(i32::MAX);
    let descriptor = c"(I)Ljava/lang/Integer;";
    let frames =
        static_object(jni, c"java/lang/Integer", c"valueOf", descriptor, &[Value::Int(frames)])?;
    let class = class(jni, c"jdk/jfr/internal/Options")?;
    let name = c"setStackDepth";
    let method = jni.static_method(class.get(), name, c"(Ljava/lang/Integer;)V");
    let method = method.ok_or(RecorderError::Lacks(name))?;
    jni.call_static(class.get(), method, &[object(&frames)]).map_err(RecorderError::Call)
}

fn object<'o>(of: &'o Local<'_>) -> Value<'o> {
    Value::Object(Some(of.get()))
}

fn class<'j>(jni: Jni<'j>, name: &'static CStr) -> Result<Local<'j>, RecorderError> {
    jni.find_class(name).ok_or(RecorderError::Lacks(name))
}

fn static_object<'j>(
    jni: Jni<'j>,
    of: &'static CStr,
    name: &'static CStr,
    descriptor: &'static CStr,
    values: &[Value<'_>],
) -> Result<Local<'j>, RecorderError> {
    let class = class(jni, of)?;
    let method = jni.static_method(class.get(), name, descriptor);
    let method = method.ok_or(RecorderError::Lacks(name))?;
    let made = jni.call_static_object(class.get(), method, values).map_err(RecorderError::Call)?;
    made.ok_or(RecorderError::Lacks(name))
}

/// A `java.nio.file.Path`.
fn path<'j>(jni: Jni<'j>, path: &Path) -> Result<Local<'j>, RecorderError> {
    let file = class(jni, c"java/io/File")?;
    let constructor = jni.method(file.get(), c"<init>", c"(Ljava/lang/String;)V");
    let constructor = constructor.ok_or(RecorderError::Lacks(c"constructor of File"))?;
    let text = jni.string(&path.to_string_lossy()).ok_or(RecorderError::OutOfMemory)?;
    let made = jni.new_object(file.get(), constructor, &[object(&text)]);
    let made = made.map_err(RecorderError::Call)?;
    let to_path = jni.method(file.get(), c"toPath", c"()Ljava/nio/file/Path;");
    let to_path = to_path.ok_or(RecorderError::Lacks(c"File.toPath"))?;
    let found = jni.call_object(made.get(), to_path).map_err(RecorderError::Call)?;
    found.ok_or(RecorderError::Lacks(c"File.toPath"))
}
