//! Servers that are slow, wrong, somebody else, or not there; and secrets.

use super::{
    Place,
    server::{Answer, Server, answer},
};
use rustls::pki_types::PrivateKeyDer;
use std::{
    fs,
    net::TcpListener,
    os::unix::fs::symlink,
    sync::Arc,
    time::{Duration, Instant},
};

#[test]
fn a_server_that_cannot_take_it_now_is_tried_again() {
    let place = Place::new();
    let later = Answer("429 Too Many Requests", "Retry-After: 2\r\n".to_owned(), Vec::new());
    let server = Server::start(vec![later, answer("503 Service Unavailable"), answer("200 OK")]);
    let begun = Instant::now();
    let (is_whole, said) = place.push(["otlp", &server.url()], &["--retry-for", "30"]).unwrap();
    assert!(is_whole, "{said}");
    assert!(begun.elapsed() >= Duration::from_secs(2), "it has not waited as it was asked to");
    let requests = server.requests();
    assert_eq!(requests.len(), 3);
    assert!(requests.iter().all(|request| request.body == requests[0].body));
}

#[test]
fn a_server_that_refuses_is_not_tried_again() {
    let place = Place::new();
    for status in ["400 Bad Request", "401 Unauthorized", "404 Not Found", "413 Too Large"] {
        let server =
            Server::start(vec![Answer(status, String::new(), b"no \x1b[31mred\x07 text".to_vec())]);
        let to = ["pyroscope", &server.url()];
        let (is_whole, said) = place.push(to, &["--retry-for", "30"]).unwrap();
        assert!(!is_whole && said.contains(&status[..3]), "{said}");
        assert!(said.contains("red") && !said.contains('\x1b') && !said.contains('\x07'), "{said}");
        assert_eq!(server.requests().len(), 1);
        assert!(place.spooled().is_empty());
    }
}

#[test]
fn a_redirect_is_not_followed() {
    let place = Place::new();
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    other.set_nonblocking(true).unwrap();
    for status in ["302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let to = format!("Location: http://{}/ingest\r\n", other.local_addr().unwrap());
        let server = Server::start(vec![Answer(status, to, Vec::new())]);
        let (is_whole, said) = place.push(["pyroscope", &server.url()], &[]).unwrap();
        assert!(!is_whole && said.contains("name that URL yourself"), "{said}");
        server.requests();
        assert!(other.accept().is_err(), "the other host was asked");
    }
}

#[test]
fn secrets_are_in_the_header_and_nowhere_else() {
    let place = Place::new();
    fs::write(place.path("token"), "s3cret-7\n").unwrap();
    let token = place.text("token");
    for (user, expected) in [(None, "Bearer s3cret-7"), (Some("me"), "Basic bWU6czNjcmV0LTc=")] {
        let server = Server::start(vec![answer("200 OK")]);
        let mut words = vec!["--token-file", &token, "--tenant", "t1"];
        words.extend(user.iter().flat_map(|user| ["--user", user]));
        let (is_whole, said) = place.push(["otlp", &server.url()], &words).unwrap();
        assert!(is_whole && !said.contains("s3cret"), "{said}");
        let request = server.requests().remove(0);
        assert_eq!(request.headers["authorization"], expected);
        assert_eq!(request.headers["x-scope-orgid"], "t1");
    }
    // Secrets of containers are links.
    symlink(&token, place.path("link")).unwrap();
    let server = Server::start(vec![answer("503 Service Unavailable")]);
    let link = place.text("link");
    let (_, said) = place.push(["otlp", &server.url()], &["--token-file", &link]).unwrap();
    assert!(!said.contains("s3cret"));
    assert_eq!(server.requests()[0].headers["authorization"], "Bearer s3cret-7");
    // What waits has no secret.
    let waiting = fs::read(&place.spooled()[0]).unwrap();
    assert!(!waiting.windows(6).any(|at| at == b"s3cret"));
}

#[test]
fn secrets_do_not_leave_the_machine_unencrypted() {
    let place = Place::new();
    fs::write(place.path("token"), "s3cret").unwrap();
    let token = place.text("token");
    let error = place.push(["otlp", "http://198.51.100.7"], &["--token-file", &token]).unwrap_err();
    assert!(error.contains("https only"), "{error}");
}

#[test]
fn wrong_arguments_are_named() {
    let place = Place::new();
    for (to, expected) in [
        (["jaeger", "http://a"], "pyroscope or otlp"),
        (["otlp", "ftp://a"], "http:// or https://"),
        (["otlp", "http://me:pw@a"], "no user and no password"),
        (["otlp", "http://a/?token=7"], "ends with its path"),
        (["otlp", "a b"], "no URL"),
        (["otlp", "http://localhost:70000"], "no port"),
        (["otlp", "http://localhost:"], "no port"),
        (["otlp", "http://[::1]:x"], "no "),
    ] {
        let error = place.push(to, &[]).unwrap_err();
        assert!(error.contains(expected), "{to:?}: {error}");
    }
    let error = place.push(["otlp", "http://a"], &["--user", "me"]).unwrap_err();
    assert!(error.contains("has no token"), "{error}");
    fs::write(place.path("empty"), " \n").unwrap();
    let empty = place.text("empty");
    let error = place.push(["otlp", "http://a"], &["--token-file", &empty]).unwrap_err();
    assert!(error.contains("has no token"), "{error}");
}

#[test]
fn what_is_no_profile_is_named_and_the_others_are_sent() {
    let place = Place::new();
    fs::write(place.path("b.jfp"), "no profile").unwrap();
    let server = Server::start(vec![answer("200 OK")]);
    let files = [place.text("b.jfp"), place.text("a.jfp")];
    let (is_whole, said) = place.run(&[&*files[0], &files[1]], ["otlp", &server.url()]).unwrap();
    assert!(!is_whole && said.contains("b.jfp") && said.contains("a.jfp: sent"), "{said}");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn only_a_server_with_a_trusted_certificate_gets_anything() {
    let place = Place::new();
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    fs::write(place.path("ca.pem"), made.cert.pem()).unwrap();
    let key = PrivateKeyDer::Pkcs8(made.signing_key.serialize_der().into());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    let config = Arc::new(config);
    let start = || {
        let server = Server::start_tls(config.clone(), vec![answer("200 OK")]);
        let url = format!("https://localhost:{}", server.port());
        (server, url)
    };
    let (server, url) = start();
    let ca = place.text("ca.pem");
    let (is_whole, said) = place.push(["otlp", &url], &["--ca-file", &ca]).unwrap();
    assert!(is_whole, "{said}");
    assert_eq!(server.requests().len(), 1);
    let (server, url) = start();
    let (is_whole, said) = place.push(["otlp", &url], &["--retry-for", "30"]).unwrap();
    assert!(!is_whole && said.contains("--ca-file"), "{said}");
    assert!(server.requests().is_empty());
    let error = place.push(["otlp", &url], &["--ca-file", &place.text("a.jfp")]).unwrap_err();
    assert!(error.contains("certificate"), "{error}");
}
