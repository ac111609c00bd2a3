'use strict';

/* global answering, rejected */
const { standard } = require('./support.js');

standard('WebAssembly from a response', {
  'compiles and instantiates': [
    async () => {
      const bytes = answering();
      const response = () =>
        new Response(bytes, {
          headers: { 'Content-Type': 'Application/WASM' },
        });
      const module = await WebAssembly.compileStreaming(response());
      const both = await WebAssembly.instantiateStreaming(
        Promise.resolve(response()),
        {},
      );
      const { enumerable, writable, configurable } =
        Object.getOwnPropertyDescriptor(WebAssembly, 'compileStreaming');
      return [
        module instanceof WebAssembly.Module,
        both.instance.exports.g(),
        Object.keys(both).sort(),
        WebAssembly.compileStreaming.length,
        WebAssembly.instantiateStreaming.length,
        enumerable && writable && configurable,
      ];
    },
    [true, 42, ['instance', 'module'], 1, 1, true],
  ],
  'what is refused': [
    async () => {
      const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
      const of = (body, type, status = 200) =>
        rejected(
          WebAssembly.compileStreaming(
            new Response(body, {
              status,
              headers: type ? { 'content-type': type } : {},
            }),
          ),
        );
      const used = new Response(bytes, {
        headers: { 'content-type': 'application/wasm' },
      });
      await used.text();
      return [
        await of(bytes),
        await of(bytes, 'application/wasm;x=y'),
        await of(bytes, 'text/plain'),
        await of(bytes, 'application/wasm', 404),
        await of('', 'application/wasm'),
        await of(null, 'application/wasm'),
        await rejected(WebAssembly.compileStreaming(used)),
        await rejected(WebAssembly.compileStreaming(bytes)),
        await rejected(WebAssembly.instantiateStreaming()),
        await rejected(
          WebAssembly.compileStreaming(Promise.reject(new RangeError('r'))),
        ),
      ];
    },
    [
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'CompileError',
      'CompileError',
      'TypeError',
      'TypeError',
      'TypeError',
      'RangeError',
    ],
  ],
});
