// The script of flame graphs is the body of openFlame(svg, own): `svg` is the
// picture, `own` the place of its controls if it is one of several in a page;
// null for the only one, whose controls have a fixed place, and whose state is
// in the page's URL.

const pictures = Array.from(document.querySelectorAll('.more .picture'));

// One of many in a table is opened when it first becomes visible.
const seen = pictures.length ? new IntersectionObserver(function (entries) {
  for (const entry of entries) {
    if (!entry.isIntersecting)
      continue;
    const own = document.createElement('div');
    own.className = 'flame-tools';
    seen.unobserve(entry.target);
    entry.target.before(own);
    openFlame(entry.target.querySelector('svg.flame'), own);
  }
}, { rootMargin: '400px' }) : null;

for (const picture of pictures)
  seen.observe(picture);
if (!pictures.length)
  openFlame(document.querySelector('svg.flame'), null);
