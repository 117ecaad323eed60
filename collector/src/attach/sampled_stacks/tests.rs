//! Thread dumps of four JDKs, made by one program: two workers in `Shop::serve`, which handles
//! orders, and threads that wait. On JDK 25 the dump has a virtual thread's stack too.

use super::{
    RootKind, RootProposal, SampledStacks,
    frame::{Frame, Origin},
    thread_dump::{ThreadState, parse},
};

const DUMPS: [(u32, &str); 4] = [
    (11, include_str!("../../../tests/thread_dumps/jdk11.txt")),
    (17, include_str!("../../../tests/thread_dumps/jdk17.txt")),
    (21, include_str!("../../../tests/thread_dumps/jdk21.txt")),
    (25, include_str!("../../../tests/thread_dumps/jdk25.txt")),
];

fn proposal<'a>(dumps: impl IntoIterator<Item = &'a str>) -> RootProposal {
    let mut stacks = SampledStacks::default();
    dumps.into_iter().for_each(|dump| stacks.add(dump));
    stacks.proposal()
}

/// The dump of one running thread. Frames are innermost first.
fn dump(frames: &[&str]) -> String {
    threads(&[("RUNNABLE", frames)])
}

/// A dump of threads in these states.
fn threads(threads: &[(&str, &[&str])]) -> String {
    let thread = |(at, (state, frames)): (usize, &(&str, &[&str]))| {
        let frames: String = frames.iter().map(|frame| format!("\tat {frame}\n")).collect();
        format!("\"t\" #1 tid=0x{at} runnable\n   java.lang.Thread.State: {state}\n{frames}\n")
    };
    threads.iter().enumerate().map(thread).collect()
}

fn names(proposal: &RootProposal) -> Vec<String> {
    proposal.roots.iter().map(|root| root.selector.to_string()).collect()
}

#[test]
fn dumps_of_all_jdks_are_read() {
    for (jdk, text) in DUMPS {
        let stacks = parse(text);
        // As many frames as the text has such lines.
        let lines = text.lines().filter(|line| line.starts_with("\tat ")).count();
        assert_eq!(stacks.iter().map(|stack| stack.frames.len()).sum::<usize>(), lines, "{jdk}");
        let workers: Vec<_> = stacks
            .iter()
            .filter(|stack| stack.frames.iter().any(|frame| frame.method == "serve"))
            .collect();
        assert_eq!(workers.len(), if jdk == 25 { 3 } else { 2 }, "{jdk}");
        for worker in workers {
            assert_eq!(worker.state, ThreadState::Runnable, "{jdk}");
            let frame = worker.frames[0];
            assert!(frame.class.starts_with("com.acme.Shop$"), "{jdk}: {frame:?}");
        }
        let keys: std::collections::BTreeSet<_> = stacks.iter().map(|stack| stack.key).collect();
        assert_eq!(keys.len(), stacks.len(), "{jdk}");
    }
}

#[test]
fn idle_threads_and_the_jdk_are_no_roots() {
    for (jdk, text) in DUMPS {
        let proposal = proposal([text; 3]);
        // Neither the acceptor, the selector, the sleeper, the reader of stdin nor `main`, asleep.
        assert_eq!(proposal.stacks, 3 * if jdk == 25 { 3 } else { 2 }, "{jdk}");
        let names = names(&proposal);
        assert_eq!(names[0], "com.acme.Shop::handle", "{jdk}: {names:?}");
        assert_eq!(proposal.roots[0].stacks, proposal.stacks);
        assert!(names.iter().all(|name| name.starts_with("com.acme.Shop")), "{names:?}");
        let hot: usize = proposal.hotspots.iter().map(|hot| hot.stacks).sum();
        assert_eq!(hot, proposal.stacks, "{jdk}");
    }
}

