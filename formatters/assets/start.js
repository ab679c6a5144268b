// The script of flame graphs is the body of openFlame(svg, own): `svg` is the
// picture, `own` the place for its tools where it is one of several in a page;
// null of the only one, whose tools have their place, and which the address of
// the page is about.

const pictures = Array.from(document.querySelectorAll('.more .picture'));

// One of many in a table is opened when it is first about to be seen.
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
