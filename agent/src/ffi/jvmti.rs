//! JVMTI functions.

use super::error::{JvmError, JvmtiError};
use super::jni::{self, Jni};
use super::reference::{Local, Method, Object};
use super::table::{
    Capabilities, Env, Event, EventCallbacks, ExtensionEvent, Functions, JNI_SLOTS, StackInfo,
    StartFunction,
};
use std::ffi::{CStr, c_char, c_void};
use std::ptr::{null, null_mut};

/// The version that the agent uses: JVMTI 11.
const VERSION: i32 = 0x300b_0000;
/// `JVMTI_PHASE_LIVE`.
const PHASE_LIVE: i32 = 4;
/// Priority of agent threads: `JVMTI_THREAD_NORM_PRIORITY`.
const PRIORITY: i32 = 5;

/// An environment of the JVM.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Jvmti(*mut Env);

// SAFETY: an environment may be used on any thread (JVMTI specification, "Environments"). The
// memory of one that was disposed of stays until no thread is in a call of it, and its functions
// then fail.
unsafe impl Send for Jvmti {}
// SAFETY: as above; its functions are safe to call at the same time.
unsafe impl Sync for Jvmti {}

/// State of a class: the bits of GetClassStatus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassStatus(i32);

impl ClassStatus {
    /// `JVMTI_CLASS_STATUS_PREPARED`.
    const PREPARED: i32 = 2;
    /// `JVMTI_CLASS_STATUS_INITIALIZED`.
    const INITIALISED: i32 = 4;

    /// Whether a retransformation of the class need not link it first.
    pub const fn is_prepared(self) -> bool {
        self.0 & Self::PREPARED != 0
    }

    /// Whether the class's initialiser has run.
    pub const fn is_initialised(self) -> bool {
        self.0 & Self::INITIALISED != 0
    }
}

/// Memory that JVMTI allocated, given back when it is dropped.
struct Memory<T> {
    env: *mut Env,
    start: *mut T,
}

impl<T> Memory<T> {
    /// `count` elements.
    ///
    /// # Safety
    /// JVMTI has written so many, and they are valid for as long as they are used.
    unsafe fn elements(&self, count: i32) -> &[T] {
        let count = usize::try_from(count).unwrap_or(0);
        if self.start.is_null() || count == 0 {
            return &[];
        }
        // SAFETY: as the caller promises.
        unsafe { std::slice::from_raw_parts(self.start, count) }
    }
}

impl Memory<c_char> {
    /// The bytes of a C string, without its end; nothing for null.
    fn bytes(&self) -> &[u8] {
        if self.start.is_null() {
            return &[];
        }
        // SAFETY: JVMTI's texts end with a zero, and live until they are given back.
        unsafe { CStr::from_ptr(self.start) }.to_bytes()
    }
}

impl<T> Drop for Memory<T> {
    fn drop(&mut self) {
        if !self.start.is_null() {
            // SAFETY: JVMTI allocated it for us, and it is given back once. An error could not be
            // helped.
            let _ = unsafe { Functions::deallocate(self.env, self.start.cast()) };
        }
    }
}

impl Jvmti {
    /// # Safety
    /// `env` is valid.
    pub(super) const unsafe fn new(env: *mut Env) -> Self {
        Self(env)
    }

    /// A new environment with these callbacks, and with the capabilities that a session needs.
    ///
    /// # Errors
    /// Fails if the JVM has no JVMTI 11, or lacks or refuses a capability.
    pub(super) fn with_callbacks(callbacks: &'static EventCallbacks) -> Result<Self, JvmError> {
        let Self(env) = Self::plain(callbacks)?;
        let mut potential = Capabilities::default();
        // SAFETY: GetEnv gave the environment for this version.
        unsafe { Functions::get_potential_capabilities(env, &mut potential) }
            .map_err(JvmError::PotentialCapabilities)?;
        let mut wanted = Capabilities::default();
        for (bit, name) in [
            (Capabilities::RETRANSFORM_CLASSES, "can_retransform_classes"),
            (Capabilities::RETRANSFORM_ANY_CLASS, "can_retransform_any_class"),
            (Capabilities::ALL_CLASS_HOOK_EVENTS, "can_generate_all_class_hook_events"),
            (Capabilities::GET_CONSTANT_POOL, "can_get_constant_pool"),
        ] {
            if !potential.has(bit) {
                return Err(JvmError::Lacks(name));
            }
            wanted = wanted.with(bit);
        }
        // SAFETY: the environment is valid; the JVM copies the structure.
        unsafe { Functions::add_capabilities(env, &wanted) }.map_err(JvmError::AddCapabilities)?;
        Ok(Self(env))
    }

