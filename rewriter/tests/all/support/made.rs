//! Classes that javac does not make, each with the log that its `run` must leave.

use super::asm::{Asm, Body, Class, PUBLIC, PUBLIC_STATIC};

pub struct Made {
    pub name: &'static str,
    pub bytes: Vec<u8>,
    /// The truth, in the words of the Java cases; none where the class does not link even as it
    /// was.
    pub log: Option<&'static str>,
}

const INVOKESPECIAL: u8 = 0xb7;
const INVOKESTATIC: u8 = 0xb8;
const GOTO: u8 = 0xa7;
const GOTO_W: u8 = 0xc8;
const IFEQ: u8 = 0x99;
const IFNE: u8 = 0x9a;
const JSR: u8 = 0xa8;
const LDC_W: u8 = 0x13;
const NEW: u8 = 0xbb;
const RETURN: u8 = 0xb1;

/// Frames of a StackMapTable.
#[derive(Default)]
struct Frames {
    count: u16,
    bytes: Vec<u8>,
    next: u16,
}

impl Frames {
    fn delta(&mut self, bci: u16) -> [u8; 2] {
        let delta = bci - self.next;
        self.next = bci + 1;
        self.count += 1;
        delta.to_be_bytes()
    }

    fn same(mut self, bci: u16) -> Self {
        let delta = self.delta(bci);
        self.bytes.push(251);
        self.bytes.extend(delta);
        self
    }

    /// Same locals, one object on the stack.
    fn object(mut self, bci: u16, class: u16) -> Self {
        let delta = self.delta(bci);
        self.bytes.push(247);
        self.bytes.extend(delta);
        self.bytes.push(7);
        self.bytes.extend(class.to_be_bytes());
        self
    }

    /// Locals as tags without operands, empty stack.
    fn full(mut self, bci: u16, locals: &[u8]) -> Self {
        let delta = self.delta(bci);
        self.bytes.push(255);
        self.bytes.extend(delta);
        self.bytes.extend((locals.len() as u16).to_be_bytes());
        self.bytes.extend(locals);
        self.bytes.extend([0, 0]);
        self
    }

    fn done(self) -> Option<(u16, Vec<u8>)> {
        Some((self.count, self.bytes))
    }
}

/// A class with `run`, `all`, and `fail`, which throws.
fn with_fail(major: u16, name: &str) -> Class {
    let mut class = Class::new(major, name);
    class.run_calling(name, Some("all"));
    let (exception, init) = ise(&mut class);
    let code =
        Asm::default().ix(NEW, exception).op(&[0x59]).ix(INVOKESPECIAL, init).op(&[0xbf]).finish();
    class.method(PUBLIC_STATIC, "fail", "()V", Body { max_stack: 2, code, ..Body::default() });
    class
}

fn ise(class: &mut Class) -> (u16, u16) {
    let name = "java/lang/IllegalStateException";
    (class.class(name), class.method_ref(name, "<init>", "()V"))
}

/// `all()V` that calls `f(I)V` with 0 and with 1.
fn all_calls_f(class: &mut Class, name: &str) {
    let f = class.method_ref(name, "f", "(I)V");
    let code = Asm::default()
        .op(&[3])
        .ix(INVOKESTATIC, f)
        .op(&[4])
        .ix(INVOKESTATIC, f)
        .op(&[RETURN])
        .finish();
    class.method(PUBLIC_STATIC, "all", "()V", Body { max_stack: 1, code, ..Body::default() });
}

