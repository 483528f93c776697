"""Types for numeric command-line options; these types describe ranges in words ("1 to 999", not "1<=x<=999")."""

import math
import re
from contextlib import suppress
from typing import Any

import click


class WholeNumber(click.IntRange):
    """A whole number in a range."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        assert self.min is not None
        try:
            number = int(value)
        except ValueError:
            self.fail(f"'{str(value)[:40]}' is not a whole number ({self._describe_range()}).", param, ctx)
        if self.max is None and number < self.min:
            self.fail(f"{str(value)[:40]} is too small: use {self._describe_range()}.", param, ctx)
        if self.max is not None and not self.min <= number <= self.max:
            self.fail(f"{str(value)[:40]} is not between {self.min} and {self.max}.", param, ctx)
        return number

    def _describe_range(self) -> str:
        """Return the range in words, for error messages and for the Click library's help."""
        return f"{self.min} or more" if self.max is None else f"{self.min} to {self.max}"


class Count(WholeNumber):
    """A large whole number, which may be written as 1e6, 100k, 2.5M or 1,000,000."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        assert self.min is not None
        assert self.max is not None
        text = str(value).strip().replace(",", "").replace("_", "")
        found = re.fullmatch(r"(-?[0-9]{1,30})(?:\.([0-9]{1,30}))?(?:e\+?([0-9]{1,9})|([km]))?", text.lower())
        if not found:
            self.fail(f"'{str(value)[:40]}' is not a whole number, such as 5000, 100k or 1e6.", param, ctx)
        whole, fraction, power, unit = found.groups()
        digits, zeros = (fraction or "").rstrip("0"), int(power or {"k": 3, "m": 6}.get(unit, 0))
        if len(digits) > zeros:
            self.fail(f"'{str(value)[:40]}' is not a whole number, such as 5000, 100k or 1e6.", param, ctx)
        number = int(whole + digits) * 10 ** min(zeros - len(digits), 30)
        if not self.min <= number <= self.max:
            self.fail(f"{str(value)[:40]} is not between {self.min:,} and {self.max:,}.", param, ctx)
        return number

    def _describe_range(self) -> str:
        return f"{self.min:,} to {self.max:,}"


class Seconds(click.FloatRange):
    """A type for times in seconds; unlike the Click library's type, it rejects "nan".

    A time limit of "nan" would never expire.
    """

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the time in seconds as a number."""
        assert self.min is not None
        with suppress(ValueError):
            seconds = float(value)
            if self.max is not None and not self.min <= seconds <= self.max and not math.isnan(seconds):
                self.fail(f"{str(value)[:40]} is out of range: use {self.min:g} to {self.max:g} seconds.", param, ctx)
            if math.isfinite(seconds) and (seconds > self.min or self.max is not None):
                return seconds
            if math.isfinite(seconds):
                self.fail(f"{str(value)[:40]} is too short: use more than {self.min:g} seconds.", param, ctx)
        return self.fail(f"'{str(value)[:40]}' is not a number of seconds.", param, ctx)

    def _describe_range(self) -> str:
        return f"{self.min:g} to {self.max:g}" if self.max is not None else f"more than {self.min:g}"


class Number(click.FloatRange):
    """A type for numbers in a range; unlike the Click library's type, it rejects "nan"."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        assert self.min is not None
        assert self.max is not None
        with suppress(ValueError):
            number = float(value)
            if self.min <= number <= self.max:
                return number
            if not math.isnan(number):
                self.fail(f"{str(value)[:40]} is not between {self.min:g} and {self.max:g}.", param, ctx)
        return self.fail(f"'{str(value)[:40]}' is not a number ({self._describe_range()}).", param, ctx)

    def _describe_range(self) -> str:
        return f"{self.min:g} to {self.max:g}"
