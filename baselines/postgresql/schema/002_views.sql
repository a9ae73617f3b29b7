-- SPDX-License-Identifier: Apache-2.0
-- Version 2: the views that dashboards read. Their names and columns are documented (baselines/README.md) and stay.

CREATE VIEW torchgate_runs AS
SELECT id AS run, created::timestamptz AS time, host_key, commit_digits AS commit, commit_digits IS NOT NULL AS is_baseline,
       tool_version, cases, added
FROM torchgate_run;

CREATE VIEW torchgate_values AS
SELECT r.created::timestamptz AS time, r.id AS run, r.host_key, r.commit_digits AS commit, s.case_name, s.metric, s.unit, s.better,
       s.kind, s.is_primary, v.value, v.processes
FROM torchgate_value v JOIN torchgate_series s ON s.number = v.series JOIN torchgate_run r ON r.number = v.run;

-- Against the run of a baseline before it on the same machine: numbers to look at, not verdicts. worse_by > 0: slower, larger, fewer.
CREATE VIEW torchgate_changes AS
SELECT time, run, host_key, commit, case_name, metric, unit, better, kind, is_primary, value, before_run, before_value,
       value / before_value - 1 AS change,
       CASE better WHEN 'lower' THEN value / before_value - 1 ELSE before_value / NULLIF(value, 0) - 1 END AS worse_by
FROM (
  SELECT w.*, lag(run) OVER series AS before_run, NULLIF(lag(value) OVER series, 0) AS before_value
  FROM torchgate_values w WHERE commit IS NOT NULL
  WINDOW series AS (PARTITION BY host_key, case_name, metric, unit, better, kind ORDER BY time, run)
) AS pairs
WHERE before_run IS NOT NULL;

CREATE VIEW torchgate_pins AS
SELECT name, created::timestamptz AS time, commit_digits AS commit
FROM (SELECT DISTINCT ON (name) * FROM torchgate_pin ORDER BY name, created DESC) AS newest
WHERE commit_digits IS NOT NULL;
