/**
 * What workers share: one schema per database, beside the queue of Graphile Worker. Everything here can be created again
 * at any time, so `signoff store migrate` simply does.
 *
 * `enqueue` runs with the rights of its owner: a role that may only change rows of its project needs none for the queue.
 */
export const clusterSchema = `
-- Where it exists, no right to create schemas is needed.
DO $$
BEGIN
  IF to_regnamespace('signoff') IS NULL THEN
    CREATE SCHEMA signoff;
  END IF;
END;
$$;

-- Graphile Worker lets only the owner see rows of its tables; here grants decide, as everywhere.
DO $$
DECLARE
  its_table REGCLASS;
BEGIN
  FOR its_table IN
    SELECT c.oid FROM pg_class c
    WHERE c.relnamespace = 'graphile_worker'::regnamespace AND c.relrowsecurity
      AND NOT EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'signoff')
  LOOP
    EXECUTE format('CREATE POLICY signoff ON %s USING (TRUE) WITH CHECK (TRUE)', its_table);
  END LOOP;
END;
$$;

CREATE TABLE IF NOT EXISTS signoff.workers (
  id UUID PRIMARY KEY,
  lock INTEGER GENERATED ALWAYS AS IDENTITY,
  name TEXT NOT NULL,
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  version TEXT NOT NULL,
  tasks TEXT[] NOT NULL,
  projects TEXT[],
  concurrency INTEGER NOT NULL,
  pools TEXT[] NOT NULL DEFAULT '{}',
  is_draining BOOLEAN NOT NULL DEFAULT FALSE,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  beat_at TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE TABLE IF NOT EXISTS signoff.providers (
  provider TEXT PRIMARY KEY,
  next_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  slowed_at TIMESTAMPTZ NOT NULL DEFAULT 'epoch',
  wait_until TIMESTAMPTZ NOT NULL DEFAULT 'epoch'
);

CREATE TABLE IF NOT EXISTS signoff.permits (
  provider TEXT NOT NULL,
  worker UUID NOT NULL,
  places INTEGER NOT NULL,
  expires TIMESTAMPTZ NOT NULL,
  PRIMARY KEY (provider, worker)
);

-- Grants add up, because the row of the provider stays locked. A worker gets what is free, but no more than its share
-- while others want places, too.
CREATE OR REPLACE FUNCTION signoff.take_places(
  for_provider TEXT, for_worker UUID, wanted INTEGER, most INTEGER, term FLOAT8
) RETURNS TABLE (places INTEGER, wait_millis FLOAT8, slowed_at TEXT) LANGUAGE plpgsql AS $$
DECLARE
  known signoff.providers;
  taken INTEGER;
  others INTEGER;
  granted INTEGER;
BEGIN
  INSERT INTO signoff.providers (provider) VALUES (for_provider) ON CONFLICT DO NOTHING;
  SELECT * INTO known FROM signoff.providers p WHERE p.provider = for_provider FOR UPDATE;
  SELECT COALESCE(SUM(p.places), 0), COUNT(*) INTO taken, others FROM signoff.permits p
  WHERE p.provider = for_provider AND p.worker <> for_worker AND p.expires > now();
  granted := GREATEST(0, LEAST(wanted, most - taken, CEIL(most::float8 / (others + 1))::int));
  INSERT INTO signoff.permits AS mine (provider, worker, places, expires)
  VALUES (for_provider, for_worker, granted, now() + make_interval(secs => term))
  ON CONFLICT (provider, worker)
    DO UPDATE SET places = excluded.places, expires = excluded.expires;
  RETURN QUERY SELECT granted,
    GREATEST(0, extract(epoch FROM known.wait_until - clock_timestamp()) * 1000)::float8,
    known.slowed_at::text;
END;
$$;

CREATE OR REPLACE FUNCTION signoff.enqueue(project TEXT, run TEXT, task TEXT) RETURNS VOID
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT graphile_worker.add_job(
    task,
    payload => json_build_object('project', project, 'run', run),
    job_key => project || ':' || run,
    flags => ARRAY[project]
  );
$$;

-- Files are written in the order of these times, so they all come from one clock.
CREATE OR REPLACE FUNCTION signoff.stamp_change() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := to_char(
    clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  RETURN NEW;
END;
$$;

CREATE OR REPLACE FUNCTION signoff.run_changed() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  parent_task TEXT;
  is_awaited BOOLEAN;
BEGIN
  IF NEW.task IS NOT NULL AND (NEW.state = 'queued' OR
      -- The worker that had it is gone, and no other knows the task that it had until now.
      (TG_OP = 'UPDATE' AND NEW.state = 'running' AND NEW.task <> OLD.task
        AND NEW.holder_expires < to_char(
          now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) THEN
    PERFORM signoff.enqueue(TG_TABLE_SCHEMA, NEW.run, NEW.task);
  END IF;
  PERFORM pg_notify(TG_TABLE_SCHEMA || ':runs', NEW.run || ' ' || NEW.top || ' ' || NEW.state);
  IF NEW.parent IS NOT NULL AND NEW.state NOT IN ('queued', 'running', 'waiting') THEN
    -- The lock lets the last two of several children see each other's end.
    EXECUTE format(
      'SELECT task FROM %I.runs WHERE run = $1 AND state = ''waiting'' AND task IS NOT NULL
       FOR NO KEY UPDATE', TG_TABLE_SCHEMA) INTO parent_task USING NEW.parent;
    IF parent_task IS NOT NULL THEN
      EXECUTE format(
        'SELECT EXISTS (SELECT 1 FROM %I.runs
           WHERE parent = $1 AND state IN (''queued'', ''running'', ''waiting''))',
        TG_TABLE_SCHEMA) INTO is_awaited USING NEW.parent;
      IF NOT is_awaited THEN
        PERFORM signoff.enqueue(TG_TABLE_SCHEMA, NEW.parent, parent_task);
      END IF;
    END IF;
  END IF;
  RETURN NULL;
END;
$$;

CREATE OR REPLACE FUNCTION signoff.cancel_requested() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify(TG_TABLE_SCHEMA || ':runs', NEW.run || ' ' || NEW.top || ' cancel');
  RETURN NULL;
END;
$$;

CREATE OR REPLACE FUNCTION signoff.decision_answered() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  run_task TEXT;
BEGIN
  EXECUTE format('SELECT task FROM %I.runs WHERE run = $1', TG_TABLE_SCHEMA)
    INTO run_task USING NEW.run;
  IF run_task IS NOT NULL THEN
    PERFORM signoff.enqueue(TG_TABLE_SCHEMA, NEW.run, run_task);
  END IF;
  RETURN NULL;
END;
$$;
`;

