use super::*;
use crate::{CountRule, drain::modes::InitialModes};
use jfathom_plan::{Digest, InstrumentedMethod, MethodId, ProbeRules};
use jfathom_profile::Profile;
use jfathom_session::InstrumentedAt;
use jfathom_session::{ClassLine, METHODS_FILE_VERSION, MethodsFileLine, RootState, SessionLine};
use std::{fs::OpenOptions, io::Write};
use tempfile::TempDir;

struct Written {
    _folder: TempDir,
    path: PathBuf,
}

impl Written {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jvm-1-2.methods");
        Self { _folder: folder, path }
    }

    fn bytes(&self, bytes: &[u8]) {
        OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.path)
            .unwrap()
            .write_all(bytes)
            .unwrap();
    }
}

fn class(name: &str, at: u64, ids: &[u32]) -> Vec<u8> {
    let method = |&id: &u32| InstrumentedMethod {
        id: MethodId::new(id).unwrap(),
        name: format!("m{id}"),
        descriptor: "()V".to_owned(),
        line: Some(3),
        digest: Digest(7),
        root: id == 0,
        trivial: id == 2,
        waits: false,
        resumes: false,
        counted: false,
        region: None,
    };
    let methods = ids.iter().map(method).collect();
    line(&MethodsFileLine::Class(ClassLine {
        name: name.to_owned(),
        source: None,
        at,
        how: InstrumentedAt::Load,
        methods,
        calls: None,
    }))
}

fn line(line: &MethodsFileLine) -> Vec<u8> {
    // As JSON by hand of the same derive: the agent writes it so.
    let mut text = serde_json::to_vec(line).unwrap();
    text.push(b'\n');
    text
}

fn root(selector: &str, state: RootState, at: u64) -> Vec<u8> {
    line(&MethodsFileLine::Root(RootLine {
        selector: selector.to_owned(),
        state,
        at,
        ..RootLine::default()
    }))
}

fn empty_profile() -> Profile {
    let names = jfathom_profile::MethodNames::default();
    let meta = jfathom_profile::Meta::default();
    let rate = jfathom_profile::TickRate::NANOS;
    jfathom_profile::Builder::new().finish(jfathom_profile::Context {
        meta,
        rate,
        names: &names,
        virtual_calls: &[],
    })
}

fn ids(classes: &[ManifestClass]) -> Vec<u32> {
    classes.iter().flat_map(|class| class.methods.iter().map(|method| method.id.get())).collect()
}

#[test]
fn a_file_is_read_as_it_grows_and_half_lines_wait() {
    let written = Written::new();
    let mut file = MethodsFile::new(written.path.clone());
    assert!(file.read_update().classes.is_empty(), "it is not there");
    written.bytes(&line(&MethodsFileLine::Session(SessionLine {
        version: METHODS_FILE_VERSION,
        ..SessionLine::default()
    })));
    written.bytes(&class("a/A", 5, &[0, 1]));
    let second = class("a/B", 9, &[2, 3]);
    written.bytes(&second[..20]);
    assert_eq!(ids(&file.read_update().classes), [0, 1]);
    assert!(file.read_update().classes.is_empty());
    written.bytes(&second[20..]);
    // Said again, with one more: an id is taken once.
    written.bytes(&class("a/B", 11, &[3, 4]));
    assert_eq!(ids(&file.read_update().classes), [2, 3, 4]);
    let methods = file.methods();
    assert!(methods.has_session());
    assert_eq!(ids(&methods.manifest().classes), [0, 1, 2, 3, 4]);
    assert_eq!(methods.since[&MethodId::new(3).unwrap()], 9);
}

#[test]
fn broken_lines_cost_nothing_but_themselves() {
    let written = Written::new();
    let mut file = MethodsFile::new(written.path.clone());
    for broken in [
        "\n",
        "{}\n",
        "{\"class\":{}}\n",
        "[1]\n",
        "nonsense\n",
        "{\"note\":1}\n",
        "\u{0}\n",
        "{\"unknown\":{}}\n",
    ] {
        written.bytes(broken.as_bytes());
    }
    written.bytes(b"{\"note\":\"\xff\"}\n");
    written.bytes(&class("a/A", 5, &[0]));
    written.bytes(b"{\"note\":\"a sentence\"}\n");
    let grown = file.read_update();
    assert_eq!(ids(&grown.classes), [0]);
    assert_eq!(grown.news.len(), 2, "the first is told, and the note: {:?}", grown.news);
    assert_eq!(grown.news[1], LiveEvent::Note("a sentence".to_owned()));
    assert_eq!(file.methods().broken, 9);
    assert!(!file.methods().has_session());
}

