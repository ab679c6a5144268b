// Reports, tables and pages: sorting, search, and collapsing. Without this
// script everything is there and can be opened.

const tools = document.getElementById('tools');
const rows = Array.from(document.querySelectorAll('.list > tbody'));
const folds = Array.from(document.querySelectorAll('details'));

// Sort key of a cell: a number, a lower-case text, or null.
function valueOf(cell, isNumber) {
  if (cell.classList.contains('none'))
    return null;
  const bar = cell.querySelector('rect');
  const text = cell.textContent;
  const time = cell.querySelector('time');
  if (bar)
    return Number(bar.getAttribute('width'));
  if (time)
    return time.dateTime;
  return isNumber ? Number(text) : text.toLowerCase();
}

function compare(one, other) {
  if (one < other)
    return -1;
  return one > other ? 1 : 0;
}

// Sort by a column; rows without a value are last in both directions.
function sortTable(table, column, direction) {
  const isNumber = table.tHead.rows[0].cells[column].matches('.number, .bar');
  const keyed = Array.from(table.tBodies, function (body, place) {
    return { body: body, place: place,
      value: valueOf(body.rows[0].cells[column], isNumber) };
  });
  keyed.sort(function (one, other) {
    if (one.value === null || other.value === null)
      return (one.value === null) - (other.value === null) ||
        one.place - other.place;
    return direction * compare(one.value, other.value) ||
      one.place - other.place;
  });
  for (const entry of keyed)
    table.appendChild(entry.body);
}

// Numbers begin with the largest, texts with the first; a second click
// reverses.
function sortBy(table, head) {
  const cells = Array.from(table.tHead.rows[0].cells);
  const before = head.getAttribute('aria-sort');
  const first = head.matches('.number, .bar') ? 'descending' : 'ascending';
  const second = first === 'ascending' ? 'descending' : 'ascending';
  const order = before === first ? second : first;
  for (const cell of cells)
    cell.removeAttribute('aria-sort');
  head.setAttribute('aria-sort', order);
  sortTable(table, cells.indexOf(head), order === 'ascending' ? 1 : -1);
}

for (const table of document.querySelectorAll('.list')) {
  for (const head of table.tHead.rows[0].cells) {
    if (head.matches('.series') || !head.textContent)
      continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = head.textContent;
    button.addEventListener('click', function () {
      sortBy(table, head);
    });
    head.replaceChildren(button);
  }
}

const input = document.createElement('input');
input.type = 'search';
input.id = 'search';
input.placeholder = 'Search ( / )';
input.setAttribute('aria-label', 'Search');
const found = document.createElement('output');
found.id = 'found';
const unfold = document.createElement('button');
unfold.type = 'button';
unfold.id = 'unfold';
unfold.textContent = 'Unfold all';

// Elements of a report that a search marks. Rows of tables are hidden instead.
const marked = Array.from(document.querySelectorAll('.report .claims li,' +
  '.report dd, .frames > li:not(.run), .report pre'));
const wholes = Array.from(document.querySelectorAll('.thread, .report'));
const textOf = new Map();
const opened = new Set();
let hits = [];
let current = -1;

// The controls of a flame graph are not text of the report.
function wordsOf(element) {
  return Array.from(element.querySelectorAll('.flame-tools'),
    function (box) { return box.textContent; })
    .reduce(function (text, tool) { return text.replace(tool, ''); },
      element.textContent).toLowerCase();
}

function holds(element, wanted) {
  if (!textOf.has(element))
    textOf.set(element, wordsOf(element));
  return textOf.get(element).includes(wanted);
}

// Elements with matches are opened, and closed again afterwards.
function reveal(element, remember) {
  for (let at = element.parentElement; at; at = at.parentElement) {
    if (at.localName !== 'details' || at.open)
      continue;
    at.open = true;
    if (remember)
      opened.add(at);
  }
}

function searchRows(wanted) {
  let shown = 0;
  for (const row of rows) {
    const is = holds(row, wanted);
    row.hidden = !is;
    shown += is;
    if (is && wanted)
      reveal(row, true);
  }
  return shown;
}

function searchMarked(wanted) {
  hits = [];
  current = -1;
  for (const element of marked) {
    const is = wanted && holds(element, wanted);
    element.classList.toggle('hit', Boolean(is));
    element.classList.remove('current');
    if (!is)
      continue;
    hits.push(element);
    reveal(element, true);
  }
}

function search() {
  const wanted = input.value.toLowerCase();
  for (const fold of opened)
    fold.open = false;
  opened.clear();
  const shown = searchRows(wanted);
  searchMarked(wanted);
  for (const whole of wholes)
    whole.hidden = Boolean(wanted) &&
      !whole.querySelector('.hit, .list > tbody:not([hidden])');
  const places = hits.length + (marked.length ? shown : 0);
  found.textContent = !wanted ? '' : !marked.length ?
    shown + ' of ' + rows.length + ' rows' :
    places + (places === 1 ? ' place' : ' places');
}

// Go to the next or previous match.
function step(by) {
  if (!hits.length)
    return;
  if (current >= 0)
    hits[current].classList.remove('current');
  current = (current + by + hits.length) % hits.length;
  if (current < 0)
    current = hits.length - 1;
  hits[current].classList.add('current');
  hits[current].scrollIntoView({ block: 'center' });
  found.textContent = (current + 1) + ' of ' + hits.length;
}

// A link also opens its collapsed target.
function follow() {
  const id = location.hash.slice(1);
  const target = id && document.getElementById(id);
  if (!target)
    return;
  if (target.localName === 'details')
    target.open = true;
  reveal(target, false);
  target.scrollIntoView();
}

input.addEventListener('input', search);
unfold.addEventListener('click', function () {
  const open = folds.some(function (fold) { return !fold.open; });
  for (const fold of folds)
    fold.open = open;
  unfold.textContent = open ? 'Fold all' : 'Unfold all';
});
document.addEventListener('keydown', function (event) {
  if (event.ctrlKey || event.metaKey || event.altKey)
    return;
  if (event.key === '/' && document.activeElement !== input) {
    input.focus();
    event.preventDefault();
  } else if (event.key === 'Enter' && document.activeElement === input) {
    step(event.shiftKey ? -1 : 1);
    event.preventDefault();
  } else if (event.key === 'Escape' && input.value) {
    input.value = '';
    search();
  }
});
window.addEventListener('hashchange', follow);
const reports = document.getElementById('reports');
if (reports)
  reports.parentNode.prepend(reports);
if (rows.length || marked.length) {
  tools.append(found, input);
  if (folds.length)
    tools.append(unfold);
  tools.hidden = false;
}
follow();
