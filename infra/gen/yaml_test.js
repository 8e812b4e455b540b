// The YAML templates mean what the JSON templates say.
//
//   yaml_test.js JSON YAML [JSON YAML...]
'use strict';

const assert = require('assert');
const fs = require('fs');
const yaml = require('yaml');

// CloudFormation's tags, back to their long forms.
const TAGS = ['Ref', 'Condition', 'GetAtt', 'Sub', 'Join', 'If', 'Equals', 'Not', 'And', 'Or'];

function longForm(name, value) {
  if (name === 'Ref' || name === 'Condition') return {[name]: value};
  if (name === 'GetAtt' && typeof value === 'string') {
    const dot = value.indexOf('.');
    return {'Fn::GetAtt': [value.slice(0, dot), value.slice(dot + 1)]};
  }
  return {[`Fn::${name}`]: value};
}

function convert(node) {
  if (yaml.isMap(node)) {
    return mark(node, Object.fromEntries(
        node.items.map(({key, value}) => [String(key.value), convert(value)])));
  }
  if (yaml.isSeq(node)) return mark(node, node.items.map(convert));
  return mark(node, node.value);
}

function mark(node, value) {
  const name = (node.tag || '').replace(/^!/, '');
  return TAGS.includes(name) ? longForm(name, value) : value;
}

function compare(jsonFile, yamlFile) {
  // As CloudFormation reads it, 1.1, where "on" is true and 010 is 8.
  const document = yaml.parseDocument(fs.readFileSync(yamlFile, 'utf8'), {
    version: '1.1',
    customTags: TAGS.flatMap((name) => [
      {tag: `!${name}`, resolve: (text) => text},
      {tag: `!${name}`, collection: 'seq', nodeClass: yaml.YAMLSeq, resolve: (seq) => seq},
    ]),
  });
  assert.deepStrictEqual(document.errors, []);
  assert.deepStrictEqual(document.warnings, []);
  assert.deepStrictEqual(
      convert(document.contents), JSON.parse(fs.readFileSync(jsonFile, 'utf8')));
}

const files = process.argv.slice(2);
assert(files.length > 0 && files.length % 2 === 0);
for (let i = 0; i < files.length; i += 2) compare(files[i], files[i + 1]);
console.log(`${files.length / 2} templates are the same`);
