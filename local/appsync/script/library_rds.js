// The module @aws-appsync/utils/rds: SQL statements for the RDS Data API.

const HINTS = ['DECIMAL', 'JSON', 'TIMESTAMP', 'TIME', 'UUID', 'DATE'];
const typeHint = {};
for (const type of HINTS) {
  typeHint[type] = (value) => ({type, value: type === 'JSON' && typeof value !== 'string' ? toJson(value) : value});
}
const isHint = (value) => isObject(value) && HINTS.includes(value.type) && hasOwn(value, 'value');

const AGGREGATES = ['max', 'min', 'count', 'avg', 'sum'];
const AGGREGATE = 'AGGREGATE';
const agg = {};
for (const name of AGGREGATES) {
  agg[name] = (column) => ({type: AGGREGATE, name, column});
  agg[`${name}Distinct`] = (column) => ({type: AGGREGATE, name, distinct: true, column});
}

const RDS_COMPARISONS = {eq: '=', ne: '!=', lt: '<', le: '<=', gt: '>', ge: '>='};
// By the member of a payload.
const JOINS = {
  join: 'JOIN', innerJoin: 'INNER JOIN', leftJoin: 'LEFT JOIN', leftOuterJoin: 'LEFT OUTER JOIN',
  rightJoin: 'RIGHT JOIN', rightOuterJoin: 'RIGHT OUTER JOIN', fullOuterJoin: 'FULL OUTER JOIN',
  crossJoin: 'CROSS JOIN', joinNatural: 'NATURAL JOIN', innerJoinNatural: 'NATURAL INNER JOIN',
  leftJoinNatural: 'NATURAL LEFT JOIN', leftOuterJoinNatural: 'NATURAL LEFT OUTER JOIN',
  rightJoinNatural: 'NATURAL RIGHT JOIN', rightOuterJoinNatural: 'NATURAL RIGHT OUTER JOIN',
  fullOuterJoinNatural: 'NATURAL FULL OUTER JOIN'};

const SELECT = 'SELECT';
const SQL = 'SQL';
const isStatement = (value, type) => isObject(value) && value.type === type && isObject(value.properties);

// "a.b.c" in quotes; a lone star stays as it is.
const quote = (name, mark) => name === '*' ? name :
  name.split('.').map((part) => `${mark}${part.split(mark).join(mark + mark)}${mark}`).join('.');
const sentence = (parts) => parts.filter((part) => part !== '').join(' ').trim();

class StatementWriter {
  constructor(mark) {
    this.mark = mark;
    this.variables = {};
    this.hints = {};
    this.count = 0;
  }

  variable(value) {
    if (isNothing(value)) return 'NULL';
    const name = `:P${this.count++}`;
    if (isHint(value)) {
      this.variables[name] = value.value;
      this.hints[name] = value.type;
    } else {
      this.variables[name] = value;
    }
    return name;
  }

  name(name) {
    return quote(name, this.mark);
  }

  aggregate(name, column) {
    const distinct = name.endsWith('Distinct');
    const base = distinct ? name.slice(0, -'Distinct'.length) : name;
    return `${base.toUpperCase()}(${distinct ? 'DISTINCT ' : ''}${this.name(column)})`;
  }

  subquery(statement) {
    return `(${this.statement(statement)})`;
  }

  // {alias: what it stands for}
  alias(object) {
    const names = keys(object);
    if (names.length === 0) throw new Error('java.util.NoSuchElementException');
    if (names.length > 1) throw new Error('table alias is allowed only one key-value pair.');
    const of = object[names[0]];
    if (isStatement(of, SELECT) || isStatement(of, SQL)) return `${this.subquery(of)} as ${this.name(names[0])}`;
    if (typeof of !== 'string') throw new Error('Table alias value is expected to be a string.');
    return `${this.name(of)} as ${this.name(names[0])}`;
  }

