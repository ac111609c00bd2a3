const { test } = require('node:test');
const { refused } = require('../full.cjs');

test('is refused', () => refused());
