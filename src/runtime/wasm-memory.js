'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. WebAssembly's memories
// and the memory limit: every memory has a maximum of twice the limit, so that
// a growing loop ends soon, but after it was over the limit. Memories that
// JavaScript makes or grows are checked at once.
const { options } = native;
const {
  RealmBigInt,
  RealmNumber,
  RealmWeakMap,
  apply,
  construct,
  defineProperty,
  getOwnPropertyDescriptor,
  ownKeys,
  then,
  uncurry,
  weakMapGet,
  weakMapSet,
} = require('./primordials.js');

runtime.need('memory');
runtime.need('wasm-limits');
const { hidesMemory, isWasmMemory, memoryRefused, wasmBytes } = runtime.rare();
const { limitWasm, memory: limits } = runtime;
const { check, replaceConstructor, wrapMethod } = limits;
const mapGet = uncurry(weakMapGet);
const mapSet = uncurry(weakMapSet);

const PAGES_PER_MB = 16;
const MOST_PAGES = 65536;
const MOST_PAGES_64 = 2 ** 48;
const MAX_PAGES = 2 * options.memoryLimitMb * PAGES_PER_MB;

runtime.wrapWebAssembly = (wasm) => {
  const bufferOf = getOwnPropertyDescriptor(
    wasm.Memory.prototype,
    'buffer',
  ).get;
  // Memories, and modules with memories, whose maximum is ours.
  const limited = new RealmWeakMap();
  // Modules that were looked at, and what is instantiated in their place.
  const usable = new RealmWeakMap();
  const { Module } = wasm;

  // --- modules: `args` may begin with their bytes ----------------------------

  function limitModule(args) {
    if (args.length === 0) return false;
    const changed = limitWasm(args[0], MAX_PAGES);
    if (changed === undefined) return false;
    args[0] = changed;
    return true;
  }

  /**
   * The module itself, or one with a maximum of ours: another isolate may have
   * compiled it. V8 compiles the same bytes once for the process.
   */
  function usableModule(module) {
    const known = mapGet(usable, module);
    if (known !== undefined) return known;
    const bytes = wasmBytes(module);
    if (bytes === undefined) return module;
    const changed = limitWasm(bytes, MAX_PAGES);
    let used = module;
    if (changed !== undefined) {
      used = construct(Module, [changed], Module);
      mapSet(limited, used, true);
    }
    mapSet(usable, module, used);
    return used;
  }

  function checkInstance(instance, isLimited) {
    const { exports } = instance;
    const names = ownKeys(exports);
    let shown = false;
    for (let i = 0; i < names.length; i++) {
      const value = exports[names[i]];
      if (!isWasmMemory(value)) continue;
      shown = true;
      if (isLimited) mapSet(limited, value, true);
      check(value, bufferOf);
    }
    if (!shown) hidesMemory(instance, bufferOf);
  }

  function wrapClass(Original, make) {
    function Wrapped(...args) {
      if (new.target === undefined) return apply(Original, undefined, args);
      const target = new.target === Wrapped ? Original : new.target;
      return make(args, (given) => construct(Original, given, target));
    }
    replaceConstructor(wasm, Original, Wrapped);
  }

  wrapClass(wasm.Module, (args, original) => {
    const source = args[0];
    if (!limitModule(args)) return original(args);
    let made;
    try {
      made = original(args);
    } catch {
      // Restored, so that an error names positions in the given bytes.
      args[0] = source;
      return original(args);
    }
    mapSet(limited, made, true);
    return made;
  });
  wrapClass(wasm.Instance, (args, original) => {
    args[0] = usableModule(args[0]);
    const made = original(args);
    checkInstance(made, mapGet(limited, args[0]));
    return made;
  });
  wrapMethod(
    wasm,
    'compile',
    (original) =>
      ({
        compile(...args) {
          if (!limitModule(args)) return apply(original, wasm, args);
          return then(apply(original, wasm, args), (module) => {
            mapSet(limited, module, true);
            return module;
          });
        },
      }).compile,
  );
  wrapMethod(
    wasm,
    'instantiate',
    (original) =>
      ({
        instantiate(...args) {
          const isLimited = limitModule(args);
          if (args.length > 0) args[0] = usableModule(args[0]);
          return then(apply(original, wasm, args), (result) => {
            const { module } = result;
            if (module === undefined) {
              checkInstance(result, mapGet(limited, args[0]));
              return result;
            }
            if (isLimited) mapSet(limited, module, true);
            checkInstance(result.instance, isLimited);
            return result;
          });
        },
      }).instantiate,
  );

  // --- memories --------------------------------------------------------------

  /** A number of pages; undefined if WebAssembly refuses it. */
  function pagesOf(value) {
    const most = typeof value === 'bigint' ? MOST_PAGES_64 : MOST_PAGES;
    const pages = typeof value === 'bigint' ? RealmNumber(value) : value;
    return pages >= 0 && pages <= most ? pages : undefined;
  }

  /** A copy of a memory's descriptor, with our maximum unless it has a lower. */
  function limitDescriptor(given) {
    const { address } = given;
    // Reads the members in the standard's order, each once.
    const read = (key) => {
      const value = given[key];
      const type = typeof value;
      if (type === 'undefined' || type === 'number' || type === 'bigint') {
        return value;
      }
      return address === 'i64' ? RealmBigInt(value) : RealmNumber(value);
    };
    const descriptor = {
      __proto__: null,
      address,
      initial: read('initial'),
      minimum: read('minimum'),
      maximum: read('maximum'),
      shared: given.shared,
    };
    const begins = descriptor.initial ?? descriptor.minimum;
    const least = pagesOf(begins);
    const most =
      descriptor.maximum === undefined ? Infinity : pagesOf(descriptor.maximum);
    const pages = least > MAX_PAGES ? least : MAX_PAGES;
    // V8 refuses shared memories without a maximum.
    const isOurs =
      least !== undefined &&
      most > pages &&
      (descriptor.maximum !== undefined || !descriptor.shared);
    if (isOurs) {
      descriptor.maximum =
        typeof begins === 'bigint' ? RealmBigInt(pages) : pages;
    }
    return { descriptor, isOurs };
  }

  wrapClass(wasm.Memory, (args, original) => {
    const given = args[0];
    const isObject =
      (typeof given === 'object' && given !== null) ||
      typeof given === 'function';
    const { descriptor, isOurs } = isObject
      ? limitDescriptor(given)
      : { descriptor: given, isOurs: false };
    const made = original([descriptor]);
    if (isOurs) mapSet(limited, made, true);
    check(made, bufferOf);
    return made;
  });
  wrapMethod(
    wasm.Memory.prototype,
    'grow',
    (original) =>
      ({
        grow(...args) {
          const delta = args[0];
          try {
            const before = apply(original, this, args);
            check(this, bufferOf);
            return before;
          } catch (error) {
            if (mapGet(limited, this) && pagesOf(delta) !== undefined) {
              const none = typeof delta === 'bigint' ? 0n : 0;
              const now = RealmNumber(apply(original, this, [none]));
              const wanted = now + RealmNumber(delta);
              if (wanted > MAX_PAGES && wanted <= MOST_PAGES) memoryRefused();
            }
            throw error;
          }
        },
      }).grow,
  );

  // --- responses, whose bundle most realms never load ------------------------

  if (runtime.globals === undefined) return;
  const { compile, instantiate } = wasm;
  const bytesOf = (source) => runtime.globals.load('fetch').wasmBytes(source);
  const streaming = {
    compileStreaming(source) {
      return then(bytesOf(source), (bytes) => compile(bytes));
    },
    instantiateStreaming(source, imports) {
      return then(bytesOf(source), (bytes) => instantiate(bytes, imports));
    },
  };
  defineProperty(streaming.instantiateStreaming, 'length', { value: 1 });
  wasm.compileStreaming = streaming.compileStreaming;
  wasm.instantiateStreaming = streaming.instantiateStreaming;
};
