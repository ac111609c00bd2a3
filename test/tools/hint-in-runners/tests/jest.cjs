const { refused } = require('../full.cjs');

test('is refused', () => refused());
