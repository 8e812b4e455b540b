"""The events of a stack, as they come."""

import dataclasses
import json

# More than one deployment causes between two looks.
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
        """Whether something went wrong here, and not only because it did elsewhere."""
        return self.status.endswith("_FAILED") and "cancelled" not in self.reason


def first_failure(events):
    """The one that the others followed from; None if nothing failed."""
    return next((event for event in events if event.is_failure()), None)


class StackEvents:
    """Those that have not been seen yet, oldest first."""

    def __init__(self, aws, stack):
        self._aws = aws
        self._stack = stack
        self._seen = set()

    def skip_old(self):
        self.new()

    def new(self):
        # Failing to look is no reason to stop: there may be no stack yet, or too many look.
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
