// The second half of Node's copies of the built-ins
// (internal/per_context/primordials): classes that no replaced prototype
// changes (SafeMap, …), and functions over them. Only what the library uses is
// kept, and a class gets its members by straight code: Node's own text asks
// what the members are, which takes longer than all other copies.

import { parse } from 'acorn';

const SYNTAX = { ecmaVersion: 'latest' };

// Runs once in each realm. Members that are only functions and values come from
// an object that a literal makes at once; the class's own prototype inherits
// them, and none of both has a prototype that code could replace.
const HELPERS = `
const safeOf = (unsafe, safe, members, accessors, statics) => {
  const ownOf = (from, key) => ({ __proto__: null, ...ReflectGetOwnPropertyDescriptor(from, key) });
  for (let at = 0; at < accessors.length; at += 1) {
    ReflectDefineProperty(members, accessors[at], ownOf(unsafe.prototype, accessors[at]));
  }
  for (let at = 0; at < statics.length; at += 1) {
    ReflectDefineProperty(safe, statics[at], ownOf(unsafe, statics[at]));
  }
  ObjectFreeze(members);
  ObjectSetPrototypeOf(safe.prototype, members);
  ObjectFreeze(safe.prototype);
  return ObjectFreeze(safe);
};
const iteratorOf = (method, next) => {
  const create = uncurryThis(method);
  let SafeIterator;
  return function () {
    SafeIterator ??= createSafeIterator(create, next);
    return new SafeIterator(this);
  };
};
`;

const isWord = (key) => /^[A-Za-z_$][\w$]*$/.test(key);
const isSymbol = (key) => key.startsWith('Symbol.');

// `Symbol.iterator` as it is, other keys quoted.
const literal = (key) => (isSymbol(key) ? key : JSON.stringify(key));
const member = (key) => (isWord(key) ? `.${key}` : `[${literal(key)}]`);

// Keys that every class and every function have of themselves.
const OWN = ['constructor', 'length', 'name', 'prototype'];

// A class that nothing else sees needs of its own static members those that the
// text names, and those that V8 reads of a class.
const staticsOf = (unsafe, rows, text) => {
  const name = `Safe${unsafe}`;
  const isShown = text.includes(`primordials.${name} =`);
  const isRead = (key) =>
    isShown ||
    isSymbol(key) ||
    key === 'resolve' ||
    text.includes(`${name}.${key}(`);
  return rows[unsafe]
    .map(([key]) => key)
    .filter((key) => !OWN.includes(key) && isRead(key));
};

function safeCall(unsafe, safe, rows, text) {
  const of = `${unsafe}.prototype`;
  const accessors = [];
  const members = ['__proto__: null'];
  for (const [key, kind] of rows[of]) {
    if (OWN.includes(key)) continue;
    const at = `${of}${member(key)}`;
    const name = isSymbol(key) ? `[${key}]` : key;
    if (kind === 'g' || kind === 's') accessors.push(literal(key));
    else if (kind !== 'i') members.push(`${name}: ${at}`);
    else {
      const next = `primordials.${unsafe}IteratorPrototypeNext`;
      members.push(`${name}: iteratorOf(${at}, ${next})`);
    }
  }
  const statics = staticsOf(unsafe, rows, text).map(literal);
  return `safeOf(${unsafe}, ${safe}, { ${members.join(', ')} }, [${accessors.join(', ')}], [${statics.join(', ')}])`;
}

// The calls of makeSafe in a text, as nodes of its syntax.
const callsOf = (text) =>
  parse(text, SYNTAX)
    .body.map(
      ({ expression, declarations }) =>
        expression?.right ?? declarations?.[0].init,
    )
    .filter((node) => node?.callee?.name === 'makeSafe');

function withMembers(text, rows) {
  let changed = text;
  const calls = callsOf(text);
  for (const { start, end, arguments: taken } of calls.reverse()) {
    const [unsafe, safe] = taken.map((node) =>
      text.slice(node.start, node.end),
    );
    const call = safeCall(unsafe, safe, rows, text);
    changed = `${changed.slice(0, start)}${call}${changed.slice(end)}`;
  }
  const helper = 'const makeSafe =';
  const pieces = changed.split(helper);
  if (calls.length === 0 || pieces.length !== 2) {
    throw new Error('primordials: no classes that are made safe');
  }
  return `${pieces[0]}${HELPERS}${helper}${pieces[1]}`;
}

// Rows of [name, text] of what a statement declares: the text is that of the
// name's part in a destructuring.
function declaredBy(node, text) {
  const { id } = node.declarations?.[0] ?? node;
  if (!id) return [];
  const parts = id.properties ?? [{ ...id, value: id }];
  return parts.map(({ value, start, end }) => [
    value.name,
    text.slice(start, end),
  ]);
}

const mentions = (text, name) => new RegExp(`\\b${name}\\b`).test(text);

// `X` of `primordials.X = …`.
const givenBy = ({ expression }) =>
  expression?.left?.object?.name === 'primordials'
    ? expression.left.property.name
    : undefined;

// A statement of which others may need names, or that gives one.
function partOf(node, text) {
  return {
    text: text.slice(node.start, node.end),
    given: givenBy(node),
    declared: declaredBy(node, text),
    isPattern: node.declarations?.[0].id.type === 'ObjectPattern',
    isKept: false,
  };
}

// Statements that neither give nor declare belong to the name before them, but
// for those that close the object, which is nobody's but the library's.
function isNeeded(part, parts, kept, used) {
  if (part.given !== undefined) {
    return used.has(part.given) || mentions(kept, part.given);
  }
  if (part.declared.length > 0) {
    return part.declared.some(([name]) => mentions(kept, name));
  }
  if (mentions(part.text, 'primordials')) return false;
  return parts.some(
    ({ isKept, isPattern, declared }) =>
      isKept &&
      !isPattern &&
      declared.some(([name]) => mentions(part.text, name)),
  );
}

// Only the names of a destructuring that something else needs.
function trimmed({ text, declared, isPattern }, others) {
  if (!isPattern) return text;
  const needed = declared.filter(([name]) => mentions(others, name));
  const from = text.slice(text.lastIndexOf('}') + 1);
  return `const { ${needed.map(([, own]) => own).join(', ')} }${from}`;
}

const textOf = (parts) => parts.map(({ text }) => text).join('\n');

function shake(text, used) {
  const parts = parse(text, SYNTAX).body.map((node) => partOf(node, text));
  const wanted = () => textOf(parts.filter((part) => part.isKept));
  for (let grown = true; grown; ) {
    const kept = wanted();
    grown = false;
    for (const part of parts) {
      if (part.isKept || !isNeeded(part, parts, kept, used)) continue;
      part.isKept = true;
      grown = true;
    }
  }
  const kept = parts.filter((part) => part.isKept);
  return kept
    .map((part) => trimmed(part, textOf(kept.filter((one) => one !== part))))
    .join('\n');
}

/**
 * @param {string} text the second half
 * @param {Record<string, string[][]>} rows what reflect() gave
 * @param {Set<string>} used the names that the library takes
 * @returns {string} statements
 */
export const renderSafeClasses = (text, rows, used) =>
  shake(withMembers(shake(text, used), rows), used);
