'use strict';

const { createHash } = require('node:crypto');

const { parse } = require('acorn');

const { workerError } = require('../sloppy-worker-error.js');
const { readText } = require('./files.js');
const { Code } = require('./diagnostics.gen.js');
const { OwnMap, firstKey, matchOf } = require('./primordials.js');

// Text that may be an unsupported form. It may stand in a comment or a
// string as well, so only the parser decides.
const SUSPICIOUS = /\bexport\s*(?:default\b|[{*]|class\b|let\b|var\b)/;

/** @returns {string | undefined} the form's name when it is not supported */
function unsupportedForm(node) {
  switch (node.type) {
    case 'ExportDefaultDeclaration':
      return 'export default';
    case 'ExportAllDeclaration':
      return 'export *';
    case 'ExportNamedDeclaration':
      break;
    default:
      return undefined;
  }
  const { declaration } = node;
  if (declaration === null) return 'export { }';
  if (declaration.type === 'ClassDeclaration') return 'export class';
  if (declaration.type === 'VariableDeclaration') {
    return declaration.kind === 'const'
      ? undefined
      : `export ${declaration.kind}`;
  }
  return undefined;
}

// The parser runs on the owner's thread: 1 MiB takes it some 0.1 s.
const MAX_PARSED = 1024 * 1024;
const SCRIPT = /\.m?js$/;

// What the parser said of a text, by its digest, the oldest first: workers are
// started from the same few files.
const MAX_VERDICTS = 64;
const verdicts = new OwnMap();

/** @returns {string | undefined} the first form that is not supported */
function formIn(text) {
  const digest = createHash('sha256').update(text).digest('base64');
  if (verdicts.has(digest)) return verdicts.get(digest);
  const form = parsedForm(text);
  verdicts.set(digest, form);
  if (verdicts.size > MAX_VERDICTS) {
    verdicts.delete(firstKey(verdicts));
  }
  return form;
}

function parsedForm(text) {
  let program;
  try {
    program = parse(text, {
      sourceType: 'module',
      ecmaVersion: 'latest',
      allowHashBang: true,
    });
  } catch {
    // V8 has the last word on syntax, and the better message.
    return undefined;
  }
  for (const node of program.body) {
    const form = unsupportedForm(node);
    if (form !== undefined) return form;
  }
  return undefined;
}

/**
 * A worker's module exports functions and constants by declaration; other
 * forms are refused at start, as Sloppy does, by what the parser sees. Only
 * files of JavaScript modules are looked at, and none of more than 1 MiB, which
 * no person writes.
 *
 * @param {string} path
 * @param {number} size of the file, in bytes
 * @throws {SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED}
 */
async function checkExports(path, size) {
  if (matchOf(SCRIPT, path) === null || size > MAX_PARSED) return;
  const text = await readText(path);
  if (matchOf(SUSPICIOUS, text) === null) return;
  const form = formIn(text);
  if (form === undefined) return;
  throw workerError(
    Code.StartupFailed,
    `worker module export syntax is unsupported: ${form}; supported exports ` +
      'are named export function, export async function, and export const ' +
      'declarations',
  );
}

module.exports = { checkExports };
