// The strip above the picture of a page: samples in chronological order, a row
// per report. If a stretch of a row is chosen, the picture only shows that. A
// cell is a run of samples in one frame:
//
//     frame          last frame of its samples
//     weight         in the unit of the picture
//     start, end     in microseconds; in samples if times are unknown
//
// A stretch has the numbers of its row, and of its first and last cell.

const strip = own ? null : document.getElementById('flame-strip');
const stripWidth = 1000;
const tracks = strip ? readTracks(svg.querySelector('.strip-data')) : [];
const longest = tracks.reduce(function (most, track) {
  return Math.max(most, track.end);
}, 0);
let dragged = null;

function readTracks(source) {
  const lines = source ? source.textContent.split('\n') : [];
  const found = [];
  for (let at = 0; at + 1 < lines.length;) {
    const track = { name: lines[at], cells: [], end: 0, number: found.length,
      picture: null, chosen: null, cursor: null, from: 0, to: 0 };
    const end = at + 2 + Number(lines[at + 1]);
    for (at += 2; at < end; at++) {
      const numbers = lines[at].split(' ').map(Number);
      const time = numbers[numbers.length - 1];
      track.cells.push({ frame: tree[numbers[0]], weight: numbers[1],
        start: track.end, end: track.end += time });
    }
    if (track.end)
      found.push(track);
  }
  return found;
}

// The samples of a stretch as a tree. Callers come first.
function stretchFrames(stretch) {
  const cells = tracks[stretch.track].cells.slice(stretch.from,
    stretch.to + 1);
  const self = new Map();
  const weights = new Map();
  const made = new Map();
  for (const cell of cells)
    self.set(cell.frame, (self.get(cell.frame) || 0) + cell.weight);
  for (let i = tree.length; i-- > 0;) {
    const frame = tree[i];
    const weight = (weights.get(frame) || 0) + (self.get(frame) || 0);
    weights.set(frame, weight);
    if (frame.parent)
      weights.set(frame.parent, (weights.get(frame.parent) || 0) + weight);
  }
  for (const frame of tree) {
    if (!weights.get(frame))
      continue;
    const copy = newFrame(frame.name, frame.place, frame.kind,
      frame.parent ? made.get(frame.parent) : null);
    copy.weight = weights.get(frame);
    copy.self = self.get(frame) || 0;
    made.set(frame, copy);
  }
  return Array.from(made.values());
}

// As in the URL: `2.10-14`; null if there is no such stretch.
function readStretch(text) {
  const parts = /^(\d+)\.(\d+)-(\d+)$/.exec(text || '');
  if (!parts)
    return null;
  const stretch = { track: Number(parts[1]), from: Number(parts[2]),
    to: Number(parts[3]) };
  const track = tracks[stretch.track];
  return track && stretch.from <= stretch.to &&
    stretch.to < track.cells.length ? stretch : null;
}

function writeStretch(stretch) {
  return stretch
    ? stretch.track + '.' + stretch.from + '-' + stretch.to : '';
}

// Words

function moment(value) {
  return (Math.round(value / 100) / 10).toLocaleString('en-US');
}

function lasting(start, end) {
  return strip.dataset.time === 'us'
    ? moment(start) + '\u2013' + moment(end) + ' ms'
    : 'samples ' + (start + 1).toLocaleString('en-US') + '\u2013' +
      end.toLocaleString('en-US');
}

function lengthOf(track) {
  return strip.dataset.time === 'us' ? moment(track.end) + ' ms'
    : plural(track.end, 'sample');
}

function stretchWords(track, from, to) {
  let weight = 0;
  for (let i = from; i <= to; i++)
    weight += track.cells[i].weight;
  const words = track.name + ', ' + lasting(track.cells[from].start,
    track.cells[to].end);
  return unit === 'us' ? words : words + ', ' + amount(weight);
}

// A cell shows the app's innermost frame, or the innermost of all.
function ownFrame(frame) {
  for (let at = frame; at.parent; at = at.parent)
    if (at.kind[0] === 'a')
      return at;
  return frame;
}

function cellLines(track, number) {
  const frame = track.cells[number].frame;
  const own = ownFrame(frame);
  const lines = [own.name];
  if (own.place)
    lines.push(own.place);
  if (own !== frame)
    lines.push('in ' + frame.name);
  lines.push(stretchWords(track, number, number));
  return lines;
}

// Drawing

function across(value) {
  return (stripWidth * value / longest).toFixed(2);
}

// A gap between neighbours, if there is room.
function paintCells(track) {
  const shapes = new Map();
  for (const cell of track.cells) {
    const kind = ownFrame(cell.frame).kind;
    const start = Number(across(cell.start));
    const width = Number(across(cell.end)) - start;
    shapes.set(kind, (shapes.get(kind) || '') + 'M' + start + ' 0h' +
      (width >= 4 ? width - 0.8 : width).toFixed(2) + 'v16H' + start + 'z');
  }
  for (const [kind, shape] of shapes) {
    const path = make(SVG, 'path', kind);
    path.setAttribute('d', shape);
    track.picture.appendChild(path);
  }
}

function markCells(rect, track, from, to) {
  const start = Number(across(track.cells[from].start));
  rect.setAttribute('x', start);
  rect.setAttribute('width',
    Math.max(Number(across(track.cells[to].end)) - start, 0.5));
  rect.setAttribute('y', 1);
  rect.setAttribute('height', 14);
}

