//! Requests to a server.

use crate::{
    otlp,
    packet::Packet,
    patience::Patience,
    receiver::{Protocol, Receiver},
    secret::Secret,
};
use anyhow::{Context, Result, bail};
use jfathom_plan::printable;
use std::{
    fs::File,
    io::{self, Read},
    path::Path,
    thread,
    time::Duration,
};
use ureq::{
    Agent, Body, Timeout,
    http::Response,
    tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem},
};

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(10);
/// How long a request may take in all.
const REQUEST: Duration = Duration::from_secs(120);
/// Bytes of an answer that are read.
const ANSWER: u64 = 1 << 16;
/// Characters of an answer that a message quotes.
const QUOTED: usize = 200;
/// What a file of certificates may have.
const CERTIFICATES: u64 = 1 << 22;
/// A body of more bytes is only sent if the server will have it.
const LARGE: usize = 1 << 18;

/// What became of a packet.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The server took it.
    Taken,
    /// The server does not want it, now or later, because of this.
    Refused(String),
    /// The server cannot take it now.
    Unreachable {
        /// Why.
        why: String,
        /// Whether there was a connection: then it may take another packet.
        is_connected: bool,
    },
}

/// Who sends, and how.
#[derive(Debug)]
pub struct Sender {
    agent: Agent,
    protocol: Protocol,
    secret: Option<Secret>,
}

impl Sender {
    /// A sender that trusts the certificates of a file, or the public ones.
    ///
    /// # Errors
    /// The file cannot be read or has no certificate.
    pub fn new(
        receiver: &Receiver,
        ca_file: Option<&Path>,
        secret: Option<Secret>,
    ) -> Result<Self> {
        let mut tls = TlsConfig::builder();
        if let Some(path) = ca_file {
            tls = tls.root_certs(RootCerts::from(certificates(path)?));
        }
        // A redirect could lead the profile, and the secret, to another host.
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(CONNECT))
            .timeout_global(Some(REQUEST))
            .user_agent(concat!("jfathom/", env!("CARGO_PKG_VERSION")))
            .tls_config(tls.build());
        if receiver.is_here() {
            // What stays on this machine, unencrypted, is not sent to the proxy of the environment.
            config = config.proxy(None);
        }
        Ok(Self { agent: config.build().new_agent(), protocol: receiver.protocol, secret })
    }

    /// Sends a packet, again and again while the server is not reached and there is patience.
    pub fn send(&self, packet: &Packet, patience: &mut Patience) -> Outcome {
        loop {
            let (why, asked, is_connected) = match self.send_once(packet) {
                Try::Over(outcome) => {
                    patience.renew();
                    return outcome;
                }
                Try::Again { why, asked, is_connected } => (why, asked, is_connected),
            };
            match patience.next(asked) {
                Some(pause) => thread::sleep(pause),
                None => return Outcome::Unreachable { why, is_connected },
            }
        }
    }

    fn send_once(&self, packet: &Packet) -> Try {
        let mut request = self.agent.post(&packet.url).header("Content-Type", &packet.content_type);
        if !packet.content_encoding.is_empty() {
            request = request.header("Content-Encoding", &packet.content_encoding);
        }
        if let Some(secret) = &self.secret {
            request = request.header("Authorization", secret.header());
        }
        if !packet.account.tenant.is_empty() {
            request = request.header("X-Scope-OrgID", &packet.account.tenant);
        }
        if packet.body.len() > LARGE {
            // A server that will not have it says so before it was sent (RFC 9110 §10.1.1).
            request = request.header("Expect", "100-continue");
        }
        match request.send(&packet.body[..]) {
            Ok(answer) => self.judge(answer, packet.body.len()),
            Err(error) => failure(&error),
        }
    }

    fn judge(&self, mut answer: Response<Body>, sent: usize) -> Try {
        let status = answer.status();
        let header = |name: &str| Some(answer.headers().get(name)?.to_str().ok()?.to_owned());
        let (location, asked) = (header("Location"), header("Retry-After"));
        let mut body = Vec::new();
        // What the server says is only quoted.
        let _ = answer.body_mut().as_reader().take(ANSWER).read_to_end(&mut body);
        let why = || {
            let text = String::from_utf8_lossy(&body);
            let text: String = printable(text.trim()).chars().take(QUOTED).collect();
            if text.is_empty() { status.to_string() } else { format!("{status}: {text}") }
        };
        Try::Over(match status.as_u16() {
            200..=299 => match self.protocol {
                Protocol::Otlp => otlp::rejected(&body).map_or(Outcome::Taken, Outcome::Refused),
                Protocol::Pyroscope => Outcome::Taken,
            },
            300..=399 => {
                let to = location.map_or_else(String::new, |to| format!(" to {}", printable(&to)));
                Outcome::Refused(format!("{status}: it redirects{to}; name that URL yourself"))
            }
            413 => Outcome::Refused(format!(
                "{}; it has {} kB: raise the server's limit, or record fewer roots",
                why(),
                sent.div_ceil(1_000),
            )),
            // OTLP names 429, 502, 503 and 504.
            408 | 429 | 502..=504 => {
                let asked = asked.and_then(|text| text.trim().parse().ok());
                let asked = asked.map(Duration::from_secs);
                return Try::Again { why: why(), asked, is_connected: true };
            }
            _ => Outcome::Refused(why()),
        })
    }
}

/// What one try came to.
enum Try {
    Over(Outcome),
    Again { why: String, asked: Option<Duration>, is_connected: bool },
}

/// What a request without an answer came to. What would fail alike the next time is over: the
/// server is not who it should be, or no server of this protocol.
fn failure(error: &ureq::Error) -> Try {
    let over = |why: String| Try::Over(Outcome::Refused(why));
    let again = |is_connected| Try::Again { why: error.to_string(), asked: None, is_connected };
    match error {
        // What TLS finds wrong with a certificate comes as such data.
        ureq::Error::Io(found) if found.kind() == io::ErrorKind::InvalidData => {
            over(format!("it is not trusted: {found} (--ca-file)"))
        }
        ureq::Error::Rustls(found) => over(format!("it is not trusted: {found} (--ca-file)")),
        ureq::Error::Tls(_)
        | ureq::Error::TlsRequired
        | ureq::Error::BadUri(_)
        | ureq::Error::Http(_)
        | ureq::Error::Protocol(_)
        | ureq::Error::InvalidProxyUrl => over(error.to_string()),
        ureq::Error::Io(found) => again(found.kind() != io::ErrorKind::ConnectionRefused),
        ureq::Error::Timeout(Timeout::Resolve | Timeout::Connect)
        | ureq::Error::HostNotFound
        | ureq::Error::ConnectionFailed => again(false),
        _ => again(true),
    }
}

/// The certificates of a PEM file.
fn certificates(path: &Path) -> Result<Vec<Certificate<'static>>> {
    let named = || format!("{}: cannot read certificates", path.display());
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(CERTIFICATES).read_to_end(&mut bytes))
        .with_context(named)?;
    let mut found = Vec::new();
    for item in parse_pem(&bytes) {
        if let PemItem::Certificate(certificate) = item.with_context(named)? {
            found.push(certificate);
        }
    }
    if found.is_empty() {
        bail!("{}: has no certificate", path.display());
    }
    Ok(found)
}
