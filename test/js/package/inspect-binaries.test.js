'use strict';
// scripts/lib/inspect.mjs and what it is made of find what would not load.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const root = path.join(__dirname, '../../..');
const lib = (name) =>
  JSON.stringify(`file://${path.join(root, 'scripts/lib', name)}`);

/** Jest loads no ES modules: a process does. */
function evaluate(name, expression, env = {}) {
  const program = `import * as it from ${lib(name)};
    const show = (_, value) => value instanceof Set ? [...value] : value;
    process.stdout.write(JSON.stringify(await (${expression}), show));`;
  const args = ['--input-type=module', '-e', program];
  const options = { encoding: 'utf8', env: { ...process.env, ...env } };
  return JSON.parse(execFileSync(process.execPath, args, options));
}

let folder;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sw-inspect-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function fileOf(name, contents) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, contents);
  return JSON.stringify(file);
}

const listing = `
   Num:    Value          Size Type    Bind   Vis      Ndx Name
     1: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND malloc@GLIBC_2.17 (2)
     2: 0000000000000000     0 NOTYPE  GLOBAL DEFAULT  UND _ZN2v83FooEv
     3: 0000000000000000     0 NOTYPE  WEAK   DEFAULT  UND maybe
    10: 00000000000a1b2c    16 FUNC    GLOBAL DEFAULT   13 napi_register_module_v1
    11: 00000000000a1b2d    16 OBJECT  GLOBAL HIDDEN    13 inside
    12: 00000000000a1b2e    16 FUNC    WEAK   DEFAULT   13 _Znwm@@V1
`;

test("what readelf lists is read: needed, exported, another's version", () => {
  const file = fileOf('listing', listing);
  expect(
    evaluate(
      'elf.mjs',
      `it.readSymbols((await import('node:fs')).readFileSync(${file}, 'utf8'))`,
    ),
  ).toEqual({
    exported: ['napi_register_module_v1', '_Znwm'],
    needed: [
      { name: 'malloc', version: 'GLIBC_2.17', weak: false },
      { name: '_ZN2v83FooEv', weak: false },
      { name: 'maybe', weak: true },
    ],
  });
});

/** A binary for arm64 macOS, with what `options` says. */
function machO({ minimum = 0x000d0500, library, flat, signed, from = 0xfe }) {
  const word = (...values) => {
    const bytes = Buffer.alloc(values.length * 4);
    for (const [i, value] of values.entries())
      bytes.writeUInt32LE(value, i * 4);
    return bytes;
  };
  const name = Buffer.from(`${library}\0`.padEnd(40, '\0'));
  const commands = [
    Buffer.concat([word(12, 24 + name.length, 24, 0, 0, 0), name]),
    word(0x32, 24, 1, minimum, 0, 0),
    ...(signed ? [word(0x1d, 16, 0, 0)] : []),
  ];
  const size = commands.reduce((sum, each) => sum + each.length, 24);
  const symbols = 32 + size;
  const strings = Buffer.from(`\0_${flat}\0_mine\0`);
  const nlist = (at, type, description) => {
    const bytes = Buffer.alloc(16);
    bytes.writeUInt32LE(at, 0);
    bytes[4] = type;
    bytes.writeUInt16LE(description, 6);
    return bytes;
  };
  commands.push(word(2, 24, symbols, 2, symbols + 32, strings.length));
  return Buffer.concat([
    word(0xfeedfacf, 0x0100000c, 0, 6, commands.length, size, 0, 0),
    ...commands,
    nlist(1, 0x01, from << 8),
    nlist(3 + flat.length, 0x0f, 0),
    strings,
  ]);
}

const platform = "{ os: 'darwin', cpu: 'arm64' }";
const system = '/usr/lib/libSystem.B.dylib';
const node = () =>
  fileOf('node', machO({ library: system, flat: 'x', signed: true }));
const inspected = (options) => {
  const file = fileOf('addon', machO(options));
  const call = `it.inspectBinary(${platform}, ${file}, ${node()})`;
  return evaluate('inspect.mjs', call).problems;
};

test("a Mac's binary that fits has no problem", () => {
  expect(inspected({ library: system, flat: 'mine', signed: true })).toEqual(
    [],
  );
});

test("what is wrong with a Mac's binary is told, each in its words", () => {
  const there = { library: system, flat: 'mine', signed: true };
  expect(inspected({ ...there, signed: false })).toEqual(['is not signed']);
  expect(inspected({ ...there, flat: 'none' })).toEqual([
    '1 names are nowhere: none',
  ]);
  expect(inspected({ ...there, flat: 'none', from: 0 })).toEqual([
    '1 names are nowhere: none',
  ]);
  expect(inspected({ ...there, flat: 'none', from: 1 })).toEqual([
    'asks for no name of Node',
  ]);
  expect(inspected({ ...there, minimum: 0x000e0000 })).toEqual([
    'needs macOS 14.0, newer than 13.5',
  ]);
  expect(inspected({ ...there, library: '/opt/libc++.dylib' })).toEqual([
    'loads /opt/libc++.dylib',
  ]);
});

test('a folder of this machine in a binary is told', () => {
  const there = { library: system, flat: 'mine', signed: true };
  const bytes = Buffer.concat([machO(there), Buffer.from(`${root}/src/a.h`)]);
  const call = `it.inspectBinary(${platform}, ${fileOf('addon', bytes)}, ${node()})`;
  expect(evaluate('inspect.mjs', call).problems.join()).toContain(
    `names a folder of this machine: ${root}`,
  );
});

test('every platform is built here or refused with a reason', () => {
  const { PLATFORMS } = require('../../../lib/addon/platforms.js');
  const ids = evaluate('cross.mjs', 'it.ALL_IDS');
  expect(ids).toEqual(expect.arrayContaining(PLATFORMS.map(({ id }) => id)));
  expect(ids).toContain('win32-arm64');
  for (const id of ['win32-x64', 'win32-arm64']) {
    expect(evaluate('cross.mjs', `it.whyNot('${id}')`)).toContain('MSVC');
  }
});
