//! `jfathom inspect --code`: a method before and after, as the reader of the room `check` reads it.

use crate::{
    failure::{archive, usage},
    messages,
    rewritten::{Rewritten, files},
    select::again,
};
use anyhow::{Result, anyhow, bail};
use jfathom_archive::{Input, Work};
use jfathom_check::{Contract, Listing, Row, listing};
use jfathom_plan::Placement;
use std::{collections::HashMap, path::Path, process::ExitCode};

/// Prints the method in each of the rewritten files at `path` that hold it.
pub(super) fn run(path: &Path, wanted: &str) -> Result<ExitCode> {
    let (class, method) = wanted.rsplit_once("::").ok_or_else(|| {
        usage(format!(
            "{wanted}: is no method; write com.acme.Engine::run or com.acme.Engine::run(I)V"
        ))
    })?;
    let class = class.replace('.', "/");
    let mut text = String::new();
    for path in files(path)? {
        let file = Rewritten::open(&path)?;
        let Some((out, origin)) = &file.origin else {
            bail!(
                "{}: nothing says what it was made from, so that there is no code before",
                path.display()
            );
        };
        let source = again(origin, false, out)?;
        let contract = match &file.manifest {
            Some(manifest) => Contract::new(manifest),
            None => Contract::nothing(Placement::Main),
        };
        let originals: HashMap<String, Vec<u8>> =
            classes(&source.input, &class)?.into_iter().collect();
        for (entry, output) in classes(&Input::open(&path).map_err(archive)?, &class)? {
            let Some(original) = originals.get(&entry) else { continue };
            let is_wanted = |name: &str, descriptor: &str| {
                method.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest == descriptor)
            };
            let listings = listing(original, &output, &contract, is_wanted).map_err(|error| {
                anyhow!("{}!{entry}: the reader refuses it: {error}", path.display())
            })?;
            for listing in &listings {
                put_line!(text, "{}!{entry}: {}", path.display(), listing.method);
                show(&mut text, listing);
            }
        }
    }
    if text.is_empty() {
        return Err(usage(format!("{wanted}: no such method with code in {}", path.display())));
    }
    messages::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The classes of that internal name, by where they are in the container.
fn classes(input: &Input, class: &str) -> Result<Vec<(String, Vec<u8>)>> {
    let visited = input.visit(&Work::default(), |entry, bytes| {
        (entry.name().class_name() == Some(class)).then(|| {
            let inside: Vec<String> =
                entry.place().inside().iter().map(ToString::to_string).collect();
            (inside.join("!"), bytes.to_vec())
        })
    });
    Ok(visited.map_err(archive)?.values.into_iter().flatten().collect())
}

fn show(text: &mut String, listing: &Listing) {
    for (title, rows) in [("before", &listing.before), ("after", &listing.after)] {
        put_line!(text, "  {title}");
        for row in rows {
            put_line!(text, "{}", line(row));
        }
    }
    if let Some(fault) = &listing.fault {
        put_line!(text, "  the probes could not be told from the rest: {fault}");
    }
}

fn line(row: &Row) -> String {
    let bci = row.bci.map_or_else(|| " catch".to_owned(), |bci| format!("{bci:>6}"));
    match row.probe {
        Some(probe) => format!("{probe:>10} {bci} {}", row.text),
        None => format!("{:>10} {bci} {}", "", row.text),
    }
}
