// The changes to the text of Node's library, by module. Each change has to
// match exactly once: a text that has become another one fails the build.

import { withLateBufferFull, withLateEntries } from './clock-changes.mjs';
import {
  between,
  callLater,
  fail,
  INSPECT,
  replaceEach,
  replaceOnce,
  requireLater,
} from './text-changes.mjs';
import { withoutProcess } from './v8-changes.mjs';

// The bytes of a long text are made by one native, because memory that
// JavaScript could read before they are written has to be cleared.
const withLongTexts = (text) =>
  replaceOnce(
    'buffer',
    callLater('buffer', text, INSPECT),
    '  const buf = Buffer.allocUnsafeSlow(length);\n',
    `  if (length >= 65536) {
    const bytes = internalBinding('buffer').bytesOf(string, ops.encodingVal, length);
    return new FastBuffer(bytes.buffer, 0, bytes.byteLength);
  }
  const buf = Buffer.allocUnsafeSlow(length);
`,
  );

// A class of errors is made when its code is first asked for: there are 300.
function withLateErrors(text) {
  const id = 'internal/errors';
  const changes = [
    [
      '\nconst codes = {};\n',
      `
const lateCodes = { __proto__: null };
const codes = new Proxy({ __proto__: null }, {
  __proto__: null,
  get(made, code) {
    const late = lateCodes[code];
    if (late !== undefined) {
      lateCodes[code] = undefined;
      made[code] = ReflectApply(makeClassOf, undefined, late);
    }
    return made[code];
  },
});
`,
    ],
    [
      '\nfunction E(sym, val, def, ...otherClasses) {\n',
      `
function E(...definition) { lateCodes[definition[0]] = definition; }
function makeClassOf(sym, val, def, ...otherClasses) {
`,
    ],
    ['\n  codes[sym] = ErrClass;\n', '\n  return ErrClass;\n'],
  ];
  return replaceEach(id, text, changes);
}

// Where it is first loaded, the global object has our interfaces and those of
// the job as well.
export const withClasses = (id, text, classes) =>
  replaceOnce(
    id,
    text,
    'ObjectGetOwnPropertyNames(globalThis)',
    JSON.stringify(classes),
  );

// Node 20 reads the call of a false assertion from its file; in here V8 has the
// text. Node 26 relies on a message of it.
function withOwnCalls(text) {
  const id = 'internal/assert/utils';
  if (text.includes("require('fs')")) return withoutFiles(id, text);
  const source = 'getErrorSourceExpression(err);\n';
  // A job may have replaced what the text calls.
  const safe = replaceOnce(
    id,
    text,
    `  let source = ${source}`,
    `  let source;\n  try { source = ${source}  } catch { return; }\n`,
  );
  const later = callLater(id, safe, 'internal/errors/error_source');
  if (!text.includes('messageArgs')) return later;
  const known = '      messageArgs = [getErrMessage(fn)];\n';
  const none =
    '      const source = getErrMessage(fn);\n      messageArgs = source === undefined ? [] : [source];\n';
  return replaceOnce(id, later, known, none);
}

const withoutFiles = (id, text) =>
  replaceEach(id, text, [
    ["const { openSync, closeSync, readSync } = require('fs');\n", ''],
    ["const { Buffer } = require('buffer');\n", ''],
    ["const { fileURLToPath } = require('internal/url');\n", ''],
    [between(id, text, 'function findColumn', 'function getErrMessage'), ''],
    [
      between(id, text, '  overrideStackTrace.set', '    // Always normalize'),
      `  const call = require('internal/assert/call').callOf(err);
  if (call === undefined) return;
  const column = call.start - call.line;
  message = StringPrototypeReplace(StringPrototypeSlice(call.source, call.start, call.end), escapeSequencesRegExp, escapeFn);
  {
`,
    ],
    [
      between(id, text, '    // Make sure to always set', 'function innerOk'),
      '    return message;\n  }\n}\n',
    ],
  ]);

