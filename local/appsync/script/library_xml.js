// util.xml: XML as JSON. Attributes are members, repeated elements are arrays, text beside attributes or elements is
// the member "content".

const XML_ENTITIES = {amp: '&', lt: '<', gt: '>', quot: '"', apos: "'"};
const MAX_XML_DEPTH = 200;

class XmlReader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  fail(what) {
    throw new Error(`The XML is invalid at character ${this.at}: ${what}`);
  }

  take(text) {
    if (!this.text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  // The text before `end`, which is passed.
  until(end) {
    const found = this.text.indexOf(end, this.at);
    if (found < 0) this.fail(`${end} is missing`);
    const inside = this.text.slice(this.at, found);
    this.at = found + end.length;
    return inside;
  }

  skipSpace() {
    while (' \t\r\n'.includes(this.text[this.at] ?? '-')) ++this.at;
  }

  // Comments, instructions and declarations.
  skipMarkup() {
    if (this.take('<!--')) return this.until('-->') !== undefined;
    if (this.take('<?')) return this.until('?>') !== undefined;
    if (this.take('<!DOCTYPE')) return this.until('>') !== undefined;
    return false;
  }

  name() {
    const begin = this.at;
    while (this.at < this.text.length && !' \t\r\n/>=<"\''.includes(this.text[this.at])) ++this.at;
    if (this.at === begin) this.fail('a name is missing');
    return this.text.slice(begin, this.at);
  }

  decode(text) {
    return nativeReplace(text, /&(#x[0-9a-fA-F]{1,6}|#[0-9]{1,7}|[a-zA-Z]+);/g, (whole, entity) => {
      if (entity[0] !== '#') return XML_ENTITIES[entity] ?? whole;
      const code = entity[1] === 'x' ? parseInt(entity.slice(2), 16) : parseInt(entity.slice(1), 10);
      return code <= 0x10FFFF ? fromCodePoint(code) : whole;
    });
  }

  document() {
    const result = {};
    for (;;) {
      this.skipSpace();
      if (this.at >= this.text.length) return result;
      if (this.skipMarkup()) continue;
      if (!this.take('<')) this.fail('an element is missing');
      this.element(result, 0);
    }
  }

  // After "<".
  element(parent, depth) {
    if (depth > MAX_XML_DEPTH) this.fail('elements are nested too deeply');
    const name = this.name();
    const members = {};
    for (;;) {
      this.skipSpace();
      if (this.take('/>')) return xmlAdd(parent, name, keys(members).length === 0 ? '' : members);
      if (this.take('>')) break;
      const attribute = this.name();
      this.skipSpace();
      if (!this.take('=')) {
        xmlAdd(members, attribute, '');
        continue;
      }
      this.skipSpace();
      const mark = this.text[this.at++];
      if (mark !== '"' && mark !== "'") this.fail('a quote is missing');
      xmlAdd(members, attribute, xmlValue(this.decode(this.until(mark))));
    }
    this.content(name, members, depth);
    const names = keys(members);
    const onlyText = names.length === 1 && names[0] === 'content' && !isArray(members.content);
    return xmlAdd(parent, name, names.length === 0 ? '' : onlyText ? members.content : members);
  }

  content(name, members, depth) {
    for (;;) {
      if (this.at >= this.text.length) this.fail(`</${name}> is missing`);
      if (this.skipMarkup()) continue;
      if (this.take('<![CDATA[')) {
        const data = this.until(']]>');
        if (data !== '') xmlAdd(members, 'content', data);
      } else if (this.take('</')) {
        if (this.name() !== name) this.fail(`</${name}> is missing`);
        this.skipSpace();
        if (!this.take('>')) this.fail('> is missing');
        return;
      } else if (this.take('<')) {
        this.element(members, depth + 1);
      } else {
        const next = this.text.indexOf('<', this.at);
        const text = this.text.slice(this.at, next < 0 ? this.text.length : next);
        this.at += text.length;
        if (text.trim() !== '') xmlAdd(members, 'content', xmlValue(this.decode(text.trim())));
      }
    }
  }
}

function xmlAdd(object, name, value) {
  if (!hasOwn(object, name)) {
    defineProperty(object, name, {value, writable: true, enumerable: true, configurable: true});
  } else if (isArray(object[name])) {
    object[name].push(value);
  } else {
    object[name] = [object[name], value];
  }
}

function xmlValue(text) {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (text === 'null') return null;
  return /^-?(0|[1-9][0-9]{0,14})(\.[0-9]+)?$/.test(text) ? Number(text) : text;
}

const utilXml = {
  toMap: (xml) => isNothing(xml) ? null : new XmlReader(`${xml}`).document(),
  toJsonString: (xml, stringEncode) => {
    const text = toJson(new XmlReader(`${xml}`).document());
    return stringEncode ? toJson(text) : text;
  },
};
