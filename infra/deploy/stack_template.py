"""The parts of a template that a deployment uses."""

import hashlib
import json
import pathlib
import re

from aws_cli import Failure


class CodeFile:
    """A zip and its destination."""

    def __init__(self, parameter, path, prefix):
        content = pathlib.Path(path).read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        self.parameter = parameter
        self.path = path
        # New content gets a new name: CloudFormation compares only the name.
        self.name = f"{pathlib.Path(path).stem}-{digest}.zip"
        self.key = prefix + self.name


class StackTemplate:
    """A generated template."""

    def __init__(self, path):
        self.path = path
        document = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        self.parameters = document["Parameters"]
        # By parameter, the zip whose uploaded name it takes.
        self._code = document["Metadata"]["Byoshin"]["Code"]

    def default_prefix(self):
        return self.parameters["CodePrefix"]["Default"]

    def code_files(self, zips, prefix):
        """The zips of the functions, found by name among the paths `zips`."""
        by_name = {pathlib.Path(path).name: path for path in zips}
        files = []
        for parameter, name in self._code.items():
            if name not in by_name:
                raise Failure(f"the template needs {name}, which was not built")
            files.append(CodeFile(parameter, by_name[name], prefix))
        return files

    def check_parameters(self, given):
        """Rejects what CloudFormation would reject, before anything is uploaded."""
        own = {"CodeBucket": "--bucket", "CodePrefix": "--prefix",
               **{parameter: "the upload" for parameter in self._code}}
        for name, value in given.items():
            if name not in self.parameters:
                choices = ", ".join(sorted(set(self.parameters) - set(own)))
                raise Failure(f"--parameter: there is no {name}; there is {choices}")
            if name in own:
                raise Failure(f"--parameter: {name} follows from {own[name]}")
            self.check_value(name, value)

    def check_value(self, name, value):
        parameter = self.parameters[name]
        allowed = parameter.get("AllowedValues")
        if allowed is not None and value not in [str(choice) for choice in allowed]:
            raise Failure(f"{name}: {value!r} is none of {', '.join(map(str, allowed))}")
        if parameter["Type"] == "Number" and allowed is None:
            self.check_number(name, value)
        pattern = parameter.get("AllowedPattern")
        if pattern is not None and not re.search(pattern, value):
            raise Failure(f"{name}: {value!r} is not {parameter['ConstraintDescription']}")

    def check_number(self, name, value):
        parameter = self.parameters[name]
        try:
            number = float(value)
        except ValueError:
            raise Failure(f"{name}: {value!r} is not a number") from None
        if not (float(parameter.get("MinValue", "-inf")) <= number <=
                float(parameter.get("MaxValue", "inf"))):
            raise Failure(f"{name}: {value} is not from {parameter.get('MinValue')} "
                          f"to {parameter.get('MaxValue')}")
