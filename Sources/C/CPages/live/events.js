// SPDX-License-Identifier: Apache-2.0
// The newest events of the sources: absent if the server keeps none, else a list that grows at its top, and their images.
import { $, make } from './page.js';

const most = 40;
/** The rows by message. */
const rows = new Map();
let isWanted = false;
/** The source whose events are shown; undefined for all. */
let source;
let stream;
let timer;
/** The number of the last opening: what an earlier one answers is not shown. */
let opening = 0;

const seconds = (value) => (value < 60 ? `${Math.round(value)} s` : `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`);

/** What happened, and where. */
const happened = ({ event_type: type, zone, line, direction }) => (line ? `${type} ${line}, ${direction}` : zone ? `${type} ${zone}` : type);

/** How long the object was in the zone, or there at all; nothing while it has just come. */
const lasted = ({ event_type: type, dwell = 0, duration }) => {
  const value = type === 'end' ? duration : dwell;
  return value > 0 ? ` · ${seconds(value)}` : '';
};

const moment = (text) => {
  const date = new Date(text);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString() : date.toLocaleString();
};

/** Shows the image of an event large. */
const enlarge = (address, text) => {
  $('picture-title').textContent = text;
  Object.assign($('picture-image'), { src: address, alt: text });
  $('picture').showModal();
};
$('picture-close').onclick = () => $('picture').close();
// Outside the content there is only the backdrop.
$('picture').onclick = ({ target }) => { if (target === $('picture')) $('picture').close(); };

const rowOf = (message) => {
  const { number, label, trackingID, source: name, snapshot, time } = message;
  const row = make('li'), words = make('div'), first = make('p'), second = make('p');
  const object = `${label ?? 'object'} #${trackingID}`, text = happened(message);
  row.dataset.number = number;
  if (snapshot) {
    const button = make('button', { type: 'button' });
    const image = make('img', { alt: '', loading: 'lazy', src: snapshot });
    image.onerror = () => button.remove();
    button.setAttribute('aria-label', `Image of ${object}, ${text}`);
    button.onclick = () => enlarge(snapshot, `${name}: ${object}, ${text}`);
    button.append(image);
    row.append(button);
  }
  first.append(make('b', { textContent: text }));
  if (time) first.append(make('time', { dateTime: time, textContent: moment(time) }));
  second.append(object);
  if (!source) second.append(' · ', make('a', { href: `#sources/${name}`, textContent: name }));
  second.append(lasted(message));
  words.append(first, second);
  row.append(words);
  return row;
};

const keyOf = ({ id, sequence }) => `${id} ${sequence}`;

const add = (messages) => {
  const list = $('happened');
  for (const message of messages) {
    const key = keyOf(message);
    if (rows.has(key) || (source && message.source !== source)) continue;
    const row = rowOf(message);
    rows.set(key, row);
    list.insertBefore(row, [...list.children].find(({ dataset }) => Number(dataset.number) < message.number) ?? null);
  }
  const kept = new Set([...list.children].slice(0, most));
  for (const [key, row] of rows) if (!kept.has(row)) remove(key);
  $('no-events').hidden = rows.size > 0;
};

const remove = (key) => {
  rows.get(key).remove();
  rows.delete(key);
};

/** Lists the newest events, and returns whether the server keeps any. */
const read = async (turn) => {
  // A server that was restarted may count from 1 again.
  const before = [...rows.keys()];
  const query = new URLSearchParams({ limit: most, ...(source && { source }) });
  const answer = await fetch(`/v1/events?${query}`, { signal: AbortSignal.timeout(10_000) });
  // The server keeps no events, or the key does not allow them.
  if (!answer.ok && ![401, 403, 404].includes(answer.status)) throw new Error(answer.status);
  const events = answer.ok ? (await answer.json()).events : [];
  if (turn !== opening) return false;
  $('events').hidden = !answer.ok;
  const listed = new Set(events.map(keyOf));
  for (const key of before) if (!listed.has(key) && rows.has(key)) remove(key);
  add(events);
  return answer.ok;
};

const again = (turn) => {
  if (turn !== opening) return;
  stream?.close();
  timer = setTimeout(open, 5000);
};

const open = async () => {
  const turn = ++opening;
  try {
    if (!await read(turn)) return;
  } catch {
    return again(turn);
  }
  stream = new EventSource('/v1/events/stream');
  // Messages that came between the list and the stream, or while there was no connection.
  stream.onopen = () => read(turn).catch(() => again(turn));
  stream.onmessage = ({ data }) => { if (turn === opening) add([JSON.parse(data)]); };
  stream.onerror = ({ target }) => { if (target.readyState === EventSource.CLOSED) again(turn); };
};

/** Shows the events of all sources or of one, until it is called with false. */
export const watch = (value, name) => {
  if (value === isWanted && name === source) return;
  if (name !== source) {
    for (const key of [...rows.keys()]) remove(key);
    $('no-events').hidden = false;
  }
  [isWanted, source] = [value, name];
  opening++;
  clearTimeout(timer);
  stream?.close();
  if (value) open();
};
