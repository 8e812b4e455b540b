// What functions are called on the page.

import { shortName } from './format.js';

let labels = new Map(); // by the function's name

/** Learns the functions of a status. */
export function learnNames({ functions }) {
  const short = functions.map(({ name }) => shortName(name));
  const isUnique = (name) => short.indexOf(name) === short.lastIndexOf(name);
  labels = new Map(functions.map(({ stack, name }, i) => [name, isUnique(short[i]) ? short[i] : `${short[i]} (${stack})`]));
}

/** The name in the template; with the stack's name if functions of two stacks have the same. */
export const functionName = (name) => labels.get(name) ?? shortName(name);
