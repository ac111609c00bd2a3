'use strict';
// A sandbox file: the same work everywhere, in units that the parent measured.

module.exports = async (job) => {
  let x = 1;
  const { units } = job.data;
  for (let i = 0; i < units; i++) x = (Math.imul(x, 1103515245) + 12345) | 0;
  return x;
};
