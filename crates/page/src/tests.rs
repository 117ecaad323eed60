//! The data of pages, read back.

use crate::{difference_page, profile_page};
use jfathom_compare::diff;
use jfathom_profile::{AllocationSource, Frame, Profile};
use jfathom_testkit::{between, profiles::one_thread, records::*, small_profile};
use jfathom_trace::record::Record;
use jfathom_views::{Comparison, Scope};
use serde_json::Value;

/// What stands at the top of a page.
const SUMMARY: &str = "NOT CLEAN: 3 records were lost\ncommand   java Main\n";

/// The document and the columns of a page.
fn data_of(profile: &Profile) -> (Value, Vec<u8>) {
    let mut page = Vec::new();
    profile_page(profile, &Scope::default(), SUMMARY, &mut page).unwrap();
    read(page)
}

fn read(page: Vec<u8>) -> (Value, Vec<u8>) {
    let page = String::from_utf8(page).unwrap();
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    let packed = bytes_of_base64(rest.split_once("</script>").unwrap().0);
    let mut data = vec![0; 1 << 20];
    let mut decompressor = libdeflater::Decompressor::new();
    let length = decompressor.gzip_decompress(&packed, &mut data).unwrap();
    data.truncate(length);
    let columns = data.split_off(4 + u32::from_le_bytes(data[..4].try_into().unwrap()) as usize);
    (serde_json::from_slice(&data[4..]).unwrap(), columns)
}

fn bytes_of_base64(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|letter| *letter != b'=').map(value).collect();
    let bits =
        |group: &[u8]| group.iter().fold(0_u32, |bits, letter| bits << 6 | u32::from(*letter));
    let bytes = |group: &[u8]| {
        let bits = bits(group) << (6 * (4 - group.len()));
        bits.to_be_bytes()[1..group.len()].to_vec()
    };
    letters.chunks(4).flat_map(bytes).collect()
}

/// The numbers of a column.
fn column(head: &Value, columns: &[u8], name: &str) -> Vec<u64> {
    let place = |at: usize| head["columns"][name][at].as_u64().unwrap() as usize;
    let mut numbers = vec![0];
    let mut shift = 0;
    for byte in &columns[place(0)..place(0) + place(1)] {
        *numbers.last_mut().unwrap() |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            numbers.push(0);
            shift = 0;
        }
    }
    numbers.pop();
    numbers
}

#[test]
fn a_page_has_all_nodes_with_their_calls_and_times() {
    for profile in [small_profile::profile(), small_profile::drawn(4)] {
        let (head, columns) = data_of(&profile);
        let tree = &profile.tree;
        assert_eq!(head["nodes"], tree.len());
        let numbers = |name| column(&head, &columns, name);
        // Nodes are in another order, so their numbers are compared as sets.
        let mut found: Vec<_> = numbers("timed").into_iter().zip(numbers("self")).collect();
        let number = |node| (tree.timed(node), tree.self_time(node).0 * 2);
        let mut expected: Vec<_> = tree.nodes().map(number).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
        assert!(numbers("close").len() == tree.len() && numbers("rank").len() == tree.len());
    }
}

#[test]
fn names_are_nowhere_but_in_the_compressed_data() {
    let mut profile = small_profile::profile();
    profile.methods[0].info.key.class = "</script><b>".to_owned();
    let mut page = Vec::new();
    profile_page(&profile, &Scope::default(), "", &mut page).unwrap();
    assert!(!String::from_utf8(page).unwrap().contains("<b>"));
    let (head, _) = data_of(&profile);
    let names = head["frames"]["names"].as_array().unwrap();
    assert!(names.contains(&Value::from("`<`.`script><b>`::run")), "{names:?}");
}

#[test]
fn counted_calls_and_losses_are_in_the_data() {
    let profile = small_profile::calibrated();
    let (head, columns) = data_of(&profile);
    let counted = profile.tree.nodes().map(|node| profile.tree.counted(node)).sum::<u64>();
    assert!(counted > 0);
    assert_eq!(column(&head, &columns, "counted").iter().sum::<u64>(), counted);
    assert_eq!(head["facts"][0], serde_json::json!(["NOT CLEAN", "3 records were lost"]));
    let roots = profile.tree.roots().map(|root| profile.tree.frame(root));
    assert_eq!(head["threads"].as_array().unwrap().len(), roots.map(kind).sum::<usize>());
}

fn kind(frame: Frame) -> usize {
    usize::from(matches!(frame, Frame::Thread(_)))
}

#[test]
fn methods_without_a_known_number_of_bytes_are_marked() {
    let mut profile = one_thread(&[e(0, 10), alloc(5_000), counted(1, 3), r(0, 40)]);
    let unread = |profile: &Profile| {
        let (head, _) = data_of(profile);
        let facts = head["frames"]["facts"].as_array().unwrap().iter();
        facts.filter(|of| of["uncertain"]["alloc"] == 8).count()
    };
    assert_eq!(unread(&profile), 0, "nothing was recorded");
    profile.allocation.source = AllocationSource::Fields;
    assert_eq!(unread(&profile), 1, "the one that is only counted");
}

/// A call path whose calls one side only counts, of a method that has timed ones on another.
#[test]
fn call_paths_without_a_known_number_of_bytes_are_marked() {
    let begin = [e(0, 10), alloc(100), e(1, 20)];
    let end = [r(1, 30), e(2, 31), alloc(7), r(2, 35), r(0, 40)];
    let of = |middle: &[Record]| {
        let mut profile = one_thread(&[&begin, middle, &end].concat());
        profile.allocation.source = AllocationSource::Fields;
        profile
    };
    let base = of(&[counted(2, 1), alloc(50)]);
    let new = of(&[e(2, 22), alloc(50), r(2, 24)]);
    let unknown = |base: &Profile, new: &Profile| {
        let diff = &diff(base, new);
        let compared = Comparison { base, new, called: ["old.jfp", "new.jfp"], diff };
        let mut page = Vec::new();
        difference_page(&compared, SUMMARY, &mut page).unwrap();
        let (head, columns) = read(page);
        column(&head, &columns, "alloc-certainty").iter().filter(|code| **code == 8).count()
    };
    assert_eq!((unknown(&base, &new), unknown(&new, &base), unknown(&new, &new)), (1, 1, 0));
}

#[test]
fn what_lies_between_is_a_frame_without_calls() {
    let [base, new] = [2, 4].map(between::profile);
    let found = diff(&base, &new);
    let compared = Comparison { base: &base, new: &new, called: ["a", "b"], diff: &found };
    let mut page = Vec::new();
    difference_page(&compared, SUMMARY, &mut page).unwrap();
    for (head, _) in [data_of(&base), read(page)] {
        let names = head["frames"]["names"].as_array().unwrap();
        let sign = names.iter().position(|name| name == "⋯").unwrap();
        assert_eq!(head["frames"]["kinds"].as_str().unwrap().as_bytes()[sign], b'm');
    }
    let (head, columns) = data_of(&base);
    // Three counted methods and `⋯` have no timed calls; the thread counts as one.
    let mut timed = column(&head, &columns, "timed");
    timed.sort();
    assert_eq!(timed, [0, 0, 0, 0, 1, 1, 2]);
    let slowest = head["slowest"].as_array().unwrap().iter();
    let path = serde_json::json!(["com.acme.Shop::run", "⋯", "com.acme.Shop::query"]);
    assert!(slowest.map(|of| &of["path"]).any(|of| *of == path), "{head:#}");
}
