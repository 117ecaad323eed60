//! Methods by which servers and test runners call the program.

use super::frame::{Frame, Origin};

/// A kind of request, and the methods that pass it to the program.
struct Dispatcher {
    kind: &'static str,
    methods: &'static [(&'static str, &'static str)],
}

const DISPATCHERS: &[Dispatcher] = &[
    Dispatcher {
        kind: "servlet",
        methods: &[
            ("jakarta.servlet.http.HttpServlet", "service"),
            ("javax.servlet.http.HttpServlet", "service"),
            ("org.apache.catalina.core.ApplicationFilterChain", "internalDoFilter"),
        ],
    },
    Dispatcher {
        kind: "Spring handler",
        methods: &[
            ("org.springframework.web.method.support.InvocableHandlerMethod", "doInvoke"),
            ("org.springframework.web.reactive.result.method.InvocableHandlerMethod", "invoke"),
        ],
    },
    Dispatcher {
        kind: "Netty handler",
        methods: &[
            ("io.netty.channel.AbstractChannelHandlerContext", "invokeChannelRead"),
            ("io.netty.channel.SimpleChannelInboundHandler", "channelRead"),
        ],
    },
    Dispatcher {
        kind: "HTTP handler",
        methods: &[("com.sun.net.httpserver.Filter$Chain", "doFilter")],
    },
    Dispatcher {
        kind: "test",
        methods: &[
            ("junit.framework.TestCase", "runTest"),
            ("org.junit.platform.commons.util.ReflectionUtils", "invokeMethod"),
            ("org.junit.runners.model.FrameworkMethod$1", "runReflectiveCall"),
            ("org.testng.internal.MethodInvocationHelper", "invokeMethod"),
            ("org.testng.internal.invokers.MethodInvocationHelper", "invokeMethod"),
        ],
    },
];

/// The index of the program's method that handles a request or a test, and the kind. `frames` are
/// outermost first. The innermost dispatcher counts: a Spring handler runs inside a servlet.
pub(super) fn request_entry(frames: &[Frame<'_>]) -> Option<(usize, &'static str)> {
    let (at, kind) = frames.iter().enumerate().rev().find_map(|(at, frame)| {
        let is_it =
            |(class, method): &(&str, &str)| frame.class == *class && frame.method == *method;
        let dispatcher = DISPATCHERS.iter().find(|rule| rule.methods.iter().any(is_it))?;
        Some((at, dispatcher.kind))
    })?;
    let inner = frames.get(at + 1..)?;
    let entry = inner.iter().position(|frame| frame.origin() == Origin::Program)?;
    Some((at + 1 + entry, kind))
}
