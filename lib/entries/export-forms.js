'use strict';
// Finds unsupported forms of exports by parsing a module. In a file of its own,
// because few programs need it and the parser takes longer to load than a
// worker to start.

const { createHash } = require('node:crypto');

const { parse } = require('acorn');

/** @returns {string | undefined} the form's name if it is not supported */
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

// Verdicts by the digest of the text, oldest first, because workers are started
// from the same few files.
const MAX_VERDICTS = 64;
const verdicts = new Map();

/**
 * @param {string} text of a module
 * @returns {string | undefined} the first form that is not supported
 */
function formIn(text) {
  const digest = createHash('sha256').update(text).digest('base64');
  if (verdicts.has(digest)) return verdicts.get(digest);
  const form = parsedForm(text);
  verdicts.set(digest, form);
  if (verdicts.size > MAX_VERDICTS) {
    verdicts.delete(verdicts.keys().next().value);
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
    // V8 decides on syntax, and has the better message.
    return undefined;
  }
  for (const node of program.body) {
    const form = unsupportedForm(node);
    if (form !== undefined) return form;
  }
  return undefined;
}

module.exports = { formIn };
