"""`python -m gridlock` is the same as `gridlock`."""

from gridlock.cli.main import main

main()
