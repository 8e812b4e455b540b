// Elements from data. Text only ever becomes text nodes: message bodies and log lines are untrusted, and
// the page's policy (trusted-types 'none') refuses any other way in.

export const $ = (id) => document.getElementById(id);

/** h('td', {class: 'bad'}, 'text', node, …); null children are left out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Like h(), for SVG. */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/**
 * Replaces the children of an element. If what had the focus is replaced, the focus goes to its successor, which has the
 * same `data-key`, or else to `fallback`.
 */
export function replaceChildren(parent, children, fallback = null) {
  const focused = parent.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  parent.replaceChildren(...children);
  if (focused === undefined) return;
  (parent.querySelector(`[data-key="${CSS.escape(focused)}"]`) ?? fallback)?.focus();
}

/** Sets text only if it differs, so that screen readers and selections are left in peace. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

let toastTimer = 0;
export function toast(text) {
  const element = $('toast');
  element.textContent = text;
  element.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { element.hidden = true; }, 6000);
}
