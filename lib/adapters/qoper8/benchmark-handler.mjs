// The least work of a handler, so that the pool's own cost remains.
const handler = function (message, finished) {
  finished({
    messageNo: message.messageNo,
    workerId: this.id,
    count: this.getMessageCount(),
  });
};

export { handler };
