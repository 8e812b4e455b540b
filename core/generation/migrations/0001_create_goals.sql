-- Users, goals, and what is generated for them: 8 sub-goals a goal, 8 actions a
-- sub-goal, and tasks. Times are in UTC and come from the functions.

CREATE TABLE users (
  id text PRIMARY KEY,
  -- The requests of the last minute, for the rate limit.
  recent_requests timestamp(3)[] NOT NULL DEFAULT '{}',
  created_at timestamp(3) NOT NULL
);

CREATE TABLE goals (
  id uuid PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  title text NOT NULL,
  description text NOT NULL,
  deadline text NOT NULL,
  background text NOT NULL,
  constraints text NOT NULL DEFAULT '',
  created_at timestamp(3) NOT NULL,
  updated_at timestamp(3) NOT NULL
);

CREATE INDEX goals_user_id ON goals (user_id);

-- In the next three tables, generated_by is the first process of the series of
-- retries that generated the row.
CREATE TABLE sub_goals (
  id uuid PRIMARY KEY,
  goal_id uuid NOT NULL REFERENCES goals (id) ON DELETE CASCADE,
  position integer NOT NULL CHECK (position BETWEEN 1 AND 8),
  title text NOT NULL,
  description text NOT NULL,
  generated_by uuid NOT NULL,
  created_at timestamp(3) NOT NULL,
  UNIQUE (goal_id, position)
);

CREATE TABLE actions (
  id uuid PRIMARY KEY,
  sub_goal_id uuid NOT NULL REFERENCES sub_goals (id) ON DELETE CASCADE,
  position integer NOT NULL CHECK (position BETWEEN 1 AND 8),
  title text NOT NULL,
  description text NOT NULL,
  type text NOT NULL CHECK (type IN ('EXECUTION', 'HABIT')),
  generated_by uuid NOT NULL,
  created_at timestamp(3) NOT NULL,
  UNIQUE (sub_goal_id, position)
);

CREATE TABLE tasks (
  id uuid PRIMARY KEY,
  action_id uuid NOT NULL REFERENCES actions (id) ON DELETE CASCADE,
  position integer NOT NULL CHECK (position >= 1),
  title text NOT NULL,
  description text NOT NULL,
  estimated_minutes integer NOT NULL
    CHECK (estimated_minutes BETWEEN 15 AND 120),
  generated_by uuid NOT NULL,
  created_at timestamp(3) NOT NULL,
  UNIQUE (action_id, position)
);
