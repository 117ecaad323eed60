//! Which methods a root brings with it: the scheme, and the call-graph algorithm behind it.

use crate::error::{Error, Result, usage};
use jfathom_plan::{CallGraph, Scheme};

/// How the methods that a root can call are found ahead of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// By rapid type analysis.
    #[default]
    Rta,
    /// By class hierarchy analysis.
    Cha,
    /// Not at all: every selected method is instrumented.
    Total,
}

impl Reach {
    /// The reach of a scheme. `call_graph` is the algorithm, if one was requested.
    ///
    /// # Errors
    /// Fails if the scheme has no call graph and one was requested, or if it is a live one.
    pub fn new(scheme: Scheme, call_graph: Option<CallGraph>) -> Result<Self> {
        match (scheme, call_graph) {
            (Scheme::Total, None) => Ok(Self::Total),
            (Scheme::Total, Some(_)) => Err(total_without("--scheme cha")),
            (Scheme::Static, None | Some(CallGraph::Rta)) => Ok(Self::Rta),
            (Scheme::Static, Some(CallGraph::Cha)) => Ok(Self::Cha),
            (Scheme::Lazy | Scheme::Eager, _) => Err(usage(format!(
                "--scheme {scheme} instruments while the program runs: only `record` has it; the \
                 schemes here are static and total"
            ))),
        }
    }
}

/// The error about an option that needs a call graph, given with `--scheme total`.
pub(crate) fn total_without(option: &str) -> Error {
    usage(format!(
        "--scheme total instruments every selected method, so there is no call graph for {option}; \
         leave one out"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_graph_needs_the_static_scheme() {
        let reach = |scheme, call_graph| Reach::new(scheme, call_graph).ok();
        assert_eq!(reach(Scheme::Static, None), Some(Reach::Rta));
        assert_eq!(reach(Scheme::Static, Some(CallGraph::Rta)), Some(Reach::Rta));
        assert_eq!(reach(Scheme::Static, Some(CallGraph::Cha)), Some(Reach::Cha));
        assert_eq!(reach(Scheme::Total, None), Some(Reach::Total));
        for call_graph in [CallGraph::Rta, CallGraph::Cha] {
            let error = Reach::new(Scheme::Total, Some(call_graph)).unwrap_err();
            assert!(error.is_usage() && error.to_string().contains("--scheme cha"), "{error}");
        }
    }

    #[test]
    fn schemes_of_live_sessions_are_refused() {
        for scheme in [Scheme::Lazy, Scheme::Eager] {
            let error = Reach::new(scheme, None).unwrap_err().to_string();
            assert!(error.contains("only `record`") && error.contains("static and total"));
        }
    }
}
