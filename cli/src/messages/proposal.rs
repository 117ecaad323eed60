//! User messages about sampled stacks and proposed roots.

use jfathom_collector::{ProposedRoot, RootKind, RootProposal};
use jfathom_plan::shell_words;
use jfathom_report::number::counted;
use std::{path::Path, time::Duration};

/// Options of the user's command line that a suggested command keeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Suggested<'a> {
    /// None if it is the default.
    pub(crate) output: Option<&'a Path>,
    pub(crate) duration: Option<Duration>,
}

/// How long a suggested command records.
const DURATION: Duration = Duration::from_secs(30);

/// Where the time of a JVM goes, and the proposed roots.
pub(crate) fn shown(pid: u32, proposal: &RootProposal) -> String {
    let dumps = counted(proposal.dumps, "thread dump", "thread dumps");
    if proposal.roots.is_empty() {
        return format!(
            "no --root, and nothing to propose: in {dumps} of JVM {pid} no thread ran code of the \
             program; name a root, or try again while the program works"
        );
    }
    let mut text = format!(
        "no --root: JVM {pid} was sampled at safepoints, {dumps}, {} of threads that are not idle\n\
         hot methods, JDK code counted for its caller:",
        counted(proposal.stacks, "stack", "stacks"),
    );
    for hot in &proposal.hotspots {
        text.push_str(&format!("\n  {}  {}", share(hot.stacks, proposal), hot.method));
    }
    text.push_str("\nproposed roots:");
    for (root, number) in proposal.roots.iter().zip(1..) {
        let share = share(root.stacks, proposal);
        text.push_str(&format!("\n  {number}  {share}  {}  ({})", root.selector, reason(root)));
    }
    text
}

/// The commands that record the proposed roots, one per line.
pub(crate) fn commands(pid: u32, proposal: &RootProposal, suggested: &Suggested<'_>) -> String {
    let command = |root: &ProposedRoot| {
        let seconds = suggested.duration.unwrap_or(DURATION).as_secs_f64();
        let output = suggested.output.map(|path| path.display().to_string());
        let output = output.map(|path| format!(" -o {}", shell_words(&[path]))).unwrap_or_default();
        let root = shell_words(&[root.selector.to_string()]);
        format!("\n  jfathom record --root {root} -p {pid} -d {seconds}s{output}")
    };
    format!("to record one of them:{}", proposal.roots.iter().map(command).collect::<String>())
}

fn share(stacks: usize, proposal: &RootProposal) -> String {
    format!("{:3.0} %", stacks as f64 * 100.0 / proposal.stacks.max(1) as f64)
}

fn reason(root: &ProposedRoot) -> String {
    let kind = match root.kind {
        RootKind::Request(kind) => format!("entry of a request: {kind}"),
        RootKind::LowestCommon => "lowest common method of hot stacks".to_owned(),
        RootKind::Hot => "hot".to_owned(),
    };
    match root.may_run_on {
        true => format!("{kind}; it may run all the time, and only new calls are recorded"),
        false => kind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_collector::Hotspot;

    fn proposal(root: &str) -> RootProposal {
        RootProposal {
            dumps: 50,
            stacks: 80,
            hotspots: vec![Hotspot { method: "com.acme.Codec::encode".into(), stacks: 60 }],
            roots: vec![ProposedRoot {
                selector: root.parse().unwrap(),
                stacks: 78,
                kind: RootKind::Request("servlet"),
                may_run_on: false,
            }],
        }
    }

    #[test]
    fn shares_are_of_the_stacks_that_work() {
        let text = shown(7, &proposal("com.acme.Shop::handle"));
        assert!(text.contains("50 thread dumps, 80 stacks of threads that are not idle"), "{text}");
        assert!(text.contains("\n   75 %  com.acme.Codec::encode"), "{text}");
        let root = "\n  1   98 %  com.acme.Shop::handle  (entry of a request: servlet)";
        assert!(text.ends_with(root), "{text}");
        let idle = RootProposal { dumps: 50, ..RootProposal::default() };
        assert!(shown(7, &idle).contains("name a root"));
    }

    /// The printed command is for a shell, which must read the method's name as it is.
    #[test]
    fn suggested_commands_keep_options_and_are_quoted() {
        let defaults = Suggested { output: None, duration: None };
        let text = commands(7, &proposal("a.B$C::f"), &defaults);
        let line = text.lines().nth(1).unwrap();
        let words = ["jfathom", "record", "--root", "a.B$C::f", "-p", "7", "-d", "30s"];
        assert_eq!(shlex::split(line).unwrap(), words);
        assert!(!line.contains(" a.B$C"), "{line}");
        let output = Path::new("it's; rm -rf ~");
        let kept = Suggested { output: Some(output), duration: Some(Duration::from_millis(2500)) };
        let text = commands(7, &proposal("a.B::f"), &kept);
        let words = shlex::split(text.lines().nth(1).unwrap()).unwrap();
        assert_eq!(words[6..], ["-d", "2.5s", "-o", "it's; rm -rf ~"]);
    }
}
