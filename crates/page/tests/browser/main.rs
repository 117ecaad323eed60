//! The page as a person meets it, in a headless Chromium; skipped if there is none.

mod chromium;
mod latency;
mod live;
mod profiles;

use chromium::Browser;
use jfathom_calibration::correct_times;
use jfathom_compare::{MethodSet, diff, into_series};
use jfathom_page::{difference_page, profile_page};
use jfathom_profile::{AllocationSource, CpuSource, Frame, MethodIx, Profile};
use jfathom_report::{Comparison, Scope, Section, ThreadTrees, View, diff_summary, summary, text};
use jfathom_testkit::{
    profiles::{OffCpuKind, one_split_thread},
    records::{e, r},
    small_profile,
};
use jfathom_trace::record::Record;
use jfathom_views::{Edges, Filter, FilterKind, Shown, Sort, backtraces};
use serde_json::Value;

fn view() -> View {
    let scope = Scope { threads: ThreadTrees::Pools, ..Scope::default() };
    View { scope, limit: 1_000, ..View::default() }
}

fn page(profile: &Profile) -> Vec<u8> {
    page_of(profile, &view())
}

fn page_of(profile: &Profile, view: &View) -> Vec<u8> {
    let mut page = Vec::new();
    profile_page(profile, &view.scope, &summary_of(profile, view), &mut page).unwrap();
    page
}

