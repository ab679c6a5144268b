// Interaction with a flame graph: zoom, views, search, the URL with their
// state, and the controls. All data is read from the picture.

// Without samples there is nothing to do.
if (!all.length)
  return;

// Zoom, and the one frame that the Tab key reaches; arrow keys move from it.

function setFocus(frame, move) {
  if (view.focused.group)
    view.focused.group.setAttribute('tabindex', '-1');
  view.focused = frame;
  if (frame.group)
    frame.group.setAttribute('tabindex', '0');
  if (move && frame.group)
    frame.group.focus();
  tools.copy.disabled = tools.calls.disabled =
    frame === view.root && !view.isCalls;
}

function zoom(frame) {
  const inside = svg.contains(document.activeElement) &&
    document.activeElement.closest('.frames');
  view.zoomed = frame;
  layOut();
  setFocus(frame, inside);
  hideTip();
}

function neighbour(key) {
  const shown = view.frames.filter(function (frame) {
    return frame.shown;
  });
  const step = key === (icicle ? 'ArrowDown' : 'ArrowUp') ? 1 : -1;
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const row = shown.filter(function (frame) {
      return frame.row === view.focused.row;
    }).sort(function (a, b) {
      return a.x - b.x;
    });
    return row[row.indexOf(view.focused) + (key === 'ArrowLeft' ? -1 : 1)];
  }
  return shown.find(function (frame) {
    return frame.row === view.focused.row + step &&
      (frame.parent === view.focused || view.focused.parent === frame);
  });
}

// Views: all samples or a stretch of time; of these, the app's frames, or the
// callers and callees of one function.

const shows = { app: false, calls: '', stretch: null };

function leaveView() {
  hideTip();
  if (view !== whole)
    view.element.remove();
  for (const frame of view.frames)
    if (view !== whole && frame.group)
      byGroup.delete(frame.group);
  container.style.display = 'none';
}

function openView(frames, isCalls, sum) {
  const element = make(SVG, 'g', 'frames');
  container.parentNode.insertBefore(element, container.nextSibling);
  view = newView(spread(frames), element, isCalls, sum,
    shows.stretch ? ' of the stretch' : ' of all');
  view.rows = 1;
  listen(element);
}

// All frames of a view, callers first.
function baseFrames(app, stretch) {
  const frames = stretch ? stretchFrames(stretch) : tree;
  return app ? appFrames(frames) : frames;
}

function setView(app, calls, stretch) {
  const base = baseFrames(app, stretch);
  const called = calls ? calledFrames(base, calls) : [];
  leaveView();
  shows.app = app;
  shows.calls = called.length ? calls : '';
  shows.stretch = stretch;
  if (called.length) {
    openView(called, true, base[0].weight);
  } else if (app || stretch) {
    openView(base, false, base[0].weight);
  } else {
    view = whole;
    container.style.display = '';
  }
  view.zoomed = view.root;
  tools.app.setAttribute('aria-pressed', String(shows.app));
  tools.calls.setAttribute('aria-pressed', String(Boolean(shows.calls)));
  markStretch(stretch);
  layOut();
  setFocus(view.root, false);
  search();
  showRoot();
}

function toggleApp() {
  setView(!shows.app, '', shows.stretch);
  remember(true);
}

function toggleCalls(frame) {
  if (shows.calls && frame === view.root)
    setView(shows.app, '', shows.stretch);
  else if (frame.parent || view.isCalls)
    setView(shows.app, keyOf(frame), shows.stretch);
  remember(true);
}

function showStretch(stretch) {
  setView(shows.app, shows.calls, stretch);
  remember(true);
}

// Search. A text is matched literally, /a.*b/ is a regular expression.

function matcher(wanted) {
  const parts = /^\/(.+)\/$/.exec(wanted);
  if (parts) {
    const regex = new RegExp(parts[1], 'iu');
    return function (text) {
      return regex.test(text);
    };
  }
  const lower = wanted.toLowerCase();
  return function (text) {
    return text.toLowerCase().includes(lower);
  };
}

function isHit(frame, matches) {
  return frame.kind !== 'n0' && (matches(frame.name) ||
    (frame.place !== '' && matches(frame.place)));
}

