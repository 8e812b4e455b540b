-- The users of the functions. The function that migrates sets their passwords:
-- without one, a user can't connect.
--
-- The reader shows processes to their owners. The writer changes rows; tables
-- belong to the owner, who alone migrates.

DO $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM pg_roles WHERE rolname = 'generation_reader'
  ) THEN
    CREATE ROLE generation_reader LOGIN;
  END IF;
  IF NOT EXISTS (
    SELECT FROM pg_roles WHERE rolname = 'generation_writer'
  ) THEN
    CREATE ROLE generation_writer LOGIN;
  END IF;
END
$$;

GRANT USAGE ON SCHEMA public TO generation_reader, generation_writer;

GRANT SELECT ON processing_states TO generation_reader;

GRANT SELECT, INSERT, UPDATE ON users, goals TO generation_writer;
-- UPDATE is for SELECT ... FOR UPDATE.
GRANT SELECT, INSERT, UPDATE, DELETE ON sub_goals, actions
TO generation_writer;
GRANT SELECT, INSERT, DELETE ON tasks TO generation_writer;
GRANT SELECT, INSERT, UPDATE, DELETE ON processing_states TO generation_writer;