#[test]
fn every_cut_and_flipped_byte_is_survived() {
    let mut whole = class("a/A", 5, &[0, 1]);
    whole.extend(root("a.A::m0", RootState::Live, 6));
    for at in 0..whole.len() {
        for byte in [0, b'\n', b'"', b'}', 0xff] {
            let written = Written::new();
            let mut bytes = whole.clone();
            bytes[at] = byte;
            written.bytes(&bytes);
            let _ = MethodsFile::new(written.path.clone()).read_update();
        }
    }
}

#[test]
fn other_versions_are_said() {
    let written = Written::new();
    let mut file = MethodsFile::new(written.path.clone());
    written.bytes(&line(&MethodsFileLine::Session(SessionLine {
        version: METHODS_FILE_VERSION + 1,
        ..SessionLine::default()
    })));
    let news = file.read_update().news;
    assert!(matches!(&news[..], [LiveEvent::Note(text)] if text.contains("version")), "{news:?}");
}

#[test]
fn roots_are_told_once_in_each_state() {
    let written = Written::new();
    let mut file = MethodsFile::new(written.path.clone());
    for (state, at) in [(RootState::Waiting, 0), (RootState::Waiting, 1), (RootState::Live, 7)] {
        written.bytes(&root("a.A", state, at));
    }
    written.bytes(&root("a.A", RootState::Live, 9));
    written.bytes(&root("b.B", RootState::Waiting, 1));
    let news = file.read_update().news;
    assert_eq!(news.len(), 3, "{news:?}");
    assert_eq!(file.methods().waiting_roots().collect::<Vec<_>>(), ["b.B"]);
    let info = file.methods().info();
    assert_eq!(info.roots.iter().map(|root| root.live_at).collect::<Vec<_>>(), [Some(7), None]);
}

#[test]
fn a_class_without_the_root_is_told_and_no_longer_waited_for_in_words() {
    let written = Written::new();
    let mut file = MethodsFile::new(written.path.clone());
    written.bytes(&root("a.A::b", RootState::Waiting, 0));
    let unmatched = "a.A is loaded and has no such method".to_owned();
    let selector = "a.A::b".to_owned();
    written.bytes(&line(&MethodsFileLine::Root(RootLine {
        selector,
        unmatched: Some(unmatched.clone()),
        ..RootLine::default()
    })));
    let news = file.read_update().news;
    assert_eq!(news[1..], [LiveEvent::Note(unmatched.clone())]);
    assert_eq!(file.methods().waiting_roots().count(), 0);
    let notices = |file: &MethodsFile| {
        let mut profile = empty_profile();
        file.methods().complete(&mut profile);
        profile.meta.notices
    };
    assert_eq!(notices(&file), [unmatched]);
    written.bytes(&root("a.A::b", RootState::Live, 7));
    assert!(matches!(&file.read_update().news[..], [LiveEvent::Live(_)]));
    assert_eq!(notices(&file), [""; 0], "another class of that name had it");
}

#[test]
fn a_drainer_knows_ids_in_runs_before_it_decides() {
    let written = Written::new();
    let mut file = MethodsFile::new(written.path.clone());
    for (name, ids) in [("a/A", &[0, 1, 2][..]), ("a/B", &[9, 8][..]), ("a/C", &[4][..])] {
        written.bytes(&class(name, 1, ids));
    }
    let rule =
        CountRule { trivial: true, rules: ProbeRules { list: vec!["a.C=count".parse().unwrap()] } };
    let known = initial_modes(&file.read_update().classes, &rule);
    let runs: Vec<(u32, u32)> =
        known.iter().map(|known| (known.ids.start, known.ids.len)).collect();
    assert_eq!(runs, [(0, 3), (4, 1), (8, 2)]);
    let all = |of: fn(&InitialModes) -> &Vec<MethodId>| {
        known.iter().map(|modes| of(modes).clone()).collect::<Vec<_>>()
    };
    let id = |id| MethodId::new(id).unwrap();
    assert_eq!(all(|modes| &modes.roots), [vec![id(0)], vec![], vec![]]);
    assert_eq!(all(|modes| &modes.count), [vec![], vec![], vec![id(2), id(4)]]);
    assert!(initial_modes(&[], &rule).is_empty());
}

#[test]
fn what_the_agent_lost_makes_a_profile_unclean() {
    for lost in
        [line(&MethodsFileLine::Loss("too many methods".to_owned())), b"{\"root\":\n".to_vec()]
    {
        let written = Written::new();
        let mut file = MethodsFile::new(written.path.clone());
        written.bytes(&lost);
        assert_eq!(file.read_update().news.len(), 1);
        let mut profile = empty_profile();
        assert!(profile.quality.is_clean());
        file.methods().complete(&mut profile);
        assert!(!profile.quality.is_clean(), "{:?}", profile.quality);
    }
}
