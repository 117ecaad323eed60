//! Chains of calls with drawn work in each link, direct or through interfaces, and streams.

use super::{random::Random, template::fill};
use std::fmt::Write as _;

pub fn draw(random: &mut Random) -> String {
    let links = random.within(3, 14);
    let mut text = String::new();
    for link in 0..links {
        let work = random.size(1, 60) - 1;
        let next = |random: &mut Random| match link {
            0 => "x".to_owned(),
            _ => format!("{}{}", random.one_of(&["link", "link", "LINKS.get"]), link - 1),
        };
        let call = |name: String| match name.as_str() {
            "x" => "(s ^ 5)".to_owned(),
            name if name.starts_with("LINKS") => format!("LINKS.get({}).applyAsInt(s)", link - 1),
            name => format!("{name}(s)"),
        };
        let first = call(next(random));
        let rest = match random.within(0, 3) {
            0 if link > 1 => format!("if ((s & 3) == 0) s ^= {}; ", call(next(random))),
            1 => format!("s = s * {} + A[s & 255]; ", random.within(3, 99) | 1),
            _ => String::new(),
        };
        let _ = writeln!(
            text,
            "    static int link{link}(int x) {{ int s = x + {link}; \
             for (int i = 0; i < {work}; i++) s = s * 31 + (s >>> 7); s += {first}; {rest}return s; }}"
        );
    }
    let mut references = String::new();
    for link in 0..links {
        let _ = write!(references, "links.add(x -> link{link}(x)); ");
    }
    let stream = match random.within(0, 3) {
        0 => {
            "sum += IntStream.range(0, $SIZE).map(i -> i ^ number).filter(i -> keep(i)).map(i -> link1(i)).sum();"
        }
        1 => {
            "sum += LIST.stream().filter(i -> keep(i + number)).map(i -> i * 3).collect(Collectors.groupingBy(i -> i & 15, Collectors.counting())).hashCode();"
        }
        2 => "for (int i = 0; i < $SIZE; i++) sum += LIST.get(i % LIST.size()) ^ link0(i);",
        _ => "",
    };
    fill(
        JAVA,
        &[
            ("$LINKS", text),
            ("$REFERENCES", references),
            ("$STREAM", stream.to_owned()),
            ("$LAST", (links - 1).to_string()),
            ("$SIZE", random.size(8, 2000).to_string()),
            ("$CALLS", random.size(10, 2000).to_string()),
        ],
    )
}

const JAVA: &str = r#"
    static final int[] A = IntStream.range(0, 256).map(i -> i * 7919).toArray();
    static final List<Integer> LIST = IntStream.range(0, $SIZE).boxed().collect(Collectors.toList());
    static final List<IntUnaryOperator> LINKS = links();
    static List<IntUnaryOperator> links() {
        List<IntUnaryOperator> links = new ArrayList<>();
        $REFERENCES
        return links;
    }
$LINKS
    static boolean keep(int i) { return (i * 0x9e3779b9 >>> 28) < 9; }
    static long round(int number) {
        long sum = 0;
        for (int i = 0; i < $CALLS; i++) sum += link$LAST(number + i);
        $STREAM
        return sum;
    }
"#;
