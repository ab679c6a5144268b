// What a flame graph does when it is touched: zoom, search, words on a frame,
// and the width of the window. All that it knows it reads from the picture.
(function () {
  'use strict';

  const SVG = 'http://www.w3.org/2000/svg';
  const XHTML = 'http://www.w3.org/1999/xhtml';
  const svg = document.querySelector('svg.flame');
  const frames = svg.querySelector('.frames');
  const margin = Number(svg.dataset.margin);
  const pitch = Number(svg.dataset.pitch);
  const top = Number(svg.dataset.top);
  const rows = Number(svg.dataset.rows);
  const height = svg.viewBox.baseVal.height;
  const alone = svg.classList.contains('alone');
  const padding = 4;
  const leastColumns = 3;
  let icicle = svg.dataset.icicle === '1';
  let column = 7.25;

  function make(space, name, className) {
    const element = document.createElementNS(space, name);
    if (className)
      element.setAttribute('class', className);
    return element;
  }

  // The frames, callers first, from left to right.
  const all = Array.from(frames.children, function (group) {
    const rect = group.querySelector('rect');
    const row = Math.round((Number(rect.getAttribute('y')) - top) / pitch);
    return {
      group: group,
      rect: rect,
      title: group.querySelector('title'),
      label: group.querySelector('svg'),
      x: Number(group.dataset.x),
      weight: Number(group.dataset.w),
      hasPlace: group.dataset.p === '1',
      row: icicle ? row : rows - 1 - row,
      facts: null,
      shown: true,
      cut: null
    };
  });
  const byGroup = new Map(all.map(function (frame) {
    return [frame.group, frame];
  }));
  const root = all[0];
  let zoomed = root;
  let focused = root;

  // Name; place, where it is known; numbers, what is its own.
  function facts(frame) {
    if (!frame.facts)
      frame.facts = frame.title.textContent.split('\n');
    return frame.facts;
  }

  function holds(outer, inner) {
    return outer.x <= inner.x &&
      outer.x + outer.weight >= inner.x + inner.weight;
  }

  // Names, cut to the width of their frames.

  function measureColumn() {
    const probe = make(SVG, 'text');
    probe.textContent = 'M'.repeat(100);
    frames.appendChild(probe);
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
      frame.label.setAttribute('height', frame.rect.getAttribute('height'));
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
      frame.label.firstChild.textContent = cutName(facts(frame)[0], columns);
    frame.cut = columns;
  }

  // Where everything stands.

  function available() {
    const width = alone ? document.documentElement.clientWidth ||
      window.innerWidth : svg.parentNode.clientWidth;
    return Math.max(width, 240);
  }

  function place(frame, width) {
    const scale = (width - 2 * margin) / zoomed.weight;
    const isAbove = frame.row < zoomed.row && holds(frame, zoomed);
    const isBelow = frame.row >= zoomed.row && holds(zoomed, frame);
    const shown = isAbove || isBelow;
    if (shown !== frame.shown)
      frame.group.style.display = shown ? '' : 'none';
    frame.shown = shown;
    if (!shown)
      return;
    const x = isAbove ? margin : margin + (frame.x - zoomed.x) * scale;
    const y = top + (icicle ? frame.row : rows - 1 - frame.row) * pitch;
    let w = isAbove ? width - 2 * margin : frame.weight * scale;
    w = w >= 3 ? w - 0.5 : Math.max(w, 0.01);
    frame.group.classList.toggle('above', isAbove);
    frame.rect.setAttribute('x', x);
    frame.rect.setAttribute('y', y);
    frame.rect.setAttribute('width', w);
    label(frame, x, y, w);
  }

  function layOut() {
    const width = available();
    // Alone it fills the window: what is said of a frame may need the room.
    const tall = alone ? Math.max(height, window.innerHeight) : height;
    svg.setAttribute('viewBox', '0 0 ' + width + ' ' + tall);
    svg.setAttribute('width', width);
    svg.setAttribute('height', tall);
    for (const frame of all)
      place(frame, width);
    if (alone)
      tools.place.setAttribute('width', width - 2 * margin);
    hideTip();
  }

  // What is said of a frame under the pointer or in focus. Its title is put
  // aside meanwhile: browsers would show it as well. Those who listen to the
  // page are told by the label.

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
    const view = document.documentElement;
    const right = (view.clientWidth || window.innerWidth) - 8;
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

  function showTip(frame, clientX, clientY) {
    if (told !== frame) {
      hideTip();
      told = frame;
      tip.textContent = '';
      for (const fact of facts(frame)) {
        const line = make(XHTML, 'div');
        line.textContent = fact;
        tip.appendChild(line);
      }
      frame.group.setAttribute('aria-label', facts(frame).join(', '));
      frame.title.remove();
      tip.hidden = false;
    }
    moveTip(clientX, clientY);
  }

  function frameAt(target) {
    const group = target.closest ? target.closest('.frames > g') : null;
    return group ? byGroup.get(group) : null;
  }

  // Zoom, and the one frame that the Tab key reaches; arrows go on from it.

  function setFocus(frame, move) {
    focused.group.setAttribute('tabindex', '-1');
    focused = frame;
    frame.group.setAttribute('tabindex', '0');
    if (move)
      frame.group.focus();
  }

  function zoom(frame) {
    zoomed = frame;
    setFocus(frame, frames.contains(document.activeElement));
    layOut();
  }

  function neighbour(key) {
    const shown = all.filter(function (frame) {
      return frame.shown;
    });
    const calls = key === (icicle ? 'ArrowDown' : 'ArrowUp');
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      const row = shown.filter(function (frame) {
        return frame.row === focused.row;
      });
      return row[row.indexOf(focused) + (key === 'ArrowLeft' ? -1 : 1)];
    }
    return shown.find(function (frame) {
      return calls
        ? frame.row === focused.row + 1 && holds(focused, frame)
        : frame.row === focused.row - 1 && holds(frame, focused);
    });
  }

  function onFrameKey(event) {
    if (event.key === 'Enter' || event.key === ' ') {
      zoom(focused);
    } else if (event.key.startsWith('Arrow')) {
      const next = neighbour(event.key);
      if (next)
        setFocus(next, true);
    } else {
      return;
    }
    event.preventDefault();
  }

  // Search. A text is looked for as it stands, /a.*b/ is a regular expression.

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
    const known = facts(frame);
    return frame !== root &&
      (matches(known[0]) || (frame.hasPlace && matches(known[1])));
  }

  // A frame in another that was found counts once.
  function mark(matches) {
    let count = 0;
    let weight = 0;
    let end = 0;
    for (const frame of all) {
      const hit = matches !== null && isHit(frame, matches);
      frame.group.classList.toggle('hit', hit);
      if (!hit)
        continue;
      count++;
      if (frame.x + frame.weight > end) {
        weight += frame.weight;
        end = frame.x + frame.weight;
      }
    }
    const share = (100 * weight / root.weight).toFixed(2);
    return count + (count === 1 ? ' frame, ' : ' frames, ') + share + ' %';
  }

  function search() {
    const wanted = tools.input.value.trim();
    let found = '';
    try {
      const matches = wanted ? matcher(wanted) : null;
      found = mark(matches);
      tools.input.setCustomValidity('');
    } catch (error) {
      mark(null);
      found = 'no regular expression';
      tools.input.setCustomValidity(found);
    }
    tools.output.textContent = wanted ? found : '';
  }

  function reset() {
    tools.input.value = '';
    search();
    zoom(root);
  }

  function flip() {
    icicle = !icicle;
    tools.flip.textContent = icicle ? 'Flame' : 'Icicle';
    layOut();
  }

  // Light and dark: the rules for dark windows are for all windows, or none.

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

  function addButton(box, id, text, action) {
    const button = make(XHTML, 'button');
    button.type = 'button';
    button.id = id;
    button.textContent = text;
    button.addEventListener('click', action);
    box.appendChild(button);
    return button;
  }

  // In a page they have their place; alone, at the right of the heading.
  function makeTools() {
    let box = document.getElementById('flame-tools');
    let where = null;
    if (alone) {
      where = make(SVG, 'foreignObject');
      where.setAttribute('x', margin);
      where.setAttribute('y', 60);
      where.setAttribute('height', 30);
      box = make(XHTML, 'div', 'flame-tools');
      where.appendChild(box);
      svg.appendChild(where);
    }
    const output = make(XHTML, 'output');
    output.id = 'flame-found';
    const input = make(XHTML, 'input');
    input.type = 'search';
    input.id = 'flame-search';
    input.placeholder = 'Search: text or /regex/';
    input.setAttribute('aria-label', input.placeholder);
    input.spellcheck = false;
    input.autocomplete = 'off';
    input.addEventListener('input', search);
    box.append(output, input);
    box.hidden = false;
    return {
      place: where,
      input: input,
      output: output,
      flip: addButton(box, 'flame-flip', icicle ? 'Flame' : 'Icicle', flip),
      theme: addButton(box, 'flame-theme', dark ? 'Light' : 'Dark',
        switchTheme),
      reset: addButton(box, 'flame-reset', 'Reset', reset)
    };
  }

  // A function of the tables, found in the picture.
  function makeFinder(name) {
    function find() {
      const plain = name.textContent.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
      tools.input.value = '/^' + plain + '$/';
      search();
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

  if (!root)
    return;

  const tools = makeTools();
  tip.hidden = true;
  tip.id = 'flame-tip';
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
  setFocus(root, false);
  document.querySelectorAll('.function .name').forEach(makeFinder);

  frames.addEventListener('click', function (event) {
    const frame = frameAt(event.target);
    if (frame)
      zoom(frame);
  });
  frames.addEventListener('mousemove', function (event) {
    const frame = frameAt(event.target);
    if (frame)
      showTip(frame, event.clientX, event.clientY);
  });
  frames.addEventListener('mouseleave', hideTip);
  frames.addEventListener('focusin', function (event) {
    const frame = frameAt(event.target);
    if (!frame)
      return;
    setFocus(frame, false);
    // A click has the pointer's words already.
    if (!frame.group.matches(':focus-visible'))
      return;
    const box = frame.rect.getBoundingClientRect();
    showTip(frame, Math.max(box.left, 0), box.bottom - 12);
  });
  frames.addEventListener('focusout', hideTip);
  frames.addEventListener('keydown', onFrameKey);
  document.addEventListener('keydown', function (event) {
    if (event.key === 'Escape') {
      reset();
    } else if (event.key === '/' && event.target !== tools.input) {
      tools.input.focus();
      event.preventDefault();
    }
  });
  window.addEventListener('resize', layOut);
  measureColumn();
  layOut();
}());
