# SPDX-License-Identifier: MIT
"""Checks that go on after a failure, and say at the end how many failed."""

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print(f"failed: {what}")


def check_equal(found, expected, what):
    check(found == expected, f"{what}: expected {expected!r}, found {found!r}")
