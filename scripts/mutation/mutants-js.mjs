// Mistakes in JavaScript: statements that are missing, conditions the other way
// round, numbers off by one.

import { parse } from 'acorn';

const SWAPS = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '&&': '||',
  '||': '&&',
  '+=': '-=',
  '-=': '+=',
};

// Larger numbers are settings, which no behaviour depends on by one.
const SMALL = [0, 1, 2];

const isRequire = (node) =>
  node.expression?.type === 'CallExpression' &&
  node.expression.callee.name === 'require';

const isExport = ({ expression }) =>
  expression?.type === 'AssignmentExpression' &&
  expression.left.type === 'MemberExpression' &&
  expression.left.object.name === 'module';

const returnsSomething = ({ argument }) =>
  argument !== null && argument.name !== 'undefined';

/** The operator stands between the operands, perhaps after a bracket. */
function operatorAt(text, node) {
  return text.indexOf(node.operator, node.left.end);
}

function* ofNode(text, node) {
  const { type, start, end } = node;
  if (type === 'ExpressionStatement' && node.directive === undefined) {
    if (!isRequire(node) && !isExport(node)) {
      yield { kind: 'statement is missing', start, end, by: ';' };
    }
  } else if (type === 'IfStatement' || type === 'ConditionalExpression') {
    const { test } = node;
    const by = `!(${text.slice(test.start, test.end)})`;
    const at = { start: test.start, end: test.end };
    yield { kind: 'condition is negated', ...at, by };
  } else if (type === 'WhileStatement') {
    const { test } = node;
    yield { kind: 'loop never runs', ...test, by: 'false' };
  } else if (type === 'ReturnStatement' && returnsSomething(node)) {
    yield { kind: 'nothing is returned', start, end, by: 'return;' };
  } else if (
    type === 'BinaryExpression' ||
    type === 'LogicalExpression' ||
    type === 'AssignmentExpression'
  ) {
    const by = SWAPS[node.operator];
    if (by === undefined) return;
    const at = operatorAt(text, node);
    const to = at + node.operator.length;
    yield { kind: `${node.operator} is ${by}`, start: at, end: to, by };
  } else if (type === 'UpdateExpression') {
    const by = node.operator === '++' ? '--' : '++';
    const at = node.prefix ? start : end - 2;
    yield { kind: `${node.operator} is ${by}`, start: at, end: at + 2, by };
  } else if (type === 'Literal' && SMALL.includes(node.value)) {
    yield { kind: 'off by one', start, end, by: String(node.value + 1) };
  } else if (type === 'Literal' && typeof node.value === 'boolean') {
    yield { kind: 'the other way', start, end, by: String(!node.value) };
  }
}

const NAMED = new Set(['FunctionDeclaration', 'FunctionExpression']);

/** As V8 names it, which calls a constructor by its class. */
function nameOf(node, parent, ofClass) {
  if (parent?.kind === 'constructor') return ofClass;
  if (parent?.type === 'MethodDefinition') return parent.key.name;
  if (NAMED.has(node.type) && node.id !== null) return node.id.name;
  if (parent?.type === 'VariableDeclarator') return parent.id.name;
  return undefined;
}

/**
 * @param {string} text of a CommonJS file
 * @returns {object[]} `{ kind, start, end, by, line, within }`, the last the
 *   name of the function around it, '' for none
 */
export function mutantsOf(text) {
  const found = [];
  const walk = (node, parent, within, around) => {
    let name = within;
    const isClass = /^Class(Declaration|Expression)/.test(node.type);
    const ofClass = isClass ? node.id?.name : around;
    if (/Function/.test(node.type)) {
      name = nameOf(node, parent, ofClass) ?? within;
    }
    for (const { kind, start, end, by } of ofNode(text, node)) {
      const line = text.slice(0, start).split('\n').length;
      found.push({ kind, start, end, by, line, within: name });
    }
    for (const key of Object.keys(node)) {
      const value = node[key];
      for (const child of Array.isArray(value) ? value : [value]) {
        if (typeof child?.type === 'string') walk(child, node, name, ofClass);
      }
    }
  };
  const options = { ecmaVersion: 'latest', allowReturnOutsideFunction: true };
  walk(parse(text, { ...options, sourceType: 'script' }), null, '');
  return found.sort((a, b) => a.start - b.start);
}
