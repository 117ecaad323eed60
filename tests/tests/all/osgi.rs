//! A rewritten bundle in an OSGi container: Debian's Felix, where it is installed or
//! `JFATHOM_FELIX` names its jar (`.ci/run` fetches it).

use crate::{JFATHOM, add_files};
use jfathom_archive::{NewEntry, create_jar};
use jfathom_tests::{
    jdk, samples,
    truth::{Plan, differences},
};
use std::{fs, path::PathBuf};

/// Felix reaches into these packages.
const OPENED: [&str; 2] = [
    "--add-opens=java.base/java.net=ALL-UNNAMED",
    "--add-opens=java.base/java.security=ALL-UNNAMED",
];

#[test]
fn osgi_bundle() {
    let felix = std::env::var_os("JFATHOM_FELIX").map(PathBuf::from);
    let felix = felix.unwrap_or_else(|| "/usr/share/java/org.apache.felix.framework.jar".into());
    if !felix.is_file() {
        eprintln!("osgi: skipped, there is no Felix here (Debian: libfelix-framework-java)");
        return;
    }
    let folder = samples::temp_dir();
    let place = |name: &str| folder.path().join(name);
    let sources = samples::sources().join("osgi");
    let class_path = felix.display().to_string();
    samples::javac(&["-cp", &class_path], &sources.join("host"), &place("host"));
    samples::javac(&["-cp", &class_path], &sources.join("bundle"), &place("bundle"));
    let manifest = fs::read(sources.join("bundle/MANIFEST.MF")).unwrap();
    let mut entries = vec![NewEntry::new("META-INF/MANIFEST.MF", manifest)];
    add_files(&place("bundle"), "", &mut entries);
    fs::write(place("bundle.jar"), create_jar(&entries).unwrap()).unwrap();
    let out = place("out");
    let bundle = JFATHOM.rewrite(&place("bundle.jar"), &out, &["--placement", "boot"]);
    let mut words: Vec<String> = OPENED.map(str::to_owned).to_vec();
    words.extend([
        "-Dorg.osgi.framework.bootdelegation=jfathom.runtime".to_owned(),
        "-cp".to_owned(),
    ]);
    words.push(format!("{}:{}", felix.display(), place("host").display()));
    words.extend([
        "host.Host".to_owned(),
        bundle.display().to_string(),
        folder.path().display().to_string(),
    ]);
    let rewritten = out.display().to_string();
    let (done, profile) =
        JFATHOM.record(&["-q", "--rewritten", &rewritten], jdk::main(), &words, 0);
    assert_eq!(done.stdout, "bundle started\nbundle stopped\nhost done\n", "{done}");
    let sample = samples::read_sample(&sources.join("bundle/Activator.java"));
    let wrong = differences(&sample, &profile, Plan::Every);
    assert!(wrong.is_empty() && sample.truths.len() == 3, "{}", wrong.join("\n"));
}
