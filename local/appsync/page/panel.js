// The panel of AppSync: the GraphQL APIs, a place to try them, and what their latest requests took.

import { h } from '/_byoshin/page/dom.js';
import * as format from '/_byoshin/page/format.js';
import { Explorer } from './explorer.js';
import { Traces } from './traces.js';

/** For the frame: see panels.js of the dashboard. */
export function open(frame) {
  const explorer = new Explorer((api) => frame.get('schema', { api }));
  const traces = new Traces();
  const tiles = [frame.addTile('GraphQL requests'), frame.addTile('GraphQL sockets')];
  let apis = [];
  const choice = h('select', { 'aria-label': 'GraphQL API', onchange: () => show() });
  const address = h('code');
  frame.addCard(h('section', { class: 'card appsync-card', 'aria-labelledby': 'appsync-title' },
    h('div', { class: 'chart-head' }, h('h2', { id: 'appsync-title' }, 'GraphQL APIs'), choice, address), explorer.element, traces.element));

  async function show() {
    const api = apis.find(({ id }) => id === choice.value) ?? apis[0];
    if (!api) return;
    // The API is on the page's own origin, however the page was reached.
    const url = new URL(api.path, location.href).href;
    address.textContent = url;
    const [{ traces: latest }] = await Promise.all([frame.get('traces', { api: api.id }), explorer.show({ id: api.id, url, key: api.key })]);
    traces.show(latest);
  }

  return {
    async update({ appsync }) {
      apis = appsync.apis;
      const chosen = choice.value;
      choice.replaceChildren(...apis.map(({ id, name }) => h('option', { value: id }, name)));
      if (apis.some(({ id }) => id === chosen)) choice.value = chosen;
      tiles[0].show(format.number(appsync.requests), 'since the start');
      tiles[1].show(format.number(apis.reduce((sum, { sockets }) => sum + sockets, 0)), 'open');
      await show();
    },
    close() {
      explorer.close();
    },
  };
}
