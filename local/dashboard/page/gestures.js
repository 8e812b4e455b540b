// Moving in time with wheel, fingers and keys. Dragging with the mouse to mark a span is uPlot's.

/** move(fraction): by that part of the span; zoom(factor, at): about the point `at` (0…1) of the span. */
export function listenToBox(box, { move, zoom }) {
  const share = (x) => {
    const area = (box.querySelector('.u-over') ?? box).getBoundingClientRect();
    return Math.min(Math.max((x - area.left) / area.width, 0), 1);
  };
  box.addEventListener('wheel', (event) => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault(); // also what a trackpad's pinch sends
      zoom(1.2 ** Math.sign(event.deltaY), share(event.clientX));
    } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      move((event.deltaX || event.deltaY) / box.clientWidth);
    }
  }, { passive: false });
  box.addEventListener('dblclick', () => zoom(2, 0.5));
  listenToFingers(box, share, { move, zoom });
}

export function listenToKeys({ move, zoom, live }) {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, select, dialog, .scroll, .logs')) return;
    const action = {
      ArrowLeft: () => move(-0.25), ArrowRight: () => move(0.25),
      '+': () => zoom(0.5, 0.5), '=': () => zoom(0.5, 0.5), '-': () => zoom(2, 0.5), l: live, L: live,
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });
}

/** One finger moves, two zoom; scrolling the page up and down stays the browser's (touch-action: pan-y). */
function listenToFingers(box, share, { move, zoom }) {
  const fingers = new Map();
  const lift = (event) => fingers.delete(event.pointerId);
  box.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'touch') fingers.set(event.pointerId, event.clientX);
  });
  box.addEventListener('pointerup', lift);
  box.addEventListener('pointercancel', lift);
  box.addEventListener('pointermove', (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = [...fingers.values()];
    fingers.set(event.pointerId, event.clientX);
    const after = [...fingers.values()];
    if (fingers.size === 1) {
      move((before[0] - after[0]) / box.clientWidth);
    } else if (fingers.size === 2) {
      const apart = (x) => Math.max(Math.abs(x[0] - x[1]), 20);
      zoom(apart(before) / apart(after), share((after[0] + after[1]) / 2));
    }
  });
}
