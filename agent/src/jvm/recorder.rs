//! The JVM's own recorder, JFR, by its Java API (package `jdk.jfr`).

use crate::ffi::{Jni, JvmError, Local, Value};
use jfathom_session::JfrStart;
use std::ffi::CStr;
use std::path::Path;

/// Starts a recording, whose file is written when the JVM ends.
///
/// # Errors
/// Fails if the JVM has no JFR, or JFR does not take the settings or the file.
pub fn start(jni: Jni<'_>, start: &JfrStart, pid: u32) -> Result<(), JvmError> {
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
    let constructor = constructor.ok_or(JvmError::Absent(c"constructor of Recording"))?;
    let recording = jni.new_object(class.get(), constructor, &[object(&configuration)])?;
    let call = |name: &'static CStr, descriptor: &'static CStr, values: &[Value<'_>]| {
        let method = jni.method(class.get(), name, descriptor);
        let method = method.ok_or(JvmError::Absent(name))?;
        Ok(jni.call(recording.get(), method, values)?)
    };
    if let Some(name) = &start.name {
        let name = jni.string(name).ok_or(JvmError::OutOfMemory)?;
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
fn set_stack_depth(jni: Jni<'_>, frames: u32) -> Result<(), JvmError> {
    let frames = i32::try_from(frames).unwrap_or(i32::MAX);
    let descriptor = c"(I)Ljava/lang/Integer;";
    let frames =
        static_object(jni, c"java/lang/Integer", c"valueOf", descriptor, &[Value::Int(frames)])?;
    let class = class(jni, c"jdk/jfr/internal/Options")?;
    let name = c"setStackDepth";
    let method = jni.static_method(class.get(), name, c"(Ljava/lang/Integer;)V");
    let method = method.ok_or(JvmError::Absent(name))?;
    Ok(jni.call_static(class.get(), method, &[object(&frames)])?)
}

fn object<'o>(of: &'o Local<'_>) -> Value<'o> {
    Value::Object(Some(of.get()))
}

fn class<'j>(jni: Jni<'j>, name: &'static CStr) -> Result<Local<'j>, JvmError> {
    jni.find_class(name).ok_or(JvmError::Absent(name))
}

fn static_object<'j>(
    jni: Jni<'j>,
    of: &'static CStr,
    name: &'static CStr,
    descriptor: &'static CStr,
    values: &[Value<'_>],
) -> Result<Local<'j>, JvmError> {
    let class = class(jni, of)?;
    let method = jni.static_method(class.get(), name, descriptor);
    let method = method.ok_or(JvmError::Absent(name))?;
    let made = jni.call_static_object(class.get(), method, values)?;
    made.ok_or(JvmError::Absent(name))
}

/// A `java.nio.file.Path`.
fn path<'j>(jni: Jni<'j>, path: &Path) -> Result<Local<'j>, JvmError> {
    let file = class(jni, c"java/io/File")?;
    let constructor = jni.method(file.get(), c"<init>", c"(Ljava/lang/String;)V");
    let constructor = constructor.ok_or(JvmError::Absent(c"constructor of File"))?;
    let text = jni.string(&path.to_string_lossy()).ok_or(JvmError::OutOfMemory)?;
    let made = jni.new_object(file.get(), constructor, &[object(&text)]);
    let made = made?;
    let to_path = jni.method(file.get(), c"toPath", c"()Ljava/nio/file/Path;");
    let to_path = to_path.ok_or(JvmError::Absent(c"File.toPath"))?;
    let found = jni.call_object(made.get(), to_path)?;
    found.ok_or(JvmError::Absent(c"File.toPath"))
}