#[test]
fn requests_come_first() {
    let tomcat = [
        "java.util.HashMap.get(java.base@17/HashMap.java:1)",
        "com.acme.Rows.find(Rows.java:5)",
        "com.acme.Orders.list(Orders.java:9)",
        "com.acme.Orders$$SpringCGLIB$$0.list(<generated>)",
        "java.lang.reflect.Method.invoke(java.base@17/Method.java:568)",
        "org.springframework.web.method.support.InvocableHandlerMethod.doInvoke(I.java:207)",
        "javax.servlet.http.HttpServlet.service(HttpServlet.java:1)",
        "com.acme.AuthFilter.doFilter(AuthFilter.java:3)",
        "org.apache.catalina.core.ApplicationFilterChain.internalDoFilter(A.java:1)",
        "java.lang.Thread.run(java.base@17/Thread.java:1)",
    ];
    let idle = [
        "sun.nio.ch.EPoll.wait(java.base@17/Native Method)",
        "org.apache.tomcat.util.net.NioEndpoint$Poller.run(N.java:1)",
    ];
    let proposal = proposal([&*threads(&[("RUNNABLE", &tomcat), ("RUNNABLE", &idle)])]);
    let root = &proposal.roots[0];
    assert_eq!(root.selector.to_string(), "com.acme.Orders::list");
    assert_eq!((root.kind, root.stacks), (RootKind::Request("Spring handler"), 1));
    assert_eq!(proposal.hotspots[0].method, "com.acme.Rows::find");
    assert!(!names(&proposal).iter().any(|name| name.contains("Poller")));
    for (dispatcher, kind) in [
        ("jakarta.servlet.http.HttpServlet.service(H.java:1)", "servlet"),
        (
            "io.netty.channel.AbstractChannelHandlerContext.invokeChannelRead(A.java:1)",
            "Netty handler",
        ),
        ("org.junit.runners.model.FrameworkMethod$1.runReflectiveCall(F.java:1)", "test"),
        ("org.junit.platform.commons.util.ReflectionUtils.invokeMethod(R.java:1)", "test"),
    ] {
        let text = dump(&["a.B.inner(B.java:1)", "a.B.outer(B.java:2)", dispatcher]);
        let first = self::proposal([&*text]).roots.remove(0);
        assert_eq!(
            (first.kind, &*first.selector.to_string()),
            (RootKind::Request(kind), "a.B::outer")
        );
    }
}

#[test]
fn a_method_whose_call_begins_is_better_than_one_that_runs_all_the_time() {
    let at = |line: u32| {
        let caller = format!("a.Main.main(Main.java:{line})");
        dump(&["a.Job.run(Job.java:1)", &caller, "java.lang.Thread.run(java.base@17/T.java:1)"])
    };
    // `main` went on to another line, so its callee is a new call, and `main` is not.
    let proposal = proposal([&*at(1), &*at(2)]);
    let roots: Vec<_> =
        proposal.roots.iter().map(|root| (root.selector.to_string(), root.may_run_on)).collect();
    assert_eq!(roots, [("a.Job::run".to_owned(), false), ("a.Main::main".to_owned(), true)]);
}

/// Threads are sampled from before they begin to wait, and go on after they waited.
#[test]
fn waits_in_native_code_may_begin_and_end_between_samples() {
    let at = |cpu: u32, frames: &[&str]| {
        let frames: String = frames.iter().map(|frame| format!("\tat {frame}\n")).collect();
        format!(
            "\"t\" #1 prio=5 cpu={cpu}.00ms tid=0x1 nid=1 runnable\n   \
             java.lang.Thread.State: RUNNABLE\n{frames}"
        )
    };
    let works = ["a.Main.works(Main.java:1)", "a.Main.main(Main.java:2)"];
    let reads = ["java.io.FileInputStream.read0(java.base@17/Native Method)", works[1]];
    let mut dumps = vec![at(10, &works)];
    dumps.extend(vec![at(11, &reads); 5]);
    dumps.push(at(12, &works));
    assert_eq!(proposal(dumps.iter().map(|dump| &**dump)).stacks, 2);
    let deflates = (0..6).map(|sample| at(20 * sample, &reads)).collect::<Vec<_>>();
    assert_eq!(proposal(deflates.iter().map(|dump| &**dump)).stacks, 6, "it takes CPU time");
}