// Events are shown another object than the one that has the listeners, where
// that has `kShown`: the global object is no EventTarget.
function withShown(text) {
  const id = 'internal/event_target';
  const changes = [
    [
      'FunctionPrototypeCall(callback, this, arg)',
      'FunctionPrototypeCall(callback, this[kShown] ?? this, arg)',
    ],
    [
      "const kEvents = Symbol('kEvents');",
      "const kEvents = Symbol('kEvents');\nconst kShown = Symbol('kShown');",
    ],
    ['module.exports = {\n', 'module.exports = {\n  kShown,\n'],
  ];
  // All of util would bring Buffer along.
  const shown = callLater(id, replaceEach(id, text, changes), 'util', INSPECT);
  const target = 'event[kTarget] = this;';
  if (shown.split(target).length !== 3) fail(id, `not twice ${target}`);
  return shown.replaceAll(target, 'event[kTarget] = this[kShown] ?? this;');
}

// A signal's time limit keeps a job going that waits for nothing else.
function withHeldTimeout(text) {
  const id = 'internal/abort_controller';
  const held = replaceOnce(id, text, '  timeout.unref();\n', '');
  return callLater(id, held, INSPECT);
}

// It has no scope of Node's, and is asked what it has made.
function withScope(text) {
  const id = 'internal/per_context/domexception';
  const made = 'exports.DOMException = DOMException;\n';
  const asked = replaceOnce(
    id,
    text,
    made,
    `${made}exports.isException = (value) => internalsMap.has(value);\n`,
  );
  if (!text.includes('privateSymbols')) return asked;
  return replaceEach(id, asked, [
    ['} = privateSymbols;', "} = internalBinding('util').privateSymbols;"],
    ['} = perIsolateSymbols;', "} = internalBinding('symbols');"],
  ]);
}

// Its expressions are of another realm, for the sake of RegExp.$1 alone; an
// isolate has but one.
const withOneRealm = (text) =>
  replaceOnce(
    'internal/util',
    text,
    `    const { runInNewContext } = require('vm');
    internalGlobal = runInNewContext('this', undefined, { contextName: 'internal' });
`,
    '    internalGlobal = { RegExp: primordials.RegExp };\n',
  );

const inspectLater = (id) => ({
  [id]: (text) => callLater(id, text, INSPECT),
});

// The class is a library's, which costs more than all of URL.
function patternLater(id, text) {
  const taken = "const { URLPattern } = internalBinding('url_pattern');\n";
  if (!text.includes(taken)) return text;
  const later =
    "  get URLPattern() { return internalBinding('url_pattern').URLPattern; },\n";
  return replaceOnce(
    id,
    replaceOnce(id, text, taken, ''),
    '\n  URLPattern,\n',
    `\n${later}`,
  );
}

function withLateParts(text) {
  const id = 'internal/url';
  // A blob of ours has no handle.
  const later = patternLater(
    id,
    replaceOnce(
      id,
      callLater(
        id,
        requireLater(id, text, 'querystring', 'querystring'),
        INSPECT,
      ),
      'obj[blob.kHandle]',
      'obj',
    ),
  );
  if (!later.includes("require('buffer')")) return later;
  const bytes = requireLater(id, later, 'Buffer', 'buffer');
  return bytes.includes('const { percentDecode }')
    ? requireLater(id, bytes, 'percentDecode', 'internal/data_url')
    : bytes;
}

const withLateQueries = (text) =>
  patternLater('url', requireLater('url', text, 'querystring', 'querystring'));

// The numbers of signals bring node:os along.
function withLateSignals(id, text) {
  const taken = "const { signals } = internalBinding('constants').os;\n";
  return replaceOnce(id, text, taken, '').replaceAll(
    /\bsignals(?=[[)])/g,
    "internalBinding('constants').os.signals",
  );
}

