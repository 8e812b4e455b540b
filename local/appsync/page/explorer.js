// Tries a GraphQL API: an operation, its variables, its answer; a subscription shows what it is sent until it is stopped.

import { h, setText } from '/_byoshin/page/dom.js';
import { Client } from './client.js';
import { example, kindOf, listOperations, typeText } from './operations.js';

const SHOWN_MESSAGES = 50;

export class Explorer {
  #api = null;
  #client = null;
  #schema = null;
  #subscription = null;
  #messages = [];

  /** loadSchema: gives what introspection tells of the API with an id. */
  constructor(loadSchema) {
    this.loadSchema = loadSchema;
    this.fields = h('ul', { class: 'appsync-fields' });
    this.query = h('textarea', { rows: 14, spellcheck: 'false', 'aria-label': 'Operation', onkeydown: (event) => this.#key(event) });
    this.variables = h('textarea', { rows: 5, spellcheck: 'false', 'aria-label': 'Variables as JSON', onkeydown: (event) => this.#key(event) }, '{}');
    this.authorization = h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', onchange: () => this.#connect() });
    this.run = h('button', { type: 'button', onclick: () => this.#run() }, 'Run');
    this.state = h('span', { class: 'muted', role: 'status' });
    this.result = h('pre', { class: 'appsync-result scroll', tabindex: '0', 'aria-label': 'Answer', role: 'region' });
    this.element = h('details', { class: 'appsync-try' }, h('summary', {}, 'Try an operation'), h('div', { class: 'appsync-explorer' },
      h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Fields of the schema' }, this.fields),
      h('div', { class: 'appsync-editor' }, this.query, this.variables,
        h('label', {}, 'Authorization header, instead of the API key', this.authorization), h('p', {}, this.run, ' ', this.state)),
      this.result));
  }

  /** Shows an API: { id, url, key }. */
  async show(api) {
    if (JSON.stringify(api) === JSON.stringify(this.#api)) return;
    const changed = api.id !== this.#api?.id;
    this.#api = api;
    if (changed) {
      this.query.value = '';
      this.authorization.value = '';
    }
    this.#connect();
    await this.#loadSchema();
  }

  /** From here on with the credentials as they are now. */
  #connect() {
    if (this.#api === null) return;
    this.close();
    this.#client = new Client({
      url: this.#api.url,
      key: this.#api.key,
      authorization: this.authorization.value.trim(),
      onConnection: (there) => this.#tell(there ? 'listening …' : 'connecting …'),
    });
  }

  close() {
    this.#stop();
    this.#client?.close();
    this.#client = null;
  }

  async #loadSchema() {
    try {
      this.#schema = (await this.loadSchema(this.#api.id)).data;
    } catch (error) {
      this.#schema = null;
      this.fields.replaceChildren(h('li', { class: 'muted' }, error.message));
      return;
    }
    const operations = listOperations(this.#schema);
    this.fields.replaceChildren(...operations.map((one) => h('li', {},
      h('button', { type: 'button', class: 'appsync-field', title: typeText(one.field.type), onclick: () => this.#write(one) },
        h('span', { class: 'muted' }, `${one.operation} `), one.field.name))));
    if (!this.query.value && operations.length > 0) this.#write(operations[0]);
  }

  #write(operation) {
    const { query, variables } = example(this.#schema, operation);
    this.query.value = query;
    this.variables.value = variables;
  }

  #key(event) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.#run();
  }

  #tell(text) {
    setText(this.state, text);
  }

  #show(value) {
    setText(this.result, value === null ? '' : JSON.stringify(value, null, 2));
  }

  async #run() {
    if (this.#subscription !== null) {
      this.#stop();
      return;
    }
    let variables;
    try {
      variables = JSON.parse(this.variables.value || '{}');
    } catch (error) {
      this.#tell(`variables: ${error.message}`);
      return;
    }
    if (kindOf(this.query.value) === 'subscription') this.#subscribe(variables);
    else await this.#ask(variables);
  }

  async #ask(variables) {
    const begun = performance.now();
    this.#tell('…');
    try {
      this.#show(await this.#client.answer(this.query.value, variables));
      this.#tell(`${(performance.now() - begun).toFixed(1)} ms`);
    } catch (error) {
      this.#tell(error.message);
    }
  }

  #subscribe(variables) {
    this.#messages = [];
    this.#show(null);
    this.#tell('connecting …');
    setText(this.run, 'Stop');
    this.#subscription = this.#client.subscribe(this.query.value, variables, {
      onData: (data, errors) => {
        this.#messages = [{ at: new Date().toISOString(), data, errors }, ...this.#messages].slice(0, SHOWN_MESSAGES);
        this.#show(this.#messages);
      },
      onError: (error) => {
        this.#stop();
        this.#tell(error.message);
      },
    });
  }

  #stop() {
    this.#subscription?.close();
    this.#subscription = null;
    setText(this.run, 'Run');
    this.#tell('');
  }
}
