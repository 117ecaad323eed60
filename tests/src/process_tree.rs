//! A process with all that it started.

use rustix::process::{Pid, Signal, kill_process};
use std::fs;

/// Kills a process and its descendants, also those that a shell started.
pub fn kill_tree(root: u32) {
    let Ok(root) = i32::try_from(root) else { return };
    // A process that was just found may start another one: ask again until there is no new one.
    let mut tree = vec![root];
    loop {
        let parents = parents();
        let before = tree.len();
        for (process, parent) in parents {
            if tree.contains(&parent) && !tree.contains(&process) {
                tree.push(process);
            }
        }
        // Stopped processes start none.
        signal(&tree, Signal::STOP);
        if tree.len() == before {
            break;
        }
    }
    signal(&tree, Signal::KILL);
}

fn signal(processes: &[i32], signal: Signal) {
    for pid in processes.iter().filter_map(|&process| Pid::from_raw(process)) {
        let _ended = kill_process(pid, signal);
    }
}

/// All processes, each with its parent.
fn parents() -> Vec<(i32, i32)> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let row = |entry: fs::DirEntry| {
        let process = entry.file_name().to_str()?.parse().ok()?;
        let status = fs::read_to_string(entry.path().join("stat")).ok()?;
        // The name, in parentheses, may hold anything; state and parent follow.
        let parent = status.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
        Some((process, parent))
    };
    entries.filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};

    #[test]
    fn a_killed_shell_leaves_nothing_running() {
        let script = "sleep 600 & (sleep 600 & echo $!; wait) & wait";
        let mut shell = Command::new("sh")
            .args(["-c", script])
            .stdout(Stdio::piped())
            .spawn()
            .expect("there is a shell");
        let mut line = String::new();
        let output = shell.stdout.take().expect("it has a pipe");
        BufReader::new(output).read_line(&mut line).expect("it prints a line");
        let inner: i32 = line.trim().parse().expect("a process");
        let is_running = |process: i32| {
            let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            let state = status.rsplit_once(')').map(|split| split.1.trim().chars().next());
            !matches!(state, None | Some(None | Some('Z' | 'X')))
        };
        assert!(is_running(inner));
        kill_tree(shell.id());
        shell.wait().expect("a child can be waited for");
        // The orphan's new parent may take a moment to take its status.
        while is_running(inner) {
            std::thread::yield_now();
        }
    }
}
