// The form to sign in.

import { h, setText } from './dom.js';
import { AuthError, Unreachable } from './session.js';
import { t } from './texts.js';

const NEW_PASSWORD = 'NEW_PASSWORD_REQUIRED';

export class SignIn {
  #session;
  #onSignedIn;
  #challenge = null; // of a user who has to choose a new password

  constructor(session, { user, reason, onSignedIn }) {
    this.#session = session;
    this.#onSignedIn = onSignedIn;
    this.user = h('input', { id: 'user', name: 'username', autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false', required: '', value: user });
    this.password = h('input', { id: 'password', name: 'password', type: 'password', autocomplete: 'current-password', required: '' });
    this.passwordLabel = h('label', { for: 'password' }, t('password'));
    this.problem = h('p', { class: 'problem', role: 'alert' }, reason ?? '');
    this.button = h('button', { type: 'submit', class: 'primary' }, t('signIn'));
    this.hint = h('p', { class: 'muted' }, t('signInHint'));
    const cells = [...Array(81).keys()].map((i) => h('i', { class: `hue-${i % 8}` }));
    this.element = h('section', { class: 'welcome' },
      h('div', { class: 'ornament', 'aria-hidden': 'true' }, ...cells),
      h('form', { class: 'card', onsubmit: (event) => this.#submit(event) },
        h('h1', {}, t('signIn')), h('p', { class: 'lead' }, t('signInLead')),
        h('div', { class: 'field' }, h('label', { for: 'user' }, t('user')), this.user),
        h('div', { class: 'field' }, this.passwordLabel, this.password),
        this.problem, this.button, this.hint));
  }

  async #submit(event) {
    event.preventDefault();
    this.button.disabled = true;
    setText(this.button, t('signingIn'));
    setText(this.problem, '');
    try {
      const rest = this.#challenge
        ? await this.#session.chooseNewPassword(this.user.value, this.#challenge.session, this.password.value)
        : await this.#session.signIn(this.user.value.trim(), this.password.value);
      if (!rest) return this.#onSignedIn();
      this.#demand(rest);
    } catch (error) {
      setText(this.problem, problemText(error));
      this.password.focus();
      this.password.select();
    } finally {
      this.button.disabled = false;
      setText(this.button, t('signIn'));
    }
  }

  #demand(rest) {
    if (rest.challenge !== NEW_PASSWORD) throw new AuthError(rest.challenge, rest.challenge);
    this.#challenge = rest;
    this.user.readOnly = true;
    this.password.value = '';
    this.password.autocomplete = 'new-password';
    setText(this.passwordLabel, t('newPassword'));
    setText(this.hint, t('newPasswordHint'));
    this.password.focus();
  }
}

function problemText(error) {
  if (error instanceof Unreachable) return t('unreachableOnce');
  if (!(error instanceof AuthError)) throw error;
  if (error.code === 'NotAuthorizedException' || error.code === 'UserNotFoundException') {
    return /attempts exceeded/.test(error.message) ? t('tooManyAttempts') : t('wrongPassword');
  }
  return error.message || error.code; // in Cognito's words
}
