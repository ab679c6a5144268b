// A picture that is a document of its own has no strip of samples (strip.js): no
// stretch of them is ever chosen.

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
