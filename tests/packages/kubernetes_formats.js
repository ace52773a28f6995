// In place of @kubernetes-models/validate, of which the validators take the formats of numbers and texts alone.

const integer = { validate: (value) => Number.isInteger(value) };
const number = { validate: (value) => Number.isFinite(value) };
const time = { validate: (value) => !Number.isNaN(Date.parse(value)) };
exports.formats = {
  int32: integer, int64: integer, double: number, float: number, 'date-time': time, byte: /^[A-Za-z0-9+/=]*$/,
  quantity: { validate: /^[+-]?[0-9.]+([eE][+-]?[0-9]+|[KMGTPE]i|[numkMGTPE])?$/ },
  'int-or-string': { validate: (value) => Number.isInteger(value) || typeof value === 'string' },
};
