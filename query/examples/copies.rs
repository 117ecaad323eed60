//! Tables of many recordings, made of one profile with other times of its begin: to measure with.
//!
//! ```sh
//! cargo run --release --example copies -- profile.jfp tables 100
//! ```

use anyhow::{Context, Result, bail};
use jfathom_files::output;
use jfathom_profile::{Label, Labels, Profile};
use jfathom_tables::{RunId, Table, write_table};
use jfathom_views::{Scope, Shown};
use std::{fs::File, io::BufReader, path::Path, time::Instant};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [profile, folder, count] = &arguments[..] else { bail!("PROFILE DIR COUNT") };
    let file = File::open(profile).with_context(|| profile.clone())?;
    let mut profile = Profile::read_whole(&mut BufReader::new(file))?;
    let started = profile.meta.started_millis;
    let begin = Instant::now();
    for at in 0..count.parse::<u64>()? {
        profile.meta.started_millis = started + at * 60_000;
        let label = Label { key: "commit".to_owned(), value: at.to_string() };
        profile.meta.labels = Labels::new([label])?;
        write(&profile, Path::new(folder))?;
    }
    eprintln!("{} nodes each, {:.1} s", profile.tree.len(), begin.elapsed().as_secs_f64());
    Ok(())
}

fn write(profile: &Profile, folder: &Path) -> Result<()> {
    let scope = Scope::default();
    let corrected = scope.corrected(profile);
    let shown = Shown::new(profile, corrected.as_ref(), &scope);
    for table in Table::ALL {
        let folder = folder.join(table.name());
        jfathom_files::create_directories(&folder, 0o777)?;
        let path = folder.join(format!("{}.parquet", RunId::of(profile)));
        output::write(&path, 0o666, |out| write_table(table, profile, &shown, out))?;
    }
    Ok(())
}