/// The handler is one of any exception, or also one of a named class.
fn handler_is_branch_target(major: u16, name: &'static str, is_named: bool) -> Made {
    let mut class = with_fail(major, name);
    all_calls_f(&mut class, name);
    let (exception, init) = ise(&mut class);
    let fail = class.method_ref(name, "fail", "()V");
    let throwable = class.class("java/lang/Throwable");
    let asm = Asm::default()
        .op(&[0x1a])
        .jump(IFEQ, "start")
        .ix(NEW, exception)
        .op(&[0x59])
        .ix(INVOKESPECIAL, init)
        .jump(GOTO, "handler")
        .label("start")
        .ix(INVOKESTATIC, fail)
        .label("end")
        .op(&[RETURN])
        .label("handler")
        .op(&[0x57, RETURN]);
    let (start, end, handler) = (asm.at("start"), asm.at("end"), asm.at("handler"));
    let frames = if major >= 50 {
        Frames::default().same(start).object(handler, throwable).done()
    } else {
        None
    };
    let mut handlers = vec![(start, end, handler, 0)];
    if is_named {
        handlers.insert(0, (start, end, handler, exception));
    }
    let body = Body {
        max_stack: 2,
        max_locals: 1,
        code: asm.finish(),
        handlers,
        frames,
        ..Body::default()
    };
    class.method(PUBLIC_STATIC, "f", "(I)V", body);
    let log = Some("+run +all +f +fail !fail ^f -f +f -f -all -run");
    Made { name, bytes: class.bytes(), log }
}

fn falls_into_handler(major: u16, name: &'static str) -> Made {
    let mut class = with_fail(major, name);
    all_calls_f(&mut class, name);
    let fail = class.method_ref(name, "fail", "()V");
    let throwable = class.class("java/lang/Throwable");
    let asm = Asm::default()
        .op(&[0x1a])
        .jump(IFEQ, "end")
        .label("start")
        .ix(INVOKESTATIC, fail)
        .label("end")
        .op(&[1])
        .label("handler")
        .op(&[0x57, RETURN]);
    let (start, end, handler) = (asm.at("start"), asm.at("end"), asm.at("handler"));
    let frames = if major >= 50 {
        Frames::default().same(end).object(handler, throwable).done()
    } else {
        None
    };
    let handlers = vec![(start, end, handler, throwable)];
    let body = Body {
        max_stack: 2,
        max_locals: 1,
        code: asm.finish(),
        handlers,
        frames,
        ..Body::default()
    };
    class.method(PUBLIC_STATIC, "f", "(I)V", body);
    Made { name, bytes: class.bytes(), log: Some("+run +all +f -f +f +fail !fail ^f -f -all -run") }
}

fn handler_before_range(major: u16, name: &'static str) -> Made {
    let mut class = with_fail(major, name);
    let fail = class.method_ref(name, "fail", "()V");
    let throwable = class.class("java/lang/Throwable");
    let asm = Asm::default()
        .jump(GOTO, "start")
        .label("handler")
        .op(&[0x57, RETURN])
        .label("start")
        .ix(INVOKESTATIC, fail)
        .label("end")
        .op(&[RETURN]);
    let (start, end, handler) = (asm.at("start"), asm.at("end"), asm.at("handler"));
    let frames = if major >= 50 {
        Frames::default().object(handler, throwable).same(start).done()
    } else {
        None
    };
    let handlers = vec![(start, end, handler, 0)];
    let body = Body { max_stack: 1, code: asm.finish(), handlers, frames, ..Body::default() };
    class.method(PUBLIC_STATIC, "all", "()V", body);
    Made { name, bytes: class.bytes(), log: Some("+run +all +fail !fail ^all -all -run") }
}