/**
 * The row is the intent: whatever makes a run ready queues it in the same transaction, at whichever door it comes in.
 * `schema` is a quoted identifier.
 */
export function prepareProject(schema: string): string {
  return `
CREATE INDEX IF NOT EXISTS runs_changed ON ${schema}.runs (updated_at, run) WHERE task IS NOT NULL;
CREATE OR REPLACE TRIGGER stamp_change
  BEFORE UPDATE OF state ON ${schema}.runs
  FOR EACH ROW WHEN (NEW.updated_at <> OLD.updated_at)
  EXECUTE FUNCTION signoff.stamp_change();
CREATE OR REPLACE TRIGGER run_changed
  AFTER INSERT OR UPDATE OF state ON ${schema}.runs
  FOR EACH ROW EXECUTE FUNCTION signoff.run_changed();
CREATE OR REPLACE TRIGGER cancel_requested
  AFTER UPDATE OF cancel_reason ON ${schema}.runs
  FOR EACH ROW WHEN (NEW.cancel_reason IS NOT NULL AND NEW.state = 'running')
  EXECUTE FUNCTION signoff.cancel_requested();
CREATE OR REPLACE TRIGGER decision_answered
  AFTER UPDATE OF answer ON ${schema}.decisions
  FOR EACH ROW WHEN (NEW.answer IS NOT NULL)
  EXECUTE FUNCTION signoff.decision_answered();
`;
}

/**
 * Queues again what ought to be queued: ready runs whose job was lost, waiting runs that wait for nothing any more, and
 * runs whose holder has stopped extending its lease. A job that waits, or that a living worker has taken, stays as it is.
 */
export function requeueLost(schema: string): string {
  return `
SELECT signoff.enqueue($1, r.run, r.task)
FROM ${schema}.runs r
WHERE r.task IS NOT NULL
  AND NOT EXISTS (
    SELECT 1 FROM graphile_worker.jobs j
    WHERE j.key = $1 || ':' || r.run AND j.attempts < j.max_attempts
      AND (j.locked_by IS NULL OR EXISTS (
        SELECT 1 FROM signoff.workers w WHERE j.locked_by = ANY (w.pools))))
  AND (r.state = 'queued'
    OR (r.state = 'running' AND r.holder_expires < to_char(
        now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    OR (r.state = 'waiting'
      AND NOT EXISTS (
        SELECT 1 FROM ${schema}.decisions d WHERE d.run = r.run AND d.answer IS NULL)
      AND NOT EXISTS (
        SELECT 1 FROM ${schema}.runs c
        WHERE c.parent = r.run AND c.state IN ('queued', 'running', 'waiting'))))
`;
}

/** The leases of a worker that is gone end now, and its runs are queued: other workers need not wait for the expiry. */
export function releaseRuns(schema: string): string {
  return `
UPDATE ${schema}.runs SET holder_expires = '1970-01-01T00:00:00.000Z'
WHERE state = 'running' AND holder_process_start = $1
RETURNING signoff.enqueue($2, run, task)
`;
}
