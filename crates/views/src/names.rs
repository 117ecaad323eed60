//! Methods as people write them.

use jfathom_plan::{
    MethodKey, printable, quoted_class, quoted_name, resumed_method, resumption_name,
};
use jfathom_profile::{Frame, Method, MethodIx, Profile, ThreadIx};
use std::{borrow::Cow, collections::HashMap};

use crate::differences::Difference;
use crate::number::grouped;

/// The name of summary nodes, which stand for nodes that were folded (`record --tune memory=SIZE`).
const FOLDED: &str = "(folded)";

/// The name of nodes between a method and what was called below it, perhaps not by it.
pub const BETWEEN: &str = "⋯";

/// What [`BETWEEN`] means.
pub const BETWEEN_LEGEND: &str = "⋯ stands for calls that were counted and not timed: what is below \
                                  it was called below the method above it, not always by itself";

/// The name of a summary node that stands for so many nodes: `(folded: 12,345 nodes)`.
pub(crate) fn folded(nodes: u64) -> String {
    let unit = if nodes == 1 { "node" } else { "nodes" };
    format!("(folded: {} {unit})", grouped(nodes))
}

/// The readable names of a profile's methods: `com.acme.Engine::run`, with parameters only where
/// the profile has another method of that class and name, and with what they return only where it
/// has another one with these as well. What counts resumptions has no method's name:
/// `com.acme.Engine::run:resumed`.
#[derive(Debug)]
pub struct Names(Vec<String>);

impl Names {
    /// The names of a profile's methods, in their order; `?7` is an id that no manifest explains.
    pub fn of(methods: &[Method]) -> Self {
        let mut overloads: HashMap<(&str, &str), u32> = HashMap::new();
        for Method { info, .. } in methods {
            *overloads.entry((&info.key.class, &info.key.name)).or_default() += 1;
        }
        let name = |method: &Method| {
            let key = &method.info.key;
            if method.info.is_folded() {
                return FOLDED.to_owned();
            }
            if method.info.is_between() {
                return BETWEEN.to_owned();
            }
            if key.class.is_empty() {
                return format!("?{}", method.id);
            }
            let parameters = match overloads.get(&(&*key.class, &*key.name)) {
                Some(2..) => parameters(&key.descriptor),
                _ => String::new(),
            };
            let name = match resumed_method(&key.name).filter(|_| method.info.resumes) {
                Some(resumed) => resumption_name(&quoted_name(resumed)).into(),
                None => quoted_name(&key.name),
            };
            format!("{}::{name}{parameters}", quoted_class(&key.class))
        };
        let plain: Vec<String> = methods.iter().map(name).collect();
        let mut seen: HashMap<&str, u32> = HashMap::new();
        plain.iter().for_each(|name| *seen.entry(name).or_default() += 1);
        // A bridge has the name and parameters of the method that it leads to.
        let whole =
            |(name, method): (&String, &Method)| match return_type(&method.info.key.descriptor) {
                Some(returned) if seen[&**name] > 1 => format!("{name}: {}", printable(&returned)),
                _ => name.clone(),
            };
        Self(plain.iter().zip(methods).map(whole).collect())
    }

    /// The name of a method.
    pub fn method(&self, method: MethodIx) -> &str {
        self.0.get(method.0 as usize).map_or("?", String::as_str)
    }

    /// The name of a frame: a thread's, a method's, or the root's that spawned a task.
    pub fn frame(&self, profile: &Profile, frame: Frame) -> String {
        match frame {
            Frame::Thread(thread) => thread_name(profile, thread),
            Frame::Method(method) => self.method(method).to_owned(),
            Frame::Task(root) => format!("spawned from {}", self.method(root)),
        }
    }

    /// The names of a call path's frames, outermost first. A method that calls itself has one name
    /// with the number of its levels. Of more than 64 names those in the middle are one, which
    /// says how many frames they are.
    pub fn path(&self, profile: &Profile, path: &[Frame]) -> Vec<String> {
        let levels: Vec<&[Frame]> = path.chunk_by(|caller, callee| caller == callee).collect();
        let name = |levels: &&[Frame]| match levels {
            [] => String::new(),
            [only] => self.frame(profile, *only),
            [first, ..] => format!("{} ×{} levels", self.frame(profile, *first), levels.len()),
        };
        if levels.len() <= OUTERMOST + INNERMOST {
            return levels.iter().map(name).collect();
        }
        let (outer, rest) = levels.split_at(OUTERMOST);
        let (middle, inner) = rest.split_at(rest.len() - INNERMOST);
        let hidden = frames_left_off(middle.iter().map(|levels| levels.len()).sum());
        outer.iter().map(name).chain(hidden).chain(inner.iter().map(name)).collect()
    }

    /// The names of the call path of a difference, outermost first; none for the call itself.
    pub fn difference(&self, profile: &Profile, of: &Difference) -> Vec<String> {
        let hidden = frames_left_off(of.frames_left_off);
        hidden.into_iter().chain(self.path(profile, &of.path)).collect()
    }
}