// Many frames have equal names.
function remembering(matches) {
  const known = new Map();
  return function (text) {
    if (!known.has(text))
      known.set(text, matches(text));
    return known.get(text);
  };
}

// Weight of the matching frames; nested ones count once.
function foundWeight(frames) {
  const within = new Set();
  let weight = 0;
  for (const frame of frames) {
    if (within.has(frame.parent)) {
      within.add(frame);
    } else if (frame.isHit) {
      within.add(frame);
      weight += frame.weight;
    }
  }
  return weight;
}

// The same around a function. A sample with a matching caller and callee counts
// once, so matches are collected at the function's calls.
function foundAround(frames, key, matches) {
  const inside = new Set();
  const callers = new Set();
  const counted = new Set();
  let weight = 0;
  for (const frame of frames) {
    const hit = isHit(frame, matches);
    const called = inside.has(frame.parent);
    const isMiddle = !called && frame.parent && keyOf(frame) === key;
    if (called || isMiddle)
      inside.add(frame);
    else if (hit || callers.has(frame.parent))
      callers.add(frame);
    if (counted.has(frame.parent)) {
      counted.add(frame);
    } else if ((called || isMiddle) && hit ||
        isMiddle && callers.has(frame.parent)) {
      counted.add(frame);
      weight += frame.weight;
    }
  }
  return weight;
}

function mark(matches) {
  let count = 0;
  let hidden = 0;
  for (const frame of view.frames) {
    const hit = matches !== null && isHit(frame, matches);
    frame.isHit = hit;
    if (frame.group)
      frame.group.classList.toggle('hit', hit);
    if (!hit || frame.weight === 0)
      continue;
    count++;
    hidden += frame.group ? 0 : 1;
  }
  if (matches === null)
    return '';
  const weight = !view.isCalls ? foundWeight(view.frames)
    : foundAround(baseFrames(shows.app, shows.stretch), shows.calls, matches);
  return plural(count, 'frame') +
    (hidden ? ' (' + hidden.toLocaleString('en-US') + ' not drawn)' : '') + ', ' +
    percent(weight, view.root.weight) + (unknownFrames ? ' or more' : '');
}

function search() {
  const wanted = tools.input.value.trim();
  let found = '';
  try {
    const matches = wanted ? remembering(matcher(wanted)) : null;
    found = mark(matches);
    tools.input.setCustomValidity('');
  } catch (error) {
    mark(null);
    found = 'no regular expression';
    tools.input.setCustomValidity(found);
  }
  say(wanted ? found : '');
}

function say(text) {
  tools.output.textContent = text;
}

// The URL has the state: a link shows the same, and the browser's Back undoes a
// step.

let steps = 0;
let waiting = 0;

function address() {
  const parts = new URLSearchParams();
  const key = shows.calls.split('\n');
  if (shows.app)
    parts.set('view', 'app');
  if (shows.calls)
    parts.set('calls', key[0]);
  if (shows.calls && key[1])
    parts.set('in', key[1]);
  if (shows.stretch)
    parts.set('time', writeStretch(shows.stretch));
  if (view.zoomed !== view.root)
    parts.set('zoom', String(view.frames.indexOf(view.zoomed)));
  if (tools.input.value.trim())
    parts.set('search', tools.input.value.trim());
  return '#' + parts;
}

// A step of its own, or part of the last.
function remember(isStep) {
  window.clearTimeout(waiting);
  if (own || address() === (location.hash || '#'))
    return;
  try {
    if (isStep)
      history.pushState({ flame: ++steps }, '', address());
    else
      history.replaceState({ flame: steps }, '', address());
  } catch (error) {
    // A page inside of another may have no history.
  }
  tools.back.disabled = !steps;
}

function recall() {
  if (own)
    return;
  const parts = new URLSearchParams(location.hash.slice(1));
  const calls = parts.has('calls')
    ? parts.get('calls') + '\n' + (parts.get('in') || '') : '';
  steps = history.state && history.state.flame || 0;
  tools.input.value = parts.get('search') || '';
  const stretch = readStretch(parts.get('time'));
  if ((parts.get('view') === 'app') !== shows.app || calls !== shows.calls ||
      writeStretch(stretch) !== writeStretch(shows.stretch))
    setView(parts.get('view') === 'app', calls, stretch);
  zoom(view.frames[Number(parts.get('zoom') || 0)] || view.root);
  search();
  tools.back.disabled = !steps;
}

