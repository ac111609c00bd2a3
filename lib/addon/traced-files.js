'use strict';
// Literal names of the files that are loaded by a computed name, for tools that
// copy a program's files (@vercel/nft in Next.js, Nitro and Vercel). These
// tools follow a literal behind createRequire; bundlers, which could not bundle
// a binary, ignore it. Nothing here is called.
// test/js/addon/traced-files.test.js compares the list with platforms.js.

const { createRequire } = require('node:module');

const load = createRequire(__filename);

module.exports = [
  // Compiles TypeScript in workers (src/runtime/loader/packages.js).
  () => load('amaro'),
  () => load('@sloppy-workers/linux-x64-gnu/package.json'),
  () => load('@sloppy-workers/linux-x64-gnu/abi115.node'),
  () => load('@sloppy-workers/linux-x64-gnu/abi127.node'),
  () => load('@sloppy-workers/linux-x64-gnu/abi137.node'),
  () => load('@sloppy-workers/linux-x64-gnu/abi147.node'),
  () => load('@sloppy-workers/linux-x64-musl/package.json'),
  () => load('@sloppy-workers/linux-x64-musl/abi115.node'),
  () => load('@sloppy-workers/linux-x64-musl/abi127.node'),
  () => load('@sloppy-workers/linux-x64-musl/abi137.node'),
  () => load('@sloppy-workers/linux-x64-musl/abi147.node'),
  () => load('@sloppy-workers/linux-arm64-gnu/package.json'),
  () => load('@sloppy-workers/linux-arm64-gnu/abi115.node'),
  () => load('@sloppy-workers/linux-arm64-gnu/abi127.node'),
  () => load('@sloppy-workers/linux-arm64-gnu/abi137.node'),
  () => load('@sloppy-workers/linux-arm64-gnu/abi147.node'),
  () => load('@sloppy-workers/linux-arm64-musl/package.json'),
  () => load('@sloppy-workers/linux-arm64-musl/abi115.node'),
  () => load('@sloppy-workers/linux-arm64-musl/abi127.node'),
  () => load('@sloppy-workers/linux-arm64-musl/abi137.node'),
  () => load('@sloppy-workers/linux-arm64-musl/abi147.node'),
  () => load('@sloppy-workers/darwin-x64/package.json'),
  () => load('@sloppy-workers/darwin-x64/abi115.node'),
  () => load('@sloppy-workers/darwin-x64/abi127.node'),
  () => load('@sloppy-workers/darwin-x64/abi137.node'),
  () => load('@sloppy-workers/darwin-x64/abi147.node'),
  () => load('@sloppy-workers/darwin-arm64/package.json'),
  () => load('@sloppy-workers/darwin-arm64/abi115.node'),
  () => load('@sloppy-workers/darwin-arm64/abi127.node'),
  () => load('@sloppy-workers/darwin-arm64/abi137.node'),
  () => load('@sloppy-workers/darwin-arm64/abi147.node'),
  () => load('@sloppy-workers/win32-x64/package.json'),
  () => load('@sloppy-workers/win32-x64/abi115.node'),
  () => load('@sloppy-workers/win32-x64/abi127.node'),
  () => load('@sloppy-workers/win32-x64/abi137.node'),
  () => load('@sloppy-workers/win32-x64/abi147.node'),
];
