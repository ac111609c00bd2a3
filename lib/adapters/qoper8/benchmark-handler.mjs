// As little work as a handler can do: what remains is the pool's own cost.
const handler = function (message, finished) {
  finished({
    messageNo: message.messageNo,
    workerId: this.id,
    count: this.getMessageCount(),
  });
};

export { handler };
