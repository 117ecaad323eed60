//! The socket.

use crate::{
    answer::{Answer, Status},
    gate::Gate,
    request::Request,
    site::Site,
    token::Token,
};
use std::{
    io::{self, ErrorKind, Read},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

/// Bytes of a request's head.
const HEAD_MAX: usize = 16 * 1024;
/// Connections at once.
const CONNECTIONS_MAX: usize = 16;
/// How long a client has.
const PATIENCE: Duration = Duration::from_secs(5);
/// Pause after the system could not hand out a connection.
const PAUSE: Duration = Duration::from_millis(50);

/// A server that listens on 127.0.0.1.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    gate: Gate,
    /// How long a request may take, and each step of writing its answer.
    pub(crate) patience: Duration,
}

/// A port that cannot be listened on.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Another program listens on it.
    #[error("port {0} is in use: name another one, or none for any free one")]
    InUse(u16),
    /// The system refuses it; 0 is any port.
    #[error("port {0}: cannot listen on 127.0.0.1")]
    Refused(u16, #[source] io::Error),
}

impl Server {
    /// Listens on a port of 127.0.0.1; 0 is any free one.
    ///
    /// # Errors
    /// Fails if another process listens there, or the system does not allow it.
    pub fn bind(port: u16, token: Token) -> Result<Self, BindError> {
        let failed = |error: io::Error| match error.kind() {
            ErrorKind::AddrInUse => BindError::InUse(port),
            _ => BindError::Refused(port, error),
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(failed)?;
        let own = listener.local_addr().map_err(failed)?.port();
        Ok(Self { listener, gate: Gate::new(token, own), patience: PATIENCE })
    }

    /// The address that a browser opens, with the token.
    pub fn address(&self) -> String {
        self.gate.address()
    }

    /// Answers requests until the process ends. Each connection has a thread of its own: a slow
    /// one holds up no other one.
    pub fn run(&self, site: &dyn Site) -> ! {
        let open = AtomicUsize::new(0);
        thread::scope(|scope| {
            loop {
                let Ok((stream, _)) = self.listener.accept() else {
                    thread::sleep(PAUSE);
                    continue;
                };
                let Some(place) = Place::take(&open) else {
                    refuse_crowd(stream, site);
                    continue;
                };
                // Without a thread the connection ends here.
                let _ = thread::Builder::new().spawn_scoped(scope, move || {
                    let _place = place;
                    // A client that is gone needs no answer.
                    let _ = self.converse(stream, site);
                });
            }
        })
    }

    /// Answers the one request of a connection.
    fn converse(&self, mut stream: TcpStream, site: &dyn Site) -> io::Result<()> {
        stream.set_write_timeout(Some(self.patience))?;
        let (answer, is_read) = match read_head(&mut stream, self.patience)? {
            Head::Whole(head) => (self.answer(&head, site), true),
            Head::Long => {
                let status = Status(431, "Request Header Fields Too Large");
                (Answer::of_text(status, "the request is too long"), false)
            }
            Head::Slow => (Answer::of_text(Status(408, "Request Timeout"), "too slow"), false),
            Head::Cut => return Ok(()),
        };
        answer.write(site.policy(), &mut stream)?;
        stream.shutdown(Shutdown::Write)?;
        if !is_read {
            // To close a socket with unread bytes would take the answer away from the client.
            drain(&mut stream, self.patience)?;
        }
        Ok(())
    }

    fn answer(&self, head: &[u8], site: &dyn Site) -> Answer {
        let request = match Request::parse(head) {
            Ok(request) => request,
            Err(broken) => return Answer::broken(broken.0),
        };
        if let Some(answer) = self.gate.turn_away(&request) {
            return answer;
        }
        match site.get(&request.path) {
            Some(content) => Answer::of(content, request.known.as_deref()),
            None => Answer::missing(),
        }
    }
}

/// What came of a request's head.
enum Head {
    Whole(Vec<u8>),
    Long,
    Slow,
    /// The client ended before its request did.
    Cut,
}

/// Reads up to the empty line. Further bytes, which a `GET` does not have, are left out.
fn read_head(stream: &mut TcpStream, patience: Duration) -> io::Result<Head> {
    let begin = Instant::now();
    let mut head = Vec::new();
    let mut part = [0; 4096];
    loop {
        let left = patience.saturating_sub(begin.elapsed());
        if left.is_zero() {
            return Ok(Head::Slow);
        }
        stream.set_read_timeout(Some(left))?;
        let length = match stream.read(&mut part) {
            Ok(0) => return Ok(Head::Cut),
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) if is_timeout(&error) => return Ok(Head::Slow),
            Err(error) => return Err(error),
        };
        // The end may lie across two parts.
        let from = head.len().saturating_sub(3);
        head.extend_from_slice(&part[..length]);
        if let Some(at) = head[from..].windows(4).position(|bytes| bytes == b"\r\n\r\n") {
            head.truncate(from + at + 4);
            return Ok(if head.len() > HEAD_MAX { Head::Long } else { Head::Whole(head) });
        }
        if head.len() > HEAD_MAX {
            return Ok(Head::Long);
        }
    }
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// Reads what a client still sends, for a while.
fn drain(stream: &mut TcpStream, patience: Duration) -> io::Result<()> {
    let begin = Instant::now();
    let mut part = [0; 4096];
    loop {
        let left = patience.saturating_sub(begin.elapsed());
        if left.is_zero() {
            return Ok(());
        }
        stream.set_read_timeout(Some(left))?;
        if matches!(stream.read(&mut part), Ok(0) | Err(_)) {
            return Ok(());
        }
    }
}

/// Answers a connection too many. The answer fits into the socket's buffer: nothing waits.
fn refuse_crowd(mut stream: TcpStream, site: &dyn Site) {
    let answer = Answer::of_text(Status(503, "Service Unavailable"), "too many connections");
    let _ = stream.set_nonblocking(true);
    let _ = answer.write(site.policy(), &mut stream);
}

/// One of the connections that may be open at once.
struct Place<'a>(&'a AtomicUsize);

impl<'a> Place<'a> {
    fn take(open: &'a AtomicUsize) -> Option<Self> {
        let place = Self(open);
        (open.fetch_add(1, Ordering::Relaxed) < CONNECTIONS_MAX).then_some(place)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
