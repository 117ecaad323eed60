//! A real server under load.

use super::{calls, live};
use jfathom_tests::{
    jdk,
    live::server::{Server, get, tomcat},
};
use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
};

/// Requests for `web.Listing`, all of them inside the session.
const LISTINGS: u64 = 40;

/// The price that `web.Shop` makes of a number.
fn price(n: u64) -> u64 {
    (0..4).map(|item| (item + n) * 120).sum()
}

/// Attaches and detaches while requests are served: all of them succeed, before, inside and after;
/// one servlet's are exactly known.
#[test]
fn attached_to_under_load() {
    let Some(tomcat) = tomcat("a server under load") else { return };
    for jdk in jdk::main_and_25("a server under load") {
        let server = Server::start(&tomcat, jdk);
        let port = server.port();
        assert_eq!(get(port, "/orders?n=1").unwrap(), (200, format!("price {}", price(1))));
        let (over, served) = (AtomicBool::new(false), AtomicU64::new(0));
        let profile = thread::scope(|scope| {
            for client in 0..4 {
                let (over, served) = (&over, &served);
                scope.spawn(move || {
                    let mut n = client;
                    while !over.load(Ordering::Acquire) {
                        let answer = get(port, &format!("/orders?n={n}"));
                        let fine = matches!(&answer, Ok((200, body)) if *body == format!("price {}", price(n)));
                        if !fine {
                            over.store(true, Ordering::Release);
                        }
                        assert!(fine, "{answer:?}");
                        served.fetch_add(1, Ordering::AcqRel);
                        n += 1;
                    }
                });
            }
            let until = |more: u64| {
                let before = served.load(Ordering::Acquire);
                while served.load(Ordering::Acquire) < before + more
                    && !over.load(Ordering::Acquire)
                {
                    thread::yield_now();
                }
            };
            until(50);
            let mut recording =
                live(&["web.Orders::doGet", "web.Listing::doGet"]).attach(server.pid());
            recording.until("both roots are live", |lines| {
                lines.all("root").filter(|root| root["state"] == "live").count() >= 1
            });
            for n in 0..LISTINGS {
                assert_eq!(
                    get(port, &format!("/listing?n={n}")).unwrap(),
                    (200, format!("list {}", price(n)))
                );
            }
            until(50);
            let (done, profile) = recording.end();
            until(50);
            over.store(true, Ordering::Release);
            assert!(!done.stderr.contains("damage"), "{done}");
            profile
        });
        assert_eq!(profile.quality.restored_differently, 0, "{:?}", profile.meta.notices);
        let is_unmatched = |notice: &String| notice.contains("no such method");
        assert!(!profile.meta.notices.iter().any(is_unmatched), "{:?}", profile.meta.notices);
        let (root, listings) =
            (calls(&profile, "web/Orders", "doGet"), calls(&profile, "web/Listing", "doGet"));
        assert_eq!(listings, LISTINGS);
        assert!(root >= 50 && root <= served.load(Ordering::Acquire), "{root}");
        let open = |name: &str| {
            let meant =
                profile.methods.iter().filter(|method| method.info.key.class.starts_with("web/"));
            meant
                .filter(|method| method.info.key.name == name)
                .map(|method| method.open)
                .sum::<u64>()
        };
        // Requests that were being served when the session ended may lack what came after.
        let (prices, taxes) =
            (calls(&profile, "web/Shop", "price"), calls(&profile, "web/Shop", "tax"));
        assert!(
            prices <= root + listings && prices + open("doGet") >= root + listings,
            "{prices} of {root}"
        );
        assert!(
            taxes <= 4 * prices && taxes + 4 * (open("price") + open("doGet")) >= 4 * prices,
            "{taxes} of {prices}"
        );
        assert_eq!(calls(&profile, "org/apache/jsp/list_jsp", "_jspService"), LISTINGS);
        server.finish().fine();
    }
}
