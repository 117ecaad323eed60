//! A method before and after, for people.

use crate::align::align;
use crate::contract::Contract;
use crate::cursor::Part;
use crate::method::Method;
use crate::mnemonic::text_at;
use crate::read::{Body, Readable};
use jfathom_plan::Problem;
use std::fmt;

/// A method of the original and of the output.
#[derive(Clone, Debug)]
pub struct Listing {
    /// `run(I)V`.
    pub method: String,
    /// Its instructions before, then its exception table.
    pub before: Vec<Row>,
    /// The same after.
    pub after: Vec<Row>,
    /// Why no probe is marked, where the two could not be aligned.
    pub fault: Option<String>,
}

/// One line of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Where the instruction begins; none for an entry of the exception table.
    pub bci: Option<usize>,
    /// The instruction.
    pub text: String,
    /// What it is there for, where the original has it not: `entry`, `exit`, `catch`, ….
    pub probe: Option<&'static str>,
}

/// The probe if there is one, the offset, the instruction: `     entry      0 sipush 7`.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>10} ", self.probe.unwrap_or(""))?;
        match self.bci {
            Some(bci) => write!(f, "{bci:>6} {}", self.text),
            None => write!(f, " catch {}", self.text),
        }
    }
}

/// The methods with code that `wanted` chooses by name and descriptor, of a class in the original
/// and in the output.
///
/// # Errors
/// A class that the reader refuses, in its words.
pub fn listing(
    original: &[u8],
    output: &[u8],
    contract: &Contract<'_>,
    wanted: impl Fn(&str, &str) -> bool,
) -> Result<Vec<Listing>, Problem> {
    let (original, output) = (Readable::new(original)?, Readable::new(output)?);
    let (before, after) = (original.read()?, output.read()?);
    let mut listings = Vec::new();
    for old in &before.methods {
        let method = Method::new(&before, old, contract);
        let same = after
            .methods
            .iter()
            .find(|new| new.name == old.name && new.descriptor == old.descriptor);
        let (Some(old), Some(new)) = (Body::of(old), same.and_then(Body::of)) else { continue };
        if !wanted(&method.name, &method.descriptor) {
            continue;
        }
        let aligned = align(old, new, &method);
        let parts =
            aligned.as_ref().map(|alignment| alignment.parts.as_slice()).unwrap_or_default();
        listings.push(Listing {
            method: format!("{}{}", method.name, method.descriptor),
            before: rows(old, |_| None),
            after: rows(new, |at| parts.get(at).and_then(|part| mark(*part))),
            fault: aligned.as_ref().err().map(ToString::to_string),
        });
    }
    Ok(listings)
}

fn mark(part: Part) -> Option<&'static str> {
    match part {
        Part::Original(_) => None,
        Part::Entry => Some("entry"),
        Part::Resumed => Some("resumed"),
        Part::Exit => Some("exit"),
        Part::Catch => Some("catch"),
        Part::HandOff => Some("hand-off"),
        Part::Island => Some("far jump"),
        Part::Stub => Some("catch"),
        Part::Throw => Some("throw"),
    }
}

fn rows(body: Body<'_>, mark: impl Fn(usize) -> Option<&'static str>) -> Vec<Row> {
    let code = body.instructions.iter().enumerate().map(|(at, (bci, op))| Row {
        bci: Some(*bci),
        text: text_at(op, Some(*bci)),
        probe: mark(at),
    });
    let throws = |handler: u16| body.index_at(usize::from(handler)).and_then(&mark);
    let handlers = body.exceptions().iter().map(|entry| Row {
        bci: None,
        text: format!(
            "{}..{} → {} {}",
            entry.start_pc,
            entry.end_pc,
            entry.handler_pc,
            entry.catch_type.as_deref().unwrap_or("any")
        ),
        probe: throws(entry.handler_pc),
    });
    code.chain(handlers).collect()
}
