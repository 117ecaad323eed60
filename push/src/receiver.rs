//! Who takes profiles: its protocol and its address.

use crate::{args::Usage, otlp, packet::Packet, pyroscope};
use anyhow::Result;
use jfathom_profile::Profile;
use ureq::http::Uri;

/// A server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receiver {
    /// What it takes.
    pub protocol: Protocol,
    /// Where it takes profiles: scheme, host, port and path.
    pub url: Uri,
}

/// What a server takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Pyroscope's `/ingest`, with pprof.
    Pyroscope,
    /// OTLP over HTTP, with the development version of OpenTelemetry's profiles.
    Otlp,
}

impl Protocol {
    /// The path of the protocol below a server's address.
    fn path(self) -> &'static str {
        match self {
            Self::Pyroscope => "/ingest",
            Self::Otlp => "/v1development/profiles",
        }
    }
}

impl Receiver {
    /// The server of this name and address. The protocol's path is added unless it stands there.
    ///
    /// # Errors
    /// [`Usage`] for another name; for a URL that is none, is not HTTP or HTTPS, has no host, or
    /// may hold a secret: a user, or a query.
    pub fn new(kind: &str, url: &str) -> Result<Self> {
        let protocol = match kind {
            "pyroscope" => Protocol::Pyroscope,
            "otlp" => Protocol::Otlp,
            _ => return usage("--to: the receiver is pyroscope or otlp"),
        };
        let Ok(parsed) = url.parse::<Uri>() else { return usage("--to: this is no URL") };
        if !matches!(parsed.scheme_str(), Some("http" | "https")) {
            return usage("--to: the URL begins with http:// or https://");
        }
        let Some(authority) = parsed.authority().filter(|of| !of.host().is_empty()) else {
            return usage("--to: the URL has no host");
        };
        if authority.as_str().contains('@') {
            return usage(
                "--to: no user and no password in the URL; JFATHOM_PUSH_TOKEN or --token-file has \
                 the secret, --user the user",
            );
        }
        // What is no port would be passed over, and the scheme's own taken.
        let behind = authority.as_str().rsplit(']').next().unwrap_or_default();
        if behind.contains(':') && authority.port_u16().is_none() {
            return usage("--to: this is no port");
        }
        if parsed.query().is_some() || url.contains('#') {
            return usage("--to: the URL ends with its path; labels are given with --label");
        }
        let path = parsed.path().trim_end_matches('/');
        let path = match path.ends_with(protocol.path()) {
            true => path.to_owned(),
            false => format!("{path}{}", protocol.path()),
        };
        let scheme = parsed.scheme_str().unwrap_or_default();
        let Ok(url) = format!("{scheme}://{authority}{path}").parse() else {
            return usage("--to: this is no URL");
        };
        Ok(Self { protocol, url })
    }

    /// Whether what is sent can be read on the way: it is not encrypted, and leaves this machine.
    pub fn is_open(&self) -> bool {
        self.url.scheme_str() == Some("http") && !self.is_here()
    }

    /// Whether it is on this machine.
    pub fn is_here(&self) -> bool {
        let host = self.url.host().unwrap_or_default();
        matches!(host, "localhost" | "127.0.0.1" | "[::1]")
    }

    /// A profile as this server takes it. Its service is the label `service.name`.
    ///
    /// # Errors
    /// A label that the protocol cannot have; a profile that is too large for the format.
    pub fn packet(&self, profile: &Profile) -> Result<Packet> {
        match self.protocol {
            Protocol::Pyroscope => pyroscope::packet(&self.url, profile),
            Protocol::Otlp => otlp::packet(&self.url, profile),
        }
    }
}

fn usage<T>(message: &str) -> Result<T> {
    Err(Usage(message.to_owned()).into())
}
