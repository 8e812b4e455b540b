// A node on the page: how it finds a group, its sensors, its buttons, and what it sees of the others.

import { Client } from './client.js';
import { h, replaceChildren, setText } from './dom.js';
import { MeshNode, listGroups } from './mesh_node.js';
import { t } from './texts.js';

const SENSORS = [{ key: 'temperature', min: -10, max: 40, value: 21 }, { key: 'light', min: 0, max: 100, value: 50 }];
const EVENTS = ['clap', 'star', 'bell'];
const GROUPS_EVERY_MS = 2000;
const SHOWN_EVENTS = 6;

const shortName = (id) => id.slice(0, 4);

export class NodeCard {
  #events = [];
  #groupsTimer = 0;

  constructor({ config, domain, hue, onRemove }) {
    this.client = new Client({ url: config.url, key: config.key, onConnection: (there) => this.#showConnection(there) });
    this.node = new MeshNode({
      client: this.client, domain, id: crypto.randomUUID(),
      onChange: (reason) => this.#show(reason), onEvent: (event) => this.#showEvent(event),
    });
    this.onRemove = onRemove;
    this.#build(hue);
    this.#show();
  }

  #build(hue) {
    const name = shortName(this.node.id);
    this.role = h('span', { class: 'chip', hidden: '' });
    this.connection = h('span', { class: 'chip live', role: 'status', hidden: '' });
    this.problem = h('p', { class: 'problem', role: 'alert' });
    this.outside = this.#buildOutside();
    this.inside = this.#buildInside();
    this.title = h('h2', { tabindex: -1 }, `${t('node')} ${name}`);
    this.element = h('section', { class: `card node hue-${hue}`, 'aria-label': `${t('node')} ${name}`, 'data-node': this.node.id },
      h('header', {}, this.title, this.role, this.connection,
        h('button', { type: 'button', class: 'plain', onclick: () => this.onRemove() }, t('remove'))),
      this.problem, this.outside, this.inside);
  }

  #buildOutside() {
    const name = h('input', { type: 'text', maxlength: 40, required: '', value: `Mesh ${shortName(this.node.id)}`, 'aria-label': t('groupName') });
    this.groups = h('ul', { class: 'groups' });
    return h('div', { class: 'outside' },
      h('form', { onsubmit: (event) => { event.preventDefault(); this.#try(() => this.node.create(name.value)); } },
        name, h('button', { class: 'primary' }, t('createGroup'))),
      h('h3', {}, t('groups')), this.groups);
  }

  #buildInside() {
    this.groupName = h('strong', { tabindex: -1 });
    this.leave = h('button', { type: 'button', onclick: () => this.#try(() => this.node.leave()) });
    this.others = h('ul', { class: 'others' });
    this.log = h('ol', { class: 'log', 'aria-live': 'polite', 'aria-label': t('events') });
    const message = h('input', { type: 'text', maxlength: 60, 'aria-label': t('message'), placeholder: t('message') });
    return h('div', { class: 'inside' },
      h('p', { class: 'line' }, this.groupName, this.leave),
      h('h3', {}, t('sensors')), h('div', { class: 'sensors' }, ...SENSORS.map((sensor) => this.#buildSensor(sensor))),
      h('h3', {}, t('events')),
      h('p', { class: 'line' }, ...EVENTS.map((event) =>
        h('button', { type: 'button', class: 'event', onclick: () => this.node.fire(event) }, event))),
      h('form', { onsubmit: (event) => { event.preventDefault(); this.node.fire('message', message.value); message.value = ''; } },
        message, h('button', {}, t('fire'))),
      this.log, h('h3', {}, t('others')), this.others);
  }

  #buildSensor({ key, min, max, value }) {
    this.node.set(key, value);
    const output = h('output', {}, String(value));
    const slider = h('input', {
      type: 'range', min, max, value, 'aria-label': t(key), 'data-sensor': key,
      oninput: () => { setText(output, slider.value); this.node.set(key, slider.value); },
    });
    return h('div', { class: 'sensor' }, h('span', { 'aria-hidden': 'true' }, t(key)), slider, output);
  }

  async #try(action) {
    setText(this.problem, '');
    try {
      await action();
    } catch (error) {
      setText(this.problem, error.message);
    }
  }

  #show(reason) {
    const { group } = this.node;
    if (reason) setText(this.problem, reason.message);
    this.outside.hidden = group !== null;
    this.inside.hidden = group === null;
    this.role.hidden = group === null;
    this.#keepFocus();
    if (group === null) {
      this.connection.hidden = true;
      this.#events = [];
      this.log.replaceChildren();
      this.#watchGroups();
      return;
    }
    clearTimeout(this.#groupsTimer);
    this.#groupsTimer = 0;
    setText(this.role, t(this.node.isHost ? 'host' : 'member'));
    setText(this.groupName, group.name);
    setText(this.leave, t(this.node.isHost ? 'dissolve' : 'leave'));
    this.#showOthers();
  }

  /** Focus goes on in what is shown now. A button there would be pressed by an Enter key that is held down. */
  #keepFocus() {
    const focused = document.activeElement;
    if (!this.element.contains(focused) || focused.checkVisibility()) return;
    (this.node.group === null ? this.title : this.groupName).focus();
  }

  #showConnection(there) {
    this.connection.hidden = this.node.group === null;
    this.connection.dataset.there = there;
    setText(this.connection, t(there ? 'connected' : 'lost'));
  }

  /** As long as the node is in no group. */
  async #watchGroups() {
    if (this.#groupsTimer !== 0) return;
    const again = () => { this.#groupsTimer = setTimeout(async () => { this.#groupsTimer = 0; await this.#watchGroups(); }, GROUPS_EVERY_MS); };
    this.#groupsTimer = -1;
    try {
      this.#showGroups(await listGroups(this.client, this.node.domain));
    } catch (error) {
      setText(this.problem, error.message);
    }
    this.#groupsTimer = 0;
    if (this.node.group === null && this.element.isConnected) again();
  }

  #showGroups(groups) {
    const key = JSON.stringify(groups);
    if (key === this.shownGroups) return;
    this.shownGroups = key;
    const rows = groups.map((group) => h('li', {}, h('span', {}, group.name), h('button', {
      type: 'button', 'aria-label': `${t('join')}: ${group.name}`, 'data-key': group.id, onclick: () => this.#try(() => this.node.join(group)),
    }, t('join'))));
    if (rows.length === 0) rows.push(h('li', { class: 'muted' }, t('noGroups')));
    replaceChildren(this.groups, rows, this.title);
  }

  #showOthers() {
    const rows = [...this.node.others.values()].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1)).map(({ nodeId, data }) =>
      h('li', { 'data-from': nodeId }, h('span', { class: 'who' }, shortName(nodeId)), ...data.map(({ key, value }) => this.#meter(key, value))));
    if (rows.length === 0) rows.push(h('li', { class: 'muted' }, t('nobody')));
    this.others.replaceChildren(...rows);
  }

  #meter(key, value) {
    const sensor = SENSORS.find((known) => known.key === key);
    return h('span', { class: 'reading', 'data-sensor': key }, `${t(key) ?? key} `, h('b', {}, value),
      sensor ? h('meter', { min: sensor.min, max: sensor.max, value, 'aria-hidden': 'true' }) : null);
  }

  #showEvent({ name, payload, firedByNodeId, timestamp }) {
    const who = firedByNodeId === this.node.id ? t('me') : shortName(firedByNodeId);
    this.#events = [{ name, payload, who, timestamp }, ...this.#events].slice(0, SHOWN_EVENTS);
    this.log.replaceChildren(...this.#events.map((event) => h('li', { 'data-event': event.name },
      h('b', {}, event.name), h('span', {}, event.payload ?? ''), h('span', { class: 'muted' }, event.who))));
    this.element.classList.remove('flash');
    requestAnimationFrame(() => this.element.classList.add('flash'));
  }

  /** Leaves the group in order, as far as there is time for it. */
  close() {
    clearTimeout(this.#groupsTimer);
    const left = this.node.group === null ? Promise.resolve() : this.node.leave().catch(() => {});
    return left.finally(() => this.client.close());
  }
}
