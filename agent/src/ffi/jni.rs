//! JNI functions on the current thread.

use super::error::JniError;
use super::reference::{Global, Local, Method, Object, Weak};
use classfile_writer::mutf8;
use jni_sys::{JNI_OK, JNI_VERSION_1_8, JNIEnv, JNINativeMethod, JavaVM, jint, jobject, jvalue};
use std::ffi::{CStr, c_void};
use std::marker::PhantomData;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering};

/// The JVM that this library is loaded into. Written by the entry points, always with the same
/// JVM; null before.
static VM: AtomicPtr<JavaVM> = AtomicPtr::new(null_mut());

/// How many local references a frame has room for. HotSpot makes more room as it is needed.
const FRAME_CAPACITY: jint = 16;

/// JNI's functions for this thread, and local references of one native frame.
#[derive(Clone, Copy)]
pub struct Jni<'j> {
    env: *mut JNIEnv,
    frame: PhantomData<&'j ()>,
}

/// An argument of a Java method.
#[derive(Clone, Copy)]
pub enum Value<'j> {
    /// `boolean`.
    Bool(bool),
    /// `int`.
    Int(i32),
    /// `long`.
    Long(i64),
    /// A reference, or null.
    Object(Option<Object<'j>>),
}

impl Value<'_> {
    const fn raw(self) -> jvalue {
        match self {
            Self::Bool(z) => jvalue { z },
            Self::Int(i) => jvalue { i },
            Self::Long(j) => jvalue { j },
            Self::Object(Some(object)) => jvalue { l: object.raw() },
            Self::Object(None) => jvalue { l: null_mut() },
        }
    }
}

/// Calls a function of JNI's table.
macro_rules! call {
    ($jni:expr, $function:ident $(, $argument:expr)*) => {{
        let env = $jni.env;
        // SAFETY: `env` belongs to this thread ([`Jni`] cannot be sent), JNI 1.8 has the function,
        // and the arguments are valid references, ids and texts, as their types promise.
        unsafe { ((**env).v1_6.$function)(env $(, $argument)*) }
    }};
}

/// Remembers the JVM.
///
/// # Safety
/// `vm` is the JVM that called.
pub unsafe fn remember(vm: *mut JavaVM) {
    VM.store(vm, Ordering::Release);
}

/// An interface of the JVM for this thread, by version; null where it has none or the thread is not
/// attached.
pub fn interface(version: jint) -> *mut c_void {
    let vm = VM.load(Ordering::Acquire);
    let mut found = null_mut();
    if vm.is_null() {
        return found;
    }
    // SAFETY: `vm` is the JVM's, and GetEnv may be called on any thread.
    let result = unsafe { ((**vm).v1_2.GetEnv)(vm, &mut found, version) };
    if result == JNI_OK { found } else { null_mut() }
}

impl<'j> Jni<'j> {
    /// None for null.
    ///
    /// # Safety
    /// `env` is null or JNI's for this thread, and `'j` ends with the native frame.
    pub(super) unsafe fn new(env: *mut JNIEnv) -> Option<Self> {
        (!env.is_null()).then_some(Self { env, frame: PhantomData })
    }

    /// This thread's, if it is attached to the JVM.
    pub(super) fn current() -> Option<Self> {
        // SAFETY: what GetEnv gives for a JNI version is this thread's environment. References made
        // with it are given back by whoever asks.
        unsafe { Self::new(interface(JNI_VERSION_1_8).cast()) }
    }

