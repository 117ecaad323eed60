//! A server that gives the answers of a script and keeps what it was sent.

use rustls::{ServerConnection, StreamOwned};
use std::{
    collections::BTreeMap,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::Arc,
    thread::{self, JoinHandle},
};

/// A request.
#[derive(Debug)]
pub struct Request {
    /// Path and query.
    pub target: String,
    /// By name in lower case.
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

/// A server that ends after its last answer.
pub struct Server {
    address: String,
    thread: JoinHandle<Vec<Request>>,
}

/// An answer: status line, more header lines, body.
pub struct Answer(pub &'static str, pub String, pub Vec<u8>);

pub fn answer(status: &'static str) -> Answer {
    Answer(status, String::new(), Vec::new())
}

impl Server {
    /// A server of plain HTTP.
    pub fn start(answers: Vec<Answer>) -> Self {
        Self::with(TcpListener::bind("127.0.0.1:0").unwrap(), answers, |stream| Box::new(stream))
    }

    /// The same at a certain port.
    pub fn start_at(port: u16, answers: Vec<Answer>) -> Self {
        Self::with(TcpListener::bind(("127.0.0.1", port)).unwrap(), answers, |stream| {
            Box::new(stream)
        })
    }

    /// A server of HTTPS.
    pub fn start_tls(config: Arc<rustls::ServerConfig>, answers: Vec<Answer>) -> Self {
        Self::with(TcpListener::bind("127.0.0.1:0").unwrap(), answers, move |stream| {
            Box::new(StreamOwned::new(ServerConnection::new(config.clone()).unwrap(), stream))
        })
    }

    fn with(
        listener: TcpListener,
        answers: Vec<Answer>,
        over: impl Fn(TcpStream) -> Box<dyn ReadWrite> + Send + 'static,
    ) -> Self {
        let address = listener.local_addr().unwrap().to_string();
        let thread = thread::spawn(move || {
            let mut requests = Vec::new();
            for Answer(status, headers, body) in answers {
                let (stream, _) = listener.accept().unwrap();
                let mut stream = over(stream);
                // A client that does not trust us says nothing.
                let Some(request) = read(&mut stream) else { continue };
                requests.push(request);
                let head = format!(
                    "HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all(head.as_bytes());
                let _ = stream.write_all(&body);
                let _ = stream.flush();
            }
            requests
        });
        Self { address, thread }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn port(&self) -> u16 {
        self.address.rsplit(':').next().unwrap().parse().unwrap()
    }

    /// What was sent, after the last answer.
    pub fn requests(self) -> Vec<Request> {
        self.thread.join().unwrap()
    }
}

pub trait ReadWrite: Read + Write {}

impl<T: Read + Write> ReadWrite for T {}

fn read(stream: &mut dyn ReadWrite) -> Option<Request> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let mut lines = head.lines();
    let target = lines.next().unwrap().split(' ').nth(1).unwrap().to_owned();
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
        .collect();
    if headers.contains_key("expect") {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").ok()?;
    }
    let mut body = vec![0; headers.get("content-length").map_or(0, |of| of.parse().unwrap())];
    stream.read_exact(&mut body).unwrap();
    Some(Request { target, headers, body })
}
