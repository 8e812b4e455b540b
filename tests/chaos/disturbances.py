"""What can happen to a cloud and its functions, at random."""

import random
import signal
import time

import processes

# One freeze in so many is long, up to the longest that was asked for; the others are shorter than a second.
LONG_FREEZES = 4


class Disturbances:
    """Disturbs a cloud, given by its process id, each time in a way that `seed` decides."""

    def __init__(self, seed, longest_freeze, can_kill_cloud):
        self._random = random.Random(seed)
        self._longest_freeze = longest_freeze
        self._kinds = [self.freeze_cloud, self.freeze_machine, self.freeze_functions, self.kill_functions,
                       self.kill_functions_of_frozen_cloud]
        if can_kill_cloud:
            self._kinds.append(self.kill_cloud)
        self.counts = {}
        self.seconds_frozen = 0

    def pause(self, mean):
        """How long to leave the cloud alone, in seconds."""
        return min(self._random.expovariate(1 / mean), 5 * mean)

    def disturb(self, cloud):
        kind = self._random.choice(self._kinds)
        self.counts[kind.__name__] = self.counts.get(kind.__name__, 0) + 1
        kind(cloud)

    def _freeze(self, pids):
        seconds = self._random.uniform(0.01, 1)
        if self._random.randrange(LONG_FREEZES) == 0:
            seconds = self._random.uniform(0, self._longest_freeze)
        processes.freeze(pids)
        time.sleep(seconds)
        self.seconds_frozen += seconds

    def _some_functions(self, cloud):
        functions = processes.children(cloud)
        return [pid for pid in functions if self._random.randrange(2) == 0] or functions[:1]

    def freeze_cloud(self, cloud):
        """The cloud alone: its functions run into their own time limits."""
        self._freeze([cloud])
        processes.resume([cloud])

    def freeze_machine(self, cloud):
        """All of it, as a laptop that is closed."""
        everything = [cloud] + processes.children(cloud)
        self._freeze(everything)
        processes.resume(everything)

    def freeze_functions(self, cloud):
        functions = self._some_functions(cloud)
        self._freeze(functions)
        processes.resume(functions)

    def kill_functions(self, cloud):
        processes.send(self._some_functions(cloud), signal.SIGKILL)

    def kill_functions_of_frozen_cloud(self, cloud):
        """Afterwards the cloud finds its functions gone and its timers expired at once."""
        processes.freeze([cloud])
        processes.send(self._some_functions(cloud), signal.SIGKILL)
        self._freeze([cloud])
        processes.resume([cloud])

    def kill_cloud(self, cloud):
        processes.send([cloud], signal.SIGKILL)
