//! What a person sees on an emulated terminal after some keys.

use crate::{App, key::action};
use jfathom_profile::{EventKind, EventName, EventSum, Profile, Ticks};
use jfathom_testkit::{
    between,
    events::add_to_each_node,
    profiles::{OffCpuKind, one_split_thread, one_thread},
    records::{alloc, e, r},
    small_profile,
    walks::walked,
};
use jfathom_views::Scope;
use ratatui::{
    Terminal,
    backend::TestBackend,
    crossterm::event::{KeyCode, KeyEvent, KeyModifiers},
};

fn press(app: &mut App, keys: &str) {
    for key in keys.chars() {
        let code = match key {
            '\n' => KeyCode::Enter,
            '←' => KeyCode::Left,
            '→' => KeyCode::Right,
            '↓' => KeyCode::Down,
            letter => KeyCode::Char(letter),
        };
        let event = KeyEvent::new(code, KeyModifiers::NONE);
        app.act(action(event, app.is_typing()));
    }
}

/// The lines of a terminal of this size.
fn screen(app: &mut App, width: u16, height: u16) -> Vec<String> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| app.draw(frame)).unwrap();
    let buffer = terminal.backend().buffer().clone();
    let line = |y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..height).map(|y| line(y).trim_end().to_owned()).collect()
}

fn line_with<'a>(lines: &'a [String], text: &str) -> &'a str {
    lines.iter().find(|line| line.contains(text)).unwrap_or_else(|| panic!("{text}: {lines:#?}"))
}

fn app(profile: &Profile) -> App<'_> {
    App::new(profile, None, &Scope::default())
}

#[test]
fn hot_methods_come_first_and_are_sorted_by_a_key() {
    let profile = small_profile::calibrated();
    let mut app = app(&profile);
    let lines = screen(&mut app, 100, 20);
    assert!(lines[1].contains("hot methods, by self time"), "{lines:#?}");
    let run = line_with(&lines, "Engine::run");
    assert!(lines[3] == run && run.contains("7.40 ms"), "{lines:#?}");
    press(&mut app, "ss");
    let lines = screen(&mut app, 100, 20);
    assert!(lines[1].contains("by calls"));
    let first = &lines[3];
    assert!(first.contains("step(int)") && first.contains("1,236"), "{lines:#?}");
}

#[test]
fn columns_that_were_recorded_are_shown_and_sorted_by() {
    let records = [e(0, 1_000), e(1, 2_000), alloc(5_000), r(1, 9_000), r(0, 10_000)];
    let parts = [(3_000, 9_000, OffCpuKind::Blocked)];
    let mut profile = one_split_thread(&records, &parts);
    let mut without = app(&profile);
    press(&mut without, "sss");
    let lines = screen(&mut without, 100, 20);
    assert!(lines[1].contains("by running time") && !lines[2].contains("alloc"), "{lines:#?}");
    let first = &lines[3];
    assert!(lines[2].contains("cpu self") && first.contains("C::m0"), "{lines:#?}");
    assert!(first.contains("2.000 µs"), "{lines:#?}");
    profile.allocation.source = jfathom_profile::AllocationSource::Fields;
    let mut both = app(&profile);
    press(&mut both, "2");
    let lines = screen(&mut both, 120, 20);
    assert!(lines[2].contains("alloc self") && lines[2].contains("cpu self"), "{lines:#?}");
    press(&mut both, "sssss");
    assert!(screen(&mut both, 100, 20)[1].contains("by self time"));
}

#[test]
fn the_tree_opens_and_closes() {
    let profile = small_profile::profile();
    let mut app = app(&profile);
    press(&mut app, "2g");
    let open = screen(&mut app, 100, 20);
    line_with(&open, "▾ thread main #1");
    line_with(&open, "Engine::run");
    press(&mut app, "←");
    let closed = screen(&mut app, 100, 20);
    line_with(&closed, "▸ thread main #1");
    assert!(!closed.iter().any(|line| line.contains("▾ com.acme.Engine::run")));
    press(&mut app, "→");
    line_with(&screen(&mut app, 100, 20), "▾ thread main #1");
}

#[test]
fn a_search_opens_the_way_to_its_match() {
    let profile = small_profile::profile();
    let mut app = app(&profile);
    press(&mut app, "2g←");
    press(&mut app, "/step(long)\n");
    let lines = screen(&mut app, 100, 20);
    line_with(&lines, "step(long)");
    press(&mut app, "/nowhere\n");
    line_with(&screen(&mut app, 100, 20), "no match for nowhere");
}

