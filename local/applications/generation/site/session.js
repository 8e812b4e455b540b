// Who is signed in: the user pool's tokens, as Cognito gives them to a browser.

const STORED = 'mandala-session';
const REFRESH_EARLY_MS = 60_000;

/** Cognito has refused; `code` is its name for the reason. */
export class AuthError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** Nobody answers. */
export class Unreachable extends Error {}

/** fetch() whose failures are told apart from refusals. */
export async function reach(url, request) {
  try {
    return await fetch(url, request);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Unreachable(error.message);
  }
}

/** The claims of a token. They are only shown: whoever relies on a token verifies it. */
function claimsOf(token) {
  const base64 = token.split('.')[1].replace(/-/g, '+').replace(/_/g, '/');
  return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))));
}

export class Session {
  #config;
  #tokens = null; // {idToken, accessToken, refreshToken, expiresAt, user, sub}
  #refreshing = null;

  constructor(config) {
    this.#config = config;
    try {
      this.#tokens = JSON.parse(sessionStorage.getItem(STORED));
    } catch {
      this.#tokens = null; // storage may be forbidden, or hold something else
    }
  }

  get isSignedIn() { return this.#tokens !== null; }
  get user() { return this.#tokens?.user; }
  /** Tells users apart, also if one is created anew under the same name. */
  get sub() { return this.#tokens?.sub; }

  /** Returns what is still to be done: null, or {challenge, session} for `chooseNewPassword`. */
  async signIn(user, password) {
    return this.#take(user, await this.#call('InitiateAuth', {
      AuthFlow: 'USER_PASSWORD_AUTH', ClientId: this.#config.clientId, AuthParameters: { USERNAME: user, PASSWORD: password },
    }));
  }

  async chooseNewPassword(user, session, password) {
    return this.#take(user, await this.#call('RespondToAuthChallenge', {
      ChallengeName: 'NEW_PASSWORD_REQUIRED', ClientId: this.#config.clientId, Session: session,
      ChallengeResponses: { USERNAME: user, NEW_PASSWORD: password },
    }));
  }

  #take(user, { AuthenticationResult: result, ChallengeName: challenge, Session: session }) {
    if (!result) return { challenge, session };
    this.#keep(user, result);
    return null;
  }

  #keep(user, { IdToken, AccessToken, RefreshToken, ExpiresIn }) {
    this.#tokens = {
      idToken: IdToken, accessToken: AccessToken, refreshToken: RefreshToken ?? this.#tokens?.refreshToken,
      expiresAt: Date.now() + ExpiresIn * 1000, user, sub: claimsOf(IdToken).sub,
    };
    this.#store();
  }

  #store() {
    try {
      if (this.#tokens) sessionStorage.setItem(STORED, JSON.stringify(this.#tokens));
      else sessionStorage.removeItem(STORED);
    } catch {
      // The session then ends with the page.
    }
  }

  /** The ID token, a fresh one if it is about to expire. */
  async idToken() {
    if (!this.#tokens) throw new AuthError('NotAuthorizedException', 'signed out');
    if (Date.now() > this.#tokens.expiresAt - REFRESH_EARLY_MS) await this.refresh();
    return this.#tokens.idToken;
  }

  /** Gets new tokens; one request, however many ask. AuthError if the session has ended. */
  refresh() {
    this.#refreshing ??= this.#refresh().finally(() => { this.#refreshing = null; });
    return this.#refreshing;
  }

  async #refresh() {
    const { user, refreshToken } = this.#tokens;
    const { AuthenticationResult: result } = await this.#call('InitiateAuth', {
      AuthFlow: 'REFRESH_TOKEN_AUTH', ClientId: this.#config.clientId, AuthParameters: { REFRESH_TOKEN: refreshToken },
    });
    if (!this.#tokens) throw new AuthError('NotAuthorizedException', 'signed out meanwhile');
    this.#keep(user, result);
  }

  /** The refresh token is revoked, too; if nobody answers, it is only forgotten. */
  async signOut() {
    const token = this.#tokens?.refreshToken;
    this.forget();
    if (!token) return;
    try {
      await this.#call('RevokeToken', { ClientId: this.#config.clientId, Token: token });
    } catch (error) {
      if (!(error instanceof Unreachable || error instanceof AuthError)) throw error;
    }
  }

  forget() {
    this.#tokens = null;
    this.#store();
  }

  async #call(operation, body) {
    const response = await reach(this.#config.cognitoUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-amz-json-1.1', 'X-Amz-Target': `AWSCognitoIdentityProviderService.${operation}` },
      body: JSON.stringify(body),
      cache: 'no-store',
    });
    const answer = await response.json().catch(() => ({}));
    if (response.ok) return answer;
    throw new AuthError(String(answer.__type ?? response.status).split('#').at(-1), answer.message ?? '');
  }
}
