// Usage: <each supported node> scripts/gen-builtin-names.mjs
//
// Merges this Node's built-ins that a worker isolate does not offer into
// src/runtime/globals/lib/builtin-names.json: per module its functions, its
// plain values and its objects one level deep; '' is one that is a function
// itself. Stand-ins are made of it.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const runtime = fileURLToPath(new URL('../src/runtime', import.meta.url));
const globals = join(runtime, 'globals');
const groups = JSON.parse(
  readFileSync(join(runtime, 'node/groups.json'), 'utf8'),
);
const target = join(globals, 'lib/builtin-names.json');
// Modules of Node's own text, or files of ours.
const offered = new Set([
  ...Object.values(groups).flat(),
  ...readdirSync(join(globals, 'node'), { recursive: true })
    .filter((file) => file.endsWith('.js'))
    .map((file) => file.replaceAll('\\', '/').slice(0, -'.js'.length)),
]);
const known = existsSync(target)
  ? JSON.parse(readFileSync(target, 'utf8'))
  : {};
process.removeAllListeners('warning');

// Names and kinds only; values belong to the system that runs Node.
function describe(value, depth) {
  if (typeof value === 'function') return 'function';
  if (typeof value !== 'object' || value === null) return 'value';
  if (Array.isArray(value)) return 'value';
  if (depth === 0) return 'value';
  const members = {};
  for (const key of Object.keys(value).sort()) {
    if (key.startsWith('_')) continue;
    let member;
    try {
      member = value[key];
    } catch {
      continue;
    }
    members[key] = describe(member, depth - 1);
  }
  return members;
}

function merge(old, added) {
  if (typeof old !== 'object' || typeof added !== 'object') return added ?? old;
  const both = {};
  for (const key of [...Object.keys(old), ...Object.keys(added)].sort()) {
    both[key] =
      key in added ? merge(old[key] ?? added[key], added[key]) : old[key];
  }
  return both;
}

const prefixOnly = [
  'node:sea',
  'node:sqlite',
  'node:test',
  'node:test/reporters',
];
const names = [...builtinModules, ...prefixOnly]
  .filter((name) => !name.startsWith('_'))
  .map((name) => (name.startsWith('node:') ? name.slice(5) : name));
for (const name of new Set(names)) {
  if (offered.has(name)) {
    delete known[name];
    continue;
  }
  let exports;
  try {
    exports = require(`node:${name}`);
  } catch {
    continue;
  }
  const kinds = describe(exports, 2);
  const members = kinds === 'function' ? describe({ ...exports }, 2) : {};
  known[name] = merge(
    known[name] ?? {},
    Object.keys(members).length > 0 ? { '': kinds, ...members } : kinds,
  );
}
const sorted = Object.fromEntries(
  Object.keys(known)
    .sort()
    .map((name) => [name, known[name]]),
);
writeFileSync(target, `${JSON.stringify(sorted, null, 2)}\n`);
