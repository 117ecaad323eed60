//! The attach protocol against real JVMs, with an agent of a few lines of C.

use jfathom_collector::{
    attach::{AttachError, load_agent, visible_library},
    sample,
};
use jfathom_session::JvmProcess;
use jfathom_testkit::{Javac, Jdk, jdk, process_dir, remove_attach_files};
use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
};
use tempfile::TempDir;

/// The folder with the compiled program and, where there is a C compiler, the agent.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = process_dir();
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attach");
        Javac::release(11).compile(&[here.join("Wait.java")], folder.path());
        let include = jdk::main().home.join("include");
        let mut cc = Command::new("cc");
        cc.args(["-shared", "-fPIC", "-o"])
            .arg(folder.path().join("agent.so"))
            .arg(here.join("agent.c"));
        cc.arg("-I").arg(&include).arg("-I").arg(include.join("linux"));
        match cc.status() {
            Ok(status) => assert!(status.success(), "{cc:?}"),
            Err(error) => eprintln!("attach tests are skipped: no C compiler ({error})"),
        }
        folder
    });
    folder.path()
}

/// The agent; none without a C compiler.
fn agent() -> Option<PathBuf> {
    Some(folder().join("agent.so")).filter(|path| path.is_file())
}

/// A JVM that waits. Ended when dropped.
struct Waiting(Child);

impl Waiting {
    fn start(jdk: &Jdk, flags: &[&str]) -> Self {
        let mut java = Command::new(jdk.java());
        java.args(flags).arg("-cp").arg(folder()).arg("Wait");
        Self::of(java)
    }

    fn of(mut command: Command) -> Self {
        for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH"] {
            command.env_remove(variable);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
        Self(child)
    }

    fn target(&self) -> JvmProcess {
        JvmProcess::find(self.0.id()).unwrap()
    }

    /// Ends it; what it said on stderr, and how it ended.
    fn end(mut self) -> (String, bool) {
        drop(self.0.stdin.take());
        let mut text = String::new();
        self.0.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        (text, self.0.wait().unwrap().success())
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
        remove_attach_files(self.0.id());
    }
}

#[test]
fn an_agent_is_loaded_as_often_as_wanted() {
    let Some(agent) = agent() else { return };
    for jdk in jdk::main_and_25("attach") {
        let jvm = Waiting::start(jdk, &[]);
        let target = jvm.target();
        assert_eq!(target.java_version(), Some(jdk.version));
        assert!(target.perf_data().is_some_and(|perf| perf.command() == Some("Wait")));
        load_agent(&target, &agent, "0,a=b;c").unwrap();
        load_agent(&target, &agent, "0,again").unwrap();
        match load_agent(&target, &agent, "7,no") {
            Err(AttachError::Agent { code: 7, .. }) => {}
            other => panic!("{other:?}"),
        }
        let missing = load_agent(&target, Path::new("/no/such/agent.so"), "");
        assert!(
            matches!(&missing, Err(AttachError::NotLoaded { text, .. }) if text.contains("/no/such/agent.so")),
            "{missing:?}"
        );
        assert!(!target.mapped_files("agent", ".so").iter().any(|path| path.starts_with("/no")));
        assert_eq!(jvm.target().mapped_files("agent", ".so"), [agent.canonicalize().unwrap()]);
        // Its own alone: JVMs of other tests run in the same directory and may just be attached to.
        let pid = target.pid();
        assert!(!fs::exists(format!("/proc/{pid}/cwd/.attach_pid{pid}")).unwrap());
        let (stderr, fine) = jvm.end();
        assert!(
            fine && stderr.contains("agent 0,a=b;c\n") && stderr.contains("agent 0,again\n"),
            "{stderr}"
        );
    }
}

/// All JVMs print their threads when asked, and nothing else happens to them.
#[test]
fn stacks_are_sampled_without_an_agent() {
    std::thread::scope(|scope| {
        for jdk in jdk::all("sampled stacks") {
            scope.spawn(move || {
                let jvm = Waiting::start(jdk, &[]);
                let stacks = sample(&jvm.target()).unwrap();
                assert!(stacks.dumps() > 1, "{jdk}");
                let proposal = stacks.proposal();
                // The first samples may find it on its way to where it waits.
                let most = (stacks.dumps() as usize / 10).max(1);
                assert!(proposal.stacks <= most, "{jdk}: it waits, and {proposal:?}");
                let (stderr, fine) = jvm.end();
                assert!(fine && stderr.is_empty(), "{jdk}: {stderr}");
            });
        }
    });
}

