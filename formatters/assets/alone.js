// A picture without a page has no strip of samples (strip.js): there are no
// stretches to choose.

function stretchFrames() {
  return tree;
}

function readStretch() {
  return null;
}

function writeStretch() {
  return '';
}

function markStretch() {
}

function drawStrip() {
}
