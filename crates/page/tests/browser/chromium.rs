//! A headless Chromium that shows one page, driven by the DevTools protocol through a pipe.

use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    path::PathBuf,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// The browsers that are looked for, unless `JFATHOM_CHROMIUM` names one.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    last_id: u64,
    session: String,
    folder: TempDir,
}

/// The browser of this machine; none if there is none, and then a line says that `test` is skipped.
fn find(test: &str) -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("JFATHOM_CHROMIUM") {
        return Some(named.into());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut all = std::env::split_paths(&folders)
        .flat_map(|folder| NAMES.iter().map(move |name| folder.join(name)));
    let found = all.find(|path| path.is_file());
    if found.is_none() {
        eprintln!("{test}: skipped, there is no Chromium here (or set JFATHOM_CHROMIUM)");
    }
    found
}

impl Browser {
    /// A browser; none if this machine has none.
    pub fn start(test: &str) -> Option<Self> {
        let program = find(test)?;
        let folder = tempfile::tempdir().unwrap();
        // The protocol's pipes are the descriptors 3 and 4.
        let script = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";
        let mut child = Command::new("sh")
            .args(["-c", script])
            .arg(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"])
            .args(["--no-first-run", "--disable-background-networking", "--window-size=1440,900"])
            .arg(format!("--user-data-dir={}", folder.path().join("browser").display()))
            .env("HOME", folder.path())
            .env("TMPDIR", folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let requests = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        let session = String::new();
        let mut browser = Self { child, requests, answers, last_id: 0, session, folder };
        let page = browser.send("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": page["targetId"], "flatten": true });
        let attached = browser.send("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().unwrap().to_owned();
        Some(browser)
    }

    /// Opens a page, and waits until it is ready. The fragment may be empty.
    pub fn open(&mut self, page: &[u8], fragment: &str) {
        let file = self.folder.path().join("page.html");
        std::fs::write(&file, page).unwrap();
        self.reopen(fragment);
    }

    /// Opens the same page anew, with another fragment.
    pub fn reopen(&mut self, fragment: &str) {
        let file = self.folder.path().join("page.html");
        // Otherwise only the fragment of an open page would change.
        self.send("Page.navigate", json!({ "url": "about:blank" }));
        self.go(&format!("file://{}{fragment}", file.display()));
        self.wait_for("document.documentElement?.dataset.ready === 'true'");
    }

    /// Goes to an address.
    pub fn go(&mut self, address: &str) {
        self.send("Page.navigate", json!({ "url": address }));
    }

    /// The value of an expression; a promise is awaited. Panics if it throws.
    pub fn eval(&mut self, expression: &str) -> Value {
        let parameters =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.send("Runtime.evaluate", parameters);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// The text of the first element that a selector finds, as it is shown.
    pub fn text(&mut self, selector: &str) -> String {
        let text = self.eval(&format!("document.querySelector({selector:?})?.innerText ?? null"));
        text.as_str().unwrap_or_else(|| panic!("no {selector}")).to_owned()
    }

    /// The texts of all elements that a selector finds.
    pub fn texts(&mut self, selector: &str) -> Vec<String> {
        let all = format!("[...document.querySelectorAll({selector:?})].map((at) => at.innerText)");
        serde_json::from_value(self.eval(&all)).unwrap()
    }

    /// Waits until an expression is true.
    pub fn wait_for(&mut self, expression: &str) {
        let begin = Instant::now();
        while self.eval(expression) != Value::Bool(true) {
            assert!(begin.elapsed() < PATIENCE, "waited for {expression}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Presses keys, one after another; a key of one letter also writes it.
    pub fn press(&mut self, keys: &[&str]) {
        for key in keys {
            let text = if key.chars().count() == 1 { json!(key) } else { Value::Null };
            let mut down = json!({ "type": "keyDown", "key": key });
            if text != Value::Null {
                down["text"] = text;
            }
            self.send("Input.dispatchKeyEvent", down);
            self.send("Input.dispatchKeyEvent", json!({ "type": "keyUp", "key": key }));
        }
    }

    /// What screen readers are given, without what they ignore.
    pub fn accessible(&mut self) -> Vec<Value> {
        let mut tree = self.send("Accessibility.getFullAXTree", json!({}));
        let nodes: Vec<Value> = serde_json::from_value(tree["nodes"].take()).unwrap();
        nodes.into_iter().filter(|node| node["ignored"] == false).collect()
    }

    /// Prefers a colour scheme.
    pub fn prefer(&mut self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.send("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Gives the page so many pixels.
    pub fn resize(&mut self, width: u32, height: u32) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.send("Emulation.setDeviceMetricsOverride", size);
    }

    /// Sends a command, and waits for its result. Events are skipped.
    fn send(&mut self, method: &str, parameters: Value) -> Value {
        self.last_id += 1;
        let id = self.last_id;
        let mut request = json!({ "id": id, "method": method, "params": parameters });
        if !self.session.is_empty() {
            request["sessionId"] = json!(self.session);
        }
        self.requests.write_all(format!("{request}\0").as_bytes()).unwrap();
        self.requests.flush().unwrap();
        loop {
            let mut message = Vec::new();
            self.answers.read_until(0, &mut message).unwrap();
            assert_eq!(message.pop(), Some(0), "the browser has ended");
            let mut message: Value = serde_json::from_slice(&message).unwrap();
            if message["id"] == id {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].take();
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let close = format!("{}\0", json!({ "id": 0, "method": "Browser.close" }));
        let closed = self.requests.write_all(close.as_bytes()).is_ok();
        if closed {
            // Its end is that of the pipe.
            let _ = self.answers.read_to_end(&mut Vec::new());
        } else {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}
