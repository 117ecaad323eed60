//! Profiles with waits and exceptions.

use jfathom_profile::{EventKind, EventName, EventSource, EventSum, NodeEvent, Profile, TreeSum};

/// Adds events to each node but those of threads, as if JFR or probes had told them.
pub fn add_to_each_node(profile: &mut Profile, name: &EventName, events: EventSum) {
    let (mut sum, mut path) = (TreeSum::default(), Vec::new());
    for node in profile.tree.nodes() {
        path.truncate(profile.tree.depth(node) as usize);
        let place = sum.child(path.last().copied(), profile.tree.frame(node));
        sum.add(place, &profile.tree.numbers(node));
        sum.add_events(place, profile.tree.events(node), |ticks| ticks);
        if !path.is_empty() {
            let event = NodeEvent { node, name: name.clone(), sum: events };
            sum.add_events(place, &[event], |ticks| ticks);
        }
        path.push(place);
    }
    profile.tree = sum.tree();
    match name.kind {
        EventKind::Exception => profile.events.exceptions = EventSource::Jfr,
        EventKind::Caught => profile.events.caught = EventSource::Probes,
        _ => profile.events.waits = EventSource::Jfr,
    }
}
