// Java's regular expressions (java.util.regex.Pattern) on those of JavaScript.

const NAMED_CLASSES = {
  Lower: 'a-z', Upper: 'A-Z', ASCII: '\\x00-\\x7F', Alpha: 'a-zA-Z', Digit: '0-9', Alnum: 'a-zA-Z0-9',
  Punct: '!-\\/:-@\\[-`{-~', Graph: '!-~', Print: ' -~', Blank: ' \\t', Cntrl: '\\x00-\\x1F\\x7F',
  XDigit: '0-9a-fA-F', Space: ' \\t\\n\\x0B\\f\\r', L1: '\\x00-\\xFF', all: '\\x00-\\u{10FFFF}',
  javaWhitespace: '\\t-\\r\\x1C- \\u1680\\u2000-\\u2006\\u2008-\\u200A\\u2028\\u2029\\u205F\\u3000',
  javaLetterOrDigit: '\\p{L}\\p{Nd}'};
const UNICODE_NAMES = {IsAlphabetic: 'Alphabetic', IsLetter: 'L', IsDigit: 'Nd', IsUppercase: 'Uppercase',
  IsLowercase: 'Lowercase', IsTitlecase: 'Lt', IsWhite_Space: 'White_Space', IsPunctuation: 'P', IsControl: 'Cc',
  IsIdeographic: 'Ideographic', IsHex_Digit: 'Hex_Digit', IsAssigned: 'Assigned',
  javaLowerCase: 'Lowercase', javaUpperCase: 'Uppercase', javaLetter: 'L', javaDigit: 'Nd'};

// JavaScript's name of a property.
function unicodeName(name) {
  if (hasOwn(UNICODE_NAMES, name)) return UNICODE_NAMES[name];
  const [, key, value] = /^([a-z_]+)=(\w+)$/i.exec(name) ?? [];
  if (key !== undefined) return `${/^g/i.test(key) ? 'gc' : 'sc'}=${value}`;
  // Categories have one or two letters; scripts more.
  return name.startsWith('Is') ? (name.length > 4 ? `sc=${name.slice(2)}` : name.slice(2)) : name;
}

// What classes of JavaScript contain for Java's escapes. Java's \w, \d and \s are ASCII.
const SPACE = ' \\t\\n\\x0B\\f\\r';
const VERTICAL_SPACE = '\\n\\x0B\\f\\r\\x85\\u2028\\u2029';
const ESCAPED_SETS = {d: '0-9', h: ' \\t\\xA0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000', s: SPACE,
  v: VERTICAL_SPACE, w: 'a-zA-Z0-9_'};
const CONTROL_ESCAPES = {a: 0x07, e: 0x1B, f: 0x0C, n: 0x0A, r: 0x0D, t: 0x09};
// Until version 19 of Java, letters and digits of every script are parts of words here, other than in \w.
const WORD = '[_\\p{L}\\p{Nd}]';
const WORD_BOUNDARY = `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`;
const INSIDE_OR_OUTSIDE_WORD = `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`;
const LINE_END = '[\\n\\r\\x85\\u2028\\u2029]';
// In groups, so that they can be quantified.
const TEXT_BEGIN = '(?:(?<![^]))';
const TEXT_END = '(?:(?![^]))';
const NEVER = '(?:(?!))';
// Never between \r and \n.
const BEFORE_LINE_END = `(?=${LINE_END})(?<!\\r(?=\\n))`;
const AFTER_LINE_END = `(?:(?=[^])(?:${TEXT_BEGIN}|(?<=${LINE_END})(?<!\\r(?=\\n))))`;
const BEFORE_LAST_LINE_END = `(?:${TEXT_END}|${BEFORE_LINE_END}(?=(?:\\r\\n|[^])${TEXT_END}))`;

// Of those that are read at once.
const MAX_ESCAPE_LENGTH = 100;

class PatternError extends Error {}

const pointEscape = (point) => `\\u{${point.toString(16)}}`;

// Patterns of one character: `content` is what a class in brackets contains, where it can be one.
const setOf = (content) => ({content, pattern: `[${content}]`});
const complementOf = ({content, pattern}) => ({
  content: undefined, pattern: content === undefined ? `(?:(?!${pattern})[^])` : `[^${content}]`});
const unionOf = (a, b) => a === undefined ? b :
  a.content !== undefined && b.content !== undefined ? setOf(a.content + b.content) :
    {content: undefined, pattern: `(?:${a.pattern}|${b.pattern})`};
