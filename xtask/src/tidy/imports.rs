//! Which file of a crate uses which: the arrows between the files of one `src` folder.
//!
//! A name that a module only passes on (`pub use`) leads to the file that defines it, so a crate's
//! root is no knot by itself. Code for tests is left out.

use std::collections::{BTreeMap, BTreeSet};
use syn::{
    Attribute, File, Item, UseTree,
    visit::{self, Visit},
};

/// A module's path below the crate's root, whose path is empty.
type Module = Vec<String>;

/// How often a name may be passed on before it is given up: uses can form a loop.
const MAX_HOPS: usize = 8;

/// One source file of a crate.
struct Source {
    path: String,
    /// Names that the file defines.
    defined: BTreeSet<String>,
    /// Names that it brings in, with the paths that they stand for.
    imported: BTreeMap<String, Module>,
    /// Modules from which it takes all names.
    globs: Vec<Module>,
    /// Every path in its code that may lead to another file.
    used: Vec<Module>,
}

/// The files of a crate, as (path, text), and the files that each uses.
///
/// `root` is the crate's folder `src`. A file that is not Rust that `syn` reads has no arrows: the
/// compiler says what is wrong with it.
pub fn arrows(root: &str, files: &[(String, String)]) -> BTreeMap<String, BTreeSet<String>> {
    let sources: BTreeMap<Module, Source> = files
        .iter()
        .filter_map(|(path, text)| Some((module(root, path)?, Source::read(path, text)?)))
        .collect();
    let mut arrows = BTreeMap::new();
    for (module, source) in &sources {
        let mut targets = BTreeSet::new();
        for used in &source.used {
            targets.extend(resolve(&sources, module, used, MAX_HOPS));
        }
        targets.remove(&source.path);
        arrows.insert(source.path.clone(), targets);
    }
    arrows
}

/// The module of a file: `src/a/b.rs` is `a::b`. None for other programs than the library.
fn module(root: &str, path: &str) -> Option<Module> {
    let name = path.strip_prefix(root)?.trim_start_matches('/').strip_suffix(".rs")?;
    let mut module: Module = name.split('/').map(str::to_owned).collect();
    match module.last().map(String::as_str) {
        Some("main") => return None,
        Some("lib" | "mod") => drop(module.pop()),
        _ => {}
    }
    Some(module)
}

/// The file to which a path leads that stands in the module `from`.
fn resolve(
    sources: &BTreeMap<Module, Source>,
    from: &Module,
    path: &[String],
    hops: usize,
) -> Option<String> {
    let (mut at, mut rest) = (from.clone(), path);
    while let Some((first, others)) = rest.split_first() {
        match first.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => drop(at.pop()),
            _ => break,
        }
        rest = others;
    }
    let is_relative = rest.len() == path.len();
    for (number, name) in rest.iter().enumerate() {
        let here = sources.get(&at)?;
        let child: Module = at.iter().cloned().chain([name.clone()]).collect();
        if sources.contains_key(&child) {
            at = child;
            continue;
        }
        if here.defined.contains(name) {
            return Some(here.path.clone());
        }
        if let Some(imported) = here.imported.get(name).filter(|_| hops > 0) {
            let whole: Module = imported.iter().chain(&rest[number + 1..]).cloned().collect();
            return resolve(sources, &at, &whole, hops - 1);
        }
        // A path that begins with another crate's name leads out of this one.
        if is_relative && number == 0 {
            return None;
        }
        let found = here.globs.iter().filter(|_| hops > 0).find_map(|glob| {
            let whole: Module = glob.iter().chain(&rest[number..]).cloned().collect();
            resolve(sources, &at, &whole, hops - 1)
        });
        return Some(found.unwrap_or_else(|| here.path.clone()));
    }
    (!is_relative || at != *from).then(|| sources.get(&at).map(|source| source.path.clone()))?
}

impl Source {
    fn read(path: &str, text: &str) -> Option<Self> {
        let file: File = syn::parse_file(text).ok()?;
        let mut source = Self {
            path: path.to_owned(),
            defined: BTreeSet::new(),
            imported: BTreeMap::new(),
            globs: Vec::new(),
            used: Vec::new(),
        };
        source.defined.extend(file.items.iter().filter_map(name));
        source.visit_file(&file);
        Some(source)
    }

    fn add_use(&mut self, tree: &UseTree, prefix: &mut Module) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.add_use(&path.tree, prefix);
                prefix.pop();
            }
            UseTree::Name(name) if name.ident == "self" => {
                if let Some(last) = prefix.last().cloned() {
                    self.add_name(last, prefix.clone());
                }
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                self.add_name(name.clone(), prefix.iter().cloned().chain([name]).collect());
            }
            UseTree::Rename(names) => {
                let path = prefix.iter().cloned().chain([names.ident.to_string()]).collect();
                self.add_name(names.rename.to_string(), path);
            }
            UseTree::Glob(_) => {
                self.globs.push(prefix.clone());
                self.used.push(prefix.clone());
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.add_use(tree, prefix));
            }
        }
    }

    fn add_name(&mut self, name: String, path: Module) {
        self.used.push(path.clone());
        self.imported.insert(name, path);
    }
}

impl<'f> Visit<'f> for Source {
    fn visit_item(&mut self, item: &'f Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'f syn::ItemUse) {
        // What a file passes on is used by those who take it from there, not by the file.
        let before = self.used.len();
        self.add_use(&item.tree, &mut Vec::new());
        if !matches!(item.vis, syn::Visibility::Inherited) {
            self.used.truncate(before);
        }
    }

    /// Who may use a name is no use.
    fn visit_vis_restricted(&mut self, _: &'f syn::VisRestricted) {}

    fn visit_path(&mut self, path: &'f syn::Path) {
        if path.segments.len() > 1 {
            self.used.push(path.segments.iter().map(|part| part.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }
}

/// The name that an item defines.
fn name(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Mod(item) if item.content.is_some() => &item.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        _ => return None,
    };
    Some(ident.to_string())
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        _ => &[],
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrows_of(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<_> = files
            .iter()
            .map(|(path, text)| (format!("a/src/{path}"), (*text).to_owned()))
            .collect();
        let arrows = arrows("a/src", &files);
        let name = |path: &str| path.trim_start_matches("a/src/").to_owned();
        let to = |(from, to): (&String, &BTreeSet<String>)| -> Vec<String> {
            to.iter().map(|to| format!("{} {}", name(from), name(to))).collect()
        };
        arrows.iter().flat_map(to).collect()
    }

    #[test]
    fn a_name_that_is_passed_on_leads_to_its_file() {
        let files = [
            ("lib.rs", "mod error; mod zip; pub use error::Error; pub use zip::*;"),
            ("error.rs", "pub struct Error;"),
            ("zip.rs", "use crate::Error; pub fn open() -> Error { Error }"),
            ("other.rs", "use super::open; fn f() { open(); crate::zip::open(); }"),
        ];
        assert_eq!(arrows_of(&files), ["other.rs zip.rs", "zip.rs error.rs"]);
    }

    #[test]
    fn paths_in_code_count_and_tests_do_not() {
        let files = [
            ("lib.rs", "mod a; mod b; fn f() { a::g::<b::B>(std::mem::take(x)) }"),
            ("a.rs", "#[cfg(test)] mod tests { use crate::b::B; } pub(in crate::b) fn g<T>() {}"),
            ("b.rs", "pub struct B; impl B { fn m() { super::f() } }"),
        ];
        assert_eq!(arrows_of(&files), ["b.rs lib.rs", "lib.rs a.rs", "lib.rs b.rs"]);
    }
}
