// The page as a whole: who is signed in, and which view is shown.

import { Api, ApiError, SignedOut } from './api.js';
import { $, h, replaceChildren, setText } from './dom.js';
import { GoalForm } from './goal_form.js';
import { GoalView } from './goal_view.js';
import { GoalBook, SUBGOALS, listProcesses } from './goals.js';
import { HistoryView } from './history_view.js';
import { Session, Unreachable } from './session.js';
import { SignIn } from './sign_in.js';
import { language, t } from './texts.js';

let config;
let session;
let api;
let book;
let view = null;
let begun = null; // a process that was started for the view that comes next
const goalList = h('ul', { class: 'goal-list' });

function notice(text) {
  setText($('notice'), text ?? '');
  $('notice').hidden = !text;
}

/** What no view can deal with. */
function fail(error) {
  if (error instanceof SignedOut) {
    if (!session.isSignedIn) return; // the user has signed out meanwhile
    session.forget();
    showSignIn(t('sessionEnded'));
  } else if (error instanceof Unreachable) {
    notice(t('unreachableOnce'));
  } else if (error instanceof ApiError) {
    notice(error.message || error.code);
  } else {
    notice(String(error?.message ?? error));
    throw error;
  }
}

function replace(next, ...elements) {
  view?.close?.();
  view = next;
  $('detail').close();
  const main = $('main');
  // A pressed button may have lost the focus to the body by being disabled.
  const hadFocus = main.contains(document.activeElement) || document.activeElement === document.body;
  const isFirst = main.firstElementChild === null;
  main.replaceChildren(...elements);
  if (hadFocus && !isFirst) heading()?.focus();
}

const heading = () => $('main').querySelector('h1');

function showSignIn(reason) {
  for (const id of ['tabs', 'who', 'sign-out']) $(id).hidden = true;
  goalList.replaceChildren();
  const form = new SignIn(session, { user: config.user, reason, onSignedIn: () => showSignedIn() });
  replace(null, form.element);
  form.password.focus();
}

function showSignedIn() {
  notice(null);
  api = new Api(config, session);
  book = new GoalBook(session.sub);
  setText($('who'), session.user);
  for (const id of ['tabs', 'who', 'sign-out']) $(id).hidden = false;
  route();
}

/** Lists the goals of the user, and returns the id of the newest. */
async function showGoals() {
  const processes = (await listProcesses(api)).filter(({ type }) => type === SUBGOALS);
  const goals = new Map();
  for (const one of processes) if (!goals.has(one.targetId)) goals.set(one.targetId, one);
  const current = /^#\/goal\/(.+)$/.exec(location.hash)?.[1];
  const rows = [...goals.values()].map((one) => h('li', {}, h('a', {
    href: `#/goal/${one.targetId}`, 'aria-current': one.targetId === current ? 'page' : null, 'data-key': one.targetId,
  }, h('span', { class: 'mark', 'data-status': one.status }), book.title(one.targetId, one.createdAt))));
  if (rows.length === 0) rows.push(h('li', { class: 'muted' }, t('noGoals')));
  replaceChildren(goalList, rows, heading());
  return processes[0]?.targetId;
}

async function startGoal(params) {
  const goal = { goalId: crypto.randomUUID(), ...params };
  const process = await api.generate(SUBGOALS, goal);
  book.add(goal);
  begun = process;
  location.hash = `#/goal/${goal.goalId}`;
}

const withGoals = (content) => h('div', { class: 'columns' },
  h('aside', {}, h('a', { class: 'button', href: '#/new' }, `+ ${t('newGoal')}`), h('h2', {}, t('goals')), goalList), content);

async function route() {
  if (!session.isSignedIn) return;
  const [, name, id] = /^#\/(\w*)\/?([\w-]*)$/.exec(location.hash) ?? [];
  const started = begun;
  begun = null;
  showTabs();
  const world = { api, book, notice, onError: fail, onProcess: () => { showGoals().catch(fail); } };
  try {
    if (name === 'goal' && id) {
      const goal = new GoalView(id, world);
      replace(goal, withGoals(goal.element));
      await Promise.all([showGoals(), started?.targetId === id ? goal.begin(started) : goal.load()]);
    } else if (name === 'history') {
      const history = new HistoryView(world);
      replace(history, history.element);
      await history.load();
    } else {
      const form = new GoalForm((params) => startGoal(params).catch((error) => {
        if (error instanceof ApiError) throw error;
        fail(error);
      }));
      replace(null, withGoals(form.element));
      const newest = await showGoals();
      // Without a choice: the newest goal, or the form for the first one.
      if (name !== 'new' && newest && view === null && form.element.isConnected) location.replace(`#/goal/${newest}`);
    }
  } catch (error) {
    fail(error);
  }
}

function showTabs() {
  const history = location.hash.startsWith('#/history');
  replaceChildren($('tabs'), [['#/', t('goals'), !history], ['#/history', t('history'), history]]
    .map(([href, text, current]) => h('a', { href, 'aria-current': current ? 'page' : null, 'data-key': href }, text)));
}

async function start() {
  document.documentElement.lang = language;
  setText($('sign-out'), t('signOut'));
  const response = await fetch('config.json', { cache: 'no-store' });
  if (!response.ok) return notice(t('notDeployed'));
  config = await response.json();
  session = new Session(config);
  $('sign-out').addEventListener('click', () => {
    const ended = session.signOut();
    showSignIn();
    ended.catch(fail);
  });
  $('detail').addEventListener('click', (event) => { if (event.target === $('detail')) $('detail').close(); });
  addEventListener('hashchange', route);
  return session.isSignedIn ? showSignedIn() : showSignIn();
}

start().catch((error) => notice(String(error.message ?? error)));
