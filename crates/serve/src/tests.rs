//! The server through real connections.

use crate::{Content, ContentKind, Server, Site, Token};
use std::{
    io::{Read, Write},
    net::{Shutdown, TcpStream},
    sync::Arc,
    thread,
    time::Duration,
};

const POLICY: &str = "default-src 'none'";

/// A page and data, and nothing else.
struct Small;

impl Site for Small {
    fn policy(&self) -> &str {
        POLICY
    }

    fn get(&self, path: &str) -> Option<Content> {
        let (kind, text, tag) = match path {
            "/" => (ContentKind::Html, "<p>page", None),
            "/data" => (ContentKind::Bytes, "numbers", Some("7".to_owned())),
            "/none" => (ContentKind::Bytes, "", None),
            _ => return None,
        };
        let headers = vec![("Jfathom-State", "a\r\nb".to_owned())];
        Some(Content { kind, bytes: Arc::new(text.into()), tag, headers })
    }
}

/// A server that runs until the tests end.
struct Running {
    port: u16,
    token: String,
}

impl Running {
    fn start() -> Self {
        // No client is too slow, however slow this machine is.
        Self::with_patience(Duration::from_secs(300))
    }

    fn with_patience(patience: Duration) -> Self {
        let mut server = Server::bind(0, Token::random().unwrap()).unwrap();
        server.patience = patience;
        let address = server.address();
        let (place, token) = address.split_once("/?token=").unwrap();
        let port = place.strip_prefix("http://127.0.0.1:").unwrap().parse().unwrap();
        let token = token.to_owned();
        thread::spawn(move || server.run(&Small));
        Self { port, token }
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).unwrap()
    }

    /// The answer to these bytes.
    fn send(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        stream.write_all(bytes).unwrap();
        rest(&mut stream)
    }

    /// The answer to a request line with these headers besides `Host`.
    fn ask(&self, line: &str, headers: &[&str]) -> String {
        let mut all = vec![format!("Host: 127.0.0.1:{}", self.port)];
        all.extend(headers.iter().map(|header| (*header).to_owned()));
        self.send(format!("{line} HTTP/1.1\r\n{}\r\n\r\n", all.join("\r\n")).as_bytes())
    }

    fn cookie(&self) -> String {
        format!("Cookie: other=1; jfathom_{}={}", self.port, self.token)
    }

    fn get(&self, path: &str) -> String {
        self.ask(&format!("GET {path}"), &[&self.cookie()])
    }
}

