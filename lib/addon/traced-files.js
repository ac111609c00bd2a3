'use strict';
// The files that are found by a computed name, by their literal names, for
// tools that copy what a program needs (@vercel/nft in Next.js, Nitro and
// Vercel). They come here by tracedFiles() of load.js; bundlers, which could
// not bundle a binary, do not. Nothing is called. The requires are plain ones
// because the tracer in Next.js 15 follows no others.
// test/js/addon/traced-files.test.js compares the list with platforms.js.

module.exports = [
  // Compiles TypeScript in workers (src/runtime/loader/packages.js).
  () => require('amaro'),
  // Quotes the calls of failed assertions there.
  () => require('acorn'),
  () => require('@sloppy-workers/linux-x64-gnu/package.json'),
  () => require('@sloppy-workers/linux-x64-gnu/abi115.node'),
  () => require('@sloppy-workers/linux-x64-gnu/abi127.node'),
  () => require('@sloppy-workers/linux-x64-gnu/abi137.node'),
  () => require('@sloppy-workers/linux-x64-gnu/abi147.node'),
  () => require('@sloppy-workers/linux-x64-musl/package.json'),
  () => require('@sloppy-workers/linux-x64-musl/abi115.node'),
  () => require('@sloppy-workers/linux-x64-musl/abi127.node'),
  () => require('@sloppy-workers/linux-x64-musl/abi137.node'),
  () => require('@sloppy-workers/linux-x64-musl/abi147.node'),
  () => require('@sloppy-workers/linux-arm64-gnu/package.json'),
  () => require('@sloppy-workers/linux-arm64-gnu/abi115.node'),
  () => require('@sloppy-workers/linux-arm64-gnu/abi127.node'),
  () => require('@sloppy-workers/linux-arm64-gnu/abi137.node'),
  () => require('@sloppy-workers/linux-arm64-gnu/abi147.node'),
  () => require('@sloppy-workers/linux-arm64-musl/package.json'),
  () => require('@sloppy-workers/linux-arm64-musl/abi115.node'),
  () => require('@sloppy-workers/linux-arm64-musl/abi127.node'),
  () => require('@sloppy-workers/linux-arm64-musl/abi137.node'),
  () => require('@sloppy-workers/linux-arm64-musl/abi147.node'),
  () => require('@sloppy-workers/darwin-x64/package.json'),
  () => require('@sloppy-workers/darwin-x64/abi115.node'),
  () => require('@sloppy-workers/darwin-x64/abi127.node'),
  () => require('@sloppy-workers/darwin-x64/abi137.node'),
  () => require('@sloppy-workers/darwin-x64/abi147.node'),
  () => require('@sloppy-workers/darwin-arm64/package.json'),
  () => require('@sloppy-workers/darwin-arm64/abi115.node'),
  () => require('@sloppy-workers/darwin-arm64/abi127.node'),
  () => require('@sloppy-workers/darwin-arm64/abi137.node'),
  () => require('@sloppy-workers/darwin-arm64/abi147.node'),
  () => require('@sloppy-workers/win32-x64/package.json'),
  () => require('@sloppy-workers/win32-x64/abi115.node'),
  () => require('@sloppy-workers/win32-x64/abi127.node'),
  () => require('@sloppy-workers/win32-x64/abi137.node'),
  () => require('@sloppy-workers/win32-x64/abi147.node'),
];
