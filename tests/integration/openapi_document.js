// An OpenAPI document, to hold answers to.
//
//   const {readDocument, validate} = require('.../openapi_document.js');
//   const document = readDocument('openapi.yaml');
//   validate(document.components.schemas.Status, answer);
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');

const Ajv = require('ajv');
const addFormats = require('ajv-formats');
const yaml = require('yaml');

const ajv = new Ajv({allErrors: true, strict: true, keywords: ['example']});
addFormats(ajv);

function dereference(document, node = document) {
  if (Array.isArray(node)) return node.map((item) => dereference(document, item));
  if (node === null || typeof node !== 'object') return node;
  if ('$ref' in node) {
    const keys = node.$ref.replace(/^#\//, '').split('/');
    const target = keys.reduce((at, key) => at?.[key], document);
    assert(target, `nothing is at ${node.$ref}`);
    return dereference(document, target);
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, dereference(document, value)]));
}

// The document with every $ref replaced by what it refers to.
function readDocument(file) {
  return dereference(yaml.parse(fs.readFileSync(file, 'utf8')));
}

// Throws unless the value is what the schema says.
function validate(schema, value) {
  assert(ajv.validate(schema, value), `${JSON.stringify(value)}: ${ajv.errorsText()}`);
}

// Throws unless it is a schema.
function checkSchema(schema) {
  ajv.compile(schema);
}

module.exports = {checkSchema, readDocument, validate};