    /// A new environment with these callbacks, and without capabilities.
    ///
    /// # Errors
    /// Fails if the JVM has no JVMTI 11.
    pub(super) fn plain(callbacks: &'static EventCallbacks) -> Result<Self, JvmError> {
        let env: *mut Env = jni::interface(VERSION).cast();
        if env.is_null() {
            return Err(JvmError::Version);
        }
        let size = size_of_val(callbacks) as i32;
        // SAFETY: GetEnv gave the environment; the JVM copies the structure.
        unsafe { Functions::set_event_callbacks(env, callbacks, size) }
            .map_err(JvmError::Callbacks)?;
        Ok(Self(env))
    }

    /// Whether the JVM is in its live phase.
    pub fn is_live(self) -> bool {
        let mut phase = 0;
        // SAFETY: the environment is valid.
        unsafe { Functions::get_phase(self.0, &mut phase) }.is_ok() && phase == PHASE_LIVE
    }

    /// Ends an environment: it gets no further events.
    pub fn dispose(self) {
        // SAFETY: the environment is valid. An error would leave it idle.
        let _ = unsafe { Functions::dispose_environment(self.0) };
    }

    /// The constant pool of a prepared class as in a class file: its count, and its entries.
    pub fn constant_pool(self, class: Object<'_>) -> Option<(u16, Vec<u8>)> {
        let (mut count, mut length) = (0, 0);
        let mut bytes = Memory { env: self.0, start: null_mut::<u8>() };
        // SAFETY: the environment and the class are valid.
        unsafe {
            Functions::get_constant_pool(
                self.0,
                class.raw(),
                &mut count,
                &mut length,
                &mut bytes.start,
            )
            .ok()?;
        }
        // SAFETY: JVMTI has written so many.
        Some((u16::try_from(count).ok()?, unsafe { bytes.elements(length) }.to_vec()))
    }

    /// Switches an event on or off, for all threads.
    ///
    /// # Errors
    /// JVMTI's.
    pub fn set_event(self, event: Event, on: bool) -> Result<(), JvmtiError> {
        // SAFETY: the environment is valid; no thread means all.
        unsafe {
            let (mode, event) = (i32::from(on), event as i32);
            Functions::set_event_notification_mode(self.0, mode, event, null_mut())
        }
    }

    /// The number in the current thread's storage, which is the virtual one's that is mounted; zero
    /// if there is none.
    pub(super) fn thread_local(self) -> Option<u64> {
        let mut data: *mut c_void = null_mut();
        // SAFETY: the environment is valid; no thread means the current one.
        unsafe { Functions::get_thread_local_storage(self.0, null_mut(), &mut data) }.ok()?;
        Some(data.addr() as u64)
    }

    /// The number in the storage of a thread.
    pub(super) fn thread_local_of(self, thread: Object<'_>) -> Option<u64> {
        let mut data: *mut c_void = null_mut();
        // SAFETY: the environment and the thread are valid.
        unsafe { Functions::get_thread_local_storage(self.0, thread.raw(), &mut data) }.ok()?;
        Some(data.addr() as u64)
    }

    /// Sets that number; nothing if the JVM refuses.
    pub(super) fn set_thread_local(self, number: u64) {
        let data = std::ptr::without_provenance::<c_void>(number as usize);
        // SAFETY: as above. The JVM keeps the pointer, and nobody follows it.
        let _ = unsafe { Functions::set_thread_local_storage(self.0, null_mut(), data) };
    }

    /// Switches the event of compiled methods on. While it is on, the JVM notes for all code that
    /// it compiles, and not at safepoints alone, which calls were inlined. False if the JVM lacks
    /// the event.
    ///
    /// # Errors
    /// JVMTI's.
    pub fn tell_compiled_methods(self) -> Result<bool, JvmtiError> {
        let has = self.add_capability(Capabilities::COMPILED_METHOD_LOAD_EVENTS)?;
        if has {
            self.set_event(Event::CompiledMethodLoad, true)?;
        }
        Ok(has)
    }

