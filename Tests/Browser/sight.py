"""What an operator cannot see or reach in the console as it is drawn: what is cut off, covered, or too small."""

SCRIPT = r"""(() => {
  const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.getElementById('app');
  const whole = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const found = new Set();
  const name = (element) => `${element.tagName.toLowerCase()}${element.className ? `.${element.className}` : ''} `
    + `"${(element.getAttribute('aria-label') ?? element.textContent).trim().replace(/\s+/g, ' ').slice(0, 50)}"`;
  const isIn = (element) => !element.closest('.phone, .sr-only, [hidden]') && element.checkVisibility();
  const scrolls = (element) => element.closest('.table, pre, .phones, textarea, .tabs');

  // The part of a box that what it lies in leaves in sight.
  const clipped = (element, box) => {
    let { left, top, right, bottom } = box;
    const cut = (by) => {
      [left, top] = [Math.max(left, by.left), Math.max(top, by.top)];
      [right, bottom] = [Math.min(right, by.right), Math.min(bottom, by.bottom)];
    };
    for (let up = element.parentElement; up; up = up.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(up);
      if (overflowX !== 'visible' || overflowY !== 'visible') cut(up.getBoundingClientRect());
      if (up.matches('dialog:modal, :popover-open')) break;
    }
    cut(whole);
    return { left, top, right, bottom };
  };

  const pathOf = (element) => {
    const path = [];
    for (let each = element; each; each = each.parentElement) path.push(each);
    return path;
  };
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) found.add(`the page is ${scrollWidth} wide`);
  for (const element of top.querySelectorAll('*')) {
    if (!isIn(element) || scrolls(element)) continue;
    const { overflowX } = getComputedStyle(element);
    if (/auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth + 1) {
      found.add(`scrolls sideways: ${name(element)} ${element.scrollWidth} in ${element.clientWidth}`);
    }
  }

  // Texts: beyond the window, beyond what cuts them off, out of their own button.
  const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const isText = walker.currentNode.data.trim() && !element.closest('option, svg');
    if (!isText || !isIn(element) || scrolls(element)) continue;
    range.selectNodeContents(walker.currentNode);
    const box = range.getBoundingClientRect();
    if (box.width < 1) continue;
    if (box.right > innerWidth + 1 || box.left < -1) found.add(`beyond the window: ${name(element)}`);
    const frame = element.closest('button, .badge, th, td, legend, h1, h2, dialog, .panel, .banner');
    const outer = frame?.getBoundingClientRect();
    if (outer && (box.right > outer.right + 1 || box.left < outer.left - 1)) {
      found.add(`out of its frame: ${name(element)}`);
    }
    for (let up = element; up && up !== top; up = up.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(up);
      if (overflowX === 'visible') continue;
      const cut = up.getBoundingClientRect();
      // What ends in dots may say the rest otherwise.
      const isTold = textOverflow === 'ellipsis' && up.closest('[title]');
      if (box.right > cut.right + 1 && /hidden|clip/.test(overflowX) && !isTold) found.add(`cut off: ${name(element)}`);
      break;
    }
  }
  const brush = document.createElement('canvas').getContext('2d');
  for (const element of top.querySelectorAll('select')) {
    if (!isIn(element)) continue;
    brush.font = getComputedStyle(element).font;
    const text = element.selectedOptions[0]?.textContent.trim() ?? '';
    if (brush.measureText(text).width + 26 > element.clientWidth && text.length < 16) {
      found.add(`a list's choice is cut off: "${text}" in ${element.clientWidth}`);
    }
  }

  // Controls: nothing lies over them, and a finger hits them.
  const controls = 'button, a[href], input, select, textarea, summary, [role=slider]';
  for (const element of top.querySelectorAll(controls)) {
    if (!isIn(element) || element.matches('[type=file]')) continue;
    const box = element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const sight = clipped(element, box);
    if (x > sight.left && x < sight.right && y > sight.top && y < sight.bottom) {
      const hit = document.elementFromPoint(x, y);
      // What sticks to an edge, or was opened above the rest, leaves when it is scrolled or closed.
      const isPassing = pathOf(hit).some((each) => getComputedStyle(each).position === 'sticky'
        || each.matches('.menu, .popup, .nodes ul, .areas.open'));
      const isOwn = element.contains(hit) || hit?.contains(element) || hit?.closest('label')?.control === element;
      const isFree = hit && (isPassing || isOwn);
      if (!isFree) found.add(`covered: ${name(element)} by ${hit ? name(hit) : 'nothing'}`);
      const isPartOf = element.closest('label');
      const isText = element.matches('a') && getComputedStyle(element).display === 'inline';
      const isBox = isPartOf && element.matches('[type=checkbox], [type=radio]');
      const target = isBox ? isPartOf.getBoundingClientRect() : box;
      if (!isText && SMALLEST && (target.width < SMALLEST || target.height < SMALLEST)) {
        found.add(`small: ${name(element)} ${Math.round(target.width)} × ${Math.round(target.height)}`);
      }
    }
  }
  return [...found];
})()"""


def found(lin, smallest: int = 0) -> list[str]:
    """What is wrong with what is drawn now; controls are to be as large as `smallest` points each way."""
    return lin.page.evaluate(SCRIPT.replace("SMALLEST", str(smallest)))
