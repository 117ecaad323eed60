//! Findings of a gate: one limit held against one root, ratio or method each.

use super::{
    gate::{error_of_growth, growth_of_column, percent},
    names::Names,
    texts::{nanos, number, ratio},
};
use crate::{
    location::{Location, location},
    number::{counted, grouped},
};
use jfathom_compare::{
    COLUMNS, CallsVerdict, Column, ColumnVerdict, Gate, Limits, MethodSet, RatioVerdict, RootDiff,
    RootKind, RootVerdict, Verdict,
};
use jfathom_profile::Method;
use jfathom_views::Comparison;

/// What a limit is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Time,
    Column(&'static Column),
    Ratio,
    Calls,
    Growth,
}

impl Rule {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let columns = COLUMNS.iter().map(Self::Column);
        [Self::Time].into_iter().chain(columns).chain([Self::Ratio, Self::Calls, Self::Growth])
    }

    pub(crate) const fn id(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Column(column) => column.key,
            Self::Ratio => "ratio",
            Self::Calls => "calls",
            Self::Growth => "growth",
        }
    }

    /// What is limited, in words.
    pub(crate) const fn what(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Column(column) => column.name,
            Self::Ratio | Self::Calls | Self::Growth => "calls",
        }
    }
}

/// How a finding stands to its limit, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// It fails the gate.
    Beyond,
    InDoubt,
    Within,
    Negligible,
}

impl Outcome {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Beyond => "beyond the limit",
            Self::InDoubt => "in doubt",
            Self::Within => "within",
            Self::Negligible => "negligible",
        }
    }
}

/// One limit and what was found.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) rule: Rule,
    pub(crate) outcome: Outcome,
    /// The root, the ratio or the method. Unprintable characters are not escaped.
    pub(crate) subject: String,
    /// The baseline's number. None for a ratio.
    pub(crate) base: Option<String>,
    pub(crate) new: String,
    /// The growth, or the calls behind a ratio.
    pub(crate) change: String,
    pub(crate) limit: String,
    /// Where the method is in the sources, if the class file says so.
    pub(crate) location: Option<Location>,
}

impl Finding {
    pub(crate) fn sentence(&self) -> String {
        let Self { rule, subject, new, change, limit, .. } = self;
        let base = self.base.as_ref().map_or(String::new(), |base| format!(" from {base}"));
        let in_doubt = match self.outcome {
            Outcome::InDoubt if self.rule != Rule::Growth => "; that may be chance",
            _ => "",
        };
        format!("{} of {subject}: {new}{base} ({change}), allowed {limit}{in_doubt}", rule.what())
    }
}

/// The findings, the worst first. Methods within the limit of calls are only counted
/// ([`Gate::calls_within`]).
pub(crate) fn findings(compared: &Comparison<'_>, gate: &Gate) -> Vec<Finding> {
    let names = Names::of(compared);
    let roots = gate.roots.iter().map(|root| of_root(compared, gate, &names, root));
    let columns = gate.columns.iter().map(|root| of_column(compared, gate, &names, root));
    let ratios = gate.ratios.iter().filter_map(|ratio| of_ratio(compared, gate, ratio));
    let calls = gate.calls_exceeded.iter().map(|calls| of_calls(compared, gate, &names, calls));
    let mut findings: Vec<Finding> = roots.chain(columns).chain(ratios).chain(calls).collect();
    findings.sort_by_key(|finding| finding.outcome);
    findings
}

fn outcome(gate: &Gate, verdict: Verdict) -> Outcome {
    match verdict {
        _ if gate.fails(verdict) => Outcome::Beyond,
        Verdict::Exceeded | Verdict::Inconclusive => Outcome::InDoubt,
        Verdict::Within => Outcome::Within,
        Verdict::Negligible => Outcome::Negligible,
    }
}

fn of_root(compared: &Comparison<'_>, gate: &Gate, names: &Names, found: &RootVerdict) -> Finding {
    let root = &compared.diff.roots[found.root];
    let [base, new] = root.lower_half_nanos().map(nanos);
    let mut change = format!("{:+.1} %", found.growth * 100.0);
    if let Some(growth) = found.changed_growth {
        change += &format!(", {:+.1} % by changed methods", growth * 100.0);
    }
    if let Some(p_value) = found.p_value {
        change += &format!(", p-value {}", percent(p_value));
    }
    Finding {
        rule: Rule::Time,
        outcome: outcome(gate, found.verdict),
        subject: subject(root, names),
        base: Some(base),
        new,
        change,
        limit: gate.limits.time.map_or_else(String::new, Limits::share_text),
        location: located(compared, &[root.method]),
    }
}

fn of_column(
    compared: &Comparison<'_>,
    gate: &Gate,
    names: &Names,
    found: &ColumnVerdict,
) -> Finding {
    let root = &compared.diff.roots[found.root];
    let [base, new] = found.sides.map(|of| number(found.column, of));
    let mut change = growth_of_column(found);
    if found.column.has_bar {
        change += &format!(" {}", error_of_growth(found));
    }
    if let Some(p_value) = found.p_value {
        change += &format!(", p-value {}", percent(p_value));
    }
    Finding {
        rule: Rule::Column(found.column),
        outcome: outcome(gate, found.verdict),
        subject: subject(root, names),
        base: Some(base),
        new,
        change,
        limit: gate.limits.of_column(found.column).map_or_else(String::new, Limits::share_text),
        location: located(compared, &[root.method]),
    }
}

/// What a root is called.
fn subject(root: &RootDiff, names: &Names) -> String {
    let name = names.on(1, root.method);
    match root.kind {
        RootKind::Method => name.to_owned(),
        RootKind::Task => format!("spawned from {name}"),
    }
}

fn of_ratio(compared: &Comparison<'_>, gate: &Gate, found: &RatioVerdict) -> Option<Finding> {
    let limit = gate.limits.ratios.get(found.limit)?;
    let method = [compared.new, compared.base].into_iter().find_map(|profile| {
        let set = MethodSet::new(&profile.methods, std::slice::from_ref(&limit.of)).ok()?;
        Some(profile.method(set.methods().next()?))
    });
    Some(Finding {
        rule: Rule::Ratio,
        outcome: outcome(gate, found.verdict),
        subject: format!("{} per {}", limit.of, limit.per),
        base: None,
        new: ratio(found.ratio()),
        change: format!("{} / {} calls", grouped(found.of), grouped(found.per)),
        limit: limit.max.to_string(),
        location: method.and_then(|method| location(&method.info)),
    })
}

fn of_calls(
    compared: &Comparison<'_>,
    gate: &Gate,
    names: &Names,
    found: &CallsVerdict,
) -> Finding {
    let subject: Vec<&str> = found.methods.iter().map(|place| names.on(1, *place)).collect();
    Finding {
        rule: Rule::Calls,
        outcome: Outcome::Beyond,
        subject: subject.join(", "),
        base: Some(counted(found.base, "call", "calls")),
        new: counted(found.new, "call", "calls"),
        change: format!("+{}", grouped(found.new - found.base)),
        limit: gate.limits.calls.map_or_else(String::new, |limit| limit.to_string()),
        location: located(compared, &found.methods),
    }
}

/// Where the first of some methods is in the candidate's sources, or in the baseline's.
fn located(compared: &Comparison<'_>, methods: &[usize]) -> Option<Location> {
    let found = compared.diff.methods.get(*methods.first()?)?;
    let new = found.new.map(|at| compared.new.method(at));
    let method: &Method = new.or_else(|| found.base.map(|at| compared.base.method(at)))?;
    location(&method.info)
}
