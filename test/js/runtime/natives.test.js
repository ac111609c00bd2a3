'use strict';

const { readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');

const SOURCE = join(__dirname, '../../../src');
const textOf = (file) => readFileSync(join(SOURCE, file), 'utf8');

/** What the runtime asks `rare()` for. */
function asked(text) {
  const called = text.matchAll(/\brare\(\)\.(\w+)/g);
  const taken = text.matchAll(/const \{([^}]*)\} =\s+runtime\.rare\(\)/g);
  return [
    ...Array.from(called, ([, name]) => name),
    ...Array.from(taken, ([, names]) => names.match(/\w+/g)).flat(),
  ];
}

test('the natives that are made late are those that the runtime asks for', () => {
  const [, table] = textOf('worker/rare_natives.cc').match(
    /kRareFunctions\[\] = \{(.*?)\n\};/s,
  );
  const made = Array.from(table.matchAll(/\{"(\w+)"/g), ([, name]) => name);
  const files = readdirSync(join(SOURCE, 'runtime')).filter((file) =>
    file.endsWith('.js'),
  );
  const used = files.flatMap((file) => asked(textOf(`runtime/${file}`)));
  expect(made.length).toBeGreaterThan(10);
  expect([...new Set(used)].sort()).toEqual(made.sort());
});
