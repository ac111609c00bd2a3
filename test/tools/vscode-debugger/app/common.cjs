exports.crunch = ({ n }) => {
  let result = n * 3;
  result += 1; // here
  return result;
};
