'use strict';

/* global thrown */
const { AS_NODE, standard } = require('./support.js');

const CODES = {
  IndexSizeError: 1,
  HierarchyRequestError: 3,
  WrongDocumentError: 4,
  InvalidCharacterError: 5,
  NoModificationAllowedError: 7,
  NotFoundError: 8,
  NotSupportedError: 9,
  InUseAttributeError: 10,
  InvalidStateError: 11,
  SyntaxError: 12,
  InvalidModificationError: 13,
  NamespaceError: 14,
  InvalidAccessError: 15,
  TypeMismatchError: 17,
  SecurityError: 18,
  NetworkError: 19,
  AbortError: 20,
  URLMismatchError: 21,
  QuotaExceededError: 22,
  TimeoutError: 23,
  InvalidNodeTypeError: 24,
  DataCloneError: 25,
  EncodingError: 0,
  NotReadableError: 0,
  UnknownError: 0,
  ConstraintError: 0,
  DataError: 0,
  TransactionInactiveError: 0,
  ReadOnlyError: 0,
  VersionError: 0,
  OperationError: 0,
  NotAllowedError: 0,
  toString: 0,
};

standard('DOMException', {
  'the code goes with the name': [
    () =>
      Object.fromEntries(
        [
          'IndexSizeError HierarchyRequestError WrongDocumentError InvalidCharacterError NoModificationAllowedError NotFoundError NotSupportedError InUseAttributeError InvalidStateError SyntaxError InvalidModificationError NamespaceError InvalidAccessError TypeMismatchError SecurityError NetworkError AbortError URLMismatchError QuotaExceededError TimeoutError InvalidNodeTypeError DataCloneError EncodingError NotReadableError UnknownError ConstraintError DataError TransactionInactiveError ReadOnlyError VersionError OperationError NotAllowedError toString',
        ]
          .join()
          .split(' ')
          .map((name) => [name, new DOMException('', name).code]),
      ),
    CODES,
  ],
  'message and name are strings with defaults': [
    () => {
      const read = ({ message, name, code }) => [message, name, code];
      return [
        read(new DOMException()),
        read(new DOMException(undefined, undefined)),
        read(new DOMException(null, null)),
        read(new DOMException('m', 'SyntaxError')),
        read(new DOMException({ toString: () => 'o' })),
      ];
    },
    [
      ['', 'Error', 0],
      ['', 'Error', 0],
      ['null', 'null', 0],
      ['m', 'SyntaxError', 12],
      ['o', 'Error', 0],
    ],
  ],
  'is an Error, with a stack, without own name or message': [
    () => {
      const error = new DOMException('m', 'AbortError');
      return [
        error instanceof Error,
        Object.getPrototypeOf(DOMException.prototype) === Error.prototype,
        Object.getPrototypeOf(DOMException) === Function.prototype,
        `${error}`,
        Object.prototype.toString.call(error),
        typeof error.stack,
        Object.keys(error),
        Object.hasOwn(error, 'message'),
        Object.hasOwn(DOMException.prototype, 'toString'),
        DOMException.length,
      ];
    },
    [
      true,
      true,
      true,
      'AbortError: m',
      '[object DOMException]',
      'string',
      [],
      false,
      false,
      0,
    ],
  ],
  'is an Error for the language too': [
    async () => {
      const { isNativeError } = await import('node:util/types');
      const isError = Error.isError ?? isNativeError;
      class Mine extends DOMException {}
      return [
        isError(new DOMException()),
        isError(new Mine()),
        isError(Object.create(DOMException.prototype)),
      ];
    },
    AS_NODE,
  ],
  'constants are on both objects, and fixed': [
    () => {
      const names = Object.keys(DOMException).filter((key) =>
        /_ERR$/.test(key),
      );
      const flags = Object.getOwnPropertyDescriptor(DOMException, 'ABORT_ERR');
      return [
        names.length,
        names[0],
        names.at(-1),
        DOMException.prototype.TIMEOUT_ERR,
        flags,
      ];
    },
    [
      25,
      'INDEX_SIZE_ERR',
      'DATA_CLONE_ERR',
      23,
      { value: 20, writable: false, enumerable: true, configurable: false },
    ],
  ],
  'getters want an exception, the constructor new': [
    () => [
      thrown(() => DOMException.prototype.name),
      thrown(() => DOMException.prototype.message),
      thrown(() => DOMException.prototype.code),
      thrown(() => DOMException()),
      thrown(() => Object.create(DOMException.prototype).name),
    ],
    Array.from({ length: 5 }, () => 'TypeError'),
  ],
  'can be subclassed': [
    () => {
      class Mine extends DOMException {
        constructor() {
          super('m', 'DataError');
        }
        get own() {
          return 1;
        }
      }
      const error = new Mine();
      return [
        error.own,
        error.name,
        error instanceof Mine,
        /\bMine\b|DataError/.test(error.stack),
      ];
    },
    [1, 'DataError', true, true],
  ],
  'QuotaExceededError is a class of its own': [
    () => {
      const error = new QuotaExceededError('m', { quota: 1, requested: 2 });
      const plain = new QuotaExceededError();
      return [
        error instanceof DOMException,
        error.name,
        error.code,
        error.message,
        error.quota,
        error.requested,
        plain.quota,
        plain.requested,
        plain.message,
        thrown(() => new QuotaExceededError('', { quota: -1 })),
        thrown(() => new QuotaExceededError('', { requested: -1 })),
        thrown(() => new QuotaExceededError('', { quota: 2, requested: 1 })),
        thrown(() => new QuotaExceededError('', { quota: Number.NaN })),
        new DOMException('', 'QuotaExceededError') instanceof
          QuotaExceededError,
      ];
    },
    [
      true,
      'QuotaExceededError',
      22,
      'm',
      1,
      2,
      null,
      null,
      '',
      'RangeError',
      'RangeError',
      'RangeError',
      'TypeError',
      false,
    ],
  ],
  'is thrown where too many random bytes are asked for': [
    () => {
      try {
        crypto.getRandomValues(new Uint8Array(65537));
        return 'none';
      } catch (error) {
        return [
          error.constructor === QuotaExceededError,
          error.name,
          error.quota,
          error.requested,
        ];
      }
    },
    [true, 'QuotaExceededError', 65536, 65537],
  ],
});
