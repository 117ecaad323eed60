//! `jfathom report --list`: methods with their callees at the lines of their source.

use crate::failure::usage;
use anyhow::Result;
use jfathom_compare::{MethodSet, UnmatchedSelector};
use jfathom_instrument::{CodeAnswer, CodePath, JavaSources, SourceAnswer};
use jfathom_plan::Selector;
use jfathom_profile::{Method, Profile};
use jfathom_report::{Listed, ListedCode, ListedMethod, ListedSource, source_path};
use std::{collections::BTreeSet, ffi::OsString};

/// Which methods are listed, and where their source and code are.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Methods by source line")]
pub(super) struct ListArgs {
    /// Show this method's callees, with their calls and times, at its source lines; repeat for
    /// several. Needs --class-path for the lines and --source-path for the source
    #[arg(long, value_name = "SELECTOR")]
    #[arg(conflicts_with_all = ["view", "form", "depth", "threshold"])]
    list: Vec<Selector>,
    /// Where --list looks for sources: folders with the packages' folders, and source jars,
    /// separated by colons
    #[arg(long, value_name = "PATH", requires = "list")]
    source_path: Option<OsString>,
    /// Where --list looks for the class files that were recorded, before they were rewritten, as
    /// for `java` (also -cp)
    #[arg(long = "class-path", visible_alias = "cp", value_name = "PATH", requires = "list")]
    class_path: Option<OsString>,
}

impl ListArgs {
    /// Whether methods are listed.
    pub(super) fn is_given(&self) -> bool {
        !self.list.is_empty()
    }

    /// The methods with their code and source.
    ///
    /// # Errors
    /// A usage error if a selector matches no method, or an entry of the source path cannot be
    /// opened.
    pub(super) fn listed(&self, profile: &Profile) -> Result<Listed> {
        let methods = MethodSet::new(&profile.methods, &self.list);
        let methods = methods.map_err(|UnmatchedSelector(at)| {
            usage(format!("--list {} matches no method of the profile", self.list[at]))
        })?;
        let sources = self.source_path.as_deref().map(JavaSources::open).transpose()?;
        let at = |index: u32| profile.methods.get(index as usize);
        let classes: BTreeSet<&str> =
            methods.methods().filter_map(|ix| Some(&*at(ix.0)?.info.key.class)).collect();
        let code = self.class_path.as_deref().map(|path| CodePath::read(path, &classes));
        let code = code.transpose()?;
        let listed = methods.methods().filter_map(|ix| {
            let mut remarks = Vec::new();
            let method = at(ix.0)?;
            let code = found_code(method, code.as_ref(), &mut remarks);
            let source = found_source(method, sources.as_ref(), &mut remarks);
            Some(ListedMethod { method: ix, code, source, remarks })
        });
        Ok(Listed {
            methods: listed.collect(),
            hierarchy: code.as_ref().map(CodePath::hierarchy).cloned().unwrap_or_default(),
        })
    }
}

fn found_code(
    method: &Method,
    path: Option<&CodePath>,
    remarks: &mut Vec<String>,
) -> Option<ListedCode> {
    let class = method.info.key.class.replace('/', ".");
    match path.map(|path| path.lines(&method.info.key, method.info.digest)) {
        Some(CodeAnswer::Recorded { place, lines }) => return Some(ListedCode { place, lines }),
        Some(CodeAnswer::Different { place }) => remarks.push(format!(
            "{place} has other code than the recorded one, so its lines are not used"
        )),
        Some(CodeAnswer::Absent) => {
            remarks.push(format!("--class-path has no such method of {class}"));
            remarks.extend(path.into_iter().flat_map(CodePath::passed_over).cloned());
        }
        None => {
            remarks.push("for the lines of the calls give the class files: --class-path".to_owned())
        }
    }
    None
}

fn found_source(
    method: &Method,
    sources: Option<&JavaSources>,
    remarks: &mut Vec<String>,
) -> Option<ListedSource> {
    let sources = sources?;
    let Some(path) = source_path(&method.info) else {
        remarks.push("its class names no source file".to_owned());
        return None;
    };
    match sources.read(&path) {
        SourceAnswer::Found(text) => {
            if !text.is_utf8 {
                remarks.push(format!("{} is not UTF-8: other bytes are \u{fffd}", text.place));
            }
            return Some(ListedSource { place: text.place, lines: text.lines });
        }
        SourceAnswer::Unreadable { place, problem } => {
            remarks.push(format!("{place}: cannot read the source: {problem}"));
        }
        SourceAnswer::Absent => remarks.push(format!("--source-path has no {path}")),
    }
    None
}
