// Java's regular expressions (java.util.regex.Pattern) on those of JavaScript.

const NAMED_CLASSES = {
  Lower: 'a-z', Upper: 'A-Z', ASCII: '\\x00-\\x7F', Alpha: 'a-zA-Z', Digit: '0-9', Alnum: 'a-zA-Z0-9',
  Punct: '!-\\/:-@\\[-`{-~', Graph: '!-~', Print: ' -~', Blank: ' \\t', Cntrl: '\\x00-\\x1F\\x7F',
  XDigit: '0-9a-fA-F', Space: ' \\t\\n\\x0B\\f\\r'};
const UNICODE_NAMES = {IsAlphabetic: 'Alphabetic', IsLetter: 'L', IsDigit: 'Nd', IsUppercase: 'Uppercase',
  IsLowercase: 'Lowercase', IsWhite_Space: 'White_Space', IsPunctuation: 'P', javaLowerCase: 'Lowercase',
  javaUpperCase: 'Uppercase', javaWhitespace: 'White_Space', javaLetter: 'L', javaDigit: 'Nd'};
const HORIZONTAL_SPACE = ' \\t\\xA0\\u1680\\u180e\\u2000-\\u200a\\u202f\\u205f\\u3000';
// Java's \w, \d and \s are ASCII; so are JavaScript's but for \s.
const JAVA_SPACE = ' \\t\\n\\x0B\\f\\r';

class PatternError extends Error {}

// Translates a pattern from left to right.
class PatternTranslator {
  constructor(pattern) {
    this.pattern = pattern;
    this.at = 0;
    this.flags = 'u';
  }

  fail(what) {
    throw new PatternError(`${what} near index ${this.at}\n${this.pattern}`);
  }

  take(text) {
    if (!this.pattern.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  translate() {
    let out = '';
    while (this.at < this.pattern.length) out += this.next();
    return out;
  }

  next() {
    if (this.take('\\')) return this.escape(false);
    if (this.take('[')) return this.characterClass();
    if (this.take('(?')) return this.group();
    const character = fromCodePoint(nativeCodePointAt(this.pattern, this.at));
    this.at += character.length;
    if ('*+?}'.includes(character) && this.take('+')) this.fail('Possessive quantifiers are not supported');
    if (character === '{') return this.quantifier();
    // Alone they are ordinary in Java.
    return character === '}' || character === ']' ? `\\${character}` : character;
  }

  quantifier() {
    const end = this.pattern.indexOf('}', this.at);
    const inside = end < 0 ? '' : this.pattern.slice(this.at, end);
    if (!/^\d+(,\d*)?$/.test(inside)) this.fail('Illegal repetition');
    this.at = end + 1;
    if (this.pattern[this.at] === '+') this.fail('Possessive quantifiers are not supported');
    return `{${inside}}`;
  }

  group() {
    const flags = /^([imsux]*)([):])/.exec(this.pattern.slice(this.at));
    if (flags === null || flags[1] === '') {
      if (this.take('>')) this.fail('Atomic groups are not supported');
      return '(?';
    }
    // Flags hold for the whole pattern in JavaScript.
    if (this.at !== 2 || flags[2] !== ')') this.fail('Flags are supported at the beginning only');
    if (flags[1].includes('x')) this.fail('The flag x is not supported');
    this.at += flags[0].length;
    for (const flag of flags[1]) {
      if (!this.flags.includes(flag)) this.flags += flag;
    }
    return '';
  }

  // After a backslash.
  escape(inClass) {
    if (this.at >= this.pattern.length) this.fail('Unexpected internal error');
    const character = fromCodePoint(nativeCodePointAt(this.pattern, this.at));
    this.at += character.length;
    const set = (content, negated) => inClass ? (negated ? this.fail('Unsupported negation in a class') : content) :
      `[${negated ? '^' : ''}${content}]`;
    switch (character) {
      case 'Q': return this.quoted();
      case 'E': return '';
      case 'A': return '(?<![^])';
      case 'z': return '(?![^])';
      case 'Z': return '(?=\\n?(?![^]))';
      case 'h': return set(HORIZONTAL_SPACE, false);
      case 'H': return set(HORIZONTAL_SPACE, true);
      case 's': return set(JAVA_SPACE, false);
      case 'S': return set(JAVA_SPACE, true);
      case 'R': return '(?:\\r\\n|[\\n\\x0B\\f\\r\\x85\\u2028\\u2029])';
      case 'e': return '\\x1B';
      case 'a': return '\\x07';
      case 'p': case 'P': return this.property(set, character === 'P');
      case 'x': return this.hexadecimal();
      case '0': return this.octal();
      case 'G': case 'X': return this.fail(`The escape \\${character} is not supported`);
      default:
    }
    if (/[a-zA-Z]/.test(character)) {
      if (!'bBcdDfknrtuvwW'.includes(character)) this.fail('Illegal/unsupported escape sequence');
      return `\\${character}`;
    }
    if (/[0-9]/.test(character)) return `\\${character}`;
    return /[\^$\\.*+?()[\]{}|/]/.test(character) || (inClass && character === '-') ? `\\${character}` : character;
  }

  quoted() {
    const found = this.pattern.indexOf('\\E', this.at);
    const end = found < 0 ? this.pattern.length : found;
    const text = this.pattern.slice(this.at, end);
    this.at = found < 0 ? end : end + 2;
    return nativeReplace(text, /[\^$\\.*+?()[\]{}|/]/g, '\\$&');
  }

  property(set, negated) {
    const match = /^(?:\{([^}]+)\}|([A-Z]))/.exec(this.pattern.slice(this.at));
    if (match === null) this.fail('Unknown character property');
    this.at += match[0].length;
    const name = match[1] ?? match[2];
    if (hasOwn(NAMED_CLASSES, name)) return set(NAMED_CLASSES[name], negated);
    const known = UNICODE_NAMES[name] ?? (/^Is[A-Z][a-z]+$/.test(name) ? `Script=${name.slice(2)}` : name);
    return `\\${negated ? 'P' : 'p'}{${known}}`;
  }

