// Tables and pages: sorting, search, and all that is folded. Without
// this script everything is there and can be unfolded.

const tools = document.getElementById('tools');
const rows = Array.from(document.querySelectorAll('.list > tbody'));
const folds = Array.from(document.querySelectorAll('details'));

// What a cell is sorted by: a number, a text in small letters, or null.
function valueOf(cell, isNumber) {
  if (cell.classList.contains('none'))
    return null;
  const bar = cell.querySelector('rect');
  const text = cell.textContent;
  if (bar)
    return Number(bar.getAttribute('width'));
  return isNumber ? Number(text) : text.toLowerCase();
}

function compare(one, other) {
  if (one < other)
    return -1;
  return one > other ? 1 : 0;
}

// By one column; what has no value is last in both directions.
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

// Numbers begin with the largest, texts with the first; then the other way.
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

// The rows that hold it, and how many they are.
function search() {
  const wanted = input.value.toLowerCase();
  let shown = 0;
  for (const row of rows) {
    const holds = row.textContent.toLowerCase().includes(wanted);
    row.hidden = !holds;
    shown += holds;
  }
  found.textContent = wanted ? shown + ' of ' + rows.length + ' rows' : '';
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
  } else if (event.key === 'Escape' && input.value) {
    input.value = '';
    search();
  }
});
if (rows.length) {
  tools.append(found, input);
  if (folds.length)
    tools.append(unfold);
  tools.hidden = false;
}