#[test]
fn callers_stand_above_a_method_and_callees_below() {
    let profile = small_profile::profile();
    let mut app = app(&profile);
    press(&mut app, "/Engine::run\nc");
    let lines = screen(&mut app, 100, 20);
    let place = |text: &str| {
        lines.iter().position(|line| line.contains(text) && !line.contains("callers of"))
    };
    let method = place("com.acme.Engine::run").unwrap();
    assert!(place("thread main #1").unwrap() < method);
    assert!(place("step(int)").unwrap() > method);
    press(&mut app, "?");
    line_with(&screen(&mut app, 100, 30), "callers and callees of the method");
}

#[test]
fn waits_and_exceptions_of_what_is_selected() {
    let mut profile = small_profile::profile();
    let mut without = app(&profile);
    press(&mut without, "w");
    line_with(&screen(&mut without, 160, 20), "not recorded");
    let name = |kind, class: &str| EventName { kind, class: Some(class.into()) };
    let wait = EventSum { count: 2, time: Ticks(3_000_000) };
    let made = EventSum { count: 5, time: Ticks(0) };
    add_to_each_node(&mut profile, &name(EventKind::Monitor, "a.Lock"), wait);
    add_to_each_node(&mut profile, &name(EventKind::Exception, "a.Failure"), made);
    let caught = EventSum { count: 7, time: Ticks(0) };
    add_to_each_node(&mut profile, &name(EventKind::Caught, "a.Failure"), caught);
    add_to_each_node(&mut profile, &EventName::of(EventKind::Caught), caught);
    let mut app = app(&profile);
    press(&mut app, "/Engine::run\nw");
    let lines = screen(&mut app, 160, 20);
    line_with(&lines, "why it did not run: com.acme.Engine::run on all call paths");
    let own: Vec<&String> =
        lines.iter().filter(|line| line.contains("monitor of a.Lock")).collect();
    assert!(own.len() == 2 && own[0].contains("  2  ") && own[0] != own[1], "{lines:#?}");
    assert!(line_with(&lines, "a.Failure made").contains(" 5  "), "{lines:#?}");
    assert!(line_with(&lines, "a.Failure caught").contains(" 7  "), "{lines:#?}");
    assert!(line_with(&lines, "classes not known caught").contains(" 7  "), "{lines:#?}");
    press(&mut app, "←2w");
    line_with(&screen(&mut app, 160, 20), "on this call path");
    press(&mut app, "←");
    line_with(&screen(&mut app, 160, 20), "call tree, the costliest");
}

#[test]
fn callers_by_walked_stacks() {
    let plain = small_profile::profile();
    let mut without = app(&plain);
    press(&mut without, "W");
    line_with(&screen(&mut without, 160, 20), "not recorded: `record --probe");
    let profile = walked(small_profile::profile());
    let names = jfathom_views::Names::of(&profile.methods);
    let [caller, called] = [0, 1].map(|at| names.method(jfathom_profile::MethodIx(at)));
    let mut app = app(&profile);
    press(&mut app, &format!("/{called}\nW"));
    let lines = screen(&mut app, 100, 30);
    line_with(&lines, "callers by walked stacks");
    let called_line = format!("{called}  (one in 10 calls)");
    // A level begins where the ways fork: what leads to the first caller stands below it.
    let place = |text: &str| lines.iter().position(|line| line.ends_with(text)).expect(text);
    let of = |name: &str| &lines[place(name)];
    let indent = |name: &str| lines[place(name)].find(name);
    assert!(of(&called_line).contains("100") && of(&called_line).contains("~90"), "{lines:#?}");
    assert!(of(caller).contains("67 ± 31") && of(caller).contains("~60"), "{lines:#?}");
    assert_eq!(indent("~ app.Main::loop"), indent(caller));
    assert!(indent(caller) > indent(&called_line), "{lines:#?}");
    assert!(lines[place("~ app.Main::loop") + 1].ends_with("~ app.Main::main"), "{lines:#?}");
    assert!(line_with(&lines, "walks were due").contains("12"), "{lines:#?}");
    assert!(line_with(&lines, "have no stack with the method").contains(" 2 "), "{lines:#?}");
    // Of a caller without walks of its own, then to the one that has some, and back.
    press(&mut app, "↓W");
    let lines = screen(&mut app, 100, 30);
    line_with(&lines, &format!("no stacks of {caller} were walked"));
    press(&mut app, "↓↓W");
    line_with(&screen(&mut app, 100, 30), &called_line);
    press(&mut app, "w");
    line_with(&screen(&mut app, 160, 30), &format!("why it did not run: {called}"));
    press(&mut app, "W←");
    line_with(&screen(&mut app, 100, 30), "hot methods, by self time");
}

