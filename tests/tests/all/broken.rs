//! One damage each: a clear word with its place, never a panic, and nothing half done.

use crate::{JFATHOM, jar};
use jfathom_plan::MANIFEST_PATH;
use jfathom_tests::{
    jdk,
    run::{self, Done},
    samples,
    tool::java,
};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

/// A folder with the classes of the demo, to be damaged.
fn damaged(damage: impl FnOnce(&Path)) -> (TempDir, PathBuf) {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    fs::create_dir_all(classes.join("demo")).unwrap();
    for entry in fs::read_dir(samples::compiled().demo.join("demo")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, classes.join("demo").join(path.file_name().unwrap())).unwrap();
    }
    damage(&classes);
    (folder, classes)
}

#[track_caller]
fn no_panic(done: &Done) {
    assert!(!done.stderr.contains("panicked"), "{done}");
}

fn rewrite(input: &Path, out: &Path) -> Done {
    let done = run::run(JFATHOM.command().arg("rewrite").arg("-v").arg(input).arg("-o").arg(out));
    no_panic(&done);
    done
}

/// A broken class is skipped, named, and copied as it is; the others are rewritten.
#[test]
fn class_bytes() {
    type Damage = fn(&mut Vec<u8>);
    let damages: [(&str, Damage); 4] = [
        ("cut off", |bytes| bytes.truncate(bytes.len() / 2)),
        ("no magic", |bytes| bytes[0] = 0),
        ("unknown version", |bytes| bytes[4..8].copy_from_slice(&[0xff, 0xff, 0, 200])),
        ("trailing bytes", |bytes| bytes.extend([1, 2, 3])),
    ];
    for (damage, apply) in damages {
        let (folder, classes) = damaged(|classes| {
            let path = classes.join("demo/Market$Report.class");
            let mut bytes = fs::read(&path).unwrap();
            apply(&mut bytes);
            fs::write(path, bytes).unwrap();
        });
        let done = rewrite(&classes, &folder.path().join("out")).fine();
        let said = format!("{}{}", done.stdout, done.stderr);
        assert!(said.contains("Market$Report"), "{damage}: the class is not named\n{done}");
        let name = "demo/Market$Report.class";
        let copied = fs::read(folder.path().join("out/classes").join(name)).unwrap();
        assert_eq!(copied, fs::read(classes.join(name)).unwrap(), "{damage}: not copied as it is");
        let other = "demo/Market$Hall.class";
        assert_ne!(
            fs::read(folder.path().join("out/classes").join(other)).unwrap(),
            fs::read(classes.join(other)).unwrap()
        );
    }
}

/// Class files of a Java to come are read by the layout that holds. Preview features of it may be
/// anything: such classes are refused by name and version.
#[test]
fn classes_of_a_java_to_come() {
    let (folder, classes) = damaged(|classes| {
        for path in class_files(classes) {
            let mut bytes = fs::read(&path).unwrap();
            bytes[4..8].copy_from_slice(&[0, 0, 0, 99]);
            fs::write(path, bytes).unwrap();
        }
    });
    let at = |name: &str| folder.path().join(name).display().to_string();
    let input = classes.display().to_string();
    let options = ["--root", "demo.Market::main"];
    JFATHOM.run(&[&["plan", &input], &options[..]].concat()).fine();
    JFATHOM.run(&[&["rewrite", &input, "-o", &at("out"), "--check"], &options[..]].concat()).fine();
    JFATHOM.run(&["inspect", &at("out/classes"), "--code", "demo.Market::main"]).fine();

    for path in class_files(&classes) {
        let mut bytes = fs::read(&path).unwrap();
        bytes[4..6].fill(0xff);
        fs::write(path, bytes).unwrap();
    }
    let said = ["demo.", "99.65535", "preview features of Java 55"];
    let refused = JFATHOM.run(&["rewrite", &input, "-o", &at("other")]).code(2).says(&said);
    assert!(!refused.stderr.contains("have no class"), "{refused}");
    JFATHOM.run(&[&["plan", &input], &options[..]].concat()).code(2).says(&said);
}

