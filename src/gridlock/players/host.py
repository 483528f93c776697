"""Run a Python function, given by its file and name or by an agent's name, as a program that speaks UGI.

python -m gridlock.players.host ./my.py:agent
"""

import sys

from gridlock.players.function_host import NO_FUNCTION, NoFunction, load_function, serve
from gridlock.players.registry import agents


def main() -> None:
    """Serve the agent that is named on the command line."""
    name = sys.argv[1]
    file, colon, function = name.rpartition(":")
    try:
        agent = load_function(file, function) if colon else agents.entry(name).load()
    except NoFunction as error:
        print(error, file=sys.stderr)
        sys.exit(NO_FUNCTION)
    serve(agent)


if __name__ == "__main__":
    main()
