//! A backtracking matcher of a drawn pattern on drawn texts.

use super::{random::Random, template::fill};

pub fn draw(random: &mut Random) -> String {
    let mut depth = random.within(2, 4);
    let pattern = pattern(random, &mut depth);
    fill(
        JAVA,
        &[
            ("$PATTERN", pattern),
            ("$LETTERS", random.within(2, 6).to_string()),
            ("$LENGTH", random.size(20, 400).to_string()),
            ("$TEXTS", random.size(2, 40).to_string()),
        ],
    )
}

fn pattern(random: &mut Random, depth: &mut u64) -> String {
    if *depth == 0 {
        let letter = random.within(0, 3);
        return match random.within(0, 2) {
            0 => "new Any()".to_owned(),
            1 => format!("new Letter((char) ('a' + {letter}))"),
            _ => format!("new Range('a', (char) ('a' + {letter}))"),
        };
    }
    *depth -= 1;
    let rest = *depth;
    let mut part = |random: &mut Random| {
        *depth = rest;
        pattern(random, depth)
    };
    match random.within(0, 3) {
        0 => format!("new Either({}, {})", part(random), part(random)),
        1 => format!("new Many({}, {})", part(random), random.within(1, 4)),
        _ => format!("new Both({}, {})", part(random), part(random)),
    }
}

const JAVA: &str = r#"
    interface Next { boolean at(String text, int at); }
    abstract static class Node { abstract boolean match(String text, int at, Next next); }
    static final class Letter extends Node {
        final char c;
        Letter(char c) { this.c = c; }
        boolean match(String text, int at, Next next) {
            return at < text.length() && text.charAt(at) == c && next.at(text, at + 1);
        }
    }
    static final class Range extends Node {
        final char low, high;
        Range(char low, char high) { this.low = low; this.high = high; }
        boolean holds(char c) { return low <= c && c <= high; }
        boolean match(String text, int at, Next next) {
            return at < text.length() && holds(text.charAt(at)) && next.at(text, at + 1);
        }
    }
    static final class Any extends Node {
        boolean match(String text, int at, Next next) {
            return at < text.length() && next.at(text, at + 1);
        }
    }
    static final class Both extends Node {
        final Node a, b;
        Both(Node a, Node b) { this.a = a; this.b = b; }
        boolean match(String text, int at, Next next) {
            return a.match(text, at, (t, i) -> b.match(t, i, next));
        }
    }
    static final class Either extends Node {
        final Node a, b;
        Either(Node a, Node b) { this.a = a; this.b = b; }
        boolean match(String text, int at, Next next) {
            return a.match(text, at, next) || b.match(text, at, next);
        }
    }
    static final class Many extends Node {
        final Node a;
        final int least;
        Many(Node a, int least) { this.a = a; this.least = least; }
        boolean more(String text, int at, int count, Next next) {
            if (count > 12) return next.at(text, at);
            return a.match(text, at, (t, i) -> i > at && more(t, i, count + 1, next))
                || count >= least && next.at(text, at);
        }
        boolean match(String text, int at, Next next) { return more(text, at, 0, next); }
    }
    static final Node PATTERN = $PATTERN;
    static String text(int seed, int length) {
        StringBuilder out = new StringBuilder();
        int x = seed * 747796405 + 1;
        for (int i = 0; i < length; i++) {
            x = x * 1664525 + 1013904223;
            out.append((char) ('a' + (x >>> 16) % $LETTERS));
        }
        return out.toString();
    }
    static int find(String text) {
        int found = 0;
        for (int at = 0; at < text.length(); at++) {
            int[] end = {-1};
            if (PATTERN.match(text, at, (t, i) -> { end[0] = i; return true; })) found += end[0] - at + 1;
        }
        return found;
    }
    static long round(int number) {
        long sum = 0;
        for (int i = 0; i < $TEXTS; i++) sum += find(text(number * 31 + i, $LENGTH));
        return sum;
    }
"#;
