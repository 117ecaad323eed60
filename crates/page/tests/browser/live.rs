//! A live page and its server.

use crate::{chromium::Browser, frame_of, profiles, summary_of, view};
use jfathom_page::{live_page, live_policy, profile_data};
use jfathom_profile::Profile;
use jfathom_serve::{Content, ContentKind, Server, Site, Token};
use jfathom_testkit::small_profile;
use serde_json::Value;
use std::{
    sync::{Arc, Mutex},
    thread,
};

/// A recording whose data and state the test sets.
struct Recording {
    policy: String,
    html: Arc<Vec<u8>>,
    data: Mutex<Content>,
}

impl Recording {
    fn new() -> Arc<Self> {
        let mut html = Vec::new();
        live_page(&mut html).unwrap();
        let data = content(ContentKind::Bytes, Arc::default());
        Arc::new(Self { policy: live_policy(), html: html.into(), data: Mutex::new(data) })
    }

    fn set(&self, profile: Option<&Profile>, state: &str, says: &str) {
        self.set_rarely(profile, state, says, 20);
    }

    /// The same of a recording that is read every `millis`.
    fn set_rarely(&self, profile: Option<&Profile>, state: &str, says: &str, millis: u32) {
        let mut data = self.data.lock().unwrap();
        if let Some(profile) = profile {
            data.bytes =
                profile_data(profile, &view().scope, &summary_of(profile, &view())).unwrap().into();
            data.tag = Some(format!("{}x", data.tag.take().unwrap_or_default()));
        }
        data.headers =
            vec![("Jfathom-State", state.to_owned()), ("Jfathom-Says", says.replace('%', "%25"))];
        data.headers.push(("Jfathom-Every", millis.to_string()));
    }
}

fn content(kind: ContentKind, bytes: Arc<Vec<u8>>) -> Content {
    Content { kind, bytes, tag: None, headers: Vec::new() }
}

impl Site for Recording {
    fn policy(&self) -> &str {
        &self.policy
    }

    fn get(&self, path: &str) -> Option<Content> {
        match path {
            "/" => Some(content(ContentKind::Html, Arc::clone(&self.html))),
            "/data" => Some(self.data.lock().unwrap().clone()),
            _ => None,
        }
    }
}

#[test]
fn newer_data_leave_choice_zoom_search_and_rows_as_they_are() {
    let Some(mut browser) = Browser::start("live") else { return };
    let recording = Recording::new();
    recording.set(None, "waiting", "100 % of <b>nothing</b>\nand ü");
    let server = Server::bind(0, Token::random().unwrap()).unwrap();
    let address = server.address();
    let site = Arc::clone(&recording);
    thread::spawn(move || server.run(&*site));
    browser.go(&address);
    let says = "document.querySelector('#feed span')?.textContent ?? ''";
    browser.wait_for(&format!("({says}).startsWith('Waiting: ')"));
    let said = browser.eval(says);
    assert_eq!(said, "Waiting: 100 % of <b>nothing</b>\nand ü");
    assert_eq!(browser.eval("location.search + location.pathname"), "/");

    let first = small_profile::profile();
    recording.set(Some(&first), "recording", "");
    browser.wait_for("document.documentElement.dataset.ready === 'true'");
    let step = "com.acme.Engine::step(long)";
    let frame = frame_of(&mut browser, step);
    browser.eval(&format!(
        "(() => {{ const zoom = jfathom.forest.frame.indexOf({frame}); \
         jfathom.change({{ zoom, chosen: {frame}, tab: 'tree' }}); \
         jfathom.change({{ query: 'step' }}); \
         jfathom.tree.open.delete(0); jfathom.tree.list(); }})()"
    ));
    browser.wait_for("jfathom.icicle.gliding === null");
    let shown = "[jfathom.names[jfathom.state.chosen], jfathom.state.query, jfathom.state.tab, \
                 jfathom.names[jfathom.forest.frame[jfathom.state.zoom]], \
                 document.querySelector('#sandwich h2').innerText, \
                 document.querySelector('#crumbs').innerText, jfathom.tree.open.has(0)].join('|')";
    let before = browser.eval(shown);
    assert!(before.as_str().unwrap().starts_with(&format!("{step}|step|tree|{step}|")), "{before}");

    // In the newer data the other method is the costlier one, so that frames have other places.
    assert_eq!(browser.eval(says), "Recording goes on: this is its state so far");
    recording.set_rarely(Some(&profiles::slower()), "recording", "", 1_500);
    browser.wait_for("jfathomFeed.tag === '\"xx\"'");
    assert_eq!(browser.eval(shown), before);
    let window = "jfathom.icicle.window.right - jfathom.icicle.window.left < 1";
    assert_eq!(browser.eval(window), Value::Bool(true));
    let sums = "jfathom.sums.total[jfathom.names.indexOf('com.acme.Engine::step(int)')]";
    assert_eq!(browser.eval(sums), 2_200_000.0);
    browser.wait_for(&format!("({says}).endsWith('it is read every 1.5 s')"));

    browser.eval("jfathomFeed.pause(true)");
    recording.set(Some(&first), "ended", "x.jfp");
    assert!(browser.text("#feed").starts_with("Paused"));
    assert_eq!(browser.eval(sums), 2_200_000.0);
    browser.eval("jfathomFeed.pause(false)");
    browser.wait_for(&format!("({says}).startsWith('The recording has ended')"));
    assert!(browser.text("#feed").ends_with("This is its last state; x.jfp"));
    assert_eq!(browser.eval(sums), 1_100_000.0);
    assert_eq!(browser.eval(shown), before);
}
