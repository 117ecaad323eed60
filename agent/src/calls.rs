//! First calls, and what is found by reflection.

use crate::ffi::{Jni, Method, Object};
use crate::lock::{lock, wait_until};
use crate::redefine::PATIENCE;
use crate::session::{RUNNING, Session, add};
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
    let Some(_visit) = session.visit() else { return };
    let mut in_time = true;
    let mut call = lock(&session.calls).insert(id).then(|| Call(session, id));
    if call.is_none() {
        in_time = wait_until(&session.called, &session.calls, PATIENCE, |calls| {
            !calls.contains(&id) || session.phase() != RUNNING
        });
        // The first one may wait for what this thread holds: it is done here, too.
        call = (!in_time).then_some(Call(session, id));
    }
    // Threads that read the mode before it was changed come here when all is done.
    if call.is_some() && session.is_first(id) {
        add(&session.counts.first_calls, 1);
        session.step(|engine| engine.first_call(id));
        in_time &= session.settle(jni);
        session.clear_first(id);
    }
    if !in_time {
        add(&session.counts.late, 1);
    }
}

/// A method or constructor is called by reflection.
pub fn reflected(session: &Session, jni: Jni<'_>, member: Object<'_>) {
    let Some(_visit) = session.visit() else { return };
    if let Some(method) = jni.reflected(member) {
        tell(session, jni, method);
    }
}

fn tell(session: &Session, jni: Jni<'_>, method: Method) {
    let jvmti = session.agent.jvmti;
    let Some((name, descriptor)) = jvmti.method_name(method) else { return };
    let Some(class) = jvmti.declaring_class(jni, method) else { return };
    let Some(class) = jvmti.class_name(class.get()) else { return };
    session.step(|engine| engine.reflected(&class, &name, &descriptor));
    if !session.settle(jni) {
        add(&session.counts.late, 1);
    }
}

/// A method handle is looked up: by class, name and `MethodType`.
pub fn looked_up(session: &Session, jni: Jni<'_>, class: Object<'_>, name: Object<'_>, kind: Option<Object<'_>>) {
    let Some(_visit) = session.visit() else { return };
    let Some(kind) = kind else { return };
    let descriptor = || {
        let class = jni.find_class(c"java/lang/invoke/MethodType")?;
        let method = jni.method(class.get(), c"toMethodDescriptorString", c"()Ljava/lang/String;")?;
        Some(jni.text(jni.call_object(kind, method).ok()??.get()))
    };
    let Some(descriptor) = descriptor() else { return };
    let Some(class) = session.agent.jvmti.class_name(class) else { return };
    // As the class file has them; names with other characters than those of UTF-8's first two planes are found by nobody.
    let name = jni.text(name);
    session.step(|engine| engine.reflected(&class, name.as_bytes(), descriptor.as_bytes()));
    if !session.settle(jni) {
        add(&session.counts.late, 1);
    }
}
