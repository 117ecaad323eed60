//! JVMTI's function table and structures, from the JVMTI specification. Only what is used has a
//! type.

use super::error::JvmtiError;
use jni_sys::{JNIEnv, jclass, jint, jlong, jmethodID, jobject};
use std::ffi::{c_char, c_int, c_uchar, c_void};

/// How many functions the table of JVMTI 11 has; the specification counts them from 1.
const SLOTS: usize = 156;

/// One past the last slot of JNI's table that the agent changes; the table is longer (JNI
/// specification, "JNI Functions").
pub const JNI_SLOTS: usize = 144;

/// The function table that `jvmtiEnv` points to.
#[repr(C)]
pub struct Functions {
    slots: [*const c_void; SLOTS],
}

/// `jvmtiEnv`.
pub type Env = *const Functions;

/// `jthread`.
pub type Thread = jobject;

/// `jvmtiFrameInfo`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct FrameInfo {
    pub method: jmethodID,
    pub location: jlong,
}

/// `jvmtiStackInfo`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct StackInfo {
    pub thread: Thread,
    pub state: jint,
    pub frames: *mut FrameInfo,
    pub count: jint,
}

/// `jvmtiExtensionEventInfo`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ExtensionEvent {
    pub number: jint,
    pub id: *mut c_char,
    pub description: *mut c_char,
    pub parameter_count: jint,
    pub parameters: *mut Parameter,
}

/// `jvmtiParamInfo`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Parameter {
    pub name: *mut c_char,
    pub kind: c_int,
    pub base_type: c_int,
    pub null_ok: c_uchar,
}

/// `jvmtiStartFunction`.
pub type StartFunction = unsafe extern "system" fn(*mut Env, *mut JNIEnv, *mut c_void);

/// `jvmtiCapabilities`: 128 bits, numbered as the specification lists them, lowest first.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Capabilities([u32; 4]);

impl Capabilities {
    // Bits of the structure, by the capabilities' names.
    pub const ALL_CLASS_HOOK_EVENTS: u32 = 26;
    pub const COMPILED_METHOD_LOAD_EVENTS: u32 = 27;
    pub const GET_CONSTANT_POOL: u32 = 35;
    pub const RETRANSFORM_CLASSES: u32 = 37;
    pub const RETRANSFORM_ANY_CLASS: u32 = 38;
    pub const SUPPORT_VIRTUAL_THREADS: u32 = 44;

    pub const fn with(mut self, bit: u32) -> Self {
        self.0[(bit / 32) as usize] |= 1 << (bit % 32);
        self
    }

    pub const fn has(self, bit: u32) -> bool {
        self.0[(bit / 32) as usize] & (1 << (bit % 32)) != 0
    }
}

/// The events that are used, by their numbers in `jvmtiEvent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Event {
    /// The JVM can run Java code.
    VmInit = 50,
    /// The JVM ends.
    VmDeath = 51,
    /// The JVM is about to read a class file.
    ClassFileLoadHook = 54,
    /// A class is loaded.
    ClassLoad = 55,
    /// A class is prepared (JVMS §5.4.2).
    ClassPrepare = 56,
    /// A method was compiled.
    CompiledMethodLoad = 68,
}

/// The event that `jvmtiEventCallbacks` begins with.
const FIRST_EVENT: Event = Event::VmInit;
/// How many events JVMTI 11 has.
const EVENTS: usize = 37;

/// `jvmtiEventCallbacks`: a function or null for each event.
#[repr(C)]
pub struct EventCallbacks([*const c_void; EVENTS]);

impl EventCallbacks {
    pub const fn new() -> Self {
        Self([std::ptr::null(); EVENTS])
    }

    /// With the function for an event. The function has the type that the event asks for.
    pub const fn with(mut self, event: Event, function: *const c_void) -> Self {
        self.0[event as usize - FIRST_EVENT as usize] = function;
        self
    }
}