    /// Adds the capability for events of virtual threads. False if the JVM lacks it.
    ///
    /// # Errors
    /// JVMTI's.
    pub(super) fn add_virtual_threads(self) -> Result<bool, JvmtiError> {
        self.add_capability(Capabilities::SUPPORT_VIRTUAL_THREADS)
    }

    /// Adds a capability. False if the JVM lacks it.
    fn add_capability(self, bit: u32) -> Result<bool, JvmtiError> {
        let mut potential = Capabilities::default();
        let wanted = Capabilities::default().with(bit);
        // SAFETY: the environment is valid; the JVM copies both structures.
        unsafe {
            Functions::get_potential_capabilities(self.0, &mut potential)?;
            if !potential.has(bit) {
                return Ok(false);
            }
            Functions::add_capabilities(self.0, &wanted)?;
        }
        Ok(true)
    }

    /// Gives the capability for events of virtual threads back. If the JVM keeps it, it has no
    /// effect without events.
    pub(super) fn relinquish_virtual_threads(self) {
        let wanted = Capabilities::default().with(Capabilities::SUPPORT_VIRTUAL_THREADS);
        // SAFETY: the environment is valid; the JVM copies the structure.
        let _ = unsafe { Functions::relinquish_capabilities(self.0, &wanted) };
    }

    /// The number of an extension event; none if the JVM does not have it.
    pub(super) fn extension_event(self, id: &[u8]) -> Option<i32> {
        let mut count = 0;
        let mut events = Memory { env: self.0, start: null_mut::<ExtensionEvent>() };
        // SAFETY: the environment is valid.
        unsafe { Functions::get_extension_events(self.0, &mut count, &mut events.start) }.ok()?;
        let mut found = None;
        // SAFETY: JVMTI has written so many.
        for event in unsafe { events.elements(count) } {
            // Each part is memory of its own, which is given back here.
            let name = Memory { env: self.0, start: event.id };
            let _description = Memory { env: self.0, start: event.description };
            let parameters = Memory { env: self.0, start: event.parameters };
            // SAFETY: JVMTI has written so many.
            for parameter in unsafe { parameters.elements(event.parameter_count) } {
                drop(Memory { env: self.0, start: parameter.name });
            }
            if name.bytes() == id {
                found = Some(event.number);
            }
        }
        found
    }

    /// Switches an extension event on, with its callback, or off.
    ///
    /// # Errors
    /// JVMTI's.
    ///
    /// # Safety
    /// The callback is a function with the event's parameters, after the environment.
    pub(super) unsafe fn set_extension_event(
        self,
        event: i32,
        callback: Option<*const c_void>,
    ) -> Result<(), JvmtiError> {
        let on = i32::from(callback.is_some());
        // SAFETY: the environment is valid; no thread means all; for the callback, as promised.
        unsafe {
            if let Some(callback) = callback {
                Functions::set_extension_event_callback(self.0, event, callback)?;
            }
            let switched = Functions::set_event_notification_mode(self.0, on, event, null_mut());
            if callback.is_none() {
                Functions::set_extension_event_callback(self.0, event, null())?;
            }
            switched
        }
    }

    /// A system property as it was when the JVM started.
    pub fn property(self, name: &CStr) -> Option<Vec<u8>> {
        let mut value = Memory { env: self.0, start: null_mut::<c_char>() };
        // SAFETY: the environment is valid, and the name is a C string.
        unsafe { Functions::get_system_property(self.0, name.as_ptr(), &mut value.start) }.ok()?;
        Some(value.bytes().to_vec())
    }

    /// A copy of `bytes` in memory that the JVM gives back.
    pub(super) fn copy(self, bytes: &[u8]) -> Option<*mut u8> {
        let mut memory = null_mut();
        // SAFETY: the environment is valid.
        unsafe { Functions::allocate(self.0, i64::try_from(bytes.len()).ok()?, &mut memory) }
            .ok()?;
        if memory.is_null() {
            return None;
        }
        // SAFETY: JVMTI allocated so many bytes there, which nobody else knows of.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), memory, bytes.len()) };
        Some(memory)
    }