/// Handlers that are a return, a rethrow, and a nested pair that covers each other's handler.
fn handlers_of_one_instruction(name: &'static str) -> Made {
    let mut class = with_fail(52, name);
    let fail = class.method_ref(name, "fail", "()V");
    let throwable = class.class("java/lang/Throwable");
    let caught = class.method_ref(name, "caught", "()Ljava/lang/Throwable;");
    let again = class.method_ref(name, "again", "()V");
    let asm = Asm::default()
        .ix(INVOKESTATIC, fail)
        .label("end")
        .op(&[1, 0xb0])
        .label("handler")
        .op(&[0xb0]);
    let (end, handler) = (asm.at("end"), asm.at("handler"));
    let frames = Frames::default().object(handler, throwable).done();
    let handlers = vec![(0, end, handler, throwable)];
    let body = Body { max_stack: 1, code: asm.finish(), handlers, frames, ..Body::default() };
    class.method(PUBLIC_STATIC, "caught", "()Ljava/lang/Throwable;", body);
    let asm = Asm::default()
        .ix(INVOKESTATIC, fail)
        .label("end")
        .op(&[RETURN])
        .label("handler")
        .op(&[0xbf]);
    let (end, handler) = (asm.at("end"), asm.at("handler"));
    let frames = Frames::default().object(handler, throwable).done();
    let handlers = vec![(0, end, handler, 0)];
    let body = Body { max_stack: 1, code: asm.finish(), handlers, frames, ..Body::default() };
    class.method(PUBLIC_STATIC, "again", "()V", body);
    let asm = Asm::default()
        .ix(INVOKESTATIC, caught)
        .op(&[0x57])
        .ix(INVOKESTATIC, again)
        .label("end")
        .op(&[RETURN])
        .label("handler")
        .op(&[0xbf])
        .label("outer")
        .op(&[0x57, RETURN]);
    let (end, handler, outer) = (asm.at("end"), asm.at("handler"), asm.at("outer"));
    let frames = Frames::default().object(handler, throwable).object(outer, throwable).done();
    let handlers = vec![(0, end, handler, throwable), (handler, outer, outer, 0)];
    let body = Body { max_stack: 1, code: asm.finish(), handlers, frames, ..Body::default() };
    class.method(PUBLIC_STATIC, "all", "()V", body);
    let log = "+run +all +caught +fail !fail ^caught -caught +again +fail !fail ^again !again \
        ^all ^all -all -run";
    Made { name, bytes: class.bytes(), log: Some(log) }
}

/// Returns that leave more on the operand stack than they take.
fn leftovers_on_the_stack(name: &'static str) -> Made {
    let mut class = Class::new(52, name);
    class.run_calling(name, Some("all"));
    let f = class.method_ref(name, "f", "()J");
    let code = Asm::default().op(&[3, 4]).ix(INVOKESTATIC, f).op(&[RETURN]).finish();
    class.method(PUBLIC_STATIC, "all", "()V", Body { max_stack: 4, code, ..Body::default() });
    let body = Body { max_stack: 4, code: vec![3, 4, 10, 0xad], ..Body::default() };
    class.method(PUBLIC_STATIC, "f", "()J", body);
    Made { name, bytes: class.bytes(), log: Some("+run +all +f -f -all -run") }
}

/// `jsr` and `ret` (JVMS 4.9.1: below version 51), as a `finally` of old compilers, and a `wide
/// ret`.
fn subroutines(major: u16, name: &'static str) -> Made {
    let mut class = with_fail(major, name);
    let fail = class.method_ref(name, "fail", "()V");
    let f = class.method_ref(name, "f", "()V");
    let asm = Asm::default()
        .label("start")
        .ix(INVOKESTATIC, fail)
        .jump(JSR, "sub")
        .label("end")
        .op(&[RETURN])
        .label("handler")
        .op(&[0x4c])
        .jump(JSR, "sub")
        .op(&[0x2b, 0xbf])
        .label("sub")
        .op(&[0x4b, 0xc4, 0xa9, 0, 0]);
    let handlers = vec![(asm.at("start"), asm.at("end"), asm.at("handler"), 0)];
    let body =
        Body { max_stack: 1, max_locals: 2, code: asm.finish(), handlers, ..Body::default() };
    class.method(PUBLIC_STATIC, "f", "()V", body);
    let asm = Asm::default()
        .jump(JSR, "sub")
        .label("start")
        .ix(INVOKESTATIC, f)
        .label("end")
        .op(&[RETURN])
        .label("sub")
        .op(&[0x4b, 0xa9, 0])
        .label("handler")
        .op(&[0x57, RETURN]);
    let handlers = vec![(asm.at("start"), asm.at("end"), asm.at("handler"), 0)];
    let body =
        Body { max_stack: 1, max_locals: 1, code: asm.finish(), handlers, ..Body::default() };
    class.method(PUBLIC_STATIC, "all", "()V", body);
    let log = "+run +all +f +fail !fail ^f !f ^all -all -run";
    Made { name, bytes: class.bytes(), log: Some(log) }
}

