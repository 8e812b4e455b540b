// Whether axe finds anything on a page that keeps people out, in light and in dark.
//
//   await isAccessible(page, 'the first screen');
'use strict';

const assert = require('node:assert/strict');
const axe = require('axe-core');

// A rule of WCAG 2.2 that is not among axe's defaults.
const RULES = { 'target-size': { enabled: true } };
// All log lines look like the first ones.
const CONTEXT = { exclude: [['#logs li:nth-child(n+4)']] };

/** Violations and, of ARIA, what axe can't decide. */
const findBarriers = (page) => page.evaluate(async ([context, rules]) => {
  // A page has taken on its colours by the second frame.
  await new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); });
  const { violations, incomplete } = await window.axe.run(context, { rules });
  return [...violations, ...incomplete.filter(({ id }) => id.startsWith('aria'))]
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join('\n')}`);
}, [CONTEXT, RULES]);

async function isAccessible(page, name) {
  await page.evaluate(axe.source);
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  // It ends with the colours that it began with.
  for (const colorScheme of isDark ? ['light', 'dark'] : ['dark', 'light']) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await findBarriers(page), [], `${name}, ${colorScheme}`);
  }
}

module.exports = { isAccessible };
