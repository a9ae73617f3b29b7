-- SPDX-License-Identifier: Apache-2.0
-- Two roles for a torchgate store in PostgreSQL, for its owner to run after `torchgate store migrate URL`, and again after each later one:
--
--   psql -v ON_ERROR_STOP=1 -f roles.sql URL
--   GRANT torchgate_append TO ci_runner;   GRANT torchgate_read TO grafana;
--
-- torchgate_append: for machines that measure. It may add and read, not change and not delete. torchgate_read: for dashboards, `gate` and
-- `history`. Neither may change the schema.
SET client_min_messages = warning;
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'torchgate_read') THEN CREATE ROLE torchgate_read NOLOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'torchgate_append') THEN CREATE ROLE torchgate_append NOLOGIN; END IF;
END $$;
GRANT torchgate_read TO torchgate_append;
GRANT SELECT ON torchgate_schema, torchgate_run, torchgate_samples, torchgate_object, torchgate_pin, torchgate_calibration,
  torchgate_series, torchgate_value, torchgate_runs, torchgate_values, torchgate_changes, torchgate_pins TO torchgate_read;
GRANT INSERT ON torchgate_run, torchgate_samples, torchgate_object, torchgate_pin, torchgate_calibration, torchgate_series,
  torchgate_value TO torchgate_append;