function back() {
  if (steps)
    history.back();
}

// Escape undoes one thing at a time, Reset all.

function canTakeBack() {
  return tools.input.value || view !== whole || view.zoomed !== view.root;
}

function takeBack() {
  if (tools.input.value) {
    tools.input.value = '';
    search();
  } else if (view.zoomed !== view.root) {
    zoom(view.root);
  } else if (shows.calls) {
    setView(shows.app, '', shows.stretch);
  } else if (shows.stretch) {
    setView(shows.app, '', null);
  } else if (shows.app) {
    setView(false, '', null);
  }
  remember(true);
}

function reset() {
  tools.input.value = '';
  if (view !== whole)
    setView(false, '', null);
  search();
  zoom(view.root);
  remember(true);
}

function flip() {
  icicle = !icicle;
  tools.flip.textContent = icicle ? 'Flame' : 'Icicle';
  layOut();
  showRoot();
}

// Without access to the clipboard, as in a page over plain http, the browser
// copies the selection.
function copySelected(name) {
  const area = make(XHTML, 'textarea');
  area.value = name;
  tools.box.appendChild(area);
  area.select();
  let copied = false;
  try {
    copied = document.execCommand('copy');
  } catch (error) {
    copied = false;
  }
  area.remove();
  return copied;
}

function copy(frame) {
  const copied = function () {
    say('name copied');
  };
  const failed = function () {
    say(copySelected(frame.name) ? 'name copied' : 'cannot copy');
  };
  if (navigator.clipboard)
    navigator.clipboard.writeText(frame.name).then(copied, failed);
  else
    failed();
}

// Light and dark: apply the rules for dark windows to all windows, or none.

let dark = window.matchMedia('(prefers-color-scheme: dark)').matches;

function switchTheme() {
  dark = !dark;
  for (const sheet of document.styleSheets)
    for (const rule of sheet.cssRules)
      if (rule.media && (rule.isDark ||
          rule.media.mediaText.includes('prefers-color-scheme'))) {
        rule.isDark = true;
        rule.media.mediaText = dark ? 'screen' : 'not all';
      }
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
  tools.theme.textContent = dark ? 'Light' : 'Dark';
}

// Names are global in the document: one of several pictures has none.
function setId(element, id) {
  if (!own)
    element.id = id;
}

function addButton(box, id, text, hint, action) {
  const button = make(XHTML, 'button');
  button.type = 'button';
  setId(button, id);
  button.textContent = text;
  if (hint)
    button.title = hint;
  button.addEventListener('click', action);
  box.appendChild(button);
  return button;
}

function makeInput() {
  const input = make(XHTML, 'input');
  input.type = 'search';
  setId(input, 'flame-search');
  input.placeholder = 'Search: text or /regex/';
  input.setAttribute('aria-label', input.placeholder);
  input.spellcheck = false;
  input.autocomplete = 'off';
  input.addEventListener('input', function () {
    search();
    window.clearTimeout(waiting);
    waiting = window.setTimeout(remember, 300, false);
  });
  return input;
}

// In a page they have a place; alone, below the heading.
function makeTools() {
  let box = own || document.getElementById('flame-tools');
  let where = null;
  if (alone) {
    where = make(SVG, 'foreignObject');
    where.setAttribute('x', margin);
    box = make(XHTML, 'div', 'flame-tools');
    where.appendChild(box);
    svg.appendChild(where);
  }
  const output = make(XHTML, 'output');
  const input = makeInput();
  setId(output, 'flame-found');
  box.append(output, input);
  box.hidden = false;
  return {
    place: where,
    box: box,
    input: input,
    output: output,
    back: own ? null : addButton(box, 'flame-back', 'Back', 'one step', back),
    app: addButton(box, 'flame-app', 'App only',
      'leave out what the system called', toggleApp),
    calls: addButton(box, 'flame-calls', 'Callers',
      'callers and callees of the function', function () {
        toggleCalls(view.focused);
      }),
    copy: addButton(box, 'flame-copy', 'Copy name', '', function () {
      copy(view.focused);
    }),
    flip: addButton(box, 'flame-flip', icicle ? 'Flame' : 'Icicle', '', flip),
    theme: own ? null : addButton(box, 'flame-theme', dark ? 'Light' : 'Dark',
      '', switchTheme),
    reset: addButton(box, 'flame-reset', 'Reset', '', reset)
  };
}

