'use strict';
// The part of VS Code's API that its debugger for JavaScript needs to start.

const path = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');

class Disposable {
  constructor(end) {
    this.dispose = () => end?.();
  }
  static from = () => new Disposable();
}
const nothing = () => new Disposable();

class EventEmitter {
  #listeners = new Set();
  event = (listener, self) => {
    const bound = listener.bind(self);
    this.#listeners.add(bound);
    return new Disposable(() => this.#listeners.delete(bound));
  };
  fire(value) {
    for (const listener of [...this.#listeners]) listener(value);
  }
  dispose() {}
}

class Uri {
  constructor(url) {
    this.url = new URL(url);
  }
  static file = (name) => new Uri(pathToFileURL(name));
  static parse = (text) => new Uri(text);
  static joinPath = ({ fsPath }, ...parts) =>
    Uri.file(path.join(fsPath, ...parts));
  get scheme() {
    return this.url.protocol.slice(0, -1);
  }
  get fsPath() {
    return this.scheme === 'file' ? fileURLToPath(this.url) : this.path;
  }
  get path() {
    return decodeURIComponent(this.url.pathname);
  }
  with() {
    return this;
  }
  toString() {
    return this.url.href;
  }
}

/** A stand-in that does nothing, whatever is asked of it. */
const anything = (name) =>
  new Proxy(function any() {}, {
    get(_target, key) {
      if (key === 'then') return undefined;
      if (key === 'prototype') return {};
      if (key === Symbol.toPrimitive) return () => name;
      if (key === Symbol.iterator) return function* none() {};
      return anything(`${name}.${String(key)}`);
    },
    apply: () => anything(`${name}()`),
    construct: () => anything(`new ${name}`),
  });

const ENUM = /^[A-Z].*(State|Kind|Location|Alignment|Mode|Target)$/;
function standIn(key) {
  if (/^(on[A-Z]|register)/.test(key)) return nothing;
  if (ENUM.test(key) || !/^[A-Z]/.test(key)) return anything(key);
  return class {
    constructor(...given) {
      this.given = given;
    }
  };
}

// The prototype has it, because bundlers copy a module's own properties.
const known = (values) =>
  Object.setPrototypeOf(
    values,
    new Proxy(
      {},
      {
        get(_target, key) {
          if (typeof key === 'symbol' || /^(then|__esModule)$/.test(key)) {
            return undefined;
          }
          values[key] = standIn(key);
          return values[key];
        },
      },
    ),
  );

function configurationOf({ contributes }) {
  const defaults = {};
  for (const { properties = {} } of [contributes.configuration].flat()) {
    for (const [key, value] of Object.entries(properties)) {
      defaults[key] = value.default;
    }
  }
  return (section) => ({
    get: (key, otherwise) =>
      defaults[section ? `${section}.${key}` : key] ?? otherwise,
    has: () => false,
    inspect: () => undefined,
    update: async () => {},
  });
}

/**
 * @param {object} manifest of the extension
 * @param {string} folder that is open
 * @returns {{ api: object, factories: object, providers: object[] }} the API,
 *   and what the extension registers; `api.debug.startDebugging` is the caller's
 */
module.exports = function createApi(manifest, folder) {
  const factories = {};
  const providers = [];
  const workspaceFolder = { uri: Uri.file(folder), name: 'app', index: 0 };
  const api = known({
    Disposable,
    EventEmitter,
    Uri,
    version: '1.100.0',
    l10n: {
      t: (text, ...given) =>
        (text.message ?? text).replace(/\{(\d+)\}/g, (_, at) => given[at]),
    },
    env: known({
      appName: 'test',
      language: 'en',
      machineId: 'test',
      remoteName: undefined,
      sessionId: 'test',
      isTelemetryEnabled: false,
      asExternalUri: async (uri) => uri,
    }),
    workspace: known({
      getConfiguration: configurationOf(manifest),
      getWorkspaceFolder: () => undefined,
      isTrusted: true,
      textDocuments: [],
      workspaceFolders: [workspaceFolder],
    }),
    window: known({
      activeTextEditor: undefined,
      showErrorMessage: async (text) => console.error(text),
      state: { focused: true },
      terminals: [],
      visibleTextEditors: [],
    }),
    commands: known({ executeCommand: async () => undefined }),
    extensions: known({ all: [], getExtension: () => undefined }),
    debug: known({
      activeDebugSession: undefined,
      breakpoints: [],
      registerDebugAdapterDescriptorFactory(type, factory) {
        factories[type] = factory;
        return new Disposable();
      },
      registerDebugConfigurationProvider(type, provider, trigger) {
        if (trigger === undefined) providers.push({ type, provider });
        return new Disposable();
      },
    }),
  });
  return { api, factories, providers };
};
