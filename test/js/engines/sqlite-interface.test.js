'use strict';
// The backend has all that BullMQ's interface names, and nothing of BullMQ.

const fs = require('node:fs');
const path = require('node:path');

const { SqliteBackend } = require('../../../lib/adapters/sqlite/backend.js');

const folder = path.dirname(require.resolve('bullmq/package.json'));
const file = path.join(folder, 'dist/esm/interfaces/queue-backend.d.ts');

function membersOfInterface() {
  const text = fs.readFileSync(file, 'utf8');
  const start = text.indexOf('export interface IQueueBackend');
  const body = text.slice(start, text.indexOf('\n}', start));
  const found = body.matchAll(/^ {4}(?:readonly )?(\w+)\??[(<:]/gm);
  return [...new Set([...found].map(([, name]) => name))];
}

test('every member of IQueueBackend of the newest BullMQ 6', () => {
  const members = membersOfInterface();
  expect(members.length).toBeGreaterThan(85);
  const backend = new SqliteBackend({}, { name: 'q', opts: {} });
  expect(members.filter((name) => !(name in backend))).toEqual([]);
});

test('names are as on Redis', () => {
  const backend = new SqliteBackend({}, { name: 'q', opts: { prefix: 'a:b' } });
  expect(backend.qualifiedName).toBe('a:b:q');
  expect(backend.toKey('events')).toBe('a:b:q:events');
  expect(backend.keys.wait).toBe('a:b:q:wait');
  expect(backend.parseNodeKey('a:b:q:17')).toEqual({
    prefix: 'a:b',
    queueName: 'q',
    id: '17',
  });
  expect(backend.clientName(':w:x')).toBe('a:b:cQ==:w:x');
  expect(backend.forQueue('other').qualifiedName).toBe('a:b:other');
  expect(backend.forQueue('other', 'c').qualifiedName).toBe('c:other');
});

test('it works without BullMQ', () => {
  const sources = fs.readdirSync(
    path.join(__dirname, '../../../lib/adapters/sqlite'),
  );
  for (const name of sources) {
    const text = fs.readFileSync(
      path.join(__dirname, '../../../lib/adapters/sqlite', name),
      'utf8',
    );
    expect(text).not.toMatch(/require\('bullmq/);
  }
});
