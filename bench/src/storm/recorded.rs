//! What was recorded, as `jfathom report --json` shows it.

use super::truth::METHODS;
use serde_json::Value;

#[derive(Clone, Debug)]
pub struct Recorded {
    /// Calls of each method, in the order of [`METHODS`].
    pub calls: [u64; METHODS.len()],
    pub clean: bool,
    /// Records and counts that were lost.
    pub lost: u64,
    /// Threads, hand-offs, first calls, classes, ends and sentences that explain that calls are
    /// missing.
    pub missed: u64,
    /// What no recording may have.
    pub odd: Vec<String>,
    pub quality: String,
}

impl Recorded {
    /// Out of a report; an error where it is none.
    pub fn of(json: &str) -> Result<Self, String> {
        let report: Value = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let quality = report.get("quality").ok_or("no quality")?;
        // A name that the report has no more must not pass for a count of zero.
        let sum = |names: &[&str]| -> Result<u64, String> {
            let count = |name: &&str| {
                quality.get(*name).and_then(Value::as_u64).ok_or(format!("no count {name}"))
            };
            names.iter().map(count).sum()
        };
        let lost = sum(&[
            "lostRecords",
            "lostWaiting",
            "lostRingless",
            "lostWithCollector",
            "lostCounts",
        ])?;
        let missed = [
            "lostRings",
            "lostThreads",
            "lostJvms",
            "unfollowedHandOffs",
            "lateCalls",
            "outsideSpan",
            "uncleanEnds",
            "silentEnds",
            "failedClasses",
        ];
        let mut odd = Vec::new();
        for name in ["unknownRecords", "backwardTimes", "damagedRings", "unnamedMethods"] {
            if sum(&[name])? > 0 {
                odd.push(name.to_owned());
            }
        }
        // Behind a gap the entry may be among what is lost.
        if lost == 0 && sum(&["unmatchedExits", "unmatchedCatches"])? > 0 {
            odd.push("unmatched exits and catches".into());
        }
        let methods = report.get("methods").and_then(Value::as_array).ok_or("no methods")?;
        let mut calls = [0; METHODS.len()];
        for method in methods {
            let number = |name: &str| method.get(name).and_then(Value::as_u64).unwrap_or_default();
            let text = |name: &str| method.get(name).and_then(Value::as_str).unwrap_or_default();
            let exits: u64 = ["returns", "throws", "inferred", "open"].map(number).iter().sum();
            if number("entries") != exits {
                odd.push(format!(
                    "{}.{}: {} entries, {exits} exits",
                    text("class"),
                    text("name"),
                    number("entries")
                ));
            }
            let at = METHODS.iter().position(|method| *method == (text("class"), text("name")));
            if let Some(calls) = at.and_then(|at| calls.get_mut(at)) {
                *calls += number("calls") + number("virtualCalls");
            }
        }
        let told = quality
            .get("otherLosses")
            .and_then(Value::as_array)
            .map_or(0, |losses| losses.len() as u64);
        let clean = quality.get("clean").and_then(Value::as_bool).ok_or("no flag")?;
        let shown = quality.as_object().into_iter().flatten().filter(|(_, value)| {
            value.as_u64() != Some(0) && value.as_array().is_none_or(|all| !all.is_empty())
        });
        let shown: Vec<String> = shown.map(|(name, value)| format!("{name} {value}")).collect();
        Ok(Self {
            calls,
            clean,
            lost,
            missed: sum(&missed)? + told,
            odd,
            quality: shown.join(", "),
        })
    }
}
