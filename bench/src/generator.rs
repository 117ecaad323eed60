//! Small Java programs drawn by a seed, for measurements that must not know their programs.
//!
//! A family gives members and a round of work; shapes and sizes are drawn. Every program prints
//! `ROOT_NS n CPU_NS n CHECKSUM n` of one call of its root `run`, whose argument is the number of
//! rounds.

mod chains;
mod collections;
mod interpreter;
mod json;
mod matrices;
mod queues;
mod random;
mod recursion;
mod regex;
mod sleeps;
mod sockets;
mod sorting;
mod strings;
mod template;

use anyhow::{Context, Result};
use random::Random;
use template::fill;

/// What a family draws: Java members, among them `static long round(int number)`.
type Draw = fn(&mut Random) -> String;

/// Families that compute, by name.
const COMPUTING: &[(&str, Draw)] = &[
    ("regex", regex::draw),
    ("interpreter", interpreter::draw),
    ("json", json::draw),
    ("collections", collections::draw),
    ("matrices", matrices::draw),
    ("chains", chains::draw),
    ("strings", strings::draw),
    ("recursion", recursion::draw),
    ("sorting", sorting::draw),
];

/// Families that wait, by name.
const WAITING: &[(&str, Draw)] =
    &[("sleeps", sleeps::draw), ("queues", queues::draw), ("sockets", sockets::draw)];

/// A drawn program.
#[derive(Debug)]
pub struct Program {
    /// Its family.
    pub family: &'static str,
    /// Its class, which is also its name in tables.
    pub class: String,
    /// Its source file.
    pub source: String,
    /// How long its root is to run without probes, in milliseconds.
    pub aim_millis: f64,
}

/// The families of these names: all that compute for none, and all that wait for `waiting`.
pub fn families(names: &[String]) -> Result<Vec<&'static str>> {
    let of = |families: &'static [(&'static str, Draw)]| families.iter().map(|(name, _)| *name);
    let known: Vec<&str> = of(COMPUTING).chain(of(WAITING)).collect();
    if names.is_empty() {
        return Ok(of(COMPUTING).collect());
    }
    let mut found = Vec::new();
    for name in names {
        match name.as_str() {
            "waiting" => found.extend(of(WAITING)),
            name => found.push(*known.iter().find(|known| **known == name).with_context(|| {
                format!("no family {name}: {}, waiting (all that wait)", known.join(", "))
            })?),
        }
    }
    Ok(found)
}

/// Draws programs: the families take turns.
pub fn programs(families: &[&'static str], seed: u64, count: usize) -> Vec<Program> {
    let draws = COMPUTING.iter().chain(WAITING);
    (0..count)
        .filter_map(|number| {
            let family = *families.get(number % families.len().max(1))?;
            let (_, draw) = draws.clone().find(|(name, _)| *name == family)?;
            let mut random = Random::new(seed, family, number as u64);
            let class = format!("{}{number}", capitalized(family));
            let aim_millis = 200.0 * 7.5_f64.powf(random.unit());
            let source = source(&class, &draw(&mut random));
            Some(Program { family, class, source, aim_millis })
        })
        .collect()
}

fn capitalized(name: &str) -> String {
    let (first, rest) = name.split_at(1);
    first.to_uppercase() + rest
}

fn source(class: &str, members: &str) -> String {
    fill(SKELETON, &[("$CLASS", class.to_owned()), ("$MEMBERS", members.to_owned())])
}

const SKELETON: &str = r#"// Drawn by `cargo xtask bench coverage`.
import java.io.*;
import java.lang.management.ManagementFactory;
import java.net.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.LockSupport;
import java.util.function.*;
import java.util.stream.*;

public final class $CLASS {
$MEMBERS
    static long run(int rounds) {
        long sum = 17;
        for (int i = 0; i < rounds; i++) sum = sum * 31 + round(i);
        return sum;
    }

    public static void main(String[] args) {
        var threads = ManagementFactory.getThreadMXBean();
        int rounds = Integer.parseInt(args[0]);
        long cpu = threads.getCurrentThreadCpuTime();
        long wall = System.nanoTime();
        long result = run(rounds);
        wall = System.nanoTime() - wall;
        cpu = threads.getCurrentThreadCpuTime() - cpu;
        System.out.println("ROOT_NS " + wall + " CPU_NS " + cpu + " CHECKSUM " + result);
    }
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_draws_the_same_programs_and_another_seed_others() {
        let families = families(&["json", "waiting"].map(str::to_owned)).unwrap();
        let sources = |seed| -> Vec<String> {
            programs(&families, seed, 8).into_iter().map(|program| program.source).collect()
        };
        assert_eq!(sources(7), sources(7));
        assert!(sources(7).iter().zip(sources(8)).all(|(one, other)| *one != other));
    }

    #[test]
    fn no_hole_stays_open() {
        let all: Vec<&str> = COMPUTING.iter().chain(WAITING).map(|(name, _)| *name).collect();
        for program in programs(&all, 3, 5 * all.len()) {
            assert!(!program.source.contains('$'), "{}", program.source);
        }
        assert!(families(&["nonsense".to_owned()]).is_err());
    }
}
