//! The fuzz targets on seeds and seeded mutations: the same in every run.

#[path = "../../../fuzz/src/lib.rs"]
#[allow(dead_code, reason = "replaying files is for the targets' own binaries")]
mod targets;

/// Recordings made by hand.
#[path = "../../../crates/jfr/tests/all/encoder.rs"]
mod recordings;

use crate::{JFATHOM, jar as make_jar};
use jfathom_plan::{MANIFEST_PATH, MethodId};
use jfathom_profile::{Builder, Profile, SliceStart};
use jfathom_testkit::session_writer::{NewSession, SessionWriter};
use jfathom_testkit::{profiles, records};
use jfathom_tests::{jdk, samples};
use jfathom_trace::{SessionDir, record::Record};
use std::{fs, path::Path};

/// A small generator of numbers (xorshift64*), so that each mutation has a number.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).unwrap_or(0)
    }
}

/// One to eight small damages: bytes changed, cut off, doubled, moved.
fn mutate(seed: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=numbers.below(8) {
        let at = numbers.below(bytes.len());
        let length = numbers.below(16.min(bytes.len() - at));
        match numbers.below(8) {
            _ if bytes.is_empty() => bytes.push(1),
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..at + length)),
            2 => bytes.splice(at..at, bytes[at..at + length].to_vec()).for_each(drop),
            3 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][numbers.below(5)],
            _ => bytes[at] = bytes[at].wrapping_add(numbers.next() as u8),
        }
    }
    bytes
}

/// Runs the target on the seeds and on `times` mutations of each. Where `JFATHOM_FUZZ_SEEDS` names
/// a folder, the seeds are written there, for libFuzzer to begin with.
fn drive(name: &str, target: fn(&[u8]), seeds: &[Vec<u8>], times: usize) {
    assert!(!seeds.is_empty());
    if let Some(folder) = std::env::var_os("JFATHOM_FUZZ_SEEDS") {
        let folder = Path::new(&folder).join(name);
        fs::create_dir_all(&folder).unwrap();
        for (number, seed) in seeds.iter().enumerate() {
            fs::write(folder.join(format!("seed-{number}")), seed).unwrap();
        }
    }
    let mut numbers = Numbers(0x6a66_6174_686f_6d31);
    for seed in seeds {
        target(seed);
        for _ in 0..times {
            target(&mutate(seed, &mut numbers));
        }
    }
}

fn classes() -> Vec<Vec<u8>> {
    let names = [
        "Exits",
        "Constructors",
        "Shapes",
        "Lambdas",
        "Nested$Point",
        "Reflective$Seen",
        "HandOffExecutors",
    ];
    names
        .iter()
        .map(|name| {
            fs::read(samples::compiled().java.join(format!("samples/{name}.class"))).unwrap()
        })
        .collect()
}

#[test]
fn class_file() {
    drive("class_file", targets::class_file, &classes(), 300);
}

#[test]
fn jfr() {
    let seeds = [true, false].map(recordings::small);
    drive("jfr", targets::jfr, &seeds, 3_000);
}

#[test]
fn rewrite() {
    drive("rewrite", targets::rewrite, &classes(), 300);
}

/// Classes and jars behind the 64 bytes that say how what is made of them is damaged.
#[test]
fn check() {
    let folder = samples::temp_dir();
    let inner = make_jar(
        &samples::compiled().isolated,
        "isolated.Plugin",
        &folder.path().join("inner.jar"),
    );
    let nested = folder.path().join("nested");
    fs::create_dir_all(nested.join("lib")).unwrap();
    fs::copy(&inner, nested.join("lib/inner.jar")).unwrap();
    let outer = make_jar(&nested, "isolated.Plugin", &folder.path().join("outer.jar"));
    let mut bodies = classes();
    bodies.extend([inner, outer].map(|path| fs::read(path).unwrap()));
    let mut numbers = Numbers(1);
    let mut seeds = Vec::new();
    for body in bodies {
        for flags in 0..6 {
            let mut head = [0; 64];
            head[4..8].fill_with(|| numbers.next() as u8);
            head[0] = flags;
            seeds.push([&head[..], &body].concat());
        }
    }
    drive("check", targets::check, &seeds, 100);
}

#[test]
fn engine() {
    drive("engine", targets::engine, &classes(), 100);
}

