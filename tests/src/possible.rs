//! Whether the direct edges of a tree are possible by the call sites of the class files, as a
//! parser of others reads them.

use cafebabe::bytecode::Opcode;
use cafebabe::constant_pool::{ConstantPoolItem, MemberKind, ReferenceKind};
use cafebabe::{ClassFile, attributes::AttributeData, parse_class};
use jfathom_plan::MethodKey;
use jfathom_profile::{Frame, Profile};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

/// Name and descriptor.
type Signature = (String, String);

/// What class files say of calls.
#[derive(Debug, Default)]
pub struct PossibleEdges {
    /// By class, name and descriptor: what its call sites name.
    sites: HashMap<(String, Signature), Vec<(String, Signature)>>,
    /// Superclass and interfaces.
    above: HashMap<String, Vec<String>>,
    /// Methods without code, which objects of lambdas may have.
    abstracts: HashSet<(String, Signature)>,
    /// Targets of method handles.
    handles: HashSet<(String, Signature)>,
}

impl PossibleEdges {
    /// Reads all class files below a folder.
    pub fn read(folder: &Path) -> Self {
        let mut all = Self::default();
        let mut open = vec![folder.to_owned()];
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    open.push(path);
                } else if path.extension().is_some_and(|end| end == "class") {
                    let bytes = std::fs::read(&path).expect("a class file");
                    let class = parse_class(&bytes).expect("javac wrote it");
                    all.add(&class);
                }
            }
        }
        all
    }

    fn add<'a>(&mut self, class: &'a ClassFile<'a>) {
        let name = class.this_class.to_string();
        let above = class.super_class.iter().chain(&class.interfaces).map(ToString::to_string);
        self.above.insert(name.clone(), above.collect());
        for item in class.constantpool_iter() {
            if let ConstantPoolItem::MethodHandle(handle) = item
                && matches!(handle.member_kind, MemberKind::Method | MemberKind::InterfaceMethod)
                && handle.kind != ReferenceKind::GetField
            {
                let member = handle.member_ref;
                let of = (member.name.to_string(), member.descriptor.to_string());
                self.handles.insert((handle.class_name.to_string(), of));
            }
        }
        for method in &class.methods {
            let of = (method.name.to_string(), method.descriptor.to_string());
            let mut sites = Vec::new();
            for attribute in &method.attributes {
                let AttributeData::Code(code) = &attribute.data else { continue };
                let bytecode = code.bytecode.as_ref().expect("javac wrote it");
                for (_, opcode) in &bytecode.opcodes {
                    let member = match opcode {
                        Opcode::Invokevirtual(member)
                        | Opcode::Invokespecial(member)
                        | Opcode::Invokestatic(member)
                        | Opcode::Invokeinterface(member, _) => member,
                        Opcode::Invokedynamic(_) => {
                            sites.push((String::new(), Default::default()));
                            continue;
                        }
                        _ => continue,
                    };
                    let named = &member.name_and_type;
                    let named = (named.name.to_string(), named.descriptor.to_string());
                    sites.push((member.class_name.to_string(), named));
                }
            }
            let has_code =
                method.attributes.iter().any(|of| matches!(of.data, AttributeData::Code(_)));
            if !has_code {
                self.abstracts.insert((name.clone(), of.clone()));
            }
            self.sites.insert((name.clone(), of), sites);
        }
    }

    /// A class's supertypes, and the class.
    fn all_above(&self, class: &str) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        let mut open = vec![class.to_owned()];
        while let Some(class) = open.pop() {
            open.extend(self.above.get(&class).into_iter().flatten().cloned());
            all.insert(class);
        }
        all
    }

    fn are_related(&self, owner: &str, class: &str) -> bool {
        let is_both = |below: &String| {
            let above = self.all_above(below);
            above.contains(owner) && above.contains(class)
        };
        self.above.keys().any(is_both)
    }

    /// Whether a method can call another one directly, or through code of the JDK.
    pub fn allow(&self, caller: &MethodKey, callee: &MethodKey) -> bool {
        let of = (callee.name.clone(), callee.descriptor.clone());
        let from = (caller.class.clone(), (caller.name.clone(), caller.descriptor.clone()));
        let sites = &self.sites[&from];
        let is_site = |(owner, named): &(String, Signature)| {
            *named == of && self.are_related(owner, &callee.class)
        };
        let calls_outside = sites.iter().any(|(owner, _)| !self.above.contains_key(owner));
        let of_jdk = |name: &String| {
            !self.above.contains_key(name) && name != "java/lang/Object" && !name.is_empty()
        };
        let has_handle = self.handles.contains(&(callee.class.clone(), of.clone()));
        let is_entered = self.all_above(&callee.class).iter().any(of_jdk)
            || ["toString", "equals", "hashCode"].contains(&callee.name.as_str());
        callee.name == "<clinit>"
            || sites.iter().any(is_site)
            || calls_outside && (is_entered || has_handle)
            || sites.iter().any(|site| self.abstracts.contains(site)) && has_handle
    }

    /// The direct edges between methods of a profile, in order; panics if one is not possible.
    #[track_caller]
    pub fn check(&self, profile: &Profile) -> BTreeSet<(String, String)> {
        let tree = &profile.tree;
        let mut path: Vec<Frame> = Vec::new();
        let mut edges = BTreeSet::new();
        for node in tree.nodes() {
            path.truncate(tree.depth(node) as usize);
            let frame = tree.frame(node);
            if let (Some(Frame::Method(caller)), Frame::Method(callee)) = (path.last(), frame) {
                let [caller, callee] = [*caller, callee].map(|method| &profile.method(method).info);
                edges.insert((caller.key.name.clone(), callee.key.name.clone()));
                let is_possible =
                    caller.is_sign() || callee.is_sign() || self.allow(&caller.key, &callee.key);
                assert!(is_possible, "{:?} does not call {:?}", caller.key, callee.key);
            }
            path.push(frame);
        }
        edges
    }
}
