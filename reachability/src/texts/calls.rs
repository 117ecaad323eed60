//! Calls: their arguments and results.

use super::known::{Known, known};
use super::tracer::Tracer;
use super::value::{Texts, Value};
use super::{Pattern, Use};
use crate::descriptor::{Kind, kinds};
use classfile_writer::{Error, Instruction, opcode};

impl<'c> Tracer<'c, '_> {
    pub(super) fn call(&mut self, instruction: &Instruction<'c>, op: u8) -> Result<(), Error> {
        let Some(ix) = instruction.pool_index() else { return Ok(()) };
        let member = self.class.pool().member_names(ix)?;
        let (parameters, result) = crate::bootstrap::split(member.descriptor);
        let mut arguments = self.arguments(parameters);
        if op != opcode::INVOKESTATIC {
            arguments.insert(0, self.stack.pop());
        }
        let known = known(member.class, member.name, member.descriptor);
        let value = match known {
            Some(known) => {
                self.known_call(known, op == opcode::INVOKESTATIC, member.descriptor, &arguments)
            }
            None => Value::Unknown,
        };
        if !matches!(known, Some(known) if known != Known::ClassByName) {
            let sig = self.names.sig_of(member.name, member.descriptor);
            let references = self.references(parameters, op != opcode::INVOKESTATIC, arguments);
            self.calls(sig, references);
        }
        match kinds(result).next() {
            Some(Kind::Number(slots)) => self.stack.push_unknown(slots),
            Some(Kind::Class(_)) => self.stack.push(value),
            None => {}
        }
        Ok(())
    }

    /// Takes the arguments of these parameters from the stack.
    pub(super) fn arguments(&mut self, parameters: &[u8]) -> Vec<Value> {
        let all: Vec<Kind<'_>> = kinds(parameters).collect();
        let mut values = Vec::with_capacity(all.len() + 1);
        for kind in all.iter().rev() {
            match kind {
                Kind::Number(2) => {
                    self.stack.pops(2);
                    values.push(Value::Unknown);
                }
                _ => values.push(self.stack.pop()),
            }
        }
        values.reverse();
        values
    }

    /// The arguments that are references, as [`Value::Parameter`] numbers them. Builders and arrays
    /// are unknown in another method.
    fn references(&self, parameters: &[u8], receiver: bool, arguments: Vec<Value>) -> Vec<Value> {
        let is_reference = std::iter::repeat_n(true, usize::from(receiver))
            .chain(kinds(parameters).map(|kind| matches!(kind, Kind::Class(_))));
        let all = arguments.into_iter().zip(is_reference).filter(|argument| argument.1);
        all.map(|(value, _)| match value {
            Value::Builder(_) | Value::Array(_) | Value::Number(_) | Value::Package(_) => {
                Value::Unknown
            }
            value => value,
        })
        .collect()
    }

    fn known_call(
        &mut self,
        known: Known,
        is_static: bool,
        descriptor: &[u8],
        arguments: &[Value],
    ) -> Value {
        let argument = |number: usize| arguments.get(number).cloned().unwrap_or(Value::Unknown);
        let (first, second) = (argument(0), argument(1));
        let parameter = if is_static { first.clone() } else { second.clone() };
        match known {
            Known::ClassByName => {
                self.uses(Use::ClassName(parameter.clone()));
                return match parameter.texts().all() {
                    [name] => name.exact().map_or(Value::Unknown, |name| {
                        let internal: Vec<u8> =
                            name.iter().map(|&b| if b == b'.' { b'/' } else { b }).collect();
                        Value::Class(self.names.intern(&internal))
                    }),
                    _ => Value::Unknown,
                };
            }
            Known::MethodByName => self.uses(Use::Method { class: first, name: second }),
            Known::HandleByName => self.uses(Use::Method { class: second, name: argument(2) }),
            Known::HandleOfObject => {
                self.uses(Use::Method { class: class_of(&second), name: argument(2) })
            }
            Known::Methods => self.uses(Use::Methods(first)),
            Known::Classes => self.uses(Use::Classes(first)),
            Known::Fields => self.uses(Use::Fields(first)),
            Known::Resource => self.uses(Use::Resource(parameter)),
            Known::ClassOf => return class_of(&first),
            Known::Superclass => return first,
            Known::ClassName => return self.name_of(&first, |name| name.to_vec()),
            Known::SimpleName => {
                return self.name_of(&first, |name| {
                    name.rsplit(|b| matches!(b, b'.' | b'$')).next().unwrap_or_default().to_vec()
                });
            }
            Known::PackageName => {
                return self.name_of(&first, |name| {
                    let end = name.iter().rposition(|&b| b == b'.').unwrap_or(0);
                    name[..end].to_vec()
                });
            }
            Known::Package => {
                return match first {
                    Value::Class(class) => Value::Package(class),
                    _ => Value::Unknown,
                };
            }
            Known::Same => {
                return self.text_of(&if is_static {
                    first
                } else if arguments.len() > 1 {
                    second
                } else {
                    first
                });
            }
            Known::Concat => return Value::Text(first.texts().then(&second.texts())),
            Known::Replace => {
                let byte = |value: &Value| match value {
                    Value::Number(number) => u8::try_from(*number).unwrap_or(0),
                    _ => 0,
                };
                let (old, new) = (byte(&second), byte(&argument(2)));
                return Value::Text(first.texts().map(|text| text.replace(old, new)));
            }
            Known::Format => {
                let format =
                    if descriptor.starts_with(b"(Ljava/util/Locale;") { second } else { first };
                return Value::Text(format.texts().map(formatted));
            }
            Known::Join => return self.join(&first, &second),
            Known::NewBuilder => {
                let text = match descriptor {
                    b"(Ljava/lang/String;)V" => second.texts(),
                    b"()V" | b"(I)V" => Texts::one(Pattern::text(b"")),
                    _ => Texts::one(Pattern::any()),
                };
                self.edit(&first, |_| text);
            }
            Known::Append => {
                let text = self.text_of(&second).texts();
                let text = if descriptor.starts_with(b"(L") || descriptor.starts_with(b"(C)") {
                    text
                } else {
                    Texts::one(Pattern::any())
                };
                self.edit(&first, |builder| builder.then(&text));
                return first;
            }
            Known::Edit => {
                self.edit(&first, |_| Texts::one(Pattern::any()));
                return first;
            }
            Known::Build => return self.text_of(&first),
        }
        Value::Unknown
    }

    fn edit(&mut self, builder: &Value, change: impl FnOnce(&Texts) -> Texts) {
        if let Value::Builder(number) = builder
            && let Some(text) = self.builders.get_mut(*number)
        {
            *text = change(text);
        }
    }

    /// The result of `String.valueOf`.
    pub(super) fn text_of(&self, value: &Value) -> Value {
        match value {
            Value::Builder(number) => {
                Value::Text(self.builders.get(*number).cloned().unwrap_or_else(|| value.texts()))
            }
            Value::Number(number) => {
                let character = u32::try_from(*number)
                    .ok()
                    .and_then(char::from_u32)
                    .filter(char::is_ascii_graphic);
                let mut bytes = [0; 4];
                let text = character
                    .map(|character| Pattern::text(character.encode_utf8(&mut bytes).as_bytes()));
                Value::Text(Texts::one(text.unwrap_or_else(Pattern::any)))
            }
            value => Value::Text(value.texts()),
        }
    }

    fn join(&self, delimiter: &Value, elements: &Value) -> Value {
        let Value::Array(number) = elements else { return Value::Text(Texts::one(Pattern::any())) };
        let delimiter = delimiter.texts();
        let elements = self.arrays.get(*number).map_or(&[][..], Vec::as_slice);
        let mut all = elements.iter().map(|element| self.text_of(element).texts());
        let Some(first) = all.next() else { return Value::Unknown };
        Value::Text(all.fold(first, |start, next| start.then(&delimiter).then(&next)))
    }

    /// A text made of a class's name with dots.
    fn name_of(&self, class: &Value, part: impl Fn(&[u8]) -> Vec<u8>) -> Value {
        let (Value::Class(class) | Value::Package(class)) = class else { return Value::Unknown };
        let name: Vec<u8> =
            self.names.text(*class).iter().map(|&b| if b == b'/' { b'.' } else { b }).collect();
        Value::Text(Texts::one(Pattern::text(&part(&name))))
    }
}

fn class_of(object: &Value) -> Value {
    match object {
        Value::Object(class) => Value::Class(*class),
        Value::Parameter(number) => Value::ClassOfParameter(*number),
        _ => Value::Unknown,
    }
}

/// The result of `java.util.Formatter`, with a gap for each conversion.
fn formatted(format: &Pattern) -> Pattern {
    let Some(text) = format.exact() else { return Pattern::any() };
    let mut all = Pattern::text(b"");
    let mut rest = text;
    while let Some(at) = rest.iter().position(|&b| b == b'%') {
        all = all.then(&Pattern::text(&rest[..at]));
        let Some(length) =
            rest[at + 1..].iter().position(|b| b.is_ascii_alphabetic() || *b == b'%')
        else {
            return Pattern::any();
        };
        let literal = rest[at + 1 + length] == b'%';
        all = all.then(&if literal { Pattern::text(b"%") } else { Pattern::any() });
        rest = &rest[at + length + 2..];
    }
    all.then(&Pattern::text(rest))
}
