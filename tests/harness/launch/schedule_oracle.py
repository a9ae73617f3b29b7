#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The schedule of harness/launch/schedule.cpp, written a second time, from its description.

Prints the golden order of schedule_test.cpp (three groups of two sides, three rounds, seed 42) and the first seed.
Run: python3 schedule_oracle.py
"""
MASK = 2**64 - 1


class SplitMix64:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, bound):
        while True:
            number = self.next()
            if number >= 2**64 % bound:
                return number % bound


def schedule(groups, rounds, seed):
    random, order, slots = SplitMix64(seed), list(range(groups)), []
    for _ in range(rounds):
        for last in range(groups - 1, 0, -1):
            other = random.below(last + 1)
            order[last], order[other] = order[other], order[last]
        for group in order:
            process_seed = random.next() >> 11
            sides = "ba" if random.next() >> 63 else "ab"
            slots.append([(f"{group}{side}", process_seed) for side in sides])
    return slots


if __name__ == "__main__":
    pairs = schedule(3, 3, 42)
    rounds = [pairs[i : i + 3] for i in range(0, 9, 3)]
    print(" | ".join(" ".join(name for pair in each for name, _ in pair) for each in rounds))
    print(pairs[0][0][1])
