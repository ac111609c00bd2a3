const handler = (message, finished) => {
  finished({
    processing: 'Message processing done!',
    data: message.data,
    time: Date.now(),
  });
};

export { handler };