#[test]
fn sampling_ends_with_the_jvm() {
    let mut jvm = Waiting::start(jdk::main(), &[]);
    let target = jvm.target();
    jvm.0.kill().unwrap();
    jvm.0.wait().unwrap();
    let error = sample(&target).map(|stacks| stacks.dumps()).unwrap_err();
    assert!(error.to_string().contains(&target.pid().to_string()), "{error}");
}

#[test]
fn jvms_that_let_nobody_in_say_why() {
    let Some(agent) = agent() else { return };
    let jdk = jdk::main();
    let disabled = Waiting::start(jdk, &["-XX:+DisableAttachMechanism"]);
    let error = load_agent(&disabled.target(), &agent, "0").unwrap_err();
    assert!(matches!(error, AttachError::Disabled(_)), "{error}");
    assert!(error.to_string().contains("jfathom record --root"), "{error}");
    let (stderr, fine) = disabled.end();
    assert!(fine && stderr.is_empty(), "it was sent nothing: {stderr}");

    let without_figures = Waiting::start(jdk, &["-XX:-UsePerfData", "-XX:+DisableAttachMechanism"]);
    assert!(without_figures.target().perf_data().is_none());
    assert!(matches!(
        load_agent(&without_figures.target(), &agent, "0"),
        Err(AttachError::Disabled(_))
    ));

    let no_agents = Waiting::start(jdk, &["-XX:-EnableDynamicAgentLoading"]);
    let error = load_agent(&no_agents.target(), &agent, "0").unwrap_err();
    assert!(matches!(error, AttachError::NoDynamicAgents(_)), "{error}");
    assert!(no_agents.end().1);
}

/// -Xrs makes SIGQUIT deadly; such a JVM opens its socket by itself.
#[test]
fn a_jvm_that_handles_no_signal_is_not_sent_one() {
    let Some(agent) = agent() else { return };
    let jvm = Waiting::start(jdk::main(), &["-Xrs"]);
    let result = load_agent(&jvm.target(), &agent, "0");
    assert!(matches!(result, Ok(()) | Err(AttachError::NoSignal(_))), "{result:?}");
    assert!(jvm.end().1, "it lives");
}

/// A JVM in name spaces of its own: other pids, other files under /tmp.
#[test]
fn a_jvm_in_a_container() {
    let Some(agent) = agent() else { return };
    let works = |command: &mut Command| {
        command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    let script = "mount -t tmpfs tmpfs /tmp && mount -t tmpfs tmpfs /dev/shm && exec \"$@\"";
    let unshare = || {
        let mut command = Command::new("unshare");
        command.args(["--mount", "--pid", "--fork", "--mount-proc", "sh", "-c", script, "sh"]);
        command
    };
    if !works(unshare().arg("true")) {
        eprintln!("the test of containers is skipped: this user cannot make name spaces");
        return;
    }
    // Its classes must lie where the container sees them too.
    let shared = tempfile::Builder::new().prefix("jfathom-attach-").tempdir_in("/var/tmp").unwrap();
    fs::copy(folder().join("Wait.class"), shared.path().join("Wait.class")).unwrap();
    let mut command = unshare();
    command.arg(jdk::main().java()).arg("-cp").arg(shared.path()).arg("Wait");
    let jvm = Waiting::of(command);
    let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", jvm.0.id())).unwrap();
    let pid: u32 = children.split_whitespace().next().unwrap().parse().unwrap();
    let target = JvmProcess::find(pid).unwrap();
    let library = visible_library(&target, &agent).unwrap();
    let path = library.path().to_owned();
    assert_ne!(path, agent);
    load_agent(&target, &path, "0,inside").unwrap();
    assert!(fs::exists(target.root(&path)).unwrap());
    drop(library);
    assert!(!fs::exists(target.root(path.parent().unwrap())).unwrap(), "the copy is gone");
    // The JVM has the first library still, and takes this one for the same.
    let again = visible_library(&target, &agent).unwrap();
    assert_eq!(again.path(), path);
    load_agent(&target, &path, "0,again").unwrap();
    let maps = JvmProcess::find(pid).unwrap().mapped_files("agent", "");
    assert_eq!(maps.len(), 1, "{maps:?}");
    drop(again);
    let (stderr, fine) = jvm.end();
    assert!(
        fine && stderr.contains("agent 0,inside\n") && stderr.contains("agent 0,again\n"),
        "{stderr}"
    );
}
