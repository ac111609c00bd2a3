'use strict';

// The names of Web IDL's table, each with its legacy code.
const LEGACY = {
  IndexSizeError: ['INDEX_SIZE_ERR', 1],
  HierarchyRequestError: ['HIERARCHY_REQUEST_ERR', 3],
  WrongDocumentError: ['WRONG_DOCUMENT_ERR', 4],
  InvalidCharacterError: ['INVALID_CHARACTER_ERR', 5],
  NoModificationAllowedError: ['NO_MODIFICATION_ALLOWED_ERR', 7],
  NotFoundError: ['NOT_FOUND_ERR', 8],
  NotSupportedError: ['NOT_SUPPORTED_ERR', 9],
  InUseAttributeError: ['INUSE_ATTRIBUTE_ERR', 10],
  InvalidStateError: ['INVALID_STATE_ERR', 11],
  SyntaxError: ['SYNTAX_ERR', 12],
  InvalidModificationError: ['INVALID_MODIFICATION_ERR', 13],
  NamespaceError: ['NAMESPACE_ERR', 14],
  InvalidAccessError: ['INVALID_ACCESS_ERR', 15],
  TypeMismatchError: ['TYPE_MISMATCH_ERR', 17],
  SecurityError: ['SECURITY_ERR', 18],
  NetworkError: ['NETWORK_ERR', 19],
  AbortError: ['ABORT_ERR', 20],
  URLMismatchError: ['URL_MISMATCH_ERR', 21],
  QuotaExceededError: ['QUOTA_EXCEEDED_ERR', 22],
  TimeoutError: ['TIMEOUT_ERR', 23],
  InvalidNodeTypeError: ['INVALID_NODE_TYPE_ERR', 24],
  DataCloneError: ['DATA_CLONE_ERR', 25],
};
const WITHOUT_NAME = [
  ['DOMSTRING_SIZE_ERR', 2],
  ['NO_DATA_ALLOWED_ERR', 6],
  ['VALIDATION_ERR', 16],
];

const { construct } = Reflect;

// An exception is an object that Error made, so that it is one for V8 as well
// (Error.isError); these are its private members.
class Given {
  constructor(object) {
    // biome-ignore lint/correctness/noConstructorReturn: becomes `this` below.
    return object;
  }
}

class Members extends Given {
  #message;
  #name;

  constructor(exception, message, name) {
    super(exception);
    this.#message = message;
    this.#name = name;
  }

  static messageOf(exception) {
    return exception.#message;
  }

  static nameOf(exception) {
    return exception.#name;
  }

  /** True for what DOMException made, whatever its prototype says now. */
  static isException(value) {
    return typeof value === 'object' && value !== null && #name in value;
  }
}
const { isException, messageOf, nameOf } = Members;

class DOMException {
  constructor(message = '', options = 'Error') {
    const text = `${message}`;
    const bag = typeof options === 'object' && options !== null;
    const name = bag ? `${options.name ?? 'Error'}` : `${options}`;
    const exception = construct(Error, [], new.target);
    new Members(exception, text, name);
    if (bag && 'cause' in options) {
      Object.defineProperty(exception, 'cause', {
        value: options.cause,
        writable: true,
        configurable: true,
      });
    }
    // biome-ignore lint/correctness/noConstructorReturn: see Given.
    return exception;
  }

  get name() {
    return nameOf(this);
  }

  get message() {
    return messageOf(this);
  }

  get code() {
    const name = nameOf(this);
    return Object.hasOwn(LEGACY, name) ? LEGACY[name][1] : 0;
  }
}

Object.setPrototypeOf(DOMException.prototype, Error.prototype);
Object.defineProperty(DOMException.prototype, Symbol.toStringTag, {
  value: 'DOMException',
  configurable: true,
});
for (const key of ['name', 'message', 'code']) {
  Object.defineProperty(DOMException.prototype, key, { enumerable: true });
}
const CONSTANTS = [...Object.values(LEGACY), ...WITHOUT_NAME];
CONSTANTS.sort(([, left], [, right]) => left - right);
for (const [constant, value] of CONSTANTS) {
  const property = { value, enumerable: true };
  Object.defineProperty(DOMException, constant, property);
  Object.defineProperty(DOMException.prototype, constant, property);
}

module.exports = { DOMException, isException };
