// The playground: which domain it is in, and its nodes.

import { Client } from './client.js';
import { $, h, setText } from './dom.js';
import { NodeCard } from './node_card.js';
import { language, t } from './texts.js';

const HUES = 8;
const cards = new Set();
let added = 0;

function addNode(config, domain) {
  const card = new NodeCard({
    config, domain, hue: added++ % HUES,
    onRemove: () => {
      cards.delete(card);
      card.element.remove();
      $('add').focus(); // The button that had the focus is gone.
      card.close();
    },
  });
  cards.add(card);
  $('nodes').append(card.element);
}

async function main() {
  document.documentElement.lang = language;
  setText($('lead'), t('lead'));
  setText($('add'), t('addNode'));
  const response = await fetch('config.json');
  if (!response.ok) {
    setText($('notice'), t('notDeployed'));
    $('notice').hidden = false;
    return;
  }
  const config = await response.json();
  const { createDomain: domain } = await new Client(config).request('mutation { createDomain }');
  $('domain').replaceChildren(h('span', { class: 'muted' }, t('domain')), h('code', {}, domain));
  $('add').addEventListener('click', () => addNode(config, domain));
  $('add').disabled = false;
  addNode(config, domain);
  addNode(config, domain);
}

main().catch((error) => {
  setText($('notice'), error.message);
  $('notice').hidden = false;
});