fn summary_of(profile: &Profile, view: &View) -> String {
    let mut text = Vec::new();
    summary(profile, view, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn difference(base: &Profile, new: &Profile) -> Vec<u8> {
    let found = diff(base, new);
    let compared = Comparison { base, new, called: ["old.jfp", "new.jfp"], diff: &found };
    let mut page = Vec::new();
    let mut head = Vec::new();
    diff_summary(&compared, &mut head).unwrap();
    difference_page(&compared, &String::from_utf8(head).unwrap(), &mut page).unwrap();
    page
}

/// The page's index of a method's frame.
fn frame_of(browser: &mut Browser, name: &str) -> u64 {
    let found = browser.eval(&format!("jfathom.names.indexOf({name:?})"));
    found.as_u64().unwrap_or_else(|| panic!("no {name}"))
}

#[test]
fn hot_methods_have_the_numbers_of_the_text_report() {
    let Some(mut browser) = Browser::start("hot methods") else { return };
    let profile = small_profile::calibrated();
    let mut report = Vec::new();
    text(&profile, &[Section::Hot], &view(), &mut report).unwrap();
    let report = String::from_utf8(report).unwrap();
    browser.open(&page(&profile), "");
    let rows = browser.texts("#hot .body .row");
    assert_eq!(rows.len(), 4, "{rows:?}");
    for at in 1..=4 {
        let cell = |place| format!("#hot .body .row:nth-child({at}) .cell:nth-child({place})");
        let title = format!("{} .name", cell(5));
        let name = browser.eval(&format!("document.querySelector({title:?}).title"));
        let name = name.as_str().unwrap();
        let line = report.lines().find(|line| line.ends_with(&format!("  {name}"))).unwrap();
        for (place, zero) in [(2, "counted"), (3, "–")] {
            let time = browser.text(&cell(place));
            assert!(line.contains(&time) || time == zero, "{name}: {time} in {line}");
        }
    }
    let facts = browser.text("#facts");
    assert!(facts.contains("corrected wall times: 10.03 ms ±3.1%"), "{facts}");
}

#[test]
fn a_part_of_a_profile_is_said_to_be_one() {
    let Some(mut browser) = Browser::start("parts") else { return };
    let profile = small_profile::profile();
    let selector = "**::step(J)V".parse().unwrap();
    let methods = MethodSet::new(&profile.methods, &[selector]).unwrap();
    let mut view = view();
    view.scope.filters = vec![Filter { kind: FilterKind::Focus, methods }];
    let page = page_of(&profile, &view);
    browser.open(&page, "#tab=threads");
    let facts = browser.text("#facts");
    assert!(facts.contains("only call paths through com.acme.Engine::step(long)"), "{facts}");
    let threads = browser.texts("#threads .body .row");
    assert!(threads.len() == 1 && threads[0].contains("1.500 ms"), "{threads:?}");
}

#[test]
fn quality_comes_first() {
    let Some(mut browser) = Browser::start("quality") else { return };
    let mut profile = small_profile::profile();
    profile.quality.virtual_calls = 0;
    profile.quality.lost_rings = 3;
    browser.open(&page(&profile), "");
    let quality = browser.text("#quality");
    assert!(quality.starts_with("Not clean"), "{quality}");
    assert!(quality.contains("3 threads were not recorded"), "{quality}");
    let is_first = "document.querySelector('#quality').compareDocumentPosition(\
                    document.querySelector('main')) === Node.DOCUMENT_POSITION_FOLLOWING";
    assert_eq!(browser.eval(is_first), Value::Bool(true));
    profile.quality = Default::default();
    browser.open(&page(&profile), "");
    assert_eq!(browser.text("#quality"), "Clean nothing was lost or repaired");
}

#[test]
fn callers_and_callees_are_those_of_the_views() {
    let Some(mut browser) = Browser::start("callers and callees") else { return };
    for profile in [small_profile::drawn(3), small_profile::calibrated()] {
        let corrected = correct_times(&profile);
        let shown = Shown::new(&profile, corrected.as_ref(), &view().scope);
        let edges = Edges::of(&shown);
        browser.open(&page(&profile), "");
        for hot in shown.hot_methods(Sort::SelfTime) {
            let stanza = edges.stanza(hot.method);
            let name = shown.names.method(hot.method);
            let frame = frame_of(&mut browser, name);
            let found = browser.eval(&format!("jfathom.stanzaOf({frame})"));
            check_edges(&mut browser, &shown, &found["callers"], &stanza.callers, |edge| {
                edge.of_callee.self_nanos + edge.of_callee.total_nanos
            });
            let callees: Vec<_> =
                stanza.callees.iter().map(|(frame, edge)| (Some(*frame), *edge)).collect();
            check_edges(&mut browser, &shown, &found["callees"], &callees, |edge| {
                edge.in_caller.total_nanos
            });
        }
    }
}

fn check_edges(
    browser: &mut Browser,
    shown: &Shown,
    found: &Value,
    expected: &[(Option<Frame>, jfathom_views::Edge)],
    nanos: impl Fn(&jfathom_views::Edge) -> f64,
) {
    let found = found.as_array().unwrap();
    assert_eq!(found.len(), expected.len());
    for (frame, edge) in expected {
        let name = frame.map(|frame| shown.frame_name(frame));
        let at = name.map_or(-1, |name| frame_of(browser, &name) as i64);
        let of_page = found.iter().find(|edge| edge["frame"] == at).unwrap();
        assert_eq!(of_page["calls"].as_f64(), Some(edge.calls as f64));
        assert_eq!(of_page["timed"].as_f64(), Some(edge.timed as f64));
        let sum = of_page["self"].as_f64().unwrap() + of_page["below"].as_f64().unwrap();
        assert!((sum - nanos(edge)).abs() < 2.0, "{of_page} {edge:?}");
    }
}

#[test]
fn back_traces_are_those_of_the_views() {
    let Some(mut browser) = Browser::start("back traces") else { return };
    let profile = small_profile::drawn(5);
    let shown = Shown::new(&profile, None, &view().scope);
    browser.open(&page(&profile), "");
    for hot in shown.hot_methods(Sort::SelfTime) {
        let name = shown.names.method(hot.method);
        let frame = frame_of(&mut browser, name);
        browser.eval(&format!("jfathom.change({{ chosen: {frame} }}); jfathom.traceBack()"));
        let rows = browser.eval(
            "(() => { const { frame, depth, calls, total } = jfathom.shown(); return [...frame]\
             .map((at, row) => `${depth[row]} ${jfathom.names[at]} ${calls[row]} ${total[row]}`)\
             .sort(); })()",
        );
        // The page leaves out what has no part of the time.
        let all = backtraces(&shown, hot.method);
        let least = all[0].times.total_nanos / 4_000.0;
        let large = all.iter().filter(|row| row.times.total_nanos > least);
        let mut expected: Vec<String> = large
            .map(|row| {
                let (depth, frame, nanos) = (row.depth, row.frame, row.times.total_nanos);
                format!("{depth} {} {} {nanos}", shown.frame_name(frame), row.calls)
            })
            .collect();
        expected.sort();
        assert_eq!(serde_json::from_value::<Vec<String>>(rows).unwrap(), expected);
    }
    assert!(browser.text("#legend").contains("inverted, by total time of "));
}

#[test]
fn counted_calls_are_seen() {
    let Some(mut browser) = Browser::start("counted calls") else { return };
    browser.open(&page(&small_profile::calibrated()), "#tab=tree");
    let step = frame_of(&mut browser, "com.acme.Engine::step(int)");
    browser.eval(&format!("jfathom.change({{ chosen: {step} }})"));
    let numbers = browser.text("#sandwich .card .numbers");
    assert!(numbers.contains("1,236, timed 2 of 1,236"), "{numbers}");
    let tree = browser.texts("#tree .body .row");
    assert!(tree.iter().any(|row| row.contains("1,236, timed 2")), "{tree:?}");
    assert!(browser.text("#legend").contains("counted: calls without a time"));
}

#[test]
fn methods_without_any_time_are_seen() {
    let Some(mut browser) = Browser::start("methods without time") else { return };
    browser.open(&page(&profiles::counted_only()), "#tab=tree");
    let tree = browser.texts("#tree .body .row");
    let row = tree.iter().find(|row| row.contains("Engine::tick")).unwrap();
    assert!(row.contains("counted") && row.contains("70"), "{row}");
    let hot = "#hot .body .row:last-child";
    browser.eval("jfathom.openTab('hot')");
    assert!(browser.text(hot).contains("counted"), "{}", browser.text(hot));
    browser.wait_for("jfathom.icicle.places.some((place) => place.more === 0)");
}

/// Then there is nothing to see by time, and the page opens by calls.
#[test]
fn a_page_without_any_time_opens_by_calls() {
    let Some(mut browser) = Browser::start("a page without times") else { return };
    browser.open(&page(&profiles::without_times()), "");
    assert_eq!(browser.eval("jfathom.state.width + jfathom.state.sort"), "callscalls");
    let chosen = "jfathom.sums.calls[jfathom.state.chosen]";
    assert_eq!(browser.eval(chosen), browser.eval("Math.max(...jfathom.sums.calls)"));
    browser.wait_for("jfathom.icicle.places.length > 1");
    browser.open(&page(&small_profile::calibrated()), "");
    assert_eq!(browser.eval("jfathom.state.width + jfathom.state.sort"), "timeself");
}

#[test]
fn a_frame_says_what_was_sampled_below_it() {
    let Some(mut browser) = Browser::start("sampled frames") else { return };
    browser.open(&page(&profiles::sampled()), "#tab=tree");
    // Its thread is node 0.
    let lines = browser.eval("jfathom.icicle.description(1).join('; ')");
    let lines = lines.as_str().unwrap();
    assert!(lines.contains("100 samples; ~ java.util.TimSort::"), "{lines}");
    // Wilson's interval of 30 in 100, at its wider side.
    assert!(lines.contains("  30 ± 10 %;"), "{lines}");
    assert_eq!(browser.eval("document.querySelectorAll('img').length"), 0);
}

#[test]
fn a_method_says_who_calls_it_by_walked_stacks() {
    let Some(mut browser) = Browser::start("walked stacks") else { return };
    let profile = profiles::walked(4);
    browser.open(&page(&profile), "#tab=tree");
    let names = jfathom_views::Names::of(&profile.methods);
    let frame = frame_of(&mut browser, names.method(MethodIx(1)));
    browser.eval(&format!("jfathom.change({{ chosen: {frame} }})"));
    let text = browser.text("#sandwich");
    assert!(text.contains("Callers by walked stacks"), "{text}");
    assert!(text.contains("10 walks at one in 7 calls; 1 were not made or not kept"), "{text}");
    assert!(text.contains("~ TimSort::`<img src=x"), "{text}");
    assert!(text.contains("×42") && text.contains("×28"), "{text}");
    assert_eq!(browser.eval("document.querySelectorAll('img').length"), 0);
}

#[test]
fn a_difference_says_which_callers_by_walked_stacks_changed() {
    let Some(mut browser) = Browser::start("changed callers") else { return };
    let (base, new) = (profiles::walked(4), profiles::walked(60));
    browser.open(&difference(&base, &new), "#tab=tree");
    let frame = frame_of(&mut browser, "com.acme.Engine::step(int)");
    browser.eval(&format!("jfathom.change({{ chosen: {frame} }})"));
    let rows = browser.texts("[aria-label='Callers by walked stacks'] tr");
    let changed: Vec<_> = rows.iter().filter(|row| row.contains('*')).collect();
    assert_eq!(changed.len(), 1, "{rows:?}");
    assert!(changed[0].starts_with("×420") && changed[0].contains("(was 28)"), "{changed:?}");
    assert!(changed[0].contains("~ TimSort::`<img src=x"), "{changed:?}");
    assert!(rows.iter().any(|row| row.contains("×42 (was 42)")), "{rows:?}");
    let card = browser.text("#sandwich .card");
    assert!(card.contains("calls of a run; walked: one in 7 calls"), "{card}");
    assert!(card.contains("1 walks of the base and 1 new ones lack callers"), "{card}");
    assert_eq!(browser.eval("document.querySelectorAll('img').length"), 0);
    let plain = small_profile::profile();
    browser.open(&difference(&plain, &plain), "#tab=tree");
    browser.eval(&format!("jfathom.change({{ chosen: {frame} }})"));
    assert!(!browser.text("#sandwich .card").contains("walked stacks"));
}

#[test]
fn names_are_texts_and_never_markup() {
    let Some(mut browser) = Browser::start("names") else { return };
    let profile = profiles::hostile();
    let page = page(&profile);
    let html = String::from_utf8(page.clone()).unwrap();
    assert_eq!(html.matches("</script>").count(), 2);
    assert!(!html.contains("onerror"));
    browser.open(&page, "#tab=tree");
    let names = jfathom_views::Names::of(&profile.methods);
    for at in 0..profiles::HOSTILE.len() {
        let name = names.method(MethodIx(at as u32));
        let frame = frame_of(&mut browser, name);
        browser.eval(&format!("jfathom.change({{ chosen: {frame} }})"));
        assert_eq!(browser.text("#sandwich h2"), name);
    }
    browser.eval("jfathom.openTab('hot'); jfathom.openTab('threads')");
    assert!(browser.text("#title").contains(profiles::HOSTILE[0]));
    let threads = browser.text("#threads");
    assert!(threads.contains("</script><script>"), "{threads}");
    assert_eq!(browser.eval("document.querySelectorAll('img, b, main script').length"), 0);
    assert_eq!(browser.eval("window.owned ?? null"), Value::Null);
}

#[test]
fn the_policy_allows_nothing_but_the_page() {
    let Some(mut browser) = Browser::start("policy") else { return };
    browser.open(&page(&small_profile::profile()), "");
    let broken = |made: &str| {
        format!(
            "new Promise((done) => {{ addEventListener('securitypolicyviolation', (event) => \
             done(event.effectiveDirective), {{ once: true }}); {made} }})"
        )
    };
    let image = broken("const i = new Image(); i.src = 'http://127.0.0.1:9/x.png';");
    assert_eq!(browser.eval(&image), "img-src");
    let fetched = broken("fetch('http://127.0.0.1:9/').catch(() => {});");
    assert_eq!(browser.eval(&fetched), "connect-src");
    let script = broken(
        "const s = document.createElement('script'); s.textContent = 'window.owned = 1'; \
         document.body.append(s);",
    );
    assert_eq!(browser.eval(&script), "script-src-elem");
    assert_eq!(browser.eval("window.owned ?? null"), Value::Null);
}

#[test]
fn keys_search_zoom_and_invert_and_a_link_leads_back() {
    let Some(mut browser) = Browser::start("keys") else { return };
    browser.open(&page(&small_profile::calibrated()), "");
    browser.press(&["/", "s", "t", "e", "p"]);
    assert!(browser.text("#found").starts_with("2 names, "), "{}", browser.text("#found"));
    assert_eq!(browser.texts("#hot .body .row").len(), 2);
    browser.press(&["Enter"]);
    assert!(browser.text("#crumbs").contains("Engine::step"), "{}", browser.text("#crumbs"));
    let address = browser.eval("location.hash");
    let address = address.as_str().unwrap().to_owned();
    browser.reopen(&address);
    assert!(browser.text("#crumbs").contains("Engine::step"));
    assert_eq!(browser.eval("document.querySelector('#search').value"), "step");
    browser.press(&["Escape", "i"]);
    assert!(browser.text("#legend").contains("inverted, by self time"));
    assert_eq!(browser.texts("#crumbs li"), ["all"]);
    let deepest = "jfathom.shown().depth.reduce((a, b) => Math.max(a, b))";
    assert!(browser.eval(deepest).as_u64() > Some(0));
    browser.press(&["?"]);
    assert!(browser.text("#help").contains("below resolution"));
}

#[test]
fn the_icicle_is_moved_through_by_arrows() {
    let Some(mut browser) = Browser::start("arrows") else { return };
    browser.open(&page(&small_profile::profile()), "");
    browser.press(&["g", "ArrowDown", "ArrowDown"]);
    assert!(browser.text("#sandwich h2").contains("Engine::run"));
    assert!(browser.text("#live").contains("Engine::run, total 10.00 ms"));
    browser.press(&["ArrowDown", "ArrowRight", "Enter"]);
    assert_eq!(browser.texts("#crumbs li").len(), 4, "{:?}", browser.texts("#crumbs li"));
    browser.press(&["Backspace"]);
    assert_eq!(browser.texts("#crumbs li").len(), 3);
    browser.press(&["Escape"]);
    assert_eq!(browser.texts("#crumbs li"), ["all"]);
}

#[test]
fn the_page_is_light_or_dark() {
    let Some(mut browser) = Browser::start("colours") else { return };
    let back = "getComputedStyle(document.body).backgroundColor";
    browser.prefer("dark");
    browser.open(&page(&small_profile::profile()), "");
    let dark = browser.eval(back);
    browser.press(&["t"]);
    let light = browser.eval(back);
    assert_ne!(dark, light);
    assert_eq!(browser.eval("location.hash"), "#theme=light");
    browser.prefer("light");
    browser.reopen("");
    assert_eq!(browser.eval(back), light);
}

#[test]
fn what_can_be_used_has_a_name_for_screen_readers() {
    let Some(mut browser) = Browser::start("accessible names") else { return };
    browser.open(&page(&small_profile::calibrated()), "#tab=tree");
    let nodes = browser.accessible();
    let role_and_name = |node: &Value| {
        let text = |of: &str| node[of]["value"].as_str().unwrap_or_default().to_owned();
        (text("role"), text("name"))
    };
    let all: Vec<(String, String)> = nodes.iter().map(role_and_name).collect();
    let used = ["button", "searchbox", "combobox", "tab", "treegrid", "application", "toolbar"];
    for role in used {
        let of_role: Vec<&String> =
            all.iter().filter(|(found, _)| found == role).map(|(_, name)| name).collect();
        assert!(!of_role.is_empty(), "no {role}");
        assert!(of_role.iter().all(|name| !name.is_empty()), "{role}: {of_role:?}");
    }
}

#[test]
fn threads_of_a_pool_are_one_row_that_opens() {
    let Some(mut browser) = Browser::start("threads") else { return };
    let mut profile = small_profile::profile();
    for (at, thread) in profile.threads.iter_mut().enumerate() {
        thread.name = format!("worker-{at}");
    }
    browser.open(&page(&profile), "#tab=threads");
    assert!(browser.text("#threads-count").contains("2 threads in 1 row"));
    let rows = browser.texts("#threads .body .row");
    assert!(rows.len() == 1 && rows[0].contains("2 threads worker-*"), "{rows:?}");
    browser.eval("document.querySelector('#threads .body .row').click()");
    let rows = browser.texts("#threads .body .row");
    assert!(rows.len() == 3 && rows[1].contains("worker-0"), "{rows:?}");
}

#[test]
fn each_run_is_a_point() {
    let Some(mut browser) = Browser::start("runs") else { return };
    let runs = [small_profile::drawn(1), small_profile::drawn(2), small_profile::drawn(3)];
    let series = into_series(runs.into()).unwrap();
    browser.open(&page(&series), "");
    let self_by_run = "[...document.querySelectorAll('.scatter')][0]";
    assert_eq!(browser.eval(&format!("{self_by_run}.querySelectorAll('circle').length")), 3);
    let title = browser.eval(&format!("{self_by_run}.querySelector('title').textContent"));
    assert!(title.as_str().unwrap().starts_with("self in 3 runs: mean "), "{title}");

    let other = into_series(vec![small_profile::drawn(4), small_profile::drawn(5)]).unwrap();
    browser.open(&difference(&series, &other), "");
    assert_eq!(browser.eval(&format!("{self_by_run}.querySelectorAll('.side0').length")), 3);
    assert_eq!(browser.eval(&format!("{self_by_run}.querySelectorAll('.side1').length")), 2);
}

#[test]
fn a_difference_has_the_columns_that_both_sides_recorded() {
    let Some(mut browser) = Browser::start("columns of a difference") else { return };
    let side = |bytes: u64, running: u64| {
        let allocated = Record::Allocated { bytes };
        let records = [e(0, 1_000), allocated, r(0, 51_000 + running)];
        let mut side = one_split_thread(&records, &[(1_000, 51_000, OffCpuKind::Blocked)]);
        side.allocation.source = AllocationSource::Fields;
        side
    };
    let (base, new) = (side(1_000, 10_000), side(3_500, 30_000));
    browser.open(&difference(&base, &new), "");
    let row = browser.texts("#hot .body .row").join(" ");
    for text in ["Δ alloc", "Δ cpu"] {
        assert!(browser.text("#hot .header").contains(text), "{text}");
    }
    assert!(row.contains("+2.5 kB") && row.contains("+20.0 µs"), "{row}");
    let frame = frame_of(&mut browser, "p.C::m0");
    browser.eval(&format!("jfathom.change({{ chosen: {frame} }})"));
    let card = browser.text("#sandwich .card");
    for text in ["alloc", "1.0 kB", "3.5 kB", "cpu", "10.00 µs", "30.00 µs", "blocked"] {
        assert!(card.contains(text), "{text}: {card}");
    }
    let mut clocked = new.clone();
    clocked.cpu.source = CpuSource::ThreadClock;
    browser.open(&difference(&base, &clocked), "");
    browser.eval(&format!("jfathom.change({{ chosen: {frame} }})"));
    let card = browser.text("#sandwich .card");
    assert!(card.contains("not running") && !card.contains("blocked"), "{card}");
    browser.open(&page(&clocked), "");
    let frame = frame_of(&mut browser, "p.C::m0");
    browser.eval(&format!("jfathom.change({{ chosen: {frame} }})"));
    let card = browser.text("#sandwich .card");
    assert!(card.contains("not running") && !card.contains("preempted"), "{card}");
    let mut unasked = base.clone();
    (unasked.cpu, unasked.allocation) = Default::default();
    browser.open(&difference(&unasked, &new), "");
    let header = browser.text("#hot .header");
    assert!(!header.contains("alloc") && !header.contains("cpu"), "{header}");
}

#[test]
fn bytes_that_were_not_read_are_not_shown() {
    let Some(mut browser) = Browser::start("bytes that were not read") else { return };
    let allocated = Record::Allocated { bytes: 5_000 };
    let records = [e(0, 1_000), e(1, 2_000), allocated, r(1, 30_000), r(0, 51_000)];
    let mut some = one_split_thread(&records, &[]);
    some.allocation.source = AllocationSource::Fields;
    let whole = some.clone();
    some.set_alloc_reading(|_| false);
    for page in [page(&some), difference(&whole, &some)] {
        browser.open(&page, "");
        let rows = browser.texts("#hot .body .row");
        let row = rows.iter().find(|row| row.contains("m1")).unwrap();
        assert!(row.contains('–') && !row.contains("kB"), "{row}");
    }
    browser.open(&page(&some), "");
    for (name, text) in [("p.C::m1", "not read: in its callers'"), ("p.C::m0", "5.0 kB")] {
        let frame = frame_of(&mut browser, name);
        browser.eval(&format!("jfathom.change({{ chosen: {frame} }})"));
        let card = browser.text("#sandwich .card");
        assert!(card.contains(text), "{card}");
    }
}

#[test]
fn a_difference_shows_both_sides() {
    let Some(mut browser) = Browser::start("difference") else { return };
    let (base, new) = (small_profile::profile(), profiles::slower());
    let found = diff(&base, &new);
    browser.open(&difference(&base, &new), "");
    assert!(browser.text("#title").contains("old.jfp → new.jfp"));
    let step = found.methods.iter().position(|method| method.base == Some(MethodIx(1)));
    let change = found.methods[step.unwrap()].self_time.difference();
    assert_eq!(change, 1_100_000.0);
    let frame = frame_of(&mut browser, "com.acme.Engine::step(int)");
    browser.eval(&format!("jfathom.change({{ chosen: {frame} }})"));
    let card = browser.text("#sandwich .card");
    for number in ["+1.10 ms", "2.200 ms", "baseline", "candidate"] {
        assert!(card.contains(number), "{number}: {card}");
    }
    let caller = browser.text("#sandwich .edges td.number");
    assert_eq!(caller, "2.20 ms (was 1.10 ms)");
    browser.eval("jfathom.openTab('tree')");
    let rows = browser.texts("#tree .body .row");
    assert!(rows.iter().any(|row| row.contains("+1.10 ms")), "{rows:?}");
}
