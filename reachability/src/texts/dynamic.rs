//! Dynamic call sites that concatenate strings (java.lang.invoke.StringConcatFactory).

use super::Pattern;
use super::tracer::Tracer;
use super::value::{Texts, Value};
use crate::bootstrap::Bootstraps;
use crate::descriptor::{Kind, kinds};
use classfile_writer::{Error, Instruction, PoolIx, Tag};

/// Recipe character of an argument of the call.
const ARGUMENT: u8 = 1;
/// Recipe character of a constant among the static arguments.
const CONSTANT: u8 = 2;

impl<'c> Tracer<'c, '_> {
    pub(super) fn dynamic_call(&mut self, instruction: &Instruction<'c>) -> Result<(), Error> {
        let Some(ix) = instruction.pool_index() else { return Ok(()) };
        let pool = self.class.pool();
        let dynamic = pool.dynamic(ix)?;
        let name_and_type = pool.name_and_type(dynamic.name_and_type)?;
        let (parameters, result) = crate::bootstrap::split(pool.utf8(name_and_type.descriptor)?);
        let arguments = self.arguments(parameters);
        let bootstraps = Bootstraps::of(self.class);
        let value = match bootstraps.row(dynamic.bootstrap) {
            Some((bootstrap, constants)) => {
                let method = pool.member_names(pool.method_handle(bootstrap)?.reference)?;
                match (method.class, method.name) {
                    (b"java/lang/invoke/StringConcatFactory", b"makeConcatWithConstants") => {
                        self.recipe(constants, &arguments)?
                    }
                    (b"java/lang/invoke/StringConcatFactory", _) => {
                        let texts = arguments.iter().map(|value| self.text_of(value).texts());
                        Value::Text(
                            texts.fold(Texts::one(Pattern::text(b"")), |start, next| {
                                start.then(&next)
                            }),
                        )
                    }
                    _ => Value::Unknown,
                }
            }
            None => Value::Unknown,
        };
        match kinds(result).next() {
            Some(Kind::Number(slots)) => self.stack.push_unknown(slots),
            Some(Kind::Class(_)) => self.stack.push(value),
            None => {}
        }
        Ok(())
    }

    fn recipe(
        &self,
        mut constants: impl Iterator<Item = PoolIx>,
        arguments: &[Value],
    ) -> Result<Value, Error> {
        let pool = self.class.pool();
        let Some(recipe) = constants.next().filter(|&ix| pool.tag(ix) == Some(Tag::String)) else {
            return Ok(Value::Unknown);
        };
        let mut arguments = arguments.iter();
        let mut all = Texts::one(Pattern::text(b""));
        for part in pool.string(recipe)?.chunk_by(|a, b| *a > CONSTANT && *b > CONSTANT) {
            let next = match part {
                [ARGUMENT] => arguments
                    .next()
                    .map_or_else(|| Value::Unknown.texts(), |value| self.text_of(value).texts()),
                [CONSTANT] => {
                    match constants.next().filter(|&ix| pool.tag(ix) == Some(Tag::String)) {
                        Some(ix) => Texts::one(Pattern::text(pool.string(ix)?)),
                        None => Value::Unknown.texts(),
                    }
                }
                part => Texts::one(Pattern::text(part)),
            };
            all = all.then(&next);
        }
        Ok(Value::Text(all))
    }
}
