// The form for a new goal. It checks nothing itself: the API's own complaints are shown beside the fields.

import { ApiError } from './api.js';
import { h, setText } from './dom.js';
import { exampleGoal, t } from './texts.js';

// As the API limits them, in characters.
const FIELDS = [
  { name: 'title', max: 200, tag: 'input' },
  { name: 'description', max: 2000, tag: 'textarea', rows: 3 },
  { name: 'background', max: 1000, tag: 'textarea', rows: 2 },
  { name: 'constraints', max: 1000, tag: 'textarea', rows: 2, optional: true },
  { name: 'deadline', tag: 'input', type: 'date' },
];

class Field {
  constructor({ name, max, tag, rows, type, optional }) {
    this.name = name;
    this.max = max;
    this.input = h(tag, { id: `goal-${name}`, name, rows, type: tag === 'input' ? type ?? 'text' : null, autocomplete: 'off', 'aria-describedby': `goal-${name}-problem`, oninput: () => this.#count() });
    this.counter = h('span', { class: 'counter', 'aria-hidden': 'true' });
    this.problem = h('p', { class: 'problem', id: `goal-${name}-problem` });
    this.element = h('div', { class: `field field-${name}` },
      h('label', { for: `goal-${name}` }, t(name), optional ? h('span', { class: 'muted' }, ` ${t('optional')}`) : null), this.counter, this.input, this.problem);
  }

  get value() { return this.input.value; }
  set value(text) {
    this.input.value = text;
    this.#count();
  }

  complain(text) {
    setText(this.problem, text ?? '');
    if (text) this.input.setAttribute('aria-invalid', 'true');
    else this.input.removeAttribute('aria-invalid');
  }

  #count() {
    const n = [...this.value].length; // characters, as the API counts them
    setText(this.counter, this.max && n > this.max / 2 ? t('ofLength', { n, max: this.max }) : '');
    this.counter.classList.toggle('bad', n > this.max);
  }
}

export class GoalForm {
  #onSubmit;
  #fields = FIELDS.map((spec) => new Field(spec));

  /** onSubmit(params) is called with what was entered; what it throws is shown. */
  constructor(onSubmit) {
    this.#onSubmit = onSubmit;
    this.problem = h('p', { class: 'problem', role: 'alert' });
    this.button = h('button', { type: 'submit', class: 'primary' }, t('generate'));
    this.element = h('form', { class: 'card goal-form', novalidate: '', onsubmit: (event) => this.#submit(event) },
      h('h1', { tabindex: '-1' }, t('formLead')), h('p', { class: 'muted' }, t('formHint')),
      ...this.#fields.map(({ element }) => element), this.problem,
      h('div', { class: 'buttons' }, this.button, h('button', { type: 'button', onclick: () => this.#fill(exampleGoal()) }, t('example'))));
  }

  #fill(goal) {
    for (const field of this.#fields) {
      field.value = goal[field.name] ?? '';
      field.complain(null);
    }
    setText(this.problem, '');
  }

  async #submit(event) {
    event.preventDefault();
    const given = this.#fields.map(({ name, value }) => [name, value.trim()]).filter(([, value]) => value);
    this.button.disabled = true;
    try {
      await this.#onSubmit(Object.fromEntries(given));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#show(error);
    } finally {
      this.button.disabled = false;
      // A disabled button loses the focus.
      if (document.activeElement === document.body) this.button.focus();
    }
  }

  #show(error) {
    for (const field of this.#fields) field.complain(error.fields.get(field.name));
    const others = [...error.fields].filter(([name]) => !this.#fields.some((field) => field.name === name)).map(([name, text]) => `${name}: ${text}`);
    setText(this.problem, [error.message, ...others].join(' '));
    this.#fields.find(({ input }) => input.getAttribute('aria-invalid'))?.input.focus();
  }
}
