"""The one exception of the fetch tools: a message written for the person at the terminal."""


class FetchError(Exception):
    """Something a user can act on; `fetch.py` prints it without a traceback."""
