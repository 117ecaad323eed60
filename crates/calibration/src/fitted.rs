//! Fitted constants: what no recording measures, each with its origin.
//!
//! The residual's constants are data: `data/constants.json`, whose `origins` name the paragraphs
//! below. What stands in code here decides, or belongs to the form of the model.
//!
//! The origins are measurements against uninstrumented programs, on one thread of a quiet machine.
//! "17" is JDK 17 with `nanoTime`, "25" is JDK 25 with the TSC.
//!
//! **Leaf.** Residual overhead in nanoseconds per timed call of a leaf with so many nanoseconds of
//! work in one dependent chain:
//!
//! | work | 0 | 2 | 5 | 10 | 18 | 38 | 77 | 300 |
//! |---|---|---|---|---|---|---|---|---|
//! | 17 | +2.6 | +1.0 | −0.3 | −4.6 | −7.0 | −8.6 | −7.8 | −3.3 |
//! | 25 | +7.1 | +6.6 | +1.3 | −2.9 | −8.6 | −15.5 | −16.4 | −16.4 |
//!
//! **Programs.** Programs are not like that leaf. Residual overhead of whole programs of such
//! methods, all of them timed, in nanoseconds per call:
//!
//! | | Layer | Strs | Exc | Fib | Visit | Words | Micro |
//! |---|---|---|---|---|---|---|---|
//! | 17 | −7 | +1 to +2 | +1 to +2 | +2 to +5 | +4 | +2 to +10 | +1 to +6 |
//! | 25 | 0 to +4 | 0 to +4 | +3 to +9 | 0 | 0 | −2 | −5 to +1 |
//!
//! Hidden reading shows where one chain goes through all methods (Layer on 17). Where strings and
//! objects are made in inlined callees, more is lost than can be hidden (Words with demotion: +11
//! per timed call). So little is assumed to be hidden, and the error is wide.
//!
//! **Counted calls.** They cost up to a nanosecond beyond the counter as calibrated: Fib +0.3 to
//! +0.6, Strs +0.2 to +0.5, Visit +0.7 to +1.1, Exc +0.1 to +0.4 on 17, and with late compilation
//! +0.8 to +1.4 on 25. The code around a counter is larger and compiled later.
//!
//! **Late compilation.** On 17 it costs some milliseconds in all for a program of ten methods, be
//! its calls timed or counted. On 25, whose compiler folds chains of multiplications, it costs 37
//! ms in Layer and 25 ms in a program of two threads of such.
//!
//! **Exceptions.** A caught one cost 20 to 170 ns beyond calibration (Exc, Fails), where without
//! probes it may be a jump.
//!
//! **Warm-up.** First calls cost 10 to 29 ns per call in a program of 2,000 methods, while
//! compilers are late with the methods that the probes make larger. That is little, because
//! calibration has the probes compiled before the program calls them.
//!
//! **Large programs.** They lose more while they are cold. Their methods wait in the compilers'
//! queues, the longer the larger they are, and run profiled code with probes meanwhile. Against
//! roots-only runs, on two processors: ECJ 80 to 110 ns for each of a method's first 10,000 timed
//! calls (120 to 430 of its 4,000 methods have more), Lucene 110 to 150 on 17 and 110 on 25 (160 of
//! 1,800), SAT4J more than can be seen (155 of 309). A program of 2,000 short methods that have no
//! more than 8,000 calls loses none of this. Over twelve rounds in one JVM ECJ loses nothing: −1 to
//! +4 % of the root. What its main thread loses is the wait for the thread that compiles
//! (`waits`).
//!
//! **Generated.** 46 recordings with default options of programs that a generator drew (seed 101 of
//! `cargo xtask bench coverage`), each beside three uninstrumented runs, 17 and 25 with
//! the TSC on two processors of an AMD EPYC, 2026-11-25. By calibration alone their roots came out
//! 41 % too long in the median. Non-negative least squares give 7 to 12 ns per COUNTED record, 6 to
//! 16 ms per demoted method, 0.3 to 0.5 ns per counted call, and nothing per timed call beyond
//! these. What is left has a median of 12 % of the true time, 40 % in one program of five, and
//! more than the true time in one of twenty: interpreters and collections whose tiny methods are
//! no longer inlined. How much they lose was chosen so that 95 of 100 roots lie inside on seeds 101
//! and 203.
//!
//! **Counted programs.** Eight programs with default options on 17, TSC, on two processors of an
//! Intel Xeon, each beside two uninstrumented runs, 2026-12-01. What the recording adds to the
//! root, in seconds, the counted calls, and those among the first 10,000 of a method:
//!
//! | | H2 | SAT4J | ECJ | ProGuard | Closure | FOP | Groovy | Batch |
//! |---|---|---|---|---|---|---|---|---|
//! | uninstrumented | 8.0 | 5.6 | 6.7 | 2.6 | 8.8 | 3.8 | 1.4 | 3.7 |
//! | added | 4.4 | 3.1 | 5.2 | 2.2 | 14.7 | 2.3 | 0.9 | 9.6 |
//! | counted, million | 1,661 | 1,930 | 198 | 314 | 948 | 495 | 42 | 4,868 |
//! | early, million | 5.3 | 1.5 | 16 | 7.7 | 25 | 12 | 4.5 | 3.5 |
//!
//! 1.8 ns a call where the loop without probes takes 1.9 ns a step, and 200 ns an early call, leave
//! +7, −11, +23, +1, +91, −30, −7 and −10 % of the uninstrumented time. Batch loops over a list of
//! records; in Closure threads wait for each other and for retransformations.
//!
//! **Samples.** In the same programs, the odds of the time that the recording adds, divided by the
//! odds of a probe's frames in samples: 0.8, 0.8, 3.2, 1.9, 3.7, 0.6, 1.2 and 3.9 to 4.9.
//!
//! **Between runs.** Three uninstrumented runs of each of these programs: a standard deviation of 5
//! % of the time over all of them. A recording is one run, and its truth the median of three.

