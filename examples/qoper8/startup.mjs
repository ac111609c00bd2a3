const onStartupModule = function (props) {
  this.prefix = props.prefix;
  this.on('stop', () => {
    console.log(`worker ${this.id} is about to end`);
  });
};

export { onStartupModule };
