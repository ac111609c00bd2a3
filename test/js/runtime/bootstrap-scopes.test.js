'use strict';
// The realm's own script is a few scopes within each other
// (scripts/lib/bootstrap-bundle.mjs).

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const { parse } = require('acorn');

const file = join(__dirname, '../../../src/runtime/gen/bootstrap.gen.js');

// V8's kScopeInfoMaxInlinedLocalNamesSize.
const INLINED = 75;

function namesOf(pattern) {
  if (pattern.type === 'Identifier') return [pattern.name];
  if (pattern.type === 'AssignmentPattern') return namesOf(pattern.left);
  const parts = pattern.properties ?? pattern.elements;
  return parts.flatMap((part) => namesOf(part.value ?? part));
}

function declaredBy(statement) {
  if (statement.type === 'FunctionDeclaration') return [statement.id.name];
  if (statement.type !== 'VariableDeclaration') return [];
  return statement.declarations.flatMap(({ id }) => namesOf(id));
}

function scopeWithin({ type, expression }) {
  const called = type === 'ExpressionStatement' && expression.callee;
  return called?.type === 'FunctionExpression' ? called.body : undefined;
}

const NO_REFERENCE = {
  MemberExpression: 'property',
  Property: 'key',
  MethodDefinition: 'key',
  PropertyDefinition: 'key',
};

/** Every name in a tree that is none of a property. */
function usedBy(node, used) {
  if (node.type === 'Identifier') used.add(node.name);
  const skipped = node.computed ? undefined : NO_REFERENCE[node.type];
  for (const [key, value] of Object.entries(node)) {
    if (key === skipped) continue;
    for (const each of Array.isArray(value) ? value : [value]) {
      if (typeof each?.type === 'string') usedBy(each, used);
    }
  }
}

/** The scopes from the outermost on: what each declares and what it uses. */
function readScopes() {
  const program = parse(readFileSync(file, 'utf8'), { ecmaVersion: 'latest' });
  const scopes = [];
  let block = program.body[0].expression.body;
  while (block !== undefined) {
    const inner = block.body.map(scopeWithin).find(Boolean);
    const own = block.body.filter((each) => scopeWithin(each) !== inner);
    const statements = inner === undefined ? block.body : own;
    const used = new Set();
    for (const statement of statements) usedBy(statement, used);
    scopes.push({ declared: statements.flatMap(declaredBy), used });
    block = inner;
  }
  return scopes;
}

const scopes = readScopes();

test('a scope has so few names that V8 needs no table for them', () => {
  expect(scopes.length).toBeGreaterThan(3);
  for (const { declared } of scopes) {
    expect(declared.length).toBeLessThanOrEqual(INLINED);
  }
});

test('a scope uses none of the names of those within it', () => {
  for (const [depth, { used }] of scopes.entries()) {
    const within = scopes.slice(depth + 1).flatMap(({ declared }) => declared);
    expect(within.filter((name) => used.has(name))).toEqual([]);
  }
});