/// Branches whose 16 bits are used up to the last, forward and back, with a return between that
/// grows.
fn branches_that_must_widen(major: u16, name: &'static str) -> Made {
    let mut class = Class::new(major, name);
    class.run_calling(name, Some("all"));
    let forward = class.method_ref(name, "forward", "()V");
    let back = class.method_ref(name, "back", "()V");
    let code =
        Asm::default().ix(INVOKESTATIC, forward).ix(INVOKESTATIC, back).op(&[RETURN]).finish();
    class.method(PUBLIC_STATIC, "all", "()V", Body { code, ..Body::default() });

    let head = Asm::default()
        .op(&[4])
        .jump(IFNE, "far")
        .op(&[3])
        .jump(IFNE, "near")
        .op(&[RETURN])
        .label("near")
        .op(&[3])
        .jump(IFNE, "later")
        .jump(GOTO, "nops");
    let head = head.label("nops");
    let used = head.length();
    // The first branch lies at 1: its target at 1 + 32,767.
    let asm = head.nops(32_768 - used).label("far").op(&[0]).label("later").op(&[RETURN]);
    let marks = [asm.at("near"), asm.at("nops"), asm.at("far"), asm.at("later")];
    let frames = marks.iter().fold(Frames::default(), |frames, &bci| frames.same(bci));
    let frames = if major >= 50 { frames.done() } else { None };
    let body = Body { max_stack: 1, code: asm.finish(), frames, ..Body::default() };
    class.method(PUBLIC_STATIC, "forward", "()V", body);

    let head = Asm::default()
        .op(&[6, 0x3b])
        .label("loop")
        .op(&[0x84, 0, 0xff, 0x1a])
        .jump(IFNE, "on")
        .op(&[RETURN])
        .label("on");
    let used = head.length();
    let asm = head.nops(32_768 + 2 - used - 4).op(&[0x1a]).jump(IFEQ, "loop").jump(GOTO, "loop");
    let frames = if major >= 50 {
        Frames::default().full(asm.at("loop"), &[1]).same(asm.at("on")).done()
    } else {
        None
    };
    let body = Body { max_stack: 1, max_locals: 1, code: asm.finish(), frames, ..Body::default() };
    class.method(PUBLIC_STATIC, "back", "()V", body);
    let log = "+run +all +forward -forward +back -back -all -run";
    Made { name, bytes: class.bytes(), log: Some(log) }
}

/// `goto_w`, `wide` loads and increments, and a switch right behind.
fn wide_forms(name: &'static str) -> Made {
    let mut class = Class::new(52, name);
    class.run_calling(name, Some("all"));
    let asm = Asm::default()
        .op(&[3, 0xc4, 0x36, 1, 44, 0xc4, 0x84, 1, 44, 1, 0])
        .jump(GOTO_W, "on")
        .label("dead")
        .op(&[RETURN])
        .label("on")
        .op(&[0xc4, 0x15, 1, 44])
        .table_switch("far", &["dead", "far", "dead"])
        .label("far")
        .op(&[RETURN]);
    let mut locals = vec![0; 300];
    locals.push(1);
    let (dead, on, far) = (asm.at("dead"), asm.at("on"), asm.at("far"));
    let frames = Frames::default().full(dead, &locals).same(on).same(far).done();
    let body =
        Body { max_stack: 1, max_locals: 301, code: asm.finish(), frames, ..Body::default() };
    class.method(PUBLIC_STATIC, "all", "()V", body);
    Made { name, bytes: class.bytes(), log: Some("+run +all -all -run") }
}

