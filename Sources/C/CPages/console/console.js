// SPDX-License-Identifier: Apache-2.0
// Optional: every page works without it.
'use strict';

// Show times in the user's time zone.
for (const time of document.querySelectorAll('time[datetime]')) {
  const date = new Date(time.dateTime);
  if (Number.isNaN(date.getTime())) continue;
  time.title = time.textContent;
  time.textContent = date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

// Copy a key file into the field.
for (const part of document.querySelectorAll('.with-script')) part.hidden = false;
const file = document.querySelector('#key-file');
file?.addEventListener('change', async () => {
  const chosen = file.files[0];
  if (chosen && chosen.size < 65536) document.querySelector('#key').value = await chosen.text();
});

// Send a form only once.
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = 'yes';
});
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent;
});