#[test]
fn options() {
    let seed = "root=com.acme.Engine::run(ILjava/lang/String%3B)V;com.acme.**;!com.acme.Part,scheme=eager,include=a.*,\
                include=!@Timed,clock=nano,ring-size=64K,calibrate=start;end,out=/tmp/a%2Cb.jfp,force=false";
    drive("options", targets::options, &[seed.into()], 5_000);
}

#[test]
fn live_lines() {
    let lines = [
        r#"{"session":{"version":3,"tool":"jfathom","roots":["a.B::c"],"scheme":"lazy","include_jdk":false}}"#,
        r#"{"root":{"selector":"a.B::c","state":"waiting","at":0}}"#,
        r#"{"class":{"name":"a/B","at":7,"how":"load","methods":[{"id":3,"name":"c","descriptor":"()V","digest":"0f"}]}}"#,
        r#"{"skip":{"class":"a/B","method":"d()V","reason":"huge-method-limit","detail":null}}"#,
        r#"{"note":"a sentence"}"#,
        r#"{"totals":{"retransformations":3,"late":1}}"#,
    ];
    assert!(
        lines
            .iter()
            .all(|line| jfathom_session::MethodsFileLine::from_json(line.as_bytes()).is_ok())
    );
    drive("live_lines", targets::live_lines, &[lines.join("\n").into()], 3_000);
}

#[test]
fn index() {
    let mut numbers = Numbers(1);
    let mut seeds = Vec::new();
    for class in classes() {
        // The first 64 bytes damage the index of the class that follows.
        seeds.push([&[0; 64][..], &class].concat());
        for _ in 0..20 {
            let mut head = [0; 64];
            let changes = 4 * (1 + numbers.below(3));
            head[..changes].fill_with(|| numbers.next() as u8);
            seeds.push([&head[..], &class].concat());
        }
    }
    drive("index", targets::index, &seeds, 20);
}

#[test]
fn records() {
    let id = |id| MethodId::new(id).unwrap();
    let words = [
        Record::ThreadStart { high: 1, sequence: 1 },
        Record::Entry { id: id(1), time: 5 },
        Record::Entry { id: id(2), time: 7 },
        Record::TaskOpen { id: id(1), time: 8 },
        Record::Throw { id: id(2), time: 9 },
        Record::Caught { id: id(1), time: 10 },
        Record::Adjust { ticks: 3 },
        Record::TimeHigh { high: 2 },
        Record::Return { id: id(1), time: 1 },
        Record::TaskClose { id: id(1), time: 8 },
        Record::ThreadEnd,
    ];
    let switches = [
        Record::ThreadStart { high: 1, sequence: 1 },
        Record::Entry { id: id(1), time: 5 },
        Record::Switch { thread: 70 },
        Record::SwitchTime { time: 1 << 41 },
        Record::Entry { id: id(1), time: 6 },
        Record::Counted { id: id(3), calls: 4 },
        Record::Entry { id: id(2), time: 7 },
        Record::Switch { thread: 0 },
        Record::SwitchTime { time: 1 << 42 },
        Record::Return { id: id(1), time: 9 },
        Record::Switch { thread: 70 },
        Record::SwitchTime { time: 3 << 41 },
        Record::Parked { ticks: 1 << 40 },
        Record::Return { id: id(2), time: 10 },
        Record::VirtualEnd { thread: 70 },
        Record::HandOff { number: 1, time: 64 },
        Record::TaskNumber { number: 1, time: 64 },
    ];
    let readings = [
        Record::ThreadStart { high: 1, sequence: 1 },
        Record::Ran { is_first: true, nanos: 0 },
        Record::Entry { id: id(1), time: 5 },
        Record::Ran { is_first: false, nanos: 900 },
        Record::Adjust { ticks: 30 },
        Record::Entry { id: id(2), time: 90_000 },
        Record::Ran { is_first: false, nanos: (1 << 55) - 1 },
        Record::Throw { id: id(2), time: 200_000 },
        Record::Ran { is_first: false, nanos: 0 },
        Record::Ran { is_first: true, nanos: 7 },
        Record::Switch { thread: 70 },
        Record::SwitchTime { time: 1 << 41 },
        Record::Ran { is_first: false, nanos: 4 },
        Record::Entry { id: id(1), time: 6 },
        Record::Switch { thread: 0 },
        Record::SwitchTime { time: 1 << 42 },
        Record::Return { id: id(1), time: 400_000 },
    ];
    // Some records of one ring, then of the other; a round, a cut, a gap, a checkpoint.
    let step = |after: u8, records: u8, ring: u8| after << 5 | records << 1 | ring;
    let (nothing, round, cut, gap, checkpoint) = (0, 4, 5, 6, 7);
    let heads = [
        vec![step(nothing, 14, 0), step(nothing, 14, 1)],
        vec![step(nothing, 14, 0), step(round, 4, 0), step(cut, 2, 0), step(nothing, 6, 1)],
        vec![step(round, 15, 1), step(gap, 1, 0), step(checkpoint, 2, 0), step(cut, 4, 1)],
    ];
    let seeds = heads.iter().flat_map(|head| {
        let head: Vec<u8> = head.iter().cycle().take(targets::RECORDS_HEAD).copied().collect();
        // Nobody splits the times, or the readings do.
        [(&words[..], 0), (&switches, 0), (&readings, 1)].map(|(records, split)| {
            let mut seed = head.clone();
            seed[targets::RECORDS_HEAD - 2] = split;
            let words = records.iter().cycle().take(400);
            seed.extend(words.flat_map(|record| record.encode().to_le_bytes()));
            seed
        })
    });
    drive("records", targets::records, &seeds.collect::<Vec<_>>(), 100);
}

