SELECT runs.started, runs.labels, names.name, totals.calls * 1.0 / repetitions AS calls,
       self_ns / 1e9 / repetitions AS self_s, self_bar_ns / 1e9 / repetitions AS self_bar_s,
       totals.total_ns / 1e9 / repetitions AS total_s
FROM totals
JOIN names ON names.method = totals.method
JOIN runs ON runs.run = totals.run
WHERE names.name = $method OR starts_with(names.name, $method || '(')
ORDER BY name, started, runs.run
