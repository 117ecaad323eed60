//! Nothing to do, nothing changed: no edit gives the same bytes, and what is not chosen is copied.

use crate::JFATHOM;
use classfile_writer::{Assembly, ClassFile, PoolTail};
use jfathom_archive::{Input, NewEntry, Work, create_jar};
use jfathom_plan::{ClassPlan, MethodId, MethodPlan, ProbeKind};
use jfathom_rewriter::{Digests, Options, Rewriter, summarize};
use jfathom_tests::{jdk, run, samples};
use std::fs;

/// Every class of java.base and of the samples: what `check` says is wrong with it.
#[track_caller]
fn no_class(check: impl Fn(&[u8]) -> Result<(), String> + Sync) {
    let inputs = [
        Input::open_module(&jdk::main().home, "java.base").expect("every JDK has java.base"),
        Input::open(&samples::compiled().java).expect("the samples are compiled"),
    ];
    for input in inputs {
        let visited = input
            .visit(&Work::default(), |entry, bytes| {
                check(bytes).err().map(|error| format!("{}: {error}", entry.location()))
            })
            .expect("the classes can be read");
        assert!(
            visited.values.len() > 50,
            "{}: only {} classes",
            input.location(),
            visited.values.len()
        );
        let wrong: Vec<String> = visited.values.into_iter().flatten().collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn a_class_without_edits_is_assembled_to_the_same_bytes() {
    no_class(|bytes| {
        let class = ClassFile::parse(bytes).map_err(|error| error.to_string())?;
        let mut out = Vec::new();
        let tail = PoolTail::new(class.pool());
        Assembly::new().finish(&class, &tail, &mut out).map_err(|error| error.to_string())?;
        if out == bytes { Ok(()) } else { Err("other bytes".to_owned()) }
    });
}

/// With one method instrumented, all other members, and all attributes of the class, have the bytes
/// that they had.
#[test]
fn what_is_not_chosen_is_copied() {
    no_class(|bytes| {
        let seen = summarize(bytes, Digests::Omit).map_err(|skip| format!("{skip:?}"))?;
        let Some(chosen) = seen.methods.iter().rposition(|method| method.code_length.is_some())
        else {
            return Ok(());
        };
        let (name, descriptor) =
            (seen.methods[chosen].name.clone(), seen.methods[chosen].descriptor.clone());
        let method = MethodPlan {
            name,
            descriptor,
            id: MethodId::new(70_000).unwrap(),
            kind: ProbeKind::Always,
        };
        let plan = ClassPlan { methods: vec![method], ..ClassPlan::default() };
        let mut rewriter = Rewriter::new(Options::default());
        // A class that is skipped as a whole has a reason, which other tests look at.
        let Ok(rewritten) = rewriter.rewrite(bytes, &plan) else { return Ok(()) };
        let parse = |bytes| ClassFile::parse(bytes).map_err(|error| error.to_string());
        let (before, after) = (parse(bytes)?, parse(rewritten.bytes)?);
        let old = before.methods().zip(after.methods()).enumerate();
        for (place, (old, new)) in old {
            let same = bytes[old.range()] == rewritten.bytes[new.range()];
            if same == (place == chosen && !rewritten.done.is_empty()) {
                return Err(format!("method {place}: same bytes: {same}, chosen: {chosen}"));
            }
        }
        if before
            .fields()
            .zip(after.fields())
            .any(|(old, new)| bytes[old.range()] != rewritten.bytes[new.range()])
        {
            return Err("a field changed".to_owned());
        }
        let end = |class: &ClassFile<'_>, all: &[u8]| {
            class.methods().last().map(|method| all[method.range().end..].to_vec())
        };
        if end(&before, bytes) != end(&after, rewritten.bytes) {
            return Err("an attribute of the class changed".to_owned());
        }
        let counts = |class: &ClassFile<'_>| {
            (class.methods().count(), class.fields().count(), class.access(), class.major())
        };
        if counts(&before) == counts(&after) {
            Ok(())
        } else {
            Err("members were added or lost".to_owned())
        }
    });
}

/// Entries that no selector chooses keep their bytes, and the same input gives the same jar.
#[test]
fn entries_that_are_not_chosen_keep_their_bytes() {
    let folder = samples::temp_dir();
    let classes = &samples::compiled().java;
    let mut entries: Vec<NewEntry> = fs::read_dir(classes.join("samples"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = format!("samples/{}", path.file_name().unwrap().to_string_lossy());
            NewEntry::new(name.as_str(), fs::read(path).unwrap())
        })
        .collect();
    entries.push(NewEntry::new("data/numbers.bin", (0..=255).collect::<Vec<u8>>()));
    let jar = folder.path().join("samples.jar");
    fs::write(&jar, create_jar(&entries).unwrap()).unwrap();
    let rewrite = |out: &str, threads: &str| {
        let out = folder.path().join(out);
        let mut command = JFATHOM.command();
        command.arg("rewrite").arg(&jar).arg("-o").arg(&out).env("RAYON_NUM_THREADS", threads);
        run::run(command.args(["--include", "samples.Exits"])).fine();
        out.join("samples.jar")
    };
    let (one, two) = (rewrite("one", "1"), rewrite("two", "2"));
    assert_eq!(
        fs::read(&one).unwrap(),
        fs::read(two).unwrap(),
        "the number of threads shows in the output"
    );
    let out = Input::open(&one).unwrap();
    let mut changed = Vec::new();
    for entry in &entries {
        let name = entry.name.as_str().unwrap();
        let bytes = out.read(name).unwrap().unwrap_or_else(|| panic!("{name} is missing"));
        if bytes != entry.bytes {
            changed.push(name);
        }
    }
    assert_eq!(changed, ["samples/Exits.class"]);
}
