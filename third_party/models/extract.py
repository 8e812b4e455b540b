"""Extracts the models of AWS's services from botocore: the data, and none of the documentation.

    ./bazelw run //third_party/models:extract               writes one file a service, beside this program
    ./bazelw run //third_party/models:extract -- --check    fails if a file is not as botocore has it

A file has an operation, a shape, a paginator or a waiter a line, sorted, so that a newer botocore shows what has changed.
"""

import argparse
import gzip
import json
import os
import pathlib
import sys

# The services, by the name of their file: as botocore calls each.
SERVICES = {
    "cognitoidp": "cognito-idp",
    "events": "events",
    "logs": "logs",
    "secretsmanager": "secretsmanager",
    "stepfunctions": "stepfunctions",
}

# Prose, or useless to a server.
_DROPPED = {
    "contextParam", "deprecated", "deprecatedMessage", "deprecatedSince", "documentation", "documentationUrl", "endpoint",
    "endpointdiscovery", "endpointoperation", "operationContextParams", "staticContextParams",
}


def strip(node, is_naming=False):
    """`node` without what is dropped. The keys of a node that `is_naming` are names, such as members': all stay."""
    if isinstance(node, list):
        return [strip(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: strip(value, key == "members" and not is_naming)
        for key, value in sorted(node.items()) if is_naming or key not in _DROPPED
    }


def _newest(folder, name):
    """The file `name` of the newest version of the service's API; None if it has none."""
    files = sorted([*folder.glob(f"*/{name}.json"), *folder.glob(f"*/{name}.json.gz")], key=lambda path: path.parent.name)
    if not files:
        return None
    data = files[-1].read_bytes()
    return json.loads(gzip.decompress(data) if files[-1].suffix == ".gz" else data)


def extract(botocore, service):
    """What the file of the service is to have, as a dictionary of sections."""
    folder = botocore / SERVICES[service]
    model = _newest(folder, "service-2")
    return {
        "metadata": strip(model["metadata"]),
        "operations": {name: strip(one) for name, one in model["operations"].items()},
        "paginators": strip((_newest(folder, "paginators-1") or {"pagination": {}})["pagination"], True),
        "shapes": {name: strip(one) for name, one in model["shapes"].items()},
        "waiters": strip((_newest(folder, "waiters-2") or {"waiters": {}})["waiters"], True),
    }


def write(sections):
    """The text of a file: JSON with an entry of a section a line."""
    parts = []
    for section, entries in sections.items():
        lines = [f"  {json.dumps(name)}: {json.dumps(entries[name], sort_keys=True)}" for name in sorted(entries)]
        parts.append(f" {json.dumps(section)}: {{\n" + ",\n".join(lines) + "\n }" if lines else f" {json.dumps(section)}: {{}}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("botocore", type=pathlib.Path, help="botocore's folder of data")
    parser.add_argument("--check", action="store_true")
    parser.add_argument(
        "--folder", type=pathlib.Path, help="of the extracted files",
        default=pathlib.Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY", ".")) / "third_party/models")
    flags = parser.parse_args(argv[1:])
    differing = []
    for service in SERVICES:
        file = flags.folder / f"{service}.json"
        text = write(extract(flags.botocore, service))
        if flags.check and (not file.is_file() or file.read_text() != text):
            differing.append(file.name)
        elif not flags.check:
            file.write_text(text)
    known = {f"{service}.json" for service in SERVICES}
    differing += sorted(path.name for path in flags.folder.glob("*.json") if path.name not in known)
    if differing:
        print(
            f"{', '.join(differing)}: not as botocore has it. Extract the models again: "
            "./bazelw run //third_party/models:extract", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
