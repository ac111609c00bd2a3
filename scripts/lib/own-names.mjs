// Takes esbuild's calls that name functions (`keepNames`) out of a script,
// where the function has that name anyway: each is a microsecond of a bundle's
// start. Those of functions that esbuild has renamed stay. A class that mentions
// itself, which esbuild calls _Class inside, gets its name back, because V8's
// messages know no other.

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

const isWord = ([parent, key]) =>
  (key === 'key' || key === 'property') && !parent.computed;

// `class _Class { static { __name(this, 'Class') } }`. Another Class inside,
// which the inner name would hide, keeps it as it is.
function renamed(definition, name) {
  if (definition.id.name !== `_${name}`) return [];
  const mentions = [];
  for (const [node, place] of identifiersIn(definition)) {
    if (isWord(place)) continue;
    const isMention = node.name === definition.id.name;
    if (node.name === name || (isMention && place[0].shorthand)) return [];
    if (isMention) mentions.push(node);
  }
  return mentions.map(({ start, end }) => [start, end, name]);
}

/** @returns {[from: number, to: number, text: string][]} in their order */
function changesOf(call, parents, text) {
  const [parent, block, , definition, holder] = parents;
  const name = nameIn(call);
  const [of] = call.arguments;
  if (of.type === 'ThisExpression') {
    // static { __name(this, 'Class') }
    const gone = [block.start, block.end, ''];
    if (!definition.id) return givesName(holder, name) ? [gone] : [];
    if (definition.id.name === name) return [gone];
    const mentions = renamed(definition, name);
    if (mentions.length === 0) return [];
    return [...mentions, gone].sort(([a], [b]) => a - b);
  }
  if (of.type === 'Identifier') {
    if (of.name !== name) return [];
    return parent.type === 'ExpressionStatement'
      ? [[parent.start, parent.end, '']]
      : [[call.start, call.end, '0']];
  }
  const isNamed =
    of.id?.name === name || (isAnonymous(of) && givesName(parent, name));
  return isNamed ? [[call.start, call.end, text.slice(of.start, of.end)]] : [];
}

function* childrenOf(node) {
  for (const [key, value] of Object.entries(node)) {
    for (const child of [value].flat()) {
      if (typeof child?.type === 'string') yield [child, key];
    }
  }
}

function* identifiersIn(node) {
  for (const [child, key] of childrenOf(node)) {
    if (child.type === 'Identifier') yield [child, [node, key]];
    else yield* identifiersIn(child);
  }
}

function* callsIn(node, parents = []) {
  if (isCall(node)) yield [node, parents];
  const here = [node, ...parents.slice(0, 5)];
  for (const [child] of childrenOf(node)) yield* callsIn(child, here);
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
      const wanted = changesOf(call, parents, changed);
      if (wanted.length === 0 || wanted[0][0] < end) continue;
      changes.push(...wanted);
      [, end] = wanted.at(-1);
    }
    if (changes.length === 0) return changed;
    for (const [from, to, own] of changes.reverse()) {
      changed = `${changed.slice(0, from)}${own}${changed.slice(to)}`;
    }
  }
}
