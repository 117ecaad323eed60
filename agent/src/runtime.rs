//! The Java runtime in package `java.lang`: defined once, called over JNI.

use crate::ffi::{Global, Jni, Jvmti, Method, Object, Range, Value};
use crate::{Calibrate, Origin};
use jfathom_runtime_java::{LIVE_CLASSES, live};
use std::ffi::{CStr, CString};
use std::path::Path;

/// What of it is kept for as long as the JVM lives.
pub struct Runtime {
    class: Global,
    start: Method,
    stop: Method,
    reset: Method,
    paused: Method,
    system_loader: Option<Global>,
    platform_loader: Option<Global>,
    /// Where session files are mapped.
    pub range: Range,
}

/// How a session is to be opened.
pub struct Opening<'o> {
    pub path: &'o Path,
    pub pid: u64,
    pub start_millis: u64,
    pub clock: Option<&'o str>,
    pub ring: Option<u32>,
    pub calibrate: Calibrate,
    pub jdk_methods: bool,
}

fn text(text: &str) -> Result<CString, String> {
    CString::new(text).map_err(|error| error.to_string())
}

impl Runtime {
    /// Whether a runtime is there that this library has not defined.
    pub fn is_foreign(jni: Jni<'_>) -> bool {
        text(live::CLASS).is_ok_and(|name| jni.find_class(&name).is_some())
    }

    /// Defines the classes.
    ///
    /// # Errors
    /// A sentence.
    pub fn define(jvmti: Jvmti, jni: Jni<'_>) -> Result<Self, String> {
        let range = Range::reserve().map_err(|error| format!("no addresses for session files: {error}"))?;
        let _ = jvmti;
        for (name, bytes) in LIVE_CLASSES {
            jni.define_class(&text(name)?, bytes)
                .map_err(|error| format!("the class {} cannot be defined: {error}", name.replace('/', ".")))?;
        }
        let class = jni.find_class(&text(live::CLASS)?).ok_or("the runtime's class is not found")?;
        jni.register_natives(class.get())?;
        let method = |(name, descriptor): (&str, &str)| {
            let found = jni.static_method(class.get(), &text(name)?, &text(descriptor)?);
            found.ok_or_else(|| format!("the runtime has no method {name}"))
        };
        let (start, stop) = (method(live::START)?, method(live::STOP)?);
        let (reset, paused) = (method(live::RESET)?, method(live::PAUSED)?);
        Ok(Self {
            start,
            stop,
            reset,
            paused,
            system_loader: loader(jni, c"getSystemClassLoader"),
            platform_loader: loader(jni, c"getPlatformClassLoader"),
            class: jni.global(class.get()).ok_or("no global reference can be made")?,
            range,
        })
    }

    /// Opens a session, whose file is there and empty.
    ///
    /// # Errors
    /// A sentence.
    pub fn start(&self, jni: Jni<'_>, opening: &Opening<'_>) -> Result<(), String> {
        let path = jni.string(&opening.path.to_string_lossy()).ok_or("no memory in the Java heap")?;
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

    /// Forgets the session; no thread may be in the runtime.
    pub fn reset(&self, jni: Jni<'_>) -> Result<(), String> {
        jni.call_static(self.class.get(), self.reset, &[])
    }

    /// The current thread was held up by us.
    pub fn paused(&self, jni: Jni<'_>, nanos: u64) {
        // It does not throw; where it does, the time is in the numbers.
        let _ = jni.call_static(self.class.get(), self.paused, &[Value::Long(nanos.cast_signed())]);
    }

    /// Which loader this is; none is the boot loader.
    pub fn origin(&self, jni: Jni<'_>, loader: Option<Object<'_>>) -> Origin {
        let Some(loader) = loader else { return Origin::Jdk };
        let is = |known: &Option<Global>| known.as_ref().is_some_and(|known| jni.same(known.get(), loader));
        if is(&self.system_loader) {
            Origin::ClassPath
        } else if is(&self.platform_loader) {
            Origin::Jdk
        } else {
            Origin::Other
        }
    }
}

fn loader(jni: Jni<'_>, getter: &CStr) -> Option<Global> {
    let class = jni.find_class(c"java/lang/ClassLoader")?;
    let method = jni.static_method(class.get(), getter, c"()Ljava/lang/ClassLoader;")?;
    let loader = jni.call_static_object(class.get(), method, &[]).ok()??;
    jni.global(loader.get())
}
