//! What the probes of chosen methods do.

use crate::{
    ClassSummary, MethodSummary, Selector, SelectorError, SelectorTarget, selector::Expected,
};
use std::num::NonZeroU32;

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

/// How the walk of stacks is asked for: `time+stack/100`.
const STACK: &str = "stack/";
/// How the column of allocated bytes is asked for: `time+alloc`.
const ALLOC: &str = "alloc";
/// How latencies are asked for: `time+latency`.
const LATENCY: &str = "latency";
/// A column that no rule can ask for.
const CPU: &str = "cpu";

/// `SELECTOR=FUNCTION`, with `+alloc`, `+latency` or `+stack/N` after it: what the probes of the
/// selected methods do. After US 6,553,564, whose hooks each have functions of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeRule {
    /// The methods. It excludes nothing and names no annotation: the manifests by which methods get
    /// their modes list no annotations.
    pub selector: Selector,
    /// What their probes do.
    pub function: ProbeFunction,
    /// At each call of so many the stack is walked; none if it never is. Not of methods that are
    /// off.
    pub stack_interval: Option<NonZeroU32>,
    /// Whether each call reads what its thread has allocated. Only of methods that are timed.
    pub reads_alloc: bool,
    /// Whether it is kept how long each call takes. Only of methods that are timed.
    pub keeps_latency: bool,
}

impl ProbeRule {
    /// Whether it asks of a probe what an entry alone cannot do.
    pub fn needs_time(&self) -> bool {
        self.function == ProbeFunction::Time || self.stack_interval.is_some()
    }
}

/// What follows a function.
#[derive(Clone, Copy, Debug, Default)]
struct Extras {
    stack_interval: Option<NonZeroU32>,
    reads_alloc: bool,
    keeps_latency: bool,
}

impl Extras {
    /// Reads the parts behind a function. An error says what is wrong.
    fn parse(parts: std::str::Split<'_, char>) -> Result<Self, &'static str> {
        let mut extras = Self::default();
        for part in parts.map(str::trim) {
            let interval = part.strip_prefix(STACK).and_then(|n| n.parse::<NonZeroU32>().ok());
            match (part, interval) {
                (ALLOC, _) if !extras.reads_alloc => extras.reads_alloc = true,
                (LATENCY, _) if !extras.keeps_latency => extras.keeps_latency = true,
                (CPU, _) => {
                    return Err(
                        "times of the processor cannot be read by selector: --metrics cpu \
                                reads them in all methods that are timed",
                    );
                }
                (_, Some(interval)) if extras.stack_interval.is_none() => {
                    extras.stack_interval = Some(interval);
                }
                _ => {
                    return Err(
                        "only alloc, latency and stack/N, with an N of 1 and more, can follow \
                                a `+`, each once",
                    );
                }
            }
        }
        Ok(extras)
    }

    /// Why a function cannot have them; none if it can.
    fn refused_by(self, function: ProbeFunction) -> Option<&'static str> {
        match function {
            ProbeFunction::Off if self.stack_interval.is_some() => {
                Some("the stacks of methods that are off cannot be walked")
            }
            ProbeFunction::Off | ProbeFunction::Count if self.reads_alloc => {
                Some("only methods that are timed can read what they allocate: time+alloc")
            }
            ProbeFunction::Off | ProbeFunction::Count if self.keeps_latency => {
                Some("only methods that are timed have latencies: time+latency")
            }
            _ => None,
        }
    }
}

impl std::str::FromStr for ProbeRule {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        let refuse =
            |problem: &'static str| Err(SelectorError::new(text, Expected::ProbeRule, problem));
        let Some((selector, name)) = text.rsplit_once('=') else {
            return refuse("it has no function");
        };
        let mut parts = name.split('+');
        let name = parts.next().unwrap_or_default();
        let known = ProbeFunction::ALL.into_iter().find(|known| known.as_str() == name.trim());
        let Some(function) = known else {
            return refuse("its function is none of time, count and off");
        };
        let extras = match Extras::parse(parts) {
            Ok(extras) => extras,
            Err(problem) => return refuse(problem),
        };
        if let Some(problem) = extras.refused_by(function) {
            return refuse(problem);
        }
        let Extras { stack_interval, reads_alloc, keeps_latency } = extras;
        let selector: Selector = selector.parse()?;
        if selector.is_exclusion() {
            return refuse("what is excluded has no function; a later rule has precedence");
        }
        if selector.is_annotation() {
            return refuse("it cannot be by annotation");
        }
        Ok(Self { selector, function, stack_interval, reads_alloc, keeps_latency })
    }
}