fn rest(stream: &mut TcpStream) -> String {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn code(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or(answer)
}

#[test]
fn the_printed_address_leads_to_the_page_by_a_cookie() {
    let server = Running::start();
    let answer = server.ask(&format!("GET /?token={}", server.token), &[]);
    assert_eq!(code(&answer), "303", "{answer}");
    assert!(answer.contains("\r\nLocation: /\r\n"), "{answer}");
    let cookie = format!(
        "\r\nSet-Cookie: jfathom_{}={}; Path=/; HttpOnly; SameSite=Strict\r\n",
        server.port, server.token
    );
    assert!(answer.contains(&cookie), "{answer}");
    let page = server.get("/");
    assert!(code(&page) == "200" && page.ends_with("\r\n\r\n<p>page"), "{page}");
    for header in [
        "Content-Security-Policy: default-src 'none'",
        "Content-Type: text/html; charset=utf-8",
        "Referrer-Policy: no-referrer",
        "X-Content-Type-Options: nosniff",
        "Cache-Control: no-store",
        "Cross-Origin-Opener-Policy: same-origin",
        "Connection: close",
        "Jfathom-State: a%0D%0Ab",
    ] {
        assert!(page.contains(&format!("\r\n{header}\r\n")), "{header}: {page}");
    }
}

#[test]
fn nothing_is_shown_without_the_token() {
    let server = Running::start();
    let other = Token::random().unwrap();
    let wrong = format!("Cookie: jfathom_{}={}", server.port, other.digits());
    let elsewhere = format!("Cookie: jfathom_1={}", server.token);
    let short = format!("Cookie: jfathom_{}={}", server.port, &server.token[..31]);
    for cookies in [&[][..], &[&*wrong], &[&*elsewhere], &[&*short], &["Cookie: ="]] {
        for path in ["/", "/data", "/nowhere", "/?tok=1"] {
            let answer = server.ask(&format!("GET {path}"), cookies);
            assert!(code(&answer) == "403" && !answer.contains("Set-Cookie"), "{path}: {answer}");
        }
    }
    // A wrong token is not healed by a cookie, and a right one opens only `/`.
    for target in [format!("/?token={}", other.digits()), format!("/data?token={}", server.token)] {
        assert_eq!(code(&server.ask(&format!("GET {target}"), &[&server.cookie()])), "403");
    }
}

#[test]
fn other_names_and_other_pages_are_refused() {
    let server = Running::start();
    let (port, cookie) = (server.port, server.cookie());
    let with_host =
        |host: &str| server.send(format!("GET / HTTP/1.1\r\n{host}{cookie}\r\n\r\n").as_bytes());
    for host in ["127.0.0.1", "localhost", "LOCALHOST"] {
        assert_eq!(code(&with_host(&format!("Host: {host}:{port}\r\n"))), "200");
    }
    for host in [
        String::new(),
        "Host: \r\n".to_owned(),
        "Host: 127.0.0.1\r\n".to_owned(),
        format!("Host: 127.0.0.1:{}\r\n", port ^ 1),
        format!("Host: evil.example:{port}\r\n"),
        format!("Host: 127.0.0.1.evil.example:{port}\r\n"),
        format!("Host: [::1]:{port}\r\n"),
    ] {
        assert_eq!(code(&with_host(&host)), "403", "{host}");
    }
    let with_origin = |origin: &str| server.ask("GET /data", &[&cookie, origin]);
    assert_eq!(code(&with_origin(&format!("Origin: http://127.0.0.1:{port}"))), "200");
    for origin in [
        "Origin: null".to_owned(),
        "Origin: http://evil.example".to_owned(),
        format!("Origin: https://127.0.0.1:{port}"),
        format!("Origin: http://localhost:{port}"),
        format!("Origin: http://127.0.0.1:{}", port ^ 1),
    ] {
        assert_eq!(code(&with_origin(&origin)), "403", "{origin}");
    }
}

#[test]
fn only_get_is_answered() {
    let server = Running::start();
    for method in ["POST", "PUT", "DELETE", "HEAD", "OPTIONS", "CONNECT"] {
        let answer = server.ask(&format!("{method} /"), &[&server.cookie()]);
        assert!(code(&answer) == "405" && answer.contains("\r\nAllow: GET\r\n"), "{answer}");
    }
}

#[test]
fn no_path_leads_out() {
    let server = Running::start();
    for path in [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/data/../../etc/passwd",
        "/data/",
        "/favicon.ico",
    ] {
        assert_eq!(code(&server.get(path)), "404", "{path}");
    }
}

#[test]
fn broken_and_overlong_requests_are_refused() {
    let server = Running::start();
    for bytes in [&b"\x16\x03\x01\0\r\n\r\n"[..], b"GET /\r\n\r\n", b"\r\n\r\n", b"a: b\r\n\r\n"] {
        assert_eq!(code(&server.send(bytes)), "400");
    }
    let padding = |length: usize| format!("X-Padding: {}", "x".repeat(length));
    assert_eq!(code(&server.ask("GET /", &[&server.cookie(), &padding(15 * 1024)])), "200");
    for length in [16 * 1024, 1024 * 1024] {
        assert_eq!(code(&server.ask("GET /", &[&server.cookie(), &padding(length)])), "431");
    }
    // A request that ends before its head gets nothing.
    let mut stream = server.connect();
    stream.write_all(b"GET / HTTP/1.1\r\n").unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    assert_eq!(rest(&mut stream), "");
}

#[test]
fn who_has_a_content_does_not_get_it_again() {
    let server = Running::start();
    let data = server.get("/data");
    assert!(code(&data) == "200" && data.contains("\r\nETag: \"7\"\r\n"), "{data}");
    let ask = |tag: &str| server.ask("GET /data", &[&server.cookie(), tag]);
    let same = ask("If-None-Match: \"7\"");
    assert!(code(&same) == "304" && same.ends_with("\r\n\r\n"), "{same}");
    assert!(same.contains("Jfathom-State"), "{same}");
    assert_eq!(code(&ask("If-None-Match: \"8\"")), "200");
    assert_eq!(code(&server.get("/none")), "204");
}

#[test]
fn slow_clients_hold_up_no_other_one_until_there_are_too_many() {
    let server = Running::start();
    let mut slow: Vec<TcpStream> = (0..15).map(|_| server.connect()).collect();
    for stream in &mut slow {
        stream.write_all(b"GET / HT").unwrap();
    }
    assert_eq!(code(&server.get("/")), "200");
    // Connections are accepted in their order. Some of these may take the place of the last answer.
    slow.extend((0..30).map(|_| server.connect()));
    assert_eq!(code(&rest(&mut server.connect())), "503");
    // A slow one that goes on is answered.
    let end = format!("TP/1.1\r\nHost: localhost:{}\r\n{}\r\n\r\n", server.port, server.cookie());
    slow[0].write_all(end.as_bytes()).unwrap();
    assert_eq!(code(&rest(&mut slow[0])), "200");
}

#[test]
fn who_is_too_slow_is_sent_away() {
    let server = Running::with_patience(Duration::from_millis(20));
    let mut slow = server.connect();
    slow.write_all(b"GET / HTTP/1.1\r\n").unwrap();
    assert_eq!(code(&rest(&mut slow)), "408");
}

#[test]
fn a_port_in_use_is_said_to_be() {
    let first = Running::start();
    let error = Server::bind(first.port, Token::random().unwrap()).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with(&format!("port {} is in use", first.port)), "{text}");
}
