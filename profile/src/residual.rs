//! What a probe costs beyond itself: optimisation that the compiler leaves out because of it.
//!
//! No single run can see it. Measured against plain programs it was 1.5 to 3 ns a timed call where methods burn 20 ns and
//! more in loops, 4 to 5 ns for calls of next to nothing, and 6 to 11 ns in a compiler of 6 ns a call. An exception that passed through timed
//! calls cost some 100 ns in each, where the plain program had it inlined. Where runs with probes
//! on the roots alone are there ([`crate::Anchor`]), they say it instead.

/// What is assumed of the residual; nanoseconds a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residual {
    /// Of a timed call of a long method.
    pub timed: f64,
    /// What a timed call of an empty method has beyond that; half of it at [`Residual::scale`].
    pub timed_small: f64,
    /// Half width of what timed calls of long methods have.
    pub bar: f64,
    /// What that of an empty method has beyond.
    pub bar_small: f64,
    /// Self time a call, in nanoseconds, of a method that is half small.
    pub scale: f64,
    /// Of a counted call, the counter itself not included.
    pub counted: f64,
    /// Half width of that.
    pub counted_bar: f64,
    /// Of an exception on its way through a timed call: without the probes the compiler might have made a jump of it.
    pub thrown: f64,
    /// Half width of that.
    pub thrown_bar: f64,
    /// Half width of the work that the compiler moves across the clock reads of a call, between the method and its caller.
    pub moved: f64,
}

impl Default for Residual {
    fn default() -> Self {
        Self {
            timed: 1.0,
            timed_small: 5.0,
            bar: 1.0,
            bar_small: 6.0,
            scale: 15.0,
            counted: 0.5,
            counted_bar: 1.0,
            thrown: 80.0,
            thrown_bar: 80.0,
            moved: 3.0,
        }
    }
}

impl Residual {
    /// The residual and its half width for a method with this self time a call.
    pub(crate) fn of(&self, self_nanos: f64) -> (f64, f64) {
        let small = 1.0 / (1.0 + self_nanos.max(0.0) / self.scale);
        (self.timed + self.timed_small * small, self.bar + self.bar_small * small)
    }
}
