# SPDX-License-Identifier: Apache-2.0
"""Busy loops beside a study, and the load of the machine before and after it."""
import contextlib
import os
import subprocess
import sys


@contextlib.contextmanager
def busy_loops(count):
    """COUNT processes that compute until the end of the block, however it ends; prints the load before and after."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs at the start, {count} busy loops beside it", flush=True)
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
    print(f"load {os.getloadavg()[0]:.1f} at the end")
