//! Which events JFR records.

use jfathom_session::names::{JFR_CHUNK_CLOCK_EVENT, JFR_CLOCK_EVENT, JFR_STACK_EVENT};
use std::{fmt::Write as _, time::Duration};

/// How often JFR writes the session's clock. Each time takes JFR's thread some 0.1 ms of CPU.
const CLOCK_PERIOD: &str = "500 ms";
/// The events of sampled stacks.
const SAMPLES: [&str; 2] = ["jdk.ExecutionSample", "jdk.NativeMethodSample"];

/// An event that JFR records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JfrEvent {
    /// Its name: `jdk.ExecutionSample`.
    pub name: &'static str,
    /// Its settings beside `enabled`, as JFR knows them: `("period", "10 ms")`.
    pub settings: Vec<(&'static str, String)>,
}

/// The events that JFR records beside a session. Without any JFR does not run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JfrEvents(Vec<JfrEvent>);

impl JfrEvents {
    /// Adds an event; a second one of the same name replaces the first.
    pub fn add(&mut self, event: JfrEvent) {
        self.0.retain(|known| known.name != event.name);
        self.0.push(event);
    }

    /// Whether JFR does not run.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the stacks of threads that run, and of threads in native methods, at the same rate, so
    /// that they weigh alike.
    pub fn add_stack_samples(&mut self, period: Duration) {
        let period = format!("{} ms", period.as_millis());
        for name in SAMPLES {
            self.add(JfrEvent { name, settings: vec![("period", period.clone())] });
        }
    }

    /// Adds the stacks of calls that the session's rules have walked.
    pub fn add_stack_walks(&mut self) {
        let settings = vec![("stackTrace", "true".to_owned())];
        self.add(JfrEvent { name: JFR_STACK_EVENT, settings });
    }

    /// Whether stacks are sampled.
    pub(crate) fn has_stack_samples(&self) -> bool {
        self.0.iter().any(|event| SAMPLES.contains(&event.name))
    }

    /// With the session's clock.
    pub(crate) fn with_clock(mut self) -> Self {
        for (name, period) in
            [(JFR_CLOCK_EVENT, CLOCK_PERIOD), (JFR_CHUNK_CLOCK_EVENT, "everyChunk")]
        {
            self.add(JfrEvent { name, settings: vec![("period", period.to_owned())] });
        }
        self
    }

    /// The settings file. The JVM records nothing that is not in it.
    pub fn settings(&self) -> String {
        let mut text =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<configuration version=\"2.0\" \
                        label=\"jfathom\" description=\"Beside a session\" provider=\"jfathom\">\n"
                .to_owned();
        let setting = JfrEvent { name: "jdk.ActiveSetting", settings: Vec::new() };
        for event in self.0.iter().chain([&setting]) {
            _ = writeln!(text, "  <event name=\"{}\">", escaped(event.name));
            let enabled = ("enabled", "true".to_owned());
            for (name, value) in [&enabled].into_iter().chain(&event.settings) {
                let (name, value) = (escaped(name), escaped(value));
                _ = writeln!(text, "    <setting name=\"{name}\">{value}</setting>");
            }
            text.push_str("  </event>\n");
        }
        text.push_str("</configuration>\n");
        text
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_of_stacks_asks_for_the_event_with_its_stack() {
        let mut events = JfrEvents::default();
        events.add_stack_walks();
        assert!(!events.has_stack_samples());
        let text = events.settings();
        let event = text.split("<event name=\"jfathom.Stack\">").nth(1).unwrap();
        let event = event.split("</event>").next().unwrap();
        assert!(event.contains("name=\"enabled\">true<"), "{text}");
        assert!(event.contains("name=\"stackTrace\">true<"), "{text}");
    }

    #[test]
    fn an_event_is_there_once_with_its_last_settings() {
        let sample = |period: &str| JfrEvent {
            name: "jdk.ExecutionSample",
            settings: vec![("period", period.to_owned())],
        };
        let mut events = JfrEvents::default();
        assert!(events.is_empty());
        events.add(sample("10 ms"));
        events.add(sample("20 ms"));
        let text = events.with_clock().settings();
        assert_eq!(text.matches("jdk.ExecutionSample").count(), 1);
        assert!(text.contains("<setting name=\"period\">20 ms</setting>"), "{text}");
        assert!(text.contains("<event name=\"jfathom.Clock\">"), "{text}");
        assert!(text.contains("<event name=\"jfathom.ChunkClock\">"), "{text}");
    }
}
