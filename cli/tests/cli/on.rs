//! `record --on`: recordings on another machine, which is this one behind an sshd of the test.

use super::support::*;
use std::{
    fs,
    io::{BufRead, BufReader},
    net::{TcpListener, TcpStream},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Child, ChildStderr, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

const SSHD: &str = "/usr/sbin/sshd";
const JFATHOM: &str = env!("CARGO_BIN_EXE_jfathom");

/// An sshd on loopback, with keys of its own. Ended when dropped.
struct Server {
    child: Child,
    port: u16,
    /// What `JFATHOM_SSH` names.
    ssh: String,
}

impl Server {
    /// Starts one whose sessions find the programs of `there/bin` first, and make their temporary
    /// files in `there/tmp`. None where there is no sshd.
    fn start(place: &Place) -> Option<Self> {
        if !Path::new(SSHD).is_file() {
            eprintln!("on: skipped, there is no {SSHD} (Debian: openssh-server)");
            return None;
        }
        if rustix::process::geteuid().is_root() && fs::create_dir_all("/run/sshd").is_err() {
            eprintln!("on: skipped, {SSHD} needs the folder /run/sshd");
            return None;
        }
        for folder in ["there/bin", "there/tmp"] {
            fs::create_dir_all(place.path(folder)).unwrap();
        }
        for key in ["host", "user", "stranger"] {
            let mut keygen = Command::new("ssh-keygen");
            keygen.args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(place.path(key));
            assert!(keygen.status().unwrap().success());
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let known = |key: &str| {
            let key = String::from_utf8(place.read(&format!("{key}.pub"))).unwrap();
            format!("[127.0.0.1]:{port} {key}")
        };
        place.write("known", known("host").as_bytes());
        place.write("unknown", known("stranger").as_bytes());
        place.write("sshd_config", Self::config(place, port).as_bytes());
        let config = place.path("sshd_config");
        let mut child = Command::new(SSHD);
        child.args(["-D", "-f"]).arg(config).stdin(Stdio::null()).stderr(Stdio::null());
        let child = child.spawn().unwrap();
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20), "sshd does not answer");
            thread::sleep(Duration::from_millis(20));
        }
        let ssh = Self::ssh(place, "known");
        Some(Self { child, port, ssh })
    }

    fn config(place: &Place, port: u16) -> String {
        let at = |name: &str| place.path(name).display().to_string();
        format!(
            "ListenAddress 127.0.0.1:{port}\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\n\
             StrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\n\
             SetEnv PATH={}:/usr/bin:/bin TMPDIR={} XDG_CACHE_HOME={} JAVA_HOME={}\n",
            at("host"),
            at("user.pub"),
            at("there/bin"),
            at("there/tmp"),
            env!("CARGO_TARGET_TMPDIR"),
            java_home().display(),
        )
    }

    /// A client that believes the host keys of this file.
    fn ssh(place: &Place, known: &str) -> String {
        format!(
            "ssh -F none -i {} -o UserKnownHostsFile={} -o IdentitiesOnly=yes -o BatchMode=yes",
            place.path("user").display(),
            place.path(known).display()
        )
    }

    fn address(&self) -> String {
        format!("ssh://127.0.0.1:{}", self.port)
    }

    fn record(&self, place: &Place, arguments: &[&str]) -> Answer {
        let first = ["record", "--on", &self.address()];
        place.jfathom_by_ssh(&self.ssh, &[&first, arguments].concat())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A program that the sessions find.
fn install(place: &Place, name: &str, script: &str) {
    let below = format!("there/bin/{name}");
    place.write(&below, script.as_bytes());
    fs::set_permissions(place.path(&below), fs::Permissions::from_mode(0o755)).unwrap();
}

/// This jfathom on the `PATH` of the sessions.
fn install_jfathom(place: &Place) {
    std::os::unix::fs::symlink(JFATHOM, place.path("there/bin/jfathom")).unwrap();
}

fn java() -> String {
    java_home().join("bin/java").display().to_string()
}

/// Holds that no folder of a recording is left there.
#[track_caller]
fn is_tidy(place: &Place) {
    let left = fs::read_dir(place.path("there/tmp")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    let left: Vec<_> =
        left.iter().filter(|name| name.to_string_lossy().starts_with("jfathom-record.")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn nasty_arguments_arrive_and_the_profile_comes_back() {
    let place = Place::new();
    let Some(server) = Server::start(&place) else { return };
    install_jfathom(&place);
    let jar = place.path("app.jar").display().to_string();
    let (output, label) = ("it's \"p\" $1.jfp", "k=-it's  a $HOME `id` \\'!*");
    let words = ["-o", "a'b'", " $HOME\n", "", "*", "\\", "`id`;&|<>"];
    let script = "printf '[%s]' \"$@\"; \"$0\" -jar \"$JAR\"; exit 7".replace("$JAR", &jar);
    let options = ["--root", "acme.Engine::run", "--use-java-tool-options", "--label", label];
    let command = ["--", "sh", "-c", &script, &java()];
    let answer = server.record(&place, &[&["-o", output], &options[..], &command, &words].concat());
    assert_eq!(answer.code, 7, "{}{}", answer.out, answer.err);
    let expected: String = words.iter().map(|word| format!("[{word}]")).collect();
    assert_eq!(answer.out, format!("{expected}{PRINTS}"));
    // The summary of the other machine has the name of the file here, for this shell.
    let hint = r#"`jfathom report 'it'\''s "p" $1.jfp'`"#;
    assert!(answer.err.contains(hint), "{}", answer.err);
    assert!(!answer.err.contains("copying"), "{}", answer.err);
    let report = place.jfathom(&["report", "--json", output]).fine().out;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert!(report["methods"].as_array().unwrap().len() >= 3, "{report}");
    is_tidy(&place);

    // The rules for a file that is there are those of every recording.
    let first = place.read(output);
    let words =
        [&["-qo", output, "--root", "acme.Engine::run", "--"][..], &[&java(), "-jar", &jar]];
    assert_eq!(server.record(&place, &words.concat()).fine().err, "");
    assert!(place.read(&format!("{output}.old")) == first && place.read(output) != first);
}

#[test]
fn jfathom_is_copied_where_there_is_none() {
    let place = Place::new();
    let Some(server) = Server::start(&place) else { return };
    let jar = place.path("app.jar").display().to_string();
    let command = ["--root", "acme.Engine::run", "--", &java(), "-jar", &jar];
    let answer = server.record(&place, &command).fine();
    assert_eq!(answer.out, PRINTS);
    assert!(answer.err.contains("copying this program there"), "{}", answer.err);
    place.jfathom(&["report"]).fine().says(&["acme.Engine::step"]);
    is_tidy(&place);
    // A recording that fails there says so there, and leaves nothing either.
    let answer = server.record(&place, &["-o", "none.jfp", "--", "true"]);
    answer.refused(1, &["no JVM joined"]);
    assert!(!place.path("none.jfp").exists());
    is_tidy(&place);
}

#[test]
fn another_machine_gets_no_copy() {
    let place = Place::new();
    let Some(server) = Server::start(&place) else { return };
    install(&place, "uname", "#!/bin/sh\necho Plan9 mips\n");
    install(&place, "jfathom", "#!/bin/sh\necho jfathom 0.0.1\n");
    let answer = server.record(&place, &["--", "true"]);
    answer.refused(1, &["127.0.0.1 is Plan9 mips and this machine Linux", "install jfathom "]);
    is_tidy(&place);
}

#[test]
fn what_is_no_whole_profile_is_refused() {
    let place = Place::new();
    let Some(server) = Server::start(&place) else { return };
    let version = place.jfathom(&["--version"]).fine().out;
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && echo '{}' && exit\n\
         for word; do case $word in --output=*) echo text >\"${{word#*=}}\"; esac; done\n",
        version.trim_end()
    );
    install(&place, "jfathom", &script);
    let answer = server.record(&place, &["-o", "p.jfp", "--", "true"]);
    answer.refused(1, &["no whole profile", "not a jfathom profile", "stays on"]);
    assert!(!place.path("p.jfp").exists());
    let folders = fs::read_dir(place.path("there/tmp")).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(folders.filter(|folder| folder.join("profile.jfp").exists()).count(), 1);
}

#[test]
fn a_host_that_is_not_known_is_refused() {
    let place = Place::new();
    let Some(server) = Server::start(&place) else { return };
    let ssh = Server::ssh(&place, "unknown");
    let answer = place.jfathom_by_ssh(&ssh, &["record", "--on", &server.address(), "--", "true"]);
    answer.refused(1, &["Host key verification failed", "no connection to 127.0.0.1"]);
    is_tidy(&place);
}

#[test]
fn what_is_refused_before_anything_runs() {
    let place = Place::new();
    // Would leave a file if it ran.
    let record = |words: &[&str]| {
        let answer = place.jfathom_by_ssh("touch ran", &[&["record"], words].concat());
        assert!(!place.path("ran").exists(), "{}", answer.err);
        answer
    };
    for address in ["ssh://-oProxyCommand=touch", "ssh://me@-v", "ssh://-v@host"] {
        record(&["--on", address, "--", "true"]).refused(2, &["--on", "an option of ssh"]);
    }
    record(&["--on", "host", "--", "true"]).refused(2, &["ssh://[user@]host[:port]"]);
    place.write("notes", b"precious");
    let refused = record(&["--on", "ssh://host", "-o", "notes", "--", "true"]);
    refused.refused(1, &["notes exists", "no profile of yours", "--force"]);
    assert_eq!(place.read("notes"), b"precious");
    record(&["--on", "ssh://host", "-o", "no/such/p.jfp", "--", "true"]).refused(1, &["no/such"]);
    record(&["--on", "ssh://host", "-o=p-%p.jfp", "--", "true"]).refused(2, &["--on", "%p"]);
    for option in ["--wait=0", "--sizes=1,2,3"] {
        record(&["--on", "ssh://host", option, "--", "true"])
            .refused(2, &["--on", "cannot be used"]);
    }
    let long = "'".repeat(40_000);
    let answer =
        place.jfathom_by_ssh("no-such-ssh", &["record", "--on", "ssh://host", "--", &long]);
    answer.refused(1, &["`no-such-ssh` cannot be run", "JFATHOM_SSH"]);
}

/// A program that calls `Idler::tick` until it is ended.
const IDLER: &str = r#"
public class Idler {
    static int ticks;
    static void tick() { ticks++; }
    public static void main(String[] args) throws Exception {
        for (;;) { tick(); Thread.sleep(5); }
    }
}
"#;

/// A recording of the idler there, whose root is live.
fn record_idler(place: &Place, server: &Server) -> (Child, BufReader<ChildStderr>) {
    place.write("Idler.java", IDLER.as_bytes());
    place.compile("Idler.java", ".");
    let mut command = Command::new(JFATHOM);
    command.args(["record", "--on", &server.address(), "-o", "i.jfp", "--root", "Idler::tick"]);
    command.args(["--", &java(), "-cp"]).arg(place.path("")).arg("Idler");
    command.env("JFATHOM_SSH", &server.ssh);
    command.current_dir(place.path("")).stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("Idler::tick()V is live") {
        line.clear();
        assert_ne!(said.read_line(&mut line).unwrap(), 0, "it has ended");
    }
    thread::sleep(Duration::from_millis(300));
    (child, said)
}

fn send(pid: u32, signal: rustix::process::Signal) {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(pid, signal).unwrap();
}

#[test]
fn a_signal_ends_what_has_not_begun() {
    let place = Place::new();
    place.write("ssh", b"#!/bin/sh\n: >began\nexec sleep 100\n");
    fs::set_permissions(place.path("ssh"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(JFATHOM);
    command.args(["record", "--on", "ssh://host", "--", "true"]).current_dir(place.path(""));
    command.env("JFATHOM_SSH", "./ssh").stdin(Stdio::null()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    while !place.path("began").exists() {
        thread::sleep(Duration::from_millis(10));
    }
    send(child.id(), rustix::process::Signal::INT);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(output.stderr, b"jfathom: the connection to host was ended\n");
}

#[test]
fn a_signal_ends_the_recording_there() {
    let place = Place::new();
    let Some(server) = Server::start(&place) else { return };
    install_jfathom(&place);
    for (signal, code) in
        [(rustix::process::Signal::INT, 130), (rustix::process::Signal::TERM, 143)]
    {
        let (mut child, _said) = record_idler(&place, &server);
        send(child.id(), signal);
        assert_eq!(child.wait().unwrap().code(), Some(code));
        place.jfathom(&["report", "i.jfp"]).fine().says(&["Idler::tick"]);
        is_tidy(&place);
    }
}

#[test]
fn a_lost_connection_ends_the_recording_and_the_profile_is_fetched() {
    let place = Place::new();
    let Some(server) = Server::start(&place) else { return };
    install_jfathom(&place);
    let (mut child, _said) = record_idler(&place, &server);
    let pid = child.id();
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap();
    send(children.trim().parse().unwrap(), rustix::process::Signal::KILL);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    place.jfathom(&["report", "i.jfp"]).fine().says(&["Idler::tick"]);
    is_tidy(&place);
}