/// A return at bci 0 with dead code behind it that branches there, and a loop that never ends
/// (never called).
fn return_at_zero(name: &'static str) -> Made {
    let mut class = Class::new(48, name);
    class.run_calling(name, Some("all"));
    let code = Asm::default().label("start").op(&[RETURN]).jump(GOTO, "start").finish();
    class.method(PUBLIC_STATIC, "all", "()V", Body { code, ..Body::default() });
    let code = Asm::default().label("start").jump(GOTO, "start").finish();
    class.method(PUBLIC_STATIC, "endless", "()V", Body { code, ..Body::default() });
    Made { name, bytes: class.bytes(), log: Some("+run +all -all -run") }
}

/// A class whose `all` makes an instance through `<init>(I)V`, with 0 and with 1.
fn with_constructor(
    major: u16,
    name: &'static str,
    init: impl FnOnce(&mut Class, u16) -> Body,
) -> Made {
    let mut class = with_fail(major, name);
    let own = class.class(name);
    let constructor = class.method_ref(name, "<init>", "(I)V");
    let mut asm = Asm::default();
    for arg in [3, 4] {
        asm = asm.ix(NEW, own).op(&[0x59, arg]).ix(INVOKESPECIAL, constructor).op(&[0x57]);
    }
    class.method(
        PUBLIC_STATIC,
        "all",
        "()V",
        Body { max_stack: 3, code: asm.op(&[RETURN]).finish(), ..Body::default() },
    );
    let parent = class.method_ref("java/lang/Object", "<init>", "()V");
    let body = init(&mut class, parent);
    class.method(PUBLIC, "<init>", "(I)V", body);
    Made { name, bytes: class.bytes(), log: None }
}

fn two_calls_of_super(name: &'static str) -> Made {
    let made = with_constructor(52, name, |_, parent| {
        let asm = Asm::default()
            .op(&[0x1b])
            .jump(IFEQ, "other")
            .op(&[0x2a])
            .ix(INVOKESPECIAL, parent)
            .op(&[RETURN])
            .label("other")
            .op(&[0x2a])
            .ix(INVOKESPECIAL, parent)
            .op(&[RETURN]);
        let frames = Frames::default().full(asm.at("other"), &[6, 1]).done();
        Body { max_stack: 1, max_locals: 2, code: asm.finish(), frames, ..Body::default() }
    });
    Made { log: Some("+run +all +<init> -<init> +<init> -<init> -all -run"), ..made }
}

/// The call of `super()` lies before what runs before it.
fn super_behind_a_jump(name: &'static str) -> Made {
    let made = with_constructor(52, name, |_, parent| {
        let asm = Asm::default()
            .jump(GOTO, "prologue")
            .label("super")
            .op(&[0x2a])
            .ix(INVOKESPECIAL, parent)
            .op(&[RETURN])
            .label("prologue")
            .jump(GOTO, "super");
        let frames = Frames::default()
            .full(asm.at("super"), &[6, 1])
            .full(asm.at("prologue"), &[6, 1])
            .done();
        Body { max_stack: 1, max_locals: 2, code: asm.finish(), frames, ..Body::default() }
    });
    Made { log: Some("+run +all +<init> -<init> +<init> -<init> -all -run"), ..made }
}

/// Local variable 0 is overwritten before the call of `super()`.
fn this_moved_away(name: &'static str) -> Made {
    let made = with_constructor(52, name, |_, parent| {
        let code = Asm::default()
            .op(&[0x2a, 0x4d, 1, 0x4b, 0x2c])
            .ix(INVOKESPECIAL, parent)
            .op(&[RETURN])
            .finish();
        Body { max_stack: 1, max_locals: 3, code, ..Body::default() }
    });
    Made { log: Some("+run +all +<init> -<init> +<init> -<init> -all -run"), ..made }
}

