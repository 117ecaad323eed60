//! First calls, and methods that reflection finds or native code calls.

use crate::classes::names::is_ours;
use crate::classes::retransform::{FIRST_CALL_TIMEOUT, retransform_pending};
use crate::ffi::{Jni, Method, Object, Value};
use crate::live::session::Session;
use jfathom_plan::MethodId;

/// A thread is in a method's first call. Returns when the probes of its callees are live, or after
/// [`FIRST_CALL_TIMEOUT`].
pub fn first_call(session: &Session, jni: Jni<'_>, id: MethodId) {
    let Some(_guard) = session.enter() else { return session.count_late_at_end(id) };
    let mut is_in_time = true;
    let mut call = session.first_calls.begin(id);
    if call.is_none() {
        is_in_time = session.first_calls.wait(id, FIRST_CALL_TIMEOUT, || !session.is_running());
        // The first thread may wait for what this one holds: this one does the work, too.
        call = (!is_in_time).then(|| session.first_calls.take_over(id));
    }
    // Threads that read the mode before it was changed come here when all is done.
    if call.is_some() && session.file.has_first_call_trigger(id) {
        session.count(|totals| totals.first_calls += 1);
        session.with_engine(|engine| engine.first_call(id));
        is_in_time &= retransform_pending(session, jni);
        session.file.clear_first_call_trigger(id);
    }
    if !is_in_time {
        session.count(|totals| totals.late += 1);
    }
}

/// A `Method` or `Constructor` is invoked or unreflected.
pub fn reflected(session: &Session, jni: Jni<'_>, member: Object<'_>) {
    let Some(_guard) = session.enter() else { return };
    let Some((class, name, descriptor)) = describe(session, jni, member) else { return };
    follow(session, jni, &class, &name, &descriptor);
}

/// A method handle is looked up by class, name and `MethodType`.
pub fn looked_up(
    session: &Session,
    jni: Jni<'_>,
    class: Object<'_>,
    name: Object<'_>,
    method_type: Option<Object<'_>>,
) {
    let Some(_guard) = session.enter() else { return };
    let Some(descriptor) = method_type.and_then(|kind| descriptor(jni, kind)) else { return };
    let Some(class) = session.jvmti.class_name(class) else { return };
    follow(session, jni, &class, &jni.modified_utf8(name), &descriptor);
}

/// Native code inside a root is about to call a method through JNI, on any object: as for
/// reflection, whatever the call may lead to gets probes.
pub fn called_by_native(session: &Session, jni: Jni<'_>, method: Method) {
    let Some(_guard) = session.enter() else { return };
    let jvmti = session.jvmti;
    let class = jvmti.declaring_class(jni, method).and_then(|class| jvmti.class_name(class.get()));
    let (Some(class), Some((name, descriptor))) = (class, jvmti.method_name(method)) else {
        return;
    };
    if !is_ours(&class) {
        follow(session, jni, &class, &name, &descriptor);
    }
}

/// Makes the probes live of what a method found at run time may lead to.
fn follow(session: &Session, jni: Jni<'_>, class: &[u8], name: &[u8], descriptor: &[u8]) {
    session.with_engine(|engine| engine.reflected(class, name, descriptor));
    if !retransform_pending(session, jni) {
        session.count(|totals| totals.late += 1);
    }
}

/// Class, name and descriptor of a method, in modified UTF-8.
type Described = (Box<[u8]>, Vec<u8>, Vec<u8>);

/// The names of a `Method` or `Constructor`, by its own methods. JNI's and JVMTI's functions for
/// that would initialise the class: too early, and with calls that no probe sees.
fn describe(session: &Session, jni: Jni<'_>, member: Object<'_>) -> Option<Described> {
    let executable = jni.find_class(c"java/lang/reflect/Executable")?;
    let get = |class: Object<'_>, name, descriptor| {
        jni.call_object(member, jni.method(class, name, descriptor)?).ok()?
    };
    let kind = get(executable.get(), c"getClass", c"()Ljava/lang/Class;")?;
    let is_constructor =
        *session.jvmti.class_name(kind.get())? == *b"java/lang/reflect/Constructor";
    let class = get(executable.get(), c"getDeclaringClass", c"()Ljava/lang/Class;")?;
    let parameters = get(executable.get(), c"getParameterTypes", c"()[Ljava/lang/Class;")?;
    let (name, result) = if is_constructor {
        (b"<init>".to_vec(), None)
    } else {
        let name = get(executable.get(), c"getName", c"()Ljava/lang/String;")?;
        (
            jni.modified_utf8(name.get()),
            Some(get(kind.get(), c"getReturnType", c"()Ljava/lang/Class;")?),
        )
    };
    let method_type = jni.find_class(c"java/lang/invoke/MethodType")?;
    let new = jni.static_method(
        method_type.get(),
        c"methodType",
        c"(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;",
    )?;
    // A constructor returns void. Any class stands in for void's, so that it need not be fetched.
    let result_or_class = result.as_ref().unwrap_or(&class).get();
    let values = [Value::Object(Some(result_or_class)), Value::Object(Some(parameters.get()))];
    let method_type = jni.call_static_object(method_type.get(), new, &values).ok()??;
    let descriptor = descriptor(jni, method_type.get())?;
    let end = descriptor.iter().rposition(|&b| b == b')').filter(|_| is_constructor);
    let descriptor = match end {
        Some(end) => [&descriptor[..=end], b"V"].concat(),
        None => descriptor,
    };
    Some((session.jvmti.class_name(class.get())?, name, descriptor))
}

fn descriptor(jni: Jni<'_>, method_type: Object<'_>) -> Option<Vec<u8>> {
    let class = jni.find_class(c"java/lang/invoke/MethodType")?;
    let method = jni.method(class.get(), c"toMethodDescriptorString", c"()Ljava/lang/String;")?;
    Some(jni.modified_utf8(jni.call_object(method_type, method).ok()??.get()))
}