// Most jobs print, and nothing else: what else the module brings along is left
// until it is wanted, and streams that cannot fail need no listeners.
function withLateConsole(text) {
  const id = 'internal/console/constructor';
  const changed = replaceEach(id, text, [
    // A buffer is a typed array.
    ["const { Buffer: { isBuffer } } = require('buffer');\n", ''],
    [' || isBuffer(v);', ';'],
    [
      '      if (ignoreErrors === false) return stream.write(string);\n',
      `      if (ignoreErrors === false || isOutput(stream)) return stream.write(string);\n`,
    ],
    [
      'const optionsMap = new SafeWeakMap();\n',
      "const { isOutput } = require('internal/console/own');\nconst optionsMap = new SafeWeakMap();\n",
    ],
  ]);
  // Up to Node 20 it has neither.
  if (!text.includes('diagnostics_channel')) return changed;
  const late = replaceEach(id, changed, [
    ["require('diagnostics_channel')", "require('internal/console/own')"],
    [
      "const { time, timeLog, timeEnd, kNone } = require('internal/util/debuglog');\n",
      '',
    ],
  ]);
  const call =
    /^ {4}(time|timeLog|timeEnd)\((this\._times, kTraceConsoleCategory, '[^']+', )kNone,/gm;
  if (late.match(call)?.length !== 3) fail(id, 'not three calls of time');
  const module = "require('internal/util/debuglog')";
  return late.replaceAll(call, `    ${module}.$1($2${module}.kNone,`);
}

// Bodies read with requests of their own, and most streams are not of Buffers.
function withRequests(text) {
  const id = 'internal/webstreams/readablestream';
  const later = requireLater(id, text, 'Buffer', 'buffer');
  if (later.includes('\n  kChunk,\n')) return later;
  const exported = 'module.exports = {\n';
  const names = '  kChunk,\n  kClose,\n  kError,\n';
  return replaceOnce(id, later, exported, `${exported}${names}`);
}

// Streams that are only read need no signal.
function withLateAbort(text) {
  const id = 'internal/webstreams/writablestream';
  const taken =
    "const {\n  AbortController,\n} = require('internal/abort_controller');\n";
  return replaceOnce(
    id,
    replaceOnce(id, text, taken, ''),
    'new AbortController()',
    "new (require('internal/abort_controller').AbortController)()",
  );
}

// Only `inspect` of util, which brings Buffer along.
const withInspectOnly = (id) => ({
  [id]: (text) =>
    replaceOnce(
      id,
      text,
      "require('util')",
      "require('internal/util/inspect')",
    ),
});

// The classes of compression bring all of node:stream along when they are used.
function withLateAdapters(text) {
  const id = 'internal/webstreams/compression';
  const module = 'internal/webstreams/adapters';
  const taken =
    /const \{([^{}]*)\} = require\('internal\/webstreams\/adapters'\);\n/;
  const found = taken.exec(text);
  if (found === null) fail(id, `no ${taken}`);
  const names = found[1].match(/\w+/g).join('|');
  return replaceOnce(id, text, found[0], '').replaceAll(
    new RegExp(`\\b(?:${names})\\b`, 'g'),
    `require('${module}').$&`,
  );
}

// A bundle, whose quotes are another tool's.
const withQuotes = (id) => ({
  [id]: (text) => {
    if (!text.startsWith('"use strict";\n')) fail(id, 'not strict');
    return text.replace(/^"use strict";/, "'use strict';");
  },
});

/** Changes that make a module's text ours, by its id. */
export const CHANGES = {
  'internal/abort_controller': withHeldTimeout,
  'internal/assert/utils': withOwnCalls,
  'internal/console/constructor': withLateConsole,
  'internal/errors': withLateErrors,
  'internal/event_target': withShown,
  'internal/per_context/domexception': withScope,
  'internal/perf/observe': withLateBufferFull,
  'internal/perf/performance': withLateEntries,
  'internal/url': withLateParts,
  'internal/util': (text) =>
    withLateSignals('internal/util', withOneRealm(text)),
  'internal/validators': (text) => withLateSignals('internal/validators', text),
  'internal/webstreams/compression': withLateAdapters,
  'internal/webstreams/readablestream': withRequests,
  'internal/webstreams/writablestream': withLateAbort,
  buffer: withLongTexts,
  url: withLateQueries,
  v8: withoutProcess,
  ...withQuotes('internal/deps/minimatch/index'),
  ...inspectLater('events'),
  ...withInspectOnly('internal/perf/nodetiming'),
  ...withInspectOnly('internal/perf/performance_entry'),
  ...withInspectOnly('internal/webstreams/util'),
};
