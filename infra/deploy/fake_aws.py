"""Stands in for the aws command line: a program that writes down how it is called and answers.

    aws.write_text(fake_aws.program(folder, script))
    ...
    fake_aws.calls(folder)  # each a list of arguments

`script` has, for the beginning of a command, such as "cloudformation describe-stacks", a list of
answers, of which the last is repeated:

    {"stdout": "…", "stderr": "…", "exit": 1, "await": "name", "signal": "name"}

"signal" lets those go on that "await" the same name, that of a pipe in the folder.

The program is a shell script, since the tests start it some hundred times: any other interpreter
takes longer to start than it has to do. It does without other programs, which may not be on the PATH.
"""

import shlex

# A character that no argument contains.
_END_OF_ARGUMENT = "\x1f"
_END_OF_CALL = "\x1e"


def program(folder, script):
    """The text of the stand-in, which keeps what it has to remember in `folder`."""
    cases = "".join(
        f"{shlex.quote(command)} | {shlex.quote(command + ' ')}*)\n{_answers(folder, command, answers)};;\n"
        for command, answers in script.items())
    # All of a call in one piece: others may be writing theirs.
    return (
        "#!/bin/sh\n"
        "call=\n"
        f"for argument; do call=\"$call$argument{_END_OF_ARGUMENT}\"; done\n"
        f"printf '%s{_END_OF_CALL}' \"$call\" >>{_path(folder, 'calls')}\n"
        f"case \"$*\" in\n{cases}esac\n")


def calls(folder):
    """The calls so far."""
    log = folder / "calls"
    text = log.read_text(encoding="utf-8") if log.exists() else ""
    return [call.split(_END_OF_ARGUMENT)[:-1] for call in text.split(_END_OF_CALL)[:-1]]


def _path(folder, name):
    return shlex.quote(f"{folder}/{name}")


def _answers(folder, command, answers):
    counter = _path(folder, command.replace(" ", "_") + ".count")
    *numbered, last = [_answer(folder, answer) for answer in answers]
    cases = "".join(f"{number}) {answer};;\n" for number, answer in enumerate(numbered))
    return (
        f"count=0\n[ ! -e {counter} ] || read -r count <{counter}\n"
        f"echo $((count + 1)) >{counter}\n"
        f"case $count in\n{cases}*) {last};;\nesac\n")


def _answer(folder, answer):
    steps = []
    if "await" in answer:
        steps.append(f"read -r signal <{_path(folder, answer['await'])}")
    steps.append(f"printf %s {shlex.quote(answer.get('stdout', ''))}")
    steps.append(f"printf %s {shlex.quote(answer.get('stderr', ''))} >&2")
    if "signal" in answer:
        steps.append(f"echo go on >{_path(folder, answer['signal'])}")
    steps.append(f"exit {answer.get('exit', 0)}")
    return "\n".join(steps)
