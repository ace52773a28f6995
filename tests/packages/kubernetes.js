// Holds the objects of a JSON array on standard input against what kubernetes-models says of their kinds.
// usage: node kubernetes.js SCHEMAS    exit code 1 and the errors if one does not fit

const fs = require('fs');
const Module = require('module');
const path = require('path');

const schemas = process.argv[2];
const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, ...others) {
  const meta = '@kubernetes-models/apimachinery/';
  if (name.startsWith(meta)) name = path.join(schemas, 'kubernetes-meta/package', name.slice(meta.length));
  if (name === '@kubernetes-models/validate') name = path.join(__dirname, 'kubernetes_formats.js');
  return resolve.call(this, name, ...others);
};

// "apps/v1" of "Deployment" is in the file IoK8sApiAppsV1Deployment.
const capital = (word) => word[0].toUpperCase() + word.slice(1);
let failed = false;
for (const object of JSON.parse(fs.readFileSync(0, 'utf8'))) {
  const [group, version] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : ['core', object.apiVersion];
  const file = `IoK8sApi${capital(group.split('.')[0])}${capital(version)}${object.kind}.js`;
  const { validate } = require(path.resolve(schemas, 'kubernetes/package/_schemas', file));
  if (!validate(object)) {
    failed = true;
    for (const error of validate.errors) console.log(object.kind, error.instancePath, error.keyword, JSON.stringify(error.params));
  }
}
process.exit(failed ? 1 : 0);