    /// The internal name of a class (`a/b/C`, hidden `a/b/C.0x…` with the dot as JVMTI has it);
    /// none for arrays and primitive types.
    pub fn class_name(self, class: Object<'_>) -> Option<Box<[u8]>> {
        let mut signature = Memory { env: self.0, start: null_mut::<c_char>() };
        // SAFETY: the environment and the class are valid.
        unsafe {
            Functions::get_class_signature(self.0, class.raw(), &mut signature.start, null_mut())
        }
        .ok()?;
        Some(signature.bytes().strip_prefix(b"L")?.strip_suffix(b";")?.into())
    }

    /// State of a class; no bit is set if JVMTI fails.
    pub fn class_status(self, class: Object<'_>) -> ClassStatus {
        let mut status = 0;
        // SAFETY: the environment and the class are valid.
        let known = unsafe { Functions::get_class_status(self.0, class.raw(), &mut status) };
        ClassStatus(if known.is_ok() { status } else { 0 })
    }

    /// The loader that defined a class; none is the boot loader.
    pub fn class_loader<'j>(self, jni: Jni<'j>, class: Object<'_>) -> Option<Local<'j>> {
        let mut loader = null_mut();
        // SAFETY: the environment and the class are valid; what is given is a local reference.
        unsafe {
            Functions::get_class_loader(self.0, class.raw(), &mut loader).ok()?;
            Local::new(jni, loader)
        }
    }

    /// A number that differs from that of most other objects, as long as the object lives.
    pub fn object_hash(self, object: Object<'_>) -> i32 {
        let mut hash = 0;
        // SAFETY: the environment and the object are valid. Without a number all objects are alike.
        let _ = unsafe { Functions::get_object_hash_code(self.0, object.raw(), &mut hash) };
        hash
    }

    /// Calls `each` with all loaded classes, arrays included.
    ///
    /// # Errors
    /// JVMTI's.
    pub fn for_each_loaded_class(
        self,
        jni: Jni<'_>,
        mut each: impl for<'f> FnMut(Jni<'f>, Object<'f>),
    ) -> Result<(), JvmtiError> {
        jni.framed(|jni| {
            let mut count = 0;
            let mut classes = Memory { env: self.0, start: null_mut() };
            // SAFETY: the environment is valid.
            unsafe { Functions::get_loaded_classes(self.0, &mut count, &mut classes.start)? };
            jni.reserve_locals(count);
            // SAFETY: JVMTI has written `count` local references, which the frame gives back after
            // `each`.
            for &class in unsafe { classes.elements(count) } {
                // SAFETY: as above.
                if let Some(class) = unsafe { Object::new(class) } {
                    each(jni, class);
                }
            }
            Ok(())
        })
        .unwrap_or(Err(JvmtiError::INTERNAL))
    }

