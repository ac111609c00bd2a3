'use strict';

// Views that follow the length of a buffer that can be resized: V8 copies
// nothing of them, so what reads small views has to look at their buffers.

const { answersAsInNode } = require('./as-in-node-support.js');

answersAsInNode({
  'texts of such a view': async () => {
    const { inspect } = await import('node:util');
    const { StringDecoder } = await import('node:string_decoder');
    const results = [];
    for (const Class of [ArrayBuffer, SharedArrayBuffer]) {
      for (const size of [0, 6, 100]) {
        const buffer = new Class(size, { maxByteLength: 200 });
        const view = new Uint8Array(buffer).fill(0x61);
        results.push([
          Buffer.prototype.hexSlice.call(view, 0, size),
          Buffer.from(view).toString('latin1'),
          Buffer.from(view.subarray(1)).toString('base64'),
          new TextDecoder().decode(view),
          new TextDecoder('utf-16le').decode(view),
          new StringDecoder('utf8').write(view),
          Buffer.concat([view, view]).toString(),
          Buffer.from('xaaay').indexOf(view.subarray(4)),
          Buffer.compare(view, Buffer.from('b')),
          inspect(buffer),
        ]);
      }
    }
    return results;
  },
  'bytes of such a view': async () => {
    const crypto = (await import('node:crypto')).default;
    const zlib = (await import('node:zlib')).default;
    const results = [];
    for (const size of [6, 100]) {
      const buffer = new ArrayBuffer(size, { maxByteLength: 200 });
      const view = new Uint8Array(buffer).fill(0x61);
      const { buffer: copied } = structuredClone(view);
      results.push([
        crypto.createHash('sha256').update(view).digest('hex'),
        crypto.createHmac('md5', view).update(view).digest('hex'),
        crypto.createSecretKey(view).export().toString('hex'),
        Buffer.from(await crypto.subtle.digest('SHA-1', view)).toString('hex'),
        zlib.crc32?.(view),
        zlib.inflateSync(zlib.deflateSync(view)).toString(),
        await new Blob([view]).text(),
        new Uint8Array(copied).join(),
      ]);
      buffer.resize(3);
      results.push([
        crypto.createHash('sha256').update(view).digest('hex'),
        Buffer.prototype.utf8Slice.call(view, 0, 3),
      ]);
    }
    return results;
  },
});
