"""Services on the clock and the GPUs of the training jobs: replicas are placed, scaled, and take GPUs back.

A replica that goes with its node is stood anew, and loads its weights anew, as soon as there is room: at once, when a
node comes, at the next look of the scaling rule (which may no longer want it), and else every REPLACE_EVERY_S. Notice
that a node will go does not help: a replica answers requests to the end.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from simulation.engine.draft import Draft
from simulation.engine.holding import Pieces
from simulation.engine.plan import Plan
from simulation.engine.policy import Policy
from simulation.engine.scaling import Scaling
from simulation.engine.service import ServiceQueue
from simulation.engine.state import FREE_GPUS, State
from simulation.engine.view import View
from simulation.world.build import ServiceWorld, World

Span = tuple[int, int, int, float, float]  # service, node, GPUs, start, end
REPLACE_EVERY_S = 60.0  # a choice of ours


@dataclass
class Running:
    """One service at work."""

    world: ServiceWorld
    queue: ServiceQueue
    held: dict[int, tuple[float, Pieces]] = field(default_factory=dict)  # slot -> since, pieces
    slots: int = 0
    changed_s: float = 0.0
    missing: int = 0  # replicas that are wanted, and found no room since a node went


class Fleet:
    """All services of a run. `next_s` is the next instant at which it must be called (inf: never again)."""

    def __init__(self, world: World, scaling: Scaling, ledger: State, counts: Counter[str]) -> None:
        self.services = [Running(w, ServiceQueue(w.service, w.arrivals_s)) for w in world.services]
        self.spans: list[Span] = []
        self._scaling, self._ledger, self._counts = scaling, ledger, counts
        self._tick_s = scaling.interval_s if self.services else np.inf
        self._releases: list[tuple[float, int, int]] = []  # instant, service, slot
        going = {int(world.nodes.domain[node]) for node in world.happenings.nodes}
        self._exposed = [r for r in self.services if going.intersection(r.world.domains)]
        self._replace_s = np.inf
        self._answered = 0

    @property
    def next_s(self) -> float:
        return min(self._tick_s, self._replace_s, self._releases[0][0] if self._releases else np.inf)

    def waited_for(self, now_s: float) -> bool:
        """Whether a request to a service on nodes that can go is still to be answered."""
        return any(running.queue.waiting or running.queue.last_end_s > now_s for running in self._exposed)

    def gets_on(self, now_s: float) -> bool:
        """Whether, on nodes that can go, a request is still to come, or was answered since the last call."""
        if any(max(running.world.arrivals_s[-1:], default=0.0) > now_s for running in self._exposed):
            return True
        before, self._answered = self._answered, sum(running.queue.answered(now_s) for running in self._exposed)
        return self._answered > before

    def open(self) -> None:
        """Replicas of the start stand before the first job arrives, loaded."""
        for index, running in enumerate(self.services):
            self._add(index, 0.0, running.world.service.replicas, 0.0, Draft(self._ledger))
        for running in self._exposed:
            running.missing = running.world.service.replicas - running.queue.replicas
        self._look_again(0.0)

    def lose(self, node: int, now_s: float) -> None:
        """Every replica with a GPU on a node that is gone vanishes; see ServiceQueue.lose for its requests."""
        for index, running in enumerate(self.services):
            lost = [slot for slot, (_, pieces) in sorted(running.held.items()) if any(at == node for at, _ in pieces)]
            if not lost:
                continue
            wanted = running.queue.replicas
            self._counts["requests_returned"] += running.queue.lose(now_s, lost)
            self._counts["replicas_lost"] += len(lost)
            running.missing += wanted - running.queue.replicas  # those that were about to go are not
            for slot in lost:
                self._release(index, slot, now_s)
        self._releases = [each for each in self._releases if each[2] in self.services[each[1]].held]
        heapq.heapify(self._releases)

    def nodes_changed(self, now_s: float) -> None:
        """Nodes have gone or come: there may be room for what is missing, and requests to wake up for."""
        if any(running.missing for running in self._exposed):
            self._replace_s = now_s
            if self._tick_s == np.inf:
                self._tick_s = now_s + self._scaling.interval_s

    def at(self, now_s: float, policy: Policy, view: View, apply: Callable[[Plan], bool]) -> None:
        """Releases and ticks that are due; `apply` puts a plan of training jobs into effect."""
        while self._releases and self._releases[0][0] <= now_s:
            _, index, slot = heapq.heappop(self._releases)
            self._release(index, slot, now_s)
        if now_s >= self._replace_s:
            for index, running in enumerate(self.services):
                running.missing -= self._grow(index, now_s, running.missing, policy, view, apply)
            self._look_again(now_s)
        if now_s >= self._tick_s:
            for index in range(len(self.services)):
                self._tick(index, now_s, policy, view, apply)
            self._tick_s = now_s + self._scaling.interval_s if self._awake(now_s) else np.inf

    def _look_again(self, now_s: float) -> None:
        self._replace_s = now_s + REPLACE_EVERY_S if any(r.missing for r in self._exposed) else np.inf

    def last_end_s(self) -> float:
        """When the last request had its answer, or the last one could have come; call when no tick is left."""
        end_s = 0.0
        for running in self.services:
            running.queue.advance(np.inf)
            end_s = max(end_s, running.queue.last_end_s, running.world.service.requests.end_s or 0.0)
            end_s = max([end_s, *(since_s for since_s, _ in running.held.values())])
        return end_s

    def close(self, end_s: float) -> None:
        """Close the spans of the replicas that stand at the end."""
        for index, running in enumerate(self.services):
            for slot in sorted(running.held):
                self._release(index, slot, end_s)
        self._releases.clear()

    def _awake(self, now_s: float) -> bool:
        """Whether anything may still change: requests to come, or their echo in the window."""
        echo_s = self._scaling.window_s + self._scaling.interval_s
        return any(
            r.queue.waiting > 0 or now_s <= r.queue.last_end_s + echo_s or now_s <= r.changed_s + echo_s
            for r in self.services
        )

    def _tick(self, index: int, now_s: float, policy: Policy, view: View, apply: Callable[[Plan], bool]) -> None:
        running = self.services[index]
        service, queue = running.world.service, running.queue
        seen = queue.observed(now_s, self._scaling.window_s)
        seen = replace(seen, replicas=seen.replicas + running.missing)
        wanted = self._scaling.replicas(service, seen, now_s - running.changed_s)
        wanted = max(service.replicas_min, min(wanted, service.replicas_max or wanted))
        before = queue.replicas
        if wanted < before:
            for release in queue.set_replicas(now_s, wanted, now_s):
                heapq.heappush(self._releases, (release.at_s, index, release.slot))
            while self._releases and self._releases[0][0] <= now_s:
                _, owner, slot = heapq.heappop(self._releases)
                self._release(owner, slot, now_s)
        elif wanted > before:
            self._grow(index, now_s, wanted - before, policy, view, apply)
            self._counts["replicas_refused"] += wanted - queue.replicas
        running.missing = max(0, min(running.missing, wanted - queue.replicas))
        if queue.replicas != before:
            running.changed_s = now_s
            self._counts["scalings"] += 1

    def _grow(
        self, index: int, now_s: float, number: int, policy: Policy, view: View, apply: Callable[[Plan], bool]
    ) -> int:
        """Stand up to `number` replicas, at the cost of training where the recipe allows; how many stand."""
        if number == 0:
            return 0
        running, draft = self.services[index], Draft(self._ledger)
        rooms = self._make_room(running.world, number, draft, policy, view)
        plan = draft.plan()
        if not plan.empty and not apply(plan):
            return 0
        self._stand(index, now_s, rooms, running.world.service.load_s)
        return len(rooms)

    def _add(self, index: int, now_s: float, number: int, load_s: float, draft: Draft) -> None:
        """Stand `number` replicas on free GPUs, as far as they fit."""
        world = self.services[index].world
        rooms = [draft.room(world.domains, world.service.gpus_per_replica) for _ in range(number)]
        placed = [room for room in rooms if room is not None]
        self._stand(index, now_s, placed, load_s)
        self._counts["replicas_refused"] += number - len(placed)

    def _make_room(self, world: ServiceWorld, number: int, draft: Draft, policy: Policy, view: View) -> list[Pieces]:
        """Rooms for up to `number` replicas: free GPUs, then those of elastic jobs, then those of preempted ones."""
        rooms: list[Pieces] = []
        for _ in range(number):
            room = draft.room(world.domains, world.service.gpus_per_replica)
            room = room or self._reclaim(world, draft, policy, view)
            if room is None:
                break
            rooms.append(room)
        return rooms

    def _reclaim(self, world: ServiceWorld, draft: Draft, policy: Policy, view: View) -> Pieces | None:
        """GPUs for one replica from training, the least important jobs first; no change where it is not enough."""
        before = draft.snapshot()
        gpus = world.service.gpus_per_replica
        jobs = [int(job) for job in policy.last_first(view)]
        for job in jobs if policy.conduct.reclaim_by_shrinking else ():
            while draft.gpus(job) > view.gang_min[job]:
                draft.shrink(job, 1)
                if (room := draft.room(world.domains, gpus)) is not None:
                    return room
        for job in jobs if policy.conduct.reclaim_by_preemption else ():
            if view.preemptible[job] and draft.gpus(job):
                draft.stop(job)
                if (room := draft.room(world.domains, gpus)) is not None:
                    return room
        draft.restore(before)
        return None

    def _stand(self, index: int, now_s: float, rooms: list[Pieces], load_s: float) -> None:
        running = self.services[index]
        for room in rooms:
            for node, gpus in room:
                self._ledger.free[node] -= gpus
                self._ledger.tally[FREE_GPUS] -= gpus
            running.held[running.slots] = (now_s, room)
            running.slots += 1
        running.queue.set_replicas(now_s, running.queue.replicas + len(rooms), now_s + load_s)

    def _release(self, index: int, slot: int, now_s: float) -> None:
        since_s, pieces = self.services[index].held.pop(slot)
        for node, gpus in pieces:
            if self._ledger.away[node] == 0:
                self._ledger.free[node] += gpus
                self._ledger.tally[FREE_GPUS] += gpus
            self.spans.append((index, node, gpus, since_s, now_s))
