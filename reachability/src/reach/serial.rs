//! Calls from object streams (Java Object Serialization Specification, chapters 2 and 3).

use super::analysis::Analysis;
use crate::{ClassId, ContainerKind, MethodIx, Node, Reason, access};

const WRITES: &[(&str, &str)] =
    &[("writeObject", "(Ljava/lang/Object;)V"), ("writeUnshared", "(Ljava/lang/Object;)V")];
const READS: &[(&str, &str)] =
    &[("readObject", "()Ljava/lang/Object;"), ("readUnshared", "()Ljava/lang/Object;")];

/// Methods that a stream calls on an object if the class itself declares them (2.3, 3.4).
const WRITTEN: &[(&str, &str)] = &[("writeObject", "(Ljava/io/ObjectOutputStream;)V")];
const READ: &[(&str, &str)] =
    &[("readObject", "(Ljava/io/ObjectInputStream;)V"), ("readObjectNoData", "()V")];

/// In a larger program the set of serializable classes is not used. It would be most of the
/// program, and every class would have to be read to find it.
const MOST_CLASSES: usize = 32_768;

impl Analysis<'_, '_> {
    /// Follows the reached streams for all classes with objects.
    pub(super) fn serialize(&mut self) {
        let writer = self.stream_node("java/io/ObjectOutputStream", WRITES);
        let reader = self.stream_node("java/io/ObjectInputStream", READS);
        if writer.is_none() && reader.is_none() {
            return;
        }
        let serializable = self.world.class(b"java/io/Serializable");
        if let Some(reader) = reader.filter(|_| !self.serial.all_read) {
            let callers = self.new_program_callers(reader);
            if callers.is_empty() {
                // Nothing new reads.
            } else if self.world.all_classes(ContainerKind::Program).len() > MOST_CLASSES {
                callers.into_iter().for_each(|method| self.asks_for_any(method));
            } else {
                self.serial.all_read = true;
                self.read_unmade(reader, serializable);
            }
        }
        // Streams that are reached only now take what was made before, too.
        let streams = (writer.is_some(), reader.is_some());
        if std::mem::replace(&mut self.serial.streams, streams) != streams {
            self.serial.made = 0;
        }
        let mut made = self.allocated.get(self.serial.made..).unwrap_or_default().to_vec();
        self.serial.made = self.allocated.len();
        made.sort_unstable();
        for class in made {
            if !self.world.is_program(class) || !self.world.is_subtype(class, serializable) {
                continue;
            }
            if let Some(writer) = writer.filter(|_| self.serial.written.insert(class)) {
                self.hierarchy_calls(writer, class, WRITTEN);
                self.inherited_call(writer, class, b"writeReplace");
            }
            if let Some(reader) = reader {
                self.read(reader, class, serializable);
            }
        }
    }

    fn stream_node(&mut self, class: &str, methods: &[(&str, &str)]) -> Option<u32> {
        methods.iter().find_map(|(name, descriptor)| {
            let method = self.world.loaded_method(class, name, descriptor)?;
            self.method_nodes.get(method.ix())?.checked_sub(1)
        })
    }

    /// The methods of the program that call, by edges that are new since the last time.
    fn new_program_callers(&mut self, node: u32) -> Vec<MethodIx> {
        let seen = std::mem::replace(&mut self.serial.edges, self.edges.len());
        let new = self.edges.get(seen..).unwrap_or_default();
        let calls = new.iter().filter(|edge| edge.to == node);
        let methods = calls.filter_map(|edge| match self.nodes[edge.from as usize] {
            Node::Method(method) => Some(method),
            Node::Dispatch { .. } | Node::Init(_) => None,
        });
        methods
            .filter(|&method| self.world.is_program(self.world.class_of_method(method)))
            .collect()
    }

    /// Reads objects of all serializable classes: a stream that the program reads may hold any of
    /// them. Exceptions and enums count only if the program makes them. Nearly every program has
    /// some, and few send them.
    fn read_unmade(&mut self, reader: u32, serializable: ClassId) {
        let throwable = self.world.class(b"java/lang/Throwable");
        for name in self.world.all_classes(ContainerKind::Program) {
            let class = self.world.class_of(name);
            if self.world.is_concrete(class)
                && self.world.get(class).access & access::ENUM == 0
                && self.world.is_subtype(class, serializable)
                && !self.world.is_subtype(class, throwable)
            {
                self.init_first(reader, class, Reason::Serialization);
                self.allocate(class, None);
                self.read(reader, class, serializable);
            }
        }
    }

    /// Reads an object of the class.
    fn read(&mut self, reader: u32, class: ClassId, serializable: ClassId) {
        if !self.serial.read.insert(class) {
            return;
        }
        self.hierarchy_calls(reader, class, READ);
        self.inherited_call(reader, class, b"readResolve");
        let external = self.world.class(b"java/io/Externalizable");
        let record = self.world.class(b"java/lang/Record");
        if self.world.is_subtype(class, external) {
            self.constructor_calls(reader, class, false);
        } else if self.world.get(class).super_class == Some(record) {
            self.constructor_calls(reader, class, true);
        } else {
            // 3.1: the nearest superclass that is not serializable is initialised by its
            // constructor.
            let mut above = self.world.get(class).super_class;
            while let Some(next) = above.filter(|&next| self.world.is_subtype(next, serializable)) {
                above = self.world.get(next).super_class;
            }
            if let Some(above) = above.filter(|&above| self.world.is_program(above)) {
                self.constructor_calls(reader, above, false);
            }
        }
    }

    /// Calls methods that the class or a supertype declares: each its own.
    fn hierarchy_calls(&mut self, from: u32, class: ClassId, methods: &[(&str, &str)]) {
        for &above in self.world.supertypes(class).iter() {
            if !self.world.is_program(above) {
                continue;
            }
            for (name, descriptor) in methods {
                let sig = self.world.names.sig_of(name.as_bytes(), descriptor.as_bytes());
                if let Some(method) = self.world.declared(above, sig) {
                    self.call(from, method, Reason::Serialization);
                }
            }
        }
    }

    /// Calls a method that the class declares or inherits (2.5, 3.7).
    fn inherited_call(&mut self, from: u32, class: ClassId, name: &[u8]) {
        let sig = self.world.names.sig_of(name, b"()Ljava/lang/Object;");
        let above = self.world.supertypes(class);
        if let Some(method) = above.iter().find_map(|&above| self.world.declared(above, sig)) {
            self.call(from, method, Reason::Serialization);
        }
    }

    fn constructor_calls(&mut self, from: u32, class: ClassId, all: bool) {
        let constructors: Vec<MethodIx> = self
            .world
            .methods_of(class)
            .filter(|&method| self.world.is_constructor(method))
            .collect();
        for method in constructors {
            if all || self.world.names().descriptor_of(self.world.row(method).sig) == b"()V" {
                self.call(from, method, Reason::Serialization);
            }
        }
    }
}
