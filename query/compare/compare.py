"""The same five queries in jfathom-query, DuckDB and Spark over one directory of tables.

usage: compare.py JFATHOM-QUERY TABLES [--spark] [--rounds N]

Prints the time of each in seconds, the least and the median of N rounds, and fails if rows differ.
DuckDB and Spark are the packages `duckdb` and `pyspark`. Spark is a local cluster of two worker
processes. Each query of jfathom-query is a process of its own, and its time has that of its start.
"""

import argparse
import csv
import io
import pathlib
import statistics
import subprocess
import sys
import time

TABLES = ["runs", "methods", "totals", "nodes", "edges", "threads"]
NAMES = "SELECT method, max(name) AS name FROM methods GROUP BY method"
HERE = pathlib.Path(__file__).parent


def queries(connection):
    """The queries' texts, for the hottest method and for a large call path."""
    method = connection.execute(
        "SELECT m.name FROM totals t JOIN names m USING (method) GROUP BY m.name"
        " ORDER BY sum(t.self_ns) DESC LIMIT 1"
    ).fetchone()[0]
    run, node, last = connection.execute(
        "SELECT run, node, last FROM nodes WHERE kind = 'method'"
        " ORDER BY abs(last - node - 50000), run, node LIMIT 1"
    ).fetchone()
    for name in ["top", "history", "subtree", "callers", "throws"]:
        text = (HERE / f"{name}.sql").read_text()
        yield name, text.format(method=method.replace("'", "''"), run=run, node=node, last=last)


def same(rows):
    """Rows as texts: engines differ in types of whole numbers and in how they write nothing."""
    return [["" if cell is None else str(cell) for cell in row] for row in rows]


def duckdb_engine(tables):
    import duckdb

    connection = duckdb.connect()
    for table in TABLES:
        files = f"{tables}/{table}/**/*.parquet"
        connection.execute(f"CREATE VIEW {table} AS SELECT * FROM '{files}'")
    connection.execute(f"CREATE VIEW names AS {NAMES}")
    return connection, lambda sql: connection.execute(sql).fetchall()


def spark_engine(tables):
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local-cluster[2,1,2048]").appName("jfathom")
    builder = builder.config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "4")
    session = builder.config("spark.sql.session.timeZone", "UTC").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    for table in TABLES:
        frame = session.read.option("recursiveFileLookup", "true").parquet(f"{tables}/{table}")
        frame.createOrReplaceTempView(table)
    session.sql(NAMES).createOrReplaceTempView("names")
    return lambda sql: [tuple(row) for row in session.sql(sql).collect()]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("tables")
    parser.add_argument("--spark", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()

    def asked(sql):
        command = [args.program, "--format", "csv", sql, args.tables]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.stderr)
        return list(csv.reader(io.StringIO(done.stdout)))[1:]

    connection, duckdb = duckdb_engine(args.tables)
    engines = {"jfathom-query": asked, "DuckDB": duckdb}
    if args.spark:
        engines["Spark"] = spark_engine(args.tables)
    print("| query | rows | " + " | ".join(engines) + " |")
    print("|---|---|" + "---|" * len(engines))
    differ = []
    for name, sql in queries(connection):
        found, times = {}, {engine: [] for engine in engines}
        for _ in range(args.rounds):
            for engine, ask in engines.items():
                start = time.perf_counter()
                found[engine] = same(ask(sql))
                times[engine].append(time.perf_counter() - start)
        cells = [f"{min(all):.2f}, {statistics.median(all):.2f}" for all in times.values()]
        print(f"| {name} | {len(found['DuckDB'])} | " + " | ".join(cells) + " |", flush=True)
        differ += [f"{name}: {engine}" for engine in engines if found[engine] != found["DuckDB"]]
    if differ:
        sys.exit("other rows than DuckDB's: " + ", ".join(differ))


if __name__ == "__main__":
    main()