/// Names of a deep call path that are kept: those at its beginning and at its end.
const OUTERMOST: usize = 8;
const INNERMOST: usize = 56;

/// What stands for frames that are not named; none if all are.
fn frames_left_off(frames: usize) -> Option<String> {
    (frames > 0)
        .then(|| format!("… {} …", crate::number::counted(frames as u64, "frame", "frames")))
}

/// A method with the simple names of its parameters: `com.acme.Engine::run(int, String[])`.
pub fn method_with_parameters(key: &MethodKey) -> String {
    let (class, name) = (quoted_class(&key.class), quoted_name(&key.name));
    format!("{class}::{name}{}", parameters(&key.descriptor))
}

/// `thread main #1`, or `virtual threads`; with the JVM's pid where the profile has several.
pub fn thread_name(profile: &Profile, thread: ThreadIx) -> String {
    let Some(facts) = profile.threads.get(thread.0 as usize) else { return "thread ?".to_owned() };
    let name = match facts.is_virtual() {
        true => printable(&facts.name).into_owned(),
        false if facts.name.is_empty() => format!("thread without a name #{}", facts.sequence),
        false => format!("thread {} #{}", printable(&facts.name), facts.sequence),
    };
    match profile.meta.jvms.get(facts.jvm as usize) {
        Some(jvm) if profile.meta.jvms.len() > 1 => format!("{name} of JVM {}", jvm.pid),
        _ => name,
    }
}

/// `(ILjava/lang/String;[J)V` as `(int, String, long[])`; a descriptor that is none stays as it is.
fn parameters(descriptor: &str) -> String {
    let Some(mut rest) = descriptor.strip_prefix('(') else { return descriptor.to_owned() };
    let mut list = Vec::new();
    while !rest.starts_with(')') {
        let Some((name, after)) = type_name(rest) else { return descriptor.to_owned() };
        list.push(name);
        rest = after;
    }
    format!("({})", list.join(", "))
}

/// `()Ljava/lang/String;` as `String`; none where it is no descriptor.
fn return_type(descriptor: &str) -> Option<String> {
    let (_, returned) = descriptor.rsplit_once(')')?;
    if returned == "V" { Some("void".to_owned()) } else { Some(type_name(returned)?.0) }
}

/// The first type of a descriptor, and what follows it.
fn type_name(descriptor: &str) -> Option<(String, &str)> {
    let element = descriptor.trim_start_matches('[');
    let dimensions = descriptor.len() - element.len();
    let (name, length) = match element.as_bytes().first()? {
        b'B' => (Cow::Borrowed("byte"), 1),
        b'C' => (Cow::Borrowed("char"), 1),
        b'D' => (Cow::Borrowed("double"), 1),
        b'F' => (Cow::Borrowed("float"), 1),
        b'I' => (Cow::Borrowed("int"), 1),
        b'J' => (Cow::Borrowed("long"), 1),
        b'S' => (Cow::Borrowed("short"), 1),
        b'Z' => (Cow::Borrowed("boolean"), 1),
        b'L' => {
            let end = element.find(';')?;
            let simple = element[1..end].rsplit(['/', '$']).next().unwrap_or_default();
            (quoted_name(simple), end + 1)
        }
        _ => return None,
    };
    Some((format!("{name}{}", "[]".repeat(dimensions.min(255))), &element[length..]))
}

/// Shortens a name to `width` characters. The class and the method stay longest: packages become
/// initials, from the left, then go; then parameters; then words before the name, as in `park of
/// java.util.concurrent.FutureTask`; then the middle.
pub fn fit(name: &str, width: usize) -> String {
    let length = |text: &str| text.chars().count();
    if length(name) <= width {
        return name.to_owned();
    }
    let class_end = name.find("::").unwrap_or(name.len());
    let package_end = name[..class_end].rfind('.').map_or(0, |dot| dot + 1);
    let is_word = |c: char| c.is_alphabetic() || matches!(c, ' ' | '-');
    let blank = name[..package_end].rfind(' ').filter(|blank| name[..*blank].chars().all(is_word));
    let package_begin = blank.map_or(0, |blank| blank + 1);
    let (words, package) = name[..package_end].split_at(package_begin);
    let rest = &name[package_end..];
    let short = format!("{words}{}{rest}", initials(package, length(name) - width));
    if length(&short) <= width {
        return short;
    }
    let without_parameters = match rest.find('(') {
        Some(at) if !rest.ends_with("()") => format!("{}(…)", &rest[..at]),
        _ => rest.to_owned(),
    };
    for words in [words, ""] {
        for rest in [rest, &without_parameters] {
            if length(words) + length(rest) <= width {
                return format!("{words}{rest}");
            }
        }
    }
    middle(&without_parameters, width)
}

/// A package with its first names as initials, as many as it takes to save `excess` characters.
fn initials(package: &str, mut excess: usize) -> String {
    let mut short = String::with_capacity(package.len());
    let mut rest = package;
    while excess > 0
        && let Some(dot) = rest.find('.')
    {
        let initial = rest.chars().next().map_or(0, char::len_utf8).min(dot);
        short.push_str(&rest[..initial]);
        short.push('.');
        excess = excess.saturating_sub(rest[initial..dot].chars().count());
        rest = &rest[dot + 1..];
    }
    short.push_str(rest);
    short
}

