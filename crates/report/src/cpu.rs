//! Which part of the time threads ran, in a sentence and in cells.

use crate::number::{grouped, percent, signed};
use jfathom_profile::{CpuSource, OffCpu, Profile, Ticks};
use std::io::{self, Write};

/// Writes what threads did in all the measured time, if it was asked for, and what is not known.
pub(crate) fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let cpu = profile.cpu;
    let lacks = match cpu.source {
        CpuSource::Unasked => return Ok(()),
        CpuSource::Perf => "",
        CpuSource::Refused => {
            return writeln!(out, "cpu       not known: nothing told when threads ran");
        }
        CpuSource::Some => "; of some JVMs the kernel told no switches",
        CpuSource::Partly => "; not all that was added up has recorded switches",
        CpuSource::ThreadClock => {
            "; by the threads' clocks, which do not tell preempted from blocked"
        }
        CpuSource::Mixed => {
            "; of some JVMs by the threads' clocks, which do not tell preempted from blocked, and not of all"
        }
    };
    let tree = &profile.tree;
    let nanos = |ticks: Ticks| ticks.0 as f64 * 1e9 / profile.rate.hz() as f64;
    let (mut whole, mut parked, mut off) = (Ticks(0), Ticks(0), OffCpu::default());
    for root in tree.roots() {
        whole += tree.total_time(root);
        parked += tree.total_parked(root);
        off += tree.total_off_cpu(root);
    }
    let share = |ticks: Ticks| percent(nanos(ticks), nanos(whole)).trim().to_owned();
    let ran = Ticks(whole.0.saturating_sub(parked.0).saturating_sub(off.all().0));
    write!(
        out,
        "cpu       of the measured {} threads ran {} %",
        signed(nanos(whole)).trim(),
        share(ran)
    )?;
    if cpu.tells_preempted() {
        write!(
            out,
            ", waited for a processor {} %, were blocked {} %",
            share(off.preempted),
            share(off.blocked)
        )?;
    } else {
        write!(out, ", did not run {} %", share(off.preempted + off.blocked))?;
    }
    if parked.0 > 0 {
        write!(out, ", were parked {} %", share(parked))?;
    }
    if off.unknown.0 > 0 {
        write!(out, ", and for {} % it is not known", share(off.unknown))?;
    }
    if off.switches > 0 {
        let error = off.switches.saturating_mul(cpu.switch_error_nanos);
        let error = signed(error as f64).trim().to_owned();
        match cpu.tells_preempted() {
            true => write!(
                out,
                " ({} switches, of {} ns at most each: ± {error})",
                grouped(off.switches),
                cpu.switch_error_nanos,
            )?,
            false => write!(out, " (± {error})")?,
        }
    }
    if cpu.lost > 0 {
        write!(out, "; {} switches were lost", cpu.lost)?;
    }
    writeln!(out, "{lacks}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Section, View};
    use jfathom_profile::{Context, Cpu, MethodNames, OffCpuSpan, TickRate};
    use jfathom_testkit::records::*;
    use jfathom_trace::{ThreadInfo, record::Record};

    fn span(start: u64, end: u64, parts: OffCpu) -> OffCpuSpan {
        OffCpuSpan { start: Ticks(start), end: Ticks(end), parts }
    }

    /// A call of 1,000 ns, in which its thread ran 100 and of which 400 are unknown.
    fn profile(source: CpuSource) -> Profile {
        let mut builder = jfathom_profile::Builder::new();
        builder.record_cpu();
        let info = ThreadInfo { sequence: 1, thread_id: 1, kernel_id: 1, name: "t".to_owned() };
        let thread = builder.thread(&info);
        let parts = |preempted, blocked, unknown| {
            let [preempted, blocked, unknown] = [preempted, blocked, unknown].map(Ticks);
            OffCpu { preempted, blocked, unknown, switches: 0 }
        };
        builder.add_off_cpu(thread, span(0, 1_400, parts(0, 0, 1_400)));
        builder.add_off_cpu(thread, span(1_400, 1_800, parts(0, 400, 0)));
        builder.add_off_cpu(thread, span(1_850, 1_950, parts(100, 0, 0)));
        let begin = Record::ThreadStart { high: 0, sequence: 1 };
        let words = [begin, e(0, 1_000), r(0, 2_000)];
        builder.feed(thread, &words.map(|record| record.encode()));
        let (meta, names) = (Default::default(), MethodNames::default());
        let rate = TickRate::NANOS;
        let mut profile = builder.finish(Context { meta, rate, names: &names, virtual_calls: &[] });
        profile.cpu = Cpu { source, ..Cpu::default() };
        profile
    }

    fn sentence(profile: &Profile) -> String {
        let mut out = Vec::new();
        write(profile, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn it_is_said_only_if_it_was_asked_for() {
        assert_eq!(sentence(&profile(CpuSource::Unasked)), "");
        let text = sentence(&profile(CpuSource::Perf));
        assert!(text.contains("ran 10.0 %, waited for a processor 10.0 %"), "{text}");
        assert!(text.contains("blocked 40.0 %, and for 40.0 % it is not known\n"), "{text}");
        let mut lossy = profile(CpuSource::Some);
        lossy.cpu.lost = 7;
        let text = sentence(&lossy);
        assert!(text.contains("7 switches were lost; of some JVMs the kernel told"), "{text}");
        for source in [CpuSource::ThreadClock, CpuSource::Mixed] {
            let text = sentence(&profile(source));
            assert!(text.contains("ran 10.0 %, did not run 50.0 %, and for 40.0 %"), "{text}");
            assert!(text.contains("by the threads' clocks"), "{text}");
            assert!(!text.contains("waited for a processor"), "{text}");
        }
        assert!(sentence(&profile(CpuSource::Refused)).starts_with("cpu       not known"));
    }

    #[test]
    fn tables_have_columns_of_running_times() {
        let text = |profile: &Profile, width: Option<usize>| {
            let view = View { width, ..View::default() };
            let mut out = Vec::new();
            crate::text(profile, &[Section::Hot, Section::Tree], &view, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let wide = text(&profile(CpuSource::Perf), None);
        assert!(wide.contains("cpu  cpu self  call path"), "{wide}");
        assert!(wide.contains("≥ 100 ns"), "{wide}");
        let narrow = text(&profile(CpuSource::Perf), Some(80));
        assert!(narrow.lines().all(|line| line.chars().count() <= 80), "{narrow}");
        assert!(narrow.contains("cpu self  method"), "{narrow}");
        for (width, title) in [(125, "cpu  call path"), (130, "cpu self  call path")] {
            let text = text(&profile(CpuSource::Perf), Some(width));
            assert!(text.contains(&format!("  {title}")), "{width}: {text}");
        }
        assert!(!text(&profile(CpuSource::Unasked), None).contains("cpu"));
    }
}
