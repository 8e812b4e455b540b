// Turns a module that was checked into a script that runs it.

class FactoryWriter {
  // `check` is a Check that has run.
  constructor({code, tree, located, exports}) {
    this.code = code;
    this.tree = tree;
    this.located = located;
    this.exports = exports;
  }

  // The engine names an operator such as "(" or "." where AppSync names the expression's beginning. As text
  // ";LINE:COLUMN>LINE:COLUMN;...", in which a place is easily found.
  places() {
    // Of each line.
    const begins = [0];
    for (let i = this.code.indexOf('\n'); i >= 0; i = this.code.indexOf('\n', i + 1)) begins.push(i + 1);
    let text = ';';
    for (const {type, callee, object, argument, start, loc} of this.located) {
      // The engine names the statement that returns what a call returns.
      if (type === 'ReturnStatement') {
        text += `${loc.start.line}:${loc.start.column + 1}>${
          argument.loc.start.line}:${argument.loc.start.column + 1};`;
        continue;
      }
      const pattern = type === 'CallExpression' ? /\(/g : /[.[]/g;
      pattern.lastIndex = (callee ?? object).end;
      const at = pattern.exec(this.code)?.index ?? start;
      let line = loc.start.line;
      while (line < begins.length && begins[line] <= at) ++line;
      text += `${line}:${at - begins[line - 1] + 1}>${loc.start.line}:${loc.start.column + 1};`;
    }
    return text;
  }

  // The module as an object with a function `make` that runs it. What can't be in a function's body is replaced by
  // spaces, so that columns stay; lines are one more.
  write() {
    let name = 'modules';
    while (this.code.includes(name)) name += '_';
    const bindings = [];
    let text = this.code;
    const blank = (start, end) => {
      text = text.slice(0, start) + text.slice(start, end).replace(/[^\n\r\u2028\u2029]/g, ' ') + text.slice(end);
    };
    for (const node of this.tree.body) {
      if (node.type === 'ImportDeclaration') {
        const module = `${name}[${JSON.stringify(node.source.value)}]`;
        for (const {type, local, imported} of node.specifiers) {
          bindings.push(type === 'ImportNamespaceSpecifier' ? `${local.name} = ${module}` :
            `${local.name} = ${module}[${JSON.stringify(imported.name ?? imported.value)}]`);
        }
        blank(node.start, node.end);
      } else if (node.type === 'ExportNamedDeclaration') {
        blank(node.start, node.declaration?.start ?? node.end);
      }
    }
    const members = [...this.exports].map(([exported, local]) => `${JSON.stringify(exported)}: ${local}`);
    const constants = bindings.length === 0 ? '' : `const ${bindings.join(', ')};`;
    return `({make: function (${name}) {'use strict';${constants}\n${text}\n;return {${members.join(', ')}};},` +
      ` places: ${JSON.stringify(this.places())}})`;
  }
}
