SELECT names.name, count(DISTINCT nullif(code, 0)) AS versions,
       count(DISTINCT methods.run) AS runs
FROM methods
JOIN names ON names.method = methods.method
GROUP BY methods.method, names.name
HAVING count(DISTINCT nullif(code, 0)) > 1
ORDER BY versions DESC, name
LIMIT {limit}
