'use strict';
// Generates the code that reads objects of one shape.

const { stringify } = require('./captured.js');
const { FALSE, STRING, TAG, TRUE } = require('./grammar.js');

// A property of the same type as last time is read inline; any other by a call.
function readProperty(name, type) {
  const other = `{ input.at = at; ${name} = value(); at = input.at; }\n`;
  if (type === 'number') {
    return `x = slots[at];
if (x < ${TAG}) { ${name} = x; at++; } else ${other}`;
  }
  if (type === 'string') {
    return `x = slots[at];
if (x >= ${TAG * STRING}) { at++; ${name} = text(x / ${TAG} - ${STRING}); } else ${other}`;
  }
  if (type === 'boolean') {
    return `x = slots[at];
if (x === ${TAG * TRUE}) { ${name} = true; at++; }
else if (x === ${TAG * FALSE}) { ${name} = false; at++; } else ${other}`;
  }
  return other;
}

// All values are read first, because the object is then made at once, with its
// final hidden class and without a write barrier.
function readerCode(keys, types) {
  let values = '';
  let parts = '';
  for (let i = 0; i < keys.length; i++) {
    const key = stringify(keys[i]);
    values += `let v${i}; ${readProperty(`v${i}`, types[i])}`;
    // Only a computed `__proto__` defines a property.
    parts += `${key === '"__proto__"' ? `[${key}]` : key}: v${i},\n`;
  }
  return `const { input, value, text } = of;
return function read() {
const { slots } = input;
let at = input.at;
let x;
${values}input.at = at;
return {
${parts}};
}`;
}

module.exports = { readerCode };
