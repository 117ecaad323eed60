//! What waits for a server.

use super::{
    Place,
    server::{Server, answer},
};
use std::{
    fs::{self, File},
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    sync::atomic::{AtomicU16, Ordering},
};

/// A port that nobody listens at, and that no connection is given (`ip_local_port_range` begins
/// above).
fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = 20_000 + (std::process::id() % 10_000) as u16;
    loop {
        let port = first + NEXT.fetch_add(1, Ordering::Relaxed);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// An address of it.
fn nobody() -> String {
    format!("http://127.0.0.1:{}", free_port())
}

#[test]
fn what_was_not_taken_waits_and_is_sent_first() {
    let place = Place::new();
    let port = free_port();
    let url = format!("http://127.0.0.1:{port}");
    let words = ["--label", "n=1"];
    let (is_whole, said) = place.push(["otlp", &url], &words).unwrap();
    assert!(!is_whole && said.contains("it waits in"), "{said}");
    let waiting = place.spooled();
    assert_eq!(waiting.len(), 1);
    let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&place.path("spool")), mode(&waiting[0])), (0o700, 0o600));

    // Another server gets nothing of it.
    let other = Server::start(vec![answer("200 OK")]);
    assert!(place.push(["otlp", &other.url()], &["--label", "n=2"]).unwrap().0);
    assert_eq!(other.requests().len(), 1);
    assert_eq!(place.spooled(), waiting);

    let server = Server::start_at(port, vec![answer("200 OK"), answer("200 OK")]);
    let (is_whole, said) = place.push(["otlp", &url], &["--label", "n=3"]).unwrap();
    assert!(is_whole && said.contains("1 that waited"), "{said}");
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert_ne!(requests[0].body, requests[1].body);
    assert!(place.spooled().is_empty());
}

#[test]
fn what_waits_can_be_sent_alone() {
    let place = Place::new();
    let port = free_port();
    let url = format!("http://127.0.0.1:{port}");
    place.push(["pyroscope", &url], &[]).unwrap();
    let (is_whole, _) = place.run(&["--spooled"], ["pyroscope", &url]).unwrap();
    assert!(!is_whole);
    assert_eq!(place.spooled().len(), 1);
    let server = Server::start_at(port, vec![answer("200 OK")]);
    let (is_whole, said) = place.run(&["--spooled"], ["pyroscope", &url]).unwrap();
    assert!(is_whole, "{said}");
    assert!(server.requests()[0].target.starts_with("/ingest?name=Main"));
    assert!(place.spooled().is_empty());
}

#[test]
fn nothing_is_thrown_away_for_a_new_one() {
    let place = Place::new();
    let url = nobody();
    let to = ["otlp", &url];
    place.push(to, &[]).unwrap();
    let (is_whole, said) = place.push(to, &["--spool-limit", "0"]).unwrap();
    assert!(!is_whole && said.contains("nothing is thrown away"), "{said}");
    assert_eq!(place.spooled().len(), 1);
    let (is_whole, said) = place.run(&[&*place.text("a.jfp"), "--no-spool"], to).unwrap();
    assert!(!is_whole && said.contains("not sent") && !said.contains("waits"), "{said}");
    assert_eq!(place.spooled().len(), 1);
}

#[test]
fn what_waits_is_sent_for_its_own_account_only() {
    let place = Place::new();
    let port = free_port();
    let url = format!("http://127.0.0.1:{port}");
    place.push(["otlp", &url], &["--tenant", "a"]).unwrap();
    let server = Server::start_at(port, vec![answer("200 OK")]);
    assert!(place.push(["otlp", &url], &["--tenant", "b"]).unwrap().0);
    assert_eq!(server.requests()[0].headers["x-scope-orgid"], "b");
    assert_eq!(place.spooled().len(), 1);
    let server = Server::start_at(port, vec![answer("200 OK")]);
    assert!(place.run(&["--spooled", "--tenant", "a"], ["otlp", &url]).unwrap().0);
    assert_eq!(server.requests()[0].headers["x-scope-orgid"], "a");
    assert!(place.spooled().is_empty());
}

#[test]
fn a_damaged_packet_is_named_and_stays() {
    let place = Place::new();
    let port = free_port();
    let url = format!("http://127.0.0.1:{port}");
    place.push(["otlp", &url], &[]).unwrap();
    fs::write(place.path("spool/00000000000000-x.push"), "jfathom-push 1\nhttp").unwrap();
    let server = Server::start_at(port, vec![answer("200 OK")]);
    let (is_whole, said) = place.run(&["--spooled"], ["otlp", &url]).unwrap();
    assert!(!is_whole && said.contains("no packet"), "{said}");
    assert_eq!(server.requests().len(), 1);
    assert_eq!(place.spooled().len(), 1);
}

#[test]
fn a_spool_that_others_can_write_to_is_none() {
    let place = Place::new();
    fs::create_dir(place.path("spool")).unwrap();
    for mode in [0o777, 0o755, 0o710] {
        fs::set_permissions(place.path("spool"), fs::Permissions::from_mode(mode)).unwrap();
        let error = place.push(["otlp", &nobody()], &[]).unwrap_err();
        assert!(error.contains("cannot be a spool"), "{error}");
    }
}

#[test]
fn what_is_refused_is_set_aside() {
    let place = Place::new();
    let port = free_port();
    let url = format!("http://127.0.0.1:{port}");
    place.push(["otlp", &url], &[]).unwrap();
    let server = Server::start_at(port, vec![answer("400 Bad Request")]);
    let (is_whole, said) = place.run(&["--spooled"], ["otlp", &url]).unwrap();
    assert!(!is_whole && said.contains(".refused"), "{said}");
    server.requests();
    // It is not sent again.
    assert!(place.run(&["--spooled"], ["otlp", &url]).unwrap().0);
    assert!(place.spooled().is_empty());
}

#[test]
fn two_processes_do_not_send_the_same() {
    let place = Place::new();
    let url = nobody();
    place.push(["otlp", &url], &[]).unwrap();
    let lock = File::open(place.path("spool/sending.lock")).unwrap();
    lock.lock().unwrap();
    let (is_whole, said) = place.run(&["--spooled"], ["otlp", &url]).unwrap();
    assert!(!is_whole && said.contains("another push"), "{said}");
    assert_eq!(place.spooled().len(), 1);
}
