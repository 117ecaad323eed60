//! OTLP over HTTP with OpenTelemetry's profiles (opentelemetry-proto 1.10.0, `v1development`): the
//! request has the fields of `ProfilesData`, which the export writes.

use crate::packet::{Account, Packet};
use anyhow::Result;
use flate2::{Compression, write::GzEncoder};
use jfathom_export::{Format, export};
use jfathom_profile::Profile;
use jfathom_views::Scope;
use prost::Message;
use ureq::http::Uri;

/// A profile as `ExportProfilesServiceRequest`, compressed by gzip.
pub fn packet(url: &Uri, profile: &Profile) -> Result<Packet> {
    let mut out = GzEncoder::new(Vec::new(), Compression::fast());
    export(profile, &Scope::default(), Format::Otlp, &mut out)?;
    Ok(Packet {
        url: url.to_string(),
        content_type: "application/x-protobuf".to_owned(),
        content_encoding: "gzip".to_owned(),
        account: Account::default(),
        body: out.finish()?,
    })
}

/// `ExportProfilesServiceResponse`.
#[derive(Clone, PartialEq, Message)]
struct Response {
    #[prost(message, optional, tag = "1")]
    partial_success: Option<PartialSuccess>,
}

/// `ExportProfilesPartialSuccess`.
#[derive(Clone, PartialEq, Message)]
struct PartialSuccess {
    #[prost(int64, tag = "1")]
    rejected_profiles: i64,
    #[prost(string, tag = "2")]
    error_message: String,
}

/// What a server that took the request says against it. A rejected profile must not be sent again
/// (OTLP's "Partial Success").
pub fn rejected(body: &[u8]) -> Option<String> {
    let said = Response::decode(body).ok()?.partial_success?;
    (said.rejected_profiles > 0).then(|| match said.error_message.is_empty() {
        true => "it gave no reason".to_owned(),
        false => said.error_message,
    })
}
