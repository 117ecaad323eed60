//! Pyroscope's `POST /ingest`: name and labels, begin and end in the query, and a form with the
//! profile and what its types of values are (Grafana Pyroscope's "Server HTTP API"). The query has
//! no `format`: with it the server takes the whole form for pprof.

use crate::packet::{Account, Packet};
use anyhow::{Result, bail};
use jfathom_export::{Format, export};
use jfathom_profile::Profile;
use jfathom_views::Scope;
use std::{collections::BTreeMap, fmt::Write as _};
use ureq::http::Uri;

/// What Pyroscope has to know of the types of values in the profile: they are sums, of all calls.
const TYPES: &str = r#"{"wall":{"units":"nanoseconds","aggregation":"sum","display-name":"wall","sampled":false},"calls":{"units":"count","aggregation":"sum","display-name":"calls","sampled":false}}"#;

/// A profile as a form.
pub fn packet(url: &Uri, profile: &Profile) -> Result<Packet> {
    let mut pprof = Vec::new();
    export(profile, &Scope::default(), Format::Pprof, &mut pprof)?;
    let boundary = boundary(&pprof);
    let mut body = Vec::with_capacity(pprof.len() + 1_024);
    let mut part = |name: &str, kind: &str, content: &[u8]| {
        body.extend_from_slice(
            format!(
                "--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"; \
                 filename=\"{name}\"\r\nContent-Type: {kind}\r\n\r\n"
            )
            .as_bytes(),
        );
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    };
    part("profile", "application/octet-stream", &pprof);
    part("sample_type_config", "application/json", TYPES.as_bytes());
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    let from = profile.meta.started_millis / 1_000;
    let millis = profile.meta.started_millis.saturating_add(profile.meta.duration_millis);
    // An empty span of time is refused.
    let until = millis.div_ceil(1_000).max(from + 1);
    let name = encoded(&name(profile)?);
    Ok(Packet {
        url: format!("{url}?name={name}&from={from}&until={until}&spyName=jfathom"),
        content_type: format!("multipart/form-data; boundary={boundary}"),
        content_encoding: String::new(),
        account: Account::default(),
        body,
    })
}

/// Service and labels: `shop{branch=main,commit=7d2}`. Pyroscope's labels have the keys of
/// Prometheus: other characters become `_`.
fn name(profile: &Profile) -> Result<String> {
    let mut service = "java";
    let mut labels: BTreeMap<String, &str> = BTreeMap::new();
    for (key, value) in profile.meta.labels.iter() {
        if key == "service.name" {
            service = value;
            continue;
        }
        if value.contains(['{', '}', ',']) {
            bail!("label {key}: Pyroscope takes no value with a brace or a comma");
        }
        let known = key.replace(|one: char| !one.is_ascii_alphanumeric(), "_");
        if known == "service_name" {
            bail!("label {key}: Pyroscope has one of its own; --name sets it");
        }
        if labels.insert(known.clone(), value).is_some() {
            bail!("label {key}: another one is {known} for Pyroscope, too");
        }
    }
    if service.is_empty() || !service.bytes().all(is_of_a_name) {
        bail!("service {service}: for Pyroscope a name has letters, digits and _ - . / only");
    }
    let labels: Vec<String> = labels.iter().map(|(key, value)| format!("{key}={value}")).collect();
    Ok(format!("{service}{{{}}}", labels.join(",")))
}

/// Whether a service's name may have it.
pub fn is_of_a_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-./".contains(&byte)
}

/// Percent encoding of a part of a query (RFC 3986 §2.1): all but unreserved characters.
fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
        out
    })
}

/// A boundary that the content does not have (RFC 2046 §5.1.1).
fn boundary(content: &[u8]) -> String {
    let has = |text: &str| content.windows(text.len()).any(|at| at == text.as_bytes());
    (0_u64..).map(|number| format!("jfathom-{number}")).find(|text| !has(text)).unwrap_or_default()
}
