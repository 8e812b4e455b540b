// Checks code as AppSync does when it is saved. Needs `acorn` and the other parts of the checker, which are
// concatenated in the order of BUILD to a function of the code.

const isFunction = (node) => node !== null && node !== undefined && (node.type === 'FunctionDeclaration' ||
  node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression');

const isNode = (value) => value !== null && typeof value === 'object' && typeof value.type === 'string';

// A list, since callbacks would need more of the stack in deep trees.
function childrenOf(node) {
  const children = [];
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (Array.isArray(value)) {
      for (const element of value) {
        if (isNode(element)) children.push(element);
      }
    } else if (isNode(value)) {
      children.push(value);
    }
  }
  return children;
}

// The identifiers that a pattern binds.
function boundNames(pattern, found = []) {
  switch (pattern?.type) {
    case 'Identifier': found.push(pattern); break;
    case 'ObjectPattern': pattern.properties.forEach((p) => boundNames(p.value ?? p.argument, found)); break;
    case 'ArrayPattern': pattern.elements.forEach((p) => boundNames(p, found)); break;
    case 'AssignmentPattern': boundNames(pattern.left, found); break;
    case 'RestElement': boundNames(pattern.argument, found); break;
    default:
  }
  return found;
}

class Check {
  constructor(code, tree) {
    this.code = code;
    this.tree = tree;
    this.errors = [];
    // By node: what its scope declares, by name: {init, context}.
    this.scopes = new Map();
    // Nodes that faults and logs may name.
    this.located = [];
    // By function node: the functions that it calls.
    this.calls = new Map();
    this.callSites = [];
    this.exports = new Map();
  }

  report(node, value) {
    if (this.errors.length >= MAX_ERRORS) return;
    this.errors.push({
      errorType: LINT_ERROR, value, line: node.loc.start.line, column: node.loc.start.column + 1,
      span: node.end - node.start});
  }

  declare(scope, name, declaration) {
    if (!this.scopes.has(scope)) this.scopes.set(scope, new Map());
    this.scopes.get(scope).set(name, declaration);
  }

  // Declares names, so that uses before a declaration are found, too.
  collect(node, block, func) {
    let inner = block;
    if (isFunction(node)) {
      if (node.type === 'FunctionDeclaration' && node.id !== null) this.declare(block, node.id.name, {init: node});
      if (node.type === 'FunctionExpression' && node.id !== null) this.declare(node, node.id.name, {init: node});
      node.params.forEach((param) => boundNames(param).forEach((id) => this.declare(node, id.name, {init: null})));
      inner = node;
      func = node;
    } else if (/^(BlockStatement|For.*Statement|SwitchStatement)$/.test(node.type)) {
      inner = node;
    } else if (node.type === 'VariableDeclaration') {
      const scope = node.kind === 'var' ? func : block;
      for (const {id, init} of node.declarations) {
        const whole = id.type === 'Identifier';
        boundNames(id).forEach(({name}) => this.declare(scope, name, {init: whole ? init : null}));
      }
    } else if (node.type === 'ImportDeclaration') {
      node.specifiers.forEach(({local}) => this.declare(block, local.name, {init: node}));
    }
    for (const child of childrenOf(node)) this.collect(child, inner, func);
  }

