// Drawing a view of the tree: elements, positions, and the details of the frame
// under the pointer.

const SVG = 'http://www.w3.org/2000/svg';
const XHTML = 'http://www.w3.org/1999/xhtml';
const margin = Number(svg.dataset.margin);
const pitch = Number(svg.dataset.pitch);
const alone = svg.classList.contains('alone');
const drawnTop = Number(svg.dataset.top);
const drawnRows = Number(svg.dataset.rows);
const foot = svg.viewBox.baseVal.height - drawnTop - drawnRows * pitch;
const notes = Array.from(svg.querySelectorAll('.note'), function (note) {
  return { text: note, words: note.textContent,
    y: Number(note.getAttribute('y')) - drawnTop - drawnRows * pitch };
});
const summary = alone ? svg.querySelector('.summary') : null;
const summaryWords = summary ? summary.textContent : '';
const container = svg.querySelector('.frames');
const padding = 4;
const leastColumns = 3;
// Min width of a drawn frame in px.
const leastWidth = 0.1;
let icicle = svg.dataset.icicle === '1';
let top = drawnTop;
let column = 7.25;

function make(space, name, className) {
  const element = document.createElementNS(space, name);
  if (className)
    element.setAttribute('class', className);
  return element;
}

// From the document as written; the base of everything else.
const all = readDrawn(container, function (rect) {
  const row = Math.round((Number(rect.getAttribute('y')) - top) / pitch);
  return icicle ? row : drawnRows - 1 - row;
});
const rest = readRest(all);
const tree = rest.frames;
setSelf(tree);

// The current view: its frames, their positions, and those that fill the width.
// `sum` is the total for shares, in words `sumWords`.
function newView(frames, element, isCalls, sum, sumWords) {
  return {
    frames: frames, element: element, isCalls: isCalls, root: frames[0],
    zoomed: frames[0], focused: frames[0], sum: sum, sumWords: sumWords,
    rows: frames.reduce(function (rows, frame) {
      return frame.group ? Math.max(rows, frame.row + 1) : rows;
    }, 1)
  };
}

const whole = newView(tree, container, false, tree[0] ? tree[0].weight : 0,
  ' of all');
let view = whole;
const byGroup = new Map(all.map(function (frame) {
  return [frame.group, frame];
}));

function holds(outer, inner) {
  return outer.side === inner.side && outer.row * outer.side <=
    inner.row * inner.side && outer.x <= inner.x &&
    outer.x + outer.weight >= inner.x + inner.weight ||
    outer === view.root;
}

function factsOf(frame) {
  if (!frame.facts)
    frame.facts = makeFacts(frame, view);
  return frame.facts;
}

// Create an element for a frame that was too narrow, or belongs to a view.
function drawFrame(frame) {
  const group = make(SVG, 'g', compared && frame.kind !== 'n0'
    ? changeClass(frame) : frame.kind);
  group.dataset.w = frame.weight;
  frame.group = group;
  frame.title = make(SVG, 'title');
  frame.title.textContent = factsOf(frame).join('\n');
  frame.rect = make(SVG, 'rect');
  frame.rect.setAttribute('height', pitch - 1);
  group.setAttribute('tabindex', '-1');
  group.setAttribute('role', 'button');
  group.classList.toggle('hit', frame.isHit);
  group.append(frame.title, frame.rect);
  view.element.appendChild(group);
  byGroup.set(group, frame);
}

// Names, truncated to the width of their frames.

function measureColumn() {
  const probe = make(SVG, 'text');
  probe.textContent = 'M'.repeat(100);
  container.appendChild(probe);
  const width = probe.getComputedTextLength();
  probe.remove();
  if (width > 0)
    column = width / 100;
}

function isWide(point) {
  return point >= 0x1100 && (point <= 0x115f ||
    (point >= 0x2e80 && point <= 0xa4cf) ||
    (point >= 0xac00 && point <= 0xd7a3) ||
    (point >= 0xf900 && point <= 0xfaff) ||
    (point >= 0xfe30 && point <= 0xfe6f) ||
    (point >= 0xff00 && point <= 0xff60) || point >= 0x1f300);
}