// Find a function of the tables in the picture.
function makeFinder(name) {
  function find() {
    const plain = name.textContent.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
    tools.input.value = '/^' + plain + '$/';
    search();
    remember(true);
    svg.scrollIntoView({ block: 'nearest' });
  }
  name.classList.add('find');
  name.setAttribute('role', 'button');
  name.setAttribute('tabindex', '0');
  name.addEventListener('click', find);
  name.addEventListener('keydown', function (event) {
    if (event.key !== 'Enter' && event.key !== ' ')
      return;
    find();
    event.preventDefault();
  });
}

// A click zooms; with Alt, it shows callers and callees.
function choose(frame, isCalls) {
  if (isCalls) {
    toggleCalls(frame);
    return;
  }
  zoom(frame);
  remember(true);
}

function onFrameKey(event) {
  if (event.key === 'Enter' || event.key === ' ') {
    choose(view.focused, event.altKey);
  } else if (event.key.startsWith('Arrow')) {
    const next = neighbour(event.key);
    if (next)
      setFocus(next, true);
  } else {
    return;
  }
  event.preventDefault();
}

function listen(element) {
  element.addEventListener('click', function (event) {
    const frame = frameAt(event.target);
    if (frame)
      choose(frame, event.altKey);
  });
  element.addEventListener('mousemove', function (event) {
    const frame = frameAt(event.target);
    if (frame)
      showTip(frame, event.clientX, event.clientY);
  });
  element.addEventListener('mouseleave', hideTip);
  element.addEventListener('focusin', function (event) {
    const frame = frameAt(event.target);
    if (!frame)
      return;
    setFocus(frame, false);
    // A click has shown the words for the pointer already.
    if (!frame.group.matches(':focus-visible'))
      return;
    const box = frame.rect.getBoundingClientRect();
    showTip(frame, Math.max(box.left, 0), box.bottom - 12);
  });
  element.addEventListener('focusout', hideTip);
  element.addEventListener('keydown', onFrameKey);
}

function onKey(event) {
  const typing = event.target === tools.input;
  // The surrounding page has keys of its own.
  if (own && (typing || event.key === '/' || canTakeBack()))
    event.stopPropagation();
  if (event.key === 'Escape') {
    takeBack();
  } else if (typing || event.ctrlKey || event.metaKey) {
    return;
  } else if (event.key === '/') {
    tools.input.focus();
  } else if (event.key === 'Backspace') {
    back();
  } else if (event.key === 'c' && (told || view.focused !== view.root)) {
    copy(told || view.focused);
  } else {
    return;
  }
  event.preventDefault();
}

const tools = makeTools();
tip.hidden = true;
setId(tip, 'flame-tip');
if (tipPlace) {
  tipPlace.setAttribute('width', 1);
  tipPlace.setAttribute('height', 1);
  tipPlace.appendChild(tip);
}
(tipPlace ? svg : document.body).appendChild(tipPlace || tip);

for (const frame of all) {
  frame.group.setAttribute('tabindex', '-1');
  frame.group.setAttribute('role', 'button');
}
listen(container);
measureColumn();
if (own) {
  // It may be collapsed, and in another window when it is opened again.
  new ResizeObserver(layOut).observe(own);
  own.parentNode.addEventListener('keydown', onKey);
} else {
  document.querySelectorAll('.function .name').forEach(makeFinder);
  drawStrip();
  document.addEventListener('keydown', onKey);
  window.addEventListener('popstate', recall);
  window.addEventListener('hashchange', function () {
    if (address() !== (location.hash || '#'))
      recall();
  });
  window.addEventListener('resize', layOut);
  window.addEventListener('scroll', followWindow);
}
setFocus(view.root, false);
recall();
showRoot();

// The compressed part belongs to every view.
function growTree() {
  setSelf(tree);
  if (view !== whole)
    setView(shows.app, shows.calls, shows.stretch);
  else
    layOut();
  recall();
  search();
}

unpackRest(rest).then(function (isMore) {
  if (isMore)
    growTree();
  svg.dataset.frames = tree.length;
});
