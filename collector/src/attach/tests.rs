//! The protocol against servers that answer as JVMs do, and as they should not.

use super::{
    AttachError,
    protocol::{self, Answer},
    socket::exchange_for_tests,
};
use std::{
    fs::Permissions,
    io::{Read, Write},
    os::unix::{fs::PermissionsExt, net::UnixListener},
    path::PathBuf,
    thread,
};
use tempfile::TempDir;

/// A socket that answers the next request, and that request.
fn server(
    answer: &'static [u8],
    request_length: usize,
) -> (TempDir, PathBuf, thread::JoinHandle<Vec<u8>>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let listener = UnixListener::bind(&path).unwrap();
    std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    let served = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = vec![0; request_length];
        stream.read_exact(&mut request).unwrap();
        stream.write_all(answer).unwrap();
        request
    });
    (folder, path, served)
}

fn ask(answer: &'static [u8]) -> Result<(), AttachError> {
    let request = protocol::request("load", ["/a/lib.so", "true", "root=a.B"]).unwrap();
    let (_folder, path, served) = server(answer, request.len());
    let result =
        exchange_for_tests(&path, &request).and_then(|answer| protocol::loaded(7, &answer));
    assert_eq!(served.join().unwrap(), b"1\0load\0/a/lib.so\0true\0root=a.B\0");
    result
}

#[test]
fn an_agent_that_is_content() {
    ask(b"0\nreturn code: 0\n").unwrap();
}

#[test]
fn agents_that_are_not_and_jvms_that_do_not_load() {
    assert!(matches!(ask(b"0\nreturn code: 1\n"), Err(AttachError::Agent { code: 1, .. })));
    assert!(matches!(ask(b"0\nreturn code: -3\n"), Err(AttachError::Agent { code: -3, .. })));
    let text = "/a/lib.so: cannot open shared object file";
    match ask(b"0\n/a/lib.so: cannot open shared object file\n") {
        Err(AttachError::NotLoaded { pid: 7, text: said }) => assert_eq!(said, text),
        other => panic!("{other:?}"),
    }
    assert!(matches!(ask(b"100\n"), Err(AttachError::NotLoaded { .. })));
    let disabled =
        ask(b"0\nDynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading\n")
            .unwrap_err();
    assert!(matches!(disabled, AttachError::NoDynamicAgents(7)));
    assert!(disabled.to_string().contains("-XX:-EnableDynamicAgentLoading"));
}

#[test]
fn answers_that_are_none() {
    assert!(matches!(ask(b""), Err(AttachError::Answer(7, _))));
    assert!(matches!(ask(b"\xff\xfe\n"), Err(AttachError::Answer(7, _))));
    assert!(matches!(ask(b"0\nreturn code: much\n"), Err(AttachError::Answer(7, _))));
}

#[test]
fn requests_that_a_jvm_would_cut_are_not_sent() {
    let long = "x".repeat(1024);
    assert!(matches!(
        protocol::request("load", ["l", "true", &long]),
        Err(AttachError::TooLong(1024))
    ));
    assert!(protocol::request("load", ["l", "true", &long[1..]]).is_ok());
    assert!(protocol::request("load", ["l\0", "true", ""]).is_err());
    assert_eq!(protocol::answer(1, b"0").unwrap(), Answer { code: 0, text: String::new() });
}

#[test]
fn sockets_of_others_are_not_used() {
    let (_folder, path, _) = server(b"0\n", 0);
    std::fs::set_permissions(&path, Permissions::from_mode(0o666)).unwrap();
    assert!(matches!(exchange_for_tests(&path, b""), Err(AttachError::File(..))));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(exchange_for_tests(&file, b"").unwrap_err().to_string().contains("is no socket"));
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert!(exchange_for_tests(&link, b"").is_err());
}
