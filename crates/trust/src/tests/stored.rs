//! What is measured can be kept in the profile.

use crate::measure;
use jfathom_calibration::correct_times;
use jfathom_jfr::{SampleKind, SampledMethod, Samples};
use jfathom_profile::Profile;
use jfathom_testkit::small_profile;

#[test]
fn a_profile_keeps_what_was_measured() {
    let mut profile = small_profile::calibrated();
    let mut samples = Samples::default();
    for method in &profile.methods {
        let key = &method.info.key;
        let root = SampledMethod {
            class: "com/acme/Engine".into(),
            name: "run".into(),
            descriptor: "()V".into(),
        };
        let leaf = SampledMethod {
            class: (&*key.class).into(),
            name: (&*key.name).into(),
            descriptor: (&*key.descriptor).into(),
        };
        samples.push([leaf, root], false, SampleKind::Java);
    }
    let trust = measure(&profile, &correct_times(&profile).unwrap(), &[samples]).unwrap();
    profile.trust = Some(trust);
    let mut bytes = Vec::new();
    profile.write(&mut bytes).unwrap();
    let read = Profile::read_whole(&mut &bytes[..]).unwrap();
    assert_eq!(read, profile);
    // A place that the tree does not have is refused.
    profile.trust.as_mut().unwrap().contexts[0].nodes.push(1 << 20);
    let mut bytes = Vec::new();
    profile.write(&mut bytes).unwrap();
    assert!(Profile::read_whole(&mut &bytes[..]).is_err());
}
