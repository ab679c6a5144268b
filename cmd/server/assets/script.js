'use strict';
// The form works without it: a file that is dropped or chosen is sent at once.
(function () {
  const form = document.querySelector('form');
  const file = document.getElementById('file');
  const body = document.body;

  file.addEventListener('change', function () {
    if (file.files.length)
      form.requestSubmit();
  });
  addEventListener('dragover', function (event) {
    event.preventDefault();
    body.classList.add('over');
  });
  addEventListener('dragleave', function (event) {
    if (!event.relatedTarget)
      body.classList.remove('over');
  });
  addEventListener('drop', function (event) {
    event.preventDefault();
    body.classList.remove('over');
    const text = event.dataTransfer.getData('text/plain');
    if (event.dataTransfer.files.length) {
      file.files = event.dataTransfer.files;
      form.requestSubmit();
    } else if (text) {
      document.getElementById('text').value = text;
      form.requestSubmit();
    }
  });
  // Back from an explanation, the form is ready for the next report.
  addEventListener('pageshow', function () {
    file.value = '';
  });
})();
