//! What servers get, by the public protos: pprof's and OpenTelemetry's.

use super::{
    Place, calls,
    server::{Answer, Server, answer},
};
use flate2::read::GzDecoder;
use opentelemetry_proto::tonic::{
    collector::profiles::v1development::{
        ExportProfilesPartialSuccess, ExportProfilesServiceRequest, ExportProfilesServiceResponse,
    },
    common::v1::any_value::Value,
};
use prost::Message;
use std::io::Read;

/// pprof's `Profile`, as far as its sums need it.
#[derive(Clone, PartialEq, Message)]
struct Pprof {
    #[prost(message, repeated, tag = "2")]
    sample: Vec<Sample>,
}

#[derive(Clone, PartialEq, Message)]
struct Sample {
    #[prost(int64, repeated, tag = "2")]
    value: Vec<i64>,
}

fn gunzipped(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut out).unwrap();
    out
}

/// The content of a form's parts, by name.
fn part<'a>(body: &'a [u8], boundary: &str, name: &str) -> &'a [u8] {
    let find = |bytes: &[u8], what: &str| {
        bytes.windows(what.len()).position(|at| at == what.as_bytes()).unwrap()
    };
    let rest = &body[find(body, &format!("name=\"{name}\""))..];
    let rest = &rest[find(rest, "\r\n\r\n") + 4..];
    &rest[..find(rest, &format!("\r\n--{boundary}"))]
}

#[test]
fn pyroscope_gets_a_form_with_pprof_and_labels_in_the_name() {
    let place = Place::new();
    let server = Server::start(vec![answer("200 OK")]);
    let url = format!("{}/", server.url());
    let (is_whole, said) =
        place.push(["pyroscope", &url], &["--name", "shop", "--label", "branch=a b"]).unwrap();
    assert!(is_whole && said.contains("sent to"), "{said}");
    let request = server.requests().remove(0);
    assert_eq!(
        request.target,
        "/ingest?name=shop%7Bbranch%3Da%20b%2Cbuild_id%3D7%2Cprocess_command_line%3Dof%20the%20label\
         %7D&from=1764028800&until=1764028803&spyName=jfathom"
    );
    let kind = &request.headers["content-type"];
    let boundary = kind.strip_prefix("multipart/form-data; boundary=").unwrap();
    let pprof = Pprof::decode(&*gunzipped(part(&request.body, boundary, "profile"))).unwrap();
    let sum: i64 = pprof.sample.iter().map(|sample| sample.value[0]).sum();
    assert_eq!(sum as u64, calls());
    let types = part(&request.body, boundary, "sample_type_config");
    assert!(
        std::str::from_utf8(types).unwrap().starts_with("{\"wall\":{\"units\":\"nanoseconds\"")
    );
    assert!(request.body.ends_with(format!("--{boundary}--\r\n").as_bytes()));
}

#[test]
fn a_label_that_pyroscope_cannot_have_is_an_error() {
    let place = Place::new();
    for (words, expected) in [
        (["--label", "a=b{c"], "label a: Pyroscope takes no value"),
        (["--label", "build_id=8"], "another one is build_id"),
        (["--label", "service-name=8"], "--name sets it"),
        (["--name", "a b"], "letters, digits"),
    ] {
        let (is_whole, said) = place.push(["pyroscope", "http://localhost"], &words).unwrap();
        assert!(!is_whole && said.contains(expected), "{said}");
    }
}

#[test]
fn otlp_gets_a_request_with_labels_as_attributes() {
    let place = Place::new();
    let server = Server::start(vec![answer("200 OK")]);
    let (is_whole, _) = place.push(["otlp", &server.url()], &[]).unwrap();
    assert!(is_whole);
    let request = server.requests().remove(0);
    assert_eq!(request.target, "/v1development/profiles");
    assert_eq!(request.headers["content-encoding"], "gzip");
    let read = ExportProfilesServiceRequest::decode(&*gunzipped(&request.body)).unwrap();
    let tables = read.dictionary.as_ref().unwrap();
    let of_resource = &read.resource_profiles[0];
    let mut attributes: Vec<(String, String)> = Vec::new();
    for attribute in &of_resource.resource.as_ref().unwrap().attributes {
        let Some(Value::StringValue(text)) = attribute.value.as_ref().unwrap().value.clone() else {
            panic!("{attribute:?} is no text")
        };
        attributes.push((attribute.key.clone(), text));
    }
    let has = |key: &str, value: &str| {
        let values: Vec<_> = attributes.iter().filter(|(name, _)| name == key).collect();
        assert_eq!(values.len(), 1, "{key}: {values:?}");
        assert_eq!(values[0].1, value);
    };
    has("branch", "main");
    has("build-id", "7");
    has("service.name", "Main");
    // A key stands there once.
    has("process.command_line", "of the label");
    let calls_of = of_resource.scope_profiles[0].profiles.iter().find(|profile| {
        let kind = profile.sample_type.as_ref().unwrap().type_strindex;
        tables.string_table[kind as usize] == "calls"
    });
    let sum: i64 = calls_of.unwrap().samples.iter().flat_map(|sample| &sample.values).sum();
    assert_eq!(sum as u64, calls());
}

#[test]
fn what_an_otlp_server_rejects_is_refused() {
    let place = Place::new();
    let rejection = ExportProfilesServiceResponse {
        partial_success: Some(ExportProfilesPartialSuccess {
            rejected_profiles: 2,
            error_message: "too old".to_owned(),
        }),
    };
    let body = rejection.encode_to_vec();
    let server = Server::start(vec![Answer("200 OK", String::new(), body)]);
    let (is_whole, said) = place.push(["otlp", &server.url()], &[]).unwrap();
    assert!(!is_whole && said.contains("refuses it: too old"), "{said}");
    assert!(place.spooled().is_empty());
}

#[test]
fn an_address_may_have_a_path_of_its_own() {
    let place = Place::new();
    for (protocol, path, expected) in [
        ("otlp", "/otel", "/otel/v1development/profiles"),
        ("otlp", "/v1development/profiles/", "/v1development/profiles"),
        ("pyroscope", "/a/ingest", "/a/ingest?name"),
    ] {
        let server = Server::start(vec![answer("204 No Content")]);
        assert!(place.push([protocol, &format!("{}{path}", server.url())], &[]).unwrap().0);
        assert!(server.requests()[0].target.starts_with(expected), "{path}");
    }
}