/// The class files of package `demo`.
fn class_files(classes: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(classes.join("demo")).unwrap().map(|file| file.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|end| end == "class")).collect()
}

/// A broken jar is refused with its name, and leaves no output.
#[test]
fn jars() {
    let folder = samples::temp_dir();
    let sound =
        fs::read(jar(&samples::compiled().demo, "demo.Market", &folder.path().join("sound.jar")))
            .unwrap();
    let end = sound.windows(4).rposition(|four| four == b"PK\x05\x06").unwrap();
    let damages: [(&str, Vec<u8>); 4] = [
        ("empty", Vec::new()),
        ("no-zip", b"this is no jar".to_vec()),
        ("cut-off", sound[..end].to_vec()),
        ("no-directory", [&sound[..end / 2], &sound[end..]].concat()),
    ];
    for (damage, bytes) in damages {
        let path = folder.path().join(format!("{damage}.jar"));
        fs::write(&path, bytes).unwrap();
        let out = folder.path().join(format!("{damage}-out"));
        rewrite(&path, &out).code(1).says(&[&format!("{damage}.jar")]);
        let left = fs::read_dir(&out).map(|entries| entries.count()).unwrap_or(0);
        assert_eq!(left, 0, "{damage} left something in the output");
    }
}

/// A damaged manifest is no reason to guess.
#[test]
fn manifests() {
    let damages: [(&str, &[u8]); 3] =
        [("empty", b""), ("no JSON", b"{"), ("a later version", br#"{"version":99}"#)];
    for (damage, bytes) in damages {
        let (folder, classes) = damaged(|_| ());
        let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &[]);
        fs::write(out.join(MANIFEST_PATH), bytes).unwrap();
        let done = JFATHOM.run(&["inspect".as_ref(), out.as_os_str()]).code(1);
        no_panic(&done);
        assert!(done.stderr.contains("manifest"), "{damage}:\n{done}");
        // The program itself does not suffer.
        let done = run::run(java(jdk::main()).arg("-cp").arg(&out).arg("demo.Market")).fine();
        assert!(done.stdout.starts_with("market closed"), "{done}");
    }
}

/// A damaged profile is refused with its name.
#[test]
fn profiles() {
    let (folder, classes) = damaged(|_| ());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &[]).display().to_string();
    let (_, profile) = JFATHOM.record(&["-q"], jdk::main(), &["-cp", &out, "demo.Market"], 0);
    let mut sound = Vec::new();
    profile.write(&mut sound).unwrap();
    let middle = sound.len() / 2;
    let mut flipped = sound.clone();
    flipped[middle] ^= 1;
    let damages: [(&str, &[u8]); 4] = [
        ("empty", b""),
        ("other", b"not a profile at all"),
        ("cut", &sound[..middle]),
        ("flipped", &flipped),
    ];
    for (damage, bytes) in damages {
        let path = folder.path().join(format!("{damage}.jfp"));
        fs::write(&path, bytes).unwrap();
        let done = JFATHOM
            .run(&["report".as_ref(), path.as_os_str()])
            .code(1)
            .says(&[&format!("{damage}.jfp")]);
        no_panic(&done);
    }
}

/// A damaged session directory gives what can be had of it, or an error with the file's name.
#[test]
fn session_files() {
    let folder = samples::temp_dir();
    let path = folder.path().join("session");
    let session = jfathom_trace::SessionDir::create(&path).unwrap();
    let file = session.path().join("jvm-1-1.jft");
    let damages: [(&str, Vec<u8>); 3] = [
        ("no session", vec![7; 5000]),
        ("a cut-off header", b"JFATHOM1".to_vec()),
        ("nothing", Vec::new()),
    ];
    for (damage, bytes) in damages {
        fs::write(&file, bytes).unwrap();
        let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        fs::set_permissions(&file, private).unwrap();
        let done = JFATHOM.run(&["report".as_ref(), session.path().as_os_str()]);
        no_panic(&done);
        assert_eq!(done.code, Some(1), "{damage}:\n{done}");
    }
}
