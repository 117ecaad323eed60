//! What a method of the program does with objects.

use super::uses::Use;
use super::{EMPTY, Element, OUTSIDE, STRINGS, Set};
use crate::flow::{ClassFlow, Flow, NOTHING, STRING, Step, Var};
use crate::reach::Walk;
use crate::reach::facts::Here;
use crate::{ClassId, MethodIx, Reason};
use std::rc::Rc;
use std::sync::Arc;

impl Walk<'_, '_> {
    /// Whether the objects of this method are followed.
    pub(in crate::reach) fn flow_of(&mut self, method: MethodIx) -> Option<(Arc<ClassFlow>, Flow)> {
        self.flows.as_ref()?;
        let class = self.world.class_of_method(method);
        if !self.world.is_program(class) || !self.world.has_code(method) {
            return None;
        }
        let flow = self.world.flow(class);
        let of_method = *flow.methods.get(self.world.position(method)).filter(|it| it.vars > 0)?;
        Some((flow, of_method))
    }

    /// What a method does with objects.
    pub(in crate::reach) fn steps(&mut self, here: Here, code: &ClassFlow, flow: Flow) {
        let base = self.sets_of(here.method, flow.vars);
        let set = |var: Var| match var {
            NOTHING => EMPTY,
            STRING => STRINGS,
            var => base + var,
        };
        for &step in code.steps(flow) {
            match step {
                Step::New { to, class } => {
                    let class = self.world.class_of(class);
                    self.made(here, class, set(to));
                }
                Step::Any { to, class } => {
                    let class = self.world.class_of(class);
                    self.flows().insert(set(to), Element::outside(class));
                }
                Step::Move { from, to } => self.flows_to(set(from), set(to), None),
                Step::Cast { from, to, class } => {
                    let class = self.world.class_of(class);
                    self.flows_to(set(from), set(to), Some(class));
                }
                Step::Get { to, owner, field } => {
                    let (field, _) = self.field(owner, field);
                    self.flows_to(field, set(to), None);
                }
                Step::Put { from, owner, field } => {
                    let (field, of) = self.field(owner, field);
                    self.flows_to(set(from), field, of);
                }
                Step::Load { array, to } => self.uses(set(array), Use::Load(set(to))),
                Step::Store { array, from } => self.uses(set(array), Use::Store(set(from))),
                Step::Call { kind, target, args, count, to } => {
                    let args: Rc<[Set]> = code.args(args, count).iter().map(|&var| set(var)).collect();
                    self.flow_call(here, kind, target, args, set(to), Reason::Call);
                }
                Step::Lambda { number, args, count, to } => {
                    let args: Rc<[Set]> = code.args(args, count).iter().map(|&var| set(var)).collect();
                    let lambdas = self.world.code(here.class);
                    let Some(lambda) = lambdas.lambdas.get(number as usize) else { continue };
                    let class = self.world.lambda_class(here.class, here.position, number, lambda);
                    self.flows().captured.entry(class).or_insert(args);
                    self.made(here, class, set(to));
                }
                Step::Escape { from } => self.flows_to(set(from), OUTSIDE, None),
                Step::Shared { name } => self.share_fields(name),
            }
        }
    }

    pub(super) fn made(&mut self, here: Here, class: ClassId, to: Set) {
        if self.world.is_missing(class) {
            return;
        }
        if self.world.is_concrete(class) {
            self.allocated_by.entry(class).or_insert(Some(here.method));
        }
        self.flows().insert(to, Element::exact(class));
        if self.flows().open {
            self.expose(class);
        }
    }
}
