//! The state of the terminal page.

use crate::{
    hot_list,
    key::Action,
    page::Page,
    row::{Target, titles},
    sandwich,
    tree_list::{self, OpenNodes},
    walks,
    why::{self, Chosen},
};
use jfathom_calibration::CorrectedTimes;
use jfathom_profile::{Frame, MethodIx, NodeIx, Profile};
use jfathom_views::{Edges, Scope, Shown, Sort, text_columns};

/// Which page is on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum On {
    /// The hot methods.
    Hot,
    /// The call tree.
    Tree,
    /// A method with its callers and callees.
    Sandwich,
    /// Why a call or method did not run, and what it threw.
    Why,
    /// The callers of a method by walked stacks.
    Walks,
    /// What was recorded, and how well.
    About,
}

/// All pages in their order.
pub(crate) const PAGES: [(On, &str); 6] = [
    (On::Hot, "hot methods"),
    (On::Tree, "call tree"),
    (On::Sandwich, "callers, callees"),
    (On::Why, "why"),
    (On::Walks, "walks"),
    (On::About, "about"),
];

/// The state: which page is shown, what is open and selected, what is searched for.
#[derive(Debug)]
pub struct App<'a> {
    pub(crate) shown: Shown<'a>,
    edges: Edges,
    pub(crate) on: On,
    pub(crate) hot: Page,
    pub(crate) tree: Page,
    pub(crate) sandwich: Page,
    pub(crate) why: Page,
    pub(crate) walks: Page,
    pub(crate) sort: Sort,
    open: OpenNodes,
    /// The method on the page of callers and callees.
    pub(crate) method: Option<MethodIx>,
    /// What the page of waits and exceptions is of.
    pub(crate) chosen: Option<Chosen>,
    /// The page to go back to from these two.
    before: On,
    /// Methods to go back to from callers and callees.
    past: Vec<MethodIx>,
    /// The text that is searched for.
    pub(crate) search: String,
    is_typing: bool,
    pub(crate) has_help: bool,
    /// What the last action did, if the page does not show it.
    pub(crate) message: String,
    /// Lines of a list on the screen.
    pub(crate) height: usize,
    is_done: bool,
}

impl<'a> App<'a> {
    /// The first page of what a scope has of a profile, with corrected times if they are given.
    pub fn new(profile: &'a Profile, corrected: Option<&'a CorrectedTimes>, scope: &Scope) -> Self {
        let shown = Shown::new(profile, corrected, scope);
        let open = OpenNodes::at_start(&shown);
        let sort = Sort::default();
        let page = |titles: &[&'static str], rows| Page {
            titles: titles.to_vec(),
            rows,
            ..Page::default()
        };
        let of_hot = titles(&hot_list::TITLES, profile);
        let hot = page(&of_hot, hot_list::rows(&shown, sort));
        let of_tree = titles(&tree_list::TITLES, profile);
        let tree = page(&of_tree, tree_list::rows(&shown, &open));
        let sandwich = page(&sandwich::TITLES, Vec::new());
        let why = page(&why::TITLES, Vec::new());
        let walks = page(&walks::TITLES, Vec::new());
        let mut app = Self {
            edges: Edges::of(&shown),
            shown,
            on: On::Hot,
            hot,
            tree,
            sandwich,
            why,
            walks,
            sort,
            open,
            method: None,
            chosen: None,
            before: On::Hot,
            past: Vec::new(),
            search: String::new(),
            is_typing: false,
            has_help: false,
            message: String::new(),
            height: 20,
            is_done: false,
        };
        if let Some(Target::Frame(Frame::Method(method))) = app.hot.row().map(|row| row.target) {
            app.set_method(method);
        }
        app
    }

    /// Whether the user has left.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Whether letters are those of a search.
    pub fn is_typing(&self) -> bool {
        self.is_typing
    }

