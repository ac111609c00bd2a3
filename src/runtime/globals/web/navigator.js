'use strict';

/* global host */
const { enumerable, noArguments, tag } = require('../lib/webidl.js');

const KEY = Symbol('construct');
const PLATFORMS = { darwin: 'MacIntel', win32: 'Win32' };

class Navigator {
  #host = host;

  constructor(key) {
    if (key !== KEY) throw new TypeError('Illegal constructor');
  }

  // Constants that the standard fixes.
  get appCodeName() {
    void this.#host;
    return 'Mozilla';
  }

  get appName() {
    void this.#host;
    return 'Netscape';
  }

  get appVersion() {
    return this.userAgent.slice(this.userAgent.indexOf('/') + 1);
  }

  get product() {
    void this.#host;
    return 'Gecko';
  }

  get hardwareConcurrency() {
    return this.#host.hardwareConcurrency;
  }

  get language() {
    void this.#host;
    // The other classes make V8 list all locales, 12 ms in each process.
    return new Intl.PluralRules().resolvedOptions().locale;
  }

  get languages() {
    void this.#host;
    return Object.freeze([this.language]);
  }

  get platform() {
    const { platform, arch } = this.#host.process;
    if (PLATFORMS[platform]) return PLATFORMS[platform];
    const name = platform[0].toUpperCase() + platform.slice(1);
    return `${name} ${arch === 'x64' ? 'x86_64' : arch}`;
  }

  get userAgent() {
    return `Node.js/${this.#host.process.versions.node.split('.')[0]}`;
  }
}
enumerable(Navigator, [
  'appCodeName',
  'appName',
  'appVersion',
  'hardwareConcurrency',
  'language',
  'languages',
  'platform',
  'product',
  'userAgent',
]);
tag(Navigator);
noArguments(Navigator);

module.exports = { Navigator, navigator: new Navigator(KEY) };
