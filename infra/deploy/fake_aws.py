"""Stands in for the aws command line: writes down how it is called and answers from a script.

The folder FAKE_AWS has script.json: for the beginning of a command, such as
"cloudformation describe-stacks", a list of answers, of which the last is repeated:

    {"stdout": "…", "stderr": "…", "exit": 1, "await": "name", "signal": "name"}

"signal" lets those go on that "await" the same name. Calls are appended to calls.jsonl.
"""

import json
import os
import pathlib
import sys


def answer_for(folder, arguments):
    script = json.loads((folder / "script.json").read_text())
    for command, answers in script.items():
        words = command.split()
        if arguments[:len(words)] == words:
            counter = folder / (command.replace(" ", "_") + ".count")
            count = int(counter.read_text()) if counter.exists() else 0
            counter.write_text(str(count + 1))
            return answers[min(count, len(answers) - 1)]
    return {}


def main(arguments):
    folder = pathlib.Path(os.environ["FAKE_AWS"])
    with open(folder / "calls.jsonl", "a", encoding="utf-8") as calls:
        calls.write(json.dumps(arguments) + "\n")
    answer = answer_for(folder, arguments)
    if "await" in answer:
        with open(folder / answer["await"], encoding="utf-8") as pipe:
            pipe.read()
    print(answer.get("stdout", ""), end="")
    print(answer.get("stderr", ""), end="", file=sys.stderr)
    sys.stdout.flush()
    if "signal" in answer:
        with open(folder / answer["signal"], "w", encoding="utf-8") as pipe:
            pipe.write("go on")
    return answer.get("exit", 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