    /// Does what the user wants.
    pub fn act(&mut self, action: Action) {
        self.message.clear();
        match action {
            Action::Quit => self.is_done = true,
            Action::Move(by) => self.step(by),
            Action::Scroll(by) => {
                let screen = isize::try_from(self.height.max(1)).unwrap_or(isize::MAX);
                self.step(by.saturating_mul(screen));
            }
            Action::First => self.step(isize::MIN),
            Action::Last => self.step(isize::MAX),
            Action::Open => self.open_selected(),
            Action::Close => self.close_selected(),
            Action::OpenPath => self.open_path(),
            Action::Page(at) => self.go_to(PAGES.get(at).map_or(self.on, |(on, _)| *on)),
            Action::NextPage => {
                let at = PAGES.iter().position(|(on, _)| *on == self.on).unwrap_or(0);
                self.go_to(PAGES[(at + 1) % PAGES.len()].0);
            }
            Action::Sandwich => self.show_sandwich(),
            Action::Why => self.go_to(On::Why),
            Action::Walks => self.go_to(On::Walks),
            Action::Sort => {
                self.sort = next(self.sort, self.shown.profile);
                self.hot.replace(hot_list::rows(&self.shown, self.sort));
                self.hot.step(isize::MIN);
                self.on = On::Hot;
            }
            Action::Search => {
                self.is_typing = true;
                self.search.clear();
            }
            Action::Type(letter) => self.search.push(letter),
            Action::Erase => {
                self.search.pop();
            }
            Action::Enter => {
                self.is_typing = false;
                self.find(false);
            }
            Action::NextMatch => self.find(false),
            Action::PreviousMatch => self.find(true),
            Action::Cancel if self.is_typing => {
                self.is_typing = false;
                self.search.clear();
            }
            Action::Cancel if self.has_help => self.has_help = false,
            Action::Cancel => self.back(),
            Action::Help => self.has_help = !self.has_help,
            Action::None => {}
        }
    }

    /// The list on the screen, if it is one.
    pub(crate) fn page(&mut self) -> Option<&mut Page> {
        match self.on {
            On::Hot => Some(&mut self.hot),
            On::Tree => Some(&mut self.tree),
            On::Sandwich => Some(&mut self.sandwich),
            On::Why => Some(&mut self.why),
            On::Walks => Some(&mut self.walks),
            On::About => None,
        }
    }

    fn step(&mut self, by: isize) {
        if let Some(page) = self.page() {
            page.step(by);
        }
    }

    fn selected_node(&self) -> Option<NodeIx> {
        match self.tree.row()?.target {
            Target::Node(node) if self.on == On::Tree => Some(node),
            _ => None,
        }
    }

    fn selected_method(&mut self) -> Option<MethodIx> {
        let frame = match self.page()?.row()?.target {
            Target::Node(node) => self.shown.tree.frame(node),
            Target::Frame(frame) => frame,
            Target::Nothing => return None,
        };
        match frame {
            Frame::Method(method) | Frame::Task(method) => Some(method),
            Frame::Thread(_) => None,
        }
    }

    fn open_selected(&mut self) {
        match self.selected_node() {
            Some(node) => {
                if self.open.open(&self.shown, node) {
                    self.tree.replace(tree_list::rows(&self.shown, &self.open));
                } else {
                    self.step(1);
                }
            }
            None => self.show_sandwich(),
        }
    }

    fn close_selected(&mut self) {
        let Some(node) = self.selected_node() else { return self.back() };
        if self.open.close(node) {
            self.tree.replace(tree_list::rows(&self.shown, &self.open));
            return;
        }
        let level = self.tree.row().map_or(0, |row| row.level);
        let above = self.tree.rows[..self.tree.selected].iter().rposition(|row| row.level < level);
        self.tree.selected = above.unwrap_or(self.tree.selected);
    }

    fn open_path(&mut self) {
        if let Some(node) = self.selected_node() {
            self.open.open_path(&self.shown, node);
            self.tree.replace(tree_list::rows(&self.shown, &self.open));
        }
    }

    fn show_sandwich(&mut self) {
        let Some(method) = self.selected_method() else {
            self.message = "this line is no method".to_owned();
            return;
        };
        if let Some(before) =
            self.method.filter(|before| *before != method && self.on == On::Sandwich)
        {
            self.past.push(before);
        }
        self.set_method(method);
        self.on = On::Sandwich;
    }

    /// To a page; to those of waits and exceptions and of walked stacks with what is selected.
    fn go_to(&mut self, page: On) {
        match page {
            On::Why if self.on != On::Why => self.choose_why(),
            On::Walks => self.choose_walks(),
            _ => {}
        }
        let is_detail = |on| matches!(on, On::Why | On::Walks);
        if is_detail(page) && !is_detail(self.on) {
            self.before = self.on;
        }
        self.on = page;
    }