    /// RetransformClasses: the JVM asks the load hook for new bytes of these classes and installs
    /// them, all or none.
    ///
    /// # Errors
    /// JVMTI's; no class is changed then.
    pub fn retransform(self, classes: &[Object<'_>]) -> Result<(), JvmtiError> {
        let classes: Vec<_> = classes.iter().map(|class| class.raw()).collect();
        // SAFETY: the environment and the classes are valid.
        unsafe { Functions::retransform_classes(self.0, classes.len() as i32, classes.as_ptr()) }
    }

    /// The class that declares a method.
    pub fn declaring_class<'j>(self, jni: Jni<'j>, method: Method) -> Option<Local<'j>> {
        let mut class = null_mut();
        // SAFETY: the environment is valid; what is given is a local reference.
        unsafe {
            Functions::get_method_declaring_class(self.0, method.raw(), &mut class).ok()?;
            Local::new(jni, class)
        }
    }

    /// Name and descriptor of a method, in modified UTF-8.
    pub fn method_name(self, method: Method) -> Option<(Vec<u8>, Vec<u8>)> {
        let mut name = Memory { env: self.0, start: null_mut::<c_char>() };
        let mut descriptor = Memory { env: self.0, start: null_mut::<c_char>() };
        // SAFETY: the environment and the method are valid.
        unsafe {
            Functions::get_method_name(
                self.0,
                method.raw(),
                &mut name.start,
                &mut descriptor.start,
                null_mut(),
            )
            .ok()?;
        }
        Some((name.bytes().to_vec(), descriptor.bytes().to_vec()))
    }

    /// Has the JVM make the ids of all methods of a prepared class, which it otherwise makes as
    /// they are asked for. Without its id a method has no name in a stack that a signal handler
    /// walks.
    pub fn make_method_ids(self, class: Object<'_>) {
        let mut count = 0;
        let mut methods = Memory { env: self.0, start: null_mut() };
        // SAFETY: the environment and the class are valid. If JVMTI fails, the class is not
        // prepared, or the JVM has no memory left.
        let _ = unsafe {
            Functions::get_class_methods(self.0, class.raw(), &mut count, &mut methods.start)
        };
    }

    /// Changes the first [`JNI_SLOTS`] functions of JNI's table for all threads, unless `change`
    /// returns that it changed none.
    ///
    /// # Errors
    /// JVMTI's; nothing is changed then.
    pub(super) fn change_jni_functions(
        self,
        change: impl FnOnce(&mut [*mut c_void]) -> bool,
    ) -> Result<(), JvmtiError> {
        let mut table = Memory { env: self.0, start: null_mut::<*mut c_void>() };
        // SAFETY: the environment is valid.
        unsafe { Functions::get_jni_function_table(self.0, &mut table.start)? };
        if table.start.is_null() {
            return Err(JvmtiError::INTERNAL);
        }
        // SAFETY: JVMTI gives a copy of the whole table, which has more slots than these, and which
        // nobody else knows of.
        let functions = unsafe { std::slice::from_raw_parts_mut(table.start, JNI_SLOTS) };
        if !change(functions) {
            return Ok(());
        }
        // SAFETY: the environment is valid, and the table has the JVM's own length.
        unsafe { Functions::set_jni_function_table(self.0, table.start) }
    }

    /// Calls `each` with the innermost frames of every thread, at most `depth` of each, taken at
    /// one moment.
    ///
    /// # Errors
    /// JVMTI's.
    pub fn for_each_frame(
        self,
        jni: Jni<'_>,
        depth: i32,
        mut each: impl FnMut(Method),
    ) -> Result<(), JvmtiError> {
        jni.framed(|jni| {
            let mut count = 0;
            let mut stacks = Memory { env: self.0, start: null_mut::<StackInfo>() };
            // SAFETY: the environment is valid.
            unsafe {
                Functions::get_all_stack_traces(self.0, depth, &mut stacks.start, &mut count)?
            };
            jni.reserve_locals(count);
            // SAFETY: JVMTI has written so many threads, in one piece of memory with their frames.
            for stack in unsafe { stacks.elements(count) } {
                let frames = usize::try_from(stack.count).unwrap_or(0);
                if stack.frames.is_null() {
                    continue;
                }
                // SAFETY: as above.
                for frame in unsafe { std::slice::from_raw_parts(stack.frames, frames) } {
                    // SAFETY: JVMTI gave the id.
                    if let Some(method) = unsafe { Method::new(frame.method) } {
                        each(method);
                    }
                }
            }
            Ok(())
        })
        .unwrap_or(Err(JvmtiError::INTERNAL))
    }

    /// The outermost thread group.
    pub fn thread_group<'j>(self, jni: Jni<'j>) -> Option<Local<'j>> {
        let mut count = 0;
        let mut groups = Memory { env: self.0, start: null_mut() };
        // SAFETY: the environment is valid; what is given are local references, of which there is
        // one.
        unsafe {
            Functions::get_top_thread_groups(self.0, &mut count, &mut groups.start).ok()?;
            Local::new(jni, *groups.elements(count).first()?)
        }
    }

    /// Starts a thread as a daemon with this body, which gets no argument.
    ///
    /// # Errors
    /// JVMTI's.
    ///
    /// # Safety
    /// `thread` is a `java.lang.Thread` that was never started, and the JVM may call `body`.
    pub(super) unsafe fn run_thread(
        self,
        thread: Object<'_>,
        body: StartFunction,
    ) -> Result<(), JvmtiError> {
        // SAFETY: the environment is valid; for the rest, as the caller promises.
        unsafe {
            Functions::run_agent_thread(self.0, thread.raw(), body, null::<c_void>(), PRIORITY)
        }
    }
}
