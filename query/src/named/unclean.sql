SELECT run, started, labels, quality
FROM runs
WHERE NOT clean
ORDER BY started, run
