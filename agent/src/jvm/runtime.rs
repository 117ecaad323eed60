//! The Java runtime in package `java.lang`: defined once, called over JNI.

use crate::ffi::{Event, Global, Jni, Jvmti, Method, Object, Value};
use crate::{CalibrationPhases, LoaderKind};
use jfathom_runtime_java::{LIVE_CLASSES, live};
use std::cell::RefCell;
use std::ffi::{CStr, CString};
use std::path::Path;

/// What of it is kept for as long as the JVM lives.
pub struct Runtime {
    class: Global,
    start: Method,
    stop: Method,
    end: Method,
    reset: Method,
    paused: Method,
    is_native_call: Method,
    system_loader: Option<Global>,
    platform_loader: Option<Global>,
}

/// How a session is to be opened.
pub struct Opening<'o> {
    pub path: &'o Path,
    pub pid: u64,
    pub start_millis: u64,
    pub clock: Option<&'o str>,
    pub ring: Option<u32>,
    pub calibrate: CalibrationPhases,
    pub jdk_methods: bool,
}

fn text(text: &str) -> Result<CString, String> {
    CString::new(text).map_err(|error| error.to_string())
}

impl Runtime {
    /// Defines the classes.
    ///
    /// # Errors
    /// A sentence.
    pub fn define(jvmti: Jvmti, jni: Jni<'_>) -> Result<Self, String> {
        let mut class = None;
        for (name, bytes) in LIVE_CLASSES {
            let defined = jni.define_class(&text(name)?, bytes).map_err(|error| {
                format!("the class {} cannot be defined: {error}", name.replace('/', "."))
            })?;
            if *name == live::CLASS {
                class = Some(defined);
            }
        }
        let class = class.ok_or("the runtime's class is not among its classes")?;
        bind(jvmti, jni)?;
        let method = |(name, descriptor): (&str, &str)| {
            let found = jni.static_method(class.get(), &text(name)?, &text(descriptor)?);
            found.ok_or_else(|| format!("the runtime has no method {name}"))
        };
        let (start, stop, end) = (method(live::START)?, method(live::STOP)?, method(live::END)?);
        let (reset, paused, is_native_call) =
            (method(live::RESET)?, method(live::PAUSED)?, method(live::FROM_NATIVE)?);
        Ok(Self {
            start,
            stop,
            end,
            reset,
            paused,
            is_native_call,
            system_loader: loader(jni, c"getSystemClassLoader"),
            platform_loader: loader(jni, c"getPlatformClassLoader"),
            class: jni.global(class.get()).ok_or("no global reference can be made")?,
        })
    }

    /// Opens a session, whose file is there and empty.
    ///
    /// # Errors
    /// A sentence.
    pub fn start(&self, jni: Jni<'_>, opening: &Opening<'_>) -> Result<(), String> {
        let path =
            jni.string(&opening.path.to_string_lossy()).ok_or("no memory in the Java heap")?;
        let clock = opening.clock.and_then(|clock| jni.string(clock));
        let values = [
            Value::Object(Some(path.get())),
            Value::Long(opening.pid.cast_signed()),
            Value::Long(opening.start_millis.cast_signed()),
            Value::Object(clock.as_ref().map(|clock| clock.get())),
            Value::Int(opening.ring.and_then(|bytes| i32::try_from(bytes).ok()).unwrap_or(0)),
            Value::Bool(opening.calibrate.start),
            Value::Bool(opening.calibrate.end),
            Value::Object(None),
            Value::Bool(opening.jdk_methods),
        ];
        match jni.call_static_object(self.class.get(), self.start, &values)? {
            None => Ok(()),
            Some(reason) => Err(jni.text(reason.get())),
        }
    }

    /// Ends the session: probes record nothing from here on.
    pub fn stop(&self, jni: Jni<'_>) -> Result<(), String> {
        jni.call_static(self.class.get(), self.stop, &[])
    }

    /// The JVM ends: the session is said to have ended, and probes record until the process has.
    pub fn end(&self, jni: Jni<'_>) -> Result<(), String> {
        jni.call_static(self.class.get(), self.end, &[])
    }

    /// Forgets the session; no thread may be in the runtime.
    pub fn reset(&self, jni: Jni<'_>) -> Result<(), String> {
        jni.call_static(self.class.get(), self.reset, &[])
    }

    /// The current thread was held up by us.
    pub fn paused(&self, jni: Jni<'_>, nanos: u64) {
        // It does not throw; where it does, the time is in the numbers.
        let _ = jni.call_static(self.class.get(), self.paused, &[Value::Long(nanos.cast_signed())]);
    }

    /// Native code on this thread is about to call a method: whether that is followed. Does nothing
    /// but look where the thread records nothing.
    pub fn is_native_call(&self, jni: Jni<'_>) -> bool {
        jni.ask_static(self.class.get(), self.is_native_call).unwrap_or(false)
    }

    /// Which loader this is; none is the boot loader.
    pub fn origin(&self, jni: Jni<'_>, loader: Option<Object<'_>>) -> LoaderKind {
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

thread_local! {
    /// Whether this thread waits in [`bind`], and then what came of it.
    static BINDING: RefCell<Option<Result<(), String>>> = const { RefCell::new(None) };
}

/// Registers the native methods, before the class that declares them is initialised.
///
/// The JVM prints a warning where a class of the JDK's modules gets native methods from code
/// outside of these. What counts is the Java method that called. So the class is initialised
/// through `Class.forName`, and the methods are registered in the event that tells that it is
/// prepared.
fn bind(jvmti: Jvmti, jni: Jni<'_>) -> Result<(), String> {
    let class = jni.find_class(c"java/lang/Class").ok_or("there is no class Class")?;
    let descriptor = c"(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;";
    let for_name =
        jni.static_method(class.get(), c"forName", descriptor).ok_or("Class has no forName")?;
    let name = jni.string(&live::CLASS.replace('/', ".")).ok_or("no memory in the Java heap")?;
    let notify = |on| {
        jvmti
            .notify(Event::ClassPrepare, on)
            .map_err(|error| format!("the JVM gives no events: {error}"))
    };
    notify(true)?;
    BINDING.set(Some(Err("the JVM did not tell that the runtime's class is prepared".to_owned())));
    let values = [Value::Object(Some(name.get())), Value::Bool(true), Value::Object(None)];
    let initialised = jni.call_static_object(class.get(), for_name, &values);
    let bound = BINDING.take().unwrap_or(Ok(()));
    notify(false)?;
    bound?;
    initialised.map(drop).map_err(|error| format!("the runtime cannot be initialised: {error}"))
}

/// A class is prepared: is it the one that this thread waits for?
pub fn prepared(jvmti: Jvmti, jni: Jni<'_>, class: Object<'_>) {
    if BINDING.with_borrow(Option::is_some)
        && jvmti.class_name(class).is_some_and(|name| &*name == live::CLASS.as_bytes())
    {
        let bound = jni.register_natives(class);
        BINDING.set(Some(bound));
    }
}

fn loader(jni: Jni<'_>, getter: &CStr) -> Option<Global> {
    let class = jni.find_class(c"java/lang/ClassLoader")?;
    let method = jni.static_method(class.get(), getter, c"()Ljava/lang/ClassLoader;")?;
    let loader = jni.call_static_object(class.get(), method, &[]).ok()??;
    jni.global(loader.get())
}
