//! Profiles that the tests look at.

use jfathom_profile::{Profile, Ticks};
use jfathom_testkit::small_profile;

/// Names that a browser would act on if it read them as HTML.
pub const HOSTILE: [&str; 3] = [
    "</script><script>window.owned=1</script>",
    "<img src=x onerror=window.owned=1>",
    "<b>\"'&amp;",
];

/// A profile whose classes, threads, command and notices have such names.
pub fn hostile() -> Profile {
    let mut profile = small_profile::profile();
    for (method, name) in profile.methods.iter_mut().zip(HOSTILE) {
        // A slash in a class name is a dot for people.
        method.info.key.class = name.replace('.', "/");
        method.info.key.name = "run".to_owned();
        method.info.source = Some(name.to_owned());
    }
    profile.threads[0].name = HOSTILE[0].to_owned();
    profile.meta.command = HOSTILE.map(str::to_owned).to_vec();
    for jvm in &mut profile.meta.jvms {
        jvm.command = HOSTILE.join(" ");
    }
    profile.meta.notices = HOSTILE.map(str::to_owned).to_vec();
    profile
}

/// A profile in which all calls of `tick` were counted.
pub fn counted_only() -> Profile {
    small_profile::counted_tick(70)
}

/// The small profile with twice the time in `step(int)`.
pub fn slower() -> Profile {
    let mut profile = small_profile::profile();
    let tree = std::mem::take(&mut profile.tree);
    let (slower, _) = tree.retain(|node| {
        let mut numbers = tree.numbers(node);
        if tree.frame(node) == jfathom_profile::Frame::Method(jfathom_profile::MethodIx(1)) {
            numbers.self_time = Ticks(numbers.self_time.0 * 2);
        }
        Some(numbers)
    });
    profile.tree = slower;
    profile
}
