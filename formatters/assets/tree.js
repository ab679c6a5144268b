// The tree of a flame graph, read from its elements: the drawn frames, and in
// the elements of class `rest` the others. Other views are computed here: only
// the app's frames, and the callers and callees of a function. A frame is
//
//     name, place    what it is, and where; the place may be empty
//     kind           class of its colour: a3, s1
//     parent         its parent frame; null for the root
//     weight         in the unit of the picture, and before, if compared
//     x, row         position; x in units of weight
//     more           number of frames in a sum; 0 for a frame
//     side           -1 for the callers of a function, 1 for others
//     group          its element; null if it is not drawn

const unit = svg.dataset.unit;
// Mark before uncertain costs.
const costMark = svg.dataset.mark || '';
const compared = svg.dataset.diff || '';
const scaleNow = Number(svg.dataset.now);
const scaleBefore = Number(svg.dataset.before);
const order = svg.dataset.order || 'name';
// Data that the page lacks: only in sums, or still compressed.
let unknownFrames = 0;

function keyOf(frame) {
  return frame.name + '\n' + frame.place;
}

function newFrame(name, place, kind, parent) {
  return {
    name: name, place: place, kind: kind, parent: parent,
    weight: 0, before: 0, self: 0, selfBefore: 0, x: 0,
    row: parent ? parent.row + 1 : 0, side: 1, more: 0,
    group: null, rect: null, title: null, label: null,
    facts: null, origins: null, shown: true, isHit: false, cut: null, calls: null
  };
}

function isOrigin(line) {
  return /^(in [\d,]+ of [\d,]+ reports|devices? |builds? )/.test(line);
}

// If several frames become one call in a view, it is unknown which reports have
// both; but facts that all of them share hold for the call, if it is all of
// them.
function joinOrigins(call, frame) {
  const of = frame.origins || [];
  call.origins = call.origins ? call.origins.filter(function (line) {
    return !line.startsWith('in ') && !line.endsWith(' more') &&
      of.includes(line);
  }) : of;
}

// The drawn frames, callers first, from left to right.
function readDrawn(container, rowOf) {
  const path = [];
  return Array.from(container.children, function (group) {
    const rect = group.querySelector('rect');
    const title = group.querySelector('title');
    const lines = title.textContent.split('\n');
    const row = rowOf(rect);
    const frame = newFrame(lines[0], group.dataset.p ? lines[1] : '',
      group.dataset.c || group.getAttribute('class'),
      row ? path[row - 1] : null);
    frame.row = row;
    frame.x = Number(group.dataset.x);
    frame.weight = Number(group.dataset.w);
    frame.before = Number(group.dataset.b || 0);
    frame.group = group;
    frame.rect = rect;
    frame.title = title;
    frame.label = group.querySelector('svg');
    frame.facts = lines;
    frame.origins = lines.slice(2).filter(isOrigin);
    path[row] = frame;
    return frame;
  });
}

// The frames that are not drawn, right of the drawn calls of their caller, as
// far as they were read.
function newRest(drawn) {
  const rest = { frames: drawn.slice(), ends: new Map(), functions: [],
    origins: [[]] };
  for (const frame of drawn)
    if (frame.parent)
      rest.ends.set(frame.parent, frame.x + frame.weight);
  return rest;
}

// The functions and texts about reports of a part, whose frames begin at the
// returned line. The compressed part is plain text, not markup.
function readTables(rest, lines, unescape) {
  const [count, known] = (lines[0] + ' 0').split(' ').map(Number);
  for (let i = 0; i < count; i++) {
    const named = unescape(lines[1 + 2 * i]);
    rest.functions.push({ name: named.slice(3), kind: named.slice(0, 2),
      place: unescape(lines[2 + 2 * i]) });
  }
  for (let i = 0; i < known; i++)
    rest.origins.push(unescape(lines[1 + 2 * count + i]).split('\t'));
  return 1 + 2 * count + known;
}

function moreName(count) {
  // Most are small, and a large tree has many.
  return (count < 1000 ? count : count.toLocaleString('en-US')) + ' more';
}

function readFrames(rest, lines, from, to) {
  for (let i = from; i < to; i++) {
    const numbers = lines[i].split(' ');
    const caller = rest.frames[rest.frames.length - numbers[0]];
    const more = numbers[1] < 0 ? -numbers[1] : 0;
    const named = more ? { name: moreName(more), place: '', kind: 'n0' }
      : rest.functions[numbers[1]];
    const frame = newFrame(named.name, named.place, named.kind, caller);
    const x = rest.ends.has(caller) ? rest.ends.get(caller) : caller.x;
    frame.more = more;
    frame.weight = Math.min(Number(numbers[2]), caller.x + caller.weight - x);
    frame.before = compared ? Number(numbers[3]) : 0;
    frame.origins = rest.origins[Number(numbers[compared ? 4 : 3] || 0)];
    frame.x = x;
    rest.ends.set(caller, x + frame.weight);
    rest.frames.push(frame);
  }
}