#[test]
fn threads_that_share_nothing_have_roots_of_their_own() {
    let proposal = proposal([&*threads(&[
        ("RUNNABLE", &["a.A.f(A.java:1)", "a.A.g(A.java:2)"]),
        ("BLOCKED", &["b.B.f(B.java:1)", "b.B.g(B.java:2)"]),
        ("TIMED_WAITING", &["c.C.f(C.java:1)", "c.C.g(C.java:2)"]),
        (
            "RUNNABLE",
            &["jdk.internal.misc.Unsafe.park(java.base@17/Native Method)", "d.D.f(D.java:1)"],
        ),
        ("RUNNABLE", &["java.util.zip.CRC32.update(java.base@17/CRC32.java:1)"]),
    ])]);
    assert_eq!(proposal.stacks, 2);
    let names = names(&proposal);
    assert!(names.iter().any(|name| name.starts_with("a.A::")), "{names:?}");
    assert!(names.iter().any(|name| name.starts_with("b.B::")), "{names:?}");
    assert!(names.iter().all(|name| name.starts_with("a.A::") || name.starts_with("b.B::")));
}

#[test]
fn origins_of_frames() {
    for (text, origin) in [
        ("java.util.List.of(java.base@25/List.java:1)", Origin::Jdk),
        ("com.sun.net.httpserver.Filter$Chain.doFilter(jdk.httpserver@17/F.java:1)", Origin::Jdk),
        ("com.acme.A$$Lambda$1/0x0000000800062040.run(Unknown Source)", Origin::Generated),
        ("com.acme.A$$Lambda.run(Unknown Source)", Origin::Generated),
        ("jdk.proxy2.$Proxy7.run(jdk.proxy2/Unknown Source)", Origin::Generated),
        ("io.netty.util.A.run(A.java:1)", Origin::Framework),
        ("com.acme.A.lambda$main$0(A.java:1)", Origin::Program),
        ("com.acme.ATest.it adds (twice)(ATest.kt:1)", Origin::Program),
    ] {
        assert_eq!(Frame::parse(text).unwrap().origin(), origin, "{text}");
    }
    let odd = Frame::parse("com.acme.ATest.it adds (twice)(ATest.kt:1)").unwrap();
    assert_eq!((odd.method, odd.source), ("it adds (twice)", "ATest.kt:1"));
    for text in ["", "a", "a.b", "a.b(", "a.b)", ".(x)", "a.(x)", ".b(x)", ")("] {
        assert_eq!(Frame::parse(text), None, "{text}");
    }
}

/// Every dump, cut anywhere and with any byte replaced, is read without a panic.
#[test]
fn damaged_dumps_are_read_as_far_as_possible() {
    for (_, text) in DUMPS {
        let bytes = text.as_bytes();
        for at in (0..bytes.len()).step_by(37) {
            let mut damaged = bytes.to_vec();
            damaged[at] = [b'"', b'\n', b'(', b')', b'.', b'/', 0, 0xff][at / 37 % 8];
            let cut = String::from_utf8_lossy(&bytes[..at]);
            let damaged = String::from_utf8_lossy(&damaged);
            let proposal = proposal([&*cut, &*damaged, text]);
            assert!(proposal.roots.len() <= 3 && proposal.dumps == 3);
        }
    }
    for text in [
        "\"",
        "\" tid= cpu=",
        "\tat a.b(c)",
        "\" cpu=NaNms\n\tat a.b(c)",
        "\" cpu=infms\n\tat a.b(c)",
    ] {
        assert_eq!(proposal([text; 5]).stacks, 0, "{text}");
    }
    // Names that would mean something else in a selector are quoted; an initializer is no root.
    for (method, proposed) in [
        ("f*", &["a.B::`f*`"][..]),
        ("a,b", &["a.B::`a,b`"]),
        ("!x", &["a.B::`!x`"]),
        ("<clinit>", &[]),
    ] {
        let text = dump(&[&format!("a.B.{method}(B.java:1)")]);
        assert_eq!(names(&proposal([&*text])), proposed, "{method}");
    }
}