  table(payload) {
    const {table} = payload;
    if (isNothing(table)) throw new Error("'table' or 'from' key is required.");
    if (typeof table === 'string') return this.name(table);
    if (isObject(table)) return this.alias(table);
    throw new Error('table name is expected to be a string or alias.');
  }

  source(payload) {
    const {from} = payload;
    if (isNothing(from)) return this.table(payload);
    if (!isNothing(payload.table)) throw new Error("'from' and 'table' keys cannot be used together");
    if (typeof from === 'string') return this.name(from);
    if (isStatement(from, SELECT) || isStatement(from, SQL)) return this.subquery(from);
    if (isObject(from)) return this.alias(from);
    throw new Error("'from' value is expected to be string or object.");
  }

  column(column) {
    if (typeof column === 'string') return this.name(column);
    if (!isObject(column)) throw new Error('Invalid type in column array.');
    if (column.type === AGGREGATE) {
      return this.aggregate(`${column.name}${column.distinct ? 'Distinct' : ''}`, column.column);
    }
    const [name] = keys(column);
    if (isObject(column[name]) && column[name].type === AGGREGATE) {
      return `${this.column(column[name])} as ${this.name(name)}`;
    }
    return this.alias(column);
  }

  columns(columns) {
    if (columns === '*') return '*';
    if (!isArray(columns)) throw new Error('Expected column to be * or an array.');
    return columns.map((column) => this.column(column)).join(', ');
  }

  between(left, name, operand) {
    if (!isArray(operand)) throw new Error(`${name} condition expects an array with length of 2.`);
    if (operand.length !== 2) {
      throw new Error(
        `${name} condition expects an array with 2 values but received an array with length ${operand.length}.`);
    }
    const from = this.variable(operand[0]);
    return `${left} BETWEEN ${from} AND ${this.variable(operand[1])}`;
  }

  // Comparisons of what is computed from a column.
  computed(left, name, comparisons, kind) {
    if (!isObject(comparisons)) throw new Error(`Expected ${name} to be an Object.`);
    return keys(comparisons).map((operator) => {
      if (operator === 'between') return this.between(left, name, comparisons[operator]);
      if (!hasOwn(RDS_COMPARISONS, operator)) throw new Error(`${name} has invalid ${kind} operator.`);
      return `${left} ${RDS_COMPARISONS[operator]} ${this.variable(comparisons[operator])}`;
    }).join(' AND ');
  }

  like(left, name, operator, operand) {
    if (typeof operand !== 'string') throw new Error(`${name} expects a string value to be passed.`);
    if (operator === 'notContains') return `${left} NOT LIKE ${this.variable(operand)}`;
    return `${left} LIKE ${this.variable(operator === 'contains' ? `%${operand}%` : `${operand}%`)}`;
  }

  condition(column, operator, operand) {
    const left = this.name(column);
    const name = `${column}.${operator}`;
    if (operator === 'size') return this.computed(`LENGTH (${left})`, name, operand, 'size');
    if (hasOwn(agg, operator)) return this.computed(this.aggregate(operator, column), name, operand, operator);
    if (operator === 'between') return this.between(left, name, operand);
    const isComparison = hasOwn(RDS_COMPARISONS, operator);
    if (!isComparison && !['contains', 'notContains', 'beginsWith', 'attributeExists'].includes(operator)) {
      throw new Error(`Unsupported condition ${name}.`);
    }
    if (isNothing(operand)) throw new Error(`Value for ${name} can't be null.`);
    if (isComparison) return `${left} ${RDS_COMPARISONS[operator]} ${this.variable(operand)}`;
    if (operator !== 'attributeExists') return this.like(left, name, operator, operand);
    if (typeof operand !== 'boolean') throw new Error(`${name} expects a boolean value to be passed.`);
    return `${left} IS ${operand ? 'NOT ' : ''}NULL`;
  }