function cutName(name, columns) {
  const kept = [];
  let used = 0;
  for (const character of name) {
    used += isWide(character.codePointAt(0)) ? 2 : 1;
    kept.push(character);
    if (used > columns)
      break;
  }
  if (used <= columns)
    return name;
  while (kept.length && used + 1 > columns)
    used -= isWide(kept.pop().codePointAt(0)) ? 2 : 1;
  return kept.join('') + '\u2026';
}

function label(frame, x, y, width) {
  const columns = Math.floor((width - 2 * padding) / column);
  if (columns < leastColumns) {
    if (frame.label)
      frame.label.style.display = 'none';
    return;
  }
  if (!frame.label) {
    const text = make(SVG, 'text');
    frame.label = make(SVG, 'svg');
    frame.label.setAttribute('height', pitch - 1);
    text.setAttribute('x', padding);
    text.setAttribute('y', 12.5);
    frame.label.appendChild(text);
    frame.group.appendChild(frame.label);
  }
  frame.label.style.display = '';
  frame.label.setAttribute('x', x);
  frame.label.setAttribute('y', y);
  frame.label.setAttribute('width', width);
  if (frame.cut !== columns)
    frame.label.firstChild.textContent = cutName(frame.name, columns);
  frame.cut = columns;
}

// Set all positions.

function available() {
  const width = alone ? document.documentElement.clientWidth ||
    window.innerWidth : svg.parentNode.clientWidth;
  return Math.max(width, 240);
}

function isAbove(frame) {
  return frame !== view.zoomed && holds(frame, view.zoomed);
}

// The frames shown now; those that were too narrow get their element.
function chooseShown(scale) {
  for (const frame of view.frames) {
    const fits = frame.group ? frame.weight > 0
      : frame.weight * scale >= leastWidth;
    frame.shown = isAbove(frame) || (fits && holds(view.zoomed, frame));
    if (frame.shown && !frame.group)
      drawFrame(frame);
    if (frame.group)
      frame.group.style.display = frame.shown ? '' : 'none';
    if (frame.shown)
      view.rows = Math.max(view.rows, frame.row + 1);
  }
}

function place(frame, width, scale) {
  const above = isAbove(frame);
  const x = above ? margin : margin + (frame.x - view.zoomed.x) * scale;
  const y = top + (icicle ? frame.row : view.rows - 1 - frame.row) * pitch;
  let w = above ? width - 2 * margin : frame.weight * scale;
  w = w >= 3 ? w - 0.5 : Math.max(w, 0.01);
  frame.group.classList.toggle('above', above);
  frame.rect.setAttribute('x', x);
  frame.rect.setAttribute('y', y);
  frame.rect.setAttribute('width', w);
  label(frame, x, y, w);
}

// The heading of a single picture, also in a narrow window.
function layOutHead(width) {
  const title = svg.querySelector('.title');
  const legend = svg.querySelector('.legend');
  const box = legend.getBBox();
  const scale = Math.min(1, (width - margin) / (box.x + box.width));
  legend.setAttribute('transform', 'translate(0 ' +
    (1 - scale) * (box.y + box.height) + ') scale(' + scale + ')');
  if (!alone)
    return;
  title.textContent = cutName(svg.getAttribute('aria-label'),
    Math.floor((width - 2 * margin) / 11));
  summary.textContent = cutName(summaryWords, (width - 2 * margin) / 7.4);
  tools.place.setAttribute('width', width - 2 * margin);
  tools.place.setAttribute('height', tools.box.offsetHeight || 28);
  top = drawnTop + (tools.box.offsetHeight || 28) + 4;
}

