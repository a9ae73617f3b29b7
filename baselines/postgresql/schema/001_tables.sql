-- SPDX-License-Identifier: Apache-2.0
-- Version 1 of a torchgate store in PostgreSQL: the tables. A version that was released never changes; what comes later is a file
-- with the next number, and a row in versions.cpp. What each table is for: baselines/README.md.

CREATE TABLE torchgate_schema (
  version integer PRIMARY KEY,
  applied timestamptz NOT NULL DEFAULT now()
);

-- One row a run: the record as the bytes that a folder store has in a file, and what a listing needs without reading it.
CREATE TABLE torchgate_run (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  host_key text COLLATE "C" NOT NULL,
  created text COLLATE "C" NOT NULL,       -- UTC, ISO 8601: sorts as the times do
  commit_digits text COLLATE "C",          -- first 12 digits of the commit whose baseline it is; NULL: not a baseline
  tool_version text NOT NULL,
  cases integer NOT NULL,
  record bytea NOT NULL,
  record_sha256 text NOT NULL,
  samples_sha256 text,                     -- NULL: stored without raw samples
  added timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX torchgate_run_created ON torchgate_run (created, id);

-- Raw samples in parts, by the hash of the whole. May be pruned: no other table refers to them.
CREATE TABLE torchgate_samples (
  sha256 text COLLATE "C" NOT NULL,
  part integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (sha256, part)
);

-- Executables, libraries and files that suites read, in parts, by the hash of the whole.
CREATE TABLE torchgate_object (
  sha256 text COLLATE "C" NOT NULL,
  part integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (sha256, part)
);

-- One row each time that a name was pinned, moved or removed; the newest of a name is in force.
CREATE TABLE torchgate_pin (
  name text COLLATE "C" NOT NULL,
  created text COLLATE "C" NOT NULL,
  commit_digits text COLLATE "C",          -- NULL: removed
  record bytea NOT NULL,
  PRIMARY KEY (name, created)
);

CREATE TABLE torchgate_calibration (
  host_key text COLLATE "C" NOT NULL,
  created text COLLATE "C" NOT NULL,
  run_sd double precision NOT NULL,
  record bytea NOT NULL,
  PRIMARY KEY (host_key, created)
);

-- For dashboards: what is measured, once, and one number for each run of it. torchgate itself reads records only.
CREATE TABLE torchgate_series (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key text COLLATE "C" NOT NULL UNIQUE,    -- SHA-256 of the columns below: an index takes no names of 4096 bytes
  case_name text NOT NULL,
  metric text NOT NULL,
  unit text NOT NULL,
  better text NOT NULL,                    -- 'lower' or 'higher'
  kind text NOT NULL,                      -- 'timed' or 'exact'
  is_primary boolean NOT NULL
);
CREATE TABLE torchgate_value (
  series bigint NOT NULL,
  run bigint NOT NULL,
  value double precision NOT NULL,
  processes integer NOT NULL,
  PRIMARY KEY (series, run)
);
CREATE INDEX torchgate_value_run ON torchgate_value (run);
