// Goals and their charts. The API has processes and their results: a chart is put together from those.

import { t, dateText } from './texts.js';

export const SUBGOALS = 'SUBGOAL_GENERATION';
export const ACTIONS = 'ACTION_GENERATION';
export const TASKS = 'TASK_GENERATION';
export const PARTS = 8; // sub-goals of a goal, and actions of a sub-goal

export const MAX_RETRIES = 3; // as the API limits them

const PAGE_SIZE = 100;
const MAX_PAGES = 10;
const AT_ONCE = 6; // requests
const byPosition = (a, b) => a.position - b.position;

export const isActive = ({ status }) => status === 'PENDING' || status === 'PROCESSING';
export const hasFailed = ({ status }) => status === 'FAILED' || status === 'TIMEOUT';
export const canRetry = (process) => hasFailed(process) && process.retryCount < MAX_RETRIES;

/** How many of `total` items are done. The API rounds the percentage down. */
export const itemsDone = (progress, total) => Math.min(total, Math.floor((progress + 1) / (100 / total)));

/** What the user has entered, by id of the goal. The API does not return it, so the browser keeps it. */
export class GoalBook {
  #key;
  #goals;

  constructor(sub) {
    this.#key = `mandala-goals-${sub}`;
    try {
      this.#goals = JSON.parse(localStorage.getItem(this.#key)) ?? {};
    } catch {
      this.#goals = {};
    }
  }

  find(goalId) { return this.#goals[goalId] ?? null; }

  title(goalId, createdAt) { return this.find(goalId)?.title ?? t('untitled', { date: dateText(createdAt) }); }

  add(goal) {
    this.#goals[goal.goalId] = goal;
    try {
      localStorage.setItem(this.#key, JSON.stringify(this.#goals));
    } catch {
      // It is then known until the page is closed.
    }
  }
}

export class Chart {
  subGoals = []; // {id, position, title, description}
  actions = new Map(); // by id of the sub-goal: [{id, position, title, type}]
  tasks = new Map(); // by id of the action: [{title, estimatedMinutes}]

  constructor(goalId) {
    this.goalId = goalId;
  }

  /** Takes over what a process has generated. What depends on what it replaces is gone. */
  apply(type, result) {
    if (type === SUBGOALS) {
      this.subGoals = [...result.subGoals].sort(byPosition);
      this.actions.clear();
      this.tasks.clear();
    } else if (type === ACTIONS) {
      for (const { subGoalId, actions } of result.subGoals) {
        for (const { id } of this.actions.get(subGoalId) ?? []) this.tasks.delete(id);
        this.actions.set(subGoalId, [...actions].sort(byPosition));
      }
    } else {
      for (const { actionId, tasks } of result.actions) this.tasks.set(actionId, tasks);
    }
  }

  /** In the order in which they are worked through. */
  allActions() { return this.subGoals.flatMap(({ id }) => this.actions.get(id) ?? []); }

  count(type) {
    if (type === SUBGOALS) return this.subGoals.length;
    const actions = this.allActions();
    return type === ACTIONS ? actions.length : actions.filter(({ id }) => this.tasks.get(id)?.length).length;
  }

  /** What is to be generated next; null if the chart is complete. */
  next() {
    return [[SUBGOALS, PARTS], [ACTIONS, PARTS * PARTS], [TASKS, PARTS * PARTS]]
      .find(([type, total]) => this.count(type) < total)?.[0] ?? null;
  }

  /** The parameter that names what a process works on; null if it is not of this chart. */
  target(id) {
    if (id === this.goalId) return { goalId: id };
    if (this.subGoals.some((one) => one.id === id)) return { subGoalId: id };
    return this.allActions().some((one) => one.id === id) ? { actionId: id } : null;
  }
}

/** The processes of the user, the newest first, until one satisfies `isLast`. */
export async function listProcesses(api, isLast = () => false) {
  const processes = [];
  for (let page = 1; page <= MAX_PAGES; ++page) {
    const answer = await api.history({ page, pageSize: PAGE_SIZE });
    processes.push(...answer.processes);
    if (page >= answer.pagination.totalPages || answer.processes.some(isLast)) break;
  }
  return processes;
}

/** Calls `work` for each, some at a time; the results are in the order of `list`. */
async function forEach(list, work) {
  const results = [];
  for (let i = 0; i < list.length; i += AT_ONCE) results.push(...await Promise.all(list.slice(i, i + AT_ONCE).map(work)));
  return results;
}

/** The chart of a goal, and the newest process that belongs to it, or null. */
export async function loadChart(api, goalId) {
  const chart = new Chart(goalId);
  const processes = await listProcesses(api, (one) => one.type === SUBGOALS && one.targetId === goalId && one.status === 'COMPLETED');
  const found = { first: processes.findLast((one) => one.targetId === goalId) ?? null };
  let since = '';
  for (const type of [SUBGOALS, ACTIONS, TASKS]) {
    // Of each target the newest, the oldest of these first: a later one replaces a part of an earlier one.
    const newest = new Map();
    for (const one of processes) {
      if (one.type !== type || one.status !== 'COMPLETED' || one.createdAt < since || !chart.target(one.targetId)) continue;
      if (!newest.has(one.targetId)) newest.set(one.targetId, one);
    }
    const used = [...newest.values()].reverse();
    for (const { result } of await forEach(used, ({ processId }) => api.status(processId))) chart.apply(type, result);
    if (type === SUBGOALS && used.length) since = used[0].createdAt;
  }
  return { chart, ...found, newest: processes.find((one) => chart.target(one.targetId)) ?? null };
}