impl std::fmt::Display for ProbeRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.selector, self.function.as_str())?;
        if self.reads_alloc {
            write!(f, "+{ALLOC}")?;
        }
        if self.keeps_latency {
            write!(f, "+{LATENCY}")?;
        }
        self.stack_interval.map_or(Ok(()), |interval| write!(f, "+{STACK}{interval}"))
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
    /// So many different intervals a session's table has room for.
    pub const MOST_INTERVALS: usize = 16;

    /// The selectors, in the same order.
    pub fn selectors(&self) -> impl Iterator<Item = &Selector> {
        self.list.iter().map(|rule| &rule.selector)
    }

    /// The intervals at which rules walk stacks, each once, in the order of the rules. A session
    /// has a table of them.
    pub fn stack_intervals(&self) -> Vec<NonZeroU32> {
        let mut intervals = Vec::new();
        for interval in self.list.iter().filter_map(|rule| rule.stack_interval) {
            if !intervals.contains(&interval) {
                intervals.push(interval);
            }
        }
        intervals
    }

    /// Whether any rule has calls read what their thread has allocated.
    pub fn reads_alloc(&self) -> bool {
        self.list.iter().any(|rule| rule.reads_alloc)
    }

    /// The same rules without walks of stacks.
    #[must_use]
    pub fn without_stacks(&self) -> Self {
        let rules = self.list.iter().cloned();
        Self { list: rules.map(|rule| ProbeRule { stack_interval: None, ..rule }).collect() }
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
        self.rule(class, method).map(|rule| rule.function)
    }

    /// At each call of how many of a method the stack is walked; none if it never is. Of a root,
    /// too, whose function no rule changes.
    pub fn stack_interval(
        &self,
        class: &ClassSummary,
        method: &MethodSummary,
    ) -> Option<NonZeroU32> {
        self.rule(class, method)?.stack_interval
    }

    /// Whether each call of a method reads what its thread has allocated. Roots do in any case.
    pub fn reads_alloc(&self, class: &ClassSummary, method: &MethodSummary) -> bool {
        self.rule(class, method).is_some_and(|rule| rule.reads_alloc)
    }

    /// Whether it is kept how long each call of a method takes. Roots and tasks have that always.
    pub fn keeps_latency(&self, class: &ClassSummary, method: &MethodSummary) -> bool {
        self.rule(class, method).is_some_and(|rule| rule.keeps_latency)
    }

    /// The rule of a method.
    fn rule(&self, class: &ClassSummary, method: &MethodSummary) -> Option<&ProbeRule> {
        let rule = self.selecting(class, method).last()?;
        self.list.get(rule).map(|(rule, _)| *rule)
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
    fn intervals_of_walks_are_there_once() {
        let all = rules(&["a.C=time+stack/7", "a.D=count+stack/3", "a.E=time+stack/7", "a.F=off"]);
        let intervals: Vec<u32> = all.stack_intervals().into_iter().map(u32::from).collect();
        assert_eq!(intervals, [7, 3]);
        let class = |name: &str| ClassSummary { name: name.to_owned(), ..ClassSummary::default() };
        let classes = [class("a/C"), class("a/F")];
        let interval = |rules: ProbeRules, class: &ClassSummary| {
            let method = MethodSummary { name: "run".to_owned(), ..MethodSummary::default() };
            rules.bind(&classes).stack_interval(class, &method).map(u32::from)
        };
        assert_eq!(interval(all.clone(), &classes[0]), Some(7));
        assert_eq!(interval(all, &classes[1]), None);
        // The last rule has precedence as a whole.
        assert_eq!(interval(rules(&["a.C=time+stack/7", "a.*=time"]), &classes[0]), None);
    }

    #[test]
    fn the_last_rule_says_whether_a_method_reads() {
        let class = ClassSummary { name: "a/C".to_owned(), ..ClassSummary::default() };
        let reads = |texts: &[&str]| {
            let method = MethodSummary { name: "run".to_owned(), ..MethodSummary::default() };
            let rules = rules(texts);
            let of = rules.bind(std::slice::from_ref(&class)).reads_alloc(&class, &method);
            (rules.reads_alloc(), of)
        };
        assert_eq!(reads(&["a.C=time"]), (false, false));
        assert_eq!(reads(&["a.*=time+alloc"]), (true, true));
        assert_eq!(reads(&["a.*=time+alloc", "a.C=time"]), (true, false));
        assert_eq!(reads(&["a.D=time+alloc"]), (true, false));
        assert!(rules(&["a.*=time+alloc+stack/2"]).without_stacks().reads_alloc());
    }

    #[test]
    fn a_rule_is_a_selector_and_a_function() {
        for text in [
            "a.C=off",
            "a.C::run(I)V=count",
            "a.**=time",
            "a.C=count+stack/1",
            "a.C::`b=time`=off",
            "a.C=time+alloc",
            "a.C=time+alloc+stack/9",
            "a.C=time+latency",
            "a.C=time+alloc+latency+stack/9",
        ] {
            assert_eq!(text.parse::<ProbeRule>().unwrap().to_string(), text);
        }
        let any_order = "a.C=time + stack/9 + alloc".parse::<ProbeRule>().unwrap();
        assert_eq!(any_order.to_string(), "a.C=time+alloc+stack/9");
        for (text, problem) in [
            ("a.C", "no function"),
            ("a.C=", "none of"),
            ("a.C=alloc", "none of"),
            ("a.C=Off", "none of"),
            ("!a.C=off", "excluded"),
            ("@Timed=off", "annotation"),
            ("=off", "empty"),
            ("", "no function"),
            ("a.C=time+", "stack/N"),
            ("a.C=time+stack", "stack/N"),
            ("a.C=time+stack/0", "stack/N"),
            ("a.C=time+stack/-1", "stack/N"),
            ("a.C=time+stack/4294967296", "stack/N"),
            ("a.C=time+stack/2+stack/3", "stack/N"),
            ("a.C=stack/2", "none of"),
            ("a.C=off+stack/2", "off"),
            ("a.C=off+alloc", "timed"),
            ("a.C=count+alloc", "timed"),
            ("a.C=count+latency", "timed"),
            ("a.C=off+latency", "timed"),
            ("a.C=time+latency+latency", "once"),
            ("a.C=count+stack/2+alloc", "timed"),
            ("a.C=time+alloc+alloc", "once"),
            ("a.C=time+cpu", "--metrics cpu"),
            ("a.C=alloc+time", "none of"),
        ] {
            let error = text.parse::<ProbeRule>().unwrap_err().to_string();
            assert!(error.contains(problem), "{text}: {error}");
        }
    }
}
