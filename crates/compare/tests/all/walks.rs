//! Callers by walked stacks: what a difference shows.

use jfathom_compare::{Caller, CallerDiff, Diff, WalksDiff, diff, into_series};
use jfathom_profile::{
    Frame, MethodIx, Profile, SampleCounts, SampleFrame, SampleTreeBuilder, SampledName,
    StackWalks, WalkedMethod,
};
use jfathom_testkit::{Random, small_profile};

/// Who called the method 1, from it outward: the method 0, or a frame of `app.Main`.
#[derive(Clone, Copy)]
enum By {
    Zero,
    Main(&'static str),
}

/// The small profile, with walks of its method 1 at one call in so many, so many of them without a
/// stack.
fn walked(interval: u32, lost: u64, stacks: &[(&[By], u64)]) -> Profile {
    let mut profile = small_profile::profile();
    let mut builder = SampleTreeBuilder::default();
    let recorded = |at| SampleFrame::Recorded(Frame::Method(MethodIx(at)));
    for (stack, walks) in stacks {
        let mut frames = vec![recorded(1)];
        for by in *stack {
            frames.push(match by {
                By::Zero => recorded(0),
                By::Main(name) => {
                    let (class, name) = ("app/Main".to_owned(), (*name).to_owned());
                    SampleFrame::Sampled(builder.name(&SampledName { class, name }))
                }
            });
        }
        builder.add(frames, SampleCounts { running: *walks, ..SampleCounts::default() });
    }
    let due = stacks.iter().map(|(_, walks)| walks).sum::<u64>() + lost;
    let method = WalkedMethod { method: MethodIx(1), interval, due, truncated: 0, unknown: lost };
    profile.stack_walks = StackWalks::new(vec![method], builder, 0);
    profile.check().unwrap();
    profile
}

fn of_one(found: &Diff) -> &WalksDiff {
    let [one] = &found.walks[..] else { panic!("{:?}", found.walks) };
    one
}

/// The caller of `app.Main` with this name.
fn named<'d>(of: &'d WalksDiff, name: &str) -> &'d CallerDiff {
    let is_it = |row: &&CallerDiff| matches!(&row.caller, Caller::Named(of) if of.name == name);
    of.callers.iter().find(is_it).unwrap()
}

const A: &[By] = &[By::Main("a")];
const B: &[By] = &[By::Main("b")];

#[test]
fn a_caller_that_calls_more_often_is_found() {
    let base = walked(10, 0, &[(A, 1_000), (B, 500)]);
    let new = walked(10, 0, &[(A, 1_030), (B, 700)]);
    let found = diff(&base, &new);
    let of = of_one(&found);
    assert_eq!(of.calls(named(of, "b")), Some([5_000.0, 7_000.0]));
    assert!(of.is_changed(named(of, "b")) && !of.is_changed(named(of, "a")), "{of:?}");
    // The other way round it calls less often, as certainly.
    let back = diff(&new, &base);
    let back = of_one(&back);
    assert!(back.is_changed(named(back, "b")));
    let [p_value, other] = [of, back].map(|of| named(of, "b").p_value.unwrap());
    assert!((p_value / other - 1.0).abs() < 1e-9, "{p_value} {other}");
    let same = diff(&base, &base);
    assert!(of_one(&same).callers.iter().all(|row| row.p_value == Some(1.0)));
}

/// The test of two Poisson counts with equal means, from its definition: (1 + 7 + 21) / 2⁷ on each
/// side of 2 and 5.
#[test]
fn p_values_are_exact() {
    let found = diff(&walked(10, 0, &[(A, 2)]), &walked(10, 0, &[(A, 5)]));
    let p_value = named(of_one(&found), "a").p_value.unwrap();
    assert!((p_value - 2.0 * 29.0 / 128.0).abs() < 1e-9, "{p_value}");
}

#[test]
fn lost_walks_count_against_a_difference() {
    let (base, new) = (&[(B, 500)], &[(B, 700)]);
    for (lost, is_changed) in [([0, 0], true), ([190, 0], false), ([0, 190], true)] {
        let found = diff(&walked(10, lost[0], base), &walked(10, lost[1], new));
        let of = of_one(&found);
        assert_eq!(of.is_changed(named(of, "b")), is_changed, "{lost:?}");
        assert_eq!(of.sides.map(|side| side.lost), lost);
    }
}

#[test]
fn intervals_and_runs_are_taken_into_account() {
    let one = walked(10, 0, &[(A, 1_000)]);
    let found = diff(&one, &walked(20, 0, &[(A, 500)]));
    assert!(!of_one(&found).is_changed(named(of_one(&found), "a")));
    let found = diff(&one, &walked(20, 0, &[(A, 1_000)]));
    assert!(of_one(&found).is_changed(named(of_one(&found), "a")));
    let runs = into_series(vec![one.clone(), one.clone(), one.clone()]).unwrap();
    let found = diff(&one, &runs);
    let of = of_one(&found);
    assert_eq!(of.calls(named(of, "a")), Some([10_000.0; 2]));
    assert_eq!(named(of, "a").p_value, Some(1.0));
    // Recordings at different intervals that were added up say nothing.
    let mixed = into_series(vec![one.clone(), walked(20, 0, &[(A, 500)])]).unwrap();
    let found = diff(&one, &mixed);
    let of = of_one(&found);
    assert_eq!((of.calls(named(of, "a")), named(of, "a").p_value), (None, None));
}