// The chosen cells while keys or pointer extend them.
function moveCursor(track, from, to) {
  track.from = from;
  track.to = to;
  markCells(track.cursor, track, Math.min(from, to), Math.max(from, to));
  track.picture.setAttribute('aria-valuenow', to + 1);
  track.picture.setAttribute('aria-valuetext',
    cellLines(track, to).join(', '));
}

function markStretch(stretch) {
  for (const track of tracks) {
    const chosen = stretch && stretch.track === track.number;
    track.row.classList.toggle('off', Boolean(stretch) && !chosen);
    track.row.classList.toggle('on', Boolean(chosen));
    if (chosen)
      markCells(track.chosen, track, stretch.from, stretch.to);
  }
  if (!tracks.length)
    return;
  strip.shown.textContent = stretch ? 'Only ' + stretchWords(
    tracks[stretch.track], stretch.from, stretch.to) : '';
  strip.all.hidden = !stretch;
}

// Use

function cellAt(track, clientX) {
  const box = track.picture.getBoundingClientRect();
  const time = (clientX - box.left) / box.width * longest;
  const found = track.cells.findIndex(function (cell) {
    return cell.end > time;
  });
  return found < 0 ? track.cells.length - 1 : found;
}

function chooseCells(track) {
  const stretch = { track: track.number, from: Math.min(track.from, track.to),
    to: Math.max(track.from, track.to) };
  const isSame = writeStretch(stretch) === writeStretch(shows.stretch);
  showStretch(isSame ? null : stretch);
}

function chooseTrack(track) {
  moveCursor(track, 0, track.cells.length - 1);
  chooseCells(track);
}

function focusTrack(track) {
  for (const other of tracks)
    other.picture.setAttribute('tabindex', other === track ? '0' : '-1');
  track.picture.focus();
}

function onTrackKey(track, event) {
  const last = track.cells.length - 1;
  const next = { ArrowLeft: track.to - 1, ArrowRight: track.to + 1, Home: 0,
    End: last }[event.key];
  const other = { ArrowUp: tracks[track.number - 1],
    ArrowDown: tracks[track.number + 1] }[event.key];
  if (next !== undefined) {
    const to = Math.min(Math.max(next, 0), last);
    moveCursor(track, event.shiftKey ? track.from : to, to);
    showCursorTip(track);
  } else if (event.key === 'Enter' || event.key === ' ') {
    chooseCells(track);
  } else if (other) {
    focusTrack(other);
  } else {
    return;
  }
  event.preventDefault();
}

function showCursorTip(track) {
  const box = track.cursor.getBoundingClientRect();
  showLines(cellLines(track, track.to), box.left, box.bottom - 6);
}

function listenToTrack(track) {
  const picture = track.picture;
  picture.addEventListener('pointerdown', function (event) {
    if (event.button)
      return;
    const cell = cellAt(track, event.clientX);
    dragged = track;
    picture.setPointerCapture(event.pointerId);
    moveCursor(track, cell, cell);
  });
  picture.addEventListener('pointermove', function (event) {
    const cell = cellAt(track, event.clientX);
    if (dragged === track)
      moveCursor(track, track.from, cell);
    showLines(cellLines(track, cell), event.clientX, event.clientY);
  });
  picture.addEventListener('pointerup', function () {
    if (dragged === track)
      chooseCells(track);
    dragged = null;
  });
  picture.addEventListener('pointercancel', function () {
    dragged = null;
  });
  picture.addEventListener('pointerleave', hideTip);
  picture.addEventListener('keydown', function (event) {
    onTrackKey(track, event);
  });
  picture.addEventListener('focus', function () {
    if (picture.matches(':focus-visible'))
      showCursorTip(track);
  });
  picture.addEventListener('blur', hideTip);
}

function drawTrack(track) {
  const picture = make(SVG, 'svg', 'strip-cells');
  const row = make(XHTML, 'div', 'strip-row');
  const time = make(XHTML, 'span', 'strip-time');
  const name = addButton(row, '', track.name, track.name, function () {
    chooseTrack(track);
  });
  name.removeAttribute('id');
  name.className = 'strip-name';
  picture.setAttribute('viewBox', '0 0 ' + stripWidth + ' 16');
  picture.setAttribute('preserveAspectRatio', 'none');
  picture.setAttribute('role', 'slider');
  picture.setAttribute('tabindex', track.number ? '-1' : '0');
  picture.setAttribute('aria-label', track.name);
  picture.setAttribute('aria-valuemin', 1);
  picture.setAttribute('aria-valuemax', track.cells.length);
  time.textContent = lengthOf(track);
  track.row = row;
  track.picture = picture;
  paintCells(track);
  track.chosen = make(SVG, 'rect', 'strip-chosen');
  track.cursor = make(SVG, 'rect', 'strip-cursor');
  picture.append(track.chosen, track.cursor);
  moveCursor(track, 0, 0);
  row.append(picture, time);
  listenToTrack(track);
  return row;
}

function drawStrip() {
  const rows = make(XHTML, 'div', 'strip-rows');
  if (!tracks.length)
    return;
  const head = strip.querySelector('.strip-head');
  for (const track of tracks)
    rows.appendChild(drawTrack(track));
  strip.shown = make(XHTML, 'output');
  head.appendChild(strip.shown);
  strip.all = addButton(head, 'flame-all', 'Show all', '', function () {
    showStretch(null);
  });
  strip.appendChild(rows);
  strip.hidden = false;
  markStretch(null);
}
