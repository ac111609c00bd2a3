'use strict';

// web-csv-toolbox itself, with its pools replaced by ours: its worker, its
// protocol, its way to wait for one record at a time.

const path = require('node:path');
const { execFileSync } = require('node:child_process');

// Each test starts processes, on machines that may be busy.
jest.setTimeout(240_000);

// No batch of messages holds this size at once.
const ROWS = 2000;
const rows = Array.from(
  { length: ROWS },
  (_, i) => `${i},"City ""${i}"", north\nof it",${i / 7}`,
);
const csv = ['no,city,latitude', ...rows].join('\n');
const records = Array.from({ length: ROWS }, (_, i) => ({
  no: `${i}`,
  city: `City "${i}", north\nof it`,
  latitude: `${i / 7}`,
}));

// The program has its own process, because Jest does not import ES modules.
const PROGRAM = path.join(__dirname, 'fixtures/csv-program.mjs');

function run(pool, calls) {
  const text = execFileSync(process.execPath, [PROGRAM, pool, calls], {
    env: process.env,
    maxBuffer: 1 << 26,
  }).toString();
  return JSON.parse(text);
}

test.each(['reusable', 'transient'])('%s: text, bytes, at once', (pool) => {
  const { input, ...results } = run(pool, 'records');
  expect(input).toBe(csv.length);
  for (const result of Object.values(results)) expect(result).toEqual(records);
});

test('errors and aborted reads', () => {
  expect(run('reusable', 'failures')).toEqual({
    parse: 'An error occurred while parsing the CSV data.',
    aborted: 'AbortError',
    after: [{ a: '1', b: '2' }],
  });
});
