// Mesh's panel: groups by domain, their nodes with the last values, events as they happen, open sockets.

import { h } from '/_byoshin/page/dom.js';
import * as format from '/_byoshin/page/format.js';

const shortName = (id) => (id.length > 12 ? `${id.slice(0, 8)}…` : id);

function nodeRow(group, { id, values, reportedAt }) {
  return h('tr', {},
    h('th', { scope: 'row', title: id }, shortName(id), id === group.hostId ? h('span', { class: 'mesh-host' }, 'host') : null),
    h('td', {}, ...values.map(({ key, value }) => h('span', { class: 'mesh-value' }, `${key} `, h('b', {}, value)))),
    h('td', { class: 'muted' }, reportedAt ? reportedAt.slice(11, 19) : 'no report yet'));
}

function eventRow({ name, payload, firedBy, timestamp }) {
  return h('li', {}, h('span', { class: 'muted' }, timestamp.slice(11, 23)), h('b', {}, name), h('span', {}, payload),
    h('span', { class: 'muted', title: firedBy }, shortName(firedBy)));
}

function groupCard(group) {
  return h('section', { class: 'mesh-group', 'aria-label': `Group ${group.name}` },
    h('h3', {}, group.name, h('span', { class: 'muted' }, ` ${group.domain} · until ${group.expiresAt.slice(11, 19)}`)),
    group.nodes.length > 0
      ? h('table', {}, h('tbody', {}, ...group.nodes.map((node) => nodeRow(group, node))))
      : h('p', { class: 'muted' }, 'No node has joined yet.'),
    h('ol', { class: 'mesh-events', 'aria-label': 'Events' }, ...group.events.map(eventRow)));
}

/** For the frame: see panels.js of the dashboard. */
export function open(frame) {
  const groups = h('div', { class: 'mesh-groups' });
  const link = h('a', { href: '/mesh/', target: '_blank', rel: 'noopener' }, 'Playground');
  frame.addCard(h('section', { class: 'card mesh', 'aria-label': 'Mesh' }, h('h2', {}, 'Mesh'), link, groups));
  const tiles = ['Groups', 'Nodes', 'Sockets'].map((name) => frame.addTile(name));
  return {
    async update({ mesh }) {
      link.href = mesh.page;
      tiles[0].show(format.number(mesh.groups), `in ${format.number(mesh.domains)} domains`);
      tiles[1].show(format.number(mesh.nodes), 'with hosts that report');
      tiles[2].show(format.number(mesh.sockets), 'open');
      const state = await frame.get('groups');
      groups.replaceChildren(...state.groups.map(groupCard));
      if (state.groups.length === 0) groups.replaceChildren(h('p', { class: 'muted' }, 'No group is alive.'));
    },
  };
}
