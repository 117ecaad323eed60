//! Bisection of a batch that the JVM refuses.

/// Calls `attempt` with all items. If it fails, calls it with halves, until the items that fail
/// alone are found: `refused` gets each of them with its error. Items are tried in order.
pub fn bisect<T, E>(
    items: &[T],
    mut attempt: impl FnMut(&[T]) -> Result<(), E>,
    mut refused: impl FnMut(&T, E),
) {
    let mut open = vec![items];
    while let Some(items) = open.pop() {
        if items.is_empty() {
            continue;
        }
        let Err(error) = attempt(items) else { continue };
        if let [item] = items {
            refused(item, error);
        } else {
            let (first, second) = items.split_at(items.len() / 2);
            open.extend([second, first]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::bisect;

    #[test]
    fn each_bad_item_is_refused_alone_and_the_others_succeed_in_order() {
        let (mut done, mut bad, mut attempts) = (Vec::new(), Vec::new(), 0);
        let attempt = |items: &[u32]| {
            attempts += 1;
            match items.iter().find(|item| [3, 6].contains(*item)) {
                Some(item) => Err(*item),
                None => {
                    done.extend_from_slice(items);
                    Ok(())
                }
            }
        };
        bisect(&[1, 2, 3, 4, 5, 6, 7, 8], attempt, |item, error| bad.push((*item, error)));
        assert_eq!((done, bad), (vec![1, 2, 4, 5, 7, 8], vec![(3, 3), (6, 6)]));
        assert_eq!(attempts, 11);
        bisect(&[], |_: &[u32]| Err(()), |_, ()| panic!("nothing was tried"));
    }
}
