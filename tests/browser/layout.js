// Whether a page fits its window: nothing sticks out of what it is in, is cut, or scrolls without a sign. It is measured
// at several widths, with the font of the tests and as if with a wider one.
//
//   await fits(page, 'the first screen');
'use strict';

const assert = require('node:assert/strict');

const WIDTHS = [1280, 768, 390];
// Chromium has one font here. The spacing is what WCAG 2.2 (1.4.12) wants a page to bear, with which Latin text is wider
// than in DejaVu, Noto and monospace; and Japanese text, of which the font has no characters, is as wide as its squares.
const FONTS = {
  'as it is': '',
  'as with a wide font': `
    * { letter-spacing: .12em !important; word-spacing: .16em !important }
    :lang(ja) { letter-spacing: .45em !important }`,
};

/** Runs in the page: returns what is wrong with its layout. */
function findFaults() {
  const SLACK = 1; // px: of rounding
  const found = new Set();
  const isInline = (style) => style.display === 'inline' || style.display === 'contents';
  const clips = (overflow) => overflow === 'hidden' || overflow === 'clip';
  const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll';
  const quote = (text) => JSON.stringify(text.trim().replace(/\s+/g, ' ').slice(0, 40));
  const name = (element) => `${element.localName}${[...element.classList].map((one) => `.${one}`).join('')} ${quote(element.innerText ?? '')}`;

  /** How far a box sticks out of the inside of an element, sideways. */
  function beyond(box, element, style) {
    const outer = element.getBoundingClientRect();
    const inset = (side) => parseFloat(style[`border${side}Width`]) + parseFloat(style[`padding${side}`]);
    return Math.max(outer.left + inset('Left') - box.left, box.right - outer.right + inset('Right'));
  }

  /** `around`, `style`: the next element outwards that has a box, and its style. */
  function checkBox(box, what, around, style) {
    const out = beyond(box, around, style);
    if (box.width > 0 && out > SLACK && style.overflowX === 'visible') found.add(`${what()} sticks out of ${name(around)} by ${out.toFixed(0)} px`);
  }

  /** Hidden content has a sign: an ellipsis, or a shadow where it scrolls. */
  function checkCut(element, style) {
    const cut = { X: element.scrollWidth - element.clientWidth > SLACK, Y: element.scrollHeight - element.clientHeight > SLACK };
    const hasEllipsis = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
    for (const [axis, edge] of [['X', 'to left'], ['Y', 'to top']]) {
      const overflow = style[`overflow${axis}`];
      if (cut[axis] && clips(overflow) && !hasEllipsis) found.add(`${name(element)} is cut (${axis})`);
      const hasShadow = style.backgroundAttachment.includes('local') && style.backgroundImage.includes(edge);
      if (cut[axis] && scrolls(overflow) && !hasShadow) found.add(`${name(element)} scrolls without a sign (${axis})`);
    }
  }

  function visit(element, around, aroundStyle) {
    const style = getComputedStyle(element);
    if (!element.checkVisibility() || style.visibility !== 'visible' || style.clipPath !== 'none' || element.localName === 'svg') return;
    const isBox = !isInline(style);
    if (isBox && !/absolute|fixed/.test(style.position) && style.transform === 'none') {
      checkBox(element.getBoundingClientRect(), () => name(element), around, aroundStyle);
    }
    // Their texts scroll by themselves; log lines follow their end.
    if (/^(input|select|textarea)$/.test(element.localName) || element.matches('.logs')) return;
    if (isBox) checkCut(element, style);
    const next = isBox ? [element, style] : [around, aroundStyle];
    for (const child of element.childNodes) {
      if (child.nodeType === Node.ELEMENT_NODE) visit(child, ...next);
      if (child.nodeType !== Node.TEXT_NODE || child.data.trim() === '') continue;
      const range = document.createRange();
      range.selectNodeContents(child);
      for (const box of range.getClientRects()) checkBox(box, () => `the text ${quote(child.data)}`, ...next);
    }
  }

  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.add(`the page is ${scrollWidth} px wide in ${clientWidth}`);
  visit(document.body, document.documentElement, getComputedStyle(document.documentElement));
  return [...found];
}

/** Resolves when the page is laid out with these styles of its text. */
const useFont = (page, styles) => page.evaluate((css) => new Promise((resolve) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet];
  // A page adapts to its new size before the second frame.
  requestAnimationFrame(() => requestAnimationFrame(resolve));
}), styles);

async function fits(page, name) {
  const size = page.viewportSize();
  const faults = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ ...size, width });
    for (const [font, styles] of Object.entries(FONTS)) {
      await useFont(page, styles);
      const found = await page.evaluate(`(${findFaults})()`);
      if (found.length > 0) faults[`${width} px, ${font}`] = found;
    }
  }
  await page.setViewportSize(size);
  await useFont(page, '');
  assert.deepEqual(faults, {}, name);
}

module.exports = { fits };