const intersectionOf = (a, b) => ({content: undefined, pattern: `(?:(?=${a.pattern})${b.pattern})`});

// A pattern without \Q and \E: what they quote is escaped.
function withoutQuotes(pattern) {
  let out = '';
  for (let i = 0; i < pattern.length; ++i) {
    if (pattern[i] !== '\\') {
      out += pattern[i];
    } else if (pattern[i + 1] !== 'Q') {
      out += pattern.slice(i, i + 2);
      ++i;
    } else {
      const found = pattern.indexOf('\\E', i + 2);
      const end = found < 0 ? pattern.length : found;
      // A digit could become a part of the escape before it.
      const escaped = nativeReplace(pattern.slice(i + 2, end), /[\0-\/:-@[-`{-\x7F]/g, '\\$&');
      out += nativeReplace(escaped, /[0-9]/g, '\\x3$&');
      i = end + 1;
    }
  }
  return out;
}

// Translates a pattern from left to right.
class PatternTranslator {
  constructor(pattern) {
    this.pattern = withoutQuotes(pattern);
    this.at = 0;
    // Flags of Java.
    this.flags = new Set();
    // Capturing groups so far.
    this.groups = 0;
  }

  fail(what) {
    throw new PatternError(`${what} near index ${this.at}\n${this.pattern}`);
  }

  take(text) {
    if (!this.pattern.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  takeCharacter() {
    if (this.at >= this.pattern.length) this.fail('Unexpected end');
    const character = fromCodePoint(nativeCodePointAt(this.pattern, this.at));
    this.at += character.length;
    return character;
  }

  // What a regular expression that starts with ^ finds in the rest.
  takeMatch(expression, otherwise) {
    const match = expression.exec(this.pattern.slice(this.at, this.at + MAX_ESCAPE_LENGTH));
    if (match === null) this.fail(otherwise);
    this.at += match[0].length;
    return match;
  }

  translate() {
    this.takeFlags();
    let out = '';
    while (this.at < this.pattern.length) out += this.next();
    return out;
  }

  // Flags hold for the whole pattern in JavaScript.
  takeFlags() {
    for (let match = /^\(\?([imsux]+)\)/.exec(this.pattern); match !== null;
      match = /^\(\?([imsux]+)\)/.exec(this.pattern.slice(this.at))) {
      if (match[1].includes('x')) this.fail('The flag x is not supported');
      for (const flag of match[1]) this.flags.add(flag);
      this.at += match[0].length;
    }
  }

  next() {
    if (this.take('\\')) return this.escape();
    if (this.take('[')) return this.characterClass().pattern;
    if (this.take('(?')) return this.group();
    const character = this.takeCharacter();
    switch (character) {
      case '(': ++this.groups; return '(';
      case '*': case '+': case '?':
        if (this.pattern[this.at] === '+') this.fail('Possessive quantifiers are not supported');
        return character;
      case '{': return this.quantifier();
      // Alone they are ordinary in Java.
      case '}': case ']': return `\\${character}`;
      case '.': return this.flags.has('s') ? '[^]' : `[^${LINE_END.slice(1)}`;
      case '^': return this.flags.has('m') ? AFTER_LINE_END : TEXT_BEGIN;
      case '$': return this.flags.has('m') ? `(?:${TEXT_END}|${BEFORE_LINE_END})` : BEFORE_LAST_LINE_END;
      default: return character;
    }
  }

  quantifier() {
    const end = this.pattern.indexOf('}', this.at);
    const inside = end < 0 ? '' : this.pattern.slice(this.at, end);
    if (!/^\d+(,\d*)?$/.test(inside)) this.fail('Illegal repetition');
    this.at = end + 1;
    if (this.pattern[this.at] === '+') this.fail('Possessive quantifiers are not supported');
    return `{${inside}}`;
  }

  // After "(?".
  group() {
    for (const begin of [':', '=', '!', '<=', '<!']) {
      if (this.take(begin)) return `(?${begin}`;
    }
    if (this.take('<')) {
      ++this.groups;
      return `(?<${this.takeMatch(/^[a-zA-Z][a-zA-Z0-9]*>/, 'Illegal name of a capturing group')[0]}`;
    }
    if (this.take('>')) this.fail('Atomic groups are not supported');
    return this.fail('Flags are supported at the beginning only');
  }

  // After a backslash outside of classes.
  escape() {
    const character = this.takeCharacter();
    const set = this.escapedSet(character);
    if (set !== undefined) return set.pattern;
    switch (character) {
      case 'A': return TEXT_BEGIN;
      case 'z': return TEXT_END;
      case 'Z': return BEFORE_LAST_LINE_END;
      case 'b': return WORD_BOUNDARY;
      case 'B': return INSIDE_OR_OUTSIDE_WORD;
      case 'R': return `(?:\\r\\n|[${VERTICAL_SPACE}])`;
      case 'k': return '\\k';
      default:
    }
    return /[1-9]/.test(character) ? this.backReference(character) : pointEscape(this.escapedPoint(character));
  }

  // As many digits as give a group that there is. One that did not match yet fails in Java.
  backReference(digit) {
    let number = Number(digit);
    if (number > this.groups) return NEVER;
    while (/[0-9]/.test(this.pattern[this.at] ?? '') && number * 10 + Number(this.pattern[this.at]) <= this.groups) {
      number = number * 10 + Number(this.takeCharacter());
    }
    return `(?:\\${number})`;
  }

  // Of an escape that stands for one of several characters; undefined for others.
  escapedSet(character) {
    if (character === 'p' || character === 'P') return this.property(character === 'P');
    const name = character.toLowerCase();
    if (!hasOwn(ESCAPED_SETS, name)) return undefined;
    const set = setOf(ESCAPED_SETS[name]);
    return name === character ? set : complementOf(set);
  }

  property(negated) {
    const match = this.takeMatch(/^(?:\{([^}]+)\}|([A-Z]))/, 'Unknown character property');
    const name = match[1] ?? match[2];
    if (hasOwn(NAMED_CLASSES, name)) {
      const set = setOf(NAMED_CLASSES[name]);
      return negated ? complementOf(set) : set;
    }
    return setOf(`\\${negated ? 'P' : 'p'}{${unicodeName(name)}}`);
  }

  // Of an escape that stands for one character.
  escapedPoint(character) {
    if (hasOwn(CONTROL_ESCAPES, character)) return CONTROL_ESCAPES[character];
    switch (character) {
      case '0':
        return parseInt(this.takeMatch(/^(?:[0-3][0-7]{0,2}|[4-7][0-7]?)/, 'Illegal octal escape sequence')[0], 8);
      case 'c': return nativeCodePointAt(this.takeCharacter(), 0) ^ 64;
      case 'u': return this.utf16();
      case 'x': {
        const match = this.takeMatch(/^(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]+)\})/, 'Illegal hexadecimal escape sequence');
        const point = parseInt(match[1] ?? match[2], 16);
        return point <= 0x10FFFF ? point : this.fail('Hexadecimal codepoint is too big');
      }
      default: return /[a-zA-Z0-9]/.test(character) ? this.fail('Illegal/unsupported escape sequence') :
        nativeCodePointAt(character, 0);
    }
  }

  // Two escapes can be one character.
  utf16() {
    const unit = () => parseInt(this.takeMatch(/^[0-9a-fA-F]{4}/, 'Illegal Unicode escape sequence')[0], 16);
    const high = unit();
    const after = this.at;
    if (high < 0xD800 || high > 0xDBFF || !this.take('\\u')) return high;
    const low = unit();
    if (low >= 0xDC00 && low <= 0xDFFF) return 0x10000 + (high - 0xD800) * 0x400 + low - 0xDC00;
    this.at = after;
    return high;
  }

  // After "[".
  characterClass() {
    const negated = this.take('^');
    const set = this.classContent();
    ++this.at;
    return negated ? complementOf(set) : set;
  }

  // Up to the "]" that ends it.
  classContent() {
    let set;
    for (;;) {
      if (this.at >= this.pattern.length) this.fail('Unclosed character class');
      if (this.pattern[this.at] === ']' && set !== undefined) return set;
      if (this.take('[')) {
        set = unionOf(set, this.characterClass());
      } else if (this.take('&&')) {
        set = this.intersection(set);
      } else {
        set = unionOf(set, this.classRange());
      }
    }
  }

  // After "&&".
  intersection(left) {
    let right;
    while (this.at < this.pattern.length && this.pattern[this.at] !== ']' && this.pattern[this.at] !== '&') {
      right = unionOf(right, this.take('[') ? this.characterClass() : this.classContent());
    }
    if (left === undefined && right === undefined) this.fail('Bad class syntax');
    return left === undefined ? right : right === undefined ? left : intersectionOf(left, right);
  }

  // A character, a range, or an escape that stands for several characters, which is never an end of a range.
  classRange() {
    const first = this.classPoint(false);
    if (first.point === undefined) return first;
    const begin = pointEscape(first.point);
    const after = this.pattern[this.at + 1];
    if (this.pattern[this.at] !== '-' || after === undefined || after === '[' || after === ']') return setOf(begin);
    ++this.at;
    const {point} = this.classPoint(true);
    if (point === undefined || point < first.point) this.fail('Illegal character range');
    return setOf(`${begin}-${pointEscape(point)}`);
  }

  // An object with `point`, or a set.
  classPoint(inRange) {
    const escaped = this.take('\\');
    const character = this.takeCharacter();
    if (!escaped) return {point: nativeCodePointAt(character, 0)};
    // Java once had no other \v, and keeps that in ranges.
    if (character === 'v' && (inRange || this.pattern[this.at] === '-')) return {point: 0x0B};
    return this.escapedSet(character) ?? {point: this.escapedPoint(character)};
  }
}

// Patterns that were used lately, by "flags/pattern". What they hold does not depend on what they matched. A character
// of a pattern takes up to 1 KB.
const MAX_PATTERNS = 200;
const MAX_PATTERN_LENGTHS = 20_000;
const patterns = new Map();
let patternLengths = 0;

function keepPattern(key, compiled) {
  if (key.length > MAX_PATTERN_LENGTHS) return;
  if (patterns.size >= MAX_PATTERNS || patternLengths + key.length > MAX_PATTERN_LENGTHS) {
    patterns.clear();
    patternLengths = 0;
  }
  patterns.set(key, compiled);
  patternLengths += key.length;
}

function toRegExp(pattern, flags, whole) {
  const key = `${flags}${whole}/${pattern}`;
  let compiled = patterns.get(key);
  if (compiled === undefined) {
    const translator = new PatternTranslator(pattern);
    const source = translator.translate();
    try {
      compiled = new RegExp(whole ? `^(?:${source})${TEXT_END}` : source,
        `u${translator.flags.has('i') ? 'i' : ''}${flags}`);
    } catch (error) {
      throw new PatternError(`${error.message} in the pattern ${pattern}`);
    }
    keepPattern(key, compiled);
  }
  compiled.lastIndex = 0;
  return compiled;
}

// Whether the whole text matches.
const matches = (pattern, text) => isNothing(text) ? false : toRegExp(`${pattern}`, '', true).test(`${text}`);

// What Java puts in the place of a match: $1 and ${name} are groups, and backslashes escape. `groups` has the match and
// its groups, `named` those with names.
function javaReplacement(replacement, groups, named) {
  let out = '';
  for (let i = 0; i < replacement.length; ++i) {
    if (replacement[i] === '\\') {
      ++i;
      if (i === replacement.length) throw new Error('character to be escaped is missing');
      out += replacement[i];
    } else if (replacement[i] !== '$') {
      out += replacement[i];
    } else if (replacement[i + 1] === '{') {
      const name = /^[a-zA-Z][a-zA-Z0-9]*(?=\})/.exec(replacement.slice(i + 2))?.[0];
      if (name === undefined) throw new Error("named capturing group is missing trailing '}'");
      if (named === undefined || !hasOwn(named, name)) throw new Error(`No group with name {${name}}`);
      out += named[name] ?? '';
      i += name.length + 2;
    } else {
      ++i;
      if (!/[0-9]/.test(replacement[i] ?? '')) throw new Error('Illegal group reference');
      let number = Number(replacement[i]);
      if (number >= groups.length) throw new Error(`No group ${number}`);
      // As many digits as give a group that there is.
      for (; /[0-9]/.test(replacement[i + 1] ?? ''); ++i) {
        const longer = number * 10 + Number(replacement[i + 1]);
        if (longer >= groups.length) break;
        number = longer;
      }
      out += groups[number] ?? '';
    }
  }
  return out;
}

function javaReplace(text, pattern, replacement, flags) {
  const compiled = toRegExp(`${pattern}`, flags, false);
  const by = `${replacement}`;
  if (!/[\\$]/.test(by)) return nativeReplace(text, compiled, by);
  return nativeReplace(text, compiled, (...match) => {
    const named = typeof match[match.length - 1] === 'object' ? match.pop() : undefined;
    return javaReplacement(by, match.slice(0, -2), named);
  });
}
