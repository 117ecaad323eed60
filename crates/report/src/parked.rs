//! For how long virtual threads were parked, in a sentence.

use crate::number::{percent, signed};
use jfathom_profile::{Frame, Mounts, Profile, Ticks};
use std::io::{self, Write};

/// Writes how much of their time virtual threads were parked, if it was asked for.
pub(crate) fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let tree = &profile.tree;
    let partly = match profile.mounts {
        Mounts::Unasked => return Ok(()),
        Mounts::Seen => "",
        Mounts::Partly => " or more (not seen in the whole recording)",
    };
    let virtuals = tree.roots().filter(|root| match tree.frame(*root) {
        Frame::Thread(thread) => profile.threads[thread.0 as usize].is_virtual(),
        Frame::Method(_) | Frame::Task(_) => false,
    });
    let (mut parked, mut whole) = (Ticks(0), Ticks(0));
    for root in virtuals {
        parked += tree.total_parked(root);
        whole += tree.total_time(root);
    }
    let nanos = |ticks: Ticks| ticks.0 as f64 * 1e9 / profile.rate.hz() as f64;
    write_line!(
        out,
        "parked    {}{partly} of the {} measured on virtual threads, {} %: they had no carrier",
        signed(nanos(parked)).trim(),
        signed(nanos(whole)).trim(),
        percent(nanos(parked), nanos(whole)).trim()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_testkit::small_profile as fixture;

    #[test]
    fn it_is_said_only_if_it_was_asked_for() {
        let mut profile = fixture::profile();
        let text = |profile: &Profile| {
            let mut out = Vec::new();
            write(profile, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(text(&profile), "");
        profile.mounts = Mounts::Partly;
        assert!(text(&profile).contains("not seen in the whole recording"));
    }
}
