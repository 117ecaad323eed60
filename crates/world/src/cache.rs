//! Reading and writing of cached indexes, and their keys.

use crate::{Cache, Notice};
use jfathom_archive::{ByteCache, StoreError};
use jfathom_reachability::{Index, READER_VERSION, checksum};
use std::{
    sync::{Arc, Mutex, PoisonError},
    thread::{self, JoinHandle},
};

/// The byte cache, if it is usable, and its writers.
#[derive(Debug, Default)]
pub(crate) struct IndexCache {
    store: Option<Arc<ByteCache>>,
    writers: Mutex<Vec<JoinHandle<()>>>,
    /// The first failed write. A writer sets it.
    failed: Arc<Mutex<Option<String>>>,
}

impl IndexCache {
    /// Opens the byte cache. If that fails, there is none, and a notice says so.
    pub(crate) fn open(cache: &Cache, notices: &mut Vec<Notice>) -> Self {
        let store = match cache {
            Cache::Off => return Self::default(),
            Cache::User => ByteCache::of_user(),
            Cache::At(directory) => ByteCache::at(directory),
        };
        let store = match store {
            Ok(store) => Some(Arc::new(store)),
            Err(StoreError { directory, problem }) => {
                notices.push(Notice::CacheUnusable { directory, problem });
                None
            }
        };
        let mut kept = Self::default();
        kept.store = store;
        kept
    }

    /// Whether indexes can be cached.
    pub(crate) fn is_on(&self) -> bool {
        self.store.is_some()
    }

    /// The index of this identity. A damaged one is removed.
    pub(crate) fn get(&self, identity: Identity) -> Option<Index> {
        let (store, key) = (self.store.as_ref()?, identity.key());
        let bytes = store.get(&key)?;
        match Index::decode(bytes, key.as_bytes()) {
            Ok(index) => Some(index),
            Err(_) => {
                store.remove(&key);
                None
            }
        }
    }

    /// Writes an index in the background.
    pub(crate) fn put(&self, identity: Identity, index: &Index) {
        let Some(store) = self.store.clone() else { return };
        let (key, index, failed) = (identity.key(), index.clone(), self.failed.clone());
        let write = move || {
            if let Err(error) = store.put(&key, index.bytes()) {
                note(&failed, &error);
            }
        };
        match thread::Builder::new().spawn(write) {
            Ok(writer) => {
                self.writers.lock().unwrap_or_else(PoisonError::into_inner).push(writer);
            }
            Err(error) => note(&self.failed, &error),
        }
    }

    /// Waits for all writers, and returns the first failure.
    pub(crate) fn finish(&self) -> Option<Notice> {
        let writers =
            std::mem::take(&mut *self.writers.lock().unwrap_or_else(PoisonError::into_inner));
        for writer in writers {
            // A writer that panicked has written nothing.
            let _gone = writer.join();
        }
        let problem = self.failed.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        let directory = self.store.as_ref()?.directory().to_owned();
        Some(Notice::CacheUnusable { directory, problem })
    }
}

/// Keeps the first failure.
fn note(failed: &Mutex<Option<String>>, error: &dyn std::error::Error) {
    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| error.to_string());
}

impl Drop for IndexCache {
    fn drop(&mut self) {
        self.finish();
    }
}

/// Computes a key from the identity of a container.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Identity([u64; 2]);

impl Identity {
    /// The start of a key, for one kind of container and this version of the reader.
    pub(crate) fn new(kind: &str) -> Self {
        let mut identity = Self([0x6a66, 0x6978]);
        identity.take(kind.as_bytes());
        identity.take(env!("CARGO_PKG_VERSION").as_bytes());
        identity.take(&READER_VERSION.to_le_bytes());
        identity
    }

    pub(crate) fn take(&mut self, piece: &[u8]) {
        self.0 = self.0.map(|half| checksum(half, piece));
    }

    /// The key as text that can name a file.
    pub(crate) fn key(&self) -> String {
        format!("{:016x}{:016x}", self.0[0], self.0[1])
    }
}
