'use strict';
// Regular expressions in the library's files: V8 compiles them late, and where
// the caller's stack ends then, Node 20 and 22 end the process.

const fs = require('node:fs');
const path = require('node:path');
const acorn = require('acorn');

const LIB = path.join(__dirname, '../../../lib');

// Each of these runs on no caller's stack, or after more than 60 KB of it were
// asked for (base/stack-room.js).
const WITH_EXPRESSIONS = [
  // Programs and servers of their own.
  'cli/',
  'inspector/access.js',
  'inspector/program-threads.js',
  // Other systems' names, read when a resource is made.
  'adapters/',
  'exporters/',
  // The call is in the thread of a pool.
  'executors/owned/realm-main.js',
  'executors/owned/sent-scripts.js',
  'executors/thread/thread-main.js',
  'executors/owned/typescript.js',
  'executors/owned/typescript-hooks.js',
  // The call is in a delivery, which nobody's stack is below.
  'errors/source-maps.js',
];
const USERS = ['match', 'matchAll', 'search'];

function expressionsIn(file) {
  const found = [];
  const see = (node) => {
    if (typeof node?.type !== 'string') return;
    const { type, callee } = node;
    const isExpression = type === 'Literal' && node.regex !== undefined;
    const isMaker = type === 'Identifier' && node.name === 'RegExp';
    const isUser =
      type === 'CallExpression' && USERS.includes(callee.property?.name);
    if (isExpression || isMaker || isUser) found.push(node.loc.start.line);
    for (const child of Object.values(node).flat()) see(child);
  };
  see(
    acorn.parse(fs.readFileSync(file, 'utf8'), {
      ecmaVersion: 'latest',
      locations: true,
      allowHashBang: true,
      allowReturnOutsideFunction: true,
    }),
  );
  return found;
}

test('no regular expression stands where calls of the public methods come', () => {
  const files = fs
    .readdirSync(LIB, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.js'))
    .filter((name) => !WITH_EXPRESSIONS.some((each) => name.startsWith(each)));
  expect(files.length).toBeGreaterThan(150);
  // A property's name, in a table of kinds.
  const found = files.flatMap((name) =>
    expressionsIn(path.join(LIB, name)).map((line) => `${name}:${line}`),
  );
  expect(found).toEqual([
    expect.stringMatching(/^protocol\/codec\/refusal-place\.js/),
  ]);
});