  group(name, elements) {
    if (!isArray(elements)) throw new Error(`${name} expects conditions to be an array`);
    return elements.map((element) => {
      if (!isObject(element) || isStatement(element, SQL)) throw new Error(`Expected ${name} to be an Object.`);
      const text = this.conditions(element);
      return text === '' ? '' : `${name === 'not' ? 'NOT ' : ''}(${text})`;
    }).join(name === 'or' ? ' OR ' : ' AND ');
  }

  conditions(object) {
    return keys(object).map((key) => {
      if (key === 'and' || key === 'or') return this.group(key, object[key]);
      if (key === 'not' && isArray(object[key])) return this.group(key, object[key]);
      if (!isObject(object[key])) throw new Error('Expected condition to be an Object.');
      return keys(object[key]).map((operator) => this.condition(key, operator, object[key][operator])).join(' AND ');
    }).join(' AND ');
  }

  // "WHERE ..." or nothing. The word can be another.
  where(where, word = 'WHERE') {
    if (isNothing(where)) return '';
    if (!isObject(where)) throw new Error(`${word} values are expected to be SQL templates or a condition object.`);
    const text = isStatement(where, SQL) ? this.statement(where) : this.conditions(where);
    return text === '' ? '' : `${word} ${text}`;
  }

  joins(payload) {
    return keys(JOINS).filter((name) => !isNothing(payload[name])).flatMap((name) => payload[name].map((join) => {
      const using = isNothing(join.using) ? '' : `USING (${this.columns(join.using)})`;
      return sentence([JOINS[name], this.source(join), using, this.where(join.on, 'ON')]);
    })).join(' ');
  }

  orderBy(items) {
    if (isNothing(items)) return '';
    if (!isArray(items)) throw new Error('orderBy expects an array.');
    if (items.length === 0) return '';
    const parts = items.map((item) => {
      if (!isObject(item)) throw new Error('orderBy item expected to be an object.');
      if (typeof item.column !== 'string') throw new Error('orderBy item expected to have property column.');
      const dir = typeof item.dir === 'string' ? item.dir.toUpperCase() : 'ASC';
      if (dir !== 'ASC' && dir !== 'DESC') {
        throw new Error(`orderBy dir can have either ASC or DESC found ${item.dir}.`);
      }
      return `${this.name(item.column)} ${dir}`;
    });
    return `ORDER BY ${parts.join(', ')}`;
  }

  groupBy(columns) {
    if (isNothing(columns)) return '';
    if (!isArray(columns)) throw new Error('groupBy expects an array.');
    if (columns.length === 0) return '';
    return `GROUP BY ${columns.map((column) => typeof column === 'number' ? column : this.name(column)).join(', ')}`;
  }

  paging(word, name, value) {
    if (isNothing(value)) return '';
    const text = typeof value === 'string' ? value.trim() : value;
    const number = typeof text === 'number' || (typeof text === 'string' && text !== '') ? Number(text) : NaN;
    if (!isFinite(number)) throw new Error(`${name} expects a number.`);
    return `${word} ${this.variable(number)}`;
  }

  returning(returning) {
    if (isNothing(returning)) return '';
    const columns = this.columns(returning);
    if (this.mark === '`') throw new Error('returning is not supported in MySQL.');
    return `RETURNING ${columns}`;
  }

  values(payload, operation) {
    const {values} = payload;
    if (isNothing(values)) throw new Error(`values are expected to be passed to ${operation}`);
    if (!isObject(values)) throw new Error('Expected values to an Object.');
    return values;
  }

  SELECT(payload) {
    const columns = this.columns(payload.columns ?? '*');
    return sentence([
      'SELECT', columns, 'FROM', this.source(payload), this.joins(payload), this.where(payload.where),
      this.groupBy(payload.groupBy), this.where(payload.having, 'HAVING'), this.orderBy(payload.orderBy),
      this.paging('LIMIT', 'limit', payload.limit), this.paging('OFFSET', 'offset', payload.offset)]);
  }