use crate::costs::Cost;

/// Half of what may be hidden is hidden in methods of this length: the ends of loops cut the
/// processor's foresight short. Origin: Leaf on 17, where less is hidden at 300 ns than at 77.
pub(crate) const LONG_METHOD_NANOS: f64 = 400.0;
/// Half of the error for moved work is left in methods of this length. Origin: self times of
/// methods below 100 ns without a loop are the least certain (`docs/calibration.md`).
pub(crate) const MOVED_WORK_NANOS: f64 = 100.0;
/// On a thread with fewer calls the probes make less code that is compiled late. Origin: chosen.
pub(crate) const LATE_COMPILATION_CALLS: f64 = 100_000.0;

/// Error of a cost that was calibrated once, as a share of it: at least what a second calibration
/// would differ by. Origin: chosen.
pub(crate) const SINGLE_CALIBRATION_ERROR_SHARE: f64 = 0.05;
/// Start and end of a JVM agree if their costs of a call differ by less than this share of the
/// smaller one. Origin: the host of a virtual machine alone moved the cost of a call from 24 to 40
/// ns; code that is not compiled takes several times as long.
pub(crate) const AGREEING_SHARE: f64 = 0.5;
/// Costs that differ by less, in ns, agree, too: those of counted calls scatter by more than their
/// half. Origin: chosen.
pub(crate) const AGREEING_NANOS: f64 = 2.0;
/// Error of a cost, as a share of it, where start and end do not agree and the smaller one is used,
/// or where another JVM has measured it. Origin: chosen.
pub(crate) const BORROWED_ERROR_SHARE: f64 = 0.15;
/// How much of what an exception costs beyond a return may be the program's. Origin: chosen.
pub(crate) const THROW_ERROR_SHARE: f64 = 0.25;
/// What a counted call costs, in steps of the loop without probes that shows the machine's pace,
/// and its error. Origin: Counted programs.
pub(crate) const COUNT_STEPS: f64 = 0.75;
pub(crate) const COUNT_STEPS_ERROR: f64 = 0.2;
/// What a counted call costs where nobody measured it. Origin: Counted programs.
pub(crate) const UNMEASURED_COUNT: Cost = Cost { nanos: 2.0, error_nanos: 1.5 };
/// What a COUNTED record may cost where nobody measured it. Origin: chosen.
pub(crate) const UNMEASURED_RECORD: Cost = Cost { nanos: 0.0, error_nanos: 3.0 };

/// So many times the odds that samples have that a thread is in a probe are the odds that it would
/// not be there without probes, and the factor by which these may be wrong either way. Origin:
/// Samples.
pub(crate) const SAMPLED_ODDS: f64 = 1.6;
pub(crate) const SAMPLED_ODDS_FACTOR: f64 = 3.0;
/// Error of what is subtracted by calibration, as a share of it, where samples are held against it.
/// Origin: Samples.
pub(crate) const SUBTRACTED_ERROR_SHARE: f64 = 0.2;

/// Methods with more counted calls are compiled. Origin: HotSpot's thresholds.
pub(crate) const HOT_CALLS: f64 = 1000.0;

/// The shortest wait per call: threads are not put aside for less. Origin: chosen.
pub(crate) const SHORTEST_WAIT_NANOS: f64 = 50_000.0;
/// No wait is for probes alone. Origin: chosen.
pub(crate) const LARGEST_WAIT_SHARE: f64 = 0.9;

/// Standard deviation between runs of a program before any are compared, as a share of their time.
/// Origin: cold runs of a second scatter by 4 to 7 %, and Between runs.
pub(crate) const RUN_SPREAD_SHARE: f64 = 0.05;
/// So many degrees of freedom this counts for beside the runs that are there. Origin: chosen.
pub(crate) const RUN_SPREAD_FREEDOM: u32 = 2;
