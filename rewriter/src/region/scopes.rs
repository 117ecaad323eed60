//! Which region each instruction of a method is in.

use crate::call_sites::{line_at, line_rows};
use classfile_writer::{Bci, Code, Error, Instruction, LineNumber, opcode};
use jfathom_plan::{LineRange, LinesRelation, MethodId, ProbeKind, SkipReason};

/// The probes of one region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegionProbes {
    pub(crate) id: MethodId,
    pub(crate) kind: ProbeKind,
    pub(crate) lines: LineRange,
    /// Its place among the regions that are placed in the method.
    pub(crate) number: usize,
}

/// A region that gets no probes.
#[derive(Debug)]
pub(crate) struct RefusedRegion {
    pub(crate) lines: LineRange,
    pub(crate) reason: SkipReason,
    pub(crate) detail: String,
}

/// The innermost region that an instruction is in; with it the instruction is in all regions
/// around that one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Scope(u16);

impl Scope {
    /// In no region.
    pub(crate) const NONE: Self = Self(0);

    pub(crate) fn is_none(self) -> bool {
        self == Self::NONE
    }
}

/// The regions of one method.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    /// By scope, without [`Scope::NONE`]: each region after the one around it.
    list: Vec<RegionProbes>,
    /// The scope around each region.
    around: Vec<Scope>,
    /// By position; [`Scope::NONE`] where no instruction begins.
    scopes: Vec<Scope>,
}

impl Regions {
    /// Places `wanted` in `code`; those that cannot be go to `refused`.
    ///
    /// # Errors
    /// The code has an undefined or truncated instruction.
    pub(crate) fn new(
        code: &Code<'_>,
        mut wanted: Vec<RegionProbes>,
        refused: &mut Vec<RefusedRegion>,
    ) -> Result<Self, Error> {
        let rows = line_rows(code);
        let instructions = code.instructions().collect::<Result<Vec<_>, _>>()?;
        if instructions.iter().any(is_subroutine) {
            refuse_all(&mut wanted, refused, SkipReason::Subroutine, |_| {
                "its method has jsr or ret".to_owned()
            });
        } else if rows.is_empty() {
            refuse_all(&mut wanted, refused, SkipReason::NoSuchLines, |_| {
                "the class has no line numbers; compile it with javac -g:lines".to_owned()
            });
        }
        let line = |instruction: &Instruction<'_>| line_at(&rows, instruction.bci);
        wanted.retain(|region| {
            let lines = region.lines;
            let found = instructions.iter().filter_map(line).any(|line| lines.contains(line));
            if !found {
                refused.push(RefusedRegion {
                    lines,
                    reason: SkipReason::NoSuchLines,
                    detail: no_such_lines(lines, &rows),
                });
            }
            found
        });
        wanted.sort_by_key(|region| (region.lines.first(), std::cmp::Reverse(region.lines.last())));
        let mut regions = Self::default();
        for region in wanted {
            regions.nest(region, refused);
        }
        if !regions.list.is_empty() {
            regions.scopes.resize(code.bytes().len(), Scope::NONE);
            for instruction in &instructions {
                let scope = regions.scope_of_line(line(instruction));
                if let Some(place) = regions.scopes.get_mut(instruction.bci.0 as usize) {
                    *place = scope;
                }
            }
        }
        Ok(regions)
    }

    /// Adds a region that begins no earlier than those before it.
    fn nest(&mut self, region: RegionProbes, refused: &mut Vec<RefusedRegion>) {
        let mut around = Scope::NONE;
        for (number, other) in (1..).zip(&self.list) {
            match other.lines.relation(region.lines) {
                LinesRelation::Contains => around = Scope(number),
                LinesRelation::Apart => {}
                LinesRelation::Within | LinesRelation::Overlap => {
                    refused.push(RefusedRegion {
                        lines: region.lines,
                        reason: SkipReason::NoSuchLines,
                        detail: format!("it overlaps the region {}", other.lines),
                    });
                    return;
                }
            }
        }
        if self.list.len() < usize::from(u16::MAX) {
            self.list.push(RegionProbes { number: self.list.len(), ..region });
            self.around.push(around);
        }
    }

    fn scope_of_line(&self, line: Option<u16>) -> Scope {
        let Some(line) = line else { return Scope::NONE };
        let inner = self.list.iter().rposition(|region| region.lines.contains(line));
        inner.map_or(Scope::NONE, |at| Scope(at as u16 + 1))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The regions, each after the one around it.
    pub(crate) fn list(&self) -> &[RegionProbes] {
        &self.list
    }

    /// Whether one of them is a root.
    pub(crate) fn has_root(&self) -> bool {
        self.list.iter().any(|region| region.kind == ProbeKind::Root)
    }

    /// The scope of the instruction at a position.
    pub(crate) fn at(&self, bci: Bci) -> Scope {
        self.scopes.get(bci.0 as usize).copied().unwrap_or_default()
    }

    /// The innermost region of a scope, and the scope around it.
    pub(crate) fn innermost(&self, scope: Scope) -> Option<(&RegionProbes, Scope)> {
        let at = usize::from(scope.0).checked_sub(1)?;
        Some((self.list.get(at)?, self.around.get(at).copied().unwrap_or_default()))
    }

    /// The innermost scope that has both inside.
    pub(crate) fn common(&self, mut one: Scope, mut other: Scope) -> Scope {
        let around = |scope| self.innermost(scope).map_or(Scope::NONE, |(_, around)| around);
        // A region has a higher number than the one around it.
        while one != other {
            if one > other {
                one = around(one);
            } else {
                other = around(other);
            }
        }
        one
    }

    /// The regions of `scope` up to those of `outer`, innermost first.
    pub(crate) fn up_to(&self, scope: Scope, outer: Scope) -> Vec<RegionProbes> {
        let mut found = Vec::new();
        let mut at = scope;
        while at != outer
            && let Some((region, around)) = self.innermost(at)
        {
            found.push(*region);
            at = around;
        }
        found
    }
}

fn is_subroutine(instruction: &Instruction<'_>) -> bool {
    let opcode = instruction.widened().unwrap_or(instruction.opcode);
    matches!(opcode, opcode::JSR | opcode::JSR_W | opcode::RET)
}

fn refuse_all(
    wanted: &mut Vec<RegionProbes>,
    refused: &mut Vec<RefusedRegion>,
    reason: SkipReason,
    detail: impl Fn(LineRange) -> String,
) {
    refused.extend(wanted.drain(..).map(|RegionProbes { lines, .. }| RefusedRegion {
        lines,
        reason,
        detail: detail(lines),
    }));
}

fn no_such_lines(lines: LineRange, rows: &[LineNumber]) -> String {
    let first = rows.iter().map(|row| row.line).min().unwrap_or_default();
    let last = rows.iter().map(|row| row.line).max().unwrap_or_default();
    format!("no instruction is of the lines {lines}; the method has lines {first} to {last}")
}
