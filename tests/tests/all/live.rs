//! Live mode: recordings of JVMs that run untouched programs. Nothing here waits for time to pass:
//! a program does what it is told, and whether a root is live, or everything restored, stands in
//! the methods file.

mod class_path;
mod debugger;
mod ends;
mod first_calls;
mod jvms;
mod namespaces;
mod native;
mod neighbours;
mod other_user;
mod refusals;
mod roots;
mod server;
mod sessions;
mod truths;
mod woven;

use crate::JFATHOM;
use jfathom_profile::Profile;
use jfathom_tests::live::{Lines, Live, classes};

/// A recording with these roots.
fn live(roots: &[&str]) -> Live {
    Live::roots(JFATHOM, roots)
}

/// The arguments of `java` for a main class of `samples/live`.
fn program(main: &str) -> Vec<String> {
    vec!["-cp".to_owned(), classes().display().to_string(), main.to_owned()]
}

/// The calls of all methods of this class and name; a `*` at the name's end stands for any rest.
fn calls(profile: &Profile, class: &str, name: &str) -> u64 {
    let meant = profile.methods.iter().filter(|method| {
        let key = &method.info.key;
        let named =
            name.strip_suffix('*').map_or(key.name == name, |start| key.name.starts_with(start));
        named && key.class == class
    });
    meant.map(jfathom_profile::Method::calls).sum()
}

/// Holds the calls of several methods, `Class::name` in package `live`, against what they must be.
#[track_caller]
fn assert_calls(profile: &Profile, lines: &Lines, expected: &[(&str, u64)]) {
    let wrong: Vec<String> = expected
        .iter()
        .filter_map(|&(method, expected)| {
            let (class, name) = method.rsplit_once("::").expect("Class::name");
            let seen = calls(profile, &format!("live/{}", class.replace('.', "/")), name);
            (seen != expected).then(|| format!("{method}: {seen} calls, the truth is {expected}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}\n{:#?}\n{lines:#?}", wrong.join("\n"), profile.quality);
}

/// What N calls of `live.Work::root` are.
fn assert_work(profile: &Profile, lines: &Lines, n: u64) {
    let expected = [
        ("Work::root", n),
        ("Work::step", 3 * n),
        ("Work::leaf", 6 * n),
        ("Work::lambda$root$*", 2 * n),
        ("Work$Deeper::down", 5 * n),
        ("Work::act", 0),
        ("Work::only", 0),
    ];
    assert_calls(profile, lines, &expected);
}