/// All pages have their names on a terminal of 80 columns.
#[test]
fn tabs_fit() {
    let profile = small_profile::profile();
    let lines = screen(&mut app(&profile), 80, 20);
    assert!(lines[0].ends_with(" 6 about"), "{lines:#?}");
    assert!(lines[19].ends_with("q leave"), "{lines:#?}");
}

#[test]
fn simple_class_names_of_reasons_stay_readable() {
    let class = "com.acme.inventory.warehouse.synchronisation.ReplenishmentLock";
    let name = |kind| EventName { kind, class: Some(class.into()) };
    let [wait, caught] = [3_000_000, 0].map(|time| EventSum { count: 2, time: Ticks(time) });
    let mut profile = small_profile::profile();
    add_to_each_node(&mut profile, &name(EventKind::Monitor), wait);
    add_to_each_node(&mut profile, &name(EventKind::Caught), caught);
    let mut app = app(&profile);
    press(&mut app, "/Engine::run\nw");
    for width in [60, 80] {
        let lines = screen(&mut app, width, 20);
        assert!(line_with(&lines, "monitor of ").contains("ReplenishmentLock"), "{lines:#?}");
        line_with(&lines, "ReplenishmentLock caught");
        line_with(&lines, "run on all call paths");
    }
}

#[test]
fn any_size_and_any_key_is_fine() {
    for seed in 0..4 {
        let profile = walked(small_profile::drawn(seed));
        let mut app = app(&profile);
        for (at, key) in
            "2oo→→↓↓/m3\nnN3c\n←←w?q4?51sGwW↓W5↓\nW6".chars().cycle().take(300).enumerate()
        {
            press(&mut app, &key.to_string());
            screen(&mut app, 1 + (at as u16 * 7) % 140, 1 + (at as u16 * 3) % 40);
        }
    }
}

#[test]
fn an_empty_profile_shows() {
    let mut profile = small_profile::profile();
    profile.tree = jfathom_profile::Tree::default();
    let mut app = app(&profile);
    press(&mut app, "2→c3/x\n4w5W6");
    screen(&mut app, 80, 24);
}

#[test]
fn bytes_that_were_not_read_are_not_known() {
    let allocated = alloc(5_000);
    let mut profile = one_thread(&[e(0, 10), e(1, 20), allocated, r(1, 30), r(0, 40)]);
    profile.allocation.source = jfathom_profile::AllocationSource::Fields;
    profile.set_alloc_reading(|_| false);
    let mut app = app(&profile);
    let lines = screen(&mut app, 120, 20);
    let cells = |name: &str| {
        line_with(&lines, name).split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(cells("C::m1").iter().filter(|cell| *cell == "-").count(), 2, "{lines:#?}");
    assert!(line_with(&lines, "C::m0").contains("5.0 kB"), "{lines:#?}");
}

#[test]
fn what_lies_between_has_a_total_and_is_explained() {
    let profile = between::profile(2);
    let mut shown = app(&profile);
    press(&mut shown, "2");
    let lines = screen(&mut shown, 100, 20);
    let sign = line_with(&lines, "⋯");
    let cells: Vec<&str> = sign.split_whitespace().collect();
    assert_eq!(cells, ["50.0", "5.00", "ms", "±0.0%", "▸", "⋯"], "{lines:#?}");
    press(&mut shown, "?");
    let lines = screen(&mut shown, 100, 40);
    assert!(line_with(&lines, "counted and not timed").contains('⋯'), "{lines:#?}");
    let mut hot = app(&profile);
    assert!(!screen(&mut hot, 100, 20).iter().any(|line| line.contains('⋯')));
    let without = small_profile::calibrated();
    let mut without = app(&without);
    press(&mut without, "?");
    assert!(!screen(&mut without, 100, 40).iter().any(|line| line.contains('⋯')));
}
