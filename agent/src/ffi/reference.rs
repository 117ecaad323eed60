//! References to Java objects: borrowed, local, global, weak.

use super::jni::Jni;
use jni_sys::{jmethodID, jobject, jweak};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A reference that is valid for `'j`; never null.
#[derive(Clone, Copy)]
pub struct Object<'j> {
    raw: NonNull<jni_sys::_jobject>,
    frame: PhantomData<&'j ()>,
}

impl<'j> Object<'j> {
    /// None for null.
    ///
    /// # Safety
    /// Where it is not null, `raw` is a reference that stays valid for `'j`.
    pub(super) unsafe fn new(raw: jobject) -> Option<Self> {
        NonNull::new(raw).map(|raw| Self { raw, frame: PhantomData })
    }

    pub(super) const fn raw(self) -> jobject {
        self.raw.as_ptr()
    }
}

/// A local reference, given back when it is dropped.
pub struct Local<'j> {
    object: Object<'j>,
    jni: Jni<'j>,
}

impl<'j> Local<'j> {
    /// None for null.
    ///
    /// # Safety
    /// Where it is not null, `raw` is a local reference of this frame that nobody else gives back.
    pub(super) unsafe fn new(jni: Jni<'j>, raw: jobject) -> Option<Self> {
        // SAFETY: as the caller promises.
        unsafe { Object::new(raw) }.map(|object| Self { object, jni })
    }

    pub fn get(&self) -> Object<'_> {
        self.object
    }
}

impl Drop for Local<'_> {
    fn drop(&mut self) {
        self.jni.delete_local(self.object);
    }
}

/// A global reference, given back when it is dropped.
pub struct Global(NonNull<jni_sys::_jobject>);

// SAFETY: global references are valid in all threads (JNI specification, "Global and Local
// References").
unsafe impl Send for Global {}
// SAFETY: as above; nothing in it changes.
unsafe impl Sync for Global {}

impl Global {
    /// # Safety
    /// `raw` is a global reference that nobody else gives back.
    pub(super) unsafe fn new(raw: jobject) -> Option<Self> {
        NonNull::new(raw).map(Self)
    }

    pub fn get(&self) -> Object<'_> {
        Object { raw: self.0, frame: PhantomData }
    }
}

impl Drop for Global {
    fn drop(&mut self) {
        if let Some(jni) = Jni::current() {
            jni.delete_global(self.get());
        }
    }
}

/// A weak global reference, given back when it is dropped.
pub struct Weak(NonNull<jni_sys::_jobject>);

// SAFETY: weak global references are valid in all threads (JNI specification, "Weak Global
// References").
unsafe impl Send for Weak {}
// SAFETY: as above; nothing in it changes.
unsafe impl Sync for Weak {}

impl Weak {
    /// # Safety
    /// `raw` is a weak global reference that nobody else gives back.
    pub(super) unsafe fn new(raw: jweak) -> Option<Self> {
        NonNull::new(raw).map(Self)
    }

    pub(super) const fn raw(&self) -> jweak {
        self.0.as_ptr()
    }

    /// A local reference to the object; none once it is collected.
    pub fn get<'j>(&self, jni: Jni<'j>) -> Option<Local<'j>> {
        jni.upgrade(self)
    }
}

impl Drop for Weak {
    fn drop(&mut self) {
        if let Some(jni) = Jni::current() {
            jni.delete_weak(self);
        }
    }
}

/// A method of a class that is never unloaded, or that the caller keeps loaded.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Method(NonNull<jni_sys::_jmethodID>);

// SAFETY: method ids are valid in all threads as long as their class is loaded.
unsafe impl Send for Method {}
// SAFETY: as above.
unsafe impl Sync for Method {}

impl Method {
    /// # Safety
    /// `raw` is null or the id of a method.
    pub(super) unsafe fn new(raw: jmethodID) -> Option<Self> {
        NonNull::new(raw).map(Self)
    }

    pub(super) const fn raw(self) -> jmethodID {
        self.0.as_ptr()
    }
}