/// A text without its middle, which is where two names of one class differ least.
fn middle(text: &str, width: usize) -> String {
    let all: Vec<char> = text.chars().collect();
    let kept = width.saturating_sub(1);
    let front = kept / 3;
    let back = kept - front;
    let start: String = all.iter().take(front).collect();
    let end: String = all.iter().skip(all.len().saturating_sub(back)).collect();
    format!("{start}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_only_where_names_clash() {
        let method = |id, class: &str, name: &str, descriptor: &str| {
            jfathom_testkit::small_profile::method(id, class, name, descriptor)
        };
        let names = Names::of(&[
            method(0, "a/b/C$D", "run", "()V"),
            method(1, "a/b/C$D", "go", "(I)V"),
            method(2, "a/b/C$D", "go", "([[JLjava/util/Map$Entry;)V"),
            method(77, "", "method 77", ""),
            method(3, "a/b/E", "call", "()Ljava/lang/Long;"),
            method(4, "a/b/E", "call", "()Ljava/lang/Object;"),
            method(5, "a/b/E", "call", "()V"),
        ]);
        assert_eq!(names.method(MethodIx(0)), "a.b.C$D::run");
        assert_eq!(names.method(MethodIx(1)), "a.b.C$D::go(int)");
        assert_eq!(names.method(MethodIx(2)), "a.b.C$D::go(long[][], Entry)");
        assert_eq!(names.method(MethodIx(3)), "?77");
        let bridged = [4, 5, 6].map(|at| names.method(MethodIx(at)));
        assert_eq!(
            bridged,
            ["a.b.E::call(): Long", "a.b.E::call(): Object", "a.b.E::call(): void"]
        );
        assert_eq!(names.method(MethodIx(7)), "?");
    }

    #[test]
    fn the_middle_of_a_deep_path_is_a_number() {
        let profile = jfathom_testkit::small_profile::profile();
        let names = Names::of(&profile.methods);
        let method = |of: u32| Frame::Method(MethodIx(of));
        let path = |frames: u32| (0..frames).map(|at| method(at % 2)).collect::<Vec<_>>();
        assert_eq!(names.path(&profile, &path(64)).len(), 64);
        let deep = names.path(&profile, &path(1_065));
        assert_eq!((deep.len(), &*deep[8]), (65, "… 1,001 frames …"));
        let recursion = [[method(0); 1].as_slice(), &[method(2); 9_000]].concat();
        let expected = ["com.acme.Engine::run", "com.acme.Engine::step(long) ×9000 levels"];
        assert_eq!(names.path(&profile, &recursion), expected);
        assert_eq!(names.path(&profile, &[]), [""; 0]);
    }

    #[test]
    fn parameters_have_simple_names() {
        for (descriptor, text) in [
            ("()V", "()"),
            ("(I[[JLjava/lang/String;[La/B$C;Z)V", "(int, long[][], String, C[], boolean)"),
            ("(LLong;)V", "(Long)"),
        ] {
            let [class, name, descriptor] = ["a/B", "c", descriptor].map(str::to_owned);
            let key = MethodKey { class, name, descriptor };
            assert_eq!(method_with_parameters(&key), format!("a.B::c{text}"));
        }
    }

    #[test]
    fn broken_descriptors_stay() {
        for text in ["", "I", "(", "(I", "(Q)V", "([", "(Lx", "(é)V"] {
            assert_eq!(parameters(text), text);
        }
    }

    #[test]
    fn packages_shrink_before_names_are_cut() {
        let name = "org.eclipse.jdt.Parser::parse(int, String)";
        assert_eq!(fit(name, 42), name);
        assert_eq!(fit(name, 41), "o.eclipse.jdt.Parser::parse(int, String)");
        assert_eq!(fit(name, 33), "o.e.j.Parser::parse(int, String)");
        assert_eq!(fit(name, 30), "Parser::parse(int, String)");
        assert_eq!(fit(name, 20), "Parser::parse(…)");
        assert_eq!(fit(name, 12), "Par…parse(…)");
        assert_eq!(fit("a.B::run()", 8), "B::run()");
        assert_eq!(fit("thread pool-7-thread-12 #31", 14), "thre…ad-12 #31");
        let wait = "park of java.util.concurrent.FutureTask$Sync";
        assert_eq!(fit(wait, 43), "park of j.util.concurrent.FutureTask$Sync");
        assert_eq!(fit(wait, 28), "park of FutureTask$Sync");
        assert_eq!(fit(wait, 29), "park of j.u.c.FutureTask$Sync");
        assert_eq!(fit(wait, 22), "FutureTask$Sync");
        assert_eq!(fit("a.b.Failure caught", 16), "Failure caught");
        assert_eq!(fit("task of com.acme.Engine::run()", 26), "task of c.a.Engine::run()");
        assert_eq!(fit("ééééé", 3), "…éé");
        assert_eq!(fit("abc", 0), "…");
    }
}
