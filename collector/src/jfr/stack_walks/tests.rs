use super::*;
use jfathom_jfr::{SampleKind, SampledMethod, Samples};
use jfathom_profile::SampleIx;
use jfathom_testkit::small_profile;

fn frame(class: &str, name: &str, descriptor: &str) -> SampledMethod {
    SampledMethod { class: class.into(), name: name.into(), descriptor: descriptor.into() }
}

/// The place of a method of the profile.
fn place(profile: &Profile, name: &str) -> MethodIx {
    let at = profile.methods.iter().position(|of| of.info.key.name == name).unwrap();
    MethodIx(at as u32)
}

/// A method of the profile as a frame.
fn recorded(profile: &Profile, name: &str) -> SampledMethod {
    let key = &profile.method(place(profile, name)).info.key;
    frame(&key.class, &key.name, &key.descriptor)
}

fn rules(profile: &Profile, name: &str, function: &str) -> ProbeRules {
    let key = &profile.method(place(profile, name)).info.key;
    let (class, descriptor) = (key.class.replace('/', "."), &key.descriptor);
    ProbeRules { list: vec![format!("{class}::{name}{descriptor}={function}").parse().unwrap()] }
}

/// A recording with stacks, the innermost frame first, each walked so often of a method.
#[derive(Default)]
struct Walked {
    recording: Recording,
    number: u64,
}

impl Walked {
    fn walk(&mut self, id: u64, frames: &[SampledMethod], is_truncated: bool, times: u64) {
        let samples: &mut Samples = &mut self.recording.samples;
        samples.push(frames.iter().cloned(), is_truncated, SampleKind::Java);
        let stack = samples.samples.pop().map(|sample| sample.stack);
        for _ in 0..times {
            self.number += 1;
            let walk = StackWalk { method: id, number: self.number, stack };
            self.recording.stack_walks.push(walk);
        }
    }
}

/// By depth, name and walks: the tree.
fn rows(profile: &Profile, walks: &StackWalks) -> Vec<(u32, String, u64)> {
    let name = |node: SampleIx| match walks.tree.node(node).frame {
        SampleFrame::Recorded(Frame::Method(method)) => {
            profile.method(method).info.key.name.clone()
        }
        SampleFrame::Sampled(name) => format!("~{}", walks.names[name as usize].name),
        SampleFrame::Recorded(_) => String::new(),
    };
    let row = |node| (walks.tree.node(node).depth, name(node), walks.tree.total(node).all());
    walks.tree.nodes().map(row).collect()
}

#[test]
fn callers_stand_below_the_method_without_the_runtimes_frames() {
    let profile = small_profile::profile();
    let step = place(&profile, "step");
    let id = u64::from(profile.method(step).id.get());
    let [run, called] = ["run", "step"].map(|name| recorded(&profile, name));
    let runtime = frame("jfathom/runtime/StackWalks", "call", "()V");
    let [main, via] = ["main", "via"].map(|name| frame("p/Main", name, "()V"));
    let mut walked = Walked::default();
    walked.walk(id, &[runtime.clone(), called.clone(), run.clone(), main.clone()], false, 2);
    let recursive = [runtime.clone(), called.clone(), called.clone(), via, run.clone(), main];
    walked.walk(id, &recursive, false, 1);
    walked.walk(id, &[runtime.clone(), called, run], true, 1);
    // Of another method, of none, and without a stack.
    walked.walk(id, &[runtime], false, 1);
    walked.walk(77_777, &[], false, 1);
    walked.recording.stack_walks.push(StackWalk { method: id, number: 9, stack: None });
    let rules = rules(&profile, "step", "time+stack/1");
    let walks = stack_walks(&profile, Some(&walked.recording), &rules);
    let expected = [
        (0, "step", 4),
        (1, "run", 3),
        (2, "~main", 2),
        (1, "~via", 1),
        (2, "run", 1),
        (3, "~main", 1),
    ];
    let expected = expected.map(|(depth, name, count)| (depth, name.to_owned(), count));
    assert_eq!(rows(&profile, &walks), expected);
    let calls = profile.method(step).calls();
    let due = calls.max(9);
    let of = WalkedMethod { method: step, interval: 1, due, truncated: 1, unknown: 2 };
    assert_eq!((walks.methods, walks.cut), (vec![of], 0));
    let mut profile = profile;
    profile.stack_walks = stack_walks(&profile, Some(&walked.recording), &rules);
    let mut bytes = Vec::new();
    profile.write(&mut bytes).unwrap();
    assert_eq!(Profile::read(&mut &*bytes).unwrap(), profile);
}

#[test]
fn without_a_recording_all_walks_are_missing() {
    let profile = small_profile::profile();
    let step = place(&profile, "step");
    let calls = profile.method(step).calls();
    assert!(calls > 1);
    let walks = stack_walks(&profile, None, &rules(&profile, "step", "time+stack/2"));
    let of = WalkedMethod { method: step, interval: 2, due: calls / 2, truncated: 0, unknown: 0 };
    assert_eq!(walks.methods, [of]);
    assert!(walks.tree.is_empty());
    let none = stack_walks(&profile, None, &rules(&profile, "step", "time"));
    assert!(!none.is_recorded());
}
