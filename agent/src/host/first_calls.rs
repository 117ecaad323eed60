//! First calls, and what is found by reflection or called by native code.

use crate::classes::load::is_ours;
use crate::classes::retransform::FIRST_CALL_TIMEOUT;
use crate::ffi::{Jni, Method, Object, Value};
use crate::live::session::{RUNNING, Session, add};
use crate::lock::{lock, wait_until};
use jfathom_plan::MethodId;

/// A first call that is being worked on.
struct Call<'s>(&'s Session, MethodId);

impl Drop for Call<'_> {
    fn drop(&mut self) {
        lock(&self.0.calls).remove(&self.1);
        self.0.called.notify_all();
    }
}

/// A method is called for the first time: comes back when its callees are live.
pub fn first_call(session: &Session, jni: Jni<'_>, id: MethodId) {
    let Some(_visit) = session.visit() else { return session.too_late(id) };
    let mut in_time = true;
    let mut call = lock(&session.calls).insert(id).then(|| Call(session, id));
    if call.is_none() {
        in_time = wait_until(&session.called, &session.calls, FIRST_CALL_TIMEOUT, |calls| {
            !calls.contains(&id) || session.phase() != RUNNING
        });
        // The first one may wait for what this thread holds: it is done here, too.
        call = (!in_time).then_some(Call(session, id));
    }
    // Threads that read the mode before it was changed come here when all is done.
    if call.is_some() && session.is_first(id) {
        add(&session.counts.first_calls, 1);
        session.step(|engine| engine.first_call(id));
        in_time &= session.retransform_pending(jni);
        session.clear_first(id);
    }
    if !in_time {
        add(&session.counts.late, 1);
    }
}

/// A method or constructor is called by reflection.
pub fn reflected(session: &Session, jni: Jni<'_>, member: Object<'_>) {
    let Some(_visit) = session.visit() else { return };
    let Some((class, name, descriptor)) = member_of(session, jni, member) else { return };
    session.step(|engine| engine.reflected(&class, name.as_bytes(), descriptor.as_bytes()));
    if !session.retransform_pending(jni) {
        add(&session.counts.late, 1);
    }
}

/// Class, name and descriptor of a `Method` or `Constructor`, as it says them itself: JNI's and
/// JVMTI's ways from a member to its names initialise its class, too early and unseen by the probes
/// of what is called then.
fn member_of(
    session: &Session,
    jni: Jni<'_>,
    member: Object<'_>,
) -> Option<(Box<[u8]>, String, String)> {
    let executable = jni.find_class(c"java/lang/reflect/Executable")?;
    let object = |class: Object<'_>, name, descriptor| {
        jni.call_object(member, jni.method(class, name, descriptor)?).ok()?
    };
    let kind = object(executable.get(), c"getClass", c"()Ljava/lang/Class;")?;
    let is_constructor =
        *session.agent.jvmti.class_name(kind.get())? == *b"java/lang/reflect/Constructor";
    let class = object(executable.get(), c"getDeclaringClass", c"()Ljava/lang/Class;")?;
    let parameters = object(executable.get(), c"getParameterTypes", c"()[Ljava/lang/Class;")?;
    let (name, result) = if is_constructor {
        ("<init>".to_owned(), None)
    } else {
        let name = object(executable.get(), c"getName", c"()Ljava/lang/String;")?;
        (jni.text(name.get()), Some(object(kind.get(), c"getReturnType", c"()Ljava/lang/Class;")?))
    };
    let types = jni.find_class(c"java/lang/invoke/MethodType")?;
    let of = c"(Ljava/lang/Class;[Ljava/lang/Class;)Ljava/lang/invoke/MethodType;";
    let of = jni.static_method(types.get(), c"methodType", of)?;
    // A constructor's result is void, whose class needs not be fetched: any other stands in for it.
    let result_or_class = result.as_ref().unwrap_or(&class).get();
    let values = [Value::Object(Some(result_or_class)), Value::Object(Some(parameters.get()))];
    let of = jni.call_static_object(types.get(), of, &values).ok()??;
    let text = jni.method(types.get(), c"toMethodDescriptorString", c"()Ljava/lang/String;")?;
    let descriptor = jni.text(jni.call_object(of.get(), text).ok()??.get());
    let descriptor = match (is_constructor, descriptor.rsplit_once(')')) {
        (true, Some((parameters, _))) => format!("{parameters})V"),
        _ => descriptor,
    };
    Some((session.agent.jvmti.class_name(class.get())?, name, descriptor))
}

/// A method handle is looked up: by class, name and `MethodType`.
pub fn looked_up(
    session: &Session,
    jni: Jni<'_>,
    class: Object<'_>,
    name: Object<'_>,
    kind: Option<Object<'_>>,
) {
    let Some(_visit) = session.visit() else { return };
    let Some(kind) = kind else { return };
    let descriptor = || {
        let class = jni.find_class(c"java/lang/invoke/MethodType")?;
        let method =
            jni.method(class.get(), c"toMethodDescriptorString", c"()Ljava/lang/String;")?;
        Some(jni.text(jni.call_object(kind, method).ok()??.get()))
    };
    let Some(descriptor) = descriptor() else { return };
    let Some(class) = session.agent.jvmti.class_name(class) else { return };
    // As the class file has them; names with other characters than those of UTF-8's first two
    // planes are found by nobody.
    let name = jni.text(name);
    session.step(|engine| engine.reflected(&class, name.as_bytes(), descriptor.as_bytes()));
    if !session.retransform_pending(jni) {
        add(&session.counts.late, 1);
    }
}

/// Native code inside a root is about to call a method through JNI, on whatever object: as by
/// reflection, all that it may lead to is meant.
pub fn called_by_native(session: &Session, jni: Jni<'_>, method: Method) {
    let Some(_visit) = session.visit() else { return };
    let jvmti = session.agent.jvmti;
    let class = jvmti.declaring_class(jni, method).and_then(|class| jvmti.class_name(class.get()));
    let (Some(class), Some((name, descriptor))) = (class, jvmti.method_name(method)) else {
        return;
    };
    if is_ours(&class) {
        return;
    }
    session.step(|engine| engine.reflected(&class, &name, &descriptor));
    if !session.retransform_pending(jni) {
        add(&session.counts.late, 1);
    }
}
