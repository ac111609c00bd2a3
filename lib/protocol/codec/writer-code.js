'use strict';
// Generates the code that writes objects of one shape.

const { stringify } = require('./captured.js');
const { FALSE, SHAPE, STRING, TAG, TRUE } = require('./grammar.js');

// Maximum slots of a value, without the values inside it.
const MARGIN = 8;

const isInline = (type) =>
  type === 'number' || type === 'string' || type === 'boolean';

// A property of the same type as last time is written inline; any other by a
// call, which leaves room for the `left` properties to come.
function writeProperty(type, left, enter) {
  const by = (call) =>
    `${enter}output.at = at; ${call}(x, ${left + MARGIN}); at = output.at; slots = output.slots;`;
  if (type === 'number') {
    return `if (typeof x === 'number' && x < ${TAG} && x > -Infinity) slots[at++] = x;
else { ${by('value')} }\n`;
  }
  if (type === 'string') {
    return `if (typeof x === 'string' && x.length <= longest) {
slots[at++] = ${TAG} * (${STRING} + x.length);
text(x);
} else { ${by('value')} }\n`;
  }
  if (type === 'boolean') {
    return `if (x === true) slots[at++] = ${TAG * TRUE};
else if (x === false) slots[at++] = ${TAG * FALSE};
else { ${by('value')} }\n`;
  }
  return `${by('value')}\n`;
}

// The function returns whether the object has this shape and is plain; only
// then has it written anything. An object's own keys come before those of its
// prototypes, so that all are own if the last one is. The prototype is checked
// after the first property, where the engine knows it by the object's hidden
// class. An object whose values are all written inline is not recorded as an
// ancestor, because that would cost a write barrier.
function writerCode(id, keys, types) {
  const count = keys.length;
  let values = '';
  let isFlat = true;
  for (let i = 0; i < count; i++) if (!isInline(types[i])) isFlat = false;
  const late = isFlat ? 'if (!entered) { entered = true; enter(o); } ' : '';
  for (let i = 0; i < count; i++) {
    if (i > 0) values += `x = o[${stringify(keys[i])}];\n`;
    values += writeProperty(types[i], count - 1 - i, late);
  }
  return `const { output, shape, longest, value, text, enter, leave, check, grow } = of;
const { getPrototypeOf, ObjectPrototype, hasOwnProperty } = of;
const { keys } = shape;
return function write(o) {
let i = 0;
for (const key in o) {
if (key !== keys[i] || (++i === ${count} && !hasOwnProperty(o, key))) return false;
}
if (i !== ${count}) return false;
let x = o[${stringify(keys[0])}];
const prototype = getPrototypeOf(o);
if (prototype !== ObjectPrototype && prototype !== null) return false;
${isFlat ? 'let entered = false; check();' : 'enter(o);'}
output.shape = shape;
if (output.at + ${count + MARGIN} > output.capacity) grow(${count + MARGIN});
let { slots, at } = output;
slots[at] = ${TAG * SHAPE};
slots[at + 1] = ${id};
at += 2;
${values}output.at = at;
${isFlat ? 'if (entered) ' : ''}leave(o);
return true;
}`;
}

module.exports = { MARGIN, writerCode };