function readRest(drawn) {
  const rest = newRest(drawn);
  const plain = svg.querySelector('.rest');
  if (plain) {
    const lines = plain.textContent.split('\n');
    readFrames(rest, lines, readTables(rest, lines, String),
      lines.length - 1);
    unknownFrames = Number(plain.dataset.left);
  }
  if (svg.querySelector('.packed'))
    unknownFrames += Number(svg.querySelector('.packed').dataset.count);
  return rest;
}

function unescapeText(text) {
  const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'",
    '&amp;': '&' };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, function (entity) {
    return entities[entity];
  });
}

// The compressed part is read later, in pieces: the page can be used meanwhile.
// Returns whether there was any.
async function unpackRest(rest) {
  const packed = svg.querySelector('.packed');
  if (!packed || typeof DecompressionStream === 'undefined')
    return false;
  const bytes = Uint8Array.from(atob(packed.textContent), function (letter) {
    return letter.charCodeAt(0);
  });
  const stream = new Blob([bytes]).stream()
    .pipeThrough(new DecompressionStream('gzip'));
  const lines = (await new Response(stream).text()).split('\n');
  const end = lines.length - 1;
  for (let at = readTables(rest, lines, unescapeText); at < end; at += 20000) {
    await new Promise(function (resolve) {
      setTimeout(resolve);
    });
    readFrames(rest, lines, at, Math.min(at + 20000, end));
  }
  unknownFrames -= Number(packed.dataset.count);
  return true;
}

// Self weight of each frame: its own minus its calls'.
function setSelf(frames) {
  for (const frame of frames) {
    frame.self = frame.weight;
    frame.selfBefore = frame.before;
  }
  for (const frame of frames) {
    if (!frame.parent)
      continue;
    const caller = frame.parent;
    caller.self = Math.max(0, caller.self - frame.weight);
    caller.selfBefore = Math.max(0, caller.selfBefore - frame.before);
  }
}

// Views

function callOf(caller, frame, made) {
  const key = frame.more ? 'more' : keyOf(frame);
  if (!caller.calls)
    caller.calls = new Map();
  let call = caller.calls.get(key);
  if (!call) {
    call = newFrame(frame.name, frame.place, frame.kind, caller);
    caller.calls.set(key, call);
    made.push(call);
  }
  call.more += frame.more;
  if (frame.more)
    call.name = moreName(call.more);
  return call;
}

// The app's own frames, each with the system's work for it.
function appFrames(frames) {
  const root = newFrame('all', '', 'n0', null);
  const made = [root];
  const places = new Map();
  for (const frame of frames) {
    const caller = frame.parent ? places.get(frame.parent) : root;
    const at = frame.kind[0] === 'a' ? callOf(caller, frame, made) : caller;
    places.set(frame, at);
    if (frame.kind[0] === 'a')
      joinOrigins(at, frame);
    at.self += frame.self;
    at.selfBefore += frame.selfBefore;
  }
  // A caller always precedes its calls.
  for (let i = made.length; i-- > 0;) {
    const frame = made[i];
    frame.weight += frame.self;
    frame.before += frame.selfBefore;
    if (frame.parent) {
      frame.parent.weight += frame.weight;
      frame.parent.before += frame.before;
    }
  }
  return made;
}

// A function in the middle, its callers on one side, its callees on the other.
// Inside of itself, it is a callee like any other.
function calledFrames(frames, key) {
  const made = [];
  const below = new Map();
  let middle = null;
  for (const frame of frames) {
    const inside = frame.parent ? below.get(frame.parent) : undefined;
    let at = null;
    if (inside) {
      at = callOf(inside, frame, made);
    } else if (frame.parent && keyOf(frame) === key) {
      if (!middle) {
        middle = newFrame(frame.name, frame.place, frame.kind, null);
        middle.callers = newFrame('', '', 'n0', null);
        made.push(middle);
      }
      at = middle;
      addCallers(frame, middle, made);
    } else {
      continue;
    }
    below.set(frame, at);
    joinOrigins(at, frame);
    at.weight += frame.weight;
    at.before += frame.before;
    at.self += frame.self;
    at.selfBefore += frame.selfBefore;
  }
  return made;
}