  INSERT(payload) {
    const table = this.table(payload);
    const values = this.values(payload, 'insert');
    const columns = keys(values).map((name) => this.name(name)).join(', ');
    const variables = keys(values).map((name) => this.variable(values[name])).join(', ');
    return sentence([
      'INSERT INTO', table, `(${columns})`, 'VALUES', `(${variables})`, this.returning(payload.returning)]);
  }

  UPDATE(payload) {
    const table = this.table(payload);
    const values = this.values(payload, 'update');
    const sets = keys(values).map((name) => `${this.name(name)} = ${this.variable(values[name])}`).join(', ');
    return sentence(['UPDATE', table, 'SET', sets, this.where(payload.where), this.returning(payload.returning)]);
  }

  REMOVE(payload) {
    const table = this.table(payload);
    return sentence(['DELETE FROM', table, this.where(payload.where), this.returning(payload.returning)]);
  }

  SQL({literals, values}) {
    return literals.map((literal, i) => i === 0 ? literal : this.variable(values[i - 1]) + literal).join('');
  }

  statement({type, properties}) {
    return this[type](properties);
  }
}

const STATEMENT_TYPES = [SELECT, 'INSERT', 'UPDATE', 'REMOVE', SQL];

const statementMaker = (type, name) => (...payloads) => {
  if (payloads.length === 0) throw new Error(`An argument is expected to be passed to ${name}`);
  if (!isObject(payloads[0])) throw new Error('Expected payload to be an Object.');
  return {type, properties: payloads[0]};
};

const statementsMaker = (name, mark) => (...statements) => {
  if (statements.length === 0) throw new Error(`An argument is expected to be passed to ${name}`);
  const writer = new StatementWriter(mark);
  const texts = statements.filter((statement, i) => i === 0 || !isNothing(statement)).map((statement) => {
    if (typeof statement === 'string') return statement;
    if (!STATEMENT_TYPES.some((type) => isStatement(statement, type))) {
      throw new Error(`Unsupported type is passed as argument to ${name}`);
    }
    return writer.statement(statement);
  });
  return {statements: texts, variableMap: writer.variables, variableTypeHintMap: writer.hints};
};

function sql(literals, ...values) {
  if (!isArray(literals) || literals.length !== values.length + 1) {
    throw new Error('java.lang.IllegalArgumentException: Unexpected argument passed to sql tagged template');
  }
  return {type: SQL, properties: {literals: [...literals], values}};
}

// A field of a record. undefined for null, which records leave out.
function rdsField(field) {
  if (!isObject(field) || field.isNull) return undefined;
  if (isObject(field.arrayValue)) return rdsArray(field.arrayValue);
  return field.stringValue ?? field.longValue ?? field.doubleValue ?? field.booleanValue ?? field.blobValue;
}

const rdsArray = (array) => array.arrayValues?.map(rdsArray) ?? array.stringValues ?? array.longValues ??
  array.doubleValues ?? array.booleanValues ?? [];

function toJsonObject(result) {
  const {sqlStatementResults} = (typeof result === 'string' ? fromJson(result) : result) ?? {};
  if (!isArray(sqlStatementResults)) return null;
  return sqlStatementResults.map(({records, columnMetadata}) => {
    if (!isArray(records)) return [{}];
    return records.map((record) => {
      const row = {};
      record.forEach((field, i) => {
        const value = rdsField(field);
        if (value !== undefined) row[columnMetadata[i].label ?? columnMetadata[i].name] = value;
      });
      return row;
    });
  });
}

const rdsModule = {
  select: statementMaker(SELECT, 'select'),
  insert: statementMaker('INSERT', 'insert'),
  update: statementMaker('UPDATE', 'update'),
  remove: statementMaker('REMOVE', 'remove'),
  createPgStatement: statementsMaker('createPgStatement', '"'),
  createMySQLStatement: statementsMaker('createMySQLStatement', '`'),
  sql,
  toJsonObject,
  typeHint,
  agg,
};
