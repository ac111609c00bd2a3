// Changes to a text of Node's library: each place has to be there exactly once,
// and a module that is seldom needed is loaded by those who need it.

import { parse } from 'acorn';

import { Problem } from './fail.mjs';

/** Fails by the name that messages have for Node's text. */
export const fail = (id, what) => {
  throw new Problem(`Node's ${id} is not what is expected: ${what}`);
};

export function replaceOnce(id, text, from, to) {
  const pieces = text.split(from);
  if (pieces.length !== 2) fail(id, `${pieces.length - 1} times ${from}`);
  return pieces.join(to);
}

export const replaceEach = (id, text, changes) =>
  changes.reduce((all, [from, to]) => replaceOnce(id, all, from, to), text);

/** The part of a text from one of its pieces to before another. */
export function between(id, text, from, to) {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start);
  if (start < 0 || end < 0) fail(id, `no ${from}, or no ${to} after it`);
  return text.slice(start, end);
}

// A module that only a rare call needs is loaded by that call.
export function requireLater(id, text, name, module) {
  const isWhole = text.includes(`const ${name} = require('${module}');\n`);
  const taken = isWhole ? name : `{ ${name} }`;
  const rest = replaceOnce(
    id,
    text,
    `const ${taken} = require('${module}');\n`,
    '',
  );
  const member = isWhole ? '' : `.${name}`;
  return rest.replaceAll(
    new RegExp(`(?<![\\w.'/])${name}(?=[.()])`, 'g'),
    `require('${module}')${member}`,
  );
}

/**
 * The destructuring of a module's exports in a text.
 *
 * @returns {[statement: string, names: string]}
 */
export function takenOf(id, text, module) {
  const found = new RegExp(
    `const \\{([^{}]*)\\} = require\\('${module}'\\);\\n`,
  ).exec(text);
  if (found === null) fail(id, `nothing taken of ${module}`);
  return found;
}

// The same of functions that are taken out of a module, which may be another one
// than the text says.
export function callLater(id, text, module, instead = module) {
  const [taken, names] = takenOf(id, text, module);
  let rest = replaceOnce(id, text, taken, '');
  for (const [, name, alias = name] of names.matchAll(/(\w+)(?:: (\w+))?/g)) {
    const call = new RegExp(`(?<![\\w.'$]|function )${alias}(?=\\()`, 'g');
    if (!call.test(rest)) fail(id, `no call of ${alias}`);
    rest = rest.replaceAll(call, `require('${instead}').${name}`);
    if (name === 'inspect') {
      rest = rest.replaceAll(/(?<![\w.])inspect\.custom\b/g, CUSTOM);
    }
    if (isNamed(rest, alias)) fail(id, `${alias} is more than called`);
  }
  return rest;
}

// The key of util.inspect.custom.
const CUSTOM = "require('internal/util').customInspectSymbol";

// Whether a name stands for a value in a module's text: not a member, a key or a
// function's own name.
function isNamed(text, name) {
  const tokens = [];
  parse(`(function () {${text}\n})`, {
    ecmaVersion: 'latest',
    onToken: tokens,
  });
  return tokens.some(({ value, type }, at) => {
    if (value !== name || type.label !== 'name') return false;
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    return (
      !/^(\.|\?\.|function)$/.test(before.type.label) &&
      after.type.label !== ':'
    );
  });
}

export const INSPECT = 'internal/util/inspect';
