//! Room `classfile-writer`.
