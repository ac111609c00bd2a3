'use strict';

// The call at a position of a script, as Node 20 finds it with a parser: the
// innermost whose text has the position in it, read from the start of its line.
// Jobs share the realm, so no method of a built-in is called.

const { tableOf, tokensOf } = require('./source-tokens.js');

// Of an expression whose operand has ended: its end, and what needs none.
const OVER = tableOf(
  '; : name num string this super null true false function class new typeof void delete privateId { if for while do return switch throw try var const case default else catch finally break continue debugger with export import extends',
);
const GOES_ON = tableOf('. ?. ( [ template ${ ++ --');
// Of one that needs an operand.
const PREFIXES = tableOf('! ~ + - ++ -- typeof void delete new');
const BEGINS = tableOf(
  'name num string regexp template ${ ( [ { this super null true false function class import privateId',
);

// What follows `await` or `yield` when these are operators.
const OPERANDS = tableOf(
  'name num string this super new null true false function class import typeof void delete { ! ~',
);

// Finds the calls among tokens, each when it ends.
class Reader {
  #text;
  #previous;
  #before;
  // Open brackets, the innermost first.
  #level = { __proto__: null, chain: -1, news: 0, isAsync: false };
  #isAsyncAhead = false;
  /** How much of what it has read is refused. */
  refusals = 0;

  constructor(text) {
    this.#text = text;
  }

  #word({ start, end }) {
    let word = '';
    for (let at = start; at < end; at += 1) word += this.#text[at];
    return word;
  }

  // An operand begins, or goes on after a point.
  #operand(token) {
    const level = this.#level;
    const before = this.#previous?.label;
    const isMember = before === '.' || before === '?.';
    if (level.chain >= 0 && (isMember || before === 'new')) return;
    level.chain = token.start;
    level.news = 0;
  }

  #push(token, isCall) {
    const outer = this.#level;
    const before = this.#previous?.label;
    const isBody = token.label === '{' && (before === '=>' || before === ')');
    this.#level = {
      __proto__: null,
      outer,
      start: token.start,
      isCall,
      // What a parser of scripts refuses.
      isRefused: false,
      chain: -1,
      news: 0,
      isAsync: outer.isAsync || (isBody && this.#isAsyncAhead),
    };
    if (isBody) this.#isAsyncAhead = false;
  }

  // Gives the call that ends here.
  #pop(token) {
    const { isCall, isRefused, outer, start } = this.#level;
    if (outer === undefined) {
      this.#level.chain = -1;
      return undefined;
    }
    this.#level = outer;
    if (isRefused) this.#refuse();
    if (!isCall) {
      const isEmpty = token.label === ')' && this.#previous?.label === '(';
      if (!token.isEnd || isRefused || isEmpty) outer.chain = -1;
      else if (outer.chain < 0) outer.chain = start;
      return undefined;
    }
    if (outer.news > 0) {
      outer.news -= 1;
      return undefined;
    }
    const call = { start: outer.chain, end: token.end, isRefused };
    if (isRefused) outer.chain = -1;
    return call;
  }

  #refuse() {
    this.refusals += 1;
    this.#level.isRefused = true;
  }

  #open(token) {
    const level = this.#level;
    const before = this.#previous;
    const isImport = before?.label === 'import';
    const goesOn =
      level.chain >= 0 &&
      token.label !== '{' &&
      (before?.isEnd === true || before?.label === '?.' || isImport);
    if (!goesOn && before?.label !== 'new') {
      level.chain = -1;
      level.news = 0;
    }
    this.#push(token, goesOn && token.label === '(' && !isImport);
  }

  #name(token) {
    const before = this.#previous?.label;
    const isMember = before === '.' || before === '?.';
    const isDeclared =
      before === 'function' ||
      (before === '*' && this.#before?.label === 'function');
    this.#operand(token);
    if (isDeclared) this.#level.chain = -1;
    if (isMember) return;
    const word = this.#word(token);
    if (word === 'async') this.#isAsyncAhead = true;
    if (word === 'of' && this.#previous?.isEnd) this.#level.chain = -1;
  }

  // A word or literal that is no name. A parser that begins in a function knows
  // neither its class nor its private names.
  #end(token) {
    const { label } = token;
    const isRefused = label === 'super' || label === 'privateId';
    if (isRefused) this.#refuse();
    const isMember = this.#previous?.label === '.' && this.#level.chain < 0;
    if (isRefused || (isMember && !BEGINS[label])) this.#level.chain = -1;
    else this.#operand(token);
  }

  // Pieces of one: the brace of a later piece ends what `${` began.
  #template(token) {
    const { outer, isRefused } = this.#level;
    if (!token.closes) {
      if (this.#previous?.isEnd !== true) this.#operand(token);
    } else if (outer !== undefined) {
      this.#level = outer;
      if (isRefused) this.#refuse();
    }
    if (token.label === '${') this.#push(token, false);
  }

  #isOperator(token) {
    if (token?.label !== 'name') return false;
    const word = this.#word(token);
    return word === 'await' || word === 'yield';
  }

  /** What the next token is in. */
  get level() {
    return this.#level;
  }

  /** @returns {object | undefined} the call that ends with a token */
  read(token) {
    const { label } = token;
    const before = this.#previous;
    let call;
    if (
      this.#isOperator(before) &&
      OPERANDS[token.label] === true &&
      !this.#level.isAsync
    ) {
      this.#refuse();
    }
    if (label === 'template' || label === '${') {
      this.#template(token);
    } else if (label === '(' || label === '[' || label === '{') {
      this.#open(token);
    } else if (token.closes) {
      call = this.#pop(token);
    } else if (label === 'name') {
      this.#name(token);
    } else if (label === 'import') {
      this.#operand(token);
    } else if (token.isEnd) {
      this.#end(token);
    } else if (label === 'new') {
      if (before?.label !== 'new') {
        this.#level.chain = token.start;
        this.#level.news = 0;
      }
      this.#level.news += 1;
    } else if (label === '.' || label === '?.') {
      const isMeta = before?.label === 'import' || before?.label === 'new';
      if (isMeta) this.#refuse();
      if (isMeta || before?.isEnd !== true) this.#level.chain = -1;
    } else {
      this.#level.chain = -1;
      this.#level.news = 0;
      if (label === '=>' && this.#isAsyncAhead) this.#level.isAsync = true;
      if (label === '*' && before?.label === 'function')
        this.#isAsyncAhead = true;
      if (label === ';') this.#isAsyncAhead = false;
    }
    this.#before = before;
    this.#previous = token;
    return call;
  }
}

