'use strict';
// The scripts of src/runtime, run over Node's realm in place of the addon's. They
// are compiled as functions of `native` and `runtime`, as in an isolate, because
// one text then serves both.

const fs = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

const byteParts = require('../../protocol/codec/byte-parts.js');
const captured = require('../../protocol/codec/captured.js');
const clonePlace = require('../../protocol/codec/clone-place.js');
const grammar = require('../../protocol/codec/grammar.js');
const refusalPlace = require('../../protocol/codec/refusal-place.js');
const sees = require('../../protocol/sees-parameter.js');
const wire = require('../../protocol/wire.gen.js');
const { usersListeners } = require('./uncaught.js');

const { apply } = Reflect;

const RUNTIME = path.join(__dirname, '../../../src/runtime');
// Bundlers ignore it; Turbopack takes a require of a path for a missing module.
const load = createRequire(path.join(RUNTIME, 'bootstrap.js'));
// Loaded here, because the published library has them in one file then, and not
// in one each.
const KNOWN = {
  __proto__: null,
  '../../lib/protocol/codec/byte-parts.js': byteParts,
  '../../lib/protocol/codec/captured.js': captured,
  '../../lib/protocol/codec/clone-place.js': clonePlace,
  '../../lib/protocol/codec/grammar.js': grammar,
  '../../lib/protocol/codec/refusal-place.js': refusalPlace,
  '../../lib/protocol/sees-parameter.js': sees,
  '../../lib/protocol/wire.gen.js': wire,
};
const PARTS = [
  'errors',
  'uncaught',
  'missing-export',
  'context',
  'parameters',
  'shared',
  'identity',
  'moves',
  'channels',
  'lifecycle',
  'outcomes',
  'module',
  'entries',
  'bootstrap',
];

// Replaces the isolates' bundles: the jobs' listeners on Node's process.
const listeners = {
  listenerCount: usersListeners,
  emit: (...event) => apply(process.emit, process, event),
};
const loaded = (name) => (name === 'node:process' ? listeners : undefined);

/**
 * @param {object} native the functions that the addon has for an isolate
 * @param {object} options of the realm
 * @param {(carry: number) => object} createCodec see createPlainCodec
 * @returns {object} the runtime, with `hooks`
 */
function loadRuntime(native, options, createCodec) {
  const { CLONED, PLAINLY } = grammar.Carry;
  const carry = options.clone === true ? CLONED : PLAINLY;
  const runtime = {
    __proto__: null,
    codec: createCodec(carry),
    globals: { load: { loaded } },
    rare: () => native,
    more: () => native,
  };
  for (const part of PARTS) {
    const file = path.join(RUNTIME, `${part}.js`);
    const text = fs.readFileSync(file, 'utf8');
    const run = vm.compileFunction(text, ['native', 'runtime', 'require'], {
      filename: file,
    });
    const required = (name) => KNOWN[name] ?? load(path.join(RUNTIME, name));
    run(native, runtime, required);
  }
  return runtime;
}

module.exports = { loadRuntime };
