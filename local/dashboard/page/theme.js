// Light or dark: the system's choice, until the reader chooses; then the reader's, for good.

import { $, toast } from './dom.js';

const systemDark = matchMedia('(prefers-color-scheme: dark)');

function storedTheme() {
  try {
    return localStorage.getItem('theme');
  } catch {
    return null; // storage may be forbidden
  }
}

function showTheme() {
  const theme = storedTheme() ?? (systemDark.matches ? 'dark' : 'light');
  document.documentElement.dataset.theme = theme;
  $('theme').title = theme === 'dark' ? 'Light' : 'Dark';
}

/** onChange() is called after each change of colours. */
export function startTheme(onChange) {
  const change = () => {
    showTheme();
    onChange();
  };
  showTheme();
  systemDark.addEventListener('change', change);
  $('theme').addEventListener('click', () => {
    const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    try {
      localStorage.setItem('theme', theme);
    } catch {
      toast('The browser does not let this page remember the theme.');
    }
    change();
  });
}