/// An exception before `super()`, thrown and caught within the prologue, and one that leaves it.
fn throwing_prologue(major: u16, name: &'static str, log: &'static str) -> Made {
    let mut class = with_fail(major, name);
    let own = class.class(name);
    let throwable = class.class("java/lang/Throwable");
    let constructor = class.method_ref(name, "<init>", "(I)V");
    let fail = class.method_ref(name, "fail", "()V");
    let asm = Asm::default()
        .ix(NEW, own)
        .op(&[0x59, 4])
        .ix(INVOKESPECIAL, constructor)
        .op(&[0x57])
        .ix(NEW, own)
        .op(&[0x59, 3])
        .ix(INVOKESPECIAL, constructor)
        .op(&[0x57])
        .label("end")
        .op(&[RETURN])
        .label("handler")
        .op(&[0x57, RETURN]);
    let handlers = vec![(0, asm.at("end"), asm.at("handler"), 0)];
    let frames = if major >= 50 {
        Frames::default().object(asm.at("handler"), throwable).done()
    } else {
        None
    };
    let body = Body { max_stack: 3, code: asm.finish(), handlers, frames, ..Body::default() };
    class.method(PUBLIC_STATIC, "all", "()V", body);
    let parent = class.method_ref("java/lang/Object", "<init>", "()V");
    let asm = Asm::default()
        .op(&[0x1b])
        .jump(IFNE, "super")
        .ix(INVOKESTATIC, fail)
        .label("super")
        .op(&[0x2a])
        .ix(INVOKESPECIAL, parent)
        .op(&[RETURN]);
    let frames =
        if major >= 50 { Frames::default().full(asm.at("super"), &[6, 1]).done() } else { None };
    let body = Body { max_stack: 1, max_locals: 2, code: asm.finish(), frames, ..Body::default() };
    class.method(PUBLIC, "<init>", "(I)V", body);
    Made { name, bytes: class.bytes(), log: Some(log) }
}

/// Version 50 with branches and no StackMapTable: HotSpot falls back to the verifier that infers
/// types.
fn fifty_without_frames(name: &'static str) -> Made {
    let mut class = with_fail(50, name);
    let fail = class.method_ref(name, "fail", "()V");
    let asm = Asm::default()
        .op(&[3])
        .jump(IFNE, "end")
        .label("start")
        .ix(INVOKESTATIC, fail)
        .label("end")
        .op(&[RETURN])
        .label("handler")
        .op(&[0x57, RETURN]);
    let handlers = vec![(asm.at("start"), asm.at("end"), asm.at("handler"), 0)];
    let body = Body { max_stack: 1, code: asm.finish(), handlers, ..Body::default() };
    class.method(PUBLIC_STATIC, "all", "()V", body);
    Made { name, bytes: class.bytes(), log: Some("+run +all +fail !fail ^all -all -run") }
}

/// A return that throws, because a monitor is still held (JVMS 2.11.10): the exit that was recorded
/// must stay the only one.
fn return_that_throws(name: &'static str) -> Made {
    let mut class = Class::new(52, name);
    class.run_calling(name, Some("all"));
    let f = class.method_ref(name, "f", "()V");
    let own = class.class(name);
    let throwable = class.class("java/lang/Throwable");
    let code = Asm::default().ix(LDC_W, own).op(&[0xc2, RETURN]).finish();
    class.method(PUBLIC_STATIC, "f", "()V", Body { max_stack: 1, code, ..Body::default() });
    let asm = Asm::default()
        .ix(INVOKESTATIC, f)
        .label("end")
        .op(&[RETURN])
        .label("handler")
        .op(&[0x57, RETURN]);
    let (end, handler) = (asm.at("end"), asm.at("handler"));
    let frames = Frames::default().object(handler, throwable).done();
    let handlers = vec![(0, end, handler, 0)];
    class.method(
        PUBLIC_STATIC,
        "all",
        "()V",
        Body { max_stack: 1, code: asm.finish(), handlers, frames, ..Body::default() },
    );
    Made { name, bytes: class.bytes(), log: Some("+run +all +f -f ^all -all -run") }
}

