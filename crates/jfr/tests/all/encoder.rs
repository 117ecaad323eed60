//! Chunks as the format has them, made by hand: with compressed numbers or without.

/// Bytes of a chunk under construction.
#[derive(Clone, Debug)]
pub struct Encoder {
    pub bytes: Vec<u8>,
    pub is_compressed: bool,
}

impl Encoder {
    pub fn new(is_compressed: bool) -> Self {
        Self { bytes: Vec::new(), is_compressed }
    }

    pub fn byte(&mut self, byte: u8) -> &mut Self {
        self.bytes.push(byte);
        self
    }

    fn number(&mut self, number: u64, width: usize) -> &mut Self {
        if !self.is_compressed {
            self.bytes.extend(&number.to_be_bytes()[8 - width..]);
            return self;
        }
        let mut rest = number;
        for _ in 0..8 {
            if rest < 0x80 {
                break;
            }
            self.bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.byte(rest as u8)
    }

    pub fn int(&mut self, number: u64) -> &mut Self {
        self.number(number, 4)
    }

    pub fn long(&mut self, number: u64) -> &mut Self {
        self.number(number, 8)
    }

    pub fn text(&mut self, text: &str) -> &mut Self {
        self.byte(3).int(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
        self
    }

    /// Appends an event of a type: its size in four bytes, which a compressed number may have, too.
    pub fn event(&mut self, of: u64, fill: impl FnOnce(&mut Self)) -> &mut Self {
        let mut body = Self::new(self.is_compressed);
        body.long(of);
        fill(&mut body);
        let size = body.bytes.len() as u64 + 4;
        if self.is_compressed {
            let digit = |at: u64| (size >> (7 * at)) as u8 & 0x7f;
            self.bytes.extend([digit(0) | 0x80, digit(1) | 0x80, digit(2) | 0x80, digit(3)]);
        } else {
            self.bytes.extend((size as u32).to_be_bytes());
        }
        self.bytes.extend(body.bytes);
        self
    }
}

/// A type: number, name, fields.
pub type Type = (u64, &'static str, &'static [Field]);
/// A field: name, number of its type, attributes.
pub type Field = (&'static str, u64, &'static [(&'static str, &'static str)]);

pub const LONG: u64 = 10;
pub const INT: u64 = 11;
pub const BOOLEAN: u64 = 12;
pub const TEXT: u64 = 13;
pub const SYMBOL: u64 = 20;
pub const CLASS: u64 = 21;
pub const METHOD: u64 = 22;
pub const FRAME: u64 = 23;
pub const STACK: u64 = 24;
pub const OTHER: u64 = 25;
pub const THREAD: u64 = 26;
pub const SAMPLE: u64 = 100;
pub const SETTING: u64 = 101;
pub const CLOCK: u64 = 102;
pub const THROW: u64 = 103;
pub const PARK: u64 = 104;
pub const SAFEPOINT_BEGIN: u64 = 105;
pub const SAFEPOINT_END: u64 = 106;
pub const WALK: u64 = 107;

const CONSTANT: &[(&str, &str)] = &[("constantPool", "true")];
const ARRAY: &[(&str, &str)] = &[("dimension", "1")];

const SAFEPOINT: &[Field] =
    &[("startTime", LONG, &[]), ("duration", LONG, &[]), ("safepointId", LONG, &[])];

pub const TYPES: &[Type] = &[
    (LONG, "long", &[]),
    (INT, "int", &[]),
    (BOOLEAN, "boolean", &[]),
    (TEXT, "java.lang.String", &[]),
    (SYMBOL, "jdk.types.Symbol", &[("string", TEXT, &[])]),
    (CLASS, "java.lang.Class", &[("loader", OTHER, CONSTANT), ("name", SYMBOL, CONSTANT)]),
    (
        METHOD,
        "jdk.types.Method",
        &[
            ("type", CLASS, CONSTANT),
            ("name", SYMBOL, CONSTANT),
            ("descriptor", SYMBOL, CONSTANT),
            ("modifiers", INT, &[]),
        ],
    ),
    (FRAME, "jdk.types.StackFrame", &[("method", METHOD, CONSTANT), ("lineNumber", INT, &[])]),
    (STACK, "jdk.types.StackTrace", &[("truncated", BOOLEAN, &[]), ("frames", FRAME, ARRAY)]),
    (OTHER, "jdk.types.Other", &[("pair", FRAME, &[]), ("texts", TEXT, ARRAY)]),
    (
        SAMPLE,
        "jdk.ExecutionSample",
        &[
            ("startTime", LONG, &[]),
            ("sampledThread", THREAD, CONSTANT),
            ("stackTrace", STACK, CONSTANT),
            ("other", OTHER, &[]),
        ],
    ),
    (
        THREAD,
        "java.lang.Thread",
        &[
            ("osName", TEXT, &[]),
            ("osThreadId", LONG, &[]),
            ("javaThreadId", LONG, &[]),
            ("virtual", BOOLEAN, &[]),
        ],
    ),
    (
        CLOCK,
        "jfathom.Clock",
        &[
            ("startTime", LONG, &[]),
            ("duration", LONG, &[]),
            ("number", LONG, &[]),
            ("before", LONG, &[]),
            ("after", LONG, &[]),
        ],
    ),
    (
        WALK,
        "jfathom.Stack",
        &[
            ("startTime", LONG, &[]),
            ("duration", LONG, &[]),
            ("eventThread", THREAD, CONSTANT),
            ("stackTrace", STACK, CONSTANT),
            ("method", LONG, &[]),
            ("number", LONG, &[]),
        ],
    ),
    (
        THROW,
        "jdk.JavaExceptionThrow",
        &[
            ("startTime", LONG, &[]),
            ("duration", LONG, &[]),
            ("eventThread", THREAD, CONSTANT),
            ("stackTrace", STACK, CONSTANT),
            ("message", TEXT, &[]),
            ("thrownClass", CLASS, CONSTANT),
        ],
    ),
    (
        PARK,
        "jdk.ThreadPark",
        &[
            ("startTime", LONG, &[]),
            ("duration", LONG, &[]),
            ("eventThread", THREAD, CONSTANT),
            ("parkedClass", CLASS, CONSTANT),
        ],
    ),
    (SAFEPOINT_BEGIN, "jdk.SafepointBegin", SAFEPOINT),
    (SAFEPOINT_END, "jdk.SafepointEnd", SAFEPOINT),
    (
        SETTING,
        "jdk.ActiveSetting",
        &[("startTime", LONG, &[]), ("id", LONG, &[]), ("name", TEXT, &[]), ("value", TEXT, &[])],
    ),
];

/// The event that describes types.
pub fn metadata(out: &mut Encoder, types: &[Type]) {
    let mut texts: Vec<String> = Vec::new();
    let mut place = |text: &str| match texts.iter().position(|known| known == text) {
        Some(at) => at as u64,
        None => {
            texts.push(text.to_owned());
            texts.len() as u64 - 1
        }
    };
    let mut tree = Encoder::new(out.is_compressed);
    tree.int(place("root")).int(0).int(1);
    tree.int(place("metadata")).int(0).int(types.len() as u64);
    for (number, name, fields) in types {
        let (class, id, key, number) =
            (place("class"), place("id"), place("name"), place(&number.to_string()));
        tree.int(class).int(2).int(id).int(number).int(key).int(place(name));
        tree.int(fields.len() as u64);
        for (name, of, attributes) in *fields {
            tree.int(place("field")).int(2 + attributes.len() as u64);
            tree.int(place("name")).int(place(name));
            tree.int(place("class")).int(place(&of.to_string()));
            for (key, value) in *attributes {
                tree.int(place(key)).int(place(value));
            }
            tree.int(0);
        }
    }
    out.event(0, |out| {
        out.long(1).long(2).long(3).int(texts.len() as u64);
        texts.iter().for_each(|text| {
            out.text(text);
        });
        out.bytes.extend(tree.bytes);
    });
}

/// A whole chunk of events.
pub fn chunk(state: u8, events: &Encoder) -> Vec<u8> {
    let mut bytes = b"FLR\0\0\x02\0\x01".to_vec();
    let size = 68 + events.bytes.len() as u64;
    for number in [size, 0, 0, 1, 2, 3, 1_000_000_000] {
        bytes.extend(number.to_be_bytes());
    }
    bytes.extend([state, 0, 0, u8::from(events.is_compressed)]);
    bytes.extend(&events.bytes);
    bytes
}

/// Two samples of `p/A.deep()V` called by `p/A.main()V`, one of a truncated stack, and one without
/// a stack, every 20 ms, of the virtual thread 12; an exception `p/A` that it makes in the first
/// stack, and a park of it; a safepoint; two events with the session's clock; and two walks of
/// method 7, of the first stack and of none, and one of no method.
pub fn small(is_compressed: bool) -> Vec<u8> {
    let mut out = Encoder::new(is_compressed);
    let sample = |out: &mut Encoder, stack| {
        out.event(SAMPLE, |out| {
            // Time, thread, stack, and a value of a type with texts.
            out.long(5).long(8).long(stack).long(9).int(3).int(2).text("a").byte(0);
        });
    };
    out.event(SETTING, |out| {
        out.long(1).long(SAMPLE).text("period").text("20 ms");
    });
    // Another event's period says nothing.
    out.event(SETTING, |out| {
        out.long(1).long(999).text("period").text("1 ms");
    });
    // An event of a type that nobody reads.
    out.event(777, |out| {
        out.byte(1).byte(2);
    });
    for stack in [1, 2, 1, 0] {
        sample(&mut out, stack);
    }
    out.event(THROW, |out| {
        out.long(6).long(0).long(8).long(1).text("why").long(5);
    });
    out.event(PARK, |out| {
        out.long(7).long(3).long(8).long(0);
    });
    for (of, at) in [(SAFEPOINT_BEGIN, 20), (SAFEPOINT_END, 30)] {
        out.event(of, |out| {
            out.long(at).long(1).long(77);
        });
    }
    for (at, number) in [(100, 4), (200, 5)] {
        out.event(CLOCK, |out| {
            out.long(at).long(1).long(number).long(2 * at - 1).long(2 * at + 1);
        });
    }
    for (stack, method, number) in [(1, 0, 0), (1, 7, 1), (0, 7, 2)] {
        out.event(WALK, |out| {
            out.long(5).long(0).long(8).long(stack).long(method).long(number);
        });
    }
    constants(&mut out, true);
    constants(&mut out, false);
    metadata(&mut out, TYPES);
    chunk(0, &out)
}

/// The constants of [`small`], the stacks apart from the rest.
fn constants(out: &mut Encoder, stacks: bool) {
    out.event(1, |out| {
        out.long(1).long(2).long(0).byte(1);
        if stacks {
            out.int(1).long(STACK).int(2);
            out.long(1).byte(0).int(2).long(1).int(7).long(2).int(8);
            out.long(2).byte(1).int(1).long(1).int(7);
            return;
        }
        out.int(5);
        out.long(THREAD).int(1).long(8).text("worker").long(0).long(12).byte(1);
        out.long(SYMBOL).int(4);
        for (key, text) in [(1, "p/A"), (2, "deep"), (3, "main"), (4, "()V")] {
            out.long(key).text(text);
        }
        out.long(OTHER).int(1).long(1).long(9).int(3).int(1).text("b");
        out.long(CLASS).int(1).long(5).long(1).long(1);
        out.long(METHOD).int(2);
        for (key, name) in [(1, 2), (2, 3)] {
            out.long(key).long(5).long(name).long(4).int(0);
        }
    });
}
