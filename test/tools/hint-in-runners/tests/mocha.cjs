const { refused } = require('../full.cjs');

it('is refused', () => refused());
