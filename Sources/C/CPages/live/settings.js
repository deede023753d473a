// SPDX-License-Identifier: Apache-2.0
// What was chosen on this page, kept by the browser from one visit to the next.
const place = 'fovea';

const read = () => {
  try {
    const value = JSON.parse(localStorage.getItem(place));
    return value && typeof value === 'object' ? value : {};
  } catch {
    return {};
  }
};

/** Choices by name; each is checked where it is used, since another version of the page may have written it. */
export const saved = read();

export const save = (values) => {
  Object.assign(saved, values);
  try {
    // Another tab may have chosen something meanwhile.
    localStorage.setItem(place, JSON.stringify({ ...read(), ...values }));
  } catch {
    // A browser that keeps nothing forgets at the next visit.
  }
};

/** Sets a list or a slider to what was chosen before, if it still has that. */
export const restore = (element, name) => {
  const value = String(saved[name] ?? '');
  const before = element.value;
  if (value) element.value = value;
  if (element.value !== value) element.value = before;
};