function layOut() {
  const width = available();
  layOutHead(width);
  const scale = (width - 2 * margin) / view.zoomed.weight;
  chooseShown(scale);
  const bottom = top + view.rows * pitch;
  // A single picture fills the window: the details may need the room.
  const tall = alone ? Math.max(bottom + foot, window.innerHeight)
    : bottom + foot;
  svg.setAttribute('viewBox', '0 0 ' + width + ' ' + tall);
  svg.setAttribute('width', width);
  svg.setAttribute('height', tall);
  for (const frame of view.frames)
    if (frame.shown)
      place(frame, width, scale);
  for (const note of notes) {
    note.text.setAttribute('y', bottom + note.y);
    note.text.textContent = cutName(note.words, (width - 2 * margin) / 6.8);
  }
  hideTip();
  followWindow();
}

// A deep tree is shown from its root on: a page gets a scrolling box, and in a
// single picture the controls stay at the top of the window.

function followWindow() {
  if (!alone)
    return;
  const y = Math.max(drawnTop - 6, window.scrollY + 2);
  tools.place.setAttribute('y', y);
}

// Its first row is the leaves' row, to which the page scrolls.
function isPhone() {
  return !own && window.matchMedia('(max-width: 560px)').matches;
}

function fitWindow(box) {
  // One of several pictures leaves room for its surroundings.
  const room = own ? window.innerHeight * 0.7
    : window.innerHeight - window.scrollY - 12 -
      box.getBoundingClientRect().top;
  const deep = !isPhone() &&
    Number(svg.getAttribute('height')) > Math.max(room, 240);
  box.style.maxHeight = deep ? Math.max(room, 240) + 'px' : '';
  if (box.classList.contains('deep') === deep)
    return;
  // A scroll bar takes some of the width.
  box.classList.toggle('deep', deep);
  layOut();
}

function showRoot() {
  const box = alone ? document.scrollingElement || document.documentElement
    : svg.parentNode;
  if (!alone)
    fitWindow(box);
  if (!alone && isPhone())
    return;
  box.scrollTop = Number(view.root.rect.getAttribute('y')) -
    box.clientHeight / 2;
}

// Details of the frame under the pointer or in focus. Its title is removed
// meanwhile: browsers would show it as well. Screen readers get the label.

const tipPlace = alone ?
  make(SVG, 'foreignObject', 'flame-tip-place') : null;
const tip = make(XHTML, 'div', 'flame-tip');
let told = null;

function hideTip() {
  if (told)
    told.group.insertBefore(told.title, told.rect);
  told = null;
  tip.hidden = true;
}

function moveTip(clientX, clientY) {
  const page = document.documentElement;
  const right = (page.clientWidth || window.innerWidth) - 8;
  const bottom = window.innerHeight - 8;
  const box = svg.getBoundingClientRect();
  let x = Math.min(clientX + 14, right - tip.offsetWidth);
  let y = clientY + 18;
  if (y + tip.offsetHeight > bottom)
    y = clientY - 12 - tip.offsetHeight;
  x = Math.max(x, 8);
  y = Math.max(y, 8);
  if (tipPlace) {
    tipPlace.setAttribute('x', x - box.left);
    tipPlace.setAttribute('y', y - box.top);
  } else {
    tip.style.left = x + 'px';
    tip.style.top = y + 'px';
  }
}

function tipLines(frame) {
  const lines = factsOf(frame).slice();
  if (view.zoomed !== view.root && !isAbove(frame))
    lines.push(percent(frame.weight, view.zoomed.weight) +
      ' of the zoomed frame');
  return lines;
}

function showLines(lines, clientX, clientY) {
  tip.textContent = '';
  for (const text of lines) {
    const line = make(XHTML, 'div');
    line.textContent = text;
    tip.appendChild(line);
  }
  tip.hidden = false;
  moveTip(clientX, clientY);
}

function showTip(frame, clientX, clientY) {
  if (told === frame) {
    moveTip(clientX, clientY);
    return;
  }
  hideTip();
  told = frame;
  frame.group.setAttribute('aria-label', tipLines(frame).join(', '));
  frame.title.remove();
  showLines(tipLines(frame), clientX, clientY);
}

function frameAt(target) {
  const group = target.closest ? target.closest('.frames > g') : null;
  return group ? byGroup.get(group) : null;
}
