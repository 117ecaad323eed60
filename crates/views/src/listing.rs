//! The callees of a method at the source lines that call them.

use crate::{Edge, Edges};
use jfathom_plan::{ClassHierarchy, MethodKey, MethodLines};
use jfathom_profile::{Frame, MethodIx, Profile};

/// A callee, with the places in its caller's code that may call it.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedCallee {
    /// The callee.
    pub callee: Frame,
    /// Calls, and as [`Edge::in_caller`] the time that the caller spent in them.
    pub edge: Edge,
    /// Where its calls stand.
    pub position: CallPosition,
}

/// Where the calls of a callee stand in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallPosition {
    /// All call sites that may call it have this line.
    Line(u16),
    /// The sites that may call it have these lines, ascending.
    OneOf(Vec<u16>),
    /// The code calls it, and has no lines.
    NoLines,
    /// No call site names it: methods without probes lie between, or the JVM calls it.
    NoSite,
    /// The caller's code is not known.
    Unknown,
}

/// The callees of `method`, the costliest first; its recursive calls come last. `lines` is its
/// code, if that is known. A site is taken to call any method with the name and descriptor that it
/// names, unless `hierarchy` shows that no object has both classes. Constructors are those of the
/// named class.
pub fn listed_callees(
    profile: &Profile,
    edges: &Edges,
    method: MethodIx,
    lines: Option<&MethodLines>,
    hierarchy: &ClassHierarchy,
) -> Vec<ListedCallee> {
    let own = Frame::Method(method);
    let recursive = edges
        .all()
        .filter(|(caller, callee, _)| *caller == Some(own) && *callee == own)
        .map(|(_, callee, edge)| (callee, *edge));
    let callees = edges.stanza(method).callees.into_iter().chain(recursive);
    let position = |callee: Frame| {
        let Frame::Method(callee) = callee else { return CallPosition::NoSite };
        let method = profile.methods.get(callee.0 as usize).filter(|of| !of.info.is_sign());
        let key = method.map(|method| &method.info.key);
        match (lines, key) {
            (Some(lines), Some(key)) => position(key, lines, hierarchy),
            _ => CallPosition::Unknown,
        }
    };
    callees
        .map(|(callee, edge)| ListedCallee { callee, edge, position: position(callee) })
        .collect()
}

fn position(callee: &MethodKey, lines: &MethodLines, hierarchy: &ClassHierarchy) -> CallPosition {
    let may_call = |target: &MethodKey| {
        target.name == callee.name
            && target.descriptor == callee.descriptor
            && match &*callee.name {
                "<init>" => target.class == callee.class,
                _ => !hierarchy.are_unrelated(&target.class, &callee.class),
            }
    };
    let found: Vec<Option<u16>> =
        lines.sites.iter().filter(|site| may_call(&site.target)).map(|site| site.line).collect();
    let mut known: Vec<u16> = found.iter().flatten().copied().collect();
    known.sort_unstable();
    known.dedup();
    match (&*known, found.contains(&None)) {
        (_, false) if found.is_empty() => CallPosition::NoSite,
        ([line], false) => CallPosition::Line(*line),
        ([], _) => CallPosition::NoLines,
        _ => CallPosition::OneOf(known),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_plan::CallSite;

    fn key(class: &str, name: &str) -> MethodKey {
        let [class, name, descriptor] = [class, name, "()V"].map(str::to_owned);
        MethodKey { class, name, descriptor }
    }

    fn lines(sites: &[(&str, &str, u16)]) -> MethodLines {
        let site = |(class, name, line): &(&str, &str, u16)| CallSite {
            bci: 0,
            line: Some(*line).filter(|line| *line > 0),
            target: key(class, name),
        };
        MethodLines { lines: Vec::new(), sites: sites.iter().map(site).collect() }
    }

    #[test]
    fn a_line_is_certain_only_if_all_sites_have_it() {
        let mut classes = ClassHierarchy::default();
        for class in ["A", "B"] {
            classes.add(class.to_owned(), Some("java/lang/Object".to_owned()), false);
        }
        let of = |callee: MethodKey, sites: &[(&str, &str, u16)]| {
            position(&callee, &lines(sites), &classes)
        };
        let run = || key("A", "run");
        assert_eq!(of(run(), &[("A", "run", 3), ("B", "run", 4)]), CallPosition::Line(3));
        assert_eq!(of(run(), &[("A", "run", 3), ("A", "run", 3)]), CallPosition::Line(3));
        let one_of = CallPosition::OneOf(vec![2, 3]);
        assert_eq!(of(run(), &[("A", "run", 3), ("Unknown", "run", 2)]), one_of);
        assert_eq!(of(run(), &[("A", "go", 3)]), CallPosition::NoSite);
        assert_eq!(of(run(), &[("A", "run", 0)]), CallPosition::NoLines);
        let unsure = of(run(), &[("A", "run", 0), ("A", "run", 5)]);
        assert_eq!(unsure, CallPosition::OneOf(vec![5]));
        let constructor = key("A", "<init>");
        let sites = [("Unknown", "<init>", 3), ("A", "<init>", 4)];
        assert_eq!(of(constructor, &sites), CallPosition::Line(4));
    }
}
