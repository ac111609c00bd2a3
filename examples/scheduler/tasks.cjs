'use strict';

module.exports = {
  add: ({ a, b }) => a + b,
  multiply: async ({ a, b }) => a * b,
  fail: () => {
    throw new Error('on purpose');
  },
};
