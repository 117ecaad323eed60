//! A JDK's image: what is looked up by name is what the list and the modules have.

use jfathom_archive::{Input, Jdk};

#[test]
fn the_image_is_found_by_its_own_hash_table() {
    let home = crate::common::jdk::default_home();
    let jdk = Jdk::open(&home).expect("a JDK");
    let modules = jdk.modules().expect("its modules");
    let base = modules.iter().find(|module| module.name == "java.base").expect("java.base");
    let input = Input::open_module(&home, "java.base").expect("java.base");
    let listed: Vec<_> = input
        .names()
        .filter(|name| name.is_class() && name.as_str() != Some("module-info.class"))
        .collect();
    assert_eq!(base.classes.len(), listed.len());
    let some: Vec<usize> = (0..base.classes.len()).step_by(211).collect();
    for &at in &some {
        let name = base.classes[at].name.as_str().expect("a name");
        let bytes = jdk.read("java.base", name).expect("read").expect("there");
        assert_eq!(Some(&bytes), input.read(name).expect("read").as_ref(), "{name}");
        assert_eq!(bytes.len() as u64, base.classes[at].size);
    }
    let mut seen = 0;
    jdk.each("java.base", &base.classes[100..400], &mut |at, bytes| {
        assert_eq!(&bytes[..4], [0xca, 0xfe, 0xba, 0xbe], "{}", base.classes[100 + at].name);
        seen += 1;
    })
    .expect("read");
    assert_eq!(seen, 300);
    assert_eq!(jdk.read("java.base", "java/lang/None.class").expect("read"), None);
    assert_eq!(jdk.read("no.module", "java/lang/Object.class").expect("read"), None);
    let mut pieces = [0u64; 2];
    for sum in &mut pieces {
        assert!(jdk.identify(&mut |piece| {
            piece.iter().for_each(|&b| *sum = sum.rotate_left(7) ^ u64::from(b))
        }));
    }
    assert_eq!(pieces[0], pieces[1]);
}
