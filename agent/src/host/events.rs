//! Handlers for the calls of the JVM and of the Java runtime.

use crate::classes::load;
use crate::classes::names::is_ours;
use crate::ffi::{ClassFile, Event, Handler, Jni, Jvmti, Method, Object, interception};
use crate::host::agent::{agent, session};
use crate::host::start::{self, Report};
use crate::host::{agent_thread, companion, first_calls, sampling};
use crate::jvm::runtime;
use crate::live::phase::Phase;
use jfathom_plan::MethodId;

/// The agent's handler of the JVM's calls.
pub struct Events;

impl Handler for Events {
    fn on_load(&self, options: &str) {
        if companion::on_load(options) {
            return;
        }
        if let Err(error) = start::on_load(options) {
            start::report(options, &error, Report::ToUser);
        }
    }

    fn on_attach(&self, jni: Jni<'_>, options: &str) -> bool {
        match start::on_attach(jni, options) {
            Ok(()) => true,
            Err(error) => {
                start::report(options, &error, Report::ToCollector);
                false
            }
        }
    }

    fn vm_init(&self, jvmti: Jvmti, jni: Jni<'_>) {
        let _ = jvmti.set_event(Event::VmInit, false);
        companion::on_init(jni);
        start::on_init(jni);
        start::after_init(jvmti);
    }

    /// Classes stay as they are: JVMTI takes no further call once this returns.
    fn vm_death(&self, jni: Jni<'_>) {
        let Some(session) = session() else { return };
        if session.advance_phase(Phase::Running, Phase::Ending)
            || session.advance_phase(Phase::Starting, Phase::Ending)
        {
            interception::pause();
            session.alarm.wake();
            sampling::end(&session, jni);
            let _ = session.runtime.end(jni);
            session.close();
        }
    }

    fn class_file(
        &self,
        jvmti: Jvmti,
        jni: Jni<'_>,
        class: &ClassFile<'_>,
        install: &mut dyn FnMut(&[u8]) -> bool,
    ) {
        if is_ours(class.name) {
            return;
        }
        let Some((agent, session)) = agent().zip(session()) else { return };
        if !agent.load_hook.is_current(jvmti) {
            return;
        }
        // HotSpot also names the class that a thread redefines if that loads another class.
        let name = class.redefined.and_then(|redefined| jvmti.class_name(redefined));
        if name.is_some_and(|name| *name == *class.name) {
            load::on_retransform(&session, &agent.load_hook, jni, class, install);
        } else {
            load::on_load(&session, jni, class, install);
        }
    }

    fn class_prepare(&self, jvmti: Jvmti, jni: Jni<'_>, class: Object<'_>) {
        runtime::on_class_prepare(jvmti, jni, class);
        let Some(agent) = agent() else { return };
        if let Some(session) = agent.session() {
            if session.needs_method_ids() {
                jvmti.make_method_ids(class);
            }
            load::on_prepare(&session, &agent.load_hook, jni, class);
        }
        if !agent.leftovers.is_empty()
            && agent.leftovers.restore(jvmti, jni, class)
            && agent.session().is_none()
        {
            let _ = jvmti.set_event(Event::ClassPrepare, false);
        }
    }

    fn agent_thread(&self, jni: Jni<'_>) {
        if let (Some(agent), Some(session)) = (agent(), session()) {
            agent_thread::run(agent, &session, jni);
        }
    }

    fn base(&self) -> i64 {
        let range = agent().and_then(|agent| agent.range());
        range.map_or(0, |range| range.base() as i64)
    }

    fn grow(&self, bytes: i64) -> i64 {
        let offset = || session()?.file.grow(u64::try_from(bytes).ok().filter(|bytes| *bytes > 0)?);
        offset().and_then(|offset| i64::try_from(offset).ok()).unwrap_or(-1)
    }

    fn space(&self) -> i64 {
        let space = session().map_or(0, |session| session.file.space());
        i64::try_from(space).unwrap_or(i64::MAX)
    }

    fn first_call(&self, jni: Jni<'_>, id: i32) {
        let id = u32::try_from(id).ok().and_then(MethodId::new);
        if let (Some(session), Some(id)) = (session(), id) {
            first_calls::first_call(&session, jni, id);
        }
    }

    fn reflected(&self, jni: Jni<'_>, member: Object<'_>) {
        if let Some(session) = session() {
            first_calls::reflected(&session, jni, member);
        }
    }

    fn looked_up(
        &self,
        jni: Jni<'_>,
        class: Object<'_>,
        name: Object<'_>,
        kind: Option<Object<'_>>,
    ) {
        if let Some(session) = session() {
            first_calls::looked_up(&session, jni, class, name, kind);
        }
    }

    fn native_call(&self, jni: Jni<'_>) -> bool {
        let runtime = agent().and_then(|agent| agent.runtime());
        runtime.is_some_and(|runtime| runtime.is_native_call(jni))
    }

    fn called_by_native(&self, jni: Jni<'_>, method: Method) {
        if let Some(session) = session() {
            first_calls::called_by_native(&session, jni, method);
        }
    }
}
