'use strict';

const { Buffer } = require('node:buffer');

async function buffer(stream) {
  const pieces = [];
  for await (const piece of stream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

async function text(stream) {
  const { TextDecoder } = require('sw:internal/encoding');
  const decoder = new TextDecoder();
  let result = '';
  for await (const piece of stream) {
    result +=
      typeof piece === 'string'
        ? piece
        : decoder.decode(piece, { stream: true });
  }
  return result + decoder.decode();
}

async function arrayBuffer(stream) {
  const { buffer: all, byteOffset, byteLength } = await buffer(stream);
  return all.slice(byteOffset, byteOffset + byteLength);
}

async function blob(stream) {
  const { Blob } = require('sw:blob');
  return new Blob([await buffer(stream)]);
}

const json = async (stream) => JSON.parse(await text(stream));

module.exports = { arrayBuffer, blob, buffer, json, text };
