"""The deployment, played through with a stand-in for the aws command line."""

import contextlib
import hashlib
import io
import json
import os
import pathlib
import shlex
import tempfile
import unittest

import deploy
import fake_aws

TEMPLATE = {
    "Metadata": {"Byoshin": {"Code": {"SenderCode": "sender.zip", "MockApiCode": "mock_api.zip"}}},
    "Parameters": {
        "CodeBucket": {"Type": "String", "AllowedPattern": "^[a-z0-9-]+$",
                       "ConstraintDescription": "the name of an S3 bucket"},
        "CodePrefix": {"Type": "String", "Default": "byoshin/", "AllowedPattern": "^([a-z]+/)*$",
                       "ConstraintDescription": "folders"},
        "SenderCode": {"Type": "String"},
        "MockApiCode": {"Type": "String"},
        "AlarmEmail": {"Type": "String", "Default": "", "AllowedPattern": "^(.+@.+)?$",
                       "ConstraintDescription": "empty, or an e-mail address"},
        "LogRetentionDays": {"Type": "Number", "Default": 30, "AllowedValues": [1, 30]},
    },
}
GOOD = {
    "sts get-caller-identity": [{"stdout": "arn:aws:iam::123456789012:user/ops\n"}],
    "s3api get-bucket-location": [{"stdout": "eu-central-1\n"}],
    "s3api head-object": [{"exit": 254, "stderr": "An error occurred (404)"}],
    "cloudformation describe-stacks --stack-name s --query Stacks[0].StackStatus": [
        {"exit": 254, "stderr": "(ValidationError): Stack with id s does not exist"}],
    "cloudformation describe-stacks --stack-name s --query Stacks[0].Outputs": [
        {"stdout": json.dumps([{"OutputKey": "MockApiUrl", "OutputValue": "https://x/prod"},
                               {"OutputKey": "A", "OutputValue": "b"}])}],
    "cloudformation describe-stack-events": [{"stdout": '{"StackEvents": []}'}],
}


def event(number, logical_id, status, reason=""):
    return {"EventId": str(number), "Timestamp": f"2026-01-01T10:00:{number:02}.000Z",
            "LogicalResourceId": logical_id, "ResourceType": "AWS::X::" + logical_id,
            "ResourceStatus": status, "ResourceStatusReason": reason}


def events_answer(*events, **more):
    # AWS answers the latest first.
    return {"stdout": json.dumps({"StackEvents": list(reversed(events))}), **more}


class DeployTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "sender.zip").write_bytes(b"sender code")
        (self.folder / "mock_api.zip").write_bytes(b"mock code")
        (self.folder / "stack.json").write_text(json.dumps(TEMPLATE))
        (self.folder / "bin").mkdir()
        self.script = dict(GOOD)
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        for name in [name for name in os.environ if name.startswith("AWS_")]:
            del os.environ[name]
        os.environ.pop("BUILD_WORKSPACE_DIRECTORY", None)
        os.environ["PATH"] = f"{self.folder}/bin"
        self.aws_is_installed = True

    def install_aws(self):
        aws = self.folder / "bin" / "aws"
        aws.unlink(missing_ok=True)
        if self.aws_is_installed:
            aws.write_text(fake_aws.program(self.folder, self.script), encoding="utf-8")
            aws.chmod(0o755)

    def run_deploy(self, *arguments, region="eu-central-1"):
        """Returns exit status, standard output and standard error."""
        self.install_aws()
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = deploy.main([
                    f"--template={self.folder}/stack.json", f"--zip={self.folder}/sender.zip",
                    f"--zip={self.folder}/mock_api.zip", "--poll-seconds=0",
                    *([f"--region={region}"] if region else []),
                    "--bucket=code", "--stack=s", *arguments])
            except SystemExit as exit_:
                status = exit_.code
        return status, out.getvalue(), err.getvalue()

    def add_application(self):
        """A second template, with a parameter that the first does not have."""
        template = {**TEMPLATE, "Parameters": {
            **TEMPLATE["Parameters"],
            "Tokens": {"Type": "Number", "Default": 10, "MinValue": 1, "MaxValue": 99}}}
        (self.folder / "other.template.json").write_text(json.dumps(template))
        return f"--template={self.folder}/other.template.json"

    def test_deploys_the_application_that_the_stack_is_named_after(self):
        other = self.add_application()
        for arguments, template in [(["--stack=other"], "other.template.json"),
                                    (["--stack=t"], "stack.json"),
                                    (["--stack=t", "--application=other"], "other.template.json"),
                                    (["--stack=other", "--application=stack"], "stack.json")]:
            _, out, _ = self.run_deploy(other, "--dry-run", *arguments)
            self.assertIn(f"--template-file {self.folder}/{template}", out)

    def test_refuses_an_application_that_there_is_not(self):
        self.expect_refusal("there is no third; there is other, stack", self.add_application(),
                            "--application=third")

    def test_refuses_a_number_that_cloudformation_would(self):
        other = self.add_application()
        for value in ["0", "100", "many", ""]:
            self.expect_refusal("Tokens: ", other, "--application=other",
                                f"--parameter=Tokens={value}")
        status, _, _ = self.run_deploy(other, "--application=other", "--parameter=Tokens=99",
                                       "--dry-run")
        self.assertEqual(status, 0)

    def calls(self, *beginning):
        """The calls so far that begin like this, without the region, which all must have."""
        calls = fake_aws.calls(self.folder)
        for call in calls:
            if call[0] != "configure":
                self.assertIn("--region", call)
        return [call[:call.index("--region")] if "--region" in call else call for call in calls
                if call[:len(beginning)] == list(beginning)]

    def expect_refusal(self, text, *arguments, **options):
        """Fails, says `text`, and has changed nothing."""
        status, _, err = self.run_deploy(*arguments, **options)
        self.assertEqual(status, 1)
        self.assertIn(text, err)
        self.assertNotIn("Traceback", err)
        self.assertEqual(self.calls("s3", "cp"), [])
        self.assertEqual(self.calls("cloudformation", "deploy"), [])

    # What is done.

    def test_uploads_each_zip_under_its_content_hash(self):
        status, out, _ = self.run_deploy()
        self.assertEqual(status, 0)
        sender = f"sender-{hashlib.sha256(b'sender code').hexdigest()}.zip"
        mock_api = f"mock_api-{hashlib.sha256(b'mock code').hexdigest()}.zip"
        self.assertEqual(self.calls("s3", "cp"), [
            ["s3", "cp", "--only-show-errors", f"{self.folder}/sender.zip",
             f"s3://code/byoshin/{sender}"],
            ["s3", "cp", "--only-show-errors", f"{self.folder}/mock_api.zip",
             f"s3://code/byoshin/{mock_api}"]])
        self.assertIn(f"uploaded   byoshin/{sender}", out)

    def test_passes_the_uploads_and_the_given_parameters_to_the_stack(self):
        status, _, _ = self.run_deploy("--parameter=AlarmEmail=a@b.c",
                                       "--parameter=LogRetentionDays=1", "--tag=Team=data")
        self.assertEqual(status, 0)
        [call] = self.calls("cloudformation", "deploy")
        overrides = call[call.index("--parameter-overrides") + 1:]
        self.assertEqual(overrides, [
            "CodeBucket=code", "CodePrefix=byoshin/",
            f"SenderCode=sender-{hashlib.sha256(b'sender code').hexdigest()}.zip",
            f"MockApiCode=mock_api-{hashlib.sha256(b'mock code').hexdigest()}.zip",
            "AlarmEmail=a@b.c", "LogRetentionDays=1"])
        self.assertIn("CAPABILITY_IAM", call)
        self.assertIn("--no-fail-on-empty-changeset", call)
        self.assertEqual(call[call.index("--tags") + 1], "Team=data")
        self.assertEqual(call[call.index("--template-file") + 1], f"{self.folder}/stack.json")

    def test_does_not_upload_what_is_there_already(self):
        self.script["s3api head-object"] = [{"stdout": "{}"}]
        status, out, _ = self.run_deploy()
        self.assertEqual(status, 0)
        self.assertEqual(self.calls("s3", "cp"), [])
        self.assertIn("unchanged  byoshin/sender-", out)

    def test_takes_another_prefix(self):
        self.run_deploy("--prefix=a/b")
        self.assertTrue(self.calls("s3", "cp")[0][-1].startswith("s3://code/a/b/sender-"))
        self.assertIn("CodePrefix=a/b/", self.calls("cloudformation", "deploy")[0])

    def test_prints_the_outputs(self):
        _, out, _ = self.run_deploy()
        self.assertTrue(out.endswith("A           b\nMockApiUrl  https://x/prod\n"), out)

    def test_shows_events_while_the_stack_is_being_made(self):
        os.mkfifo(self.folder / "two-looks")
        first = event(1, "Queue", "CREATE_IN_PROGRESS")
        second = event(2, "Queue", "CREATE_COMPLETE")
        self.script["cloudformation deploy"] = [{"await": "two-looks"}]
        self.script["cloudformation describe-stack-events"] = [
            events_answer(first), events_answer(first, second, signal="two-looks"),
            events_answer(first, second)]
        status, out, _ = self.run_deploy()
        self.assertEqual(status, 0)
        self.assertEqual(out.count("CREATE_IN_PROGRESS"), 1)
        self.assertIn("10:00:01  CREATE_IN_PROGRESS            Queue (AWS::X::Queue)\n"
                      "10:00:02  CREATE_COMPLETE               Queue (AWS::X::Queue)\n", out)

    def test_does_not_show_events_of_earlier_deployments(self):
        old = event(1, "Old", "CREATE_FAILED", "long ago")
        new = event(2, "New", "UPDATE_COMPLETE")
        query = "cloudformation describe-stacks --stack-name s --query Stacks[0].StackStatus"
        self.script[query] = [{"stdout": "UPDATE_COMPLETE\n"}]
        self.script["cloudformation describe-stack-events"] = [
            events_answer(old), events_answer(old, new)]
        status, out, _ = self.run_deploy()
        self.assertEqual(status, 0)
        self.assertNotIn("long ago", out)
        self.assertIn("New", out)

    def test_goes_on_when_events_cant_be_read(self):
        self.script["cloudformation describe-stack-events"] = [
            {"exit": 254, "stderr": "Rate exceeded"}, {"stdout": "not JSON"}]
        self.assertEqual(self.run_deploy()[0], 0)

    def test_only_prepares_a_review(self):
        status, _, _ = self.run_deploy("--review")
        self.assertEqual(status, 0)
        self.assertIn("--no-execute-changeset", self.calls("cloudformation", "deploy")[0])

    # How it fails.

    def test_names_the_first_resource_that_failed_and_why(self):
        self.script["cloudformation deploy"] = [{"exit": 255, "stderr": "Failed to create\n"}]
        self.script["cloudformation describe-stack-events"] = [events_answer(
            event(1, "Queue", "CREATE_IN_PROGRESS"),
            event(2, "Topic", "CREATE_FAILED", "Resource creation cancelled"),
            event(3, "Table", "CREATE_FAILED", "AiResponseMetrics already exists"),
            event(4, "Role", "CREATE_FAILED", "something else"))]
        status, _, err = self.run_deploy()
        self.assertEqual(status, 1)
        self.assertIn("First failure: Table (AWS::X::Table): AiResponseMetrics already exists", err)

    def test_says_so_when_the_change_itself_was_refused(self):
        self.script["cloudformation deploy"] = [{"exit": 255, "stderr": "Parameter refused\n"}]
        status, _, err = self.run_deploy()
        self.assertEqual(status, 1)
        self.assertIn("before any resource was touched", err)

    def test_needs_the_aws_command(self):
        self.aws_is_installed = False
        self.expect_refusal("the aws command line is not installed")
        self.expect_refusal("the aws command line is not installed", region=None)

    def test_needs_credentials(self):
        self.script["sts get-caller-identity"] = [
            {"exit": 253, "stderr": "Unable to locate credentials."}]
        self.expect_refusal("no usable AWS credentials: Unable to locate credentials.")

    def test_needs_a_bucket(self):
        self.script["s3api get-bucket-location"] = [
            {"exit": 254, "stderr": "An error occurred (NoSuchBucket) when calling"}]
        self.expect_refusal("there is no bucket code; make one with: aws s3 mb s3://code "
                            "--region eu-central-1")

    def test_needs_a_bucket_that_it_may_use(self):
        self.script["s3api get-bucket-location"] = [
            {"exit": 254, "stderr": "An error occurred (AccessDenied)"}]
        self.expect_refusal("the bucket code can't be used: An error occurred (AccessDenied)")

    def test_needs_a_bucket_in_the_stacks_region(self):
        self.expect_refusal("the bucket code is in eu-central-1, but the stack is to be in "
                            "us-west-2", region="us-west-2")

    def test_knows_the_old_names_of_regions(self):
        for location, region in [("None", "us-east-1"), ("EU", "eu-west-1")]:
            self.script["s3api get-bucket-location"] = [{"stdout": location + "\n"}]
            self.assertEqual(self.run_deploy(region=region)[0], 0)

    def test_refuses_a_stack_that_cant_be_updated(self):
        query = "cloudformation describe-stacks --stack-name s --query Stacks[0].StackStatus"
        for status, text in [("ROLLBACK_COMPLETE", "Delete it and deploy again"),
                             ("UPDATE_IN_PROGRESS", "being changed already"),
                             ("UPDATE_ROLLBACK_FAILED", "has to be mended first")]:
            self.script[query] = [{"stdout": status + "\n"}]
            self.expect_refusal(text)

    def test_updates_a_stack_that_is_well(self):
        query = "cloudformation describe-stacks --stack-name s --query Stacks[0].StackStatus"
        for status in ["CREATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE", "REVIEW_IN_PROGRESS"]:
            self.script[query] = [{"stdout": status + "\n"}]
            self.assertEqual(self.run_deploy()[0], 0, status)

    def test_says_why_an_upload_failed(self):
        self.script["s3 cp"] = [{"exit": 1, "stderr": "upload failed: AccessDenied"}]
        status, _, err = self.run_deploy()
        self.assertEqual(status, 1)
        self.assertIn("could not be uploaded: upload failed: AccessDenied", err)
        self.assertEqual(self.calls("cloudformation", "deploy"), [])

    def test_refuses_parameters_that_make_no_sense(self):
        self.expect_refusal("there is no Alarmemail; there is AlarmEmail, LogRetentionDays",
                            "--parameter=Alarmemail=x")
        self.expect_refusal("CodeBucket follows from --bucket", "--parameter=CodeBucket=x")
        self.expect_refusal("SenderCode follows from the upload", "--parameter=SenderCode=x")
        self.expect_refusal("'7' is none of 1, 30", "--parameter=LogRetentionDays=7")
        self.expect_refusal("'x' is not empty, or an e-mail address", "--parameter=AlarmEmail=x")
        self.expect_refusal("'AlarmEmail' is not NAME=VALUE", "--parameter=AlarmEmail")
        self.expect_refusal("'Code_X' is not the name of an S3 bucket", "--bucket=Code_X")
        self.expect_refusal("'B9/' is not folders", "--prefix=B9")

    def test_refuses_unknown_flags(self):
        status, _, err = self.run_deploy("--dryrun")
        self.assertEqual(status, 2)
        self.assertIn("--dryrun", err)

    def test_needs_every_zip_of_the_template(self):
        template = json.loads(json.dumps(TEMPLATE))
        template["Metadata"]["Byoshin"]["Code"]["SenderCode"] = "other.zip"
        (self.folder / "stack.json").write_text(json.dumps(template))
        self.expect_refusal("the template needs other.zip, which was not built")

    # The region.

    def test_takes_the_region_from_the_environment_or_the_profile(self):
        os.environ["AWS_DEFAULT_REGION"] = "eu-central-1"
        self.assertEqual(self.run_deploy(region=None)[0], 0)
        del os.environ["AWS_DEFAULT_REGION"]
        self.script["configure get region"] = [{"stdout": "eu-central-1\n"}]
        self.assertEqual(self.run_deploy(region=None)[0], 0)
        self.script["configure get region"] = [{"exit": 1}]
        self.script["s3api get-bucket-location"] = [{"stdout": "None\n"}]
        status, out, _ = self.run_deploy(region=None)
        self.assertEqual(status, 0)
        self.assertIn("to us-east-1 as arn:aws:iam::123456789012:user/ops", out)

    # --dry-run.

    def test_prints_the_commands_of_a_dry_run_and_runs_none(self):
        self.aws_is_installed = False
        status, dry, err = self.run_deploy("--dry-run", "--parameter=AlarmEmail=a@b.c")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(self.calls(), [])
        self.aws_is_installed = True
        self.run_deploy("--parameter=AlarmEmail=a@b.c")
        commands = [shlex.split(line) for line in dry.splitlines() if line.startswith("aws ")]
        commands = [command[1:command.index("--region")] for command in commands]
        # Everything that changes something is shown exactly as it is run.
        for call in self.calls("s3", "cp") + self.calls("cloudformation", "deploy"):
            self.assertIn(call, commands)

    def test_shows_paths_as_they_are_known_in_the_workspace(self):
        workspace = self.folder / "workspace"
        (workspace / "bazel-bin").mkdir(parents=True)
        (workspace / "bazel-bin" / "sender.zip").symlink_to(self.folder / "sender.zip")
        os.environ["BUILD_WORKSPACE_DIRECTORY"] = str(workspace)
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        self.assertEqual(deploy.path_for_people("sender.zip"), "bazel-bin/sender.zip")
        self.assertEqual(deploy.path_for_people("mock_api.zip"), "mock_api.zip")


if __name__ == "__main__":
    unittest.main()