function addCallers(frame, middle, made) {
  let at = middle.callers;
  for (let caller = frame.parent; caller.parent; caller = caller.parent) {
    at = callOf(at, caller, made);
    if (at.parent === middle.callers) {
      at.parent = middle;
      at.row = 1;
    } else {
      at.row = at.parent.row + 1;
    }
    at.side = -1;
    // Samples that pass here to the function belong to its reports.
    joinOrigins(at, frame);
    at.weight += frame.weight;
    at.before += frame.before;
  }
}

function compareFrames(a, b) {
  // In order of appearance, as in the picture.
  if (order === 'time')
    return 0;
  if (order === 'weight' && a.weight !== b.weight)
    return b.weight - a.weight;
  const left = keyOf(a);
  const right = keyOf(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

// Lay out a view: x of each frame, and rows from 0. Returns its frames, callers
// first, in order.
function spread(made) {
  const children = new Map();
  const laid = [];
  let most = 0;
  for (const frame of made) {
    if (frame.side < 0)
      most = Math.max(most, frame.row);
    if (!frame.parent)
      continue;
    if (!children.has(frame.parent))
      children.set(frame.parent, []);
    children.get(frame.parent).push(frame);
  }
  const waiting = [made[0]];
  while (waiting.length) {
    const frame = waiting.pop();
    const calls = children.get(frame) || [];
    const ends = { '-1': frame.x, 1: frame.x };
    laid.push(frame);
    calls.sort(compareFrames);
    for (const call of calls) {
      call.x = ends[call.side];
      ends[call.side] += call.weight;
    }
    for (let i = calls.length; i-- > 0;)
      waiting.push(calls[i]);
  }
  for (const frame of laid)
    frame.row = most + frame.side * frame.row;
  return laid;
}

// Words

function plural(count, noun) {
  return count.toLocaleString('en-US') + ' ' + noun + (count === 1 ? '' : 's');
}

function amount(value) {
  if (unit === 'us')
    return costMark + (Math.round(value / 100) / 10).toLocaleString('en-US') +
           ' ms';
  if (unit === 'samples' || unit === 'calls')
    return plural(value, unit.slice(0, -1));
  return costMark + value.toLocaleString('en-US') + ' ' + unit;
}

function percent(part, whole) {
  return (whole ? 100 * part / whole : 0).toFixed(2) + ' %';
}

// In thousandths of a percent, as in the picture (calltree_change.c).
function changeOf(now, before) {
  function part(value, whole) {
    return whole ? Math.round(100000 * value / whole) : 0;
  }
  if (scaleNow !== scaleBefore)
    return part(now, scaleNow) - part(before, scaleBefore);
  return Math.sign(now - before) * part(Math.abs(now - before), scaleNow);
}

function changeClass(frame) {
  const change = changeOf(frame.weight, frame.before);
  let step = 0;
  for (const least of [100, 500, 2000, 5000, 10000])
    step += Math.abs(change) >= least ? 1 : 0;
  return (!step ? 'n' : change > 0 ? 'm' : 'l') + step;
}

function changeText(frame) {
  const change = changeOf(frame.weight, frame.before);
  const sign = change < 0 ? '\u2212' : change > 0 ? '+' : '\u00b1';
  if (compared === 'share')
    return sign + Math.round(Math.abs(change) / 10) / 100 + ' points';
  return sign + amount(Math.abs(frame.weight - frame.before));
}

// Text of a frame without a title, in the same format.
function makeFacts(frame, view) {
  const facts = [frame.name];
  let numbers = amount(frame.weight) + ' \u00b7 ' +
    percent(frame.weight, view.sum) + view.sumWords;
  if (frame.place)
    facts.push(frame.place);
  if (frame.side < 0)
    numbers += ', ' + percent(frame.weight, view.root.weight) +
      ' of the function';
  else if (frame.parent && (view.isCalls || frame.parent !== view.root))
    numbers += ', ' + percent(frame.weight, frame.parent.weight) +
      ' of its caller';
  facts.push(numbers);
  if (frame.side > 0 && (frame.parent || view.isCalls))
    facts.push('self ' + amount(frame.self) + ' \u00b7 ' +
      percent(frame.self, view.sum) + view.sumWords);
  facts.push(...frame.origins || []);
  if (compared)
    facts.push('before ' + amount(frame.before) + ' \u00b7 ' +
      percent(frame.before, all[0].before) + ' of all',
    'change ' + changeText(frame));
  return facts;
}
