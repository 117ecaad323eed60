//! Tables of texts in which each stands once.

use std::collections::HashMap;

/// Texts by index; the first one is empty.
#[derive(Debug)]
pub(crate) struct Strings {
    places: HashMap<String, u64>,
    texts: Vec<String>,
}

impl Default for Strings {
    fn default() -> Self {
        Self { places: HashMap::from([(String::new(), 0)]), texts: vec![String::new()] }
    }
}

impl Strings {
    /// The index of a text, which is added if it is new.
    pub fn place(&mut self, text: &str) -> u64 {
        if let Some(place) = self.places.get(text) {
            return *place;
        }
        let place = self.texts.len() as u64;
        self.texts.push(text.to_owned());
        self.places.insert(text.to_owned(), place);
        place
    }

    /// All texts in the order of their indexes.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }
}
