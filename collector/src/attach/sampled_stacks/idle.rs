//! Threads that wait, although the JVM calls some of them RUNNABLE.

use super::{
    frame::Frame,
    thread_dump::{ThreadStack, ThreadState},
};

/// Whether a stack is that of a thread that waits for work, by itself. Threads that wait for a
/// monitor are not idle: another thread's work delays theirs.
pub(super) fn is_idle(stack: &ThreadStack<'_>) -> bool {
    match stack.state {
        ThreadState::Waiting | ThreadState::Unknown => true,
        ThreadState::Runnable | ThreadState::Blocked => stack.frames.first().is_some_and(waits),
    }
}

/// Whether a method does nothing but wait for an event.
fn waits(frame: &Frame<'_>) -> bool {
    WAITS.iter().any(|(class, methods)| frame.class == *class && methods.contains(&frame.method))
}

/// Methods that wait in native code, by class.
const WAITS: &[(&str, &[&str])] = &[
    ("io.netty.channel.epoll.Native", &["epollWait", "epollWait0", "epollBusyWait0"]),
    ("java.lang.Object", &["wait", "wait0"]),
    ("java.lang.ProcessHandleImpl", &["waitForProcessExit0"]),
    ("java.lang.Thread", &["sleep", "sleep0", "sleepNanos0"]),
    ("java.lang.ref.Reference", &["waitForReferencePendingList"]),
    ("java.net.PlainSocketImpl", &["socketAccept"]),
    ("jdk.internal.misc.Unsafe", &["park"]),
    ("org.apache.tomcat.jni.Poll", &["poll"]),
    ("org.apache.tomcat.jni.Socket", &["accept"]),
    ("sun.misc.Unsafe", &["park"]),
    ("sun.nio.ch.EPoll", &["wait"]),
    ("sun.nio.ch.EPollArrayWrapper", &["epollWait"]),
    ("sun.nio.ch.Net", &["accept"]),
    ("sun.nio.ch.PollSelectorImpl", &["poll"]),
    ("sun.nio.ch.ServerSocketChannelImpl", &["accept0"]),
    ("sun.nio.ch.UnixDomainSockets", &["accept0"]),
    ("sun.nio.fs.LinuxWatchService", &["poll"]),
];
