// SPDX-License-Identifier: Apache-2.0
// Shared by the report pages: data, elements, and formatted numbers.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);

const DRAWN = new Set(['svg', 'g', 'rect', 'line', 'polyline', 'polygon', 'path', 'circle', 'text', 'title']);

/** An element with attributes, except undefined ones, and children: strings, elements, lists of them, or nothing. */
const make = (name, attributes, ...children) => {
  const element = DRAWN.has(name)
    ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child || child === 0));
  return element;
};

const ESCAPES = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const INVISIBLE = new RegExp('[\\0-\\x1f\\x7f-\\x9f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff]'
  + '|\\p{Noncharacter_Code_Point}', 'gu');

/** The first characters of an untrusted text; characters that are invisible or change the reading direction are escaped. */
const visible = (text, limit = 200) => {
  const characters = Array.from(text.slice(0, 2 * limit + 2));
  return characters.slice(0, limit).join('')
    .replace(INVISIBLE, (one) => ESCAPES[one] ?? `\\u{${one.codePointAt(0).toString(16)}}`)
    + (characters.length > limit ? '…' : '');
};

/** A number with this many decimals; "–" if it is missing. */
const fixed = (value, places) => {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value) < 1e9 ? Math.round(Math.abs(value) * 10 ** places) / 10 ** places : Math.abs(value);
  return (value < 0 && size > 0 ? '-' : '') + size.toFixed(places);
};
const percent = (value, places = 1) => (Number.isFinite(value) && Number.isFinite(value * 100) ? `${fixed(value * 100, places)}\u00a0%` : '–');
const share = (value) => fixed(value, 3);
const grouped = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ',');
const counted = (count, one) => `${grouped(count)} ${one}${count === 1 ? '' : 's'}`;
/** A coordinate with one decimal. */
const at = (value) => Math.round(value * 10) / 10;

/** A panel with a heading that can be linked to. */
const section = (id, title, ...children) => make('section', { class: 'panel', 'aria-labelledby': `h-${id}` },
  make('h2', { id: `h-${id}` }, title), children);
const note = (...children) => make('p', { class: 'note' }, children);
const folded = (summary, ...children) => make('details', null, make('summary', null, summary), children);
const rest = (count) => (count > 0 ? note(`${grouped(count)} more are not listed.`) : null);

/** A table of figures: the first column names the row, the others are numbers. An empty head becomes a cell. */
const table = (heads, rows) => make('table', null,
  make('thead', null, make('tr', null, heads.map((text, index) => (
    text === '' ? make('td') : make('th', { scope: 'col', class: index ? 'n' : undefined }, text))))),
  make('tbody', null, rows.map(([head, ...cells]) => make('tr', null,
    make('th', { scope: 'row' }, head), cells.map((cell) => make('td', { class: 'n' }, cell))))));
