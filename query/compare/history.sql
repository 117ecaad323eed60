SELECT runs.run, totals.calls, self_ns, self_bar_ns
FROM totals JOIN runs ON runs.run = totals.run JOIN names ON names.method = totals.method
WHERE names.name = '{method}'
ORDER BY runs.run
