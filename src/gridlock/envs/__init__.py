"""Environments for training agents: one module per framework, each loaded only when it is imported.

`planes.py` describes the observations and actions, which all frameworks share.
"""

from gridlock.core.errors import MissingExtra as MissingExtra  # re-exported
from gridlock.core.errors import needs as needs