    fn local(self, raw: jobject) -> Option<Local<'j>> {
        // SAFETY: it was just made in this frame, and is handed to nobody else.
        unsafe { Local::new(self, raw) }
    }

    /// The class of this name that the boot or system class loader has, initialised or not.
    pub fn find_class(self, name: &CStr) -> Option<Local<'j>> {
        let class = call!(self, FindClass, name.as_ptr());
        self.clear();
        self.local(class)
    }

    /// Defines a class with the boot loader.
    ///
    /// # Errors
    /// Fails if the JVM refuses the class file.
    pub fn define_class(self, name: &CStr, bytes: &[u8]) -> Result<Local<'j>, JniError> {
        let size = jint::try_from(bytes.len()).map_err(|_| JniError::ClassTooLarge)?;
        let class =
            call!(self, DefineClass, name.as_ptr(), null_mut(), bytes.as_ptr().cast(), size);
        self.thrown()?;
        self.local(class).ok_or(JniError::NoClass)
    }

    /// Registers native methods with the class that declares them.
    ///
    /// # Errors
    /// Fails if the class does not declare them all.
    ///
    /// # Safety
    /// Each function has the parameters and the result of its descriptor.
    pub(super) unsafe fn register_natives(
        self,
        class: Object<'_>,
        methods: &[JNINativeMethod],
    ) -> Result<(), JniError> {
        let code =
            call!(self, RegisterNatives, class.raw(), methods.as_ptr(), methods.len() as jint);
        self.thrown()?;
        if code == JNI_OK { Ok(()) } else { Err(JniError::RegisterNatives(code)) }
    }

    /// The static method of this name and descriptor.
    pub fn static_method(
        self,
        class: Object<'_>,
        name: &CStr,
        descriptor: &CStr,
    ) -> Option<Method> {
        let method =
            call!(self, GetStaticMethodID, class.raw(), name.as_ptr(), descriptor.as_ptr());
        self.clear();
        // SAFETY: JNI gave it.
        unsafe { Method::new(method) }
    }

    /// The instance method of this name and descriptor.
    pub fn method(self, class: Object<'_>, name: &CStr, descriptor: &CStr) -> Option<Method> {
        let method = call!(self, GetMethodID, class.raw(), name.as_ptr(), descriptor.as_ptr());
        self.clear();
        // SAFETY: JNI gave it.
        unsafe { Method::new(method) }
    }

    /// Calls a static method whose descriptor takes these values and returns nothing.
    ///
    /// # Errors
    /// Fails if the method throws.
    pub fn call_static(
        self,
        class: Object<'_>,
        method: Method,
        values: &[Value<'_>],
    ) -> Result<(), JniError> {
        let values: Vec<jvalue> = values.iter().map(|value| value.raw()).collect();
        call!(self, CallStaticVoidMethodA, class.raw(), method.raw(), values.as_ptr());
        self.thrown()
    }

    /// Calls a static method without parameters that returns a `boolean`; none if it throws. A
    /// `ThreadDeath` stays pending, as it would be without the call.
    pub fn call_static_boolean(self, class: Object<'_>, method: Method) -> Option<bool> {
        let answer = call!(self, CallStaticBooleanMethodA, class.raw(), method.raw(), null());
        let Some(exception) = self.local(call!(self, ExceptionOccurred)) else {
            return Some(answer);
        };
        call!(self, ExceptionClear);
        let stop = self.find_class(c"java/lang/ThreadDeath");
        if stop
            .is_some_and(|stop| call!(self, IsInstanceOf, exception.get().raw(), stop.get().raw()))
        {
            call!(self, Throw, exception.get().raw());
        }
        None
    }

    /// Calls a static method that returns an object.
    ///
    /// # Errors
    /// Fails if the method throws.
    pub fn call_static_object(
        self,
        class: Object<'_>,
        method: Method,
        values: &[Value<'_>],
    ) -> Result<Option<Local<'j>>, JniError> {
        let values: Vec<jvalue> = values.iter().map(|value| value.raw()).collect();
        let result =
            call!(self, CallStaticObjectMethodA, class.raw(), method.raw(), values.as_ptr());
        self.thrown()?;
        Ok(self.local(result))
    }

    /// Calls a method without parameters that returns an object.
    ///
    /// # Errors
    /// Fails if the method throws.
    pub fn call_object(
        self,
        object: Object<'_>,
        method: Method,
    ) -> Result<Option<Local<'j>>, JniError> {
        let result = call!(self, CallObjectMethodA, object.raw(), method.raw(), null());
        self.thrown()?;
        Ok(self.local(result))
    }

    /// Calls a method whose descriptor takes these values and returns nothing.
    ///
    /// # Errors
    /// Fails if the method throws.
    pub fn call(
        self,
        object: Object<'_>,
        method: Method,
        values: &[Value<'_>],
    ) -> Result<(), JniError> {
        let values: Vec<jvalue> = values.iter().map(|value| value.raw()).collect();
        call!(self, CallVoidMethodA, object.raw(), method.raw(), values.as_ptr());
        self.thrown()
    }

    /// Makes an object.
    ///
    /// # Errors
    /// Fails if the constructor throws.
    pub fn new_object(
        self,
        class: Object<'_>,
        constructor: Method,
        values: &[Value<'_>],
    ) -> Result<Local<'j>, JniError> {
        let values: Vec<jvalue> = values.iter().map(|value| value.raw()).collect();
        let result = call!(self, NewObjectA, class.raw(), constructor.raw(), values.as_ptr());
        self.thrown()?;
        self.local(result).ok_or(JniError::NoObject)
    }

    /// A new Java string.
    pub fn string(self, text: &str) -> Option<Local<'j>> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let string = call!(self, NewString, units.as_ptr(), jint::try_from(units.len()).ok()?);
        self.clear();
        self.local(string)
    }

    /// The text of a Java string.
    pub fn text(self, string: Object<'_>) -> String {
        String::from_utf16_lossy(&self.units(string))
    }

    /// A Java string in modified UTF-8, as class files and JVMTI have names.
    pub fn modified_utf8(self, string: Object<'_>) -> Vec<u8> {
        mutf8::encode_utf16(self.units(string))
    }

    fn units(self, string: Object<'_>) -> Vec<u16> {
        let length = call!(self, GetStringLength, string.raw());
        let mut units = vec![0_u16; usize::try_from(length).unwrap_or(0)];
        call!(self, GetStringRegion, string.raw(), 0, length, units.as_mut_ptr());
        self.clear();
        units
    }

    pub fn class_of(self, object: Object<'_>) -> Option<Local<'j>> {
        self.local(call!(self, GetObjectClass, object.raw()))
    }

    /// Whether both refer to the same object.
    pub fn same(self, one: Object<'_>, other: Object<'_>) -> bool {
        call!(self, IsSameObject, one.raw(), other.raw())
    }

    /// A global reference to an object.
    pub fn global(self, object: Object<'_>) -> Option<Global> {
        let global = call!(self, NewGlobalRef, object.raw());
        // SAFETY: NewGlobalRef gives a new one.
        unsafe { Global::new(global) }
    }

    /// A weak global reference to an object.
    pub fn weak(self, object: Object<'_>) -> Option<Weak> {
        let weak = call!(self, NewWeakGlobalRef, object.raw());
        self.clear();
        // SAFETY: NewWeakGlobalRef gives a new one.
        unsafe { Weak::new(weak) }
    }

    pub(super) fn upgrade(self, weak: &Weak) -> Option<Local<'j>> {
        let object = call!(self, NewLocalRef, weak.raw());
        self.clear();
        self.local(object)
    }

    pub(super) fn delete_local(self, object: Object<'_>) {
        call!(self, DeleteLocalRef, object.raw());
    }

    pub(super) fn delete_global(self, object: Object<'_>) {
        call!(self, DeleteGlobalRef, object.raw());
    }

    pub(super) fn delete_weak(self, weak: &Weak) {
        call!(self, DeleteWeakGlobalRef, weak.raw());
    }

    /// Runs `body` in a frame of its own, with which all local references that it makes end. None
    /// if the JVM has no memory for the frame.
    pub fn framed<R>(self, body: impl for<'f> FnOnce(Jni<'f>) -> R) -> Option<R> {
        struct Frame(*mut JNIEnv);
        impl Drop for Frame {
            fn drop(&mut self) {
                // SAFETY: as in `call`; the frame was pushed on this thread.
                unsafe { ((**self.0).v1_6.PopLocalFrame)(self.0, null_mut()) };
            }
        }
        if call!(self, PushLocalFrame, FRAME_CAPACITY) != JNI_OK {
            self.clear();
            return None;
        }
        let _frame = Frame(self.env);
        Some(body(Jni { env: self.env, frame: PhantomData }))
    }

    /// Announces so many local references: without it `-Xcheck:jni` prints a warning.
    pub(super) fn reserve_locals(self, count: jint) {
        if call!(self, EnsureLocalCapacity, count.saturating_add(FRAME_CAPACITY)) != JNI_OK {
            self.clear();
        }
    }

    /// Runs `body` without the exception that may be pending, and makes it pending again.
    pub(super) fn aside<R>(self, body: impl FnOnce() -> R) -> R {
        let pending = self.local(call!(self, ExceptionOccurred));
        if pending.is_some() {
            call!(self, ExceptionClear);
        }
        let result = body();
        if let Some(exception) = pending {
            call!(self, Throw, exception.get().raw());
        }
        result
    }

    fn clear(self) {
        if call!(self, ExceptionCheck) {
            call!(self, ExceptionClear);
        }
    }

    /// Takes the pending exception as an error.
    fn thrown(self) -> Result<(), JniError> {
        let Some(exception) = self.local(call!(self, ExceptionOccurred)) else { return Ok(()) };
        call!(self, ExceptionClear);
        Err(JniError::Exception(self.describe(exception.get())))
    }

    /// An exception's text, by its `toString`.
    fn describe(self, exception: Object<'_>) -> Option<String> {
        let class = self.find_class(c"java/lang/Object")?;
        let to_string = self.method(class.get(), c"toString", c"()Ljava/lang/String;")?;
        let text = call!(self, CallObjectMethodA, exception.raw(), to_string.raw(), null());
        self.clear();
        self.local(text).map(|text| self.text(text.get()))
    }
}
