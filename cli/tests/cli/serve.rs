//! `serve`: the page from a server.

use super::{live::ticker, support::*};
use jfathom_testkit::small_profile;
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

/// `jfathom serve`, running. Ended when dropped.
pub struct Served {
    child: Child,
    host: String,
    token: String,
}

impl Served {
    pub fn start(place: &Place, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jfathom"));
        command.arg("serve").args(arguments).current_dir(place.path(""));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let place = address.trim_end().strip_prefix("http://").unwrap();
        let (host, token) = place.split_once("/?token=").unwrap();
        Self { host: host.to_owned(), token: token.to_owned(), child }
    }

    /// Head and body of what is at a path.
    pub fn get(&self, path: &str, headers: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {}\r\n{headers}\r\n", self.host).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
        let body = answer.split_off(end + 4);
        (String::from_utf8(answer).unwrap(), body)
    }

    /// The same with the cookie of the printed address.
    pub fn show(&self, path: &str, headers: &str) -> (String, Vec<u8>) {
        let (answer, _) = self.get(&format!("/?token={}", self.token), "");
        let (_, rest) = answer.split_once("Set-Cookie: ").unwrap();
        let cookie = rest.split_once(';').unwrap().0;
        self.get(path, &format!("Cookie: {cookie}\r\n{headers}"))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_page_of_a_file_is_served_to_who_has_the_token() {
    let place = Place::new();
    let mut bytes = Vec::new();
    small_profile::calibrated().write(&mut bytes).unwrap();
    place.write("p.jfp", &bytes);
    place.jfathom(&["report", "-o", "p.html", "p.jfp"]).fine();
    let served = Served::start(&place, &["p.jfp"]);
    let (head, body) = served.get("/", "");
    assert!(head.starts_with("HTTP/1.1 403 ") && !body.starts_with(b"<!DOCTYPE"), "{head}");
    let (head, page) = served.show("/", "");
    assert!(head.starts_with("HTTP/1.1 200 ") && page == place.read("p.html"), "{head}");
    // What the file says of itself, the header says, too.
    let page = String::from_utf8(page).unwrap();
    let (_, policy) = head.split_once("Content-Security-Policy: ").unwrap();
    let policy = policy.split_once("; frame-ancestors 'none'\r\n").unwrap().0;
    assert!(page.contains(&format!("content=\"{policy}\"")), "{policy}");
    assert!(served.show("/data", "").0.starts_with("HTTP/1.1 404 "));

    let port = served.host.rsplit(':').next().unwrap();
    place.jfathom(&["serve", "--port", port, "p.jfp"]).refused(1, &[port, "is in use"]);
    place.jfathom(&["serve", "none.jfp"]).refused(1, &["none.jfp"]);
    place.jfathom(&["serve", "--filter=thread=none", "p.jfp"]).refused(2, &["no thread"]);
}

/// The value of a header.
fn header<'a>(head: &'a str, name: &str) -> &'a str {
    let line = head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    line.unwrap_or_else(|| panic!("no {name}: {head}"))
}

#[test]
fn a_recording_is_followed_until_it_ends() {
    let place = Place::new();
    let mut ticker = ticker(&place);
    let pid = ticker.pid();
    place.jfathom(&["serve", "--live", &pid]).refused(1, &["is not being recorded"]);
    place.jfathom(&["serve", "--live", "nowhere"]).refused(1, &["nowhere"]);
    let mut recorder = ticker.record(&place, "t.jfp");
    let served = Served::start(&place, &["--live", &pid]);
    let (head, page) = served.show("/", "");
    assert!(String::from_utf8(page).unwrap().contains("<html lang=\"en\" data-live=\"true\">"));
    assert!(header(&head, "Content-Security-Policy").contains("; connect-src 'self'"), "{head}");
    assert!(served.get("/data", "").0.starts_with("HTTP/1.1 403 "));

    let mut next = |known: &str| loop {
        ticker.tick();
        let (head, data) = served.show("/data", known);
        match header(&head, "Jfathom-State") {
            "recording" if head.starts_with("HTTP/1.1 200 ") => break (head, data),
            "recording" => assert!(head.starts_with("HTTP/1.1 304 "), "{head}"),
            "waiting" => assert!(head.starts_with("HTTP/1.1 204 "), "{head}"),
            _ => panic!("{head}"),
        }
        thread::sleep(Duration::from_millis(50));
    };
    let (head, first) = next("");
    let (head, newer) = next(&format!("If-None-Match: {}\r\n", header(&head, "ETag")));
    assert_ne!(first, newer, "{head}");

    place.jfathom(&["stop", &pid]).fine();
    assert!(recorder.wait().unwrap().success());
    let (head, last) = loop {
        let (head, last) = served.show("/data", "");
        if header(&head, "Jfathom-State") == "ended" {
            break (head, last);
        }
        thread::sleep(Duration::from_millis(50));
    };
    assert!(head.starts_with("HTTP/1.1 200 ") && !last.is_empty(), "{head}");
    assert!(header(&head, "Jfathom-Says").ends_with("/t.jfp"), "{head}");
}

#[test]
fn a_collector_that_was_killed_does_not_go_on() {
    let place = Place::new();
    let mut ticker = ticker(&place);
    let mut recorder = ticker.record(&place, "t.jfp");
    let served = Served::start(&place, &["--live", &ticker.pid()]);
    let mut until = |state: &str| loop {
        ticker.tick();
        let (head, _) = served.show("/data", "");
        if header(&head, "Jfathom-State") == state {
            break head;
        }
        thread::sleep(Duration::from_millis(50));
    };
    until("recording");
    recorder.kill().unwrap();
    recorder.wait().unwrap();
    let head = until("stuck");
    let (why, dir) = header(&head, "Jfathom-Says").rsplit_once(' ').unwrap();
    assert!(why.contains("ended without a profile"), "{head}");
    place.jfathom(&["report", dir]).fine().says(&["Ticker::tick"]);
    std::fs::remove_dir_all(dir).unwrap();
}