#[test]
fn session_file() {
    let folder = samples::temp_dir();
    let session = SessionDir::create(&folder.path().join("session")).unwrap();
    let mut writer = SessionWriter::create(
        &session,
        NewSession { ring_bytes: 512, ring_slots: 8, ..NewSession::default() },
    )
    .unwrap();
    writer.ready();
    let mut thread = writer.thread("main", 1).unwrap();
    for time in 0..20 {
        thread.push(Record::Entry { id: MethodId::new(3).unwrap(), time });
    }
    writer.end();
    let seed = fs::read(writer.path()).unwrap();
    drive("session_file", targets::session_file, &[seed], 300);
}

/// A slice with slow calls, a task, and a call of a method that is only counted.
fn slow_calls() -> Profile {
    let mut builder = Builder::new();
    builder.keep_slowest(2);
    builder.begin_slice(SliceStart { recording: 5, ..SliceStart::default() });
    let thread = builder.thread(&records::info(1, "main"));
    let start = Record::ThreadStart { high: 1, sequence: 1 };
    let (e, r, id) = (records::e, records::r, records::id);
    profiles::feed(&mut builder, thread, &[start, e(1, 1)]);
    builder.cut();
    let words = [e(2, 5), Record::TaskOpen { id: id(1), time: 64 }, e(3, 70), r(3, 80)];
    profiles::feed(&mut builder, thread, &words);
    let words =
        [Record::Counted { id: id(4), calls: 3 }, Record::TaskClose { id: id(1), time: 128 }];
    profiles::feed(&mut builder, thread, &words);
    profiles::feed(&mut builder, thread, &[r(2, 140), r(1, 150)]);
    profiles::profile(&builder)
}

#[test]
fn profile_file() {
    let folder = samples::temp_dir();
    let out = JFATHOM.rewrite(&samples::compiled().demo, folder.path(), &[]).display().to_string();
    let (_, profile) = JFATHOM.record(&["-q"], jdk::main(), &["-cp", &out, "demo.Market"], 0);
    let mut seed = Vec::new();
    profile.write(&mut seed).unwrap();
    assert!(Profile::read(&mut seed.as_slice()).is_ok());
    // A body alone, of the slice of a recording with slow calls, too.
    let (before, behind) = targets::PROFILE_ENDS;
    let body = |file: &[u8]| zstd::decode_all(&file[before..file.len() - behind]).unwrap();
    let mut slice = Vec::new();
    slow_calls().write(&mut slice).unwrap();
    let bodies = [body(&seed), body(&slice)];
    drive("profile_file", targets::profile_file, &[seed, slice], 300);
    drive("profile_file", targets::profile_file, &bodies, 300);
}

