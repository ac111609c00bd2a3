'use strict';
// The page's script over a document that knows as little as it needs.

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const vm = require('node:vm');

const folder = join(__dirname, '../../../lib/exporters/dashboard');
const read = (name) => readFileSync(join(folder, name), 'utf8');

class Element {
  constructor(name) {
    this.name = name;
    this.children = [];
    this.attributes = {};
    this.className = '';
  }

  set textContent(text) {
    this.children = [String(text)];
  }

  get text() {
    return this.children
      .map((child) => (typeof child === 'string' ? child : child.text))
      .join('');
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }

  setAttribute(key, value) {
    this.attributes[key] = String(value);
  }

  addEventListener() {}

  appended(name) {
    const made = new Element(name);
    this.append(made);
    return made;
  }

  createTHead() {
    return this.appended('thead');
  }

  createTBody() {
    return this.appended('tbody');
  }

  /** @returns {Element[]} those below that the test holds for */
  all(isWanted) {
    return this.children
      .filter((child) => child instanceof Element)
      .flatMap((child) => [
        ...(isWanted(child) ? [child] : []),
        ...child.all(isWanted),
      ]);
  }
}

const sampleOf = (changes) => ({
  kind: 'pool',
  name: 'p',
  waiting: 0,
  queued: 0,
  running: 2,
  busy: 2,
  workers: 2,
  donePerSecond: 1,
  failedPerSecond: 0,
  p50: 1,
  p99: 3,
  latency: { count: 9, p50: 2, p99: 8 },
  counters: {
    submitted: 9,
    completed: 9,
    failed: 0,
    timedOut: 0,
    cancelled: 0,
    refused: 0,
    byCode: {},
  },
  ...changes,
});

/** @returns {Element} the page after two samples */
function pageOf(changes) {
  const parts = { status: new Element('p'), pools: new Element('main') };
  const listeners = {};
  vm.runInNewContext(read('client.js'), {
    document: {
      getElementById: (id) => parts[id],
      createElement: (name) => new Element(name),
      createElementNS: (_space, name) => new Element(name),
    },
    EventSource: class {
      addEventListener(type, listener) {
        listeners[type] = listener;
      }
    },
    Intl,
  });
  const samples = [1000, 2000].map((at) => ({
    at,
    pools: [sampleOf(changes)],
  }));
  listeners.history({ data: JSON.stringify(samples) });
  return parts.pools;
}

test('both lines of a chart are seen where they coincide', () => {
  const workers = pageOf({ busy: 2, workers: 2 })
    .all(({ name }) => name === 'svg')
    .at(3);
  const lines = workers.children.filter(({ attributes }) =>
    /-line$/.test(attributes.class),
  );
  expect(lines.map(({ attributes }) => attributes.class)).toEqual([
    'first-line',
    'second-line',
  ]);
  const [first, second] = lines;
  expect(second.attributes.d).toBe(first.attributes.d);
  // The one on top leaves gaps.
  expect(read('style.css')).toMatch(/\.second-line \{[^}]*stroke-dasharray/);
});

test('percentiles say of which jobs they are', () => {
  const page = pageOf({ p99: 3, latency: { count: 9, p50: 2, p99: 8 } });
  const values = page
    .all(({ className }) => className === 'value')
    .map(({ text }) => text);
  expect(values).toContain('3 ms p99 of the last sample');
  const heads = page.all(({ name }) => name === 'th').map(({ text }) => text);
  expect(heads.slice(-2)).toEqual(['p50 of all', 'p99 of all']);
});

test('columns for keys and shared values are shown where there are some', () => {
  const shown = (changes) => {
    const page = pageOf(changes);
    const visible = (wanted) =>
      page
        .all(({ name, hidden }) => name === wanted && !hidden)
        .map(({ text }) => text);
    const cells = visible('td');
    return Object.fromEntries(visible('th').map((head, i) => [head, cells[i]]));
  };
  const without = shown({});
  expect(Object.keys(without)).toHaveLength(8);
  const shared = { values: 2, bytes: 3 * 2 ** 20, encodes: 4, decodes: 8 };
  expect(shown({ keys: { active: 12, held: 3400 }, shared })).toEqual({
    ...without,
    keys: '12',
    'held back': '3,400',
    shared: '2 in 3 MB',
  });
});
