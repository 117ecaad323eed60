//! The Java runtime in package `java.lang`: defined once, called over JNI.

use crate::engine::LoaderKind;
use crate::ffi::{
    Event, Global, INTERFACE, Jni, JniError, JvmError, Jvmti, Method, Native, Object, Value,
    register_natives,
};
use jfathom_runtime_java::{LIVE_CLASSES, live};
use jfathom_session::{CalibrationPhases, JvmIdentity, Metrics, RingSize, RootSampling};
use std::cell::RefCell;
use std::ffi::{CStr, CString};
use std::path::Path;

/// The runtime's references, which hold for the JVM's life.
pub struct Runtime {
    class: Global,
    start: Method,
    stop: Method,
    end: Method,
    is_busy: Method,
    reset: Method,
    paused: Method,
    is_native_call: Method,
    system_loader: Option<Global>,
    platform_loader: Option<Global>,
}

/// How the runtime opens a session.
pub struct Opening<'o> {
    /// The session file, which is there and empty.
    pub path: &'o Path,
    pub jvm: JvmIdentity,
    /// The clock that the user asks for; none leaves the choice to the runtime.
    pub clock: Option<&'o str>,
    /// The size of each thread's ring; none means the default.
    pub ring_size: Option<RingSize>,
    /// Which calls of roots are recorded; none means all.
    pub sample_roots: Option<RootSampling>,
    pub calibrate: CalibrationPhases,
    /// What is recorded beside calls and times.
    pub metrics: Metrics,
    pub jdk_methods: bool,
}

fn text(text: &str) -> Result<CString, JvmError> {
    Ok(CString::new(text)?)
}

impl Runtime {
    /// Defines the runtime's classes and registers its native methods.
    ///
    /// # Errors
    /// Fails if the JVM refuses a class, or the runtime cannot be initialised.
    pub fn define(jvmti: Jvmti, jni: Jni<'_>) -> Result<Self, JvmError> {
        let mut class = None;
        for &(name, bytes) in LIVE_CLASSES {
            let defined = jni
                .define_class(&text(name)?, bytes)
                .map_err(|error| JvmError::Define { class: name, error })?;
            if name == live::CLASS {
                class = Some(defined);
            }
        }
        let class = class.ok_or(JvmError::NoInterface)?;
        initialise(jvmti, jni, live::CLASS, &INTERFACE)?;
        if let Some(read) = &READ_COUNTER {
            initialise(jvmti, jni, live::TSC_CLASS, std::slice::from_ref(read))?;
        }
        let method = |(name, descriptor): (&'static str, &str)| {
            let found = jni.static_method(class.get(), &text(name)?, &text(descriptor)?);
            found.ok_or(JvmError::NoMethod(name))
        };
        let (start, stop, end) = (method(live::START)?, method(live::STOP)?, method(live::END)?);
        let (is_busy, reset) = (method(live::BUSY)?, method(live::RESET)?);
        let (paused, is_native_call) = (method(live::PAUSED)?, method(live::FROM_NATIVE)?);
        Ok(Self {
            start,
            stop,
            end,
            is_busy,
            reset,
            paused,
            is_native_call,
            system_loader: loader(jni, c"getSystemClassLoader"),
            platform_loader: loader(jni, c"getPlatformClassLoader"),
            class: jni.global(class.get()).ok_or(JvmError::NoGlobalReference)?,
        })
    }

    /// Opens a session.
    ///
    /// # Errors
    /// Fails if the runtime refuses or throws.
    pub fn start(&self, jni: Jni<'_>, opening: &Opening<'_>) -> Result<(), JvmError> {
        let path = jni.string(&opening.path.to_string_lossy()).ok_or(JvmError::OutOfMemory)?;
        let clock = opening.clock.and_then(|clock| jni.string(clock));
        let metrics = match opening.metrics.join(",") {
            none if none.is_empty() => None,
            names => Some(jni.string(&names).ok_or(JvmError::OutOfMemory)?),
        };
        let values = [
            Value::Object(Some(path.get())),
            Value::Long(opening.jvm.pid.cast_signed()),
            Value::Long(opening.jvm.start_millis.cast_signed()),
            Value::Object(clock.as_ref().map(|clock| clock.get())),
            Value::Int(opening.ring_size.map_or(0, |size| size.bytes().cast_signed())),
            Value::Int(opening.sample_roots.map_or(0, RootSampling::number)),
            Value::Bool(opening.calibrate.start),
            Value::Bool(opening.calibrate.end),
            Value::Object(metrics.as_ref().map(|metrics| metrics.get())),
            Value::Object(None),
            Value::Bool(opening.jdk_methods),
        ];
        let refused = jni.call_static_object(self.class.get(), self.start, &values)?;
        match refused {
            None => Ok(()),
            Some(reason) => Err(JvmError::Refused(jni.text(reason.get()))),
        }
    }

    /// Ends the session: the probes record nothing afterwards.
    pub fn stop(&self, jni: Jni<'_>) -> Result<(), JniError> {
        jni.call_static(self.class.get(), self.stop, &[])
    }