#[test]
fn jar() {
    let folder = samples::temp_dir();
    let inner =
        make_jar(&samples::compiled().demo, "demo.Market", &folder.path().join("inner.jar"));
    let nested = folder.path().join("nested");
    fs::create_dir_all(nested.join("BOOT-INF/lib")).unwrap();
    fs::copy(&inner, nested.join("BOOT-INF/lib/inner.jar")).unwrap();
    let outer = make_jar(&nested, "demo.Market", &folder.path().join("outer.jar"));
    drive("jar", targets::jar, &[fs::read(inner).unwrap(), fs::read(outer).unwrap()], 300);
}

/// A runtime image of one class, whose constant pool has its strings in the image, and is in a zlib
/// stream.
fn made_image() -> Vec<u8> {
    let strings = b"\0m\0p\0A\0class\0zip\0compact-cp\0(L;I)L;\0java/lang\0String\0run\0";
    let at = |name: &str| {
        let name = [name.as_bytes(), b"\0"].concat();
        u8::try_from(strings.windows(name.len()).position(|window| window == name).unwrap())
            .unwrap()
    };
    let packed = |name: &str, content: &[u8], size: usize| {
        let mut header = 0xcafe_fafa_u32.to_le_bytes().to_vec();
        header
            .extend([content.len(), size].iter().flat_map(|&number| (number as u64).to_le_bytes()));
        header
            .extend([u32::from(at(name)), u32::MAX].iter().flat_map(|number| number.to_le_bytes()));
        [&header[..], &[1], content].concat()
    };
    let mut class = b"\xca\xfe\xba\xbe\0\0\0\x37\0\x06\x01\0\x02hi\x17\0\0\0".to_vec();
    class.push(at("run"));
    class.extend(b"\x05\0\0\0\0\0\0\0\x09\x19\0\0\0");
    class.push(at("(L;I)L;"));
    class.push(0xa0 | 8);
    class.extend(["java/lang", "String", "p", "A"].iter().flat_map(|name| [0xc0, at(name)]));
    class.extend(b"\0\x21");
    let size = b"\xca\xfe\xba\xbe\0\0\0\x37\0\x06\x01\0\x02hi\x01\0\x03run\x05\0\0\0\0\0\0\0\x09"
        .len()
        + b"\x01\0\x1a(Ljava/lang/String;I)Lp/A;\0\x21".len();
    let shared = packed("compact-cp", &class, size);
    let (one, two) = shared.iter().fold((1, 0), |(one, two), &byte| {
        let one = (one + u32::from(byte)) % 65521;
        (one, (two + one) % 65521)
    });
    // One block as it is (RFC 1951, 3.2.4), and its Adler-32.
    let len = shared.len() as u16;
    let mut zlib = b"\x78\x01\x01".to_vec();
    zlib.extend([len.to_le_bytes(), (!len).to_le_bytes()].concat());
    zlib.extend(&shared);
    zlib.extend((two << 16 | one).to_be_bytes());
    let stored = packed("zip", &zlib, shared.len());

    let values = [at("m"), at("p"), at("A"), at("class"), 0, stored.len() as u8, size as u8];
    let mut location: Vec<u8> =
        (1..).zip(values).flat_map(|(kind, value)| [kind << 3, value]).collect();
    location.push(0);
    let header =
        [0xcafe_dada, 1 << 16, 0, 1, 1, location.len() as u32, strings.len() as u32, u32::MAX, 0];
    let header: Vec<u8> = header.iter().flat_map(|number| number.to_le_bytes()).collect();
    [&header[..], &location, strings, &stored].concat()
}

#[test]
fn image() {
    let folder = samples::temp_dir();
    let seed = made_image();
    fs::create_dir(folder.path().join("lib")).unwrap();
    fs::write(folder.path().join("lib/modules"), &seed).unwrap();
    let class =
        jfathom_archive::Jdk::open(folder.path()).unwrap().read("m", "p/A.class").unwrap().unwrap();
    assert!(class.windows(24).any(|window| window == b"(Ljava/lang/String;I)Lp/"), "{class:?}");
    drive("image", targets::image, &[seed], 2_000);
}

#[test]
fn manifest() {
    let folder = samples::temp_dir();
    let out = JFATHOM.rewrite(&samples::compiled().isolated, folder.path(), &[]);
    drive("manifest", targets::manifest, &[fs::read(out.join(MANIFEST_PATH)).unwrap()], 2_000);
}
