//! Exports, judged by readers of others.
