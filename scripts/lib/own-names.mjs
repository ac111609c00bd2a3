// Takes esbuild's calls that name functions (`keepNames`) out of a script,
// where the function has that name anyway: each is a microsecond of a bundle's
// start. Those of functions that esbuild has renamed stay.

import { parse } from 'acorn';

const HELPER = '__name';

const isCall = (node) =>
  node?.type === 'CallExpression' && node.callee.name === HELPER;
const nameIn = (call) => call.arguments[1].value;

const isAnonymous = (node) =>
  node.type === 'ArrowFunctionExpression' ||
  ((node.type === 'FunctionExpression' || node.type === 'ClassExpression') &&
    !node.id);

const WRITTEN = {
  AssignmentExpression: ({ left, operator }) => operator === '=' && left,
  AssignmentPattern: ({ left }) => left,
  Property: ({ key, computed, kind }) => !computed && kind === 'init' && key,
  VariableDeclarator: ({ id }) => id,
};

// A function without a name gets that of what it is written to.
function givesName(parent, name) {
  const target = WRITTEN[parent?.type]?.(parent);
  return target?.type === 'Identifier' && target.name === name;
}

/** @returns {[from: number, to: number, text: string] | undefined} */
function changeOf(call, parents, text) {
  const [parent, block, , definition, holder] = parents;
  const name = nameIn(call);
  const [of] = call.arguments;
  if (of.type === 'ThisExpression') {
    // static { __name(this, 'Class') }
    const isOwn = definition.id
      ? definition.id.name === name
      : givesName(holder, name);
    return isOwn ? [block.start, block.end, ''] : undefined;
  }
  if (of.type === 'Identifier') {
    if (of.name !== name) return undefined;
    return parent.type === 'ExpressionStatement'
      ? [parent.start, parent.end, '']
      : [call.start, call.end, '0'];
  }
  const isNamed =
    of.id?.name === name || (isAnonymous(of) && givesName(parent, name));
  return isNamed
    ? [call.start, call.end, text.slice(of.start, of.end)]
    : undefined;
}

function* callsIn(node, parents = []) {
  if (isCall(node)) yield [node, parents];
  const here = [node, ...parents.slice(0, 5)];
  for (const value of Object.values(node)) {
    for (const child of [value].flat()) {
      if (typeof child?.type === 'string') yield* callsIn(child, here);
    }
  }
}

/**
 * @param {string} text a script of esbuild's, whose identifiers it has not
 *   minified
 */
export function withOwnNames(text) {
  let changed = text;
  for (;;) {
    // Those inside others are found when these are gone.
    const changes = [];
    let end = 0;
    for (const [call, parents] of callsIn(
      parse(changed, { ecmaVersion: 'latest' }),
    )) {
      const change = changeOf(call, parents, changed);
      if (change === undefined || change[0] < end) continue;
      changes.push(change);
      [, end] = change;
    }
    if (changes.length === 0) return changed;
    for (const [from, to, own] of changes.reverse()) {
      changed = `${changed.slice(0, from)}${own}${changed.slice(to)}`;
    }
  }
}
