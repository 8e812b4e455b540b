"""Stands in for the aws command line: writes down how it is called and answers from a script.

The folder FAKE_AWS has the script, a dictionary as marshal writes it: for the beginning of a
command, such as "cloudformation describe-stacks", a list of answers, of which the last is repeated:

    {"stdout": "…", "stderr": "…", "exit": 1, "await": "name", "signal": "name"}

"signal" lets those go on that "await" the same name. Calls are appended to the file calls, each a
line with a list of Python's.

The tests start it some hundred times, so that it does without what takes longer to import than all
the rest: json, os and pathlib.
"""

import marshal
import posix
import sys


def answer_for(folder, arguments):
    with open(folder + "/script", "rb") as file:
        script = marshal.load(file)
    for command, answers in script.items():
        words = command.split()
        if arguments[:len(words)] == words:
            # One byte for each call so far.
            with open(f"{folder}/{command.replace(' ', '_')}.count", "ab") as counter:
                count = counter.tell()
                counter.write(b".")
            return answers[min(count, len(answers) - 1)]
    return {}


def main(arguments):
    folder = posix.environ[b"FAKE_AWS"].decode()
    with open(folder + "/calls", "a", encoding="utf-8") as calls:
        calls.write(ascii(arguments) + "\n")
    answer = answer_for(folder, arguments)
    if "await" in answer:
        with open(f"{folder}/{answer['await']}", encoding="utf-8") as pipe:
            pipe.read()
    print(answer.get("stdout", ""), end="")
    print(answer.get("stderr", ""), end="", file=sys.stderr)
    sys.stdout.flush()
    if "signal" in answer:
        with open(f"{folder}/{answer['signal']}", "w", encoding="utf-8") as pipe:
            pipe.write("go on")
    return answer.get("exit", 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
