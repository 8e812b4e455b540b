// What Step Functions adds to JSONata, takes from it, and refuses. The value of
// this script is a function that takes `host`, which has
//   jsonata         the library
//   limits          {depth, bytes, rangeElements}
//   hash, javaRandom, uuid    functions
// and gives {compile, analyze, evaluate}.
(function (host) {
  'use strict';

  const {jsonata, limits} = host;
  const kBytesPerElement = 8;

  let depth = 0;

  function exceed(message) {
    return {limit: true, message};
  }

  function memoryExceeded() {
    return exceed('Expression evaluation memory limit exceeded: ' +
                  'Check for excessive memory usage');
  }

  function enter() {
    if (++depth > limits.depth) {
      throw exceed('Stack overflow error: Check for non-terminating ' +
                   'recursive function. Consider rewriting as tail-recursive');
    }
  }

  function leave(expression, input, environment, result) {
    --depth;
    if (typeof result === 'string') {
      if (result.length > limits.bytes) throw memoryExceeded();
    } else if (Array.isArray(result) &&
               result.length * kBytesPerElement > limits.bytes) {
      throw memoryExceeded();
    }
  }

  function mismatch(index) {
    return {code: 'T0410', index, stack: ''};
  }

  function refuse(message) {
    return {code: 'D3137', message, stack: ''};
  }

  // Integers are rounded toward zero.
  function integer(value, index) {
    if (typeof value !== 'number') throw mismatch(index);
    return Math.trunc(value);
  }

  function atMost(count, given) {
    if (given > count) throw mismatch(count + 1);
  }

  function parse(text) {
    atMost(1, arguments.length);
    if (text === undefined) return undefined;
    if (typeof text !== 'string') throw mismatch(1);
    try {
      return JSON.parse(text);
    } catch (error) {
      if (error instanceof SyntaxError) throw refuse('Invalid JSON');
      throw error;
    }
  }

  function partition(array, size) {
    atMost(2, arguments.length);
    if (array === undefined) return undefined;
    if (!Array.isArray(array)) throw {code: 'T0412', index: 1, stack: ''};
    if (array.length === 0) return undefined;
    if (size === undefined) return [array];
    const step = integer(size, 2);
    if (step < 0) throw refuse('Second argument must be zero or greater');
    if (step === 0) return undefined;
    const chunks = [];
    for (let i = 0; i < array.length; i += step) {
      chunks.push(array.slice(i, i + step));
    }
    return chunks;
  }

  function range(first, last, step) {
    atMost(3, arguments.length);
    const begin = integer(first, 1);
    const end = integer(last, 2);
    if (step === undefined) return undefined;
    const by = integer(step, 3);
    if (by === 0 || (end - begin) * by < 0) return undefined;
    const count = Math.floor((end - begin) / by) + 1;
    if (count > limits.rangeElements) throw memoryExceeded();
    if (count === 1) return begin;
    const values = [];
    for (let i = 0; i < count; ++i) values.push(begin + i * by);
    return values;
  }

  function hash(text, algorithm) {
    atMost(2, arguments.length);
    if (typeof text !== 'string') throw mismatch(1);
    if (algorithm === undefined) return undefined;
    if (typeof algorithm !== 'string') throw mismatch(2);
    const digest = host.hash(text, algorithm);
    if (digest === undefined) {
      throw refuse('Hash algorithm \'' + algorithm + '\' must be one of ' +
                   'SHA-1, SHA-384, SHA-256, SHA-512, MD5');
    }
    return digest;
  }

  function random(seed) {
    atMost(1, arguments.length);
    if (seed === undefined) return Math.random();
    return host.javaRandom(integer(seed, 1));
  }

  function uuid() {
    atMost(0, arguments.length);
    return host.uuid();
  }

  // As the library's own functions are kept.
  const functions = Object.entries({parse, partition, range, hash, random, uuid})
      .map(([name, implementation]) =>
          [name, {_jsonata_function: true, implementation}]);

  function compile(text) {
    const expression = jsonata(text);
    expression.assign('eval', undefined);
    for (const [name, value] of functions) expression.assign(name, value);
    return expression;
  }

  // Finds names that are looked up in the context in which the whole expression
  // is evaluated, which is undefined. Nodes that are evaluated in the context of
  // a selected value are left out: $a[b], $a.b, $a^(b), $a{b: c}.
  function collectContextReads(node, found) {
    const collect = (child) => collectContextReads(child, found);
    if (!node) return;
    switch (node.type) {
      case 'path':
        return collect(node.steps[0]);
      case 'name':
        found.add(node.value);
        return;
      case 'variable':
        if (node.value === '') found.add('$');
        if (node.value === '$') found.add('$$');
        return;
      case 'unary':
        collect(node.expression);
        (node.expressions || []).forEach(collect);
        if (node.value === '{') node.lhs.flat().forEach(collect);
        return;
      case 'binary':
      case 'apply':
        collect(node.lhs);
        return collect(node.rhs);
      case 'bind':
        return collect(node.rhs);
      case 'function':
      case 'partial':
        collect(node.procedure);
        return node.arguments.forEach(collect);
      case 'lambda':
        return collect(node.body);
      case 'condition':
        collect(node.condition);
        collect(node.then);
        return collect(node.else);
      case 'block':
        return node.expressions.forEach(collect);
    }
  }

  // Visits every node of the tree.
  function visit(node, seen, onNode) {
    if (node === null || typeof node !== 'object' || seen.has(node)) return;
    seen.add(node);
    if (node.type !== undefined) onNode(node);
    for (const child of Object.values(node)) visit(child, seen, onNode);
  }

  // For $variable.name.name, without anything else: the names. Such a path needs
  // no engine, as long as it leads through objects alone.
  function plainPath(tree) {
    const only = (node, ...keys) =>
        Object.keys(node).every((key) => keys.includes(key));
    const steps = tree.type === 'path' ? tree.steps : [tree];
    if (tree.type === 'path' && !only(tree, 'type', 'steps')) return [];
    const plain = steps.every(
        (step, i) => step.type === (i === 0 ? 'variable' : 'name') &&
            only(step, 'type', 'value', 'position'));
    return plain ? steps.map((step) => step.value) : [];
  }

  // {reads: names that are read from the missing context, variables: names of
  // all variables and functions, states: members of $states that are read,
  // path: see plainPath()}
  function analyze(expression) {
    const tree = expression.ast();
    const reads = new Set();
    collectContextReads(tree, reads);
    const variables = new Set();
    const states = new Set();
    visit(tree, new Set(), (node) => {
      if (node.type === 'variable') variables.add(node.value);
      if (node.type === 'path' && node.steps.length > 1 &&
          node.steps[0].type === 'variable' &&
          node.steps[0].value === 'states' && node.steps[1].type === 'name') {
        states.add(node.steps[1].value);
      }
    });
    return {
      reads: [...reads],
      variables: [...variables],
      states: [...states],
      path: plainPath(tree),
    };
  }

  function evaluate(expression, bindings) {
    depth = 0;
    return expression.evaluate(undefined, bindings);
  }

  // See synchronous.sed.
  window.enter = enter;
  window.leave = leave;
  return {compile, analyze, evaluate};
})
