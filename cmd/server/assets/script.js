'use strict';
// Sends a file as soon as it is dropped or chosen. The form also works without.
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
  // After going back from an explanation, the form is empty again.
  addEventListener('pageshow', function () {
    file.value = '';
  });
})();
