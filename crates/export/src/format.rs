//! The formats, and the file names that mean them.

/// A format that other tools read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Collapsed stacks: a line for each call path, with its self time in ns.
    Collapsed,
    /// pprof's profile, compressed.
    Pprof,
    /// speedscope's JSON.
    Speedscope,
    /// The Firefox Profiler's processed profile, as JSON.
    Firefox,
    /// A JFR recording with events of jfathom's own.
    Jfr,
    /// Callgrind's profile, with exact calls for each edge of the call graph.
    Callgrind,
    /// OpenTelemetry's profiles, as a protobuf message.
    Otlp,
    /// A table of the call tree's nodes.
    Csv,
    /// Ten lines for a pull request.
    Markdown,
    /// Perfetto's trace: the slowest calls on a time line.
    Perfetto,
}

/// Ends of file names, and what they mean. A longer end stands before a shorter one.
const ENDS: &[(&str, Format)] = &[
    (".pb.gz", Format::Pprof),
    (".pprof", Format::Pprof),
    (".speedscope.json", Format::Speedscope),
    (".firefox.json", Format::Firefox),
    (".jfr", Format::Jfr),
    (".callgrind", Format::Callgrind),
    (".otlp", Format::Otlp),
    (".csv", Format::Csv),
    (".md", Format::Markdown),
    (".pftrace", Format::Perfetto),
    (".perfetto-trace", Format::Perfetto),
    (".folded", Format::Collapsed),
    (".collapsed", Format::Collapsed),
];

/// Each format with its name and what it is, in a few words.
const ROWS: [(Format, &str, &str); 10] = [
    (Format::Collapsed, "collapsed", "A line for each call path: `a;b;c 123` (.folded)"),
    (Format::Pprof, "pprof", "pprof, and what reads its files (.pb.gz)"),
    (Format::Speedscope, "speedscope", "speedscope.app (.speedscope.json)"),
    (Format::Firefox, "firefox", "profiler.firefox.com (.firefox.json)"),
    (Format::Jfr, "jfr", "The JDK's JFR, events `jfathom.Context` (.jfr)"),
    (
        Format::Callgrind,
        "callgrind",
        "Callgrind, with calls for each edge (callgrind.out*, .callgrind)",
    ),
    (Format::Otlp, "otlp", "OpenTelemetry's profiles, opentelemetry-proto 1.10.0 (.otlp)"),
    (Format::Csv, "csv", "A table of all call paths (.csv)"),
    (Format::Markdown, "markdown", "Ten lines for a pull request (.md)"),
    (
        Format::Perfetto,
        "perfetto",
        "The slowest calls (record --slowest) on a time line, for ui.perfetto.dev (.pftrace)",
    ),
];

impl Format {
    /// All formats with their names, and what each is in a few words.
    pub fn all() -> impl Iterator<Item = (Self, &'static str, &'static str)> {
        ROWS.into_iter()
    }

    /// The format of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().find(|(_, of, _)| *of == name).map(|(format, _, _)| format)
    }

    /// The format that a file's name means, by its end or, for Callgrind, by its beginning.
    pub fn from_file_name(name: &str) -> Option<Self> {
        if name.starts_with("callgrind.out") {
            return Some(Self::Callgrind);
        }
        ENDS.iter().find(|(end, _)| name.ends_with(end)).map(|(_, format)| *format)
    }

    /// Whether the format is bytes that a terminal cannot show.
    pub fn is_binary(self) -> bool {
        matches!(self, Self::Pprof | Self::Jfr | Self::Otlp | Self::Perfetto)
    }
}
