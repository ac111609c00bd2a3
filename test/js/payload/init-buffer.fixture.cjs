'use strict';

exports.init = ({ key }) => {
  globalThis.initKey = [Buffer.isBuffer(key), `${key}`];
};
