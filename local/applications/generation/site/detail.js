// What stands behind a cell of the chart: the goal as it was entered, a sub-goal with its actions, an action with its
// tasks.

import { $, h } from './dom.js';
import { ACTIONS, TASKS } from './goals.js';
import { dateText, minutesText, t } from './texts.js';

/** `onGenerate(type, params)` starts a process for one part; null if that is not possible now. */
export function showDetail(what, { goal, chart, onGenerate }) {
  const subGoal = chart.subGoals[what.subGoal];
  const action = chart.actions.get(subGoal?.id)?.[what.action];
  let content = null;
  if (what.kind === 'goal') content = goalDetail(goal);
  else if (what.kind === 'subGoal' && subGoal) content = subGoalDetail(subGoal, chart, what.subGoal, onGenerate);
  else if (action) content = actionDetail(action, subGoal, chart, what.subGoal, onGenerate);
  if (!content) return; // nothing is generated yet
  const dialog = $('detail');
  dialog.className = what.kind === 'goal' ? '' : `hue-${what.subGoal}`;
  dialog.replaceChildren(...content.filter((child) => child !== null),
    h('div', { class: 'buttons end' }, h('button', { type: 'button', onclick: () => dialog.close() }, t('close'))));
  dialog.showModal();
}

const heading = (eyebrow, title) => [h('p', { class: 'eyebrow' }, eyebrow), h('h2', { id: 'detail-title' }, title)];

function goalDetail(goal) {
  const facts = ['description', 'deadline', 'background', 'constraints'].filter((name) => goal[name])
    .flatMap((name) => [h('dt', {}, t(name)), h('dd', {}, name === 'deadline' ? dateText(goal[name]) : goal[name])]);
  return [...heading(t('title'), goal.title), facts.length ? h('dl', {}, ...facts) : null];
}

const generateButton = (text, onGenerate, type, params) => (onGenerate ? h('button', {
  type: 'button',
  onclick: () => {
    $('detail').close();
    onGenerate(type, params);
  },
}, text) : null);

const kindChip = (type) => h('span', { class: `chip ${type.toLowerCase()}` }, t(type));

function subGoalDetail(subGoal, chart, number, onGenerate) {
  const actions = chart.actions.get(subGoal.id) ?? [];
  return [...heading(`${t('subGoals')} ${number + 1}`, subGoal.title), h('p', {}, subGoal.description),
    actions.length ? h('ol', { class: 'list' }, ...actions.map(({ title, type }) => h('li', {}, h('span', {}, title), kindChip(type))))
      : h('p', { class: 'muted' }, t('noActions')),
    generateButton(t('regenerateActions'), onGenerate, ACTIONS, { subGoalId: subGoal.id })];
}

function actionDetail(action, subGoal, chart, number, onGenerate) {
  const tasks = chart.tasks.get(action.id) ?? [];
  const total = tasks.reduce((sum, { estimatedMinutes }) => sum + estimatedMinutes, 0);
  return [...heading(`${number + 1} · ${subGoal.title}`, action.title), h('p', {}, kindChip(action.type)),
    tasks.length ? h('ol', { class: 'list tasks' }, ...tasks.map(({ title, estimatedMinutes }) =>
      h('li', {}, h('span', {}, title), h('span', { class: 'muted' }, minutesText(estimatedMinutes))))) : h('p', { class: 'muted' }, t('noTasks')),
    tasks.length ? h('p', { class: 'muted' }, t(tasks.length === 1 ? 'oneTask' : 'allTasks', { n: tasks.length, time: minutesText(total) })) : null,
    generateButton(t('regenerateTasks'), onGenerate, TASKS, { actionId: action.id })];
}