/// The class that only HotSpots before 17 run.
pub const OLDEST: &str = "Oldest";

/// The Code attribute of versions 45.0 to 45.2 (JDK 1.0.2), with a branch and a call. HotSpot 11
/// runs it, 17 refuses it.
fn oldest_version(name: &'static str) -> Made {
    let mut class = Class::new(45, name).oldest();
    class.run_calling(name, Some("all"));
    let f = class.method_ref(name, "f", "(I)I");
    let code = Asm::default().op(&[4]).ix(INVOKESTATIC, f).op(&[0x57, RETURN]).finish();
    class.method(PUBLIC_STATIC, "all", "()V", Body { max_stack: 1, code, ..Body::default() });
    let code = Asm::default()
        .op(&[0x1a])
        .jump(IFNE, "one")
        .op(&[3, 0xac])
        .label("one")
        .op(&[0x1a, 0xac])
        .finish();
    class.method(
        PUBLIC_STATIC,
        "f",
        "(I)I",
        Body { max_stack: 1, max_locals: 1, code, ..Body::default() },
    );
    Made { name, bytes: class.bytes(), log: Some("+run +all +f -f -all -run") }
}

fn dynamic_constant(name: &'static str) -> Made {
    let mut class = Class::new(55, name);
    class.run_calling(name, Some("all"));
    let descriptor = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;\
        )Ljava/lang/Object;";
    let constant = class.dynamic((name, "make", descriptor), "constant", "Ljava/lang/Object;");
    let text = class.string("made");
    let code = Asm::default().ix(LDC_W, text).op(&[0xb0]).finish();
    class.method(
        PUBLIC_STATIC,
        "make",
        descriptor,
        Body { max_stack: 1, max_locals: 3, code, ..Body::default() },
    );
    let code = Asm::default().ix(LDC_W, constant).op(&[0x57, RETURN]).finish();
    class.method(PUBLIC_STATIC, "all", "()V", Body { max_stack: 1, code, ..Body::default() });
    Made { name, bytes: class.bytes(), log: Some("+run +all +make -make -all -run") }
}

/// Two LineNumberTables, an attribute that nobody knows, and an empty LocalVariableTable.
fn odd_attributes(name: &'static str) -> Made {
    let mut class = Class::new(52, name);
    class.run_calling(name, Some("all"));
    let attributes = vec![
        ("LineNumberTable", vec![0, 1, 0, 0, 0, 9]),
        ("Unheard", vec![1, 2, 3]),
        ("LineNumberTable", vec![0, 1, 0, 1, 0, 7]),
        ("LocalVariableTable", vec![0, 0]),
    ];
    class.method(
        PUBLIC_STATIC,
        "all",
        "()V",
        Body { code: vec![0, RETURN], attributes, ..Body::default() },
    );
    class.attribute("AlsoUnheard", &[0; 5]);
    Made { name, bytes: class.bytes(), log: Some("+run +all -all -run") }
}

/// An exception table entry that covers nothing (JVMS 4.7.3 forbids it), and a handler at bci 0.
fn broken_tables(name: &'static str, handler: (u16, u16, u16, u16)) -> Made {
    let mut class = Class::new(48, name);
    class.run_calling(name, Some("all"));
    let body = Body {
        max_stack: 1,
        code: vec![3, 0x57, RETURN],
        handlers: vec![handler],
        ..Body::default()
    };
    class.method(PUBLIC_STATIC, "all", "()V", body);
    Made { name, bytes: class.bytes(), log: None }
}

