"""Deploys a stack: uploads the functions' code and updates the stack with the aws command line.

    ./bazelw run //infra:deploy -- --bucket=B --stack=S [--application=A] [--region=R] [--dry-run]
"""

import argparse
import os
import pathlib
import subprocess
import sys

from aws_cli import AwsCli, Failure, said, shown
from stack_events import StackEvents, first_failure
from stack_template import StackTemplate

DEFAULT_REGION = "us-east-1"
# Buckets in the oldest regions report these names.
OLD_LOCATIONS = {None: "us-east-1", "": "us-east-1", "EU": "eu-west-1"}


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="deploy", allow_abbrev=False,
        description="Uploads the functions' code and creates or updates a CloudFormation stack.")
    parser.add_argument("--bucket", required=True,
                        help="S3 bucket for code and template, in the stack's region")
    parser.add_argument("--stack", required=True, help="name of the stack")
    parser.add_argument("--application",
                        help="which template to deploy; default: the stack's name, if it is that of an "
                             "application, or else the scheduler")
    parser.add_argument("--region", help="default: AWS_REGION, AWS_DEFAULT_REGION, the profile's, "
                                         f"{DEFAULT_REGION}")
    parser.add_argument("--prefix", help="folder in the bucket; default: that of the template")
    parser.add_argument("--parameter", action="append", default=[], metavar="NAME=VALUE",
                        help="a parameter of the template; those not given stay as they were")
    parser.add_argument("--tag", action="append", default=[], metavar="NAME=VALUE",
                        help="a tag for the stack and everything in it")
    parser.add_argument("--review", action="store_true",
                        help="upload and prepare the change set, but do not execute it")
    parser.add_argument("--dry-run", action="store_true",
                        help="print the commands; needs neither aws nor credentials")
    parser.add_argument("--poll-seconds", type=float, default=3, help=argparse.SUPPRESS)
    # Given by the build.
    parser.add_argument("--template", action="append", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--zip", action="append", default=[], help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def name_value_pairs(flag, texts):
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise Failure(f"{flag}: {text!r} is not NAME=VALUE")
        pairs[name] = value
    return pairs


def template_of(options):
    """The template of the application: the files are named APPLICATION.template.json."""
    templates = {pathlib.Path(path).name.partition(".")[0]: path for path in options.template}
    if options.application is None:
        return templates.get(options.stack, options.template[0])
    if options.application not in templates:
        raise Failure(f"--application: there is no {options.application}; "
                      f"there is {', '.join(sorted(templates))}")
    return templates[options.application]


def region_of(options):
    return (options.region or os.environ.get("AWS_REGION") or
            os.environ.get("AWS_DEFAULT_REGION") or region_of_profile(options) or DEFAULT_REGION)


def region_of_profile(options):
    if options.dry_run:
        return None
    process = subprocess.run(["aws", "configure", "get", "region"], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True, check=False)
    return process.stdout.strip()


def path_for_people(path):
    """The path as it is known in the workspace, if that is the same file."""
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if workspace:
        built = pathlib.Path("bazel-bin") / path
        candidate = pathlib.Path(workspace) / built
        if candidate.exists() and candidate.samefile(path):
            return str(built)
    return str(path)


class Deployment:
    """A deployment as aws commands."""

    def __init__(self, options):
        self.options = options
        self.template = StackTemplate(template_of(options))
        self.given = name_value_pairs("--parameter", options.parameter)
        self.tags = name_value_pairs("--tag", options.tag)
        self.prefix = self.template.default_prefix() if options.prefix is None else options.prefix
        if self.prefix and not self.prefix.endswith("/"):
            self.prefix += "/"
        self.template.check_parameters(self.given)
        self.template.check_value("CodeBucket", options.bucket)
        self.template.check_value("CodePrefix", self.prefix)
        self.code = self.template.code_files(options.zip, self.prefix)

    def upload(self, code, path):
        return ["s3", "cp", "--only-show-errors", path,
                f"s3://{self.options.bucket}/{code.key}"]

    def deploy(self, template_path):
        parameters = {"CodeBucket": self.options.bucket, "CodePrefix": self.prefix,
                      **{code.parameter: code.name for code in self.code}, **self.given}
        command = ["cloudformation", "deploy", "--stack-name", self.options.stack,
                   "--template-file", template_path,
                   "--s3-bucket", self.options.bucket,
                   "--s3-prefix", self.prefix + "templates",
                   "--capabilities", "CAPABILITY_IAM", "--no-fail-on-empty-changeset"]
        if self.options.review:
            command.append("--no-execute-changeset")
        if self.tags:
            command += ["--tags", *(f"{name}={value}" for name, value in self.tags.items())]
        return command + ["--parameter-overrides",
                          *(f"{name}={value}" for name, value in parameters.items())]

    def describe(self, query):
        return ["cloudformation", "describe-stacks", "--stack-name", self.options.stack,
                "--query", f"Stacks[0].{query}"]


def print_commands(deployment, region):
    options = deployment.options

    def show(comment, *commands):
        print(f"# {comment}")
        for command in commands:
            print(shown(command, region))
        print()

    show("Who deploys; fails without credentials.", ["sts", "get-caller-identity"])
    show(f"Must say {'null, which stands for ' if region == DEFAULT_REGION else ''}{region}.",
         ["s3api", "get-bucket-location", "--bucket", options.bucket])
    show("Must not be in progress, nor ROLLBACK_COMPLETE.", deployment.describe("StackStatus"))
    show("The code, each zip under a name with its content hash; skipped if it is there.",
         *(deployment.upload(code, path_for_people(code.path)) for code in deployment.code))
    show("The stack.", deployment.deploy(path_for_people(deployment.template.path)))
    if not options.review:
        show("What it gave.", deployment.describe("Outputs"))


def check_credentials(aws):
    process = aws.run("sts", "get-caller-identity", "--query", "Arn", "--output", "text")
    if process.returncode != 0:
        raise Failure(
            f"no usable AWS credentials: {said(process)}\n"
            "Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run: "
            "aws configure")
    return process.stdout.strip()


def check_bucket(aws, bucket, region):
    process = aws.run("s3api", "get-bucket-location", "--bucket", bucket,
                      "--query", "LocationConstraint", "--output", "text")
    if process.returncode != 0:
        text = said(process)
        if "NoSuchBucket" in text:
            raise Failure(f"there is no bucket {bucket}; make one with: "
                          f"aws s3 mb s3://{bucket} --region {region}")
        raise Failure(f"the bucket {bucket} can't be used: {text}")
    location = process.stdout.strip()
    location = OLD_LOCATIONS.get(None if location == "None" else location, location)
    if location != region:
        raise Failure(f"the bucket {bucket} is in {location}, but the stack is to be in {region}: "
                      f"Lambda takes code from its own region only.\n"
                      f"Deploy with --region={location}, or use a bucket in {region}.")


def check_stack(aws, deployment):
    """Rejects a stack that can't be updated now. Returns whether there is one."""
    name = deployment.options.stack
    process = aws.run(*deployment.describe("StackStatus"), "--output", "text")
    if process.returncode != 0:
        if "does not exist" in process.stderr:
            return False
        raise Failure(f"the stack {name} can't be read: {said(process)}")
    status = process.stdout.strip()
    if status == "ROLLBACK_COMPLETE":
        raise Failure(f"the first deployment of {name} failed, and CloudFormation can't update "
                      f"what it left. Delete it and deploy again:\n"
                      f"aws cloudformation delete-stack --stack-name {name}")
    if status.endswith("_IN_PROGRESS") and status != "REVIEW_IN_PROGRESS":
        raise Failure(f"the stack {name} is being changed already ({status}); wait until that is "
                      "done")
    if status.endswith("_FAILED"):
        raise Failure(f"the stack {name} is in {status} and has to be mended first; see "
                      "docs/operations.md")
    return True


def upload(aws, deployment):
    for code in deployment.code:
        there = aws.run("s3api", "head-object", "--bucket", deployment.options.bucket,
                        "--key", code.key)
        if there.returncode == 0:
            print(f"unchanged  {code.key}")
            continue
        process = aws.run(*deployment.upload(code, str(code.path)))
        if process.returncode != 0:
            raise Failure(f"{code.key} could not be uploaded: {said(process)}")
        print(f"uploaded   {code.key}")


def deploy(aws, deployment, exists):
    options = deployment.options
    events = StackEvents(aws, options.stack)
    if exists:
        events.skip_old()
    process = aws.start(*deployment.deploy(str(deployment.template.path)))
    seen = []
    while True:
        try:
            process.wait(options.poll_seconds)
        except subprocess.TimeoutExpired:
            pass
        # Read once more after the end, for the last events.
        finished = process.returncode is not None
        for event in events.new():
            print(event, flush=True)
            seen.append(event)
        if finished:
            break
    if process.returncode == 0:
        return
    failure = first_failure(seen)
    if failure is None:
        raise Failure("the deployment failed before any resource was touched; see above for why")
    raise Failure(f"the deployment failed, and CloudFormation goes back to what was before.\n"
                  f"First failure: {failure.logical_id} ({failure.resource_type}): "
                  f"{failure.reason}")


def print_outputs(aws, deployment):
    outputs = aws.json(*deployment.describe("Outputs")) or []
    width = max((len(output["OutputKey"]) for output in outputs), default=0)
    for output in sorted(outputs, key=lambda output: output["OutputKey"]):
        print(f"{output['OutputKey']:{width}}  {output['OutputValue']}")


def run(options):
    deployment = Deployment(options)
    if options.dry_run:
        print_commands(deployment, region_of(options))
        return
    AwsCli(DEFAULT_REGION)  # before it is asked for the region
    region = region_of(options)
    aws = AwsCli(region)
    identity = check_credentials(aws)
    check_bucket(aws, options.bucket, region)
    exists = check_stack(aws, deployment)
    print(f"deploying {options.stack} to {region} as {identity}", flush=True)
    upload(aws, deployment)
    deploy(aws, deployment, exists)
    if not options.review:
        print_outputs(aws, deployment)


def main(arguments):
    options = parse_arguments(arguments)
    try:
        run(options)
    except Failure as failure:
        print(f"deploy: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ndeploy: stopped; what CloudFormation has begun goes on. See: aws cloudformation "
              f"describe-stack-events --stack-name {options.stack}", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