// Whether a parser that begins at a call, or at a bracket around it, reads on
// to the end of the expression: with all that commas add to it.
class Rest {
  #level;
  #isMemberNext = false;
  // Question marks whose colon has not come.
  #choices = 0;
  #isOperandNext = false;
  #isRefused = false;

  constructor(level) {
    this.#level = level;
  }

  /** @returns {boolean | undefined} undefined while it is not known */
  read(token, level) {
    if (level !== this.#level) return undefined;
    const { label } = token;
    const isMember = this.#isMemberNext;
    this.#isMemberNext = label === '.' || label === '?.';
    if (isMember) return undefined;
    if (token.closes) return this.#close();
    if (this.#isRefused) return level.outer === undefined ? false : undefined;
    if (this.#isOperandNext) {
      if (PREFIXES[label]) return undefined;
      this.#isOperandNext = false;
      this.#isRefused = !BEGINS[label];
      return undefined;
    }
    if (label === '?') this.#choices += 1;
    if (label === ':' && this.#choices > 0) {
      this.#choices -= 1;
    } else if (OVER[label]) {
      if (this.#choices === 0) return true;
      this.#isRefused = true;
      return undefined;
    }
    this.#isOperandNext = !GOES_ON[label];
    return undefined;
  }

  #close() {
    if (!this.#isOperandNext && !this.#isRefused && this.#choices === 0)
      return true;
    const { isRefused, outer } = this.#level;
    if (isRefused || outer === undefined) return false;
    this.#level = outer;
    this.#choices = 0;
    this.#isOperandNext = false;
    this.#isRefused = false;
    return undefined;
  }
}

/**
 * @param {string} source of a script
 * @param {number} position in it
 * @returns {{ start: number, end: number, line: number } | undefined} a call, and
 *   the start of the line; undefined when the parser would refuse its text
 */
function callAt(source, position) {
  let line = position;
  while (line > 0 && source[line - 1] !== '\n') line -= 1;
  const tokens = tokensOf(source, line);
  const reader = new Reader(source);
  let found;
  let rest;
  let refusals = 0;
  for (let token = tokens.next(); token; token = tokens.next()) {
    const isWhole = rest?.read(token, reader.level);
    if (isWhole !== undefined) return isWhole ? found : undefined;
    const call = reader.read(token);
    if (rest !== undefined && reader.refusals > refusals) return undefined;
    if (call === undefined || rest !== undefined) continue;
    if (call.start < 0 || call.start > position || position > call.end)
      continue;
    if (call.isRefused) return undefined;
    found = { start: call.start, end: call.end, line };
    rest = new Rest(reader.level);
    refusals = reader.refusals;
  }
  return found;
}

module.exports = { callAt };