macro_rules! functions {
    ($($slot:literal $name:ident($($argument:ident: $kind:ty),*);)*) => {
        /// The functions that are used, by their numbers in the specification. Each needs a valid
        /// environment, and arguments as the specification demands.
        impl Functions {
            $(
                #[doc = concat!("JVMTI function ", stringify!($slot), ".")]
                #[allow(clippy::too_many_arguments)]
                pub unsafe fn $name(
                    env: *mut Env,
                    $($argument: $kind),*
                ) -> Result<(), JvmtiError> {
                    // SAFETY: the caller's environment is valid, so it points to a table of at
                    // least so many slots, and slot $slot holds a function of this type (JVMTI
                    // specification, "Function Index").
                    unsafe {
                        let slot = (&(**env).slots)[$slot - 1];
                        if slot.is_null() {
                            return Err(JvmtiError::INTERNAL);
                        }
                        let function: unsafe extern "system" fn(*mut Env, $($kind),*) -> jint =
                            std::mem::transmute(slot);
                        JvmtiError::check(function(env, $($argument),*))
                    }
                }
            )*
        }
    };
}

functions! {
    12 run_agent_thread(
        thread: Thread, body: StartFunction, argument: *const c_void, priority: jint
    );
    13 get_top_thread_groups(count: *mut jint, groups: *mut *mut jobject);
    46 allocate(size: jlong, memory: *mut *mut c_uchar);
    47 deallocate(memory: *mut c_uchar);
    48 get_class_signature(class: jclass, signature: *mut *mut c_char, generic: *mut *mut c_char);
    49 get_class_status(class: jclass, status: *mut jint);
    52 get_class_methods(class: jclass, count: *mut jint, methods: *mut *mut jmethodID);
    57 get_class_loader(class: jclass, loader: *mut jobject);
    58 get_object_hash_code(object: jobject, hash: *mut jint);
    64 get_method_name(
        method: jmethodID, name: *mut *mut c_char, descriptor: *mut *mut c_char,
        generic: *mut *mut c_char
    );
    65 get_method_declaring_class(method: jmethodID, class: *mut jclass);
    78 get_loaded_classes(count: *mut jint, classes: *mut *mut jclass);
    100 get_all_stack_traces(most_frames: jint, stacks: *mut *mut StackInfo, threads: *mut jint);
    102 get_thread_local_storage(thread: Thread, data: *mut *mut c_void);
    103 set_thread_local_storage(thread: Thread, data: *const c_void);
    120 set_jni_function_table(table: *const *mut c_void);
    121 get_jni_function_table(table: *mut *mut *mut c_void);
    122 set_event_callbacks(callbacks: *const EventCallbacks, size: jint);
    125 get_extension_events(count: *mut jint, events: *mut *mut ExtensionEvent);
    126 set_extension_event_callback(number: jint, callback: *const c_void);
    127 dispose_environment();
    131 get_system_property(name: *const c_char, value: *mut *mut c_char);
    133 get_phase(phase: *mut c_int);
    140 get_potential_capabilities(capabilities: *mut Capabilities);
    142 add_capabilities(capabilities: *const Capabilities);
    143 relinquish_capabilities(capabilities: *const Capabilities);
    146 get_constant_pool(
        class: jclass, count: *mut jint, length: *mut jint, bytes: *mut *mut c_uchar
    );
    152 retransform_classes(count: jint, classes: *const jclass);
}

/// The number of SetEventNotificationMode.
const SET_EVENT_NOTIFICATION_MODE: usize = 2;

impl Functions {
    /// SetEventNotificationMode, which C declares with variable parameters.
    pub unsafe fn set_event_notification_mode(
        env: *mut Env,
        mode: c_int,
        event: c_int,
        thread: Thread,
    ) -> Result<(), JvmtiError> {
        // SAFETY: as for the other functions; no variable parameter is passed.
        unsafe {
            let slot = (&(**env).slots)[SET_EVENT_NOTIFICATION_MODE - 1];
            if slot.is_null() {
                return Err(JvmtiError::INTERNAL);
            }
            let function: unsafe extern "C" fn(*mut Env, c_int, c_int, Thread, ...) -> jint =
                std::mem::transmute(slot);
            JvmtiError::check(function(env, mode, event, thread))
        }
    }
}