    fn choose_why(&mut self) {
        let chosen = match self.selected_node() {
            Some(node) => Some(Chosen::Path(node)),
            None => self.selected_method().map(Chosen::Method),
        };
        if let Some(chosen) = chosen.or(self.chosen) {
            self.why.replace(why::rows(&self.shown, chosen));
            self.why.step(isize::MIN);
            self.chosen = Some(chosen);
        }
    }

    /// Shows the walks of the selected method. On a line without one they stay those of before.
    fn choose_walks(&mut self) {
        let selected = self.selected_method().or_else(|| match self.chosen {
            Some(chosen) if self.on == On::Why => chosen.method(&self.shown),
            _ => None,
        });
        if selected.is_some() || self.walks.rows.is_empty() {
            self.walks.replace(walks::rows(&self.shown, selected));
            self.walks.step(isize::MIN);
        }
    }

    fn set_method(&mut self, method: MethodIx) {
        let (rows, place) = sandwich::rows(&self.shown, &self.edges, method);
        self.sandwich.replace(rows);
        self.sandwich.selected = place;
        self.method = Some(method);
    }

    /// To the method or page before, or to the hot methods.
    fn back(&mut self) {
        if matches!(self.on, On::Why | On::Walks) {
            self.on = self.before;
            return;
        }
        match (self.on, self.past.pop()) {
            (On::Sandwich, Some(before)) => self.set_method(before),
            (On::Hot, _) => {}
            _ => self.on = On::Hot,
        }
    }

    fn find(&mut self, is_backward: bool) {
        if self.search.is_empty() {
            return;
        }
        let text = self.search.clone();
        let is_found = match self.on {
            On::Tree => self.find_in_tree(&text, is_backward),
            On::Hot | On::Sandwich | On::Why | On::Walks => {
                self.page().is_some_and(|page| page.find(&text, is_backward))
            }
            On::About => false,
        };
        if !is_found {
            self.message = format!("no match for {text}");
        }
    }

    /// Selects the next node of the whole tree with a match, and opens the way to it.
    fn find_in_tree(&mut self, text: &str, is_backward: bool) -> bool {
        let wanted = text.to_lowercase();
        let methods = &self.shown.profile.methods;
        let matches: Vec<bool> = (0..methods.len() as u32)
            .map(|at| {
                let name = self.shown.frame_name(Frame::Method(MethodIx(at)));
                name.to_lowercase().contains(&wanted)
            })
            .collect();
        let is_match = |node: &NodeIx| match self.shown.tree.frame(*node) {
            Frame::Method(method) => matches.get(method.0 as usize).is_some_and(|is| *is),
            frame => self.shown.frame_name(frame).to_lowercase().contains(&wanted),
        };
        let selected = self.selected_node();
        let from = self.shown.all_nodes().position(|node| Some(node) == selected).unwrap_or(0);
        let all = self.shown.all_nodes().enumerate();
        let mut nodes: Vec<(usize, NodeIx)> = all.filter(|(_, node)| is_match(node)).collect();
        let at = match is_backward {
            true => nodes.iter().rposition(|(at, _)| *at < from).or(nodes.len().checked_sub(1)),
            false => {
                nodes.iter().position(|(at, _)| *at > from).or((!nodes.is_empty()).then_some(0))
            }
        };
        let Some(at) = at else { return false };
        let (_, node) = nodes.swap_remove(at);
        self.open.reveal(&self.shown, node);
        self.tree.replace(tree_list::rows(&self.shown, &self.open));
        let place = self.tree.rows.iter().position(|row| row.target == Target::Node(node));
        self.tree.selected = place.unwrap_or(self.tree.selected);
        true
    }
}

/// The order that follows another one, of those that the profile has numbers for.
fn next(sort: Sort, profile: &Profile) -> Sort {
    let columns = text_columns(profile).into_iter().map(Sort::Column);
    let all = [Sort::SelfTime, Sort::TotalTime, Sort::Calls].into_iter().chain(columns);
    all.skip_while(|of| *of != sort).nth(1).unwrap_or_default()
}