/// A run without walks has calls that no walk stands for.
#[test]
fn a_side_with_a_run_that_walks_no_stacks_says_nothing() {
    let mut plain = small_profile::profile();
    plain.methods[1].counted = 20_000;
    let mut walked = walked(10, 0, &[(A, 2_000)]);
    walked.methods[1].counted = 20_000;
    let both = into_series(vec![walked.clone(), walked.clone()]).unwrap();
    let found = diff(&walked, &both);
    assert_eq!(named(of_one(&found), "a").p_value, Some(1.0));
    let one = into_series(vec![walked.clone(), plain]).unwrap();
    let found = diff(&walked, &one);
    let of = of_one(&found);
    assert_eq!((of.calls(named(of, "a")), named(of, "a").p_value), (None, None));
}

#[test]
fn walks_of_every_call_are_exact() {
    let base = walked(1, 0, &[(A, 4), (B, 5)]);
    let found = diff(&base, &walked(1, 0, &[(A, 4), (B, 6)]));
    let of = of_one(&found);
    let [a, b] = ["a", "b"].map(|name| named(of, name));
    assert!(a.is_exact && b.is_exact && b.p_value.is_none());
    assert!(of.is_changed(b) && !of.is_changed(a));
    // A single lost walk leaves it to chance again.
    let found = diff(&base, &walked(1, 1, &[(A, 4), (B, 6)]));
    let of = of_one(&found);
    assert!(!named(of, "b").is_exact && !of.is_changed(named(of, "b")));
}

/// A frame is the same method whether it has recorded calls or not.
#[test]
fn recorded_and_other_frames_of_a_method_are_one() {
    let by_zero: &[By] = &[By::Zero, By::Main("a")];
    let base = walked(10, 0, &[(by_zero, 600)]);
    let mut new = walked(10, 0, &[(A, 600)]);
    let key = new.methods[0].info.key.clone();
    let mut builder = SampleTreeBuilder::default();
    let names = [(key.class, key.name), ("app/Main".to_owned(), "a".to_owned())];
    let [zero, a] =
        names.map(|(class, name)| SampleFrame::Sampled(builder.name(&SampledName { class, name })));
    let called = SampleFrame::Recorded(Frame::Method(MethodIx(1)));
    builder.add([called, zero, a], SampleCounts { running: 600, ..SampleCounts::default() });
    new.stack_walks = StackWalks::new(new.stack_walks.methods, builder, 0);
    let found = diff(&base, &new);
    let of = of_one(&found);
    let rows: Vec<_> = of.callers.iter().map(|row| (row.depth, row.walks)).collect();
    assert_eq!(rows, [(1, [600, 600]), (2, [600, 600])]);
    assert!(matches!(of.callers[0].caller, Caller::Method(_)), "{of:?}");
}

/// A frame without recorded calls has no descriptor, and the method's overloads have its name.
#[test]
fn overloads_are_one_where_a_side_does_not_tell_them_apart() {
    let overloaded = |mut profile: Profile| {
        let key = profile.methods[0].info.key.clone();
        let other = &mut profile.methods[3].info.key;
        (other.class, other.name) = (key.class, key.name);
        other.descriptor = "(I)V".to_owned();
        profile
    };
    let base = overloaded(walked(10, 0, &[(&[By::Zero], 600)]));
    let mut new = base.clone();
    let key = new.methods[0].info.key.clone();
    let mut builder = SampleTreeBuilder::default();
    let name = SampledName { class: key.class, name: key.name };
    let zero = SampleFrame::Sampled(builder.name(&name));
    let called = SampleFrame::Recorded(Frame::Method(MethodIx(1)));
    builder.add([called, zero], SampleCounts { running: 600, ..SampleCounts::default() });
    new.stack_walks = StackWalks::new(new.stack_walks.methods, builder, 0);
    let found = diff(&base, &new);
    let [row] = &of_one(&found).callers[..] else { panic!("{:?}", found.walks) };
    assert_eq!((row.walks, row.p_value), ([600, 600], Some(1.0)));
}

#[test]
fn one_side_alone_has_nothing_to_compare() {
    let plain = small_profile::profile();
    let walked = walked(10, 0, &[(A, 10)]);
    assert!(diff(&plain, &walked).walks.is_empty());
    assert!(diff(&walked, &plain).walks.is_empty());
}

/// Equal programs, of whose calls each is walked or not by chance: five of a hundred differences
/// may look significant, and not more.
#[test]
fn equal_callers_differ_no_more_often_than_they_may() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let mut drawn = || (0..2_000).filter(|_| random.below(20) == 0).count() as u64;
    let found = (0..400).filter(|_| {
        let sides = [drawn(), drawn()].map(|walks| walked(20, 0, &[(A, walks)]));
        let found = diff(&sides[0], &sides[1]);
        of_one(&found).is_changed(named(of_one(&found), "a"))
    });
    let found = found.count();
    assert!((4..=30).contains(&found), "{found} of 400");
}