/// All of them. Names are the classes' own.
pub fn all() -> Vec<Made> {
    vec![
        handler_is_branch_target(47, "HandlerIsTarget47", false),
        handler_is_branch_target(52, "HandlerIsTarget52", false),
        handler_is_branch_target(47, "NamedHandlerIsTarget47", true),
        handler_is_branch_target(52, "NamedHandlerIsTarget52", true),
        falls_into_handler(47, "FallsIntoHandler47"),
        falls_into_handler(52, "FallsIntoHandler52"),
        handler_before_range(47, "HandlerBefore47"),
        handler_before_range(52, "HandlerBefore52"),
        handlers_of_one_instruction("HandlersOfOne"),
        leftovers_on_the_stack("Leftovers"),
        subroutines(45, "Subroutines45"),
        subroutines(48, "Subroutines48"),
        branches_that_must_widen(48, "Widen48"),
        branches_that_must_widen(52, "Widen52"),
        wide_forms("WideForms"),
        return_at_zero("ReturnAtZero"),
        two_calls_of_super("TwoSupers"),
        super_behind_a_jump("SuperBehind"),
        this_moved_away("ThisMoved"),
        throwing_prologue(
            52,
            "Prologue52",
            "+run +all +<init> -<init> +<init> +fail !fail !<init> ^all -all -run",
        ),
        throwing_prologue(
            48,
            "Prologue48",
            "+run +all +<init> -<init> +<init> +fail !fail !<init> ^all -all -run",
        ),
        oldest_version(OLDEST),
        fifty_without_frames("Fifty"),
        return_that_throws("ReturnThrows"),
        dynamic_constant("Condy"),
        odd_attributes("OddAttributes"),
        broken_tables("EmptyRange", (1, 1, 2, 0)),
        broken_tables("HandlerAtZero", (0, 1, 0, 0)),
    ]
}

/// A method of exactly that many bytes of code.
pub struct Huge {
    pub name: &'static str,
    pub length: usize,
    /// Whether it has a handler of its own, and code that may throw.
    pub catches: bool,
}

pub const HUGE: [Huge; 5] = [
    Huge { name: "HugePure7982", length: 7_982, catches: false },
    Huge { name: "HugePure7983", length: 7_983, catches: false },
    Huge { name: "HugeCatch7982", length: 7_982, catches: true },
    Huge { name: "HugeCatch7983", length: 7_983, catches: true },
    Huge { name: "HugeBefore8001", length: 8_001, catches: true },
];

/// A class with `big()V` of that length.
pub fn huge(of: &Huge) -> Vec<u8> {
    let mut class = with_fail(52, of.name);
    let big = class.method_ref(of.name, "big", "()V");
    let code = Asm::default().ix(INVOKESTATIC, big).op(&[RETURN]).finish();
    class.method(PUBLIC_STATIC, "all", "()V", Body { code, ..Body::default() });
    let throwable = class.class("java/lang/Throwable");
    let yielded = class.method_ref("java/lang/Thread", "yield", "()V");
    let mut asm = Asm::default();
    let mut handlers = Vec::new();
    let mut frames = None;
    if of.catches {
        asm = asm
            .ix(INVOKESTATIC, yielded)
            .label("end")
            .jump(GOTO, "on")
            .label("handler")
            .op(&[0x57])
            .label("on");
        handlers.push((0, asm.at("end"), asm.at("handler"), 0));
        frames = Frames::default().object(asm.at("handler"), throwable).same(asm.at("on")).done();
    }
    let nops = of.length - 1 - asm.length();
    let code = asm.nops(nops).op(&[RETURN]).finish();
    class.method(
        PUBLIC_STATIC,
        "big",
        "()V",
        Body { max_stack: 1, code, handlers, frames, ..Body::default() },
    );
    class.bytes()
}