    /// Marks the session as ended because the JVM ends. Probes record until the process is gone.
    pub fn end(&self, jni: Jni<'_>) -> Result<(), JniError> {
        jni.call_static(self.class.get(), self.end, &[])
    }

    /// Whether a virtual thread is in the runtime's code where it may wait.
    pub fn is_busy(&self, jni: Jni<'_>) -> bool {
        jni.call_static_boolean(self.class.get(), self.is_busy).unwrap_or(false)
    }

    /// Forgets the session. No thread may be in the runtime.
    pub fn reset(&self, jni: Jni<'_>) -> Result<(), JniError> {
        jni.call_static(self.class.get(), self.reset, &[])
    }

    /// The agent held the current thread up for so long: excluded time.
    pub fn paused(&self, jni: Jni<'_>, nanos: u64) {
        // The method does not throw. If it did, the thread's times would include the pause.
        let _ = jni.call_static(self.class.get(), self.paused, &[Value::Long(nanos.cast_signed())]);
    }

    /// Native code on this thread is about to call a method. If the thread is inside a root, the
    /// runtime reports the method to the agent. Returns whether it did.
    pub fn is_native_call(&self, jni: Jni<'_>) -> bool {
        jni.call_static_boolean(self.class.get(), self.is_native_call).unwrap_or(false)
    }

    /// The kind of a class loader; none is the boot loader.
    pub fn loader_kind(&self, jni: Jni<'_>, loader: Option<Object<'_>>) -> LoaderKind {
        let Some(loader) = loader else { return LoaderKind::Jdk };
        let is = |known: &Option<Global>| {
            known.as_ref().is_some_and(|known| jni.same(known.get(), loader))
        };
        if is(&self.system_loader) {
            LoaderKind::ClassPath
        } else if is(&self.platform_loader) {
            LoaderKind::Jdk
        } else {
            LoaderKind::Other
        }
    }
}

/// The clock's native method; none where no counter is known.
static READ_COUNTER: Option<Native> = match jfathom_clock::READ {
    Some(read) => Some(Native::read(read)),
    None => None,
};

/// The native methods of a class that this thread initialises.
#[derive(Clone)]
struct Registration {
    /// The internal name of the class.
    class: &'static str,
    natives: &'static [Native],
    /// Whether the native methods are registered so far.
    result: Result<(), JvmError>,
}

thread_local! {
    /// While this thread is in [`initialise`].
    static REGISTRATION: RefCell<Option<Registration>> = const { RefCell::new(None) };
}

/// Initialises a class of the runtime, and registers its native methods before that.
///
/// The JVM prints a warning if a class of the JDK's modules gets native methods from code outside
/// of these. It looks at the Java method that called. So `Class.forName` initialises the class, and
/// [`on_class_prepare`] registers the methods meanwhile.
fn initialise(
    jvmti: Jvmti,
    jni: Jni<'_>,
    class: &'static str,
    natives: &'static [Native],
) -> Result<(), JvmError> {
    let class_class =
        jni.find_class(c"java/lang/Class").ok_or(JvmError::Absent(c"java/lang/Class"))?;
    let descriptor = c"(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;";
    let for_name = jni
        .static_method(class_class.get(), c"forName", descriptor)
        .ok_or(JvmError::Absent(c"Class.forName"))?;
    let name = jni.string(&class.replace('/', ".")).ok_or(JvmError::OutOfMemory)?;
    let set_event = |on| jvmti.set_event(Event::ClassPrepare, on).map_err(JvmError::Events);
    set_event(true)?;
    let result = Err(JvmError::NotPrepared(class));
    REGISTRATION.set(Some(Registration { class, natives, result }));
    let values = [Value::Object(Some(name.get())), Value::Bool(true), Value::Object(None)];
    let initialised = jni.call_static_object(class_class.get(), for_name, &values);
    let registration = REGISTRATION.take();
    set_event(false)?;
    registration.map_or(Ok(()), |registration| registration.result)?;
    initialised.map(drop).map_err(JvmError::Initialise)
}

/// Registers the native methods if this is the class that the thread initialises.
pub fn on_class_prepare(jvmti: Jvmti, jni: Jni<'_>, class: Object<'_>) {
    let Some(registration) = REGISTRATION.with_borrow(Clone::clone) else { return };
    let name = registration.class.as_bytes();
    if jvmti.class_name(class).is_none_or(|found| &*found != name) {
        return;
    }
    let result = register_natives(jni, class, registration.natives).map_err(JvmError::from);
    REGISTRATION.set(Some(Registration { result, ..registration }));
}

fn loader(jni: Jni<'_>, getter: &CStr) -> Option<Global> {
    let class = jni.find_class(c"java/lang/ClassLoader")?;
    let method = jni.static_method(class.get(), getter, c"()Ljava/lang/ClassLoader;")?;
    let loader = jni.call_static_object(class.get(), method, &[]).ok()??;
    jni.global(loader.get())
}
