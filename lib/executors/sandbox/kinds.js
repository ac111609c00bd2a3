'use strict';

/** The kinds of frames; src/sandbox/wire.h tells what each is about. */
const Kind = Object.freeze({
  Start: 1,
  Entry: 2,
  Forget: 3,
  Job: 4,
  Mail: 5,
  Cancel: 6,
  Reason: 7,
  Leave: 8,
  Listens: 9,
  InitData: 10,
  Answer: 11,
  Graph: 12,
  Begin: 13,
  Share: 14,
  Unshare: 15,
  Hears: 16,
  AskCode: 17,
  Code: 18,
  Hello: 64,
  Ready: 65,
  Failed: 66,
  Done: 67,
  Message: 68,
  File: 69,
  Loaded: 70,
  Took: 71,
  CodeMade: 72,
});

module.exports = { Kind };
