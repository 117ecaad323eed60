//! Texts that are built, split, turned and counted.

use super::{random::Random, template::fill};
use std::fmt::Write as _;

pub fn draw(random: &mut Random) -> String {
    let mut steps = String::new();
    for _ in 0..random.within(2, 5) {
        let step = random.one_of(&[
            "text = joined(words(text)); ",
            "text = turned(text); ",
            "sum += counted(text, 'e'); ",
            "sum += hex(text).hashCode(); ",
            "text = replaced(text); ",
            "for (String word : words(text)) sum += hash(word); ",
            "sum += palindromes(text); ",
        ]);
        let _ = write!(steps, "{step}");
    }
    fill(
        JAVA,
        &[
            ("$STEPS", steps),
            ("$WORDS", random.size(3, 120).to_string()),
            ("$LETTERS", random.within(2, 12).to_string()),
        ],
    )
}

const JAVA: &str = r#"
    static char letter(int x) { return (char) ('a' + (x >>> 9) % 17); }
    static String word(int seed) {
        StringBuilder out = new StringBuilder();
        int x = seed * 747796405 + 77;
        for (int i = 0; i < $LETTERS; i++) {
            x = x * 1664525 + 1013904223;
            out.append(letter(x));
        }
        return out.toString();
    }
    static String sentence(int seed) {
        String text = "";
        for (int i = 0; i < $WORDS; i++) text = i % 8 == 0 ? text + " " + word(seed + i) : text.concat(" " + word(i));
        return text.trim();
    }
    static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        int from = 0;
        for (int at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', from)) {
            words.add(text.substring(from, at));
            from = at + 1;
        }
        words.add(text.substring(from));
        return words;
    }
    static String capital(String word) {
        return word.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1).toLowerCase();
    }
    static String joined(List<String> words) {
        StringBuilder out = new StringBuilder();
        for (String word : words) out.append(out.length() > 0 ? " " : "").append(capital(word));
        return out.toString();
    }
    static String turned(String text) {
        char[] turned = new char[text.length()];
        for (int i = 0; i < turned.length; i++) turned[i] = text.charAt(turned.length - 1 - i);
        return new String(turned);
    }
    static boolean is(char a, char b) { return a == b; }
    static int counted(String text, char c) {
        int count = 0;
        for (int i = 0; i < text.length(); i++) if (is(text.charAt(i), c)) count++;
        return count;
    }
    static void digit(StringBuilder out, int value) { out.append((char) (value < 10 ? '0' + value : 'a' + value - 10)); }
    static String hex(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            digit(out, text.charAt(i) >> 4 & 15);
            digit(out, text.charAt(i) & 15);
        }
        return out.toString();
    }
    static String replaced(String text) { return text.replace("ab", "ba").replace('c', 'd'); }
    static int hash(String word) {
        int h = 7;
        for (int i = 0; i < word.length(); i++) h = h * 131 + word.charAt(i);
        return h;
    }
    static boolean palindrome(String text, int low, int high) {
        return low >= high || text.charAt(low) == text.charAt(high) && palindrome(text, low + 1, high - 1);
    }
    static int palindromes(String text) {
        int count = 0;
        for (int i = 0; i < text.length(); i++)
            for (int length = 2; length < 7 && i + length <= text.length(); length++)
                if (palindrome(text, i, i + length - 1)) count++;
        return count;
    }
    static long round(int number) {
        String text = sentence(number);
        long sum = text.length();
        $STEPS
        return sum + text.hashCode();
    }
"#;
