// Whether the cloud answers, as the page shows it.

import { NoAnswer } from './api.js';
import { $, setText } from './dom.js';
import * as format from './format.js';

const lessMotion = matchMedia('(prefers-reduced-motion: reduce)');

let known = false; // whether the cloud has ever answered

function show(state, text, since = '') {
  $('connection').dataset.state = state;
  setText($('connection-text'), text);
  // Not read out, since it changes every second.
  setText($('silence'), since);
  $('silence').hidden = since === '';
}

/** An update has come. */
export function showLive() {
  known = true;
  show('live', 'Live');
  // Once for each update: a dot that breathes all the time has the browser draw frames all the time.
  if (!lessMotion.matches) $('connection').animate({ opacity: [1, 0.45, 1] }, { duration: 600, pseudoElement: '::before' });
}

export function showLost(error) {
  if (!(error instanceof NoAnswer)) show('lost', `Not reachable: ${error.message}`); // else showSilence() says so
}

/** `ms`: how long an answer has been overdue; null if none is. */
export function showSilence(ms) {
  if (ms !== null) show('silent', 'No answer', `for ${format.duration(Math.floor(ms / 1000) * 1000)}`);
  else if ($('connection').dataset.state === 'silent') show(known ? 'live' : 'connecting', known ? 'Live' : 'Connecting');
}
