// SPDX-License-Identifier: Apache-2.0
// The choices made on this page, stored by the browser between visits.
const place = 'fovea';

const read = () => {
  try {
    const value = JSON.parse(localStorage.getItem(place));
    return value && typeof value === 'object' ? value : {};
  } catch {
    return {};
  }
};

/** Choices by name; each is checked on use, since another version of the page may have written it. */
export const saved = read();

export const save = (values) => {
  Object.assign(saved, values);
  try {
    // Another tab may have chosen something meanwhile.
    localStorage.setItem(place, JSON.stringify({ ...read(), ...values }));
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
};

/** Sets a list or a slider to the stored choice, if it still has it. */
export const restore = (element, name) => {
  const value = String(saved[name] ?? '');
  const before = element.value;
  if (value) element.value = value;
  if (element.value !== value) element.value = before;
};
