//! Documents that are made, printed, and parsed again, character by character.

use super::{random::Random, template::fill};

pub fn draw(random: &mut Random) -> String {
    fill(
        JAVA,
        &[
            ("$DEPTH", random.within(2, 5).to_string()),
            ("$WIDTH", random.within(2, 6).to_string()),
            ("$TEXT", random.size(2, 40).to_string()),
            ("$NUMBERS", random.within(1, 6).to_string()),
            ("$BLANKS", random.one_of(&["\" \"", "\"\"", "\"\\n  \""]).to_owned()),
            ("$MAP", random.one_of(&["LinkedHashMap", "TreeMap", "HashMap"]).to_owned()),
        ],
    )
}

const JAVA: &str = r#"
    static final class Maker {
        int state;
        Maker(int state) { this.state = state; }
        int next(int limit) {
            state = state * 1664525 + 1013904223;
            return (state >>> 8) % limit;
        }
        String word() {
            StringBuilder out = new StringBuilder();
            for (int i = next($TEXT) + 1; i > 0; i--) out.append((char) ('a' + next(26)));
            return out.toString();
        }
        Object value(int depth) {
            int kind = next(depth > 0 ? 3 + $NUMBERS : 1 + $NUMBERS);
            if (kind < $NUMBERS) return (long) next(100000);
            if (kind == $NUMBERS) return word();
            if (kind == $NUMBERS + 1) {
                List<Object> list = new ArrayList<>();
                for (int i = 0; i < $WIDTH; i++) list.add(value(depth - 1));
                return list;
            }
            return object(depth - 1);
        }
        Map<String, Object> object(int depth) {
            Map<String, Object> map = new $MAP<>();
            for (int i = 0; i < $WIDTH; i++) map.put(word(), value(depth));
            return map;
        }
    }
    static final class Printer {
        final StringBuilder out = new StringBuilder();
        void text(String text) {
            out.append('"');
            for (int i = 0; i < text.length(); i++) character(text.charAt(i));
            out.append('"');
        }
        void character(char c) {
            if (c == '"' || c == '\\') out.append('\\');
            out.append(c);
        }
        void print(Object value) {
            if (value instanceof Map) object((Map<?, ?>) value);
            else if (value instanceof List) array((List<?>) value);
            else if (value instanceof String) text((String) value);
            else out.append(value);
        }
        void object(Map<?, ?> map) {
            String between = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(between).append($BLANKS);
                text((String) entry.getKey());
                out.append(':');
                print(entry.getValue());
                between = ",";
            }
            out.append('}');
        }
        void array(List<?> list) {
            out.append('[');
            for (int i = 0; i < list.size(); i++) {
                if (i > 0) out.append(',').append($BLANKS);
                print(list.get(i));
            }
            out.append(']');
        }
    }
    static final class Parser {
        final String text;
        int at;
        Parser(String text) { this.text = text; }
        char peek() { return text.charAt(at); }
        char next() { return text.charAt(at++); }
        void blanks() { while (peek() <= ' ') at++; }
        void expect(char c) { if (next() != c) throw new IllegalStateException("at " + at); }
        Object value() {
            blanks();
            switch (peek()) {
                case '{': return object();
                case '[': return array();
                case '"': return word();
                default: return number();
            }
        }
        long number() {
            long value = 0;
            while (at < text.length() && Character.isDigit(peek())) value = value * 10 + next() - '0';
            return value;
        }
        String word() {
            expect('"');
            StringBuilder out = new StringBuilder();
            for (char c = next(); c != '"'; c = next()) out.append(c == '\\' ? next() : c);
            return out.toString();
        }
        List<Object> array() {
            List<Object> list = new ArrayList<>();
            expect('[');
            do {
                list.add(value());
                blanks();
            } while (next() == ',');
            return list;
        }
        Map<String, Object> object() {
            Map<String, Object> map = new $MAP<>();
            expect('{');
            do {
                blanks();
                String key = word();
                blanks();
                expect(':');
                map.put(key, value());
                blanks();
            } while (next() == ',');
            return map;
        }
    }
    static long round(int number) {
        Map<String, Object> made = new Maker(number).object($DEPTH);
        Printer printer = new Printer();
        printer.print(made);
        String text = printer.out.toString();
        Object parsed = new Parser(text).value();
        return text.hashCode() + parsed.hashCode() * 31L + (parsed.equals(made) ? 1 : 0);
    }
"#;
