//! Profiles with walked stacks.

use jfathom_profile::{
    Frame, MethodIx, Profile, SampleCounts, SampleFrame, SampleTreeBuilder, SampledName,
    StackWalks, WalkedMethod,
};

/// A profile with nine walks of its method 1, at each tenth call: six from method 0, which
/// `app.Main::main` calls by `app.Main::loop`, two from `app.Main::main`, one from the bottom of a
/// thread. Of the twelve that were due two have no stack with the method, and one was not made.
pub fn walked(mut profile: Profile) -> Profile {
    let [called, caller] = [1, 0].map(|at| SampleFrame::Recorded(Frame::Method(MethodIx(at))));
    let mut builder = SampleTreeBuilder::default();
    let [looped, main] = ["loop", "main"].map(|name| {
        let (class, name) = ("app/Main".to_owned(), name.to_owned());
        SampleFrame::Sampled(builder.name(&SampledName { class, name }))
    });
    let walks = |running| SampleCounts { running, ..SampleCounts::default() };
    builder.add([called, caller, looped, main], walks(6));
    builder.add([called, main], walks(2));
    builder.add([called], walks(1));
    let method =
        WalkedMethod { method: MethodIx(1), interval: 10, due: 12, truncated: 1, unknown: 2 };
    profile.stack_walks = StackWalks::new(vec![method], builder, 0);
    profile
}