  hexadecimal() {
    const match = /^(?:([0-9a-fA-F]{2})|\{([0-9a-fA-F]{1,6})\})/.exec(this.pattern.slice(this.at));
    if (match === null) this.fail('Illegal hexadecimal escape sequence');
    this.at += match[0].length;
    return `\\u{${match[1] ?? match[2]}}`;
  }

  octal() {
    const match = /^[0-3]?[0-7]{1,2}/.exec(this.pattern.slice(this.at));
    if (match === null) this.fail('Illegal octal escape sequence');
    this.at += match[0].length;
    return `\\u{${parseInt(match[0], 8).toString(16)}}`;
  }

  // After "[". Unions such as [a[bc]] become one class.
  characterClass() {
    const negated = this.take('^');
    const content = this.classContent();
    return `[${negated ? '^' : ''}${content}]`;
  }

  classContent() {
    let out = '';
    for (let first = true; ; first = false) {
      if (this.at >= this.pattern.length) this.fail('Unclosed character class');
      if (this.take('&&')) this.fail('Intersections of character classes are not supported');
      if (this.pattern[this.at] === ']' && !first) {
        ++this.at;
        return out;
      }
      if (this.take('\\')) {
        out += this.escape(true);
      } else if (this.take('[')) {
        if (this.take('^')) this.fail('Negated classes in classes are not supported');
        out += this.classContent();
      } else {
        const character = fromCodePoint(nativeCodePointAt(this.pattern, this.at));
        this.at += character.length;
        out += '()[]{}/|'.includes(character) ? `\\${character}` : character;
      }
    }
  }
}

// Patterns that were used lately, by "flags/pattern". What they hold does not depend on what they matched.
const MAX_PATTERNS = 200;
const patterns = new Map();

function toRegExp(pattern, flags, whole) {
  const key = `${flags}${whole}/${pattern}`;
  let compiled = patterns.get(key);
  if (compiled === undefined) {
    const translator = new PatternTranslator(pattern);
    const source = translator.translate();
    try {
      compiled = new RegExp(whole ? `^(?:${source})(?![^])` : source, translator.flags + flags);
    } catch (error) {
      throw new PatternError(`${error.message} in the pattern ${pattern}`);
    }
    if (patterns.size >= MAX_PATTERNS) patterns.clear();
    patterns.set(key, compiled);
  }
  compiled.lastIndex = 0;
  return compiled;
}

// Whether the whole text matches.
const matches = (pattern, text) => isNothing(text) ? false : toRegExp(`${pattern}`, '', true).test(`${text}`);

// Java's replacements: $1, ${name}, and backslashes that escape.
function javaReplacement(replacement) {
  let out = '';
  for (let i = 0; i < replacement.length; ++i) {
    const character = replacement[i];
    if (character === '\\' && i + 1 < replacement.length) {
      ++i;
      out += replacement[i] === '$' ? '$$' : replacement[i];
    } else if (character === '$' && replacement[i + 1] === '{') {
      const end = replacement.indexOf('}', i);
      if (end < 0) throw new Error('named capturing group is missing trailing \'}\'');
      out += `$<${replacement.slice(i + 2, end)}>`;
      i = end;
    } else if (character === '$') {
      if (!/[0-9]/.test(replacement[i + 1] ?? '')) throw new Error('Illegal group reference');
      out += replacement[i + 1] === '0' ? '$&' : `$${replacement[i + 1]}`;
      ++i;
    } else {
      out += character;
    }
  }
  return out;
}

const javaReplace = (text, pattern, replacement, flags) =>
  nativeReplace(text, toRegExp(`${pattern}`, flags, false), javaReplacement(`${replacement}`));
