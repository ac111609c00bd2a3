'use strict';

const { readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

const SOURCE = join(__dirname, '../../../src');
const textOf = (file) => readFileSync(join(SOURCE, file), 'utf8');

/** The names that the runtime asks `rare()` or `more()` for. */
function asked(text, group) {
  const called = text.matchAll(
    new RegExp(`\\b${group}\\(\\)\\s*\\.(\\w+)`, 'g'),
  );
  const taken = text.matchAll(
    new RegExp(`const \\{([^}]*)\\} =\\s+(?:runtime\\.)?${group}\\(\\)`, 'g'),
  );
  return [
    ...Array.from(called, ([, name]) => name),
    // `name` or `name: as`.
    ...Array.from(taken, ([, names]) => names.match(/\w+(?=\s*[:,]|\s*$)/g))
      .flat()
      .filter((name) => !new RegExp(`: ${name}\\b`).test(text)),
  ];
}

/** The names in a table of functions. */
function rowsOf([file, table]) {
  const [, rows] = textOf(file).match(
    new RegExp(`${table}\\[\\] = \\{(.*?)\\n\\};`, 's'),
  );
  return Array.from(rows.matchAll(/\{"(\w+)"/g), ([, name]) => name);
}

const RARE = [
  ['worker/rare_natives.cc', 'kRareFunctions'],
  ['worker/life_natives.cc', 'kLifeFunctions'],
  ['worker/memory_natives.cc', 'kMemoryFunctions'],
  ['isolate/wasm_natives.cc', 'kWasmFunctions'],
];

// lib/executors/owned/module-file.js has it.
const OF_THREADS = ['checkSpecifier', 'detailOf'];

it.each([
  ['rare', RARE],
  ['more', [['worker/natives.cc', 'kMoreFunctions']]],
])(
  'the natives of %s() are those that the runtime asks for',
  (group, tables) => {
    const made = tables.flatMap(rowsOf);
    const files = readdirSync(join(SOURCE, 'runtime')).filter((name) =>
      name.endsWith('.js'),
    );
    const used = files.flatMap((name) =>
      asked(textOf(`runtime/${name}`), group),
    );
    if (group === 'more') {
      // The codec takes them itself from what it is given (codec/shapes.js).
      used.push('compileFunction', 'defineShape', 'shapeText');
    }
    expect(made.length).toBeGreaterThan(4);
    const names = new Set(used);
    for (const name of OF_THREADS) names.delete(name);
    expect([...names].sort()).toEqual(made.sort());
  },
);
