-- Processes and their states.

CREATE TABLE processing_states (
  id uuid PRIMARY KEY,
  -- The first process of a series of retries.
  origin_id uuid NOT NULL,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  type text NOT NULL CHECK (
    type IN ('SUBGOAL_GENERATION', 'ACTION_GENERATION', 'TASK_GENERATION')
  ),
  status text NOT NULL CHECK (
    status IN (
      'PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'TIMEOUT', 'CANCELLED'
    )
  ),
  target_id uuid,
  params jsonb NOT NULL,
  progress integer NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 100),
  result jsonb,
  error jsonb,
  retry_count integer NOT NULL DEFAULT 0 CHECK (retry_count BETWEEN 0 AND 3),
  created_at timestamp(3) NOT NULL,
  updated_at timestamp(3) NOT NULL,
  completed_at timestamp(3),
  execution_arn text,
  -- Two retries at the same time can't both be the next one.
  UNIQUE (origin_id, retry_count)
);

-- A user's history.
CREATE INDEX processing_states_user_id_created_at
ON processing_states (user_id, created_at);

-- Counting by state, and removing what is old.
CREATE INDEX processing_states_status_created_at
ON processing_states (status, created_at);

CREATE INDEX processing_states_type_status
ON processing_states (type, status);
