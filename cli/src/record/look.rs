//! `record -p PID` without a root: samples the JVM, and lets the user choose a root.

use crate::{
    failure::usage,
    messages::{self, proposal::Suggested},
    out,
};
use anyhow::Result;
use jfathom_collector::{RootProposal, sample};
use jfathom_plan::Selector;
use jfathom_session::JvmProcess;
use std::io::{self, BufRead, IsTerminal, Read};

/// The most bytes of an answer.
const ANSWER_LIMIT: u64 = 1000;

/// Samples the JVM for two seconds, shows where its time goes, and asks for one of the proposed
/// roots. None if the user wants none.
///
/// # Errors
/// Without a terminal the commands that record these roots are in a usage error, and so is an idle
/// JVM. Fails if the JVM cannot be sampled.
pub(super) fn choose_root(pid: u32, suggested: &Suggested<'_>) -> Result<Option<Selector>> {
    let jvm = JvmProcess::find(pid)?;
    let is_asked = io::stdin().is_terminal() && out::is_terminal();
    if is_asked {
        out::say(&format!("no --root: sampling the stacks of JVM {pid} for 2 s"));
    }
    let proposal = sample(&jvm)?.proposal();
    let text = messages::proposal::shown(pid, &proposal);
    if proposal.roots.is_empty() {
        return Err(usage(text));
    }
    if !is_asked {
        let commands = messages::proposal::commands(pid, &proposal, suggested);
        return Err(usage(format!("{text}\n{commands}")));
    }
    out::say(&text);
    let answer = ask(&proposal, &mut io::stdin().lock())?;
    Ok(answer.map(|at| proposal.roots[at].selector.clone()))
}

/// The index of the root that the user wants; none for `q` and at the end of the input.
fn ask(proposal: &RootProposal, input: &mut impl BufRead) -> Result<Option<usize>> {
    loop {
        out::prompt(&format!("record which root? 1 to {}, or q: ", proposal.roots.len()));
        let mut line = String::new();
        if input.by_ref().take(ANSWER_LIMIT).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        match answer(&line, proposal.roots.len()) {
            Some(answer) => return Ok(answer),
            None => continue,
        }
    }
}

/// What a line means: an index, or none for `q`; nothing if it means nothing.
fn answer(line: &str, roots: usize) -> Option<Option<usize>> {
    match line.trim() {
        "q" | "Q" => Some(None),
        number => {
            let number: usize = number.parse().ok()?;
            (1..=roots).contains(&number).then(|| Some(number - 1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_numbers_or_q() {
        assert_eq!(answer(" 3\n", 3), Some(Some(2)));
        assert_eq!(answer("q\n", 3), Some(None));
        for line in ["", "0", "4", "-1", "one", "99999999999999999999999"] {
            assert_eq!(answer(line, 3), None, "{line}");
        }
    }
}
