//! Methods that read a number from a field first, in shapes that javac does not make.

use super::{Asm, Body, Class, Frames, GOTO, INVOKESTATIC, JSR, Made, PUBLIC_STATIC, RETURN};

const GETSTATIC: u8 = 0xb2;

/// A class whose `all()V` calls methods `()V`.
pub fn reads(major: u16, name: &'static str) -> Made {
    let mut class = Class::new(major, name);
    class.run_calling(name, Some("all"));
    let int = class.field_ref("java/lang/Integer", "MAX_VALUE", "I");
    let long = class.field_ref("java/lang/Long", "MIN_VALUE", "J");
    let double = class.field_ref("java/lang/Double", "NaN", "D");
    let throwable = class.class("java/lang/Throwable");
    let framed = major >= 50;
    let mut methods = vec![
        (
            "straight",
            Body { max_stack: 1, code: read(int).op(&[0x57, RETURN]).finish(), ..Body::default() },
        ),
        ("wide", {
            let asm = Asm::default()
                .op(&[3, 0xc4, 0x36, 1, 43])
                .ix(GETSTATIC, double)
                .op(&[0x58, RETURN]);
            Body { max_stack: 2, max_locals: 300, code: asm.finish(), ..Body::default() }
        }),
        ("twoWords", {
            let asm = Asm::default()
                .ix(GETSTATIC, long)
                .ix(GETSTATIC, double)
                .op(&[0x8f, 0x61, 0x58, RETURN]);
            Body { max_stack: 4, code: asm.finish(), ..Body::default() }
        }),
        ("covered", {
            let asm =
                read(double).label("end").op(&[0x58, RETURN]).label("handler").op(&[0x57, RETURN]);
            let handlers = vec![(0, asm.at("end") + 1, asm.at("handler"), 0)];
            let frames =
                Frames::default().object(asm.at("handler"), throwable).done().filter(|_| framed);
            Body { max_stack: 2, code: asm.finish(), handlers, frames, ..Body::default() }
        }),
        ("handled", {
            let asm = Asm::default()
                .op(&[1])
                .label("handler")
                .op(&[0x57])
                .label("start")
                .ix(GETSTATIC, int);
            let asm = asm.op(&[0x57]).label("end").op(&[RETURN]);
            let (handler, start, end) = (asm.at("handler"), asm.at("start"), asm.at("end"));
            let frames = Frames::default().object(handler, throwable).done().filter(|_| framed);
            let handlers = vec![(start, end, handler, 0)];
            Body { max_stack: 1, code: asm.finish(), handlers, frames, ..Body::default() }
        }),
        // A frame that nothing asks for ends what a verifier knows of further local variables.
        ("framed", {
            let asm = Asm::default().op(&[0]).label("frame").ix(GETSTATIC, int).op(&[0x57, RETURN]);
            let frames = Frames::default().same(asm.at("frame")).done().filter(|_| framed);
            Body { max_stack: 1, code: asm.finish(), frames, ..Body::default() }
        }),
        // Frames in front of the value's use lie behind what is put there.
        ("framedBehind", {
            let asm = read(int).op(&[0x57]).label("frame").op(&[RETURN]);
            let frames = Frames::default().same(asm.at("frame")).done().filter(|_| framed);
            Body { max_stack: 1, code: asm.finish(), frames, ..Body::default() }
        }),
        (
            "switchedBack",
            switched(
                framed,
                Asm::default().op(&[3, 0x3b]).label("loop").ix(GETSTATIC, int).op(&[0x57]),
            ),
        ),
        (
            "switchedBehind",
            switched(
                framed,
                Asm::default().op(&[3, 0x3b]).ix(GETSTATIC, int).op(&[0x57]).label("loop"),
            ),
        ),
        ("jumpedBack", {
            let asm = Asm::default()
                .op(&[3, 0x3b])
                .label("loop")
                .ix(GETSTATIC, long)
                .op(&[0x58, 0x84, 0, 1]);
            let asm = asm.op(&[0x1a, 5]).jump(0xa1, "loop").op(&[RETURN]);
            let frames = Frames::default().full(asm.at("loop"), &[1]).done().filter(|_| framed);
            Body { max_stack: 2, max_locals: 1, code: asm.finish(), frames, ..Body::default() }
        }),
        ("jumped", {
            let asm =
                Asm::default().jump(GOTO, "on").label("on").ix(GETSTATIC, int).op(&[0x57, RETURN]);
            let frames = Frames::default().same(asm.at("on")).done().filter(|_| framed);
            Body { max_stack: 1, code: asm.finish(), frames, ..Body::default() }
        }),
    ];
    if major < 50 {
        let asm = Asm::default()
            .ix(GETSTATIC, long)
            .op(&[0x3f])
            .jump(JSR, "sub")
            .jump(JSR, "sub")
            .op(&[RETURN]);
        let asm = asm.label("sub").op(&[0x4d, 0xa9, 2]);
        methods.push((
            "subroutine",
            Body { max_stack: 2, max_locals: 3, code: asm.finish(), ..Body::default() },
        ));
    }
    let mut all = Asm::default();
    let mut log = "+run +all".to_owned();
    for (method, body) in methods {
        all = all.ix(INVOKESTATIC, class.method_ref(name, method, "()V"));
        log += &format!(" +{method} -{method}");
        class.method(PUBLIC_STATIC, method, "()V", body);
    }
    class.method(
        PUBLIC_STATIC,
        "all",
        "()V",
        Body { code: all.op(&[RETURN]).finish(), ..Body::default() },
    );
    Made { name, bytes: class.bytes(), log: Some((log + " -all -run").leak()) }
}

fn read(field: u16) -> Asm {
    Asm::default().ix(GETSTATIC, field)
}

/// Code with a label `loop`, which a switch goes back to once, counting in local variable 0.
fn switched(framed: bool, begin: Asm) -> Body {
    let asm = begin
        .op(&[0x84, 0, 1, 0x1a])
        .table_switch("done", &["done", "loop"])
        .label("done")
        .op(&[RETURN]);
    let frames =
        Frames::default().full(asm.at("loop"), &[1]).same(asm.at("done")).done().filter(|_| framed);
    Body { max_stack: 1, max_locals: 1, code: asm.finish(), frames, ..Body::default() }
}
