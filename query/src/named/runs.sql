SELECT run, started, labels, java_version AS java, repetitions AS reps, clean, calls,
       total_ns / 1e9 AS total_s, total_bar_ns / 1e9 AS bar_s, nodes
FROM runs
ORDER BY started, run
