//! What a demotion rule does to a program: `demotion AFTER_CALLS ERROR_NANOS CALLS_BELOW [-v] java
//! …`, with the rewritten classes on the class path; 0 calls for no rule. Prints the program's
//! output, then what was demoted, when, and at what self time.

use jfathom_collector::{CountRule, DemotionRule, Event, ManifestRef, RecordOptions, record};
use jfathom_plan::MANIFEST_PATH;
use jfathom_profile::{Mode, Profile};
use jfathom_session::CalibrationPhases;
use std::{error::Error, fs::File, io::BufReader, path::Path, process::Command};

/// The manifest of a directory or a jar.
fn manifest(seen: &ManifestRef) -> Result<Vec<u8>, String> {
    let place = Path::new(seen.place.trim_end_matches('/'));
    if place.is_dir() {
        return std::fs::read(place.join(MANIFEST_PATH)).map_err(|e| e.to_string());
    }
    let output = Command::new("unzip").arg("-p").args([place, Path::new(MANIFEST_PATH)]).output();
    output.map(|output| output.stdout).map_err(|e| e.to_string())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args_os().skip(1).peekable();
    let mut number =
        || args.next().and_then(|arg| arg.to_str()?.parse::<f64>().ok()).ok_or("three numbers");
    let (after_calls, error_nanos, calls_below) = (number()? as u64, number()?, number()?);
    let verbose = args.next_if(|arg| arg == "-v").is_some();
    let temp = tempfile::tempdir()?;
    let options = RecordOptions {
        command: args.collect(),
        output: temp.path().join("p.jfp"),
        count: CountRule { trivial: after_calls != 0, selectors: Vec::new() },
        demote: (after_calls != 0).then_some(DemotionRule {
            min_calls: after_calls,
            max_self_nanos: error_nanos,
            max_timed_callees: calls_below,
        }),
        calibrate: CalibrationPhases::BOTH,
        tool: "demotion".to_owned(),
        ..RecordOptions::default()
    };
    record(&options, &manifest, &mut |event| {
        if let Event::Note(note) = event {
            eprintln!("{note}");
        }
    })?;
    let profile = Profile::read(&mut BufReader::new(File::open(&options.output)?))?;
    let (mut entries, mut counted, mut early) = (0, 0, 0);
    let mut demoted = Vec::new();
    for method in profile.methods.iter() {
        entries += method.entries;
        counted += method.counted;
        if let Some(demotion) = method.demotion {
            early += method.entries;
            demoted.push((demotion, method));
        }
    }
    demoted.sort_by_key(|(demotion, _)| demotion.millis);
    println!(
        "entries {entries}, counted {counted}, demoted {} of {} methods after {early} entries, counted from the start {}",
        demoted.len(),
        profile.methods.len(),
        profile.methods.iter().filter(|method| method.mode == Mode::Count).count() - demoted.len()
    );
    if verbose {
        for (demotion, method) in demoted {
            println!(
                "{:>8} ms {:>9} entries {:>12} counted {:>8.1} ns  {}::{}",
                demotion.millis,
                method.entries,
                method.counted,
                demotion.self_nanos,
                method.info.key.class,
                method.info.key.name
            );
        }
    }
    Ok(())
}
