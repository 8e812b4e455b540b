"""Follows the events of a stack."""

import dataclasses
import json

# More than a deployment causes between two requests.
LATEST = "200"


@dataclasses.dataclass(frozen=True)
class Event:
    time: str
    logical_id: str
    resource_type: str
    status: str
    reason: str

    def __str__(self):
        text = f"{self.time}  {self.status:<28}  {self.logical_id} ({self.resource_type})"
        return f"{text}: {self.reason}" if self.reason else text

    def is_failure(self):
        """Whether this resource failed by itself, and not as a consequence of another failure."""
        return self.status.endswith("_FAILED") and "cancelled" not in self.reason


def first_failure(events):
    """The first failure, which caused the others; None if nothing failed."""
    return next((event for event in events if event.is_failure()), None)


class StackEvents:
    """The new events, oldest first."""

    def __init__(self, aws, stack):
        self._aws = aws
        self._stack = stack
        self._seen = set()

    def skip_old(self):
        self.new()

    def new(self):
        # An error here is no reason to stop: there may be no stack yet, or requests may be throttled.
        process = self._aws.run("cloudformation", "describe-stack-events",
                                "--stack-name", self._stack, "--max-items", LATEST,
                                "--output", "json")
        if process.returncode != 0:
            return []
        try:
            records = json.loads(process.stdout or "{}").get("StackEvents", [])
        except ValueError:
            return []
        events = []
        for record in reversed(records):
            if record["EventId"] in self._seen:
                continue
            self._seen.add(record["EventId"])
            events.append(Event(
                time=record["Timestamp"][11:19], logical_id=record["LogicalResourceId"],
                resource_type=record.get("ResourceType", ""), status=record["ResourceStatus"],
                reason=record.get("ResourceStatusReason", "")))
        return events
