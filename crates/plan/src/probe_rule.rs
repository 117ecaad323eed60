//! What the probes of chosen methods do.

use crate::{ClassSummary, MethodSummary, Selector, SelectorError, SelectorTarget};

/// What a method's probes do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeFunction {
    /// They time each call. Neither the budget nor triviality changes that.
    Time,
    /// They count the calls.
    Count,
    /// Nothing: the method's time is its caller's.
    Off,
}

impl ProbeFunction {
    const ALL: [Self; 3] = [Self::Time, Self::Count, Self::Off];

    /// The function's name in options.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Count => "count",
            Self::Off => "off",
        }
    }
}

/// `SELECTOR=FUNCTION`: what the probes of the selected methods do. After US 6,553,564, whose hooks
/// each have functions of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeRule {
    /// The methods. It excludes nothing and names no annotation: the manifests by which methods get
    /// their modes list no annotations.
    pub selector: Selector,
    /// What their probes do.
    pub function: ProbeFunction,
}

impl std::str::FromStr for ProbeRule {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        let refuse = |problem: &str| Err(SelectorError::of_probe_rule(text, problem.to_owned()));
        let Some((selector, name)) = text.rsplit_once('=') else {
            return refuse("it has no function");
        };
        let known = ProbeFunction::ALL.into_iter().find(|known| known.as_str() == name.trim());
        let Some(function) = known else {
            return refuse("its function is none of time, count and off");
        };
        let selector: Selector = selector.parse()?;
        if selector.is_exclusion() {
            return refuse("what is excluded has no function; a later rule has precedence");
        }
        if selector.is_annotation() {
            return refuse("it cannot be by annotation");
        }
        Ok(Self { selector, function })
    }
}

impl std::fmt::Display for ProbeRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.selector, self.function.as_str())
    }
}

/// The rules of a session, in the order in which they were given. The last one that selects a
/// method has precedence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProbeRules {
    /// The rules.
    pub list: Vec<ProbeRule>,
}

/// Rules, and what their selectors name among given classes.
#[derive(Clone, Debug)]
pub struct BoundProbeRules<'r> {
    list: Vec<(&'r ProbeRule, SelectorTarget)>,
}

impl ProbeRules {
    /// The selectors, in the same order.
    pub fn selectors(&self) -> impl Iterator<Item = &Selector> {
        self.list.iter().map(|rule| &rule.selector)
    }

    /// The rules for methods of these classes.
    pub fn bind(&self, classes: &[ClassSummary]) -> BoundProbeRules<'_> {
        let target = |rule: &ProbeRule| rule.selector.resolve_target(classes);
        BoundProbeRules { list: self.list.iter().map(|rule| (rule, target(rule))).collect() }
    }
}

impl BoundProbeRules<'_> {
    /// What the probes of a method do; none where no rule selects it.
    pub fn function(&self, class: &ClassSummary, method: &MethodSummary) -> Option<ProbeFunction> {
        let rule = self.selecting(class, method).last()?;
        self.list.get(rule).map(|(rule, _)| rule.function)
    }

    /// The rules that select a method, as places in [`ProbeRules::list`].
    pub fn selecting(
        &self,
        class: &ClassSummary,
        method: &MethodSummary,
    ) -> impl Iterator<Item = usize> {
        let selects = |(rule, target): &(&ProbeRule, SelectorTarget)| {
            rule.selector.matches_class(*target, class)
                || rule.selector.matches_method(*target, class, method)
        };
        let rules = self.list.iter().enumerate();
        rules.filter(move |(_, rule)| selects(rule)).map(|(place, _)| place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(texts: &[&str]) -> ProbeRules {
        ProbeRules { list: texts.iter().map(|text| text.parse().unwrap()).collect() }
    }

    #[test]
    fn the_last_rule_that_selects_a_method_has_precedence() {
        let class = ClassSummary { name: "a/b/C".to_owned(), ..ClassSummary::default() };
        let function = |texts: &[&str], name: &str| {
            let method = MethodSummary {
                name: name.to_owned(),
                descriptor: "()V".to_owned(),
                ..MethodSummary::default()
            };
            rules(texts).bind(std::slice::from_ref(&class)).function(&class, &method)
        };
        use ProbeFunction::{Count, Off, Time};
        assert_eq!(function(&[], "run"), None);
        assert_eq!(function(&["a.**=off", "a.b.C::run=time"], "run"), Some(Time));
        assert_eq!(function(&["a.**=off", "a.b.C::run=time"], "walk"), Some(Off));
        assert_eq!(function(&["a.b.C::run=time", "a.**=off"], "run"), Some(Off));
        assert_eq!(function(&["a.b.C.run=count"], "run"), Some(Count));
        assert_eq!(function(&["a.b.C::run(I)V=count", "a.x.*=off"], "run"), None);
        let all = rules(&["a.**=off", "a.x.*=off", "a.b.C::run=time"]);
        let run = MethodSummary {
            name: "run".to_owned(),
            descriptor: "()V".to_owned(),
            ..MethodSummary::default()
        };
        let bound = all.bind(std::slice::from_ref(&class));
        assert_eq!(bound.selecting(&class, &run).collect::<Vec<_>>(), [0, 2]);
    }

    #[test]
    fn a_rule_is_a_selector_and_a_function() {
        for text in ["a.C=off", "a.C::run(I)V=count", "a.**=time"] {
            assert_eq!(text.parse::<ProbeRule>().unwrap().to_string(), text);
        }
        for (text, problem) in [
            ("a.C", "no function"),
            ("a.C=", "none of"),
            ("a.C=alloc", "none of"),
            ("a.C=Off", "none of"),
            ("!a.C=off", "excluded"),
            ("@Timed=off", "annotation"),
            ("=off", "empty"),
            ("", "no function"),
        ] {
            let error = text.parse::<ProbeRule>().unwrap_err().to_string();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
