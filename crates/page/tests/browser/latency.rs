//! The list of latencies.

use crate::{chromium::Browser, page, profiles};
use jfathom_profile::{MethodIx, Ticks, UnsampledCalls};
use jfathom_testkit::small_profile;

/// Whether the list needs no more width than it has.
const FITS: &str = "(() => { const at = document.querySelector('#latency'); \
                    return at.scrollWidth <= at.clientWidth; })()";

#[test]
fn without_latencies_there_is_no_such_list() {
    let Some(mut browser) = Browser::start("no latencies") else { return };
    let mut profile = small_profile::profile();
    profile.latencies = Default::default();
    browser.open(&page(&profile), "#tab=latency");
    let shown = |browser: &mut Browser, id: &str| {
        let hidden = browser.eval(&format!("document.querySelector('#{id}').hidden"));
        hidden == false
    };
    assert!(!shown(&mut browser, "tab-latency") && !shown(&mut browser, "latency"));
    assert!(shown(&mut browser, "hot"), "what a link asks for is not there");
    browser.press(&["4"]);
    assert!(shown(&mut browser, "hot") && !shown(&mut browser, "latency"));
}

#[test]
fn latencies_are_a_row_for_each_call_path() {
    let Some(mut browser) = Browser::start("latencies") else { return };
    let mut profile = small_profile::profile();
    profile.latencies.paths.truncate(1);
    browser.open(&page(&profile), "");
    browser.press(&["4"]);
    let rows = browser.texts("#latency tbody tr");
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert!(rows[0].starts_with('1') && rows[0].ends_with("Engine::run com.acme"), "{rows:?}");
    // Of one call there are no quantiles.
    assert_eq!(rows[0].matches('–').count(), 4, "{rows:?}");
    let hint = browser.text("#latency .hint");
    assert!(hint.contains("--slowest 20"), "{hint}");
}

#[test]
fn long_names_and_many_call_paths_fit() {
    let Some(mut browser) = Browser::start("many latencies") else { return };
    let profile = profiles::with_latencies();
    browser.open(&page(&profile), "#tab=latency");
    let rows = browser.texts("#latency table:first-child tbody tr");
    assert_eq!(rows.len(), profile.latencies.paths.len());
    assert!(rows.iter().any(|row| row.contains(" ns")), "{rows:?}");
    assert!(rows.iter().any(|row| row.contains(" s\t")), "{rows:?}");
    let quantiles = "document.querySelectorAll('#latency thead .extra')[0].offsetWidth > 0";
    for (width, height, has_all_quantiles) in [(1280, 800, true), (390, 844, false)] {
        browser.resize(width, height);
        assert_eq!(browser.eval(FITS), true, "{width} pixels");
        assert_eq!(browser.eval(quantiles), has_all_quantiles, "{width} pixels");
    }
}

#[test]
fn slow_calls_stand_beside_typical_ones() {
    let Some(mut browser) = Browser::start("slow calls") else { return };
    let profile = profiles::with_latencies();
    browser.open(&page(&profile), "#tab=latency");
    let title = browser.text("#latency h2");
    assert!(title.starts_with("Slowest calls of Engine::run com.acme"), "{title}");
    let call = browser.text("#latency h2 + table tbody tr");
    assert!(call.starts_with("4,000 s\t+5.000 ms\t899\t100%\t"), "{call}");
    assert!(call.contains(", thread main #1, 12 records left out"), "{call}");
    let why = "did not run: monitor Door 400 s (10%), gc 40.0 s (1.0%); threw 3 × IOException";
    assert_eq!(browser.text("#latency h2 + table tbody tr .why"), why);
    let deep = browser.text("#latency h2 + table + table .path");
    assert_eq!(deep, "… 385 frames … › Engine::step(int) ×64 levels com.acme");
}

#[test]
fn a_sample_is_said_to_be_one() {
    let Some(mut browser) = Browser::start("samples") else { return };
    let mut profile = small_profile::profile();
    let (method, time) = (MethodIx(0), Ticks(90_000_000));
    profile.latencies.unsampled = vec![UnsampledCalls { method, calls: 9, time }];
    browser.open(&page(&profile), "");
    let facts = browser.text("#facts");
    assert!(facts.contains("Engine::run: 1 of 10 calls recorded"), "{facts}");
}