  // The declaration of a name as seen from the nodes `path`; undefined for globals.
  resolve(name, path) {
    for (let i = path.length - 1; i >= 0; --i) {
      const found = this.scopes.get(path[i])?.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  // The function that an expression refers to, if that is obvious.
  functionOf(node, path) {
    if (isFunction(node)) return node;
    if (node?.type !== 'Identifier') return undefined;
    const init = this.resolve(node.name, path)?.init;
    return isFunction(init) ? init : undefined;
  }

  typeOf(node, path, depth = 0) {
    if (depth > 10) return undefined;
    switch (node.type) {
      case 'ArrayExpression': return 'Array';
      case 'TemplateLiteral': return 'String';
      case 'Literal': return typeof node.value === 'string' ? 'String' : undefined;
      case 'Identifier': {
        const init = this.resolve(node.name, path)?.init;
        return init?.type === undefined ? undefined : this.typeOf(init, path, depth + 1);
      }
      case 'CallExpression': {
        const name = node.callee.type === 'MemberExpression' && !node.callee.computed && node.callee.property.name;
        return RETURNS_STRING.has(name) ? 'String' : RETURNS_ARRAY.has(name) ? 'Array' : undefined;
      }
      default: return undefined;
    }
  }

  visit(node, path) {
    if (node.type === 'CallExpression' || node.type === 'MemberExpression' ||
        (node.type === 'ReturnStatement' && node.argument?.type === 'CallExpression')) {
      this.located.push(node);
    }
    const refused = REFUSED[node.type];
    if (refused !== undefined) {
      const message = typeof refused === 'string' ? refused : refused(node);
      if (message !== '') this.report(node, message);
    }
    const rule = this[`visit${node.type}`];
    if (rule !== undefined) rule.call(this, node, path);
    if (isFunction(node)) this.visitFunction(node, path);
    path.push(node);
    for (const child of childrenOf(node)) this.visit(child, path);
    path.pop();
  }

  visitFunction(node, path) {
    if (node.async) this.report(node, 'Async functions are not supported.');
    if (node.generator) this.report(node, 'Generator functions are not supported.');
    if (node.type === 'ArrowFunctionExpression' && node.expression &&
        this.functionOf(node.body, [...path, node]) !== undefined) {
      this.report(node, 'returning a function is not allowed');
    }
  }

  visitReturnStatement(node, path) {
    if (this.functionOf(node.argument, path) !== undefined) this.report(node, 'returning a function is not allowed');
  }

  visitVariableDeclarator(node, path) {
    if (node.init?.type === 'Identifier' && this.functionOf(node.init, path) !== undefined) {
      this.report(node, 're-assigning function is not allowed');
    }
  }

  visitAssignmentExpression(node, path) {
    if (node.operator === '=' && node.right.type === 'Identifier' &&
        this.functionOf(node.right, path) !== undefined) {
      this.report(node, 're-assigning function is not allowed');
    }
    this.checkWrite(node.left, path);
  }

  visitUnaryExpression(node, path) {
    if (node.operator === 'delete') this.checkWrite(node.argument, path);
  }
  visitForInStatement(node, path) { this.checkWrite(node.left, path); }
  visitForOfStatement(node, path) { this.checkWrite(node.left, path); }

  // ctx and its members are read-only in handlers.
  checkWrite(target, path) {
    const root = target.type === 'MemberExpression' ? target.object : target;
    const names = root.type === 'Identifier' ? [root] :
      root === target && target.type !== 'VariableDeclaration' ? boundNames(target) : [];
    for (const {name} of names) {
      const handler = path.find((node) => this.handlers.has(node));
      if (handler === undefined || handler.params[0]?.type !== 'Identifier' || handler.params[0].name !== name) {
        continue;
      }
      const within = path.slice(path.indexOf(handler) + 1);
      if (this.resolve(name, within) !== undefined) continue;
      if (root === target) {
        this.report(target, `${name} is readonly and re-assignment is not supported.`);
      } else {
        const {property} = target;
        const member = property.type === 'Identifier' ? property.name : property.value;
        this.report(target, member === undefined ?
          `${name} is readonly adding/modifying properties is not supported.` :
          `${name} is readonly. Adding/Updating ${member} is not supported.`);
      }
    }
  }

  visitCallExpression(node, path) {
    const {callee} = node;
    const called = this.functionOf(callee, path);
    const caller = [...path].reverse().find(isFunction);
    if (called !== undefined) {
      this.callSites.push({node, called});
      if (!this.calls.has(caller)) this.calls.set(caller, new Set());
      this.calls.get(caller).add(called);
    }
    if (callee.type === 'MemberExpression') this.checkMethod(node, path);
    const passes = node.arguments.some((argument) => this.functionOf(argument, path) !== undefined);
    if (!passes) return;
    const method = callee.type === 'MemberExpression' && !callee.computed ? callee.property.name : undefined;
    const own = called !== undefined || (method !== undefined && !TAKES_FUNCTION.has(method));
    if (own) this.report(node, 'Functions can not be passed as an argument');
  }

  checkMethod(node, path) {
    const {object, property, computed} = node.callee;
    const name = computed ? property.value : property.name;
    if (typeof name !== 'string') return;
    if (object.type === 'Identifier') {
      const declared = this.resolve(object.name, path);
      const allowed = declared === undefined ? STATIC_METHODS[object.name] : undefined;
      if (allowed !== undefined && Object.hasOwn(STATIC_METHODS, object.name)) {
        if (!allowed.includes(name)) this.report(node, `Method ${object.name}.${name} is not implemented`);
        return;
      }
      // A function of the code's own.
      const {init} = declared ?? {};
      if (init?.type === 'ImportDeclaration' || (init?.type === 'ObjectExpression' &&
          init.properties.some(({key}) => key?.name === name || key?.value === name))) {
        return;
      }
    }
    const type = this.typeOf(object, path);
    if (REFUSED_OF_TYPE[type]?.includes(name)) {
      this.report(node, `Method ${type}.${name} is not implemented`);
    } else if (TYPE_OF_METHOD.has(name)) {
      this.report(node, `Method ${TYPE_OF_METHOD.get(name)}.${name} is not implemented`);
    }
  }

  visitIdentifier(node, path) {
    const parent = path[path.length - 1];
    if ((parent.type === 'MemberExpression' && parent.property === node && !parent.computed) ||
        (parent.type === 'Property' && parent.key === node && !parent.computed && !parent.shorthand) ||
        parent.type.startsWith('Import') || parent.type.startsWith('Export')) {
      return;
    }
    if (REFUSED_GLOBALS.has(node.name) && this.resolve(node.name, path) === undefined &&
        parent.type !== 'NewExpression') {
      this.report(node, `${node.name} is not supported.`);
    }
  }

  visitImportDeclaration(node) {
    const names = Object.hasOwn(MODULES, node.source.value) ? MODULES[node.source.value] : undefined;
    if (names === undefined) {
      this.report(node, `Module ${node.source.value} is not supported.`);
      return;
    }
    for (const specifier of node.specifiers) {
      if (specifier.type === 'ImportDefaultSpecifier') {
        this.report(specifier, `Module ${node.source.value} has no default export.`);
      } else if (specifier.type === 'ImportSpecifier') {
        const name = specifier.imported.name ?? specifier.imported.value;
        if (!names.includes(name)) this.report(specifier, `Module ${node.source.value} has no export ${name}.`);
      }
    }
  }

  visitExportDefaultDeclaration(node) {
    this.report(node, 'Default exports are not supported.');
  }

  visitExportNamedDeclaration(node) {
    if (node.source !== null) this.report(node, 'Exporting members of a module is not supported.');
  }

  // Every call that leads to a cycle of calls is refused.
  checkRecursion() {
    // The functions that `from` leads to: itself only if there is a way back.
    const reachable = (from, seen = new Set()) => {
      for (const next of this.calls.get(from) ?? []) {
        if (!seen.has(next)) reachable(next, seen.add(next));
      }
      return seen;
    };
    const recursive = new Set([...this.calls.keys()].filter((node) => reachable(node).has(node)));
    if (recursive.size === 0) return;
    for (const {node, called} of this.callSites) {
      if (recursive.has(called) || [...reachable(called)].some((next) => recursive.has(next))) {
        this.report(node, 'Recursive function calls not supported.');
      }
    }
  }

  // What the module exports, by name: the local name.
  findExports() {
    for (const node of this.tree.body) {
      if (node.type !== 'ExportNamedDeclaration') continue;
      const {declaration} = node;
      if (declaration?.type === 'FunctionDeclaration') {
        this.exports.set(declaration.id.name, declaration.id.name);
      } else if (declaration?.type === 'VariableDeclaration') {
        declaration.declarations.flatMap(({id}) => boundNames(id))
          .forEach(({name}) => this.exports.set(name, name));
      }
      for (const {local, exported} of node.specifiers) {
        this.exports.set(exported.name ?? exported.value, local.name ?? local.value);
      }
    }
    this.handlers = new Set(['request', 'response']
      .map((name) => this.scopes.get(this.tree)?.get(this.exports.get(name))?.init).filter(isFunction));
  }

  run() {
    this.collect(this.tree, this.tree, this.tree);
    this.findExports();
    this.visit(this.tree, []);
    this.checkRecursion();
    this.errors.sort((a, b) => a.line - b.line || a.column - b.column);
  }
}

const refusedFor = (errors) => ({errors, exports: [], factory: ''});

return (code) => {
  let tree;
  try {
    tree = acorn.parse(code, {ecmaVersion: 2022, sourceType: 'module', locations: true});
  } catch (error) {
    if (error.loc === undefined) throw error;
    return refusedFor([{
      errorType: PARSER_ERROR, value: `Parsing error: ${error.message.replace(/ \(\d+:\d+\)$/, '')}`,
      line: error.loc.line, column: error.loc.column + 1, span: Math.max(1, error.raisedAt - error.pos)}]);
  }
  const check = new Check(code, tree);
  check.run();
  if (check.errors.length > 0) return refusedFor(check.errors);
  return {errors: [], exports: [...check.exports.keys()], factory: new FactoryWriter(check).write()};
};
